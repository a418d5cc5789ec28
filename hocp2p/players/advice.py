"""What a good-natured expert at our shoulder says: an action and why, from the seat's own view alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action, Stake
from hocp2p.game.rules import legal_actions
from hocp2p.game.state import Phase, SeatView
from hocp2p.players.novice import Novice
from hocp2p.players.player import Rng
from hocp2p.players.reasons import Reason
from hocp2p.players.shedding import choose_play
from hocp2p.players.why_play import why_play
from hocp2p.players.why_stakes import why_announce, why_answer, why_bid, why_show

MOST_REASONS = 2


@dataclass(frozen=True, slots=True)
class Advice:
    """An action for the seat whose turn it is.

    Args:
        action: one of ``rules.legal_actions``; never a card held back, and in a showdown never a lie.
        reasons: one or two, the weightier first; every one is true as far as the seat can know.
        stake: what is being decided, while a stake is.
    """

    action: Action
    reasons: tuple[Reason, ...]
    stake: Stake | None


def advise(view: SeatView, rng: Rng) -> Advice:
    """What the novice would do, except that fixed hocs are kept (see ``shedding.choose_play``).

    A bluff, or a class that is not held, is advised as seldom as the novice tries it, and named as what it is.

    Args:
        view: of the seat whose turn it is.
        rng: used in auctions only; the same view and generator give the same advice.

    Raises LocalError ``not-your-turn`` where nothing is to be decided.
    """
    legal = legal_actions(view)
    if not legal:
        raise LocalError("not-your-turn", "There is nothing to advise: it is not your turn.")
    action = _choose(view, legal, rng)
    return Advice(action, _why(view, action)[:MOST_REASONS], view.state.stake)


def _choose(view: SeatView, legal: Sequence[Action], rng: Rng) -> Action:
    play = view.state.play
    if play is not None and view.state.phase is Phase.PLAY:
        return choose_play(view, play, legal, keeps_hocs=True)
    return Novice(rng).decide(view)


def _why(view: SeatView, action: Action) -> tuple[Reason, ...]:
    """Every reason that speaks for it, the weightiest first."""
    match view.state.phase:
        case Phase.AUCTION:
            return why_bid(view, action)
        case Phase.SHOWDOWN:
            return why_announce(view, action)
        case Phase.SHOW:
            return why_show(view, action)
        case Phase.BLANCHE:
            return why_answer(view)
        case _:
            return why_play(view, action)
