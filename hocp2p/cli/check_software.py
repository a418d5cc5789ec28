"""Versions: ours, Python's, each library's, which must also load, and the protocol's."""

from __future__ import annotations

import importlib
import platform
import re
from collections.abc import Iterator
from importlib import metadata
from typing import Final

from hocp2p import __version__
from hocp2p.cli.finding import Finding, note, ok, problem
from hocp2p.ui.lang import N_, _

TOPIC: Final = N_("software")
REQUIREMENT: Final = re.compile(r"([A-Za-z0-9._-]+)\s*>=\s*([0-9.]+)")
LIBRARIES: Final = (
    "websockets", "msgpack", "cryptography", "prompt_toolkit", "rbcl", "platformdirs", "zeroconf", "ifaddr", "segno",
    "numpy",
)  # fmt: skip
"""Looked for where hocp2p runs from its source, and nobody can tell what it requires."""


def check_software() -> Iterator[Finding]:
    """A finding for each. No problem among them: every layer can be imported."""
    yield ok(TOPIC, f"hocp2p {__version__}, Python {platform.python_version()}, {platform.platform(terse=True)}")
    libraries = [_check_library(name, least) for name, least in _requirements().items()]
    yield from libraries
    if all(finding.level.value == "ok" for finding in libraries):
        from hocp2p.wire.frames import PROTOCOL_VERSION

        told = _("protocol {version}: all at a table must have the same")
        yield ok(TOPIC, told.format(version=PROTOCOL_VERSION))
    try:
        yield ok(TOPIC, f"shtab {metadata.version('shtab')}")
    except metadata.PackageNotFoundError:
        yield note(TOPIC, _("shtab is not there; hocp2p completion needs it: python -m pip install shtab"))


def _requirements() -> dict[str, str]:
    """Each library that we need, and its least version."""
    try:
        required = metadata.requires("hocp2p") or []
    except metadata.PackageNotFoundError:
        return dict.fromkeys(LIBRARIES, "")
    found = (REQUIREMENT.match(line) for line in required if "extra ==" not in line)
    return {match[1]: match[2] for match in found if match is not None}


def _check_library(name: str, least: str) -> Finding:
    wanted = f"'{name}>={least}'" if least else name
    mend = f"python -m pip install {wanted}"
    try:
        importlib.import_module(name.replace("-", "_"))
        version = metadata.version(name)
    except (ImportError, OSError, metadata.PackageNotFoundError) as error:
        told = _("{name} cannot be loaded ({reason}); mend that with: {command}")
        return problem(TOPIC, told.format(name=name, reason=error, command=mend))
    if _numbers(version) < _numbers(least):
        told = _("{name} {version} is older than {least}; mend that with: {command}")
        return problem(TOPIC, told.format(name=name, version=version, least=least, command=mend))
    return ok(TOPIC, f"{name} {version}")


def _numbers(version: str) -> tuple[int, ...]:
    """``15.0.1rc2`` as ``(15, 0, 1)``: what a least version is compared by."""
    return tuple(int(part) for part in re.findall(r"(?:^|\.)(\d+)", version))
