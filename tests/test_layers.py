"""Imports go up the page only: the layers of README, read off the source of every module."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import hocp2p

# What a layer may import of the package besides itself. `__init__` and `__main__` are the top-level modules.
LAYERS: dict[str, set[str]] = {
    "__init__": set(),
    "errors": set(),
    "game": {"errors"},
    "crypto": {"errors"},
    "wire": {"errors"},
    "net": {"errors"},
    "players": {"errors", "game"},
    "training": {"errors", "game", "players"},
    "table": {"errors", "game", "crypto", "wire"},
    "session": {"errors", "game", "crypto", "wire", "net", "table", "players", "record"},
    "record": {"errors", "game", "crypto", "table"},  # crypto for the file of identity keys
    "ui": {"errors", "game", "table.snapshot", "table.events", "session", "record"},
    "cli": {"errors", "game", "crypto", "wire", "net", "table", "players", "training", "session", "record", "ui"},
    "__main__": {"cli"},
}
PURE = {"game", "crypto", "wire", "table", "players", "training"}
LIBRARIES = {  # of the pure layers; the others use none
    "crypto": {"rbcl", "cryptography"},
    "wire": {"msgpack"},
    "players": {"numpy"},
    "training": {"numpy", "matplotlib"},  # matplotlib: plots.py alone
}
OUTSIDE = {"random", "secrets", "uuid", "time", "datetime", "asyncio", "socket", "threading", "logging", "os"}


def imported(source: str) -> Iterator[str]:
    """Dotted names of everything imported, at any depth; a relative import is given as ``.``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'' if node.level else node.module}.{alias.name}" for alias in node.names)


def violation(layer: str, module: str, name: str) -> str | None:
    """Why ``module`` (a path below the package) of ``layer`` may not import ``name``, or None."""
    top, _, inner = name.partition(".")
    if not top:
        return "is relative"
    if top == "hocp2p":
        parts = LAYERS[layer] | {layer, "__version__"}
        return None if any(f"{inner}.".startswith(f"{part}.") for part in parts) else "is no layer for this one"
    if top == "rbcl" and module != "crypto/group.py":
        return "is for crypto/group.py alone"
    if (layer in PURE and top in OUTSIDE) or (layer == "net" and top == "random"):
        return "brings in randomness, time or the outside"
    if layer in PURE and top not in sys.stdlib_module_names | LIBRARIES.get(layer, set()):
        return "is no library of this layer"
    return None


def violations(package: Path) -> list[str]:
    """One line for every forbidden import below ``package``."""
    found: list[str] = []
    for path in sorted(package.rglob("*.py")):
        module = path.relative_to(package).as_posix()
        layer = module.split("/")[0].removesuffix(".py")
        for name in imported(path.read_text(encoding="utf-8")):
            why = violation(layer, module, name)
            if why is not None:
                found.append(f"{module}: {name} {why}")
    return found


def test_every_module_keeps_to_its_layer() -> None:
    package = Path(hocp2p.__file__).parent
    modules = list(package.rglob("*.py"))
    assert {path.relative_to(package).parts[0].removesuffix(".py") for path in modules} <= LAYERS.keys()
    assert len(modules) > 20  # the walk looks at the real package
    assert violations(package) == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("errors.py", "from hocp2p.game import cards"),
        ("game/rules.py", "import random"),
        ("game/rules.py", "def late() -> None:\n    from random import shuffle"),
        ("game/rules.py", "from hocp2p.crypto.deck import Deck"),
        ("game/rules.py", "import hocp2p.table"),
        ("game/rules.py", "from hocp2p import players"),
        ("game/rules.py", "from . import cards"),
        ("game/rules.py", "from ..crypto import deck"),
        ("game/rules.py", "import msgpack"),
        ("game/rules.py", "if TYPE_CHECKING:\n    import asyncio"),
        ("crypto/shuffle.py", "import rbcl"),
        ("crypto/shuffle.py", "from secrets import token_bytes"),
        ("crypto/shuffle.py", "import os.path, os"),
        ("crypto/shuffle.py", "from hocp2p.game.cards import Card"),
        ("wire/codec.py", "from hocp2p.game.actions import Action"),
        ("wire/codec.py", "from hocp2p.net.link import Link"),
        ("table/machine.py", "import time"),
        ("table/machine.py", "import logging"),
        ("table/machine.py", "from socket import socket"),
        ("table/machine.py", "from hocp2p.session import runner"),
        ("table/machine.py", "import hocp2p.tables"),
        ("players/bot.py", "from hocp2p.table.snapshot import TableSnapshot"),
        ("players/bot.py", "from hocp2p.crypto import deck"),
        ("players/bot.py", "from hocp2p.training import play_train"),
        ("training/play_train.py", "from hocp2p.session import arena"),
        ("net/invite.py", "import random"),
        ("net/invite.py", "from hocp2p.wire.frames import Frame"),
        ("record/store.py", "from hocp2p.session.client import Client"),
        ("session/runner.py", "from hocp2p.ui import words"),
        ("ui/render.py", "from hocp2p.table.machine import Table"),
        ("ui/render.py", "from hocp2p.table import machine"),
        ("ui/render.py", "from hocp2p.players import bots"),
        ("ui/render.py", "from hocp2p.crypto import keys"),
        ("__main__.py", "from hocp2p.ui import words"),
    ],
)
def test_a_forbidden_import_is_found(tmp_path: Path, module: str, line: str) -> None:
    path = tmp_path / module
    path.parent.mkdir(exist_ok=True)
    path.write_text(line + "\n", encoding="utf-8")
    assert violations(tmp_path)
    assert all(found.startswith(f"{module}: ") for found in violations(tmp_path))


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("game/rules.py", "from __future__ import annotations\nimport json\nfrom hocp2p.game import cards"),
        ("game/rules.py", "from hocp2p.errors import RuleError\nfrom hocp2p import errors, __version__"),
        ("crypto/group.py", "import rbcl\nfrom cryptography.hazmat.primitives import hashes"),
        ("wire/codec.py", "import msgpack"),
        ("table/machine.py", "from hocp2p.wire.schema import Message\nfrom hocp2p.game import rules"),
        ("net/websocket.py", "import asyncio, ssl, socket\nimport websockets"),
        ("session/runner.py", "import time, random\nfrom hocp2p.table.machine import Table"),
        ("ui/render.py", "import prompt_toolkit\nfrom hocp2p.table.snapshot import Stage"),
        ("ui/render.py", "from hocp2p.table import snapshot"),
        ("ui/render.py", "from hocp2p.table.events import TableEvent"),
        ("cli/main.py", "from hocp2p.crypto import keys\nfrom hocp2p.ui import words"),
        ("__main__.py", "from hocp2p.cli.main import main"),
    ],
)
def test_an_allowed_import_is_left_alone(tmp_path: Path, module: str, line: str) -> None:
    path = tmp_path / module
    path.parent.mkdir(exist_ok=True)
    path.write_text(line + "\n", encoding="utf-8")
    assert violations(tmp_path) == []
