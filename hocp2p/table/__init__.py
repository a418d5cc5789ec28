"""One table as a state machine on every peer, without I/O: bytes and decisions in, effects out. In an order to be read:

- effects, events: what the table wants done; what it tells
- steps, chain, tracks: a step; the envelopes of a track in their slots, and its hash chain; all tracks
- terms, agreement: the proposal; everybody signs it
- deck, draw, deal, moves: the steps of a deck, of the draw, of a deal; actions as messages
- memory, course: what brings a seat back, its decks' seeds too; what follows what
- asides, losses: talk and the like; votes and claims about a seat
- replica, losing, table: the machine, in three layers: how steps close, how a seat is lost, what goes in
- parting: what goes on at another table after a loss
- me, links, host, guest: who we are; who is at the other end of a link; the lobby of who hosts, and of who joins
- snapshot: what may be shown
- participant, linked, peer: a participant, in three layers: links and ends, what the links bring, what the player does
"""
