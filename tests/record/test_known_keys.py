"""Whom we have met: names are anybody's, keys count, and nothing in the file is lost."""

from __future__ import annotations

import datetime
import os
import stat
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.crypto.identity import fingerprint
from hocp2p.errors import LocalError
from hocp2p.record import known_keys
from hocp2p.record.known_keys import MAX_KEYS, Acquaintance, KnownKeys, Met
from hocp2p.record.lock import hold_lock

A, B, C = (bytes([letter]) * 32 for letter in b"abc")
DAY, LATER = "2026-01-31", "2026-02-28"
posix = pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
WRITER = """
import sys
from pathlib import Path
from hocp2p.record.known_keys import KnownKeys
known = KnownKeys(Path(sys.argv[1]))
for number in range(20):
    known.remember([(f"{sys.argv[2]}{number}", bytes([number]) * 32)], "2026-01-31")
"""


def test_nobody_is_known_before_anybody_was_met(tmp_path: Path) -> None:
    known = KnownKeys(tmp_path / "known_keys")
    assert known.look_up("Anna", A) is Acquaintance.NEW
    assert not known.is_known(A)
    assert list(tmp_path.iterdir()) == []  # asking makes nothing


def test_names_and_keys(tmp_path: Path) -> None:
    path = tmp_path / "data" / "known_keys"
    KnownKeys(path).remember([("Anna", A), ("Bruno", B)], DAY)
    known = KnownKeys(path)
    assert known.look_up("Anna", A) is Acquaintance.KNOWN
    assert known.look_up("Carla", A) is Acquaintance.RENAMED
    assert known.look_up("Anna", C) is Acquaintance.CHANGED
    assert known.look_up("Anna", B) is Acquaintance.CHANGED  # a known key does not make the name his
    assert known.look_up("Carla", C) is Acquaintance.NEW
    assert known.is_known(A)
    assert not known.is_known(C)


@pytest.mark.parametrize("alike", ["ANNA", "anna", "\uff21nna"])
def test_a_name_that_looks_alike_is_the_same(tmp_path: Path, alike: str) -> None:
    known = KnownKeys(tmp_path / "known_keys")
    known.remember([("Anna", A)], DAY)
    assert known.look_up(alike, B) is Acquaintance.CHANGED
    assert known.look_up(alike, A) is Acquaintance.KNOWN


def test_what_was_met_before_is_told_the_last_first(tmp_path: Path) -> None:
    known = KnownKeys(tmp_path / "known_keys")
    known.remember([("Anna", A), ("Anna", B), ("Bruno", C)], DAY)
    known.remember([("Anna", A)], LATER)
    first, second = known.met_as("Anna")
    assert first == Met(A, "Anna", datetime.date(2026, 2, 28))
    assert (second.key, second.last) == (B, datetime.date(2026, 1, 31))
    assert first.fingerprint == fingerprint(A)
    assert known.look_up("Anna", A) is known.look_up("Anna", B) is Acquaintance.KNOWN
    assert KnownKeys(tmp_path / "known_keys").met_as("Anna") == (first, second)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.text(min_size=1, max_size=24), st.binary(min_size=32, max_size=32)), max_size=6))
