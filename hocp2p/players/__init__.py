"""Who decides for a seat, from its ``SeatView`` and nothing else. In an order to be read:

- player, choice: what a player is; drawing
- levels: the levels by name
- random_bot, novice, trained: the levels
- bidding, estimates: the novice's auctions; how likely a hand is the best, by the cards alone
- shedding, hand: the novice's play, and the hand that it plans with
- idle: what is done for one whose time is out
- auction: auctions by solved tables
- net: the play by a trained net
- belief, search: what the others may hold; looking ahead
- engine: the rules once more, fast, as numbers
- advice, reasons: what to do, and why, for people
- why_stakes, why_play: what speaks for a word, for a card
- likely_best, going_out: for advice: how likely a hand is the best by words, too; who can surely go out

``weights/`` holds what was trained: see ``hocp2p.training``.
"""
