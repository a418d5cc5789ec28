"""The line mode over a fake table: whole deals by script, several cards in a row, slow tables."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action, Play, Stay
from hocp2p.game.cards import DECK, Card, parse_card
from hocp2p.game.house import Rules
from hocp2p.game.rules import deal_positions
from hocp2p.game.state import Phase, SeatView
from hocp2p.table.events import SeatTaken, TableStopped, TalkSaid
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.commands import format_words
from hocp2p.ui.line import Manners, run_line
from tests.support.fake_client import FakeClient
from tests.ui.line_runs import PIPE, SCRIPT, plain_words, play, play_by, table


@pytest.mark.parametrize("seats", [2, 3])
def test_a_script_plays_a_whole_session(seats: int) -> None:
    rules = Rules(deals=seats)
    typed, told = play_by(table(seats=seats, rules=rules), plain_words, manners=SCRIPT)
    assert told[-1].startswith("the session is over: you ")
    assert sum(line.startswith("deal ") and "signed by all" in line for line in told) == seats
    again = table(seats=seats, rules=rules)
    assert play(again, typed, manners=SCRIPT) == told
    assert again.snapshot.stage is Stage.ENDED
    small = table(seats=seats, rules=rules)
    assert play(small, [line.lower() for line in typed], manners=SCRIPT)[-1] == told[-1]


def test_the_same_script_as_json_ends_with_the_net() -> None:
    typed, _ = play_by(table(), plain_words, manners=SCRIPT)
    client = table()
    told = [json.loads(line) for line in play(client, typed, manners=SCRIPT, json=True)]
    assert client.snapshot.net is not None
    assert told[0]["event"] == "table"
    assert told[-1] == {"event": "session_ended", "net": list(client.snapshot.net)}
    assert sum(told[-1]["net"]) == 0
    turns = [one for one in told if one["event"] == "turn"]
    assert len(turns) >= len(typed) - 1
    assert all(one["legal"] for one in turns)
    dealt = [one for one in told if one["event"] == "hand_dealt"]
    assert len(dealt) == 3
    assert all(len(one["cards"]) == 12 for one in dealt)


def test_json_turns_can_be_typed_back() -> None:
    """Every entry of ``legal`` is a command: the last one of each turn plays a session too."""
    client = table(seed=8)

    def last_word(snapshot: TableSnapshot) -> str:
        assert snapshot.view is not None
        words = [format_words(action, snapshot.view.state.stake) for action in snapshot.legal]
        calm = [word for word in words if not word.startswith("raise")]
        return calm[-1]

    _, told = play_by(client, last_word, manners=SCRIPT, json=True)
    assert json.loads(told[-1])["event"] == "session_ended"


def test_the_first_lines_of_a_table() -> None:
    told = play(table(), ["ready", "good"], manners=PIPE)
    assert told[:18] == [
        "table Anna's table at 203.0.113.7:7411, 3 of 3 seated",
        "all seats are filled: read the rules and say ready",
        "rules deals 3, ruin off, raise_cap 20, double per_stake, point cards, lesser on, fortuitous paid, "
        "hold_back refused",
        "> ready",
        "you are ready",
        "you draw AC",
        "Bruno draws 4H",
        "bot 3 draws 9C",
        "you deal first",
        "deal 1: you deal",
        "deal 1: your hand: AS AH 3S 3H 5H 5D 6C 8H 8D 9D TD JS",
        "deal 1: everybody antes 3, one into each pool",
        "deal 1 point: 3 jetons in the pool; Bruno speaks first",
        "deal 1 point: Bruno declares",
        "deal 1 point: bot 3 says good",
        "turn you, point, level 0, you are in with 0, pool 3. legal: good | stay | raise 1-20",
        "> good",
        "ok good",
    ]


@pytest.mark.parametrize("as_json", [False, True])
def test_a_guest_is_told_of_the_table_once_it_is_known(as_json: bool) -> None:
    async def go() -> list[str]:
        client = table()
        known = client.snapshot
        client._snapshot = replace(known, seats=(), title="", may_ready=False, our_seat=1, events=())
        told: list[str] = []
        face = asyncio.create_task(run_line(client, commands=None, out=told.append, json=as_json))
        await asyncio.sleep(0.01)
        assert told == []
        client.hear(SeatTaken(1, "Bruno"), seats=known.seats, title=known.title)
        client.stop(TableStopped("closed", "the table is closed"))
        await face
        return told

    first, second, last = asyncio.run(go())
    if as_json:
        assert [json.loads(line)["event"] for line in (first, second, last)] == ["table", "seat_taken", "table_stopped"]
    else:
        assert first == "table Anna's table at 203.0.113.7:7411, 3 of 3 seated"
        assert second == "Bruno takes seat 2, 3 of 3 seated"


def test_comments_and_blank_lines_are_skipped() -> None:
    told = play(table(), ["# a script", "", "   ", "ready", "  # more", "good"], manners=SCRIPT)
    assert [line for line in told if line.startswith(">")] == ["> ready", "> good"]
    assert not any(line.startswith("no:") for line in told)


# Several cards in a row.


def ordered_deck(*hands: str) -> tuple[Card, ...]:
    """A deck for a table of two with seat 0 as dealer: the first hand is dealt to seat 0, the second to seat 1."""
    wanted = [[parse_card(text) for text in hand.split()] for hand in hands]
    positions = deal_positions(2, 0)
    faces: dict[int, Card] = {}
    for places, cards in zip(positions, wanted, strict=True):
        faces |= dict(zip(places, cards, strict=False))
    rest = iter([card for card in DECK if card not in faces.values()])
    return tuple(faces[place] if place in faces else next(rest) for place in range(len(DECK)))


def leads_low(_: SeatView, legal: tuple[Action, ...]) -> Action:
    """The other seat: passes, leads its lowest card and goes on while it can."""
    plays = sorted((one for one in legal if isinstance(one, Play)), key=lambda one: one.card.rank)
    return plays[0] if plays else legal[0]


HAND = "4H 5S 6S 7C JD 9C QS KH TD 9S TH JS 2C 2D 2H"
OTHER = "AS 2S 3S AH AD AC 8H 8D 8S 8C 9H 9D TC TS QD"


def in_play() -> tuple[FakeClient, list[str]]:
    client = table(seats=2, rules=Rules(deals=2), decks=(ordered_deck(HAND, OTHER),), dealer=0, chooser=leads_low)
    return client, ["ready", "pass", "pass", "pass", "go"]


def test_several_cards_in_a_row() -> None:
    client, before = in_play()
    told = play(client, [*before, "play 4h 5s 6s 7c", "sans"], manners=PIPE)
    at = told.index("> play 4h 5s 6s 7c")
    assert told[at + 1 : at + 5] == [
        "ok 4 hearts. run wants 5",
        "ok 5 spades. run wants 6",
        "ok 6 spades. run wants 7",
        "ok 7 clubs. run wants 8",
    ]
    assert told[at + 5].startswith("turn you, wants 8. legal: hoc ")


def test_a_row_ends_where_it_cannot_go_on() -> None:
    client, before = in_play()
    told = play(client, [*before, "play 4h 5s 7c 6s", "hand"], manners=PIPE)
    at = told.index("> play 4h 5s 7c 6s")
    assert told[at + 1 : at + 3] == ["ok 4 hearts. run wants 5", "ok 5 spades. run wants 6"]
    assert told[at + 3].startswith("no: not done: play 7C, play 6S: a 6 is called")
    assert any(line.startswith("hand 13 cards: 6S") for line in told[at + 4 :])


def test_a_hoc_in_a_row_leads_on() -> None:
    client, before = in_play()
    told = play(client, [*before, "play 4h jd", "hoc qs", "play 9c td", "hoc kh as j"], manners=PIPE)
    assert "ok jack diamonds, hoc. you lead" in told
    assert "ok queen spades, hoc. you lead" in told
    assert "ok king hearts, hoc. you lead" in told
    assert "deal 1 play run 1: Bruno pays you 1: hoc" in told
    assert not any(line.startswith("no:") for line in told)


def test_the_others_cards_of_one_go_are_one_line() -> None:
    client, before = in_play()
    told = play(client, before, manners=PIPE)
    assert "deal 1 play run 1: Bruno ace spades, 2 spades, 3 spades, sans 4" in told


def test_hoc_as_another_rank_than_the_called_one() -> None:
    client, before = in_play()
    told = play(client, [*before, "hoc jd as 5"], manners=PIPE)
    assert any(line.startswith("no: the run wants 4. legal: play 4h | hoc ") for line in told)


# A client whose actions take their time, as proofs do.


class SlowClient(FakeClient):
    """An action reaches the table only when the event loop comes round to it."""

    def act(self, action: Action) -> None:
        if action not in self.snapshot.legal:
            raise LocalError("not-your-turn", "it is not your turn")
        asyncio.get_running_loop().call_later(0.001, super().act, action)


class ListeningTwice(SlowClient):
    """And tells the same picture again meanwhile."""

    def act(self, action: Action) -> None:
        super().act(action)
        asyncio.get_running_loop().call_soon(self.hear, TalkSaid(1, "hm"))


@pytest.mark.parametrize("kind", [SlowClient, ListeningTwice])
def test_actions_that_take_their_time_are_done_once_and_in_order(kind: type[FakeClient]) -> None:
    typed, quick = play_by(table(), plain_words, manners=SCRIPT)
    client = kind(seed=5, rules=Rules(deals=3))
    told = play(client, typed, manners=SCRIPT)
    assert [line for line in told if "hm" not in line] == quick


def test_a_second_action_by_hand_while_the_first_is_on_its_way() -> None:
    client = SlowClient(seed=5, rules=Rules(deals=3))
    told = play(client, ["ready", "good", "stay"], manners=Manners())
    assert any("your last action is still on its way" in line for line in told)


def test_a_deal_has_every_phase_in_these_tests() -> None:
    """The scripted sessions are worth something only if they pass through all of a deal."""
    seen: set[Phase] = set()

    def noting(snapshot: TableSnapshot) -> str:
        assert snapshot.view is not None
        seen.add(snapshot.view.state.phase)
        stays = [one for one in snapshot.legal if isinstance(one, Stay)]
        return format_words(stays[0], snapshot.view.state.stake) if stays else plain_words(snapshot)

    for seed in range(1, 5):
        play_by(table(seed=seed), noting, manners=SCRIPT)
    assert seen >= {Phase.AUCTION, Phase.SHOWDOWN, Phase.SHOW, Phase.BLANCHE, Phase.PLAY}
