"""``hocp2p config``: every setting, its value and where that comes from; and a file to begin with."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Final

from hocp2p.cli.commands import build_parser, each_command
from hocp2p.cli.console import is_terminal
from hocp2p.cli.settings import HOUSE, Settings, find_settings
from hocp2p.game.house import CHOICES, Rules
from hocp2p.record.paths import config_file
from hocp2p.ui.lang import N_, _
from hocp2p.ui.rulebook import SWITCHES

FLAGS_ONLY: Final = ("script",)
"""Settings that a file may not hold."""

EXAMPLES: Final = {
    "seats": 3,
    "name": "Anna",
    "owner": "Anna",
    "bind": "192.168.1.5",
    "advertise": "tunnel.example.org:7411",
    "via": "http://192.168.1.1:3128",
    "autopilot": "novice",
    "pace": 0.5,
    "lang": "en",
    "identity": "~/keys/hocp2p",
}
"""For the file, where there is no default to write."""

HEAD: Final = (
    N_("Settings of hocp2p. Take the # away before what you want to change."),
    N_("A flag (--port 7500) goes before an environment variable (HOCP2P_PORT=7500), and that before this file."),
)


def show_config(flags: Mapping[str, object]) -> int:
    """Prints the settings, or the example.

    Raises:
        LocalError: a setting is wrong, see ``find_settings``.
    """
    if flags["example"]:
        if isinstance(sys.stdout, io.TextIOWrapper) and not is_terminal(sys.stdout):
            sys.stdout.reconfigure(encoding="utf-8")  # as TOML has to be, whatever the locale is
        sys.stdout.write(format_example())
        return 0
    path = config_file()
    found = find_settings({}, os.environ, path)
    rows: dict[str, tuple[object, str]] = {}
    for name, default in _defaults().items():
        value, origin = found.get(name, (default, N_("default")))
        rows[name] = (value, N_("file") if origin.endswith(str(path)) else origin)
    if flags["json"] or rows["json"][0]:
        settings = {name: {"value": _plain(value), "from": origin} for name, (value, origin) in rows.items()}
        sys.stdout.write(json.dumps({"file": str(path), "exists": path.exists(), "settings": settings}) + "\n")
    else:
        sys.stdout.write(_format_rows(path, rows))
    return 0


def format_example() -> str:
    """A ``config.toml`` that changes nothing: every setting with its meaning, commented out."""
    blocks = ["".join(f"# {_(line)}\n" for line in HEAD)]
    for name, default in _defaults().items():
        if name in FLAGS_ONLY or name.startswith(HOUSE):
            continue
        blocks.append(f"# {meanings()[name]}\n#{name} = {format_toml(EXAMPLES.get(name, default))}\n")
    blocks.append(f"# {meanings()['house']}\n[house]\n")
    for name, default in _defaults().items():
        if name.startswith(HOUSE):
            rule = name.removeprefix(HOUSE)
            choices = (" " + _("or") + " ").join(CHOICES.get(rule, ()))
            comment = f"{SWITCHES[rule].decides} {choices}".rstrip()
            blocks.append(f"# {comment}\n#{rule} = {format_toml(default)}\n")
    return "\n".join(blocks)


def meanings() -> dict[str, str]:
    """What each setting is for, by name: the help of its flag."""
    found: dict[str, str] = {}
    for _name, parser in each_command(build_parser()):
        for action in parser._actions:  # there is no public way to ask
            if action.help is not None:
                found.setdefault(action.dest, action.help)
    return found


def format_toml(value: object) -> str:
    """A value as the file has it."""
    return json.dumps(_plain(value), ensure_ascii=False)  # what the two have in common


def _defaults() -> dict[str, object]:
    """By name, in the order of the fields; house rules as ``house.NAME``."""
    settings, rules = Settings(), Rules().to_dict()
    own = {field.name: getattr(settings, field.name) for field in fields(settings) if field.name != "house"}
    return own | {HOUSE + name: value for name, value in rules.items() if name not in own}


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Path) else value


def _format_rows(path: Path, rows: Mapping[str, tuple[object, str]]) -> str:
    """One setting a line; where nothing is set, what that means."""
    told = (
        _("file is {path}")
        if path.exists()
        else _("file is {path} (there is none; hocp2p config --example prints one)")
    )
    # Translators: what stands before a default in the helps of options, as in "(default: 6)".
    word = _("default:")
    lines = [told.format(path=path)]
    for name, (value, origin) in rows.items():
        if value is None or value == "":
            default = re.search(rf"\({re.escape(word)} *(.*)\)", meanings().get(name, ""))
            meaning = _("not set: {default}").format(default=default[1]) if default else _("not set")
            lines.append(f"{name:18} {meaning}")
        else:
            lines.append(f"{name:18} {format_toml(value):18} {_(origin)}")
    return "\n".join(lines) + "\n"
