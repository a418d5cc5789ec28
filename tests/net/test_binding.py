"""Taking a port: what can go wrong, and that each is said in one sentence."""

from __future__ import annotations

import asyncio
import errno
import selectors
import socket
import time
from typing import Any

import pytest

from hocp2p.errors import LinkError, LocalError
from hocp2p.net.binding import GatedSocket, bind
from hocp2p.net.gate import Gate

HOST = "127.0.0.1"

pytestmark = pytest.mark.sockets


def bind_now(host: str, port: int) -> socket.socket:
    return asyncio.run(bind(host, port))


def code_of(host: str, port: int) -> str:
    with pytest.raises(LinkError) as caught:
        bind_now(host, port)
    assert "\n" not in caught.value.message
    return caught.value.code


def failing_with(number: int, family: int | None = None) -> Any:
    """A ``socket.create_server`` that fails, for one family or for all."""
    real = socket.create_server

    def create_server(address: Any, **options: Any) -> socket.socket:
        if family in (None, options.get("family", socket.AF_INET)):
            raise OSError(number, "as the test wants")
        return real(address, **options)

    return create_server


def test_one_interface() -> None:
    with bind_now(HOST, 0) as bound:
        assert bound.getsockname()[0] == HOST
        assert bound.getsockname()[1] > 0


def test_a_port_in_use() -> None:
    with bind_now(HOST, 0) as bound, pytest.raises(LinkError) as caught:
        bind_now(HOST, bound.getsockname()[1])
    assert caught.value.code == "port-in-use"
    assert "choose another" in caught.value.message


def test_all_interfaces() -> None:
    with bind_now("", 0) as bound:
        assert bound.getsockname()[0] in ("::", ".".join("0000"))
        with socket.create_connection((HOST, bound.getsockname()[1]), timeout=5):
            pass


@pytest.mark.parametrize("number", [errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT])
def test_a_machine_without_ipv6(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: True)
    monkeypatch.setattr(socket, "create_server", failing_with(number, socket.AF_INET6))
    with bind_now("", 0) as bound:
        assert bound.family == socket.AF_INET


def test_a_machine_that_cannot_serve_both_with_one_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    with bind_now("", 0) as bound:
        assert bound.family == socket.AF_INET


def test_a_port_in_use_on_ipv6_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: True)
    monkeypatch.setattr(socket, "create_server", failing_with(errno.EADDRINUSE, socket.AF_INET6))
    assert code_of("", 7411) == "port-in-use"


def test_a_port_that_is_not_ours_to_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "create_server", failing_with(errno.EACCES))
    assert code_of(HOST, 80) == "bad-port"


def test_an_address_of_another_machine() -> None:
    assert code_of("192.0.2.1", 0) == "no-such-host"


def test_what_is_no_name() -> None:
    """A label of more than 63 letters, refused before anybody is asked."""
    assert code_of("a" * 64, 0) == "no-such-host"


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_port_out_of_range_is_our_mistake(port: int) -> None:
    with pytest.raises(LocalError) as caught:
        bind_now(HOST, port)
    assert caught.value.code == "bad-address"


def test_a_selector_that_looks_readable_until_it_is_asked_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """As kqueue on macOS: the event loop, which watches it, would find it readable for ever."""
    asked: list[float | None] = []

    class Sticky(selectors.DefaultSelector):
        def select(self, timeout: float | None = None) -> Any:
            asked.append(timeout)
            return super().select(timeout)

    bound = bind_now(HOST, 0)
    bound.setblocking(False)
    monkeypatch.setattr(selectors, "DefaultSelector", Sticky)
    with GatedSocket(bound, Gate(time.monotonic)) as gated, pytest.raises(BlockingIOError):
        gated.accept()
    assert asked == [0]
