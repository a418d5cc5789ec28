"""What the line mode tells when asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action, Combination, Declare, Good, Pass, Play, Raise, Sans, Stay
from hocp2p.game.cards import parse_card
from hocp2p.game.house import Rules
from hocp2p.table.snapshot import Clock, SeatInfo, Stage, TableSnapshot
from hocp2p.ui import greetings, reports
from hocp2p.ui.commands import HELP
from tests.support.fake_client import FakeClient


def dealt(seed: int = 5, *lines: Action) -> FakeClient:
    client = FakeClient(seed=seed, rules=Rules(deals=3))
    client.ready()
    for action in lines:
        client.act(action)
    return client


def settled(deals: int) -> TableSnapshot:
    client = dealt()
    while len(client.snapshot.finished) < deals and client.snapshot.stage is Stage.DEAL:
        client.act(client.snapshot.legal[0])
    return client.snapshot


def test_the_lobby_line_invites_until_all_are_there() -> None:
    full = FakeClient().snapshot
    free = replace(full, seats=(full.seats[0], SeatInfo(1, ""), SeatInfo(2, "")), address="192.168.1.5:7411")
    assert greetings.lobby_line(free) == (
        "Anna's table at 192.168.1.5:7411, 1 of 3 seated; others: hocp2p join 192.168.1.5:7411"
    )
    assert greetings.lobby_line(replace(free, hosting=False)).endswith("1 of 3 seated")
    assert greetings.lobby_line(full) == "Anna's table at 203.0.113.7:7411, 3 of 3 seated"
    assert greetings.lobby_line(replace(full, address="")) == "Anna's table, 3 of 3 seated"


def test_the_turn_of_an_auction() -> None:
    assert reports.turn_line(dealt().snapshot) == (
        "turn you, point, level 0, you are in with 0, pool 3. legal: good | stay | raise 1-20"
    )


@pytest.mark.parametrize(
    ("legal", "text"),
    [
        ((Pass(), Declare(), Raise(1), Raise(2)), "pass | declare | raise 1-2"),
        (
            (Good(), Stay(None), Stay(Combination.QUART), Raise(1), Raise(1, Combination.QUART)),
            "good | stay [quart] | raise 1 [quart]",
        ),
        (
            (Pass(), Declare(Combination.BRELAN), Declare(Combination.FREDON)),
            "pass | declare brelan/fredon",
        ),
        ((Play(1, parse_card("3D")), Play(2, parse_card("3S")), Sans(3)), "play 3s/3d | sans 3"),
        ((Play(1, parse_card("3D")), Play(2, parse_card("KS")), Play(3, parse_card("QS"))), "play 3d | hoc qs/ks"),
    ],
)
def test_what_is_legal(legal: tuple[Action, ...], text: str) -> None:
    assert reports.legal_line(replace(dealt().snapshot, legal=legal)) == f"legal: {text}"


def test_what_is_legal_when_it_is_not_our_turn() -> None:
    fresh = FakeClient().snapshot
    assert reports.legal_line(fresh) == "legal: ready"
    assert reports.legal_line(replace(fresh, may_ready=False)) == "nothing to do now"
    waiting = FakeClient(our_seat=0, seed=5)
    waiting.ready()
    assert waiting.snapshot.view is not None
    state = replace(waiting.snapshot.view.state, turn=1)
    view = replace(waiting.snapshot.view, state=state)
    told = reports.legal_line(replace(waiting.snapshot, view=view, legal=()))
    assert told == "nothing to do: it is the turn of Bruno"


def test_the_hand_by_suit() -> None:
    snapshot = dealt().snapshot
    assert reports.hand_lines(snapshot, ascii=True) == ["hand 12 cards: AS 3S JS   AH 3H 5H 8H   5D 8D 9D TD   6C"]
    assert reports.hand_lines(snapshot, ascii=False)[0].startswith("hand 12 cards: A♠ 3♠ J♠   A♥")
    assert reports.hand_lines(FakeClient().snapshot, ascii=True) == ["hand: no cards"]


@pytest.mark.parametrize(
    ("order", "cards"),
    [
        ("", "AS 3S JS   AH 3H 5H 8H   5D 8D 9D TD   6C"),
        ("suit", "AS 3S JS   AH 3H 5H 8H   5D 8D 9D TD   6C"),
        ("Rank", "AS AH 3S 3H 5H 5D 6C 8H 8D 9D TD JS"),
        ("combination", "8D 9D TD   AS 3S JS   AH 3H 5H 8H   5D   6C"),
    ],
)
def test_the_hand_in_any_order_of_the_screen(order: str, cards: str) -> None:
    assert reports.report("hand", order, dealt().snapshot, ascii=True) == [f"hand 12 cards: {cards}"]


def test_an_order_of_the_hand_that_there_is_not() -> None:
    with pytest.raises(LocalError, match="hand is one of these: suit, rank, combination") as caught:
        reports.report("hand", "colour", dealt().snapshot, ascii=True)
    assert caught.value.code == "bad-command"


def test_the_hocs_of_a_hand() -> None:
    snapshot = next(
        table.snapshot
        for table in map(dealt, range(1, 20))
        if any(card.is_hoc for card in table.snapshot.view.hand)  # type: ignore[union-attr] # dealt
    )
    assert ". hocs: " in reports.hand_lines(snapshot, ascii=True)[0]


def test_the_run() -> None:
    assert reports.run_lines(dealt().snapshot, ascii=True) == ["run: none, cards are played after the three stakes"]
    client = dealt()
    while client.snapshot.view is not None and client.snapshot.view.state.play is None:
        client.act(client.snapshot.legal[0])
    assert reports.run_lines(client.snapshot, ascii=True) == ["run 3: 8C 9H. wants 10"]


def test_the_seats() -> None:
    assert reports.seat_lines(FakeClient().snapshot) == [
        "seat 1: Anna, you, key 5k2m-q7rt, not ready",
        "seat 2: Bruno, key 8xwp-c3nd, ready",
        "seat 3: bot 3, bot, level club, of Anna, key r4t9-v0ja, ready",
    ]
    assert (
        reports.seat_lines(dealt().snapshot)[0] == "seat 1: Anna, you, key 5k2m-q7rt, deals, 12 cards left, 97 jetons"
    )
    seats = SeatInfo(0, ""), SeatInfo(1, "Bruno", away=True), SeatInfo(2, "Cleo", present=False, away=True)
    assert reports.seat_lines(replace(FakeClient().snapshot, seats=seats)) == [
        "seat 1: free",
        "seat 2: Bruno, not ready, away",
        "seat 3: Cleo, not ready, gone",
    ]


def test_the_time_of_whom_the_table_waits_for() -> None:
    clock = Clock(frozenset({0, 1}), since_s=100.0, turn_s=60.0, banks_s=(120.0, 120.0, 120.0))
    snapshot = replace(dealt().snapshot, clock=clock)
    first, second, third = reports.report("seats", "", snapshot, ascii=True, now_s=112.0)
    assert first.endswith(", 97 jetons, 0:48 left")
    assert second.endswith(", 0:48 left")
    assert third.endswith(" jetons")
    assert reports.seat_lines(snapshot, 170.0)[0].endswith(", bank 1:50 left")
    assert not any(line.endswith(":48 left") for line in reports.seat_lines(snapshot))


def test_the_scores() -> None:
    lines = reports.score_lines(settled(1))
    assert lines[0] == "deal 1: Anna +15, Bruno +6, bot 3 -21"
    assert "deal 1 cards left: Anna +14, Bruno -6, bot 3 -8" in lines
    assert lines[-2].startswith("balances: Anna ")
    assert lines[-1] == "pools: point 3, sequence 3, tricon 3"
    nothing = replace(FakeClient().snapshot, balances=())
    assert reports.score_lines(nothing) == ["scores: nothing played yet"]


def test_help_knows_every_command() -> None:
    listed = " ".join(reports.help_lines("")).split()
    assert HELP.keys() <= set(listed)
    for word, (usage, meaning) in HELP.items():
        assert reports.help_lines(word.upper()) == [f"{usage}: {meaning}"]
        assert usage.split()[0] == word
    assert reports.help_lines("fly") == reports.help_lines("")
