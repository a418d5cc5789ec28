"""The deal without a dealer, and the keys that sign. It knows positions and faces 0 to 51 and no cards. To be read so:

- scheme: what the table asks of a deck; the steps in their order
- group, transcript: the group ristretto255; challenges and nonces by hashing
- linear, dleq: the two proofs of which all but the shuffle's are made
- keys: step 1: shares of the deck's key
- masking, permutation: the deck as masked faces; uniform permutations
- shuffle, shuffle_proof: step 2: a shuffle and its proof; the proof as bytes
- shares: step 4: each seat takes its key off the others' cards (step 3 is one digest: deck)
- openings, non_holding: steps 5 and 6: these are my cards; none of my cards is one of those
- hands: what everybody can verify of the hands that were dealt
- deck: all of it: one seat's part in one deck
- seeded, remembered: a deck that comes back after a crash, with its seed or without
- identity: Ed25519 keys, one a player
"""
