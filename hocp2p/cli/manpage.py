"""``hocp2p man``: the manual page, written from the parsers, settings and exit codes that the program runs by."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hocp2p import __version__
from hocp2p.cli.commands import DESCRIPTION, Parser, build_parser, each_command
from hocp2p.cli.config import meanings
from hocp2p.cli.exits import MEANINGS
from hocp2p.cli.main import USAGE
from hocp2p.cli.settings import VARIABLES
from hocp2p.record.paths import config_file, identity_file, state_dir
from hocp2p.ui.lang import N_, _

FILES: Final = (
    (config_file, N_("settings, see hocp2p config --example")),
    (identity_file, N_("the key that is you at every table, readable by you alone")),
    (state_dir, N_("the log, and reports of bugs")),
)
PRECEDENCE: Final = N_(
    "Every setting has an environment variable and, but for scripts, a line in the file of settings. "
    "An option goes before the variable, and that before the file; hocp2p config shows what comes of it."
)
OTHER_VARIABLES: Final = {
    "NO_COLOR": N_("if set, no colours"),
    "TERM": N_("dumb: lines instead of the full screen"),
    "PAGER": N_("shows the rules a page at a time"),
}
ESCAPES: Final = str.maketrans({"\\": r"\e", "-": r"\-", "~": r"\(ti", "^": r"\(ha", "`": r"\(ga"})


def print_man_page() -> int:
    """Writes the page to standard output, as source for troff."""
    sys.stdout.write(format_man_page())
    return 0


def format_man_page() -> str:
    """The page in the macros of man(7)."""
    return "\n".join(_lines(build_parser())) + "\n"


def _lines(parser: Parser) -> Iterator[str]:
    yield f'.TH HOCP2P 6 "" "hocp2p {__version__}" "Games"'
    yield from (".SH NAME", _escape(f"{parser.prog} - {_(DESCRIPTION).rstrip('.')}"))
    yield ".SH SYNOPSIS"
    for name, command in each_command(parser):
        yield from _synopsis(name, command)
    yield from (".SH DESCRIPTION", _escape(_(DESCRIPTION)))
    yield _escape(_(PRECEDENCE))
    yield from (".SH OPTIONS", *_options(parser))
    yield ".SH COMMANDS"
    for name, command in each_command(parser):
        yield from (f".SS {_escape(name)}", _escape(command.description or ""), *_options(command))
    yield ".SH FILES"
    for path, meaning in FILES:
        yield from _tagged(_italic(_homely(path())), _(meaning))
    yield ".SH ENVIRONMENT"
    for variable, name in VARIABLES.items():
        yield from _tagged(_bold(variable), meanings()[name])
    for variable, meaning in OTHER_VARIABLES.items():
        yield from _tagged(_bold(variable), _(meaning))
    yield ".SH EXIT STATUS"
    for code, meaning in MEANINGS.items():
        yield from _tagged(_bold(str(int(code))), _(meaning))
    yield ".SH EXAMPLES"
    for meaning, line in re.findall(r"(?m)^  (.+?): +(hocp2p .+?)(?: {2,}.*)?$", _(USAGE)):
        yield from _tagged(_bold(line), meaning)


def _synopsis(name: str, command: Parser) -> Iterator[str]:
    """``hocp2p join [options] HOST:PORT``."""
    words = ["[options]"] if any(action.option_strings for action in _own(command)) else []
    for action in _own(command):
        if not action.option_strings:
            words.append(f"[{action.metavar} ...]" if action.nargs == "*" else str(action.metavar))
    yield from (".PP", f"{_bold(f'hocp2p {name}')} {_escape(' '.join(words))}".rstrip())


def _options(parser: Parser) -> Iterator[str]:
    for action in _own(parser):
        names = ", ".join(map(_bold, action.option_strings))
        value = _italic(str(action.metavar)) if action.metavar is not None else ""
        yield from _tagged(f"{names} {value}".strip(), action.help or "")


def _own(parser: Parser) -> list[argparse.Action]:
    """Options and arguments, without --help of every command and without the list of commands."""
    kinds = (argparse._HelpAction, argparse._SubParsersAction)  # there is no public way to ask
    return [action for action in parser._actions if not isinstance(action, kinds)]


def _tagged(tag: str, meaning: str) -> Iterator[str]:
    yield from (".TP", tag, _escape(meaning))


def _homely(path: Path) -> str:
    """Without the name of whoever writes the page."""
    return f"~/{path.relative_to(Path.home()).as_posix()}" if path.is_relative_to(Path.home()) else str(path)


def _bold(text: str) -> str:
    return rf"\fB{_escape(text)}\fR"


def _italic(text: str) -> str:
    return rf"\fI{_escape(text)}\fR"


def _escape(text: str) -> str:
    """Text as troff prints it: signs that can be copied, and no request at the beginning of a line."""
    text = text.translate(ESCAPES)
    return rf"\&{text}" if text[:1] in (".", "'") else text
