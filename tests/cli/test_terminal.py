"""A pseudo terminal: which face opens there, and how it is left."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pexpect = pytest.importorskip("pexpect")

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.timeout(120),
    pytest.mark.skipif(sys.platform == "win32", reason="pseudo terminals of POSIX"),
]

ALTERNATE_SCREEN = "\x1b[?1049h"
LOBBY = "login's table, 1 of 2 seated"  # the bot is on its way
TURN = r"turn you, [^\r]*legal: ([^\r|]+)[\r|]"  # and the first thing that is legal
BOTS = ["host", "--bots", "1", "--deals", "2", "--name", "login"]


@contextmanager
def terminal(*arguments: str, term: str = "xterm-256color", **environ: str) -> Iterator[Any]:
    """``hocp2p`` in a terminal of 80x24."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "hocp2p", *arguments],
        env={**os.environ, "TERM": term, **environ},
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=30,
    )
    try:
        yield child
    finally:
        child.close(force=True)


def exit_code(child: Any) -> int:
    """Waits for the end."""
    child.expect(pexpect.EOF)
    child.wait()
    return int(child.exitstatus)


def test_a_terminal_gets_the_full_screen() -> None:
    with terminal(*BOTS) as child:
        child.expect_exact("Opening the table ...")
        child.expect_exact(ALTERNATE_SCREEN)
        assert LOBBY not in child.before  # nobody else can come


@pytest.mark.sockets
def test_how_others_come_can_be_read_after_the_screen_has_closed_too() -> None:
    with terminal("host", "--seats", "2", "--port", "0", "--no-lan", "--name", "login") as child:
        child.expect(r"login's table at \S+, 1 of 2 seated; others: hocp2p join \S+")
        child.expect_exact(ALTERNATE_SCREEN)


@pytest.mark.parametrize(
    ("arguments", "environ"),
    [
        (["--plain"], {}),
        ([], {"HOCP2P_PLAIN": "1"}),
        ([], {"term": "dumb"}),
    ],
)
def test_lines_where_they_are_asked_for(arguments: list[str], environ: dict[str, str]) -> None:
    with terminal(*BOTS, *arguments, **environ) as child:
        child.expect_exact(LOBBY)
        child.expect_exact("read the rules and say ready")
        child.sendline("ready")
        child.expect("turn you, .* legal: ")
        assert "\x1b" not in child.before
        child.sendline("?")
        child.expect_exact("actions: pass declare raise")
        child.sendline("fly")
        child.expect_exact("no: there is no command 'fly'")
        child.sendline("quit")
        child.expect_exact("the table stopped: you have left the table")
        assert exit_code(child) == 0


def test_a_script_is_played_in_lines_also_in_a_terminal() -> None:
    with terminal(*BOTS, "--script", "-") as child:
        child.expect_exact("read the rules and say ready")
        child.sendline("ready")
        child.expect_exact("> ready")
        child.sendline("fly")
        child.expect_exact("hocp2p: line 2: there is no command 'fly'; ? lists them")
        assert exit_code(child) == 2


def test_the_end_of_the_input_by_hand() -> None:
    with terminal(*BOTS, "--plain") as child:
        child.expect_exact("say ready")
        child.expect_exact("\n")
        child.sendeof()
        child.expect_exact("no more commands, and the table waits for us: leaving it")
        assert exit_code(child) == 0


def test_interrupting_lines() -> None:
    with terminal(*BOTS, "--plain") as child:
        child.expect_exact("say ready")
        child.sendintr()
        assert exit_code(child) == 130
        assert "Traceback" not in child.before


def test_two_matches_by_hand_in_lines() -> None:
    """Always the first of what is legal, until the result is told; then another match, and out of the next."""
    with terminal(*BOTS, "--plain", "--ascii") as child:
        child.expect_exact("read the rules and say ready")
        child.sendline("ready")
        while child.expect([TURN, "the session is over: "]) == 0:
            child.sendline(typed(child.match[1]))
        child.expect_exact("another match: again; leave: quit")
        child.sendline("again")
        child.expect_exact("read the rules and say ready")
        child.sendline("ready")
        child.expect(TURN)
        child.sendline("quit")
        child.expect_exact("the table stopped: you have left the table")
        assert exit_code(child) == 0


def typed(legal: str) -> str:
    """A command for one of the things that are told to be legal: the first card of several, the best to announce."""
    word, *rest = legal.split()
    if word in ("announce", "show") or not rest:
        return word
    return f"{word} {rest[0].partition('/')[0].partition('-')[0].strip('[]')}"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals(number: int) -> None:
    with terminal(*BOTS, "--plain") as child:
        child.expect_exact("say ready")
        child.kill(number)
        assert exit_code(child) == 130
        assert "Traceback" not in child.before


def test_the_rules_are_paged_in_a_terminal() -> None:
    with terminal("rules", PAGER="cat", term="xterm") as child:
        child.expect_exact("The rules of Hoc Mazarin")
        assert exit_code(child) == 0


def test_words_of_the_rules_are_marked_in_a_terminal() -> None:
    with terminal("rules", "tie for lowest", PAGER="cat", NO_COLOR="", term="xterm") as child:
        child.expect_exact("2. TABLE AND CARDS")
        child.expect_exact("\x1b[1;4mtie for lowest\x1b[22;24m")
        assert exit_code(child) == 0
    with terminal("rules", "card", PAGER="cat", NO_COLOR="", term="xterm") as child:  # more than a page
        child.expect_exact("c\bca\bar\brd\bd")
        assert exit_code(child) == 0


def test_the_doctor_sees_the_terminal() -> None:
    with terminal("doctor", NO_COLOR="", term="linux") as child:
        child.expect_exact("a table would be shown on the full screen here (TERM: linux)")
        child.expect_exact("size: 80x24 is large enough")
        child.expect_exact("colours: 16, theme dark")
        assert exit_code(child) == 0
