"""The host's part of the lobby: keys, clicks and commands, and what they cannot do."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from hocp2p.game.house import CHOICES, Rules
from hocp2p.players.levels import LEVELS
from hocp2p.session.managing import AddBot, SetRules, TakeChair
from hocp2p.table.events import SeatReady, SeatTaken
from hocp2p.table.snapshot import SeatInfo, Stage, TableSnapshot
from hocp2p.ui.cells import UNICODE, text_of
from hocp2p.ui.effects import Effect, Manage, Ready
from hocp2p.ui.hosting import RAISE_CAPS, RULE_NAMES, chosen_chair, next_rules, without_lobby
from hocp2p.ui.intents import available
from hocp2p.ui.keys import press
from hocp2p.ui.line import Manners
from hocp2p.ui.local import Local, Page, Question
from hocp2p.ui.look import Look
from hocp2p.ui.presenter import view
from hocp2p.ui.screen import ScreenOptions
from hocp2p.ui.story import tell_all
from tests.support.fake_client import FakeClient
from tests.ui.line_runs import SCRIPT, play
from tests.ui.terminal import Terminal, terminal

pytestmark = pytest.mark.timeout(60)

in_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="a pipe input is POSIX")
LOBBY_INTENTS = {"chair", "bot", "take the chair away", "rules", "let in", "decline", "two go on", "new invite"}


def typed(snapshot: TableSnapshot, *keys: str, local: Local | None = None) -> tuple[Local, list[Effect]]:
    """The state after some keys, and all effects."""
    local = local or Local()
    effects: list[Effect] = []
    for key in keys:
        local, effect = press(key, snapshot, local)
        effects += [effect] if effect is not None else []
    return local, effects


def with_our_bot(level: str) -> TableSnapshot:
    """A full table with a bot of ours in the last chair."""
    client = FakeClient(free=1)
    client.add_bot(level)
    return client.snapshot


# Keys


def test_who_is_no_host_has_no_such_keys() -> None:
    begun = FakeClient()
    begun.ready()
    for snapshot in (FakeClient(our_seat=1).snapshot, begun.snapshot):
        assert not LOBBY_INTENTS & {intent.name for intent in available(snapshot, Local())}
        assert chosen_chair(snapshot, Local(chair=1)) is None
        assert "▸" not in text_of(view(snapshot, Local(), 80, 24)[3])
    guest = FakeClient(our_seat=1).snapshot
    for key in ("b", "x", "r", "up", "down"):
        assert typed(guest, key) == (Local(), [])


def test_the_first_free_chair_is_chosen_to_begin_with() -> None:
    assert chosen_chair(FakeClient(free=1).snapshot, Local()) == 2
    assert chosen_chair(FakeClient(free=2).snapshot, Local()) == 1
    assert chosen_chair(FakeClient().snapshot, Local()) == 1
    assert chosen_chair(FakeClient().snapshot, Local(chair=0)) == 1  # never ours


def test_arrows_choose_a_chair_of_another() -> None:
    snapshot = FakeClient(free=2).snapshot
    chairs = [chosen_chair(snapshot, typed(snapshot, *["down"] * times)[0]) for times in range(4)]
    assert chairs == [1, 2, 1, 2]
    assert chosen_chair(snapshot, typed(snapshot, "up")[0]) == 2
    two = FakeClient(seats=2).snapshot
    assert "chair" not in {intent.name for intent in available(two, Local())}
    assert "bot" in {intent.name for intent in available(two, Local())}


def test_a_bot_comes_in_or_is_replaced_by_the_next_level() -> None:
    assert typed(FakeClient(free=1).snapshot, "b")[1] == [Manage((AddBot("novice"),))]
    for level, following in zip(LEVELS, (*LEVELS[1:], LEVELS[0]), strict=True):
        snapshot = with_our_bot(level)
        assert typed(snapshot, "down", "b")[1] == [Manage((TakeChair(2), AddBot(following)))]
        freed = replace(snapshot, seats=(snapshot.seats[0], SeatInfo(1, ""), snapshot.seats[2]))
        assert typed(freed, "b")[1] == [Manage((AddBot(level),))]  # another like ours


def test_the_first_bot_has_the_level_that_the_host_has_set() -> None:
    """Later ones are like the last."""
    set_to_club = Local(level="club")
    assert typed(FakeClient(free=1).snapshot, "b", local=set_to_club)[1] == [Manage((AddBot("club"),))]
    snapshot = with_our_bot("master")
    freed = replace(snapshot, seats=(snapshot.seats[0], SeatInfo(1, ""), snapshot.seats[2]))
    assert typed(freed, "b", local=set_to_club)[1] == [Manage((AddBot("master"),))]


def test_nobody_but_our_own_bot_is_replaced() -> None:
    snapshot = with_our_bot("novice")
    other = replace(snapshot, seats=(*snapshot.seats[:2], replace(snapshot.seats[2], owner="Carla")))
    for table, keys in ((snapshot, ("b",)), (other, ("down", "b"))):  # Bruno, who is a person; a bot of Carla's
        local, effects = typed(table, *keys)
        assert effects == []
        assert local.message == "no chair is free; x frees the chosen one"


def test_a_chair_is_taken_away_when_the_question_is_answered_with_yes() -> None:
    snapshot = FakeClient().snapshot
    local, effects = typed(snapshot, "down", "x")
    assert (local.asking, effects) == (Question.CHAIR, [])
    assert "Take the chair of bot 3 away?" in text_of(view(snapshot, local, 80, 24)[-2])
    assert typed(snapshot, "y", local=local)[1] == [Manage((TakeChair(2),))]
    for key in ("n", "enter", "b", "escape"):
        assert typed(snapshot, key, local=local) == (replace(local, asking=None), [])


def test_nobody_is_taken_out_of_a_free_chair() -> None:
    local, effects = typed(FakeClient(free=1).snapshot, "x")
    assert effects == [] and local.asking is None
    assert local.message == "nobody sits in that chair"


def test_enter_still_makes_ready() -> None:
    assert typed(FakeClient().snapshot, "down", "enter")[1] == [Ready()]


def test_rules_are_changed_by_enter_alone() -> None:
    snapshot = FakeClient().snapshot
    changed = Rules(deals=9, raise_cap=10)
    keys = ("r", "right", "down", "down", "left")
    local, effects = typed(snapshot, *keys)
    assert effects == [] and local.draft == changed
    after, effects = typed(snapshot, "enter", local=local)
    assert effects == [Manage((SetRules(changed),))]
    assert after == Local(message="the rules are changed: all read them again")
    for leaving in ("r", "escape"):
        assert typed(snapshot, *keys, leaving) == (Local(), [])
    for page in ("l", "m", "o", "?", "tab"):
        elsewhere, effects = typed(snapshot, *keys, page)
        assert effects == [] and elsewhere.page not in (Page.RULES, Page.TABLE)
        assert typed(snapshot, "enter", "r", local=elsewhere)[0].draft == snapshot.rules


def test_the_same_rules_are_nothing_to_read_again() -> None:
    assert typed(FakeClient().snapshot, "r", "right", "left", "enter") == (Local(), [])


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("name", RULE_NAMES)
def test_values_go_round_and_fit_the_seats(name: str, seats: int) -> None:
    numbers = {"deals": range(seats, 10 * seats + 1, seats), "raise_cap": RAISE_CAPS}
    values = list(CHOICES.get(name) or numbers[name])
    rules = Rules()
    seen: list[int | str] = []
    for _ in range(2 * len(values)):
        after = next_rules(rules, name, seats, 1)
        assert next_rules(after, name, seats, -1) == rules
        after.verify_seats(seats)
        rules = after
        seen.append(getattr(rules, name))
    start = values.index(getattr(Rules(), name)) + 1
    assert seen == [*values[start:], *values, *values[:start]]


@pytest.mark.parametrize(("name", "number", "below", "above"), [("deals", 600, 30, 3), ("raise_cap", 33, 20, 50)])
def test_a_number_between_the_values_has_its_place_among_them(name: str, number: int, below: int, above: int) -> None:
    rules = Rules().with_text(name, str(number))
    assert getattr(next_rules(rules, name, 3, -1), name) == below
    assert getattr(next_rules(rules, name, 3, 1), name) == above


def test_every_rule_has_its_row_and_the_chosen_one_its_arrows() -> None:
    snapshot = FakeClient().snapshot
    for at in range(len(RULE_NAMES)):
        local = Local(page=Page.RULES, draft=snapshot.rules, rule=at)
        for cols, rows in ((80, 24), (60, 16), (50, 10)):
            marked = [line for line in view(snapshot, local, cols, rows) if any(part.key == "left" for part in line)]
            assert any("▸ < " in text_of(line) for line in marked)
    local = Local(page=Page.RULES, draft=snapshot.rules.with_text("point", "pips"))
    drawn = [text_of(line) for line in view(snapshot, local, 80, 24)]
    assert [row.strip() for row in drawn if "changed" in row] == ["Point goes by card points alone   changed"]


def test_nothing_of_the_lobby_stays_open_in_the_game() -> None:
    client = FakeClient()
    rules = typed(client.snapshot, "r", "right")[0]
    question = typed(client.snapshot, "x")[0]
    assert [without_lobby(client.snapshot, local) for local in (rules, question)] == [rules, question]
    gone = FakeClient()
    gone.kick(1)
    assert without_lobby(gone.snapshot, question).asking is None  # who comes in now is not the one asked about
    client.ready()
    assert without_lobby(client.snapshot, rules) == Local()
    assert without_lobby(client.snapshot, question).asking is None
    leaving = Local(asking=Question.LEAVE, page=Page.HELP)
    assert without_lobby(client.snapshot, leaving) == leaving


def test_who_has_left_keeps_his_name_in_the_log() -> None:
    client = FakeClient(free=1)
    client.hear(SeatTaken(2, "Carla"), SeatReady(1), SeatReady(2))
    client.hear(seats=(*client.snapshot.seats[:2], replace(client.snapshot.seats[1], seat=2, name="Carla")))
    client.say("welcome")
    client.kick(2)
    client.add_bot("novice")
    client.hear(SeatReady(2))
    look = Look(client.snapshot, Local(), 80, 24, UNICODE)
    told = [one.sentence for one in tell_all(look, client.snapshot.events)]
    assert told[:4] == ["Carla takes seat 3", "Bruno is ready", "Carla is ready", "You: welcome"]
    assert told[4:6] == ["Carla leaves seat 3", "Bot 1 takes seat 3"]
    assert told[-1] == "Bot 1 is ready"
    ready = [event for event in client.snapshot.events if isinstance(event, SeatReady)]
    assert [one.sentence for one in tell_all(look, ready)] == ["Bruno is ready", "Carla is ready", "Bot 1 is ready"]


# The full screen


async def manage(place: Terminal, do: Callable[[str], Awaitable[None]]) -> None:
    """Two bots, other rules, one bot away and another in its place, and a game."""
    client = place.client
    await do("b")
    await do("b")
    assert client.snapshot.may_ready
    assert [info.bot_level for info in client.snapshot.seats] == [None, "novice", "novice"]
    for key in ("r", "right", "enter"):
        await do(key)
    assert client.snapshot.rules == Rules(deals=9)
    assert "The rules are changed: all read them again." in place.lines[-3]
    for key in ("down", "x", "y"):
        await do(key)
    assert [bool(info.key) for info in client.snapshot.seats] == [True, True, False]
    await do("b")
    assert "bot 3" in "\n".join(place.lines)
    await do("b")
    assert [info.bot_level for info in client.snapshot.seats] == [None, "novice", "club"]
    await do("enter")
    assert client.snapshot.stage is Stage.DEAL
    assert "Deal 1 of 9" in place.lines[0]


@in_a_terminal
@pytest.mark.parametrize("clicks", [False, True])
def test_the_host_manages_the_lobby(clicks: bool) -> None:
    async def scenario() -> None:
        async with terminal(FakeClient(free=2), cols=110) as (place, _):
            await manage(place, place.click if clicks else place.type)

    asyncio.run(scenario())


@in_a_terminal
def test_the_screen_knows_the_level_of_its_bots() -> None:
    async def scenario() -> None:
        client = FakeClient(free=2)
        async with terminal(client, options=ScreenOptions(pace_s=0.0, level="master")) as (place, _):
            await place.type("b")
            assert [info.bot_level for info in client.snapshot.seats] == [None, "master", None]

    asyncio.run(scenario())


def test_so_do_the_lines() -> None:
    client = FakeClient(free=2)
    play(client, ["bot", "bot random"], manners=Manners(patient=True, level="club"))
    assert [info.bot_level for info in client.snapshot.seats] == [None, "club", "random"]


@in_a_terminal
def test_what_cannot_be_done_is_said_in_the_status_row() -> None:
    async def scenario() -> None:
        client = FakeClient()
        async with terminal(client) as (place, _):
            await place.type("b")
            assert "No chair is free; x frees the chosen one." in place.lines[-3]
            await place.type("r", "right")
            client.hear(may_manage=False)
            await place.drawn()
            assert "Seats" in "\n".join(place.lines)  # the page is closed
            await place.type("b", "r", "x")
            assert client.snapshot.rules == Rules()
            assert all(info.key for info in client.snapshot.seats)

    asyncio.run(scenario())


class LateClient(FakeClient):
    """Learns that the game has begun when it is asked."""

    def add_bot(self, level: str) -> None:
        self.hear(may_manage=False)
        super().add_bot(level)


@in_a_terminal
def test_what_was_overtaken_is_said_in_the_status_row() -> None:
    async def scenario() -> None:
        async with terminal(LateClient(free=1)) as (place, _):
            await place.type("b")
            assert "The game has begun: chairs and rules are fixed." in place.lines[-3]

    asyncio.run(scenario())


# The line mode


def test_the_host_manages_the_lobby_by_commands() -> None:
    client = FakeClient(free=2, seed=5)
    changes = ["rules point=pips hold_back=fined deals=3", "kick 2", "bot"]
    told = play(client, ["bot", "bot RANDOM", *changes, "rules", "ready"], manners=SCRIPT)
    assert [info.bot_level for info in client.snapshot.seats] == [None, "random", "random"]
    assert client.snapshot.rules == Rules(deals=3, point="pips", hold_back="fined")
    assert "bot 1 takes seat 2, 2 of 3 seated" in told
    assert "bot 1 leaves seat 2" in told
    assert any(line.startswith("rules deals 3") and "point pips" in line for line in told)
    assert any(line.startswith("deal 1: your hand") for line in told)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("bot", "the table is full"),
        ("kick", "kick which seat? for instance: kick 2"),
        ("kick 1", "there is no guest in that chair"),
        ("kick 4", "kick which seat?"),
        ("rules point", "wants KEY=VALUE, not 'point'"),
        ("rules point=x", "point is one of these: cards, pips"),
        ("rules deals=4", "4 deals do not divide among 3 players"),
        ("rules deals=many", "deals is a number, not 'many'"),
        ("rules jokers=2", "there is no house rule 'jokers'"),
    ],
)
def test_commands_that_cannot_be_done_say_why(command: str, reason: str) -> None:
    client = FakeClient()
    before = client.snapshot
    told = play(client, [command, "quit"])
    assert any(line.startswith(f"no: {reason}") for line in told), told
    assert client.snapshot.seats == before.seats and client.snapshot.rules == before.rules


def test_a_level_that_there_is_not() -> None:
    told = play(FakeClient(free=1), ["bot grandmaster", "quit"])
    assert any("there is no level 'grandmaster'; there are random, novice" in line for line in told)


@pytest.mark.parametrize("command", ["bot", "kick 3", "rules deals=3"])
def test_a_guest_and_a_game_refuse_the_commands(command: str) -> None:
    told = play(FakeClient(our_seat=1), [command, "quit"])
    assert any(line.startswith("no: only the host changes rules and chairs") for line in told)
    told = play(FakeClient(), ["ready", command, "quit"])
    assert any(line.startswith("no: the game has begun") for line in told)


class SlowClient(FakeClient):
    """Seats and unseats a little later, as a real table does."""

    def kick(self, seat: int) -> None:
        asyncio.get_running_loop().call_later(0.02, super().kick, seat)

    def add_bot(self, level: str) -> None:
        asyncio.get_running_loop().call_later(0.02, super().add_bot, level)


def test_a_command_waits_until_the_one_before_is_seen() -> None:
    told = play(SlowClient(), ["kick 2", "seats", "bot", "seats", "quit"])
    freed, seated = told.index("Bruno leaves seat 2"), told.index("bot 1 takes seat 2, 3 of 3 seated")
    assert freed < told.index("seat 2: free") < seated
    assert any(line.startswith("seat 2: bot 1, bot, level club") for line in told[seated:])  # as bot 3 is
