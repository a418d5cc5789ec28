"""The catalogues are those of the code, and what people read goes through them."""

from __future__ import annotations

import ast
import gettext
import io
import re
from collections.abc import Iterator
from string import Formatter
from typing import Final, cast

import pytest
from babel.messages import Catalog, Message

from hocp2p.cli.commands import build_parser, each_command
from hocp2p.game.actions import Announce, Blanche, Claim, Combination, Declare, Go, Good, Hold, Pass, Raise, Sans, Stake
from hocp2p.players.reasons import Reason
from hocp2p.ui import greetings, lang, reports
from hocp2p.ui.advice_words import describe_reason
from hocp2p.ui.choices import choices
from hocp2p.ui.commands import HELP
from hocp2p.ui.error_messages import CONSTANT, LOSSES, PATTERNS, translate_error, translate_loss
from hocp2p.ui.local import Local
from hocp2p.ui.names import counted, payment_reason
from hocp2p.ui.narration import Narrator
from hocp2p.ui.rulebook import sections
from hocp2p.ui.words import describe_action, describe_event
from tests.support import catalogues
from tests.support.catalogues import PACKAGE, TEMPLATE, TRANSLATED, format_mo, format_po, is_translated
from tests.support.fake_client import FakeClient
from tests.ui.test_advice_words import SAID
from tests.ui.test_words import NAMES, SENTENCES

COMPLETE: Final[tuple[str, ...]] = ("fr", "ru")
"""Languages in which every message must be translated."""
CARDS: Final = re.compile("[A23456789TJQK][SHDC♠♥♦♣]( [A23456789TJQK][SHDC♠♥♦♣])*")
SHORTEST: Final = 12
"""Letters that a sentence of another layer has outside its places; fewer would fit anything."""


@pytest.fixture(scope="module")
def extracted() -> Catalog:
    return catalogues.extract()


def keys(catalogue: Catalog) -> set[tuple[str | None, object]]:
    """Context and English of each message, both forms where it counts."""
    return {(message.context, message.id) for message in catalogue if message.id}


def places(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def forms(text: object) -> tuple[str, ...]:
    """A message or its plural forms."""
    return tuple(map(str, text)) if isinstance(text, tuple | list) else (str(text),)


def has_its_places(message: Message) -> bool:
    """The same places as the English; where it counts, any form may do without the number."""
    english = set[str]().union(*map(places, forms(message.id)))
    translated = [places(form) for form in forms(message.string)]
    if len(translated) == 1:
        return translated[0] == english
    return all(english - {"count"} <= form <= english for form in translated)


# The files


def test_the_template_is_that_of_the_code(extracted: Catalog) -> None:
    assert len(keys(extracted)) > 400
    assert TEMPLATE.read_bytes() == format_po(extracted), "run: python -m tests.support.catalogues"


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_language_has_exactly_these_messages(language: str, extracted: Catalog) -> None:
    assert keys(catalogues.load(language)) == keys(extracted), "run: python -m tests.support.catalogues"


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_read_is_what_was_written(language: str) -> None:
    assert catalogues.mo_file(language).read_bytes() == format_mo(catalogues.load(language))
    assert lang.use_language(language) == language
    lang.use_language("en")


@pytest.mark.parametrize("language", TRANSLATED)
def test_places_are_kept(language: str) -> None:
    translated = [message for message in catalogues.load(language) if message.id and is_translated(message)]
    assert [message.id for message in translated if not has_its_places(message)] == []


def test_complete_languages_are_complete() -> None:
    for language in COMPLETE:
        assert [message.id for message in catalogues.load(language) if message.id and not is_translated(message)] == []


@pytest.mark.parametrize(
    ("english", "translated", "kept"),
    [
        ("{name} passes", "{name} passe", True),
        ("{name} passes", "il passe", False),
        ("you pass", "{name} passe", False),
        (("{count} card", "{count} cards"), ("une carte", "{count} cartes"), True),
        (("{count} card", "{count} cards"), ("{n} carte", "{count} cartes"), False),
    ],
)
def test_a_lost_place_is_found(english: str | tuple[str, str], translated: str | tuple[str, str], kept: bool) -> None:
    assert has_its_places(Message(english, translated)) == kept


def test_what_is_not_translated_or_doubtful_is_not_read() -> None:
    catalogue = Catalog(locale="ru")
    catalogue.add("pass", "пас")
    catalogue.add("good", "ладно", flags=["fuzzy"])
    catalogue.add("stay", "")
    catalogue.add(("{count} card", "{count} cards"), ("карта", "", ""))
    read = gettext.GNUTranslations(io.BytesIO(format_mo(catalogue)))
    assert [read.gettext(word) for word in ("pass", "good", "stay")] == ["пас", "good", "stay"]
    assert read.ngettext("{count} card", "{count} cards", 2) == "{count} cards"


# The code


def calls_at_import(source: str) -> Iterator[int]:
    """Lines where something is translated while the module is imported, before anybody has chosen a language."""
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "n_", "p_"):
            yield node.lineno
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def test_nothing_is_translated_at_import() -> None:
    assert list(calls_at_import("A = N_('a')\nB = _('b')\ndef c(): return _('c')\nD = lambda: n_('d', 'd', 1)")) == [2]
    found = [f"{path}:{line}" for path in PACKAGE.rglob("*.py") for line in calls_at_import(path.read_text("utf-8"))]
    assert found == []


