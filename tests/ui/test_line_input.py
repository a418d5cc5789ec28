"""What is typed at the line mode: wrong input, questions, talk, and the end of it all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action
from hocp2p.game.house import Rules
from hocp2p.table.events import SeatReady, SessionEnded, TableStopped, TalkSaid
from hocp2p.table.snapshot import Stage
from hocp2p.ui.line import Manners, run_line
from tests.support.fake_client import FakeClient
from tests.ui.line_runs import PIPE, SCRIPT, each, plain_words, play, play_by, table

# Wrong input: one line that says what is wrong and what is legal; nothing is sent, nothing lost.


class CountingClient(FakeClient):
    """Counts what is sent to the table."""

    acted = 0

    def act(self, action: Action) -> None:
        self.acted += 1
        super().act(action)


AUCTION = ["ready"]
PLAY = ["ready", "good", "good", "good", "go"]


@pytest.mark.parametrize(
    ("before", "line", "reason"),
    [
        (AUCTION, "fly", "there is no command 'fly'; ? lists them"),
        (AUCTION, "pass", "legal: good | stay | raise 1-20"),
        (AUCTION, "raise", "raise N [CLASS]"),
        (AUCTION, "raise 21", "legal: good | stay | raise 1-20"),
        (AUCTION, "raise 0", "from 1 to 1000"),
        (AUCTION, "raise many", "'many' is not a number"),
        (AUCTION, "raise 2 tierce", "legal: good"),
        (AUCTION, "stay up", "'up' is not one of"),
        (AUCTION, "play 3d", "3D"),
        (AUCTION, "play 3x", "'3x' is not a card"),
        (AUCTION, "play", "play which card?"),
        (AUCTION, "sans", "no rank is called now"),
        (AUCTION, "show", "you have nothing to show now"),
        (AUCTION, "announce", "you have nothing to announce now"),
        (AUCTION, "good enough", "'good enough' is not an action"),
        (AUCTION, "say", "say what?"),
        (AUCTION, "say " + "x" * 301, "1 to 300 characters"),
        (AUCTION, "log many", "how many lines?"),
        (AUCTION, "quit now", "quit takes nothing after it"),
        (AUCTION, "ready set", "ready takes nothing after it"),
        (PLAY, "play 3h", "a 10 is called: 3H is neither that nor one of the six hocs. legal: play td"),
        (PLAY, "play kc", "you do not hold KC"),
        (PLAY, "hoc td", "TD is not a hoc"),
        (PLAY, "hoc", "hoc which card?"),
        (PLAY, "hoc kc", "you do not hold KC"),
        (PLAY, "sans", "you hold a T and must play it"),
        (PLAY, "sans 9", "legal: play td"),
        (PLAY, "sans x", "'X' is not a rank"),
        (PLAY, "hold 10", "legal: play td"),
        (PLAY, "show all", "you have nothing to show now"),
        (PLAY, "unseen", "legal: play td"),
    ],
)
def test_a_wrong_line_is_told_and_changes_nothing(before: list[str], line: str, reason: str) -> None:
    client = CountingClient(seed=5, rules=Rules(deals=3))
    told = play(client, [*before, line, "hand"], manners=PIPE)
    said = told[told.index(f"> {line}") + 1 : told.index("> hand")]
    (refusal,) = (one for one in said if one.startswith("no: "))  # what the others do may stand before it
    assert reason in refusal
    assert "legal: " in refusal
    assert client.acted == len(before) - 1


def test_a_strict_run_ends_at_the_first_refusal_and_names_its_line() -> None:
    client = table()
    told: list[str] = []

    async def go() -> None:
        lines = each(["# a script", "ready", "", "raise 50", "good"])
        await run_line(client, commands=lines, out=told.append, manners=SCRIPT)

    with pytest.raises(LocalError) as caught:
        asyncio.run(go())
    assert caught.value.code == "script-refused"
    assert caught.value.message.startswith("line 4: ")
    assert client.snapshot.stopped == TableStopped("left", "you left the table")
    assert told[-1].startswith("no: ")


def test_a_refusal_as_json() -> None:
    told = [json.loads(line) for line in play(table(), ["ready", "pass", "fly"], manners=PIPE, json=True)]
    first, second = (one for one in told if one["event"] == "refused")
    assert list(first) == ["event", "message", "legal"]
    assert first["legal"][0] == "good"
    assert second["message"].startswith("there is no command")


def test_out_of_turn_by_hand() -> None:
    """Typed by hand, a command does not wait."""
    told = play(table(), ["good", "ready", "ready", "legal"], manners=Manners())
    assert told[3] == "no: no deal is being played. legal: ready"
    assert "you are ready" in told
    assert not any(line.startswith(">") for line in told)


# The end of the input, and of the table.


def test_the_end_of_the_input_leaves_a_table_that_waits_for_us() -> None:
    client = table()
    told = play(client, ["ready"], manners=PIPE)
    assert told[-1] == "no more commands, and the table waits for us: leaving it"
    assert client.suspended


def test_what_keeps_no_seat_is_left_for_good() -> None:
    client = table()
    told = play(client, ["ready"], manners=replace(PIPE, keeps=False))
    assert told[-1] == "the table stopped: you left the table"
    assert not client.suspended


def test_the_end_of_the_input_before_we_are_ready() -> None:
    told = play(table(), [], manners=PIPE)
    assert "the table waits for us" in told[-2]


def test_with_an_autopilot_the_end_of_the_input_ends_nothing() -> None:
    async def go() -> list[str]:
        client = table()
        told: list[str] = []
        face = asyncio.create_task(
            run_line(client, commands=each([]), out=told.append, manners=Manners(autopilot=True, patient=True))
        )
        await asyncio.sleep(0.01)
        client.ready()
        while client.snapshot.stage is not Stage.ENDED:
            await asyncio.sleep(0)
            client.act(client.snapshot.legal[0])
        await face
        return told

    told = asyncio.run(go())
    assert told[-1].startswith("the session is over")
    assert not any(line.startswith("turn ") for line in told)
    assert any("you 3 hearts" in line or ("play run" in line and "you " in line) for line in told)


def test_without_commands_all_is_only_told() -> None:
    async def go() -> list[str]:
        client = table()
        told: list[str] = []
        face = asyncio.create_task(run_line(client, commands=None, out=told.append))
        await asyncio.sleep(0.01)
        assert not face.done()
        client.stop(TableStopped("host-gone", "the host is gone"))
        await face
        return told

    assert asyncio.run(go())[-1] == "the table stopped: the host is gone"


def test_ready_at_once() -> None:
    client = table()
    told = play(client, ["ready", "good"], manners=replace(SCRIPT, ready_at_once=True))
    assert told.index("you are ready") < told.index("> ready")
    assert told[told.index("> ready") + 1] == "you are ready"
    assert not any(line.startswith("no:") for line in told)


class GatheringClient(FakeClient):
    """A table whose seats say before each deal that they are ready for it, and whose messages take their time."""

    held = False
    asked = 0

    def ready(self) -> None:
        self.asked += 1
        asyncio.get_running_loop().call_later(0.001, self._ready)

    def _ready(self) -> None:
        if not self.held:
            super().ready()
            return
        self.held = False
        self._change(SeatReady(0), may_ready=False)
        super()._start_deal()
        self._play_others()
        self._tell()

    def _start_deal(self) -> None:
        self.held = bool(self.snapshot.finished)
        if self.held:
            self._change(may_ready=True)
        else:
            super()._start_deal()


def test_later_deals_are_not_waited_for() -> None:
    typed, quick = play_by(table(), plain_words, manners=SCRIPT)
    client = GatheringClient(seed=5, rules=Rules(deals=3))
    told = play(client, typed, manners=SCRIPT)
    assert [line for line in told if "you are ready" not in line] == [
        line for line in quick if "you are ready" not in line
    ]
    assert client.asked == 3


def test_the_end_of_the_input_while_our_word_is_on_its_way() -> None:
    client = GatheringClient(seed=5, rules=Rules(deals=3))
    told = play(client, ["ready", "ready"], manners=PIPE)
    assert client.asked == 1
    assert told.index("deal 1: you deal") < told.index("no more commands, and the table waits for us: leaving it")


def test_a_new_proposal_is_signed_at_once_too() -> None:
    class Unsigned(FakeClient):
        asked = 0

        def ready(self) -> None:
            self.asked += 1

    async def go() -> int:
        client = Unsigned(seed=5)
        face = asyncio.create_task(
            run_line(client, commands=each([]), out=lambda _: None, manners=Manners(ready_at_once=True))
        )
        await asyncio.sleep(0.01)
        assert client.asked == 1
        client.hear(TalkSaid(1, "hm"))  # our word is on its way: it is not said again
        await asyncio.sleep(0.01)
        assert client.asked == 1
        client.hear(may_ready=False)  # somebody left before all had signed
        await asyncio.sleep(0.01)
        client.hear(may_ready=True)
        await asyncio.sleep(0.01)
        client.leave()
        await face
        return client.asked

    assert asyncio.run(go()) == 2


def test_quit() -> None:
    client = table()
    told = play(client, ["ready", "quit", "good"], manners=SCRIPT)
    assert told[-1] == "the table stopped: you left the table"
    assert client.snapshot.stage is Stage.STOPPED


@pytest.mark.parametrize("as_json", [False, True])
def test_nothing_is_told_after_the_end(as_json: bool) -> None:
    async def go() -> list[str]:
        client = table()
        told: list[str] = []
        face = asyncio.create_task(run_line(client, commands=None, out=told.append, json=as_json))
        await asyncio.sleep(0.01)
        client.hear(SessionEnded((1, 2, -3)), TalkSaid(1, "well played"), stage=Stage.ENDED, net=(1, 2, -3))
        client.hear(TalkSaid(1, "again?"))
        await face
        return told

    last = asyncio.run(go())[-1]
    if as_json:
        assert last == '{"event": "session_ended", "net": [1, 2, -3]}'
    else:
        assert last == "the session is over: you +1, Bruno +2 and bot 3 -3"


def test_an_end_without_an_event_is_told_once() -> None:
    async def go() -> list[str]:
        client = table()
        told: list[str] = []
        face = asyncio.create_task(run_line(client, commands=None, out=told.append, json=True))
        await asyncio.sleep(0.01)
        client._change(stage=Stage.ENDED, net=(1, 2, -3))
        client._ended.set()
        await face
        return told

    told = asyncio.run(go())
    assert told[-1] == '{"event": "session_ended", "net": [1, 2, -3]}'
    assert sum("session_ended" in line for line in told) == 1


def test_an_error_of_the_input_is_not_swallowed() -> None:
    async def broken() -> AsyncIterator[str]:
        yield "ready"
        raise RuntimeError("a bug")

    async def go() -> None:
        await run_line(table(), commands=broken(), out=lambda _: None, manners=PIPE)

    with pytest.raises(RuntimeError, match="a bug"):
        asyncio.run(go())


def test_an_output_that_nobody_reads_ends_the_run() -> None:
    def refuse(_: str) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        asyncio.run(run_line(table(), commands=None, out=refuse))


# Reports and talk.


def test_reports_answer_at_any_time() -> None:
    asked = ["seats", "scores", "hand", "run", "rules", "legal", "last", "log 2", "?", "? play", "help nothing"]
    told = play(table(), asked, manners=PIPE)
    for line in asked:
        assert f"> {line}" in told
    assert not any(line.startswith("no:") for line in told)
    assert "legal: ready" in told
    assert "play CARD [CARD ...]: play a card, or several in a row: play 3d 4h 5s" in told


def test_replies_as_json() -> None:
    told = [json.loads(line) for line in play(table(), ["ready", "hand", "?", "log 1"], manners=PIPE, json=True)]
    replies = [one for one in told if one["event"] == "reply"]
    assert [one["command"] for one in replies] == ["hand", "help", "log", "quit"]
    assert replies[0]["lines"] == ["hand 12 cards: AS 3S JS   AH 3H 5H 8H   5D 8D 9D TD   6C"]


def test_talk_cannot_steer_a_terminal() -> None:
    async def go() -> list[str]:
        client = table()
        told: list[str] = []
        face = asyncio.create_task(run_line(client, commands=None, out=told.append))
        await asyncio.sleep(0.01)
        client.hear(TalkSaid(1, "\x1b[2Jhello\r\n\u202e"))
        client.leave()
        await face
        return told

    told = asyncio.run(go())
    assert "Bruno: ?[2Jhello???" in told


def test_showing_our_hand() -> None:
    class Showing(FakeClient):
        shown = 0

        def show_hand(self) -> None:
            if not self.snapshot.finished:
                raise LocalError("nothing-to-show", "there is no hand to show")
            self.shown += 1

    client = Showing(seed=5, rules=Rules(deals=3))
    told = play(client, ["reveal"], manners=PIPE)
    assert "no: there is no hand to show. legal: ready" in told
    typed, _ = play_by(table(), plain_words, manners=SCRIPT)
    client = Showing(seed=5, rules=Rules(deals=3))
    play(client, [*typed[:-1], "reveal", typed[-1]], manners=SCRIPT)
    assert client.shown == 1


def test_talk() -> None:
    told = play(table(), ["say  hello, all"], manners=PIPE)
    assert "you: hello, all" in [line.lower() for line in told]
