"""Both hands lying open ("double dummy"), as nobody at a table sees them: what exact play of two tells about levels.

:class:`Judge` tells what a decision loses against the best one: the best of players regrets, too. :class:`Clairvoyant`
plays so itself, and bounds what can be won in the play at all. See ``hocp2p.players.search.exact``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action, Play, Sans
from hocp2p.game.cards import Card
from hocp2p.game.house import Rules
from hocp2p.game.state import DealState, Phase, SeatView
from hocp2p.players.engine import play as engine
from hocp2p.players.engine.convert import deal_of_state
from hocp2p.players.engine.masks import CLASS_OF, mask_of
from hocp2p.players.levels import make_player
from hocp2p.players.player import Rng
from hocp2p.players.search.exact import Solver

MOST_NODES: Final = 1_000_000
"""A decision that takes more is not judged: some seconds and 200 MB. Those are first leads, a few of a hundred."""


BIDDER: Final = "club"


class Judge:
    """Judges the decisions of one deck, however often it is played; it remembers what it has solved.

    Args:
        rules: the house rules.
        seats: must be 2.
        most_nodes: positions that are opened for one decision; ``MOST_NODES`` if None.

    Raises:
        LocalError: ``bad-contest``: three do not play against each other alone.
    """

    def __init__(self, rules: Rules, seats: int, most_nodes: int | None = None) -> None:
        self._solver = make_solver(rules, seats, MOST_NODES if most_nodes is None else most_nodes)

    def regrets(self, state: DealState, deck: Sequence[Card], action: Action) -> tuple[int | None, ...]:
        """What an action loses in jetons; None when that takes too long to solve.

        Args:
            state: before it.
            deck: all faces, by position.
            action: of the seat whose turn it is.

        Returns:
            One figure; none where there was no choice, outside the play, and for *hold*, which has its price.
        """
        play = _open_play(state, deck)
        if play is None or len(_choices(play)) < 2 or not isinstance(action, Play | Sans):
            return ()
        chosen = CLASS_OF[action.card.index] if isinstance(action, Play) else engine.SANS
        best = self._solver.best(play)
        if best is None:
            return (None,)
        if chosen == best[0]:
            return (0,)
        value = self._solver.value(play, chosen)
        return (None if value is None else best[1] - value,)


class Clairvoyant:
    """No player for a table: in the play it sees both hands, and plays as if the other did, too.

    Args:
        rng: for what it says in the auctions, where it bids as ``BIDDER`` and sees no more than others do.
        deck: all faces, by position.
        solver: see :func:`make_solver`; best shared by all that play this deck.
    """

    def __init__(self, rng: Rng, deck: Sequence[Card], solver: Solver) -> None:
        self._bidder = make_player(BIDDER, rng)
        self._deck = deck
        self._solver = solver

    def decide(self, view: SeatView) -> Action:
        """A legal action."""
        play = _open_play(view.state, self._deck)
        if play is None:
            return self._bidder.decide(view)
        from hocp2p.players.net.policy import action_of  # it brings numpy, which novices do without

        move, *others = _choices(play)
        best = self._solver.best(play) if others else None
        return action_of(view, best[0] if best is not None else move)


def make_solver(rules: Rules, seats: int, most_nodes: int | None = None) -> Solver:
    """A solver for a contest of two; arguments and errors as of :class:`Judge`, None: no decision is given up."""
    if seats != 2:
        raise LocalError("bad-contest", "with open cards two can be reckoned with, not three")
    return Solver(fortuitous=rules.fortuitous == "paid", most_nodes=most_nodes)


def _open_play(state: DealState, deck: Sequence[Card]) -> engine.Play | None:
    """The play with both hands, if the deal has come to it."""
    if state.phase is not Phase.PLAY:
        return None
    hands = [mask_of(deck[position] for position in state.hands[seat]) for seat in state.turn_order]
    return deal_of_state(state, hands).play


def _choices(play: engine.Play) -> list[int]:
    return [legal for legal in play.legal() if legal != engine.HOLD]
