"""Makes ``players/weights`` anew. In an order to be read:

- play_deals, play_learning: deals for the play; Deep Monte-Carlo
- play_rules, play_match: rules of thumb for many games; matches of thousands of deals
- play_train: trains the net of the play
- auction_chance, auction_cfr: what the cards bring in an auction; CFR+
- auction_train: solves the auctions
- tasks, learning, plots: all that there is to train; how it went; pictures of it
"""
