"""Decisions in the play of real deals, and what a search must keep to in each of them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Hold
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase, SeatView
from hocp2p.players.levels import make_player
from hocp2p.players.net.network import Net
from hocp2p.players.player import Rng
from tests.players.test_honesty import with_hidden_cards_permuted
from tests.support.table_sim import Deck, play_deal, shuffled, view_of

Choose = Callable[[SeatView, Rng], Action]


def choices(seed: int, seats: int, rules: Rules | None = None) -> list[tuple[SeatView, Deck]]:
    """The views in which somebody has a choice in the play of a deal between novices, and the deck."""
    deck = shuffled(Random(seed))
    state, _ = game_rules.start_deal(rules or Rules(), seats, seats - 1, [100] * seats, (0, 0, 0), frozenset())
    found: list[tuple[SeatView, Deck]] = []

    def watch(view: SeatView, _action: Action) -> None:
        if view.state.phase is Phase.PLAY and len(game_rules.legal_actions(view)) > 1:
            found.append((view, deck))

    play_deal(state, deck, [make_player("novice", Random(seed + seat)) for seat in range(seats)], watch)
    return found


def verify_decision(choose: Choose, view: SeatView, deck: Deck, seed: int) -> Action:
    """Asserts that a decision is legal, no *hold*, the same for the same seed, and blind to what is hidden."""
    action = choose(view, Random(seed))
    assert action in game_rules.legal_actions(view)
    assert not isinstance(action, Hold)
    other = with_hidden_cards_permuted(deck, view.state, view.seat, Random(seed))
    assert choose(view_of(view.state, view.seat, other), Random(seed)) == action
    return action


def small_net(seats: int) -> Net:
    """A net that has learned nothing, but tells actions apart."""
    generator = np.random.default_rng(seats)
    net = Net.drawn(seats, (16, 8), generator)
    net.last[:] = generator.standard_normal(len(net.last))
    return net
