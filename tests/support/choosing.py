"""A player that does everything that the rules let through, seeded: for whole deals at random."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from hocp2p.errors import RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Announce, Claim, Good, Hold
from hocp2p.game.cards import Card
from hocp2p.game.state import DealState, Phase, SeatView
from tests.support.deals import Choose, view_of


def choose_wildly(rng: random.Random) -> Choose:
    """Picks a kind of action, then one of that kind; now and then announces what it has not, or holds back."""

    def choose(view: SeatView, legal: Sequence[Action]) -> Action:
        if rng.random() < 0.1:
            wild: list[Action] = [Announce(Claim(rng.randint(1, 5), rng.randint(1, 40))), Good()]
            if view.state.play is not None and view.state.play.called is not None:
                wild.append(Hold(view.state.play.called))
            allowed = [action for action in wild if _is_let_through(view, action)]
            if allowed:
                return rng.choice(allowed)
        kind = rng.choice(sorted({type(action).__name__ for action in legal}))
        return rng.choice([action for action in legal if type(action).__name__ == kind])

    return choose


def play_wildly(
    state: DealState, faces: Mapping[int, Card], rng: random.Random, leaving: float = 0.0
) -> tuple[DealState, list[tuple[int, Action]], list[tuple[int, int]]]:
    """Plays a deal to its end.

    Args:
        leaving: chance before every action that some seat is lost, as long as two are left.

    Returns:
        the last state, the actions with their seats, the losses as (seat, actions before).
    """
    choose = choose_wildly(rng)
    actions: list[tuple[int, Action]] = []
    gone: list[tuple[int, int]] = []
    while state.phase is not Phase.OVER:
        if rng.random() < leaving and len(state.present) > 1:
            seat = rng.choice(state.present)
            gone.append((seat, len(actions)))
            state, _ = game_rules.leave(state, seat)
            continue
        turn = state.turn
        assert turn is not None
        view = view_of(state, dict(faces), turn)
        action = choose(view, game_rules.legal_actions(view))
        actions.append((turn, action))
        state, _ = game_rules.apply(state, turn, action)
    return state, actions, gone


def _is_let_through(view: SeatView, action: Action) -> bool:
    try:
        game_rules.verify_action(view.state, view.seat, action)
    except RuleError:
        return False
    return True
