from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest

from hocp2p.errors import LocalError, RuleError
from hocp2p.game.actions import Action, Good, Pass, Play, Stake
from hocp2p.game.deal_record import DealRecord, decode_deal
from hocp2p.game.house import Rules
from hocp2p.game.replay import replay
from hocp2p.game.state import SeatView
from hocp2p.players.novice import Novice
from hocp2p.players.player import Player, Rng
from hocp2p.session import arena
from hocp2p.session.arena import CHUNK, TIMED, Block, Contest, play_block, play_blocks, play_side_by_side, seatings

NOVICE_RANDOM = Contest(("novice", "random"), seed=3)


def records(block: Block) -> list[DealRecord]:
    return [decode_deal(deal.line) for cast in block for deal in cast]


def without_times(block: Block) -> list[tuple[object, ...]]:
    return [(deal.levels, deal.stakes, deal.play, deal.line) for cast in block for deal in cast]


@pytest.mark.parametrize("levels", [("novice",), ("novice", "novice"), ("novice",) * 3, ("random", "novice") * 2, ()])
def test_a_contest_is_between_two_or_three_levels(levels: tuple[str, ...]) -> None:
    with pytest.raises(LocalError) as caught:
        Contest(levels, seed=1)
    assert caught.value.code == "bad-contest"


@pytest.mark.parametrize(
    ("levels", "casts", "deals"),
    [
        (("a", "b"), [("a", "b")], 2),
        (("a", "b", "c"), [("a", "b", "c")], 6),
        (("a", "b", "b"), [("a", "b", "b"), ("b", "a", "a")], 6),
        (("b", "a", "b"), [("a", "b", "b"), ("b", "a", "a")], 6),
    ],
)
def test_casts_and_seatings(levels: tuple[str, ...], casts: list[tuple[str, ...]], deals: int) -> None:
    """Every level sits in every seat of its cast equally often."""
    contest = Contest(levels, seed=1)
    assert list(contest.casts) == casts
    assert sum(len(seatings(cast)) for cast in casts) == deals
    for cast in casts:
        rows = seatings(cast)
        for column in zip(*rows, strict=True):
            assert {name: column.count(name) * len(cast) for name in cast} == {
                name: len(rows) * cast.count(name) for name in cast
            }


@pytest.mark.parametrize("levels", [("novice", "random"), ("random", "novice", "novice")])
def test_a_block_is_one_deal_from_every_seat(levels: tuple[str, ...]) -> None:
    contest = Contest(levels, seed=3)
    for number in range(3):
        block = play_block(contest, number, recorded=True)
        told = records(block)
        first = told[0]
        for record in told:
            assert (record.hands, record.talon, record.carry) == (first.hands, first.talon, first.carry)
            assert (record.dealer, record.doubled) == (len(levels) - 1, first.doubled)
            replay(record)  # and so every figure of it
        assert [tuple(deal.levels for deal in cast) for cast in block] == [seatings(cast) for cast in contest.casts]
    assert records(play_block(contest, 0, recorded=True))[0].hands != first.hands


def test_scores_are_those_of_the_record() -> None:
    """Pay by source, with the pools shared; both phases sum to zero."""
    for number in range(30):
        for deal in play_block(Contest(("novice", "random", "random"), seed=8), number, recorded=True)[0]:
            record = decode_deal(deal.line)
            share = (sum(record.carry_after) - sum(record.carry)) / 3
            for seat in range(3):
                assert deal.play[seat] == record.pay["hocs"][seat] + record.pay["cards"][seat]
                assert deal.stakes[seat] + deal.play[seat] == pytest.approx(record.net[seat] + share)
            assert sum(deal.stakes) == pytest.approx(0)
            assert sum(deal.play) == 0


def test_fines_for_holding_back_belong_to_the_play() -> None:
    rules = Rules().with_text("hold_back", "fined")
    fined = 0
    for number in range(20):
        for deal in play_block(Contest(("novice", "random"), seed=2, rules=rules), number, recorded=True)[0]:
            record = decode_deal(deal.line)
            held_back = [sum(line.startswith(f"{seat} hold ") for line in record.actions) for seat in range(2)]
            fined += sum(held_back)
            for seat in range(2):
                owed = 5 * (sum(held_back) / 2 - held_back[seat])
                assert deal.play[seat] == record.pay["hocs"][seat] + record.pay["cards"][seat] + owed
    assert fined > 5


@pytest.mark.parametrize(("double", "doubled"), [("per_stake", {0, 1, 2, 3}), ("all_three", {0, 3}), ("never", {0})])
def test_carried_pools_and_doubled_stakes(double: str, doubled: set[int]) -> None:
    """They occur, fit the house rule, and are carried whatever it is."""
    contest = Contest(("novice", "random"), seed=1, rules=Rules().with_text("double", double))
    seen = set()
    carried = 0
    for number in range(80):
        record = records(play_block(contest, number, recorded=True))[0]
        seen.add(len(record.doubled))
        carried += any(record.carry)
        for stake in Stake:
            assert record.carry[stake] in (0, 2)
            assert stake not in record.doubled or record.carry[stake]
    assert seen <= doubled
    assert len(seen) >= min(2, len(doubled))
    assert 5 < carried < 60


