"""``hocp2p``: the commands and their options. What a command needs is imported when it runs, so that help is quick."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NoReturn

from hocp2p import __version__

USAGE: Final = """\
hocp2p: Hoc Mazarin, a French court card game, for two or three people who trust nobody
  play against two bots:    hocp2p host --bots 2
  host a table for three:   hocp2p host --seats 3
  join somebody's table:    hocp2p join HOST:PORT
  read the rules:           hocp2p rules      (all commands: hocp2p --help)
"""
Run = Callable[[Mapping[str, object]], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and gives its exit code; every error is one sentence on standard error.

    Args:
        argv: the arguments; None: those of the process.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # names that the terminal cannot show are no reason to stop
    try:
        flags = vars(build_parser().parse_args(argv))
        run: Run | None = flags.pop("run", None)
        if run is None:
            sys.stdout.write(USAGE)
            return 0
        code = run(flags)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        _drop_stdout()
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # the one place where whatever went wrong becomes an exit code
        return _explain(error)


def build_parser() -> argparse.ArgumentParser:
    """All commands and options. Values are checked by :mod:`hocp2p.cli.settings`, wherever they were set."""
    parser = _Parser(prog="hocp2p", description="Hoc Mazarin, a card game for two or three people who trust nobody.")
    parser.add_argument("--version", action="version", version=f"hocp2p {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_host(commands)
    _add_join(commands)
    _add_bot(commands)
    commands.add_parser("rules", help="read the rules of the game").set_defaults(run=_rules)
    _add_bench(commands)
    return parser


class _Parser(argparse.ArgumentParser):
    """Errors are one sentence, as everywhere."""

    def __init__(self, **options: object) -> None:
        super().__init__(allow_abbrev=False, **options)  # type: ignore[arg-type] # passed through

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"hocp2p: {message}; see {self.prog} --help\n")


_Commands = argparse._SubParsersAction  # the type has no public name


def _add_host(commands: _Commands[_Parser]) -> None:
    parser = commands.add_parser("host", help="open a table, for people, bots or both")
    table = parser.add_argument_group("table")
    table.add_argument("--seats", metavar="2|3", help="players (default: you and the bots, at least 2)")
    table.add_argument("--bots", metavar="N", help="seats filled with bots (default: 0)")
    table.add_argument("--level", metavar="LEVEL", help="of the bots: random or novice (default: novice)")
    table.add_argument("--deals", metavar="N", help="a multiple of the seats (default: 6)")
    table.add_argument(
        "--house", metavar="KEY=VALUE", nargs="+", action="extend", help="house rules, see hocp2p rules: point=pips"
    )
    table.add_argument("--bind", metavar="ADDR", help="address to listen on (default: all of this machine)")
    table.add_argument("--port", metavar="P", help="port to listen on, 0 for any (default: 7411)")
    table.add_argument("--pace", metavar="SECONDS", help="how long bots seem to think; 0 hurries the screen, too")
    _add_face(parser)
    parser.set_defaults(run=_host)


def _add_join(commands: _Commands[_Parser]) -> None:
    parser = commands.add_parser("join", help="take a seat at somebody's table")
    parser.add_argument("address", metavar="HOST:PORT", help="as the host's table shows it")
    parser.add_argument("--pace", metavar="SECONDS", help="how long the autopilot seems to think (default: 0)")
    _add_face(parser)
    parser.set_defaults(run=_join)


def _add_bot(commands: _Commands[_Parser]) -> None:
    parser = commands.add_parser("bot", help="seat a bot at somebody's table")
    parser.add_argument("address", metavar="HOST:PORT", help="as the host's table shows it")
    parser.add_argument("--level", metavar="LEVEL", required=True, help="random or novice")
    parser.add_argument("--name", metavar="NAME", help="of the bot (default: bot)")
    parser.add_argument("--owner", metavar="NAME", help="who runs it, shown beside it (default: your name)")
    parser.add_argument("--pace", metavar="SECONDS", help="how long it seems to think (default: 0)")
    parser.add_argument("--identity", metavar="FILE", help="identity key (default: a new one for this table)")
    parser.add_argument("--json", action="store_true", default=None, help="one JSON object a line")
    parser.add_argument("--ascii", action="store_true", default=None, help="letters for suits")
    parser.set_defaults(run=_bot)


def _add_bench(commands: _Commands[_Parser]) -> None:
    """Its options are its own: no prefix makes an option here, and so all is passed on."""
    meaning = "measure what a deal costs on this machine"
    parser = commands.add_parser("bench", help=meaning, add_help=False, prefix_chars="\0")
    parser.add_argument("arguments", nargs="*")
    parser.set_defaults(run=_bench)


def _add_face(parser: argparse.ArgumentParser) -> None:
    """Who we are and how the table is shown: the same for host and guest."""
    you = parser.add_argument_group("you")
    you.add_argument("--name", metavar="NAME", help="1 to 24 characters (default: your login name)")
    you.add_argument("--identity", metavar="FILE", help="identity key (default: one in your data directory)")
    you.add_argument("--autopilot", metavar="LEVEL", help="let a bot play your seat: random or novice")
    you.add_argument("--yes", action="store_true", default=None, help="ready at once, whatever the rules")
    shown = parser.add_argument_group("display")
    shown.add_argument("--plain", action="store_true", default=None, help="lines instead of the full screen")
    shown.add_argument("--json", action="store_true", default=None, help="one JSON object a line")
    shown.add_argument("--script", metavar="FILE|-", help="play by the commands of a file or of standard input")
    shown.add_argument("--ascii", action="store_true", default=None, help="letters for suits")
    shown.add_argument("--color", metavar="WHEN", help="auto, always or never (default: auto)")


def _host(flags: Mapping[str, object]) -> int:
    from hocp2p.cli import play

    return play.host(flags)


def _join(flags: Mapping[str, object]) -> int:
    from hocp2p.cli import play

    return play.join(flags)


def _bot(flags: Mapping[str, object]) -> int:
    from hocp2p.cli import play

    return play.bot(flags)


def _rules(_: Mapping[str, object]) -> int:
    from hocp2p.cli.rules import show_rules

    return show_rules()


def _bench(flags: Mapping[str, object]) -> int:
    from hocp2p.session.bench import run

    arguments = flags["arguments"]
    return run([str(argument) for argument in arguments] if isinstance(arguments, list) else [])


def _explain(error: Exception) -> int:
    """One sentence for whatever ended a command, and its exit code."""
    from hocp2p.cli.exits import Exit, exit_of_error, report_bug, sentence
    from hocp2p.errors import HocError
    from hocp2p.record.paths import state_dir

    if isinstance(error, HocError):
        sys.stderr.write(sentence(error.message) + "\n")
        return exit_of_error(error)
    sys.stderr.write(sentence(report_bug(error, state_dir())) + "\n")
    return Exit.BUG


def _drop_stdout() -> None:
    """Nobody reads our output any more: what is still in its buffer goes nowhere, quietly."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
