"""The identity file: made once, closed to others, never written over."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from hocp2p.crypto.identity import Identity
from hocp2p.errors import LocalError
from hocp2p.record import identity_file
from hocp2p.record.identity_file import claim_identity, load_identity, new_identity

SEED = bytes(range(32))
CONTENT = f"hocp2p identity 1\n{SEED.hex()}\n"

posix = pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")


def write(path: Path, content: str | bytes, mode: int = 0o600) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path.chmod(mode)
    return path


def refusal(path: Path) -> LocalError:
    with pytest.raises(LocalError) as caught:
        load_identity(path)
    assert "\n" not in caught.value.message
    assert str(path) in caught.value.message
    return caught.value


def test_a_new_identity_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "data" / "identity"
    first = load_identity(path)
    assert load_identity(path).public == first.public
    assert path.read_text() == f"hocp2p identity 1\n{first.seed().hex()}\n"
    assert [entry.name for entry in path.parent.iterdir()] == ["identity"]  # no draft stays behind


@posix
def test_a_new_identity_is_closed_to_others(tmp_path: Path) -> None:
    path = tmp_path / "data" / "identity"
    load_identity(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_kept_identity_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "identity", CONTENT)
    assert load_identity(path).public == Identity.from_seed(SEED).public


def test_new_identities_differ() -> None:
    assert new_identity().public != new_identity().public


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n",
        "hocp2p identity 1\n",
        f"hocp2p identity 2\n{SEED.hex()}\n",
        f"hocp2p identity 1\n{SEED.hex()}",
        f"hocp2p identity 1\n{SEED.hex()[:-2]}\n",
        f"hocp2p identity 1\n{SEED.hex()}00\n",
        f"hocp2p identity 1\n{SEED.hex()}\nmore\n",
        f"hocp2p identity 1\n{'g' * 64}\n",
        f"hocp2p identity 1\n{SEED.hex()[:-2]}  \n",
        f"hocp2p identity 1\r\n{SEED.hex()}\r\n",
        b"\xff" * 100,
        b"\0" * 5000,
    ],
)
def test_a_damaged_file_is_refused_and_left_alone(tmp_path: Path, content: str | bytes) -> None:
    path = write(tmp_path / "identity", content)
    before = path.read_bytes()
    error = refusal(path)
    assert error.code == "identity-malformed"
    assert SEED.hex() not in error.message
    assert path.read_bytes() == before


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620, 0o666])
def test_a_file_open_to_others_is_refused(tmp_path: Path, mode: int) -> None:
    path = write(tmp_path / "identity", CONTENT, mode)
    error = refusal(path)
    assert error.code == "identity-permissions"
    assert f"chmod 600 {path}" in error.message
    path.chmod(0o600)
    assert load_identity(path).public == Identity.from_seed(SEED).public


def test_a_folder_is_no_identity(tmp_path: Path) -> None:
    (tmp_path / "identity").mkdir()
    assert refusal(tmp_path / "identity").code == "identity-unreadable"


@posix
def test_a_pipe_is_no_identity_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "identity", 0o600)
    assert refusal(tmp_path / "identity").code == "identity-unreadable"


def test_a_file_in_the_way_of_the_folder(tmp_path: Path) -> None:
    write(tmp_path / "data", "")
    assert refusal(tmp_path / "data" / "identity").code == "identity-unreadable"


@pytest.mark.parametrize("present", [True, False])
def test_a_file_that_the_system_keeps_from_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, present: bool) -> None:
    def refuse(path: Path, flags: int, *_: object) -> int:
        if present or flags & os.O_CREAT:
            raise PermissionError(13, "Permission denied")
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "open", refuse)
    error = refusal(tmp_path / "identity")
    assert error.code == "identity-unreadable"
    assert "Permission denied" in error.message


def test_an_identity_that_comes_in_between_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "identity"
    put_in_place = identity_file._put_in_place

    def late(draft: Path, target: Path) -> None:
        write(target, CONTENT)
        put_in_place(draft, target)

    monkeypatch.setattr(identity_file, "_put_in_place", late)
    assert load_identity(path).public == Identity.from_seed(SEED).public
    assert path.read_text() == CONTENT
    assert [entry.name for entry in tmp_path.iterdir()] == ["identity"]


@posix
def test_a_file_system_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    path = tmp_path / "identity"
    assert load_identity(path).public == load_identity(path).public
    assert [entry.name for entry in tmp_path.iterdir()] == ["identity"]


def test_a_second_claim_is_somebody_new(tmp_path: Path) -> None:
    path = tmp_path / "data" / "identity"
    with claim_identity(path) as (first, kept):
        assert kept
        with claim_identity(path) as (second, kept_too):
            assert not kept_too
            assert second.public != first.public
    with claim_identity(path) as (again, kept):
        assert kept
        assert again.public == first.public


def test_a_claim_of_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "identity", "rubbish")
    with pytest.raises(LocalError) as caught, claim_identity(path):
        pass
    assert caught.value.code == "identity-malformed"


def test_a_claim_where_no_folder_can_be_made(tmp_path: Path) -> None:
    write(tmp_path / "data", "")
    with pytest.raises(LocalError) as caught, claim_identity(tmp_path / "data" / "identity"):
        pass
    assert caught.value.code == "identity-unreadable"