def test_the_same_seed_gives_the_same_blocks_and_another_seed_others() -> None:
    first = [without_times(block) for block in play_blocks(NOVICE_RANDOM, 5, recorded=True)]
    assert first == [without_times(block) for block in play_blocks(NOVICE_RANDOM, 5, recorded=True)]
    assert first[3] == without_times(play_block(NOVICE_RANDOM, 3, recorded=True))  # a block needs no other
    other = Contest(NOVICE_RANDOM.levels, seed=4)
    assert first[0] != without_times(play_block(other, 0, recorded=True))


def test_processes_make_no_difference() -> None:
    alone = [without_times(block) for block in play_blocks(NOVICE_RANDOM, 5, recorded=True)]
    together = [without_times(block) for block in play_blocks(NOVICE_RANDOM, 5, jobs=2, recorded=True)]
    assert together == alone


def test_processes_make_no_difference_to_bots_that_search_side_by_side() -> None:
    contest = Contest(("master", "novice"), seed=2)
    blocks = CHUNK + 2
    alone = [without_times(block) for block in play_blocks(contest, blocks, recorded=True)]
    assert alone == [without_times(block) for block in play_blocks(contest, blocks, jobs=2, recorded=True)]


@pytest.mark.parametrize("levels", [("master", "club"), ("novice", "master", "master")])
def test_deals_side_by_side_are_those_that_are_played_alone(levels: tuple[str, ...]) -> None:
    contest = Contest(levels, seed=5)
    together = play_side_by_side(contest, [3, 1], recorded=True)
    assert [without_times(block) for block in together] == [
        without_times(play_block(contest, number, recorded=True)) for number in (3, 1)
    ]


def test_an_error_in_another_process_is_told_here() -> None:
    with pytest.raises(LocalError) as caught:
        list(play_blocks(Contest(("novice", "grandmaster"), seed=1), 4, jobs=2))
    assert caught.value.code == "unknown-level"


def with_player(monkeypatch: pytest.MonkeyPatch, make: Callable[[Rng], Player]) -> list[Rng]:
    """``random`` is played by another, and the generators of all bots are kept."""
    given: list[Rng] = []

    def maker(level: str, rng: Rng) -> Player:
        given.append(rng)
        return make(rng) if level == "random" else Novice(rng)

    monkeypatch.setattr(arena, "make_player", maker)
    return given


def test_every_bot_of_every_deal_is_new_and_has_its_own_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    given = with_player(monkeypatch, Novice)
    list(play_blocks(Contest(("novice", "random", "random"), seed=1), 3))
    assert len(given) == 3 * 6 * 3
    draws = set()
    for rng in given:
        assert isinstance(rng, Random)
        draws.add(rng.getstate())
    assert len(draws) == len(given)


class Cheat:
    """Plays a card that is not called, or says what nobody offers."""

    def __init__(self, _rng: Rng) -> None:
        pass

    def decide(self, view: SeatView) -> Action:
        if view.state.auction is not None:
            return Good() if view.state.auction.opened else Pass()
        position = view.state.hands[view.seat][0]
        return Play(position, view.own[position])


def test_a_bot_that_does_what_it_may_not_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    with_player(monkeypatch, Cheat)
    with pytest.raises(RuleError) as caught:
        list(play_blocks(NOVICE_RANDOM, 3))
    assert caught.value.code == "not-offered"
    assert caught.value.message.startswith("random may not do this: ")


def test_lines_are_written_only_when_asked_for() -> None:
    assert all(deal.line == "" for cast in play_block(NOVICE_RANDOM, 0) for deal in cast)
    for cast in play_block(NOVICE_RANDOM, 0, recorded=True):
        for deal in cast:
            assert set(json.loads(deal.line)) >= {"rules", "hands", "actions", "pay", "net", "carry_after"}


def test_decisions_are_timed() -> None:
    for cast in play_block(NOVICE_RANDOM, 0, recorded=True):
        for deal in cast:
            told = decode_deal(deal.line).actions
            assert [len(taken) for taken in deal.decided_s] == [
                sum(line.startswith(f"{seat} ") for line in told) for seat in range(2)
            ]
            assert min(map(min, deal.decided_s)) >= 0


def test_blocks_beside_others_are_not_timed() -> None:
    """A bot would be charged with what the others think."""
    timed = [
        {len(taken) > 0 for cast in block for deal in cast for taken in deal.decided_s}
        for block in play_blocks(NOVICE_RANDOM, TIMED + 2)
    ]
    assert timed == [{number % TIMED == 0} for number in range(TIMED + 2)]
