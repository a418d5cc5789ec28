from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from hocp2p.errors import LocalError
from hocp2p.game import actions
from hocp2p.game.actions import Action
from hocp2p.game.cards import DECK, DECK_SIZE, Card
from hocp2p.game.house import Rules
from hocp2p.game.rules import apply, legal_actions, outcome, start_deal
from hocp2p.game.state import DealState, Phase, SeatView
from hocp2p.players.levels import make_player
from hocp2p.session import arena, arena_open
from hocp2p.session.arena import Block, Contest, play_block, play_blocks
from hocp2p.session.arena_open import Clairvoyant, Judge, make_solver

FEW = 7
"""Cards left in both hands, so that all that may come can be played through by the rules."""
CONTEST = Contest(("novice", "random"), seed=1)


def net_of_best(state: DealState, deck: Sequence[Card]) -> tuple[int, ...]:
    """By seat, the result of a deal that goes on with open cards: each does what is best for itself."""
    if state.turn is None:
        return outcome(state).net
    seat = state.turn
    return max((net_after(state, deck, action) for action in choices(state, deck)), key=lambda net: net[seat])


def net_after(state: DealState, deck: Sequence[Card], action: Action) -> tuple[int, ...]:
    assert state.turn is not None
    return net_of_best(apply(state, state.turn, action)[0], deck)


def choices(state: DealState, deck: Sequence[Card]) -> list[Action]:
    """What costs no fine; of cards that are alike in the play, one."""
    assert state.turn is not None
    view = SeatView(state, state.turn, {position: deck[position] for position in state.dealt[state.turn]})
    found: dict[object, Action] = {}
    for action in legal_actions(view):
        if isinstance(action, actions.Play):
            found["hoc" if action.card.is_hoc else action.card.rank] = action
        elif not isinstance(action, actions.Hold):
            found["sans"] = action
    return list(found.values())


class Spy(Judge):
    """Remembers what it was asked."""

    asked: list[tuple[DealState, Sequence[Card], Action, tuple[int | None, ...]]]

    def regrets(self, state: DealState, deck: Sequence[Card], action: Action) -> tuple[int | None, ...]:
        found = super().regrets(state, deck, action)
        self.asked.append((state, deck, action, found))
        return found


@pytest.mark.parametrize("fortuitous", ["paid", "unpaid"])
def test_regret_is_what_the_rules_say(monkeypatch: pytest.MonkeyPatch, fortuitous: str) -> None:
    """Near the end of deals, against all that can come, by the rules of the game."""
    rules = Rules().with_text("fortuitous", fortuitous).with_text("hold_back", "fined")
    Spy.asked = []
    monkeypatch.setattr(arena, "Judge", Spy)
    monkeypatch.setattr(arena_open, "MOST_NODES", 100)
    for number in range(5):
        play_block(Contest(CONTEST.levels, 1, rules), number, judged=True)
    compared = []
    for state, deck, action, found in Spy.asked:
        if state.phase is not Phase.PLAY or sum(map(len, state.hands)) > FEW or isinstance(action, actions.Hold):
            continue
        seat = state.turn
        assert seat is not None
        lost = net_of_best(state, deck)[seat] - net_after(state, deck, action)[seat]
        if len(choices(state, deck)) == 1:
            assert found == ()
        elif found != (None,):
            assert found == (lost,)
            compared.append(lost)
    assert len(compared) > 10
    assert 0 in compared
    assert max(compared) > 0


def without_times(block: Block) -> list[tuple[object, ...]]:
    return [(deal.levels, deal.stakes, deal.play, deal.regrets) for cast in block for deal in cast]


def test_judging_changes_nothing_and_is_the_same_in_any_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_open, "MOST_NODES", 200)
    for block, judged in zip(play_blocks(CONTEST, 2), play_blocks(CONTEST, 2, judged=True), strict=True):
        assert [each[:3] for each in without_times(block)] == [each[:3] for each in without_times(judged)]
        assert all(deal.regrets == () for cast in block for deal in cast)
        assert all(len(deal.regrets) == 2 for cast in judged for deal in cast)


def test_what_takes_too_long_is_not_judged() -> None:
    Spy.asked = []
    judge = Spy(Rules(), 2, most_nodes=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arena, "Judge", lambda *_: judge)
        block = play_block(CONTEST, 0, judged=True)
    assert None in block[0][0].regrets[0]
    assert all(found == () for state, _, _, found in Spy.asked if state.phase is not Phase.PLAY)


def test_three_are_not_judged() -> None:
    with pytest.raises(LocalError) as caught:
        play_block(Contest(("novice", "random", "random"), seed=1), 0, judged=True)
    assert caught.value.code == "bad-contest"


def test_a_clairvoyant_regrets_nothing_and_wins_the_play() -> None:
    contest = Contest(("clairvoyant", "novice"), seed=1)
    regrets: list[int | None] = []
    won = 0.0
    for number in (1, 8):  # decks that are solved in a moment
        for deal in play_block(contest, number, judged=True)[0]:
            seat = deal.levels.index("clairvoyant")
            regrets += deal.regrets[seat]
            won += deal.play[seat]
    assert set(regrets) == {0}
    assert won > 0


def test_a_clairvoyant_bids_like_anybody() -> None:
    """With the same own cards and the same dice it says the same, whatever the other holds."""
    for number in range(20):
        deck = Random(number).sample(DECK, DECK_SIZE)
        state, _ = start_deal(Rules(), 2, 1, (100, 100), (0, 0, 0), frozenset())
        assert state.turn is not None
        own = {position: deck[position] for position in state.dealt[state.turn]}
        view = SeatView(state, state.turn, own)
        others = [position for position in range(DECK_SIZE) if position not in own]
        moved = {**own, **dict(zip(others, (deck[position] for position in reversed(others)), strict=True))}
        said = {
            Clairvoyant(Random(number), cards, make_solver(Rules(), 2)).decide(view)
            for cards in (deck, [moved[position] for position in range(DECK_SIZE)])
        }
        assert said == {make_player("club", Random(number)).decide(view)}


def test_a_clairvoyant_sits_at_tables_of_two() -> None:
    with pytest.raises(LocalError, match="against one, not against two") as caught:
        Contest(("clairvoyant", "novice", "novice"), seed=1)
    assert caught.value.code == "bad-contest"
