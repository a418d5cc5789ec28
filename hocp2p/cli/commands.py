"""The commands and their options, for the command line, its help, the man page and the completions alike.

What a command needs is imported when it runs, and its options are made when somebody asks for them, so that help is
quick: see ``tests/cli/test_startup.py``.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping

from hocp2p import __version__
from hocp2p.ui.lang import N_, _, p_

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


def _host_options(parser: Parser) -> None:
    table = parser.add_argument_group(p_("group of options", "table"))
    table.add_argument("--seats", metavar="2|3", help=_("players (default: you and the bots, at least 2)"))
    table.add_argument("--bots", metavar="N", help=_("seats filled with bots (default: 0)"))
    level = _("level of the bots: random, novice, club or master (default: novice)")
    table.add_argument("--level", metavar="LEVEL", help=level)
    table.add_argument("--deals", metavar="N", help=_("deals of a session, a multiple of the seats (default: 6)"))
    table.add_argument(
        "--house", metavar="KEY=VALUE", nargs="+", action="extend", help=_("house rules, see hocp2p rules: point=pips")
    )
    table.add_argument("--bind", metavar="ADDR", help=_("address to listen on (default: all of this machine)"))
    table.add_argument("--port", metavar="P", help=_("port to listen on, 0 for any (default: 7411)"))
    table.add_argument(
        "--pace", metavar="SECONDS", help=_("how long bots seem to think, 0 to 10; 0 hurries the screen, too")
    )
    ways = parser.add_argument_group(p_("group of options", "ways to the table"))
    switch = argparse.BooleanOptionalAction
    ways.add_argument("--print-invite", action="store_true", help=_("the invite alone on standard output"))
    ways.add_argument("--open", action=switch, default=None, help=_("whether all may sit down unasked (default: no)"))
    ways.add_argument("--lan", action=switch, default=None, help=_("list the table in your network (default: yes)"))
    ways.add_argument("--upnp", action=switch, default=None, help=_("ask the router to open the port (default: no)"))
    ways.add_argument("--advertise", metavar="HOST:PORT", help=_("address of a tunnel or forwarded port to us"))
    ways.add_argument("--via", metavar="URL", help=_("proxy to dial by: http://HOST:PORT or socks5://HOST:PORT"))
    _add_face(parser)


def _add_paths(parser: Parser) -> None:
    """How a guest is linked."""
    paths = parser.add_argument_group(p_("group of options", "links"))
    switch = argparse.BooleanOptionalAction
    paths.add_argument("--via", metavar="URL", help=_("proxy to dial by: http://HOST:PORT or socks5://HOST:PORT"))
    paths.add_argument("--direct", action=switch, default=None, help=_("let other guests dial us (default: yes)"))
    paths.add_argument("--bind", metavar="ADDR", help=_("address to listen on for that (default: all)"))


def _join_options(parser: Parser) -> None:
    parser.add_argument("address", metavar="INVITE|HOST:PORT", nargs="?", help=_("as the host's table shows it"))
    parser.add_argument("--lan", action="store_true", help=_("a table in your network, by a part of its title"))
    _add_paths(parser)
    parser.add_argument("--pace", metavar="SECONDS", help=_("how long the autopilot seems to think (default: 0)"))
    _add_face(parser)


def _resume_options(parser: Parser) -> None:
    parser.add_argument("which", metavar="NUMBER", nargs="?", help=_("which seat, as --list counts (default: 1)"))
    parser.add_argument("--list", action="store_true", help=_("only list the seats that are kept"))
    parser.add_argument("--at", metavar="INVITE|HOST:PORT", help=_("where somebody of the table is to be found now"))
    parser.add_argument("--port", metavar="P", help=_("port to listen on (default: that of then)"))
    parser.add_argument("--pace", metavar="SECONDS", help=_("how long bots seem to think"))
    _add_paths(parser)
    _add_face(parser)


def _bot_options(parser: Parser) -> None:
    parser.add_argument("address", metavar="INVITE|HOST:PORT", help=_("as the host's table shows it"))
    _add_paths(parser)
    parser.add_argument("--level", metavar="LEVEL", required=True, help=_("random, novice, club or master"))
    parser.add_argument("--name", metavar="NAME", help=_("of the bot (default: bot)"))
    parser.add_argument("--owner", metavar="NAME", help=_("who runs a bot, shown beside it (default: your name)"))
    parser.add_argument("--pace", metavar="SECONDS", help=_("how long it seems to think (default: 0)"))
    parser.add_argument("--identity", metavar="FILE", help=_("identity key (default: a new one for this table)"))
    _add_json(parser)
    parser.add_argument("--ascii", action="store_true", default=None, help=_("letters for suits"))
    parser.add_argument("--record", metavar="FILE", help=_("keep the public record of the session in a new file"))


def _add_face(parser: Parser) -> None:
    """Who we are and how the table is shown: the same for host and guest."""
    you = parser.add_argument_group(p_("group of options", "you"))
    you.add_argument("--name", metavar="NAME", help=_("your name, 1 to 24 characters (default: your login name)"))
    you.add_argument(
        "--identity", metavar="FILE", help=_("file of your identity key (default: one in your data directory)")
    )
    you.add_argument("--autopilot", metavar="LEVEL", help=_("let a bot play your seat: random, novice, club or master"))
    you.add_argument("--record", metavar="FILE", help=_("keep the public record of the session in a new file"))
    you.add_argument("--yes", action="store_true", default=None, help=_("ready at once, whatever the rules"))
    _add_display(parser)


def _add_display(parser: Parser) -> None:
    """How a table is shown."""
    shown = parser.add_argument_group(p_("group of options", "display"))
    shown.add_argument("--plain", action="store_true", default=None, help=_("lines instead of the full screen"))
    _add_json(shown)
    shown.add_argument("--script", metavar="FILE|-", help=_("play by the commands of a file or of standard input"))
    shown.add_argument("--ascii", action="store_true", default=None, help=_("letters for suits"))
    shown.add_argument("--color", metavar="WHEN", help=_("auto, always or never (default: auto)"))
    shown.add_argument("--theme", metavar="THEME", help=_("dark, light, contrast or mono (default: dark)"))
    shown.add_argument("--suit-colours", metavar="2|4", help=_("colours of the four suits (default: 4)"))
    switch = argparse.BooleanOptionalAction
    shown.add_argument("--mouse", action=switch, default=None, help=_("whether clicks are taken (default: yes)"))
    shown.add_argument("--bell", action=switch, default=None, help=_("whether your turn rings a bell (default: yes)"))
    shown.add_argument("--hints", action=switch, default=None, help=_("whether you may ask for hints (default: yes)"))
    forced = _("whether a sans or go that leaves no choice is said for you (default: no)")
    shown.add_argument("--auto-sans", action=switch, default=None, help=forced)
    shown.add_argument("--lang", metavar="LANG", help=_("en, fr or ru (default: that of your system)"))


def _add_json(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--json", action="store_true", default=None, help=_("JSON, one object a line"))


def _doctor_options(parser: Parser) -> None:
    _add_json(parser)
    parser.add_argument("--network", action="store_true", help=_("also ask the network for tables and a router"))


def _learn_options(parser: Parser) -> None:
    table = parser.add_argument_group(p_("group of options", "table"))
    level = _("level of the two bots: random, novice, club or master (default: novice)")
    table.add_argument("--level", metavar="LEVEL", help=level)
    table.add_argument(
        "--pace", metavar="SECONDS", help=_("how long each move stays before the next is shown, 0 to 10")
    )
    table.add_argument("--name", metavar="NAME", help=_("your name, 1 to 24 characters (default: your login name)"))
    _add_display(parser)


def _rules_options(parser: Parser) -> None:
    parser.add_argument("words", metavar="WORD", nargs="*", help=_("only the paragraphs that hold all of these words"))
    parser.add_argument("--section", metavar="NAME", help=_("only this section: its number or a part of its name"))
    parser.add_argument("--list", action="store_true", help=_("only the names of the sections"))


def _bench_options(parser: Parser) -> None:
    parser.add_argument("--deals", metavar="N", help=_("deals of the measured table, a multiple of 3 (default: 6)"))
    _add_json(parser)


def _arena_options(parser: Parser) -> None:
    levels = _(
        "two or three of random, novice, club, master, ismcts, clairvoyant (sees all cards); for --ladder weakest first"
    )
    parser.add_argument("levels", metavar="LEVEL", nargs="*", help=levels)
    parser.add_argument("--deals", metavar="N", help=_("deals, each of them played from every seat (default: 1000)"))
    parser.add_argument("--seed", metavar="S", help=_("number that decides every card and every whim (default: 1)"))
    parser.add_argument("--jobs", metavar="J", help=_("processes at work (default: one for each processor core)"))
    parser.add_argument("--house", metavar="KEY=VALUE", nargs="+", action="extend", help=_("house rules"))
    parser.add_argument(
        "--ladder", action="store_true", help=_("each level against the one below; all of them if none is named")
    )
    parser.add_argument("--seats", metavar="2|3", help=_("the ladder at this table alone (default: at both)"))
    parser.add_argument("--plot", metavar="FILE.svg", help=_("also draw the ladder; needs matplotlib"))
    parser.add_argument(
        "--regret", action="store_true", help=_("what each decision loses against the best play with open cards")
    )
    parser.add_argument("--jsonl", metavar="FILE", help=_("write every deal into a new file, one object a line"))
    parser.add_argument("--replay", metavar="FILE", help=_("check the deals of such a file instead of playing"))
    _add_json(parser)


def _train_options(parser: Parser) -> None:
    parser.add_argument("--seed", metavar="S", help=_("number that decides everything that is drawn (default: 1)"))
    parser.add_argument("--out", metavar="DIR", help=_("folder of the weights, empty or new (default: weights)"))
    parser.add_argument("--force", action="store_true", help=_("also write into a folder that is not empty"))
    parser.add_argument("--seats", metavar="2|3", help=_("only for this table (default: for both)"))
    parser.add_argument("--only", metavar="WHAT", help=_("play or auctions (default: both)"))
    parser.add_argument("--jobs", metavar="N", help=_("processes at work (default: one for each processor core)"))
    parser.add_argument("--plot", metavar="FILE.svg", help=_("also draw how it was learnt; needs matplotlib"))
    parser.add_argument("--curves", metavar="FILE", help=_("only draw what is in this learning.json, with --plot"))
    _add_json(parser)


def _config_options(parser: Parser) -> None:
    _add_json(parser)
    parser.add_argument("--example", action="store_true", help=_("print a config.toml of all settings, to begin with"))


def _completion_options(parser: Parser) -> None:
    parser.add_argument("shell", metavar="SHELL", help=_("bash, zsh or tcsh, and others where your shtab knows them"))


def _man_options(_parser: Parser) -> None:
    """None of its own."""


def _host(flags: Mapping[str, object]) -> int:
    from hocp2p.cli import play

    return play.host(flags)


def _join(flags: Mapping[str, object]) -> int:
    from hocp2p.cli import play

    return play.join(flags)


def _bot(flags: Mapping[str, object]) -> int:
    from hocp2p.cli import play

    return play.bot(flags)


def _resume(flags: Mapping[str, object]) -> int:
    from hocp2p.cli import play

    return play.resume(flags)


def _learn(flags: Mapping[str, object]) -> int:
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
    "host": (N_("open a table, for people, bots or both"), _host_options, _host),
    "join": (N_("take a seat at somebody's table"), _join_options, _join),
    "resume": (N_("go back to a seat that you have not given up"), _resume_options, _resume),
    "bot": (N_("seat a bot at somebody's table"), _bot_options, _bot),
    "learn": (N_("play a practice deal of four minutes, with explanations"), _learn_options, _learn),
    "rules": (N_("read the rules of the game, or search them"), _rules_options, _rules),
    "config": (N_("show every setting, its value and where that comes from"), _config_options, _config),
    "doctor": (N_("check terminal, versions, files and network of this machine"), _doctor_options, _doctor),
    "bench": (N_("measure what a deal costs on this machine"), _bench_options, _bench),
    "arena": (N_("let levels of bots play each other, and measure by how much"), _arena_options, _arena),
    "train": (N_("train the stronger levels of bots anew; takes some minutes"), _train_options, _train),
    "completion": (N_("print what makes your shell complete hocp2p"), _completion_options, _completion),
    "man": (N_("print the manual page: hocp2p man | man -l -"), _man_options, _man),
}
