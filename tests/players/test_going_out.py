from __future__ import annotations

from random import Random

from hocp2p.game.cards import DECK
from hocp2p.players.going_out import GoingOut, without
from hocp2p.players.hand import Hand
from tests.support.advice_truth import goes_out
from tests.support.table_sim import cards


def test_against_trying_every_card() -> None:
    """Also that the estimate is a bound, and how often it is too high."""
    rng = Random(1)
    found, too_high = [0, 0], 0
    for _ in range(1000):
        held = rng.sample([card for card in DECK if card.is_hoc or card.rank < 6], rng.randrange(1, 8))
        blocked = frozenset(rank for rank in range(1, 14) if rng.random() < 0.5)
        called = rng.choice([None, *range(2, 8)])
        hand = Hand.of(held)
        sure = GoingOut(blocked).from_here(hand, called)
        playable = frozenset(range(1, 14)) - blocked
        assert sure == goes_out(frozenset(held), called, playable)
        found[sure] += 1
        if called is None:
            assert hand.goes_out_leading(blocked) >= sure
            too_high += hand.goes_out_leading(blocked) > sure
    assert min(found) > 100
    assert too_high > 0


def test_a_rank_that_is_held_has_to_be_played() -> None:
    ways = GoingOut({3})
    assert ways.from_here(Hand.of(cards("2S 2H")), None)
    assert not ways.from_here(Hand.of(cards("2S 2H 3D")), None)
    assert ways.from_here(Hand.of(cards("2S 2H 3D KS")), None)


def test_without() -> None:
    assert without(Hand.of(cards("2S 2H KS")), 2) == Hand.of(cards("2S KS"))
