"""TLS contexts: what they allow, what they leave behind, and who is trusted."""

from __future__ import annotations

import os
import ssl
import tempfile
from pathlib import Path
from typing import Any

import pytest

from hocp2p.errors import LinkError
from hocp2p.net import tls
from hocp2p.net.certificate import make_certificate
from hocp2p.net.tls import ANYBODY, SERVER_NAME, Trust, client_context, server_context

SEED, OTHER = bytes([1]) * 32, bytes([2]) * 32
OURS, THEIRS = make_certificate(SEED), make_certificate(OTHER)


def shake(client: ssl.SSLContext, server: ssl.SSLContext) -> tuple[ssl.SSLObject, ssl.SSLObject]:
    """Both ends of a handshake in memory."""
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (
        client.wrap_bio(back, there, server_hostname=SERVER_NAME),
        server.wrap_bio(there, back, server_side=True),
    )
    done: set[int] = set()
    for _ in range(8):
        for number, end in enumerate(ends):
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
            done.add(number)
    assert done == {0, 1}
    return ends


def code_of(trust: Trust, der: bytes) -> str:
    with pytest.raises(LinkError) as caught:
        trust.verify(der)
    assert "\n" not in caught.value.message
    return caught.value.code


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_the_handshake_shows_the_certificate_of_the_seed() -> None:
    client, server = shake(client_context(), server_context(SEED))
    assert client.getpeercert(binary_form=True) == OURS.der
    assert server.getpeercert(binary_form=True) is None
    assert client.version() == server.version() == "TLSv1.3"
    assert client.compression() is None


def test_nothing_to_resume_by_is_handed_out() -> None:
    client, server = shake(client_context(), server_context(SEED))
    server.write(b"hello")
    assert client.read() == b"hello"  # tickets come before the first bytes
    assert client.session is None or not client.session.has_ticket


@pytest.mark.parametrize("older", ["client", "server"])
def test_tls_1_2_is_refused(older: str) -> None:
    client, server = client_context(), server_context(SEED)
    context = client if older == "client" else server
    context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError):
        shake(client, server)


def test_no_file_remains(folder: Path) -> None:
    server_context(SEED)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("failing", ["write", "load", "interrupt"])
def test_no_file_remains_whatever_happens(failing: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[Path]] = []

    def load(*_: Any, **__: Any) -> None:
        seen.append(list(folder.iterdir()))
        raise KeyboardInterrupt if failing == "interrupt" else ssl.SSLError("as the test wants")

    def fail(*_: Any) -> bytes:
        seen.append(list(folder.iterdir()))
        raise MemoryError

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", load)
    if failing == "write":
        monkeypatch.setattr(tls, "_pem", fail)
    with pytest.raises((MemoryError, ssl.SSLError, KeyboardInterrupt)):
        server_context(SEED)
    assert len(seen[0]) == 1  # there was one
    assert list(folder.iterdir()) == []


def test_the_file_is_ours_alone_and_enciphered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int, bytes]] = []

    real = ssl.SSLContext.load_cert_chain

    def load(context: ssl.SSLContext, path: Path, **named: Any) -> None:
        assert path.parent.parent == folder
        seen.append((path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777, path.read_bytes()))
        real(context, path, **named)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", load)
    server_context(SEED)
    ((file_mode, folder_mode, content),) = seen
    if os.name == "posix":
        assert (file_mode, folder_mode) == (0o600, 0o700)
    assert content.startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----")
    assert b"BEGIN PRIVATE KEY" not in content


@pytest.mark.parametrize("trust", [ANYBODY, Trust(pin=OURS.pin), Trust(key=OURS.key), Trust(OURS.pin, OURS.key)])
def test_the_right_one(trust: Trust) -> None:
    assert trust.verify(OURS.der) == OURS.key


@pytest.mark.parametrize(
    "trust", [Trust(pin=THEIRS.pin), Trust(key=THEIRS.key), Trust(OURS.pin, THEIRS.key), Trust(THEIRS.pin, OURS.key)]
)
def test_the_wrong_one(trust: Trust) -> None:
    assert code_of(trust, OURS.der) == "key-mismatch"


def test_what_is_no_certificate() -> None:
    assert code_of(ANYBODY, b"") == "bad-certificate"
    assert code_of(Trust(pin=OURS.pin), OURS.der[:-1] + b"\0") == "bad-certificate"


def test_a_mismatch_is_said_loudly() -> None:
    with pytest.raises(LinkError, match="SOMEBODY ELSE ANSWERS"):
        Trust(key=THEIRS.key).verify(OURS.der)
