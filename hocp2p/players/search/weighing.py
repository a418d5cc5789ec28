"""How likely worlds are, given what the others did: each of their choices in the play so far, and their bids.

In every world we know what an opponent held at each of his turns. The chance that he did what he did is read off the
net's values, as if he chose among them with some randomness; that of his bids comes from whoever knows the auctions.
Only his own hand and what was public then go into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hocp2p.errors import LocalError
from hocp2p.game.state import DealState, SeatView
from hocp2p.players.belief.sampler import Worlds, deal_cards
from hocp2p.players.engine.batch import FULL_DECK, legal_actions
from hocp2p.players.engine.history import Move, moves_of
from hocp2p.players.engine.masks import BITS, UNITS, numbers_of
from hocp2p.players.engine.places import NOBODY
from hocp2p.players.engine.play import HOLD, Play
from hocp2p.players.net.network import Net
from hocp2p.players.net.observation import Observation
from hocp2p.players.search.moment import Moment

Floats = NDArray[np.float64]
Counts = NDArray[np.int8]

BidLikelihood = Callable[[SeatView, int, Sequence[int]], Sequence[float]]
"""For a seat and masks of hands that it may have been dealt, how likely its bids are with each, up to a factor."""

_LEAST: Final = 1e-9  # no bid is impossible


@dataclass(frozen=True, slots=True)
class Weighing:
    """How much the choices of the others tell.

    Args:
        temperature: in jetons; they are thought to choose an action that is worth so much less ``e`` times as rarely.
        floor: how often they are thought to choose blindly.
        play: power to which the likelihood of their play is raised, 0 (it tells nothing) to 1. They are not quite what
            they are thought to be, and are so again and again.
        bids: the same for that of their bids.

    Raises:
        LocalError: ``bad-search`` for figures that make no chance.
    """

    temperature: float = 0.6
    floor: float = 0.1
    play: float = 0.5
    bids: float = 0.2

    def __post_init__(self) -> None:
        if self.temperature <= 0 or not all(0 <= share <= 1 for share in (self.floor, self.play, self.bids)):
            raise LocalError("bad-search", "a temperature is above 0, and a share between 0 and 1")

    def chances(self, values: NDArray[np.float32], legal: NDArray[np.bool_], action: NDArray[np.intp]) -> Floats:
        """``[N]``: how likely each action is.

        Args:
            values: ``[N, 14]``, minus infinity for what is not legal.
            legal: ``[N, 14]``; one at least.
            action: ``[N]``, what was done.
        """
        rows = np.arange(len(values))
        scaled = np.exp((values - values.max(axis=1, keepdims=True)).astype(np.float64) / self.temperature)
        wise = scaled[rows, action] / scaled.sum(axis=1)
        chances: Floats = (1 - self.floor) * wise + self.floor / legal.sum(axis=1)
        return chances


class Choice(NamedTuple):
    """A choice that an opponent had in the play.

    Args:
        move: what he did.
        play: the moment, of which the hands tell nothing.
        later: ``[P, 13]``, by place, the cards that were played from then on.
        known: ``[P, 13]``, those in hand that everybody had seen.
    """

    move: Move
    play: Play
    later: Counts
    known: Counts


def choices_of(moment: Moment) -> Iterator[Choice]:
    """The turns of the others in the play so far, but for cards that were held back."""
    state = moment.view.state
    moves = moves_of(state)
    shown = shown_before(state)
    later, known = np.zeros_like(moment.known), moment.known.copy()
    hands = list(moment.play.hands)
    for move in moves:
        if move.card >= 0:
            later[move.place, move.action - 1] += 1
            known[move.place, move.action - 1] += move.card in shown
            hands[move.place] += UNITS[move.action]
    play = Play(hands, hold_back=True, fortuitous=moment.play.fortuitous)
    for move in moves:
        if move.place != moment.play.turn and move.action != HOLD:
            yield Choice(move, play.copy(), later.copy(), known.copy())
        play.apply(move.action)
        if move.card >= 0:
            later[move.place, move.action - 1] -= 1
            known[move.place, move.action - 1] -= move.card in shown


def shown_before(state: DealState) -> frozenset[int]:
    """Indices of the cards that were shown before the play.

    They stand first in ``opened``; after them come, in order, the played cards that were not among them.
    """
    play = state.play
    played = [card.position for run in (*play.closed, play.run) for card in run] if play is not None else []
    opened = [position for position, _ in state.opened]
    for number in range(len(opened) + 1):
        first = set(opened[:number])
        if opened[number:] == [position for position in played if position not in first]:
            break
    return frozenset(card.index for _, card in state.opened[:number])


def play_likelihood(moment: Moment, worlds: Worlds, net: Net, weighing: Weighing) -> Floats:
    """``[N]``: the logarithm of the chance of all that the others chose in the play, in each world."""
    hands = moment.hands(worlds)
    total = np.zeros(len(worlds))
    observed: list[Observation] = []
    legal: list[NDArray[np.bool_]] = []
    rows: list[NDArray[np.intp]] = []
    actions: list[NDArray[np.intp]] = []
    for choice in choices_of(moment):
        place = choice.move.place
        own = hands[:, place] + choice.later[place]
        offered = legal_actions(own, np.full(len(own), choice.play.called, np.intp))
        free = np.flatnonzero(offered.sum(axis=1) > 1)
        if len(free):
            observed.append(seen_then(choice, own[free]))
            legal.append(offered[free])
            rows.append(free)
            actions.append(np.full(len(free), choice.move.action, np.intp))
    if observed:
        offered = np.concatenate(legal)
        values = net.values(_together(observed), offered)
        chances = weighing.chances(values, offered, np.concatenate(actions))
        np.add.at(total, np.concatenate(rows), np.log(chances))
    return total


def bid_log_likelihood(
    view: SeatView, worlds: Worlds, seats: Sequence[int], bids: BidLikelihood, generator: np.random.Generator
) -> Floats:
    """``[N]``: the logarithm of how likely the bids of ``seats`` are, in each world; up to a constant.

    Which cards of a class a seat was dealt is drawn once for each world.
    """
    state = view.state
    faces = state.faces()
    total = np.zeros(len(worlds))
    masks = deal_cards(view, worlds, generator)
    for other, seat in enumerate(seats):
        open_ = sum(BITS[faces[position].index] for position in state.dealt[seat] if position in faces)
        likely = np.array(bids(view, seat, [mask | open_ for mask in masks[:, other].tolist()]))
        total += np.log(np.maximum(likely, _LEAST))
    return total


def resampled(weights: Floats, number: int, generator: np.random.Generator) -> tuple[NDArray[np.intp], Floats]:
    """Draws ``number`` worlds by their weights, evenly spread (systematic resampling, Carpenter et al. 1999).

    Returns:
        The worlds drawn, each once, and their shares.
    """
    ends = np.cumsum(weights)
    aims = (np.arange(number) + generator.random()) * (ends[-1] / number)
    drawn = np.minimum(np.searchsorted(ends, aims, side="right"), np.flatnonzero(weights)[-1])
    found, times = np.unique(drawn, return_counts=True)
    return found, times / number


def seen_then(choice: Choice, own: Counts) -> Observation:
    """What the opponent knew, in worlds in which he held ``own`` (``[N, 13]``)."""
    play, place, size = choice.play, choice.move.place, len(own)
    others = [(place + step) % play.seats for step in range(1, play.seats)]
    known = choice.known[others]
    open_ = np.array(numbers_of(play.played)[1:], np.int8) + known.sum(axis=0, dtype=np.int8)

    def all_of(value: object) -> NDArray[np.intp]:
        array = np.asarray(value, np.intp)
        return np.broadcast_to(array, (size, *array.shape))

    return Observation(
        own=own,
        unseen=FULL_DECK - open_ - own,
        left=all_of([play.left[other] for other in others]),
        known=np.broadcast_to(known, (size, *known.shape)),
        sans=all_of([play.sans[other] for other in others]),
        called=all_of(play.called),
        last=all_of((play.last - place) % play.seats if play.called else NOBODY),
        due=np.full(size, play.due),
        fortuitous=np.full(size, play.fortuitous),
    )


def _together(parts: list[Observation]) -> Observation:
    columns = zip(*([getattr(part, name) for name in Observation.__slots__] for part in parts), strict=True)
    return Observation(*(np.concatenate(column) for column in columns))
