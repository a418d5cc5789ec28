"""The commands and their options, for the command line, its help, the man page and the completions alike.

What a command needs is imported when it runs, and its options are made when somebody asks for them, so that help is
quick: see ``tests/cli/test_startup.py``.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping

from hocp2p import __version__
from hocp2p.cli.options import (
    arena_options,
    bench_options,
    bot_options,
    completion_options,
    config_options,
    doctor_options,
    host_options,
    join_options,
    learn_options,
    man_options,
    resume_options,
    rules_options,
    train_options,
)
from hocp2p.ui.lang import N_, _

TYPE_CHECKING = False
if TYPE_CHECKING:  # at run time the import of typing alone takes a tenth of the whole of --help
    from typing import Any, Final, NoReturn

Run = Callable[[Mapping[str, object]], int]

DESCRIPTION: Final = N_("Hoc Mazarin, a card game for two or three people who trust nobody.")
FALLBACK_COLUMNS: Final = 80


class Parser(argparse.ArgumentParser):
    """Speaks the language in use. Errors are one sentence, as everywhere."""

    def __init__(self, **given: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=_Help, add_help=False, **given)
        self._optionals.title = _("options")
        self.add_argument("-h", "--help", action="help", help=_("show this help, and no more"))

    def error(self, message: str) -> NoReturn:
        """Ends the process with exit code 2."""
        told = _("{message}; see {command} --help").format(message=message, command=self.prog)
        self.exit(2, f"hocp2p: {told}\n")


class _Command(Parser):
    """One of ``COMMANDS``. Most are never looked at: the first look at an attribute makes it, with its options."""

    def __init__(self, **given: Any) -> None:
        self._given = given

    def __getattr__(self, name: str) -> Any:
        if "_given" not in self.__dict__:
            raise AttributeError(name)
        super().__init__(**self.__dict__.pop("_given"))
        english, add_options, run = COMMANDS[self.prog.split()[-1]]
        meaning = _(english)
        self.description = f"{meaning[0].upper()}{meaning[1:]}."
        self.set_defaults(run=run)
        add_options(self)
        return getattr(self, name)


class _Help(argparse.HelpFormatter):
    """As wide as the terminal; argparse would import shutil, and with it every compression, to learn that."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)

    def start_section(self, heading: str | None) -> None:
        """With what the language wants before a colon, which argparse writes."""
        super().start_section(None if heading is None else _("{heading}:").format(heading=heading)[:-1])

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """As above."""
        super().add_usage(usage, actions, groups, _("usage: ") if prefix is None else prefix)


def _columns() -> int:
    try:
        return int(os.environ.get("COLUMNS", "")) or FALLBACK_COLUMNS
    except ValueError:
        pass
    try:
        return os.get_terminal_size(1).columns or FALLBACK_COLUMNS
    except OSError:  # no terminal
        return FALLBACK_COLUMNS


def build_parser() -> Parser:
    """All commands. Values are checked by :mod:`hocp2p.cli.settings`, wherever they were set."""
    parser = Parser(prog="hocp2p", description=_(DESCRIPTION))
    parser.add_argument("--version", action="version", version=f"hocp2p {__version__}", help=_("print the version"))
    commands = parser.add_subparsers(title=_("commands"), metavar="COMMAND", parser_class=_Command)
    for name, (meaning, *_how) in COMMANDS.items():
        commands.add_parser(name, help=_(meaning))
    return parser


def each_command(parser: Parser) -> Iterator[tuple[str, Parser]]:
    """Name and parser of every command."""
    for action in parser._actions:  # there is no public way to ask
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _host(flags: Mapping[str, object]) -> int:
    from hocp2p.cli.patience import OPENING, ask_for_patience

    ask_for_patience(flags, OPENING)
    from hocp2p.cli import play

    return play.host(flags)


def _join(flags: Mapping[str, object]) -> int:
    from hocp2p.cli.patience import JOINING, ask_for_patience

    ask_for_patience(flags, JOINING)
    from hocp2p.cli import play

    return play.join(flags)


def _bot(flags: Mapping[str, object]) -> int:
    from hocp2p.cli import play

    return play.bot(flags)


def _resume(flags: Mapping[str, object]) -> int:
    from hocp2p.cli.patience import RETURNING, ask_for_patience

    if not flags["list"]:
        ask_for_patience(flags, RETURNING)
    from hocp2p.cli import play

    return play.resume(flags)


def _learn(flags: Mapping[str, object]) -> int:
    from hocp2p.cli.patience import PRACTISING, ask_for_patience

    ask_for_patience(flags, PRACTISING)
    from hocp2p.cli.learn import learn

    return learn(flags)


def _rules(flags: Mapping[str, object]) -> int:
    from hocp2p.cli.rules import show_rules

    return show_rules(flags)


def _bench(flags: Mapping[str, object]) -> int:
    from hocp2p.session.bench import run

    deals, json = flags["deals"], flags["json"]
    return run([*(["--json"] if json else []), *(["--deals", str(deals)] if deals is not None else [])])


def _arena(flags: Mapping[str, object]) -> int:
    from hocp2p.cli.arena import run_arena

    return run_arena(flags)


def _train(flags: Mapping[str, object]) -> int:
    from hocp2p.cli.train import run_train

    return run_train(flags)


def _config(flags: Mapping[str, object]) -> int:
    from hocp2p.cli.config import show_config

    return show_config(flags)


def _doctor(flags: Mapping[str, object]) -> int:
    from hocp2p.cli.doctor import run_doctor

    return run_doctor(flags)


def _completion(flags: Mapping[str, object]) -> int:
    from hocp2p.cli.completion import print_completion

    return print_completion(str(flags["shell"]))


def _man(_flags: Mapping[str, object]) -> int:
    from hocp2p.cli.manpage import print_man_page

    return print_man_page()


COMMANDS: Final[dict[str, tuple[str, Callable[[Parser], None], Run]]] = {
    "host": (N_("open a table, for people, bots or both"), host_options, _host),
    "join": (N_("take a seat at somebody's table"), join_options, _join),
    "resume": (N_("go back to a seat that you have not given up"), resume_options, _resume),
    "bot": (N_("seat a bot at somebody's table"), bot_options, _bot),
    "learn": (N_("play a practice deal of four minutes, with explanations"), learn_options, _learn),
    "rules": (N_("read the rules of the game, or search them"), rules_options, _rules),
    "config": (N_("show every setting, its value and where that comes from"), config_options, _config),
    "doctor": (N_("check terminal, versions, files and network of this machine"), doctor_options, _doctor),
    "bench": (N_("measure what a deal costs on this machine"), bench_options, _bench),
    "arena": (N_("let levels of bots play each other, and measure by how much"), arena_options, _arena),
    "train": (N_("train the stronger levels of bots anew; takes some minutes"), train_options, _train),
    "completion": (N_("print what makes your shell complete hocp2p"), completion_options, _completion),
    "man": (N_("print the manual page: hocp2p man | man -l -"), man_options, _man),
}
