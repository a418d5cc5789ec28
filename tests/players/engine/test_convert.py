from __future__ import annotations

from random import Random

import pytest

from hocp2p.errors import RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Announce, Claim, Held, Play, Sans, Show, Stake
from hocp2p.game.cards import DECK
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase
from hocp2p.players.engine import codes
from hocp2p.players.engine.coding import decode_action, decode_move, encode_action, encode_move
from hocp2p.players.engine.convert import (
    by_place,
    by_seat,
    deal_of,
    hand_of,
    hands_of,
    hidden_cards,
    known_in_hand,
    place_of,
    seat_of,
)
from hocp2p.players.engine.masks import CLASS_OF, DECK_MASK, HOC, cards_of, mask_of
from hocp2p.players.engine.play import SANS
from tests.players.engine.compare import Setting, choose
from tests.support.table_sim import Deck, cards, dealt, ending, view_of


def hidden_of(deck: Deck, hands: tuple[tuple[int, ...], ...], seen: set[int]) -> list[int]:
    return [mask_of(deck[position] for position in hand if position not in seen) for hand in hands]


@pytest.mark.parametrize("seats", [2, 3])
def test_places_are_counted_from_eldest(seats: int) -> None:
    for dealer in range(seats):
        state, _ = game_rules.start_deal(Rules(), seats, dealer, [100] * seats, (0, 0, 0), frozenset())
        assert [seat_of(state, place) for place in range(seats)] == list(state.turn_order)
        assert [place_of(state, seat) for seat in state.turn_order] == list(range(seats))
        assert by_place(state, by_seat(state, "abc"[:seats])) == list("abc"[:seats])


def test_what_is_hidden_from_a_view() -> None:
    """Own cards, and cards that were shown, are not; those are known in the hand that showed them until played."""
    state, deck = ending(["4S 5S KH", "7D 9D", "8C"], turn=0)
    seen = state.faces()
    view = view_of(state, 0, deck)
    hidden = hidden_cards(view)
    assert hand_of(view) == mask_of(cards("4S 5S KH"))
    assert hidden == DECK_MASK & ~mask_of([*view.own.values(), *seen.values()])
    assert mask_of(cards("7D 9D 8C")) & hidden == mask_of(cards("7D 9D 8C"))
    assert known_in_hand(state, 1) == 0


def test_shown_cards_need_no_guess() -> None:
    """Seat 0 shows a run: the others' assignments are of what is not open."""
    state, deck = dealt(["7S 8S 9S", "", ""])
    view = view_of(state, 0, deck)
    run = tuple(position for position in state.dealt[0] if deck[position] in cards("7S 8S 9S"))
    opened = tuple((position, deck[position]) for position in run)
    state = type(state)(**{name: getattr(state, name) for name in state.__slots__} | {"opened": opened})
    assert known_in_hand(state, 0) == mask_of(cards("7S 8S 9S"))
    view = view_of(state, 1, deck)
    hidden = hidden_of(deck, state.hands, set(run))
    assert hands_of(view, hidden) == [mask_of(deck[p] for p in state.hands[seat]) for seat in state.turn_order]


@pytest.mark.parametrize("worlds", [[0, 0, 0], [0, (1 << 12) - 1, (1 << 12) - 1], [0, (1 << 13) - 1, 0]])
def test_wrong_assignments_are_refused(worlds: list[int]) -> None:
    state, deck = dealt(["KC KD KH", "", ""])
    with pytest.raises(RuleError) as caught:
        deal_of(view_of(state, 0, deck), worlds)
    assert caught.value.code == "bad-hands"


def test_a_deal_that_is_over_is_none() -> None:
    state, deck = ending(["4S", "7D", "8C"])
    state, _ = game_rules.apply(state, 0, Play(state.hands[0][0], deck[state.hands[0][0]]))
    assert state.phase is Phase.OVER
    with pytest.raises(RuleError) as caught:
        deal_of(view_of(state, 0, deck), hidden_of(deck, state.hands, set(state.faces())))
    assert caught.value.code == "not-your-turn"


def test_a_class_becomes_a_card_in_hand() -> None:
    for seed in range(20):
        setting = Setting.drawn(Random(seed))
        state = setting.start()
        while state.phase is not Phase.PLAY and state.turn is not None:
            first = game_rules.legal_actions(setting.view(state, state.turn))[0]  # pass, so that the play begins
            state, _ = game_rules.apply(state, state.turn, first)
        while state.turn is not None:
            view = setting.view(state, state.turn)
            play = deal_of(view, setting.hidden(state)).play
            assert play is not None
            legal = game_rules.legal_actions(view)
            assert {encode_move(action) for action in legal} == set(play.legal())
            for move in play.legal():
                action = decode_move(view, move)
                assert action in legal
                assert encode_move(action) == move
            state, _ = game_rules.apply(state, state.turn, decode_move(view, play.legal()[0]))


def test_what_cannot_be_decoded_is_refused() -> None:
    state, deck = ending(["4S 5S", "7D", "8C"])
    view = view_of(state, 0, deck)
    for move in (SANS, HOC, 6):
        with pytest.raises(RuleError):
            decode_move(view, move)
    for code in (codes.SANS, codes.DECLARE, mask_of(cards("7D")).bit_length() - 1):
        with pytest.raises(RuleError):
            decode_action(view, code)


def test_a_part_of_a_run_has_no_number() -> None:
    state, deck = dealt(["7S 8S 9S TS", "", ""])
    deal = deal_of(view_of(state, 0, deck), hidden_of(deck, state.hands, set()))
    deal.stakes.stake = Stake.SEQUENCE
    whole = Show(tuple(held for held in showing(deck, "7S 8S 9S TS")))
    assert encode_action(deal, whole) == codes.SHOW + 1
    with pytest.raises(RuleError) as caught:
        encode_action(deal, Show(showing(deck, "7S 8S 9S")))
    assert caught.value.code == "not-offered"


def showing(deck: Deck, text: str) -> tuple[Held, ...]:
    return tuple(Held(deck.index(card), card) for card in cards(text))


@pytest.mark.parametrize("action", [Announce(Claim(3, 7)), Show(())])
def test_only_moves_are_moves(action: Action) -> None:
    with pytest.raises(RuleError):
        encode_move(action)
    assert encode_move(Sans(4)) == SANS
    assert [encode_move(Play(0, card)) for card in DECK] == list(CLASS_OF)
    assert len(cards_of(DECK_MASK)) == len(DECK)


def test_another_world_needs_no_second_conversion() -> None:
    """At every moment: the state with other hidden cards is the one that a conversion with them gives."""
    moments = 0
    for seed in range(12):
        rng = Random(seed)
        setting = Setting.drawn(rng)
        state, deal = setting.start(), setting.start_engine()
        while state.turn is not None:
            view = setting.view(state, state.turn)
            pool = [card for card in DECK if mask_of([card]) & hidden_cards(view)]
            rng.shuffle(pool)
            world = [mask_of(pool.pop() for _ in cards_of(mask)) for mask in setting.hidden(state)]
            there = deal_of(view, setting.hidden(state)).with_hands(hands_of(view, world))
            direct = deal_of(view, world)
            assert there.hands == direct.hands
            while direct.turn >= 0:
                legal = direct.legal()
                assert (there.turn, there.phase, there.legal()) == (direct.turn, direct.phase, legal)
                action = choose(rng, direct, legal)
                direct.apply(action)
                there.apply(action)
            assert there.settle() == direct.settle()
            moments += 1
            code = choose(rng, deal, deal.legal())
            state, _ = game_rules.apply(state, state.turn, decode_action(view, code))
            deal.apply(code)
    assert moments > 300
