"""Who comes and who has gone: keys, commands, what is told and drawn, and what cannot be done."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from dataclasses import replace

import pytest

from hocp2p.table.events import Knocked, LinkChanged, Voted
from hocp2p.table.snapshot import Knock, Stage, TableSnapshot
from hocp2p.ui.cells import text_of
from hocp2p.ui.clocks import away_time, next_away_s, unheard_since
from hocp2p.ui.effects import Answer, Copy, Effect, RenewInvite, Resize, Vote
from hocp2p.ui.keys import press
from hocp2p.ui.local import Local, Page, Question
from hocp2p.ui.meeting import join_command, without_meeting
from hocp2p.ui.presenter import view
from hocp2p.ui.reports import invite_lines, seat_lines
from tests.support.fake_client import FakeClient
from tests.ui.line_runs import BY_HAND, play, table
from tests.ui.scenes import INVITE, WAYS
from tests.ui.terminal import stacked, straight_to_play, terminal

pytestmark = pytest.mark.timeout(60)

in_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="a pipe input is POSIX")
CARLA = Knock(1, "Carla", "r4t9-v0ja")
DORA = Knock(2, "Dora", "zz00-1234")


def lobby(**fields: object) -> FakeClient:
    """A host's table with a free chair and ways to it."""
    client = FakeClient(free=1)
    client.hear(invite=INVITE, ways=WAYS, **fields)
    return client


def in_play(**of_bruno: object) -> FakeClient:
    """A game in which something is to be said of Bruno's link."""
    client = stacked()
    client.ready()
    about(client, **of_bruno)
    return client


def about(client: FakeClient, **of_bruno: object) -> None:
    infos = client.snapshot.seats
    bruno = replace(infos[1], **of_bruno)  # type: ignore[arg-type] # fields by name
    client.hear(seats=(infos[0], bruno, *infos[2:]))


def typed(snapshot: TableSnapshot, *keys: str, local: Local | None = None) -> tuple[Local, list[Effect]]:
    local = local or Local()
    effects: list[Effect] = []
    for key in keys:
        local, effect = press(key, snapshot, local)
        effects += [effect] if effect is not None else []
    return local, effects


def drawn(snapshot: TableSnapshot, local: Local, cols: int = 80, rows: int = 24) -> str:
    return "\n".join(text_of(line) for line in view(snapshot, local, cols, rows))


# The invite


def test_the_invite_has_a_page_from_which_it_is_copied_and_renewed() -> None:
    snapshot = lobby().snapshot
    page, effects = typed(snapshot, "i")
    assert page.page is Page.INVITE and effects == []
    assert typed(snapshot, "i", "i")[0] == typed(snapshot, "i", "enter")[0] == Local()
    for local in (Local(), page):
        assert typed(snapshot, "c", local=local)[1] == [Copy(f"hocp2p join {INVITE}")]
    assert typed(snapshot, "n", local=page)[1] == [RenewInvite()]
    assert typed(snapshot, "n") == (Local(), [])  # not where nothing says that the old one dies
    assert INVITE in drawn(snapshot, Local())


def test_the_code_is_drawn_where_all_of_it_fits() -> None:
    snapshot, local = lobby().snapshot, Local(page=Page.INVITE)
    for cols, rows in ((80, 24), (120, 36), (200, 60)):
        assert drawn(snapshot, local, cols, rows).count("█▀▀") > 2
    for cols, rows in ((80, 23), (60, 16), (74, 30)):
        text = drawn(snapshot, local, cols, rows)
        assert "█" not in text
        assert rows < 20 or "no room here" in text


def test_a_guest_invites_nobody_and_helps_back_who_was_cut_off() -> None:
    guest = replace(FakeClient(our_seat=1).snapshot, invite=INVITE)
    assert typed(guest, "i", "c") == (Local(), [])
    begun = replace(in_play().snapshot, hosting=False, invite=INVITE)
    assert join_command(begun) == f"hocp2p resume --at {INVITE}"
    local = Local(page=Page.INVITE)
    assert typed(begun, "n", local=local) == (local, [])


def test_the_page_closes_with_the_invite() -> None:
    snapshot, local = lobby().snapshot, Local(page=Page.INVITE)
    assert without_meeting(snapshot, local) == local
    assert without_meeting(replace(snapshot, invite=""), local) == Local()


