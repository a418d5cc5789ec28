"""What goes over the wire, byte by byte; protocol/SPEC.md says the same in words. In an order to be read:

- codec, text: strict MessagePack; which characters a text may hold
- schema: records whose fields carry their bounds
- messages: what a seat says to the table
- envelope: a message, signed, for one place in the history
- frames: what goes over a link: greetings, the lobby, envelopes
"""
