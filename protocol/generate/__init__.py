"""The protocol once more, slow and plain, by itself: it checks recorded sessions and writes the test vectors.

Nothing here comes from the package ``hocp2p``; the standard library is all that is needed. To be read in this order:

    ristretto    the group: points, scalars, hashing into it
    ed25519      signatures
    transcript   challenges, and where pinned randomness comes from
    proofs       knowledge of logarithms, equality of logarithms
    shuffle      the deck in a new order, proven
    not_holding  *sans* and carte blanche
    deal         one deck from the keys to the last opening; ``player`` is the side of one seat
    msgpack      values as bytes
    bounds       every message and frame with the bounds of its fields: the one table
    wire         envelopes, heads, the table id
    game, stakes, blanche, play    the rules of the game
    steps, tracks, session         a whole session, verified; ``record`` is the file, ``going_on`` the next table
    links, peer, guest, host       one peer at its links: who is there, the lobby, refusals, ends

What only writes vectors stands in ``vectors`` and the modules that it names.
"""
