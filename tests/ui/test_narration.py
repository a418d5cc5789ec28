"""Events as lines: what goes into one line, what the prefix says, what is not told twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hocp2p.game.actions import Announce, Claim, Combination, Declare, Go, Good, Hold, Play, Raise, Sans, Show, Stake
from hocp2p.game.cards import Card, parse_card
from hocp2p.game.events import (
    BlancheClaimed,
    Called,
    CardPlayed,
    DealEnded,
    HocSaid,
    Paid,
    PlayOpened,
    RunEnded,
    SansSaid,
    Source,
    StakeClosed,
    StakeEnd,
    StakeOpened,
)
from hocp2p.game.state import SeatView
from hocp2p.table.events import DealStarted, DeckStep, SeatTaken, TableEvent, TalkSaid
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.narration import Narrator, say_card
from tests.support.fake_client import FakeClient


@pytest.fixture
def snapshot() -> TableSnapshot:
    client = FakeClient(seed=5)
    client.ready()
    return client.snapshot


def view_of(snapshot: TableSnapshot) -> SeatView:
    assert snapshot.view is not None
    return snapshot.view


def tell(snapshot: TableSnapshot, *events: TableEvent, narrator: Narrator | None = None) -> list[str]:
    narrator = narrator or Narrator(ascii=True)
    return [line for event in events for line in narrator.tell(event, snapshot)]


def played(seat: int, card: str, as_rank: int | None = None, *, led: bool = False) -> CardPlayed:
    face = parse_card(card)
    return CardPlayed(seat, 0, face, as_rank or face.rank, led, 5)


def test_a_go_is_one_line(snapshot: TableSnapshot) -> None:
    start = (DealStarted(2, 0), PlayOpened(1), RunEnded(2, fortuitous=True))
    go = (HocSaid(2, fortuitous=True), played(2, "AH", led=True), played(2, "2D"), SansSaid(2, 3))
    assert tell(snapshot, *start, *go)[-1] == "deal 2 play run 2: bot 3 ace hearts, 2 diamonds, sans 3"


def test_a_go_ends_with_another_seat_or_event(snapshot: TableSnapshot) -> None:
    lines = tell(
        snapshot,
        DealStarted(1, 0),
        PlayOpened(1),
        played(1, "3S", led=True),
        played(2, "JD", 4),
        HocSaid(2, fortuitous=False),
        Paid(Source.HOCS, 0, 2, 1, "hoc"),
    )
    assert lines[2:] == [
        "deal 1 play run 1: Bruno 3 spades",
        "deal 1 play run 1: bot 3 jack diamonds as 4",
        "deal 1 play run 1: bot 3 says Hoc!",
        "deal 1 play run 1: you pay 1 to bot 3: hoc",
    ]


def test_an_unfinished_go_is_told_when_asked_for(snapshot: TableSnapshot) -> None:
    narrator = Narrator(ascii=True)
    assert tell(snapshot, DealStarted(1, 0), PlayOpened(1), played(1, "3S", led=True), narrator=narrator)[2:] == []
    assert narrator.flush(snapshot) == ["deal 1 play run 1: Bruno 3 spades"]
    assert narrator.flush(snapshot) == []


def test_the_prefix_follows_the_deal(snapshot: TableSnapshot) -> None:
    assert tell(
        snapshot,
        SeatTaken(2, "bot 3"),
        DealStarted(4, 1),
        StakeOpened(Stake.POINT, 3, doubled=True, first=2),
        Called(2, Stake.POINT, Raise(5), 5, 5),
        StakeOpened(Stake.TRICON, 3, doubled=False, first=0),
        StakeClosed(Stake.TRICON, StakeEnd.PASSED, None, 0),
        BlancheClaimed(0),
        PlayOpened(0),
        RunEnded(0, fortuitous=False),
        DealEnded(1, (1, 0, 2)),
        Paid(Source.CARDS, 2, 1, 8, "2 cards left"),
        TalkSaid(1, "well"),
    ) == [
        "bot 3 takes seat 3, 3 of 3 seated",
        "deal 4: Bruno deals",
        "deal 4 point: 3 jetons in the pool; bot 3 speaks first",  # Point pays nothing that could be doubled
        "deal 4 point: bot 3 raises 5, to 5",
        "deal 4 tricon: 3 jetons in the pool; you speak first",
        "deal 4 tricon: everybody passes: the Tricon pool stays on the table",
        "deal 4 carte blanche: you claim carte blanche: not one court, proved",
        "deal 4 play run 1: the play begins: you lead",
        "deal 4 play run 1: you lead anew",
        "deal 4 settlement: Bruno is out: the deal is over",
        "deal 4 settlement: bot 3 pays 8 to Bruno: 2 cards left",
        "Bruno: well",
    ]


def test_the_deal_protocol_is_not_heard(snapshot: TableSnapshot) -> None:
    assert tell(snapshot, DeckStep(1, "shuffle", 1), DeckStep(1, "keys")) == []


def test_names_keep_their_first_letter(snapshot: TableSnapshot) -> None:
    seats = (replace(snapshot.seats[0], name="élise"), replace(snapshot.seats[1], name="Éric"), snapshot.seats[2])
    named = replace(snapshot, seats=seats, our_seat=2)
    assert tell(named, HocSaid(0, fortuitous=False), HocSaid(1, fortuitous=False)) == [
        "élise says Hoc!",
        "Éric says Hoc!",
    ]


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (Declare(Combination.TIERCE), "ok declare, tierce"),
        (Raise(3), "ok raise 3"),
        (Good(), "ok good"),
        (Go(), "ok claim nothing"),
        (Sans(10), "ok sans 10"),
        (Hold(10), "ok hold back the 10"),
        (Announce(Claim(5, 29)), "ok announce 5 cards, 29 points"),
        (Show(()), "ok show"),
        (Play(0, parse_card("3D")), "ok 3 diamonds. run wants 4"),
        (Play(0, parse_card("TD")), "ok 10 diamonds. run wants jack"),
        (Play(0, parse_card("QD")), "ok queen diamonds. run wants king"),
        (Play(0, parse_card("KD")), "ok king diamonds, hoc. you lead"),
        (Play(0, parse_card("JD")), "ok jack diamonds, hoc. you lead"),
    ],
)
def test_what_we_did(snapshot: TableSnapshot, action: Play, line: str) -> None:
    assert Narrator(ascii=True).answer(view_of(snapshot), action).strip() == line


def test_our_last_card(snapshot: TableSnapshot) -> None:
    view = view_of(snapshot)
    hands = (view.state.hands[0][:1], *view.state.hands[1:])
    last = replace(view, state=replace(view.state, hands=hands))
    assert Narrator(ascii=True).answer(last, Play(0, parse_card("3D"))) == "ok 3 diamonds. your last card"


def test_what_we_did_is_not_told_twice(snapshot: TableSnapshot) -> None:
    narrator = Narrator(ascii=True)
    narrator.answer(view_of(snapshot), Good())
    said = Called(0, Stake.POINT, Good(), 0, 0)
    assert narrator.tell(said, snapshot) == []
    assert narrator.tell(said, snapshot) == ["you say good"]  # the next one is not that one


def test_a_call_of_another_seat_is_told_while_ours_is_on_its_way(snapshot: TableSnapshot) -> None:
    narrator = Narrator(ascii=True)
    narrator.answer(view_of(snapshot), Good())
    assert narrator.tell(Called(1, Stake.POINT, Good(), 0, 0), snapshot) == ["Bruno says good"]


def test_cards_as_they_are_said() -> None:
    assert say_card(Card(1, 0)) == "ace spades"
    assert say_card(Card(10, 3)) == "10 clubs"
