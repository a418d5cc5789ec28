"""Looking ahead in the play. In an order to be read:

- moment: a decision, and the hands with which it may have to be made
- weighing: how likely such hands are, by what the others did
- rollouts: games to be played out, many at once
- one_ply: the master: the net's best actions, each played out
- exact: the end with open cards, solved
- ismcts, thumb: the yardstick: a tree search, and the rules of thumb by which it plays on
"""
