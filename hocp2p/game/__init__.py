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
"""
