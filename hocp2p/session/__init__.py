"""A table, its links, files and players together, by asyncio. In an order to be read:

- client: what a screen holds in its hand: the way in from above
- runner: one seat at work: inputs in order, each one's effects before the next is taken
- loop, workers, wires: beside it: the event loop, threads and processes, open links
- seat, host, hosting, guest: who we are; opening a table; hosting it with bots; joining one
- ways, doors, linking: where others find us, in what order; links that are wanted and dialled again
- keeping, recording, resume: effects to the journal; the public record; coming back to a seat
- clock, unheard: how long a seat may think, and how long it is waited for
- acquaintances, managing: whom we have met before; what a host wants before the game, in order
- pace, forced, autopilot: how long answers take; those that leave no choice; a bot in a seat
- hints, reasons: advice off the event loop; what it may say
- practice: the table of ``hocp2p learn``, where bots show their hands
- arena, arena_open: levels against each other; the same with open cards
- arena_figures, arena_ladder: what that comes to; every level against the one below
- bench, bench_flood: what a deal costs; what a flood of connections costs
"""
