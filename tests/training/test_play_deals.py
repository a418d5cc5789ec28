from __future__ import annotations

import numpy as np
import pytest

from hocp2p.game.actions import Stake
from hocp2p.game.cards import DECK, Card
from hocp2p.game.combinations import holdings
from hocp2p.game.house import HAND_SIZE
from hocp2p.players.engine.batch import FULL_DECK
from hocp2p.training import play_deals
from hocp2p.training.play_deals import deal_games, shown_cards


def cards(row: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[Card]:
    """The cards of a row by card index."""
    return [DECK[index] for index in np.flatnonzero(row)]


def dealt(seats: int, games: int, seed: int) -> np.ndarray[tuple[int, int, int], np.dtype[np.bool_]]:
    """``[N, P, 52]`` of hands at random."""
    generator = np.random.default_rng(seed)
    held = np.zeros((games, seats, 52), bool)
    order = generator.random((games, 52)).argsort(axis=1)[:, : seats * HAND_SIZE[seats]].reshape(games, seats, -1)
    np.put_along_axis(held, order, True, axis=2)
    return held


@pytest.mark.parametrize("seats", [2, 3])
def test_games_are_dealt_from_one_deck(seats: int) -> None:
    batch = deal_games(seats, 300, np.random.default_rng(1), unpaid=0.5)
    assert (batch.counts.sum(axis=2) == HAND_SIZE[seats]).all()
    assert (batch.counts.sum(axis=1) <= FULL_DECK).all()
    assert (batch.known <= batch.counts).all()
    assert 100 < batch.fortuitous.sum() < 200
    assert 3 < batch.known.sum() / 300 < 8  # about what players by rules of thumb show
    assert batch.counts.mean(axis=0) == pytest.approx(np.tile(FULL_DECK * HAND_SIZE[seats] / 52, (seats, 1)), rel=0.25)


@pytest.mark.parametrize("stake", list(Stake))
def test_the_best_shows_what_he_is_paid_for(stake: Stake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody contests one stake and always shows: against the holdings of the rules."""
    monkeypatch.setattr(play_deals, "SHOWN", {other: float(other is stake) for other in Stake})
    monkeypatch.setattr(play_deals, "CONTESTS", 1.0)
    held = dealt(3, 80, 2)
    shown = shown_cards(held, np.random.default_rng(3))
    some = 0
    for hands, open_ in zip(held, shown, strict=True):
        found = [holdings(stake, cards(hand)) for hand in hands]
        best = max((line[0].claim for line in found if line), default=None)
        winner = next((place for place, line in enumerate(found) if line and line[0].claim == best), None)
        for place, line in enumerate(found):
            paid = line[:1] if stake is Stake.POINT else line
            wanted = {card for holding in paid for card in holding.cards} if place == winner else set()
            if stake is Stake.POINT and len(line) > 1 and line[0].claim == line[1].claim:
                continue  # either of two equal suits
            assert set(cards(open_[place])) == wanted
            some += bool(wanted)
    assert some > 40


def test_not_always_shown() -> None:
    held = dealt(2, 200, 4)
    shown = shown_cards(held, np.random.default_rng(5))
    assert (shown <= held).all()
    assert 0 < (~shown.any(axis=(1, 2))).sum() < 100