def test_the_invite_is_told_and_renewed_by_commands() -> None:
    told = play(lobby(), ["invite", "invite NEW", "invite old", "quit"], manners=BY_HAND)
    assert f"others: hocp2p join {INVITE}" in told
    assert "way UPnP: 203.0.113.7:7411, closed when you quit" in told
    assert f"others: hocp2p join {INVITE[:-4]}n3wn" in told
    assert any(line.startswith("no: invite new takes nothing after it") for line in told)
    told = play(FakeClient(free=1), ["invite", "invite new", "quit"])
    assert "nobody can come to this table from elsewhere" in told
    assert any(line.startswith("no: nobody can dial us") for line in told)
    assert invite_lines(lobby().snapshot)[-1] == "key 5k2m-q7rt"


@in_a_terminal
def test_what_is_copied_goes_to_the_terminal() -> None:
    async def scenario() -> None:
        client = lobby()
        async with terminal(client) as (place, _):
            await place.type("i")
            await place.click("c")
            wanted = base64.b64encode(f"hocp2p join {INVITE}".encode()).decode()
            assert f"\x1b]52;c;{wanted}\a" in place.written
            await place.click("n")
            assert client.snapshot.invite == f"{INVITE[:-4]}n3wn"
            assert "The old invite is dead" in place.lines[-3]

    asyncio.run(scenario())


# Who knocks


def test_the_first_who_knocks_is_let_in_or_not() -> None:
    snapshot = lobby(knocks=(CARLA, DORA)).snapshot
    assert typed(snapshot, "a")[1] == [Answer(1, admit=True)]
    assert typed(snapshot, "d")[1] == [Answer(1, admit=False)]
    assert "Carla knocks, key r4t9-v0ja:  a let in   d decline   (1 more)" in drawn(snapshot, Local())
    for other in (lobby().snapshot, replace(snapshot, may_manage=False)):
        assert typed(other, "a", "d") == (Local(), [])
        assert "knocks" not in drawn(other, Local())


def test_who_knocks_is_told_once_and_answered_by_number() -> None:
    client = lobby(knocks=(CARLA, DORA))
    client.hear(Knocked(1, CARLA.name, CARLA.key))
    told = play(client, ["decline 2", "admit", "admit 7", "admit 1", "quit"])
    assert "Carla knocks, key r4t9-v0ja. let in: admit 1; or not: decline 1" in told
    assert sum("Carla knocks, key r4t9-v0ja. let in" in line for line in told) == 1
    assert any(line.startswith("no: admit whom?") for line in told)
    assert any(line.startswith("no: nobody knocks by that number") for line in told)
    assert "Carla takes seat 3, 3 of 3 seated" in told
    assert client.snapshot.knocks == ()


def test_offers_are_objects_for_programs() -> None:
    told = [json.loads(line) for line in play(lobby(knocks=(CARLA,)), ["quit"], json=True)]
    offer = {"event": "offer", "lines": ["Carla knocks, key r4t9-v0ja. let in: admit 1; or not: decline 1"]}
    assert [one for one in told if one["event"] == "offer"] == [offer]


@in_a_terminal
def test_who_knocks_is_let_in_by_a_click() -> None:
    async def scenario() -> None:
        client = lobby(knocks=(CARLA, DORA))
        async with terminal(client) as (place, _):
            await place.click("a")
            assert client.snapshot.seats[2].name == "Carla"
            assert "Dora knocks" in place.lines[1]
            await place.click("d")
            assert client.snapshot.knocks == ()

    asyncio.run(scenario())


# Who has gone


def test_a_table_that_has_parted_says_so_and_two_may_go_on() -> None:
    client = lobby(parted=True, may_resize=True)
    assert "A seat was lost." in drawn(client.snapshot, Local())
    assert typed(client.snapshot, "2")[1] == [Resize()]
    assert typed(lobby().snapshot, "2") == (Local(), [])
    told = play(client, ["two", "two", "quit"])
    assert "a chair is empty. go on between two: two" in told
    assert len(client.snapshot.seats) == 2
    assert any(line.startswith("no: there is no empty chair to play on without") for line in told)


