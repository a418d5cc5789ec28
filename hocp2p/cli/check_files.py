"""Files and folders: settings, the identity and what lies beside it, logs and reports of bugs. Nothing is created."""

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
from hocp2p.record.known_keys import KnownKeys
from hocp2p.record.lock import hold_lock
from hocp2p.record.paths import config_file, identity_file, state_dir
from hocp2p.record.sessions import kept_seats, open_seats
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.lang import N_, _
from hocp2p.ui.names import enumerated

TOPIC: Final = N_("files")


def check_files(settings: Settings) -> Iterator[Finding]:
    """A finding for each."""
    yield _check_settings(config_file())
    yield from _check_variables()
    yield from _check_identity(settings.identity or identity_file())
    yield _check_known_keys(settings.known_keys)
    yield from _check_seats(settings.sessions)
    yield from _check_state(state_dir())


def _check_settings(path: Path) -> Finding:
    try:
        found = find_settings({}, os.environ, path)
    except LocalError as error:
        return problem(TOPIC, translate_error(error.message))
    if not path.exists():
        told = _("settings: there is no file {path}, and none is needed; hocp2p config --example prints one")
        return ok(TOPIC, told.format(path=path))
    told = _("settings: {path} is right; {count} are set there or in the environment, see hocp2p config")
    return ok(TOPIC, told.format(path=path, count=len(found)))


def _check_variables() -> Iterator[Finding]:
    """Misspelt ones are worth a word, since nothing else tells that they do nothing."""
    for name in sorted(os.environ):
        if name.startswith("HOCP2P_") and name not in VARIABLES:
            told = _("{name} is set in the environment and is no setting; mend its name or unset it")
            yield note(TOPIC, told.format(name=name))


def _check_identity(path: Path) -> Iterator[Finding]:
    try:
        if not path.exists():
            told = _("identity: none yet; one is made in {path} when you first take a seat")
            yield _check_room(told.format(path=path), path.parent)
            return
        identity = load_identity(path)
    except (LocalError, OSError) as error:
        yield problem(TOPIC, _("identity: {message}").format(message=translate_error(str(error))))
        return
    if os.name == "posix":
        told = _("identity: {path}, mode {mode}; your key is {key}")
    else:
        told = _("identity: {path}; your key is {key}")
    mode = f"{path.stat().st_mode & 0o777:04o}"
    yield ok(TOPIC, told.format(path=path, mode=mode, key=fingerprint(identity.public)))
    lock = path.with_name(path.name + ".lock")
    if lock.exists():
        with hold_lock(lock) as ours:
            if not ours:
                told = _("identity: another hocp2p plays with it now; a second one would play as a stranger")
                yield note(TOPIC, told)


def _check_known_keys(path: Path) -> Finding:
    try:
        damaged = KnownKeys(path).damaged()
    except LocalError as error:
        return problem(TOPIC, _("known keys: {message}").format(message=translate_error(error.message)))
    if damaged:
        told = _("known keys: lines that cannot be read in {path}: {numbers}; who stands there counts as a stranger")
        return problem(TOPIC, told.format(path=path, numbers=enumerated([str(number) for number in damaged])))
    told = _("known keys: {path}") if path.exists() else _("known keys: none met yet; they are kept in {path}")
    return ok(TOPIC, told.format(path=path))


def _check_seats(folder: Path) -> Iterator[Finding]:
    for message in kept_seats(folder)[1]:
        yield problem(TOPIC, _("kept seats: {message}").format(message=translate_error(message)))
    told = _("kept seats: {count} that you can go back to, in {folder}")
    yield ok(TOPIC, told.format(count=len(open_seats(folder)), folder=folder))


def _check_state(folder: Path) -> Iterator[Finding]:
    told = _("state: the log and reports of bugs are kept in {folder}")
    yield _check_room(told.format(folder=folder), folder)
    reports = sorted(folder.glob("bug-*.txt"))
    if reports:
        told = _("state: reports of bugs: {count}; please send in the last one, {path}")
        yield note(TOPIC, told.format(count=len(reports), path=reports[-1]))


def _check_room(fact: str, folder: Path) -> Finding:
    """Whether we may write to the folder, or make it."""
    there = next((each for each in (folder, *folder.parents) if os.path.lexists(each)), folder)
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return ok(TOPIC, fact)
    if there.is_dir():
        told = _("{fact}, but {folder} cannot be written to; mend that")
    else:
        told = _("{fact}, but {folder} is no folder; mend that")
    return problem(TOPIC, told.format(fact=fact, folder=there))
