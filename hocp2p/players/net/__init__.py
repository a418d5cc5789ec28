"""The play by a net: what an action is worth, from what its player may know. In an order to be read:

- observation: what a player may know, as arrays
- features: that, and what an action brings, as the input of the net
- network: the net and its file
- policy: an action for a view, or for many games at once
"""