def test_any_name_comes_back_as_it_was(met: list[tuple[str, bytes]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "known_keys"
        KnownKeys(path).remember(met, DAY)
        known = KnownKeys(path)
        assert known.damaged() == ()
        for name, key in met:
            assert known.look_up(name, key) is Acquaintance.KNOWN
            assert name in [each.name for each in known.met_as(name) if each.key == key]
        if met:
            assert all(0x20 <= byte < 0x7F or byte >= 0x80 or byte == 0x0A for byte in path.read_bytes())
            assert path.read_text("utf-8").replace("\n", "").isprintable()
            assert len(path.read_bytes().splitlines()) == len(set(met))


@pytest.mark.parametrize(("name", "key", "day"), [("", A, DAY), ("n" * 25, A, DAY), ("n", A[1:], DAY), ("n", A, "now")])
def test_what_cannot_be_kept_is_refused_whole(tmp_path: Path, name: str, key: bytes, day: str) -> None:
    known = KnownKeys(tmp_path / "known_keys")
    with pytest.raises(LocalError) as caught:
        known.remember([("Anna", B), (name, key)], day)
    assert caught.value.code == "bad-acquaintance"
    assert not known.is_known(B)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "line",
    [
        b"rubbish",
        b"\xff\xfe",
        A.hex().encode() + b' 2026-13-31 "Anna"',
        A.hex().encode() + b" 2026-01-31 Anna",
        A.hex().encode() + b' 2026-01-31 "An"na"',
        A.hex().encode() + b' 2026-01-31 ""',
        A.hex().encode() + b' 2026-01-31 "' + b"n" * 25 + b'"',
        A.hex()[:-1].encode() + b' 2026-01-31 "Anna"',
    ],
)
def test_a_damaged_line_is_told_and_kept(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "known_keys"
    KnownKeys(path).remember([("Bruno", B)], DAY)
    path.write_bytes(path.read_bytes() + line + b"\n")
    known = KnownKeys(path)
    assert known.damaged() == (2,)
    assert known.look_up("Bruno", B) is Acquaintance.KNOWN
    assert not known.is_known(A)
    known.remember([("Carla", C)], DAY)
    assert line in path.read_bytes().split(b"\n")
    assert known.damaged() == KnownKeys(path).damaged() == (1,)
    assert KnownKeys(path).look_up("Bruno", B) is Acquaintance.KNOWN


def test_who_was_not_met_for_longest_goes(tmp_path: Path) -> None:
    known = KnownKeys(tmp_path / "known_keys")
    known.remember([(f"n{number}", number.to_bytes(32, "big")) for number in range(MAX_KEYS)], DAY)
    known.remember([("n0", bytes(32))], LATER)
    known.remember([("Anna", A)], LATER)
    assert known.look_up("n0", bytes(32)) is Acquaintance.KNOWN
    assert known.look_up("n1", (1).to_bytes(32, "big")) is Acquaintance.NEW
    assert known.look_up("n2", (2).to_bytes(32, "big")) is Acquaintance.KNOWN


def test_nothing_new_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = KnownKeys(tmp_path / "known_keys")
    known.remember([("Anna", A)], DAY)
    monkeypatch.setattr(known_keys, "replace_private", lambda *_: pytest.fail("written"))
    known.remember([("Anna", A)], DAY)
    assert known.is_known(A)


@posix
def test_the_file_is_closed_to_others(tmp_path: Path) -> None:
    path = tmp_path / "data" / "known_keys"
    KnownKeys(path).remember([("Anna", A)], DAY)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_two_processes_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "known_keys"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in ("x", "y")]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]
    known = KnownKeys(path)
    for number in range(20):
        for name in ("x", "y"):
            assert known.look_up(f"{name}{number}", bytes([number]) * 32) is Acquaintance.KNOWN


def test_a_lock_that_is_not_let_go_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_keys, "LOCK_PAUSE_S", 0.0)
    known = KnownKeys(tmp_path / "known_keys")
    with hold_lock(tmp_path / "known_keys.lock") as held, pytest.raises(LocalError) as caught:
        assert held
        known.remember([("Anna", A)], DAY)
    assert caught.value.code == "known-keys-unwritable"
    assert not (tmp_path / "known_keys").exists()


def test_a_file_that_cannot_be_read_or_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "known_keys").mkdir()
    with pytest.raises(LocalError) as caught:
        KnownKeys(tmp_path / "known_keys")
    assert caught.value.code == "known-keys-unreadable"

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    known = KnownKeys(tmp_path / "others")
    monkeypatch.setattr(known_keys, "replace_private", refuse)
    with pytest.raises(LocalError, match="No space left") as caught:
        known.remember([("Anna", A)], DAY)
    assert caught.value.code == "known-keys-unwritable"
    assert not known.is_known(A)