def is_literal(call: ast.Call) -> bool:
    """Whether extraction can read what is marked by the call."""
    return all(isinstance(argument, ast.Constant) for argument in call.args[:2])


def test_what_is_marked_can_be_read() -> None:
    """A f-string or a name in :func:`N_` would be left out of the catalogues without a word."""
    marks = [
        (path, node)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("N_", "n_", "p_")
    ]
    assert len(marks) > 300
    assert [f"{path}:{node.lineno}" for path, node in marks if not is_literal(node)] == []


# A language that is English in brackets


def bracketed(text: object) -> str | tuple[str, ...]:
    quoted = tuple(f"«{form}»" for form in forms(text))
    return quoted if len(quoted) > 1 else quoted[0]


@pytest.fixture
def brackets(extracted: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = Catalog(locale="en")
    for message in extracted:
        if message.id:
            catalogue.add(message.id, bracketed(message.id), context=message.context)
    read = gettext.GNUTranslations(io.BytesIO(format_mo(catalogue)))
    monkeypatch.setattr(lang, "_catalogue", read)


def outside(text: str) -> str:
    """What stands in no brackets."""
    depth = 0
    left = []
    for letter in text:
        depth += (letter == "«") - (letter == "»")
        if depth == 0 and letter != "»":
            left.append(letter)
    return "".join(left)


@pytest.mark.usefixtures("brackets")
def test_every_event_is_told_in_the_language() -> None:
    told = [describe_event(event, NAMES, you=0) for event, _ in SENTENCES]
    texts = [text for text in told if text is not None]
    assert {outside(text) for text in texts} == {""}
    assert "«Everybody" not in texts[0]  # the first letter is the language's own business
    assert texts[0] == "«everybody antes 3, one into each pool»"


@pytest.mark.usefixtures("brackets")
@pytest.mark.parametrize(
    "action",
    [
        Pass(),
        Declare(Combination.QUART),
        Raise(4),
        Raise(4, Combination.QUART),
        Good(),
        Announce(Claim(4, 30)),
        Blanche(),
        Go(),
        Sans(12),
        Hold(1),
    ],
)
def test_every_action_is_named_in_the_language(action: Pass | Declare | Raise | Good | Announce | Blanche | Go) -> None:
    assert outside(describe_action(action, stake=Stake.POINT)) == ""


@pytest.mark.usefixtures("brackets")
def test_the_rules_are_told_in_the_language() -> None:
    for section in sections():
        assert outside(section.title) == ""
        for part in section.body:
            assert outside(part if isinstance(part, str) else part.meaning) == "" or " = " in str(part)


@pytest.mark.usefixtures("brackets")
def test_help_is_in_the_language_and_its_commands_are_not() -> None:
    for word, (usage, meaning) in HELP.items():
        assert reports.help_lines(word) == [f"«{usage}: «{meaning}»»"]
    for _name, command in each_command(build_parser()):
        assert outside(command.description or "") == "."
        for action in command._actions:
            if action.dest != "help":  # argparse has its own catalogue
                assert outside(action.help or "") == ""


@pytest.mark.usefixtures("brackets")
def test_hints_are_given_in_the_language() -> None:
    assert {outside(describe_reason(cast("Reason", reason), NAMES)) for reason, _text in SAID} == {""}


@pytest.mark.usefixtures("brackets")
def test_a_whole_deal_is_told_in_the_language() -> None:
    """Lines, reports and what may be said, at every turn of a deal."""
    client = FakeClient(seed=5)
    narrator = Narrator(ascii=True)
    told: list[str] = []
    client.listen(lambda snapshot, events: told.extend(line for e in events for line in narrator.tell(e, snapshot)))
    told.append(greetings.lobby_line(client.snapshot))
    client.ready()
    while not client.snapshot.finished:
        snapshot = client.snapshot
        told += [reports.turn_line(snapshot), *reports.run_lines(snapshot, ascii=True), *reports.seat_lines(snapshot)]
        told += [*reports.hand_lines(snapshot, ascii=True), *reports.score_lines(snapshot)]
        told += [part for choice in choices(snapshot, Local()) for part in (choice.label, choice.note)]
        client.act(snapshot.legal[0])
    assert len(told) > 100
    left = [outside(line).strip(" .") for line in told]
    assert [words for words in left if words and not CARDS.fullmatch(words)] == []


@pytest.mark.usefixtures("brackets")
def test_small_words() -> None:
    assert counted(1, "card") == "«1 card»"
    assert counted(2, "card") == "«2 cards»"
    assert payment_reason("tierce major") == "«tierce major»"
    assert payment_reason("1 card left") == "«1 card left»"
    assert payment_reason("4 cards left") == "«4 cards left»"
    assert payment_reason("something else") == "something else"


@pytest.mark.usefixtures("brackets")
def test_what_other_layers_say() -> None:
    assert translate_error("the table is full") == "«the table is full»"
    assert translate_error("port 7411 is in use, perhaps by another table; choose another with --port").startswith("«")
    assert translate_error("Bruno left the table; the table cannot go on").startswith("«Bruno left")
    assert translate_error("something that nobody has listed") == "something that nobody has listed"
    assert translate_error("") == ""
    assert translate_loss("{name}", "left the table") == "«{name} left the table»"
    assert translate_loss("Bruno", "broke the protocol at deck 2/3: {}") == "Bruno broke the protocol at deck 2/3: {}"


def sentences_elsewhere() -> Iterator[re.Pattern[str]]:
    """What the other layers write, with anything in the places of their f-strings."""
    for path in PACKAGE.rglob("*.py"):
        if path.is_relative_to(PACKAGE / "ui") or path.is_relative_to(PACKAGE / "cli"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            texts = [part.value if isinstance(part, ast.Constant) else None for part in parts]
            if sum(len(text) for text in texts if isinstance(text, str)) > SHORTEST:
                yield re.compile("".join(re.escape(text) if isinstance(text, str) else ".+" for text in texts))


def test_what_is_listed_is_said_somewhere() -> None:
    elsewhere = set(sentences_elsewhere())
    listed = [*CONSTANT, *PATTERNS, *(sentence.removeprefix("{name} ") for sentence in LOSSES)]
    assert [text for text in listed if not any(each.fullmatch(text) for each in elsewhere)] == []
