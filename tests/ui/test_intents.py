"""The table of intents and what keys, clicks and commands do are the same, both ways."""

from __future__ import annotations

import string
from dataclasses import replace
from functools import cache

import pytest

from hocp2p.errors import HocError
from hocp2p.game.actions import Action
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.cells import UNICODE, text_of
from hocp2p.ui.commands import ACTION_HELP, HELP, REPORTS, format_words, parse_command
from hocp2p.ui.effects import Effect
from hocp2p.ui.intent import KEY_LABELS, Intent
from hocp2p.ui.intents import INTENTS, PINNED, available
from hocp2p.ui.intents_deal import CARD
from hocp2p.ui.keys import press
from hocp2p.ui.local import Local, Page
from hocp2p.ui.look import Look
from hocp2p.ui.modes import ASKING, Mode, mode
from hocp2p.ui.parts.bottom import bottom_rows
from hocp2p.ui.parts.pages import help_body
from hocp2p.ui.presenter import view
from tests.support.fake_client import FakeClient
from tests.ui import scenes
from tests.ui.line_runs import plain_words, play, play_by, table

pytestmark = pytest.mark.timeout(60)

TYPED = (*string.ascii_letters, *string.digits, *string.punctuation)
ROOMS = ((80, 24), (120, 36), (200, 60))


@cache
def pictures() -> tuple[scenes.Scene, ...]:
    """All scenes, and one of them in each state that no drawing is kept of."""
    found = scenes.scenes()
    snapshot, local = found["play-called"]
    waiting = snapshot, replace(local, waiting=3)
    return (*found.values(), waiting)


def keys_of(scene: scenes.Scene) -> set[str]:
    """All keys that might be pressed: the usual ones, and the cards of the hand."""
    snapshot, _ = scene
    cards = [f"{CARD}{card}" for card in snapshot.view.hand] if snapshot.view is not None else []
    return {*TYPED, *KEY_LABELS, *cards}


def pressed(key: str, scene: scenes.Scene) -> tuple[Local, Effect | None]:
    snapshot, local = scene
    return press(key, snapshot, local)


def does_something(key: str, scene: scenes.Scene) -> bool:
    """More than to say why it does nothing."""
    after, effect = pressed(key, scene)
    return effect is not None or replace(after, message="", message_since=None) != replace(scene[1], message="")


def in_table(key: str) -> str:
    """As the table has it: the cards are one key."""
    return CARD if key.startswith(CARD) else key


def offered(scene: scenes.Scene) -> set[str]:
    return {key for intent in available(*scene) for key in intent.keys}


def test_names_and_commands_are_told_apart() -> None:
    names = [intent.name for intent in INTENTS]
    words = [intent.word for intent in INTENTS if intent.command]
    assert len(set(names)) == len(names)
    assert len(set(words)) == len(words)
    assert set(PINNED) <= set(names)
    for intent in INTENTS:
        assert intent.keys or intent.command, intent.name
        assert bool(intent.keys) == bool(intent.modes), intent.name
        assert set(intent.bar) <= set(intent.keys), intent.name
        assert bool(intent.bar) == bool(intent.label), intent.name
        assert bool(intent.command) == bool(intent.meaning), intent.name


def test_no_key_means_two_things() -> None:
    for scene in pictures():
        keys = [key for intent in available(*scene) for key in intent.keys]
        assert len(set(keys)) == len(keys), (mode(*scene), sorted(keys))


def test_what_a_key_does_is_in_the_table() -> None:
    for scene in pictures():
        now = mode(*scene)
        if now is Mode.TYPING:
            continue  # characters are text
        for key in keys_of(scene):
            known = in_table(key) in offered(scene)
            if now in ASKING and not known:
                assert pressed(key, scene) == (replace(scene[1], asking=None), None), (now, key)
            else:
                assert known or not does_something(key, scene), (now, key)


@pytest.mark.parametrize("intent", [intent for intent in INTENTS if intent.keys], ids=lambda intent: intent.name)
def test_what_is_in_the_table_is_done(intent: Intent) -> None:
    """Each of its keys does something somewhere; of digits, those of what is offered, of ranks, those of a hand."""
    places = [scene for scene in pictures() if intent.available(*scene)]
    assert places
    done = {in_table(key) for scene in places for key in keys_of(scene) if does_something(key, scene)}
    missing = set(intent.keys) - done
    assert missing <= set(string.digits) | {"t", "a"}, missing
    assert set(intent.keys) & done