def test_a_vote_is_asked_about_and_can_be_taken_back() -> None:
    client = in_play(linked=False)
    assert typed(client.snapshot, "x", "u") == (Local(), [])
    client.hear(may_give_up=frozenset({1}))
    asked, effects = typed(client.snapshot, "x")
    assert asked.asking is Question.GIVE_UP and effects == []
    assert "Go on without Bruno for good?" in drawn(client.snapshot, asked)
    assert typed(client.snapshot, "y", local=asked)[1] == [Vote(1, go_on=True)]
    assert typed(client.snapshot, "enter", local=asked) == (Local(), [])
    client.give_up(1)
    assert typed(client.snapshot, "x") == (Local(), [])
    assert typed(client.snapshot, "u")[1] == [Vote(1, go_on=False)]
    assert "u wait after all   (to go on: you)" in drawn(client.snapshot, Local())
    client.wait_for(1)
    client.hear(may_give_up=frozenset())
    assert without_meeting(client.snapshot, asked).asking is None
    assert without_meeting(client.snapshot, Local(asking=Question.LEAVE)).asking is Question.LEAVE


def test_votes_by_commands() -> None:
    client = in_play(linked=False)
    client.hear(LinkChanged(1, False), may_give_up=frozenset({1}))
    told = play(client, ["seats", "giveup", "giveup 3", "wait 2", "giveup 2", "wait 2", "keep"], manners=BY_HAND)
    assert "Bruno is not heard any more" in " ".join(told)
    assert "Bruno (seat 2) has been away for long. go on without: giveup 2; take that back: wait 2" in told
    assert any("not heard, the place is held" in line for line in told)
    assert any(line.startswith("no: giveup which seat? for instance: giveup 2") for line in told)
    assert any(line.startswith("no: that seat has not been away for long enough") for line in told)
    assert any(line.startswith("no: there is nothing to vote on") for line in told)
    votes = [event for event in client.snapshot.events if isinstance(event, Voted)]
    assert votes == [Voted(0, 1, True), Voted(0, 1, False)]
    assert client.suspended


def test_time_away_is_counted_from_when_it_was_seen() -> None:
    unheard = in_play(linked=False).snapshot
    since = unheard_since(unheard, {}, 100.0)
    assert since == {1: 100.0}
    assert unheard_since(unheard, since, 130.0) == since
    assert unheard_since(in_play().snapshot, since, 130.0) == {}
    pairs = tuple(since.items())
    assert [away_time(pairs, 1, now_s) for now_s in (100.0, 120.9, 190.0, None)] == ["0:00", "0:20", "1:30", ""]
    assert away_time(pairs, 0, 120.0) == ""
    assert next_away_s((), 1.0) is None
    for now_s in (100.0, 100.25, 107.99):
        wait_s = next_away_s(pairs, now_s)
        assert wait_s is not None
        assert away_time(pairs, 1, now_s) != away_time(pairs, 1, now_s + wait_s)
    assert "Bruno is away 0:20: the place is held" in drawn(unheard, Local(unheard=pairs, now_s=120.0))
    assert "not heard, the place is held" in seat_lines(unheard)[1]


@in_a_terminal
def test_the_screen_shows_who_is_away_and_counts() -> None:
    async def scenario() -> None:
        client = stacked()
        straight_to_play(client)
        async with terminal(client) as (place, _):
            about(client, linked=False)
            await place.until(lambda: "Bruno is away 0:00: the place is held" in place.lines[1])
            await place.until(lambda: "Bruno is away 0:01:" in place.lines[1])
            client.hear(may_give_up=frozenset({1}))
            await place.drawn()
            await place.click("x")
            await place.click("y")
            await place.until(lambda: "wait after all" in place.lines[1])
            assert client.snapshot.seats[1].votes == {0}
            await place.click("u")
            assert client.snapshot.seats[1].votes == frozenset()
            about(client, linked=True)
            client.hear(may_give_up=frozenset())
            await place.drawn()
            assert "away" not in "\n".join(place.lines[:4])

    asyncio.run(scenario())


# Going and coming back


def test_keeping_a_seat_that_there_is_not_is_leaving() -> None:
    client = table()
    assert play(client, ["keep"])[-1] == "the table stopped: you left the table"
    assert client.snapshot.stage is Stage.STOPPED and not client.suspended
