"""The line mode over a fake table: whole deals by script, as text and as JSON, and what comes first."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from hocp2p.game.actions import Stay
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase
from hocp2p.table.events import SeatTaken, TableStopped
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.commands import format_words
from hocp2p.ui.line import run_line
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
        "Anna's table at 203.0.113.7:7411, 3 of 3 seated",
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
        assert first == "Anna's table at 203.0.113.7:7411, 3 of 3 seated"
        assert second == "Bruno takes seat 2, 3 of 3 seated"


def test_comments_and_blank_lines_are_skipped() -> None:
    told = play(table(), ["# a script", "", "   ", "ready", "  # more", "good"], manners=SCRIPT)
    assert [line for line in told if line.startswith(">")] == ["> ready", "> good"]
    assert not any(line.startswith("no:") for line in told)


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
