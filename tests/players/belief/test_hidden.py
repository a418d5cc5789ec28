from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from hocp2p.errors import RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Hold, Sans
from hocp2p.game.state import DealState, Phase
from hocp2p.players.belief.hidden import CLASSES, Hidden
from hocp2p.players.engine.convert import place_of
from hocp2p.players.engine.masks import HOC, count_of, numbers_of
from tests.players.engine.compare import Setting
from tests.support.table_sim import cards, dealt, ending, view_of


def test_the_classes_of_a_fresh_deal() -> None:
    state, deck = dealt(["KC KD 2S 2H", "", ""])
    hidden = Hidden.from_view(view_of(state, 0, deck))
    assert hidden.seats == (1, 2)
    assert hidden.sizes == (12, 12)
    assert sum(hidden.unseen) == 40
    own = numbers_of(count_of(sum(1 << deck[position].index for position in state.dealt[0])))
    assert [seen + mine for seen, mine in zip(hidden.unseen, own[1:], strict=True)] == [4] * 10 + [3, 3, 6]
    assert hidden.barred == (0, 0)
    assert hidden.known == ((0,) * CLASSES,) * 2


def test_sans_bars_a_rank_for_good_and_never_the_hocs() -> None:
    said: list[frozenset[int]] = [frozenset({8}), frozenset(), frozenset({3, 13})]
    state, deck = ending(["4S 5S KH", "7D 9D", "8C"], turn=0, sans=said)
    assert Hidden.from_view(view_of(state, 0, deck)).barred == (0, 1 << 3)
    assert Hidden.from_view(view_of(state, 1, deck)).barred == (1 << 3, 1 << 8)


def test_a_claim_of_carte_blanche_bars_courts_and_hocs() -> None:
    state, deck = ending(["4S 5S KH", "7D 9D", "8C"], turn=0)
    state = replace(state, blanche=(False, True, False))
    assert Hidden.from_view(view_of(state, 2, deck)).barred == (0, 1 << 11 | 1 << 12 | 1 << HOC)


def test_shown_cards_are_known_until_they_are_played() -> None:
    state, deck = dealt(["7S 8S KS", "", ""])
    shown = tuple((position, deck[position]) for position in state.dealt[0] if deck[position] in cards("7S 8S"))
    hidden = Hidden.from_view(view_of(replace(state, opened=shown), 2, deck))
    assert hidden.seats == (0, 1)
    assert hidden.sizes == (10, 12)
    assert [column + 1 for column, number in enumerate(hidden.known[0]) if number] == [7, 8]
    assert sum(hidden.unseen) == 52 - 12 - 2


def test_more_cards_in_hand_than_are_hidden_are_refused() -> None:
    with pytest.raises(RuleError) as caught:
        Hidden((1,), (3,), (2,) + (0,) * 12, (0,), ((0,) * 13,))
    assert caught.value.code == "bad-hands"


def test_the_truth_always_agrees_with_what_is_known() -> None:
    """At every moment of random deals: nobody holds what is barred to him, and the numbers are right."""
    barred = 0
    for seed in range(25):
        rng = Random(seed)
        setting = Setting.drawn(rng)
        state: DealState = setting.start()
        while state.turn is not None:
            hidden = Hidden.from_view(setting.view(state, state.turn))
            true = setting.hidden(state)
            for seat, size, bars in zip(hidden.seats, hidden.sizes, hidden.barred, strict=True):
                held = numbers_of(count_of(true[seat]))
                assert sum(held) == size, place_of(state, seat)
                assert not any(held[number] for number in range(HOC + 1) if bars >> number & 1)
                barred += bars != 0
            actions = game_rules.legal_actions(setting.view(state, state.turn))
            action = actions[0] if state.phase is Phase.AUCTION else rng.choice(actions)
            if isinstance(action, Hold) and rng.random() < 0.5:
                action = next((other for other in actions if not isinstance(other, Hold | Sans)), action)
            state, _ = game_rules.apply(state, state.turn, action)
    assert barred > 300
