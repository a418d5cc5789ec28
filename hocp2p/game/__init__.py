"""The rules of the game, pure: values in, values out. In an order to be read:

- cards, house: faces; what a table has agreed on
- actions, events, state: what a seat does, what follows, what everybody knows
- rules: the one place that says what is legal and what it leads to; it asks those below
- payments, hands, combinations: jetons that change hands; what is open of a hand; what wins a stake
- auction, showdown, stakes: a stake: bid for, announced and shown, settled
- blanche, play: carte blanche, then the stops game
- legal: what a rule-abiding player may do, as a client offers it
- match: deals one after the other, and the last division
- notation, deal_record, replay: an action as a line, a deal as JSON, a recorded deal played again

A phase that ends opens the next one, so each of the modules of a deal imports the one after it: auction, showdown,
stakes, blanche, play.

``RULES 2.1`` or ``rule 2.1`` in a docstring is a section of the rules by which this package was written. Players read
them as ``hocp2p rules`` (:mod:`hocp2p.ui.rulebook_text`), in sections with other numbers:

    here                           there
    1    the table                 2
    2    stakes and auctions       3
    2.1  what wins a stake         4
    2.2  who is paid for it        5
    2.3  carte blanche             6
    3    the play                  7
    3.1  what has to be played     7
    3.2  the fixed hocs            8
    3.3  the end of a deal         9
    4    fines                     10
    5    somebody who is gone      11
    6    worked examples           tests/game/test_examples.py
    7    the notation as text      notation, deal_record

Their switches (``Rules``) are section 12 there.
"""
