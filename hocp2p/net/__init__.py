"""Links that carry bytes between two peers and know nothing of what they mean. In an order to be read:

- link, memory: what a link is; two ends of one within a process
- address, proxy: where one listens and dials, and through what
- certificate, tls: an identity key as a certificate; who has to answer
- websocket: a link over WebSocket
- dialling: opens one
- gate, binding, listening: who may come in; a port that asks; the links that come in by it
- invite: address, certificate and secret in one word
- discovery: the list of tables in the local network
- port_mapping, upnp_http: opens a port in the router; HTTP towards it
"""
