"""The full screen and the explanations in a language with longer words: everything is translated, and it fits."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

import pytest
from prompt_toolkit.input import create_pipe_input
from wcwidth import wcswidth

from hocp2p.game.house import CHOICES, Rules
from hocp2p.table import deal as table_deal
from hocp2p.table.events import TalkSaid
from hocp2p.table.snapshot import Stage
from hocp2p.ui import lang
from hocp2p.ui.cells import text_of
from hocp2p.ui.choices import choices
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.keys import press
from hocp2p.ui.lesson import TEXT_CELLS, TOPICS, Course
from hocp2p.ui.lesson_line import lesson_lines
from hocp2p.ui.lesson_screen import LessonScreen
from hocp2p.ui.meeting import join_command
from hocp2p.ui.parts.lobby import describe_rules
from hocp2p.ui.presenter import view
from hocp2p.ui.proof_words import proof_words
from tests.support import catalogues
from tests.support.pseudo import pseudo, pseudo_language, untranslated
from tests.ui import scenes
from tests.ui.test_lesson import SEEDS, OpenClient, play
from tests.ui.test_lesson_screen import OPTIONS, LessonTerminal, pictures

pytestmark = pytest.mark.timeout(90)

ROOMS: Final = ((30, 10), (60, 16), (80, 24), (120, 36))
NAMES: Final = sorted(path.stem for path in scenes.SCREENS.glob("*.txt"))
KEPT: Final = {"anna", "bruno", "brun", "bot", "hoc", "hocp"}
"""Names, also cut to four letters; the mark of a hoc; the command."""
KEYS: Final = (*"apdtgrcwhs029A+?lmoifvxun/", "enter", "space", "up", "left", "tab")


@cache
def all_scenes() -> dict[str, scenes.Scene]:
    return scenes.scenes()


@pytest.fixture(autouse=True)
def longer(monkeypatch: pytest.MonkeyPatch) -> None:
    all_scenes()  # played by their English words
    monkeypatch.setattr(lang, "_catalogue", pseudo_language())


def drawn(name: str, cols: int, rows: int, *, ascii_only: bool = False) -> list[str]:
    return [text_of(line) for line in view(*all_scenes()[name], cols, rows, ascii=ascii_only)]


def of_others(name: str) -> set[str]:
    """Words of a scene that are not the client's own, or that were said in English before the language was chosen."""
    snapshot, local = all_scenes()[name]
    texts = [text for info in snapshot.seats for text in (info.name, info.owner, info.bot_level, info.key)]
    texts += [event.text for event in snapshot.events if isinstance(event, TalkSaid)]
    texts += [text for way in snapshot.ways for text in (way.kind, way.address)]
    texts += [text for knock in snapshot.knocks for text in (knock.name, knock.key)]
    texts += [local.typing, local.message, join_command(snapshot), "hocp2p resume"]
    if snapshot.stage is Stage.LOBBY:
        texts.append(f"hocp2p join {snapshot.address}")
    if snapshot.stopped is not None and translate_error(snapshot.stopped.message) == snapshot.stopped.message:
        texts.append(f"{snapshot.stopped.message} {snapshot.stopped.step}")
    return KEPT | untranslated(" ".join(text for text in texts if text))


def test_the_language_is_longer_and_keeps_places() -> None:
    assert pseudo("{name} takes {amount}: hoc") == "{name} Жtakesы {amount}: Жhocы"
    assert pseudo("brelan", 2.0) == "Жbrelan" + "ы" * 11
    assert untranslated("Жtakesы жhocы Bruno 12 ok") == {"bruno"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_page_has_its_size(name: str, ascii_only: bool) -> None:
    for cols, rows in ROOMS:
        assert [wcswidth(line) for line in drawn(name, cols, rows, ascii_only=ascii_only)] == [cols] * rows


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_page_is_in_the_language(name: str, ascii_only: bool) -> None:
    text = "\n".join(drawn(name, 200, 60, ascii_only=ascii_only))
    assert pseudo("help") in text or pseudo("no") in text or pseudo("do not") in text
    assert untranslated(text) - of_others(name) == set()


@pytest.mark.parametrize("name", NAMES)
def test_help_and_leaving_stay_in_the_row_of_keys(name: str) -> None:
    local = all_scenes()[name][1]
    for cols, rows in ROOMS[1:]:
        prompt, keys = drawn(name, cols, rows)[-2:]
        assert prompt.strip()
        if local.asking is None:
            assert f"^Q {pseudo('leave')}" in keys


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("auction-")])
def test_every_call_has_its_button(name: str) -> None:
    snapshot, local = all_scenes()[name]
    text = "\n".join(drawn(name, 80, 24))
    offered = choices(snapshot, local)
    for choice in offered if local.advice is None else ():  # a hint stands above them
        assert f"{choice.button or choice.label} ]" in text


