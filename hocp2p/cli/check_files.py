"""Files and folders: settings, the identity, and where logs and reports of bugs are kept. Nothing is created."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hocp2p.cli.finding import Finding, note, ok, problem
from hocp2p.cli.settings import VARIABLES, Settings, find_settings
from hocp2p.crypto.identity import fingerprint
from hocp2p.errors import LocalError
from hocp2p.record.identity_file import load_identity
from hocp2p.record.lock import hold_lock
from hocp2p.record.paths import config_file, identity_file, state_dir

TOPIC: Final = "files"


def check_files(settings: Settings) -> Iterator[Finding]:
    """A finding for each."""
    yield _check_settings(config_file())
    yield from _check_variables()
    yield from _check_identity(settings.identity or identity_file())
    yield from _check_state(state_dir())


def _check_settings(path: Path) -> Finding:
    try:
        found = find_settings({}, os.environ, path)
    except LocalError as error:
        return problem(TOPIC, f"{error.message}")
    if not path.exists():
        return ok(TOPIC, f"settings: there is no file {path}, and none is needed; hocp2p config --example prints one")
    return ok(TOPIC, f"settings: {path} is right; {len(found)} are set there or in the environment, see hocp2p config")


def _check_variables() -> Iterator[Finding]:
    """Misspelt ones are worth a word, since nothing else tells that they do nothing."""
    for name in sorted(os.environ):
        if name.startswith("HOCP2P_") and name not in VARIABLES:
            yield note(TOPIC, f"{name} is set in the environment and is no setting; mend its name or unset it")


def _check_identity(path: Path) -> Iterator[Finding]:
    try:
        if not path.exists():
            yield _check_room(f"identity: none yet; one is made in {path} when you first take a seat", path.parent)
            return
        identity = load_identity(path)
    except (LocalError, OSError) as error:
        yield problem(TOPIC, f"identity: {error}")
        return
    mode = f", mode {path.stat().st_mode & 0o777:04o}" if os.name == "posix" else ""
    yield ok(TOPIC, f"identity: {path}{mode}; your key is {fingerprint(identity.public)}")
    lock = path.with_name(path.name + ".lock")
    if lock.exists():
        with hold_lock(lock) as ours:
            if not ours:
                yield note(TOPIC, "identity: another hocp2p plays with it now; a second one would play as a stranger")


def _check_state(folder: Path) -> Iterator[Finding]:
    yield _check_room(f"state: the log and reports of bugs are kept in {folder}", folder)
    reports = sorted(folder.glob("bug-*.txt"))
    if reports:
        yield note(TOPIC, f"state: reports of bugs: {len(reports)}; please send in the last one, {reports[-1]}")


def _check_room(fact: str, folder: Path) -> Finding:
    """Whether we may write to the folder, or make it."""
    there = next((each for each in (folder, *folder.parents) if os.path.lexists(each)), folder)
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return ok(TOPIC, f"{fact}")
    what = "cannot be written to" if there.is_dir() else "is no folder"
    return problem(TOPIC, f"{fact}, but {there} {what}; mend that")