@pytest.mark.parametrize("intent", [intent for intent in INTENTS if intent.keys], ids=lambda intent: intent.name)
def test_the_mouse_reaches_everything_that_keys_do(intent: Intent) -> None:
    areas: set[str] = set()
    for scene in pictures():
        if intent.available(*scene):
            areas |= {in_table(part.key) for room in ROOMS for line in view(*scene, *room) for part in line}
    assert areas & set(intent.keys)


def test_a_click_presses_a_key_of_the_table() -> None:
    for scene in pictures():
        for room in ROOMS:
            areas = {in_table(part.key) for line in view(*scene, *room) for part in line if part.key}
            assert areas <= offered(scene), (mode(*scene), areas - offered(scene))


def test_the_row_of_keys_is_that_of_the_table() -> None:
    for snapshot, local in pictures():
        row = bottom_rows(Look(snapshot, local, 400, 60, UNICODE))[-1]
        keys = list(dict.fromkeys(part.key for part in row if part.key))
        shown = [key for intent in available(snapshot, local) for key in intent.bar]
        assert sorted(keys) == sorted(shown)
        narrow = text_of(bottom_rows(Look(snapshot, local, 60, 16, UNICODE))[-1])
        assert len(narrow) <= 60


def test_where_only_sans_is_left_nothing_is_played() -> None:
    forced, free = (text_of(view(*scenes.scenes()[name], 80, 24)[-1]) for name in ("play-forced", "play-called"))
    assert forced.strip().startswith("Enter say it  p sans")
    assert free.strip().startswith("Enter play  A all")


def test_the_help_page_names_a_key_once_at_a_time() -> None:
    """Of what is true always; what belongs to a phase stands under that."""

    def keys(name: str) -> list[str]:
        snapshot, local = scenes.scenes()[name]
        rows = help_body(Look(snapshot, replace(local, page=Page.HELP), 80, 200, UNICODE))
        texts = [text_of(row) for row in rows]
        always = texts[texts.index("  Always") + 1 : texts.index("  The showdown")]
        return [text.split()[0] for text in always if text.startswith("    ") and text[4] != " "]

    assert keys("lobby-host").count("i") == 1  # invite
    assert keys("auction-unopened").count("i") == 1  # hint
    assert keys("auction-sequence").count("c") == 0  # the class, which stands above


# The line mode.


def test_the_help_of_the_line_mode_is_the_table() -> None:
    assert {intent.word: (intent.command, intent.meaning) for intent in INTENTS if intent.command} == HELP


@pytest.mark.parametrize("word", sorted(HELP))
def test_every_command_is_understood(word: str) -> None:
    snapshot = scenes.Story("play AH", "play 2D", "sans 3").to_play().now
    arguments = {"say": "hello", "raise": "2", "play": "3d", "hoc": "jd", "hold": "3", "kick": "2"}
    arguments |= {"giveup": "2", "wait": "2", "admit": "1", "decline": "1"}
    try:
        parse_command(f"{word} {arguments.get(word, '')}", snapshot)
    except HocError as error:
        assert word in ACTION_HELP and error.code != "unknown-command"  # it is not the time for it


@pytest.mark.parametrize("word", sorted(REPORTS | {"hint", "forced"}))
def test_every_report_answers(word: str) -> None:
    client = table()
    before = len(play(table(), ["ready"]))
    told = play(client, ["ready", word])
    assert len(told) > before
    assert not any(line.startswith("no:") for line in told)


def test_every_action_of_a_session_is_a_command_of_the_table() -> None:
    said: set[str] = set()

    def choose(snapshot: TableSnapshot) -> str:
        assert snapshot.view is not None
        said.update(_word(action, snapshot) for action in snapshot.legal)
        return plain_words(snapshot)

    for seed in range(1, 6):
        client = FakeClient(seed=seed)
        play_by(client, choose)
        assert client.snapshot.stage is Stage.ENDED
    assert said <= ACTION_HELP.keys()
    assert {"pass", "raise", "play", "sans"} <= said


def _word(action: Action, snapshot: TableSnapshot) -> str:
    assert snapshot.view is not None
    return format_words(action, snapshot.view.state.stake).split()[0]
