"""``hocp2p rules``: whole, by section, by words; and how matches are marked."""

from __future__ import annotations

import io
import os
import pydoc
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.cli import rules
from hocp2p.cli.main import main
from hocp2p.cli.rules import format_chapters, highlight, search
from hocp2p.ui.rulebook import Section, Term, format_rulebook, sections

BOOK = list(enumerate(sections(), 1))
SMALL = [
    (3, Section("Stakes", ("First of all, élan.", Term("pass", "say nothing."), "Second thing."))),
    (7, Section("Fines", ("A fine of 5.",))),
]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rules", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_the_whole_book(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert run(capsys) == format_rulebook(60)
    monkeypatch.setenv("COLUMNS", "300")
    assert run(capsys) == format_rulebook(rules.MAX_WIDTH)


def test_the_names_of_the_sections(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "--list").splitlines()
    assert [line.strip() for line in lines] == [f"{number}. {section.title}" for number, section in BOOK]


@pytest.mark.parametrize("name", ["6", "carte blanche", "BLANCHE"])
def test_one_section(capsys: pytest.CaptureFixture[str], name: str) -> None:
    out = run(capsys, "--section", name)
    assert out == format_chapters([BOOK[5]], 80)
    assert out.startswith("6. CARTE BLANCHE\n\n")
    assert out in format_rulebook(80)


@pytest.mark.parametrize("name", ["0", "99", "bridge", "", " ", "²"])
def test_a_section_that_is_none(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["rules", "--section", name]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"hocp2p: the rules have no section {name!r}; hocp2p rules --list names all\n"


def test_words_give_whole_paragraphs_below_their_headings(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "fortuitous", "HOC")
    assert "9. THE PLAY" not in out
    assert "7. THE PLAY\n\n" in out
    assert "If nobody plays the called rank, the last card on the table is a fortuitous hoc." in " ".join(out.split())
    assert "fortuitous = paid | unpaid." in out
    assert "  unpaid: only the lead.\n" in out  # the terms of a paragraph stay with it
    assert "Eldest leads any card." not in out


def test_words_within_a_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--section", "house", "fortuitous").count("\n\n") == 1


def test_nothing_found_names_the_sections(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "trump", "ace")
    assert out.startswith("nothing found: no paragraph has 'trump' and 'ace'. These are the sections:\n 1. The game")
    assert len(out.splitlines()) == 1 + len(BOOK)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["first"], [("Stakes", 2)]),
        (["ELAN"], [("Stakes", 2)]),
        (["élan", "nothing"], [("Stakes", 2)]),
        (["first", "second"], []),
        (["second"], [("Stakes", 1)]),
        (["stakes"], [("Stakes", 3)]),
        (["stakes", "second"], [("Stakes", 1)]),
        (["stakes", "first"], [("Stakes", 2)]),
        (["fine"], [("Fines", 1)]),
        (["5"], [("Fines", 1)]),
        (["first of  all"], [("Stakes", 2)]),
        (["f"], [("Stakes", 2), ("Fines", 1)]),
        ([".*"], []),
        ([""], []),
        (["fi\nne"], []),
    ],
)
def test_what_is_found(words: list[str], found: list[tuple[str, int]]) -> None:
    assert [(section.title, len(section.body)) for _, section in search(SMALL, words)] == found


def test_matches_are_marked_across_lines() -> None:
    text = "A carte\n    blanche, a Carte blanche; CARTÉ."
    assert highlight(text, ["carte blanche", "carté"], lambda word: f"<{word}>") == (
        "A <carte>\n<    blanche>, a <Carte blanche>; <CARTÉ>."
    )
    assert rules._bold("    blanche") == "    \x1b[1;4mblanche\x1b[22;24m"
    assert rules._overstrike("a b") == "a\ba b\bb"


@given(st.text(max_size=40), st.lists(st.text(max_size=5), min_size=1, max_size=3))
def test_marking_changes_nothing_else(text: str, words: list[str]) -> None:
    assert highlight(text, words, lambda word: word) == text
    assert pydoc.plain(highlight(text, words, rules._overstrike)) == pydoc.plain(text)


@given(st.sampled_from([word for word in format_rulebook(80).split() if word.isalpha()]))
def test_every_word_of_the_book_is_found(word: str) -> None:
    assert search(BOOK, [word.upper()])


class Terminal:
    """Standard input and output, seen by somebody."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.paged: list[str] = []
        monkeypatch.setattr(rules, "is_terminal", lambda _: True)
        monkeypatch.setattr(pydoc, "pager", self.paged.append)
        monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((80, 24)))
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.delenv("NO_COLOR", raising=False)


def test_at_a_terminal_the_book_is_paged(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal(monkeypatch)
    assert run(capsys) == ""
    assert terminal.paged == [format_rulebook(80)]
    monkeypatch.setenv("HOCP2P_PLAIN", "1")  # a screen reader needs no pages
    assert run(capsys) == format_rulebook(80)


@pytest.mark.parametrize(("encoding", "suits"), [("cp437", False), ("cp65001", True)])
def test_suits_that_the_pager_of_windows_cannot_read(
    encoding: str, suits: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal(monkeypatch)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "device_encoding", lambda _handle: encoding)
    assert run(capsys) == ""
    assert ("K♣" in terminal.paged[0]) is suits
    assert ("KC" in terminal.paged[0]) is not suits


def test_suits_that_a_file_cannot_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="cp1252", errors="strict"))
    assert main(["rules"]) == 0
    assert b"KC KS KH" in out.getvalue()


def test_at_a_terminal_matches_are_marked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal(monkeypatch)
    short = run(capsys, "draws", "again")
    assert "\x1b[1;4mdraws\x1b[22;24m a card" in short
    assert terminal.paged == []
    assert run(capsys, "card") == ""
    (long,) = terminal.paged
    assert "c\bca\bar\brd\bd" in long
    assert pydoc.plain(long) == format_chapters(search(BOOK, ["card"]), 80)


@pytest.mark.parametrize(
    "environ", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"HOCP2P_COLOR": "never"}, {"HOCP2P_PLAIN": "1"}]
)
def test_marks_that_are_not_wanted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], environ: dict[str, str]
) -> None:
    Terminal(monkeypatch)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert "\x1b" not in run(capsys, "draws", "again")


def test_a_wrong_configuration_is_told(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folders / "config" / "hocp2p" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text("pages = 3", encoding="utf-8")
    assert main(["rules"]) == 2
    assert "sets 'pages', which is no setting" in capsys.readouterr().err