def test_numbers_stay_where_words_are_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the table of stakes what a seat has put in matters more than that it has given up."""
    row = next(line for line in drawn("auction-raised", 60, 16) if " bot 3" in line)
    assert re.search(rf"{pseudo('good')} 1 +1 +1 ", row)
    monkeypatch.setattr(lang, "_catalogue", pseudo_language(2.0))
    row = next(line for line in drawn("auction-raised", 60, 16) if " bot 3" in line)
    assert re.search(r" 97 +1 +1 +1 ", row)


def test_labels_get_more_room_where_there_is_some() -> None:
    """No column is cut at 80 columns for a language like this."""
    for name in ("settlement", "last-settlement", "match-end", "proofs", "ready"):
        for line in drawn(name, 80, 24)[:-4]:
            assert "…" not in line[:28], line


@pytest.mark.parametrize("name", NAMES)
def test_what_keys_answer_is_in_the_language(name: str) -> None:
    snapshot, local = all_scenes()[name]
    for key in KEYS:
        after, _ = press(key, snapshot, local)
        assert untranslated(after.message) == set(), key


def test_every_rule_of_a_table_is_told_in_the_language() -> None:
    for rule, settings in CHOICES.items():
        for setting in settings:
            told = describe_rules(Rules().with_text(rule, setting))
            assert untranslated(" ".join(told)) == set()


def test_every_kind_of_proof_is_counted_in_the_language() -> None:
    kinds = (
        table_deal.KEYS,
        table_deal.SHUFFLES,
        table_deal.SHARES,
        table_deal.OPENINGS,
        table_deal.SANS,
        table_deal.BLANCHES,
        table_deal.RECEIPTS,
    )
    for one, many in kinds:
        assert untranslated(" ".join(proof_words([f"1 {one}", f"3 {many}"]))) == set()
    assert proof_words(["3 shuffles"]) == [f"3 {pseudo('shuffles')}"]
    assert proof_words(["3 new things", "shuffles", ""]) == ["3 new things", "shuffles", ""]


def test_every_explanation_is_in_the_language() -> None:
    topics: set[str] = set()
    for seed in SEEDS[:20]:
        told, _ = play(OpenClient(seed=seed, rules=Rules(deals=3), ask_ready=True), Random(seed))
        for each in told:
            topics.add(each.lesson.topic)
            lines = lesson_lines(each.lesson)
            assert untranslated(" ".join(lines)) - KEPT == set()
            assert max(map(wcswidth, lines)) <= TEXT_CELLS
    assert len(topics) >= len(TOPICS) - 2


@pytest.mark.parametrize(("cols", "rows"), ROOMS[1:])
def test_every_explanation_fits_the_screen(cols: int, rows: int) -> None:
    course = Course()
    for client, snapshot in pictures():
        found = course.next(snapshot, client.open_hands(snapshot))
        assert found is not None
        with create_pipe_input() as keys:
            place = LessonTerminal(client, OPTIONS, cols, rows, keys)
            screen = LessonScreen(client, OPTIONS, keys, place.screen.app.output)
            screen.pacer.shown = snapshot
            screen.lesson = found
            lines = [text_of(line) for line in screen.lines(cols, rows)]
        assert [wcswidth(line) for line in lines] == [cols] * rows
        assert lines[-2].startswith((f" {pseudo('Enter: read on')}", f" {pseudo('Enter: go on')}"))


def marked(path: Path) -> Iterator[tuple[int, str | None, str]]:
    """Every message of a module as the parser sees it: its line, its context, its English."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "N_", "n_", "p_"):
            texts = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            if node.func.id == "p_" and len(texts) == 2:
                yield node.lineno, texts[0], texts[1]
            elif texts:
                yield node.lineno, None, texts[0]


def test_what_is_translated_is_in_the_catalogues() -> None:
    """Extraction does not look into f-strings: a message there would be left out without a word."""
    extracted = {(each.context, each.id if isinstance(each.id, str) else each.id[0]) for each in catalogues.extract()}
    found = [(path, *mark) for path in (catalogues.PACKAGE / "ui").rglob("*.py") for mark in marked(path)]
    assert len(found) > 500
    assert [f"{path}:{line}" for path, line, context, text in found if (context, text) not in extracted] == []
