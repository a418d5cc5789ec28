"""The rules once more, as numbers: cards are bits, states change in place. Compared with ``hocp2p.game`` by tests.

- masks, codes, places: cards as bits and counts; actions as numbers; places as bits
- holdings: what a hand holds for a stake
- house: the house rules as they count in one deal
- stakes, play, deal: the first phase, the second, both
- batch: the second phase of many deals at once, in numpy
- convert, coding: states and actions from and to ``hocp2p.game``
- history: the moves of the play so far
- chance: random deals

At a table bots ask for the second phase alone (``play``, ``batch``). The first one is here so that whole deals can be
simulated: tests compare the small auction of training with it, and measure how fast it plays.
"""
