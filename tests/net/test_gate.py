"""The gate of a listening table, with a clock of our own."""

from __future__ import annotations

import pytest

from hocp2p.net import gate as gate_module
from hocp2p.net.gate import Gate


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_a_burst_then_a_rate() -> None:
    clock = Clock()
    gate = Gate(clock, burst=3, per_second=0.5)
    assert [gate.admit("192.0.2.1") for _ in range(4)] == [True, True, True, False]
    clock.now_s += 1.9
    assert not gate.admit("192.0.2.1")
    clock.now_s += 0.1
    assert gate.admit("192.0.2.1")
    assert not gate.admit("192.0.2.1")


def test_a_bucket_is_never_fuller_than_full() -> None:
    clock = Clock()
    gate = Gate(clock, burst=2, per_second=1)
    assert gate.admit("192.0.2.1")
    clock.now_s += 3600
    assert [gate.admit("192.0.2.1") for _ in range(3)] == [True, True, False]


def test_hosts_do_not_pay_for_each_other() -> None:
    gate = Gate(Clock(), burst=1)
    assert gate.admit("192.0.2.1")
    assert not gate.admit("192.0.2.1")
    assert gate.admit("192.0.2.2")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.0.2.1", "::ffff:192.0.2.1"),
        ("2001:db8::1", "2001:db8::ffff:1"),
        ("fe80::1%eth0", "fe80::2%eth1"),
        ("unknown", "unknown"),
    ],
)
def test_one_host_under_two_names(one: str, other: str) -> None:
    gate = Gate(Clock(), burst=1)
    assert gate.admit(one)
    assert not gate.admit(other)


def test_ipv6_networks_are_told_apart() -> None:
    gate = Gate(Clock(), burst=1)
    assert gate.admit("2001:db8:0:1::1")
    assert gate.admit("2001:db8:0:2::1")


def test_links_at_one_time() -> None:
    gate = Gate(Clock(), max_links=3, max_links_per_host=2, burst=100)
    assert [gate.admit("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert gate.admit("192.0.2.2")
    assert not gate.admit("192.0.2.3")
    gate.leave("192.0.2.1")
    assert gate.admit("192.0.2.3")
    assert not gate.admit("192.0.2.1")
    gate.leave("192.0.2.2")
    assert gate.admit("192.0.2.1")


def test_one_that_was_turned_away_counts_for_the_rate_only() -> None:
    gate = Gate(Clock(), max_links=1, burst=2)
    assert gate.admit("192.0.2.1")
    assert not gate.admit("192.0.2.1")
    gate.leave("192.0.2.1")
    assert not gate.admit("192.0.2.1")


def test_who_has_left_is_forgotten() -> None:
    gate = Gate(Clock(), burst=100)
    for number in range(50):
        assert gate.admit(f"192.0.2.{number}")
        gate.leave(f"192.0.2.{number}")
    assert not gate._links


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate_module, "MAX_HOSTS_REMEMBERED", 4)
    clock = Clock()
    gate = Gate(clock, burst=2, per_second=1)
    hosts = [f"192.0.2.{number}" for number in range(6)]
    admitted = [gate.admit(host) for host in hosts]
    assert admitted == [True] * 4 + [False] * 2
    assert gate.admit(hosts[0])  # known already
    clock.now_s += 1
    assert [gate.admit(host) for host in hosts[4:]] == [True, True]  # the others' buckets are full again
    assert gate.admit(hosts[0])
