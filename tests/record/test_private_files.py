"""Files of ours alone: whole or not at all, and on the disk when that is said."""

from __future__ import annotations

import os
import stat
import sys
import types
from pathlib import Path

import pytest

from hocp2p.record import private_files
from hocp2p.record.private_files import (
    erase_drafts,
    erase_private,
    make_private_folder,
    open_private,
    replace_private,
    sync_file,
    sync_folder,
)


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    replace_private(path, b"one")
    replace_private(path, b"another")
    assert path.read_bytes() == b"another"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_a_file_open_to_others_is_closed_by_replacing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch(mode=0o644)
    replace_private(path, b"secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    replace_private(path, b"old")

    def refuse(_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(private_files, "sync_file", refuse)
    with pytest.raises(OSError, match="No space"):
        replace_private(path, b"new")
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_folder_or_file_that_is_there_is_not_made_again(tmp_path: Path) -> None:
    make_private_folder(tmp_path / "a" / "b")
    with pytest.raises(FileExistsError):
        make_private_folder(tmp_path / "a" / "b")
    open_private(tmp_path / "file", new=True).close()
    with pytest.raises(FileExistsError):
        open_private(tmp_path / "file", new=True)
    with pytest.raises(FileNotFoundError):
        open_private(tmp_path / "other", new=False)


def test_erasing_overwrites_and_needs_no_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"secret")
    (tmp_path / "copy").hardlink_to(tmp_path / "file")
    erase_private(tmp_path / "file")
    erase_private(tmp_path / "file")
    assert (tmp_path / "copy").read_bytes() == bytes(6)
    assert [each.name for each in tmp_path.iterdir()] == ["copy"]


def test_drafts_alone_are_erased(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"kept")
    (tmp_path / "file.01234567.new").write_bytes(b"secret")
    erase_drafts(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("refusals", [1, 3])
def test_a_file_that_another_program_has_open_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusals: int
) -> None:
    """As on Windows, which moves and removes no such file."""
    in_the_way = [PermissionError(13, "Access is denied")] * refusals
    replace, unlink = Path.replace, Path.unlink

    def replace_late(path: Path, target: Path) -> Path:
        if in_the_way:
            raise in_the_way.pop()
        return replace(path, target)

    def unlink_late(path: Path, **given: bool) -> None:
        if in_the_way:
            raise in_the_way.pop()
        unlink(path, **given)

    monkeypatch.setattr(private_files, "BUSY_DELAYS_S", (0.0,) * 3)
    monkeypatch.setattr(Path, "replace", replace_late)
    monkeypatch.setattr(Path, "unlink", unlink_late)
    replace_private(tmp_path / "file", b"one")
    assert (tmp_path / "file").read_bytes() == b"one"
    in_the_way += [PermissionError(13, "Access is denied")] * refusals
    erase_private(tmp_path / "file")
    assert not in_the_way
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_stays_open_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Access is denied")

    monkeypatch.setattr(private_files, "BUSY_DELAYS_S", (0.0,) * 3)
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(PermissionError):
        replace_private(tmp_path / "file", b"one")
    assert list(tmp_path.iterdir()) == []


def test_a_system_that_cannot_sync_folders_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(private_files, "os", types.SimpleNamespace(name="nt", open=lambda *given: opened.append(given)))
    sync_folder(tmp_path)
    assert opened == []


@pytest.mark.skipif(sys.platform == "win32", reason="fcntl")
@pytest.mark.parametrize("knows", [True, False])
def test_macos_is_asked_for_the_disk_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, knows: bool) -> None:
    import fcntl

    asked: list[int] = []

    def full_sync(_handle: int, what: int) -> None:
        asked.append(what)
        if not knows:
            raise OSError(45, "Operation not supported")

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", full_sync)
    monkeypatch.setattr(os, "fsync", lambda _handle: asked.append(0))
    with open_private(tmp_path / "file", new=True) as file:
        file.write(b"x")
        sync_file(file)
        assert (tmp_path / "file").read_bytes() == b"x"
    assert asked == ([51] if knows else [51, 0])
