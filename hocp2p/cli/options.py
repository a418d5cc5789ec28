"""The options of every command, made when somebody asks for them: see :mod:`hocp2p.cli.commands`."""

from __future__ import annotations

import argparse

from hocp2p.ui.lang import _, p_


def host_options(parser: argparse.ArgumentParser) -> None:
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


def _add_paths(parser: argparse.ArgumentParser) -> None:
    """How a guest is linked."""
    paths = parser.add_argument_group(p_("group of options", "links"))
    switch = argparse.BooleanOptionalAction
    paths.add_argument("--via", metavar="URL", help=_("proxy to dial by: http://HOST:PORT or socks5://HOST:PORT"))
    paths.add_argument("--direct", action=switch, default=None, help=_("let other guests dial us (default: yes)"))
    paths.add_argument("--bind", metavar="ADDR", help=_("address to listen on for that (default: all)"))


def join_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("address", metavar="INVITE|HOST:PORT", nargs="?", help=_("as the host's table shows it"))
    parser.add_argument("--lan", action="store_true", help=_("a table in your network, by a part of its title"))
    _add_paths(parser)
    parser.add_argument("--pace", metavar="SECONDS", help=_("how long the autopilot seems to think (default: 0)"))
    _add_face(parser)


def resume_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("which", metavar="NUMBER", nargs="?", help=_("which seat, as --list counts (default: 1)"))
    parser.add_argument("--list", action="store_true", help=_("only list the seats that are kept"))
    parser.add_argument("--at", metavar="INVITE|HOST:PORT", help=_("where somebody of the table is to be found now"))
    parser.add_argument("--port", metavar="P", help=_("port to listen on (default: that of then)"))
    parser.add_argument("--pace", metavar="SECONDS", help=_("how long bots seem to think"))
    _add_paths(parser)
    _add_face(parser)


def bot_options(parser: argparse.ArgumentParser) -> None:
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


def _add_face(parser: argparse.ArgumentParser) -> None:
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


def _add_display(parser: argparse.ArgumentParser) -> None:
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


def doctor_options(parser: argparse.ArgumentParser) -> None:
    _add_json(parser)
    parser.add_argument("--network", action="store_true", help=_("also ask the network for tables and a router"))


def learn_options(parser: argparse.ArgumentParser) -> None:
    table = parser.add_argument_group(p_("group of options", "table"))
    level = _("level of the two bots: random, novice, club or master (default: novice)")
    table.add_argument("--level", metavar="LEVEL", help=level)
    table.add_argument(
        "--pace", metavar="SECONDS", help=_("how long each move stays before the next is shown, 0 to 10")
    )
    table.add_argument("--name", metavar="NAME", help=_("your name, 1 to 24 characters (default: your login name)"))
    _add_display(parser)


def rules_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", metavar="WORD", nargs="*", help=_("only the paragraphs that hold all of these words"))
    parser.add_argument("--section", metavar="NAME", help=_("only this section: its number or a part of its name"))
    parser.add_argument("--list", action="store_true", help=_("only the names of the sections"))


def bench_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--deals", metavar="N", help=_("deals of the measured table, a multiple of 3 (default: 6)"))
    _add_json(parser)


def arena_options(parser: argparse.ArgumentParser) -> None:
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


def train_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", metavar="S", help=_("number that decides everything that is drawn (default: 1)"))
    parser.add_argument("--out", metavar="DIR", help=_("folder of the weights, empty or new (default: weights)"))
    parser.add_argument("--force", action="store_true", help=_("also write into a folder that is not empty"))
    parser.add_argument("--seats", metavar="2|3", help=_("only for this table (default: for both)"))
    parser.add_argument("--only", metavar="WHAT", help=_("play or auctions (default: both)"))
    parser.add_argument("--jobs", metavar="N", help=_("processes at work (default: one for each processor core)"))
    parser.add_argument("--plot", metavar="FILE.svg", help=_("also draw how it was learnt; needs matplotlib"))
    parser.add_argument("--curves", metavar="FILE", help=_("only draw what is in this learning.json, with --plot"))
    _add_json(parser)


def config_options(parser: argparse.ArgumentParser) -> None:
    _add_json(parser)
    parser.add_argument("--example", action="store_true", help=_("print a config.toml of all settings, to begin with"))


def completion_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", help=_("bash, zsh or tcsh, and others where your shtab knows them"))


def man_options(_parser: argparse.ArgumentParser) -> None:
    """None of its own."""
