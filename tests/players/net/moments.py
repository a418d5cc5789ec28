"""Moments of real plays, by the rules, for the tests of the net."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from hocp2p.game import rules as game_rules
from hocp2p.game.house import Rules
from hocp2p.game.state import DealState, Phase, SeatView
from hocp2p.players.engine.batch import Batch
from hocp2p.players.engine.convert import by_place, deal_of, known_in_hand
from hocp2p.players.engine.masks import count_of, numbers_of
from hocp2p.players.novice import Novice
from tests.support.table_sim import Deck, act, shuffled, view_of


def moments(seats: int, deals: int, seed: int, rules: Rules | None = None) -> Iterator[tuple[SeatView, Deck]]:
    """Every decision in the play of some deals in which novices bid and show, and play at random half of the time."""
    for deal in range(deals):
        rng = Random(f"{seed} {deal}")
        deck = shuffled(rng)
        players = [Novice(rng) for _ in range(seats)]
        state, _ = game_rules.start_deal(rules or Rules(), seats, seats - 1, [100] * seats, (0, 0, 0), frozenset())
        while state.turn is not None:
            view = view_of(state, state.turn, deck)
            action = players[state.turn].decide(view)
            if state.phase is Phase.PLAY:
                yield view, deck
                if rng.random() < 0.5:
                    action = rng.choice(game_rules.legal_actions(view))
            state = act(state, state.turn, action, deck)


def hidden(state: DealState, deck: Deck) -> list[int]:
    """By seat, the true cards that nobody has seen, as masks."""
    faces = state.faces()
    return [sum(1 << deck[p].index for p in hand if p not in faces) for hand in state.hands]


def batch_at(view: SeatView, deck: Deck) -> Batch:
    """The moment as a batch of one game."""
    state = view.state
    play = deal_of(view, hidden(state, deck)).play
    assert play is not None
    counts = np.array([[numbers_of(hand)[1:] for hand in play.hands]])
    masks = by_place(state, [known_in_hand(state, seat) for seat in range(state.seats)])
    return Batch.of(play, counts, np.array([numbers_of(count_of(mask))[1:] for mask in masks]))
