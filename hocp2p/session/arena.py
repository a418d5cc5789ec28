"""Levels of bots against each other: the same deal from every seat, so that luck cancels out.

A *block* is one dealt deck, played in every seating of the bots, each time with new bots that remember nothing. Its
deck, its carried pools and every bot's generator come from the seed, the number of the block and the seat alone: a
block can be played again by itself, in any process. The deals are played by ``hocp2p.game``, and a bot gets its
``SeatView``, as at a table; only the yardstick ``clairvoyant`` sees the deck.

Bots that search want many games played out. The deals of several blocks go on side by side, each until its bot waits
for such games; then those of all are played in step, which takes a fraction of the time. What a decision takes by
itself is told by some blocks that are played alone, one decision after the other.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
from typing import TYPE_CHECKING, Final

from hocp2p.errors import LocalError, RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Stake
from hocp2p.game.cards import DECK, DECK_SIZE, Card
from hocp2p.game.deal_record import encode_deal, record_deal
from hocp2p.game.events import Source
from hocp2p.game.house import ANTE, DEFAULT_RULES, HAND_SIZE, START_BALANCE, Rules
from hocp2p.game.payments import SOURCES
from hocp2p.game.state import DealState, Phase, SeatView
from hocp2p.players.levels import CLAIRVOYANT, make_player
from hocp2p.players.player import Player, Thinker
from hocp2p.players.search.exact import Solver
from hocp2p.session.arena_open import Clairvoyant, Judge, make_solver
from hocp2p.session.workers import make_processes

if TYPE_CHECKING:  # as in _play_in_step
    from hocp2p.players.engine.batch import Ints
    from hocp2p.players.search.rollouts import Rollouts

CARRIED: Final = 0.15
"""How often everybody passed a stake in the deal before: its pool is carried, and its payments may be doubled."""

CHUNK: Final = 8  # blocks that a process plays side by side before it reports
TIMED: Final = 32  # of so many blocks the first is played alone, and its decisions are timed
PLAY_SOURCES: Final = (Source.HOCS, Source.CARDS)
MOST_ACTIONS: Final = 10_000  # no deal is so long; more is a loop


@dataclass(frozen=True, slots=True)
class Contest:
    """Who plays whom, and how.

    Args:
        levels: a level a seat, two or three; at least two of them different.
        seed: of everything.
        rules: the house rules; the number of deals in them counts for nothing.

    Raises:
        LocalError: ``bad-contest``: not two or three seats, all of one level, or a clairvoyant among three.
    """

    levels: tuple[str, ...]
    seed: int
    rules: Rules = DEFAULT_RULES

    def __post_init__(self) -> None:
        if self.seats not in HAND_SIZE or len(set(self.levels)) < 2:
            raise LocalError("bad-contest", "two or three levels play, at least two of them different")
        if CLAIRVOYANT in self.levels and self.seats != 2:
            raise LocalError("bad-contest", "a clairvoyant plays against one, not against two")

    @property
    def seats(self) -> int:
        """2 or 3."""
        return len(self.levels)

    @property
    def casts(self) -> tuple[tuple[str, ...], ...]:
        """One against two is played both ways, one of each level against two of the other; else there is one cast."""
        names = tuple(dict.fromkeys(self.levels))
        if len(names) == self.seats:
            return (self.levels,)
        one, two = sorted(names, key=self.levels.count)
        return (one, two, two), (two, one, one)


def seatings(cast: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """All ways to seat a cast: two or six of different levels, three of one against two."""
    return tuple(dict.fromkeys(permutations(cast)))


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """One deal as it was played.

    Args:
        levels: by seat.
        stakes, play: by seat, jetons won in the first phase and in the second. Both sum to zero: what lay in the
            pools before and what lies there after is shared equally, and so are the fines.
        decided_s: by seat, how long each decision took; nothing in blocks that were played beside others.
        line: the deal in the notation of RULES 7; empty unless it was asked for.
        regrets: by seat, what its decisions in the play lost, see :meth:`Judge.regrets`; empty unless asked for.
    """

    levels: tuple[str, ...]
    stakes: tuple[float, ...]
    play: tuple[float, ...]
    decided_s: tuple[tuple[float, ...], ...]
    line: str = ""
    regrets: tuple[tuple[int | None, ...], ...] = ()


Block = tuple[tuple[PlayedDeal, ...], ...]
"""By cast, its deals in the order of :func:`seatings`."""


def play_block(contest: Contest, number: int, *, recorded: bool = False, judged: bool = False) -> Block:
    """One deck in every seating, one decision after the other.

    Args:
        contest: who plays whom.
        number: of the block.
        recorded: whether the deals are written down.
        judged: whether the decisions in the play are judged, which two players can be alone.

    Raises:
        RuleError: a bot did what it may not.
        LocalError: ``bad-contest``: three cannot be judged.
    """
    tables = _tables(contest, number, recorded, judged)
    return tuple(tuple(_play_alone(table) for table in cast) for cast in tables)


def play_side_by_side(
    contest: Contest, numbers: Sequence[int], *, recorded: bool = False, judged: bool = False
) -> list[Block]:
    """Several blocks at once; arguments and errors as for :func:`play_block`. No decision is timed.

    The same blocks together come to the same, always. Beside others a sum in a net may be rounded in another way, and
    once in many thousand deals that decides between two actions.
    """
    tables = [_tables(contest, number, recorded, judged) for number in numbers]
    played = iter(_play_in_step([table for block in tables for cast in block for table in cast]))
    return [tuple(tuple(next(played) for _ in cast) for cast in block) for block in tables]


def play_blocks(
    contest: Contest, blocks: int, *, jobs: int = 1, recorded: bool = False, judged: bool = False
) -> Iterator[Block]:
    """The blocks 0, 1, 2 ... in this order, whatever the number of processes.

    Args:
        contest: who plays whom.
        blocks: how many.
        jobs: processes; with one, everything happens in this one.
        recorded, judged, errors: as for :func:`play_block`.
    """
    chunks = [range(first, min(first + CHUNK, blocks)) for first in range(0, blocks, CHUNK)]
    if jobs == 1:
        for chunk in chunks:
            yield from _play_chunk(contest, chunk, recorded, judged)
        return
    with make_processes(jobs) as pool:
        waiting = deque(pool.submit(_play_chunk, contest, chunk, recorded, judged) for chunk in chunks)
        try:
            while waiting:
                yield from waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _play_chunk(contest: Contest, numbers: range, recorded: bool, judged: bool) -> list[Block]:
    timed = [number for number in numbers if number % TIMED == 0]
    others = [number for number in numbers if number % TIMED]
    alone = [play_block(contest, number, recorded=recorded, judged=judged) for number in timed]
    return alone + play_side_by_side(contest, others, recorded=recorded, judged=judged)


@dataclass(frozen=True, slots=True)
class _Table:
    """A deal to be played.

    Args:
        start: the deal before the first action.
        deck: all faces, by position.
        levels: by seat.
        players: by seat.
        recorded: whether it is written down.
        judge: judges the decisions in the play; None: nobody does.
    """

    start: DealState
    deck: tuple[Card, ...]
    levels: tuple[str, ...]
    players: tuple[Player, ...]
    recorded: bool
    judge: Judge | None


def _tables(contest: Contest, number: int, recorded: bool, judged: bool) -> tuple[tuple[_Table, ...], ...]:
    """The deals of a block, by cast and seating."""
    judge = Judge(contest.rules, contest.seats) if judged else None
    solver = make_solver(contest.rules, contest.seats) if CLAIRVOYANT in contest.levels else None
    rng = Random(f"hocp2p arena {contest.seed} {number} deck")  # noqa: S311 # a seed must give the same game
    deck = tuple(rng.sample(DECK, DECK_SIZE))
    carried = frozenset(stake for stake in Stake if rng.random() < CARRIED)
    if contest.rules.double == "all_three":  # then a stake doubles only where all three were passed
        carried = frozenset(Stake) if Stake.POINT in carried else frozenset()
    doubled = frozenset() if contest.rules.double == "never" else carried
    carry = [ANTE * contest.seats if stake in carried else 0 for stake in Stake]
    start, _ = game_rules.start_deal(
        contest.rules,
        contest.seats,
        contest.seats - 1,
        (START_BALANCE,) * contest.seats,
        (carry[0], carry[1], carry[2]),
        doubled,
    )
    return tuple(
        tuple(
            _Table(
                start,
                deck,
                levels,
                tuple(
                    _player(level, f"hocp2p arena {contest.seed} {number} {cast} {turn} {seat}", deck, solver)
                    for seat, level in enumerate(levels)
                ),
                recorded,
                judge,
            )
            for turn, levels in enumerate(seatings(members))
        )
        for cast, members in enumerate(contest.casts)
    )


def _player(level: str, seed: str, deck: Sequence[Card], solver: Solver | None) -> Player:
    """A new bot; the deck is shown to a clairvoyant only, and the solver is his."""
    rng = Random(seed)  # noqa: S311 # as above
    return Clairvoyant(rng, deck, solver) if level == CLAIRVOYANT and solver is not None else make_player(level, rng)


Deciding = tuple[Player, SeatView]
"""Whose turn it is at a table, and what he sees."""


def _play_alone(table: _Table) -> PlayedDeal:
    """Plays a deal; every decision is timed."""
    taken: list[list[float]] = [[] for _ in table.levels]
    playing = _playing(table)
    try:
        player, view = next(playing)
        while True:
            began = time.perf_counter()
            action = player.decide(view)
            taken[view.seat].append(time.perf_counter() - began)
            player, view = playing.send(action)
    except StopIteration as end:
        deal: PlayedDeal = end.value
        return replace(deal, decided_s=tuple(map(tuple, taken)))


def _play_in_step(tables: Sequence[_Table]) -> list[PlayedDeal]:
    """Plays all deals side by side: each until its bot wants games played out, then those of all together."""
    walks = [_walk(_playing(table)) for table in tables]
    come_to = [_walk_on(walk) for walk in walks]
    while asked := {number: one for number, one in enumerate(come_to) if not isinstance(one, PlayedDeal)}:
        from hocp2p.players.search.rollouts import play_together  # it brings numpy, which novices do without

        for number, won in zip(asked, play_together(list(asked.values())), strict=True):
            come_to[number] = _walk_on(walks[number], won)
    return [deal for deal in come_to if isinstance(deal, PlayedDeal)]


def _walk_on(walk: Generator[Rollouts, Ints, PlayedDeal], won: Ints | None = None) -> Rollouts | PlayedDeal:
    """To where a bot asks for rollouts again, or to the end; ``won`` answers what was asked before."""
    try:
        return next(walk) if won is None else walk.send(won)
    except StopIteration as end:
        deal: PlayedDeal = end.value
        return deal


def _walk(playing: Generator[Deciding, Action, PlayedDeal]) -> Generator[Rollouts, Ints, PlayedDeal]:
    """Plays a deal, and stops wherever a bot asks for rollouts."""
    try:
        player, view = next(playing)
        while True:
            action = (yield from player.think(view)) if isinstance(player, Thinker) else player.decide(view)
            player, view = playing.send(action)
    except StopIteration as end:
        deal: PlayedDeal = end.value
        return deal


def _playing(table: _Table) -> Generator[Deciding, Action, PlayedDeal]:
    """Plays a deal by the actions that it is told."""
    deck, judge = table.deck, table.judge
    state = table.start
    actions: list[tuple[int, Action]] = []
    regrets: list[list[int | None]] = [[] for _ in table.levels]
    opening: DealState | None = None  # of the play
    while state.turn is not None:
        seat = state.turn
        if opening is None and state.phase is Phase.PLAY:
            opening = state
        view = SeatView(state, seat, {position: deck[position] for position in state.dealt[seat]})
        action = yield table.players[seat], view
        if action not in game_rules.legal_actions(view):  # it must be offered, so that it is also true of the hand
            raise RuleError("not-offered", f"{table.levels[seat]} may not do this: {action}")
        if judge is not None:
            regrets[seat].extend(judge.regrets(state, deck, action))
        actions.append((seat, action))
        if len(actions) > MOST_ACTIONS:
            raise RuleError("endless", "the deal does not end")
        state, _ = game_rules.apply(state, seat, action)
    stakes, play = _scores(table.start, opening or state, state)
    line = encode_deal(record_deal(table.start, dict(enumerate(deck)), actions)) if table.recorded else ""
    judged = tuple(map(tuple, regrets)) if judge is not None else ()
    untimed: tuple[tuple[float, ...], ...] = ((),) * len(table.levels)
    return PlayedDeal(table.levels, stakes, play, untimed, line, judged)


def _scores(start: DealState, opening: DealState, end: DealState) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """By seat, jetons of the first and of the second phase; see :class:`PlayedDeal`."""
    fines = SOURCES.index(Source.FINES)
    held_back = [after - before for after, before in zip(end.pay[fines], opening.pay[fines], strict=True)]
    won = [sum(end.pay[SOURCES.index(source)][seat] for source in PLAY_SOURCES) for seat in range(end.seats)]
    play = tuple(mine + fine - sum(held_back) / end.seats for mine, fine in zip(won, held_back, strict=True))
    net = game_rules.outcome(end).net
    share = (sum(game_rules.outcome(end).carry_after) - sum(start.carry_in)) / end.seats
    return tuple(all_ + share - second for all_, second in zip(net, play, strict=True)), play
