"""Auctions by tables that ``hocp2p.training`` has solved. In an order to be read:

- served: for which house rules the tables are good
- tree: the small auction that was solved
- buckets: hands, put together by what counts for a stake
- tables: the strategies in a file, and the way from a real auction to them
- equity: how likely a hand is stronger than another's
- policy: a word, drawn from the tables
- showing: what is announced, shown and claimed after it
- ranges: how well a hand fits what its seat has said: for the play
"""
