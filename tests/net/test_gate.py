"""The gate of a listening table, with a clock of our own."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.net import gate as gate_module
from hocp2p.net.gate import MAX_LINKS, MAX_LINKS_PER_HOST, MAX_PENDING, STALE_S, Admission, Gate


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def never() -> None:
    raise AssertionError("nobody had to make way")


def comes(gate: Gate, host: str) -> bool:
    """Somebody comes and, if he is let in, says something at once."""
    admission = gate.admit(host, never)
    if admission is not None:
        admission.settle()
    return admission is not None


def must(admission: Admission | None) -> Admission:
    assert admission is not None
    return admission


# How fast


def test_a_burst_then_a_rate() -> None:
    clock = Clock()
    gate = Gate(clock, burst=3, per_second=0.5)
    assert [comes(gate, "192.0.2.1") for _ in range(4)] == [True, True, True, False]
    clock.now_s += 1.9
    assert not comes(gate, "192.0.2.1")
    clock.now_s += 0.1
    assert comes(gate, "192.0.2.1")
    assert not comes(gate, "192.0.2.1")


def test_a_bucket_is_never_fuller_than_full() -> None:
    clock = Clock()
    gate = Gate(clock, burst=2, per_second=1)
    assert comes(gate, "192.0.2.1")
    clock.now_s += 3600
    assert [comes(gate, "192.0.2.1") for _ in range(3)] == [True, True, False]


def test_hosts_do_not_pay_for_each_other() -> None:
    gate = Gate(Clock(), burst=1)
    assert comes(gate, "192.0.2.1")
    assert not comes(gate, "192.0.2.1")
    assert comes(gate, "192.0.2.2")


def test_all_hosts_together_have_a_rate_too() -> None:
    clock = Clock()
    gate = Gate(clock, total_burst=2, total_per_second=1)
    assert [comes(gate, f"192.0.2.{number}") for number in range(3)] == [True, True, False]
    clock.now_s += 1
    assert comes(gate, "192.0.2.9")
    assert not comes(gate, "192.0.2.8")


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
    assert comes(gate, one)
    assert not comes(gate, other)


def test_ipv6_networks_are_told_apart() -> None:
    gate = Gate(Clock(), burst=1)
    assert comes(gate, "2001:db8:0:1::1")
    assert comes(gate, "2001:db8:0:2::1")


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not come for longest is forgotten first."""
    monkeypatch.setattr(gate_module, "MAX_HOSTS_REMEMBERED", 3)
    gate = Gate(Clock(), burst=2, per_second=0)
    for host in ("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.1", "192.0.2.4"):
        assert comes(gate, host)
        assert len(gate._buckets) <= 3
    assert not comes(gate, "192.0.2.1")  # has come twice, and is remembered
    assert [comes(gate, "192.0.2.2") for _ in range(2)] == [True, True]  # was forgotten


# How many


def test_links_at_one_time() -> None:
    gate = Gate(Clock(), max_links=3, max_links_per_host=2)
    first = must(gate.admit("192.0.2.1", never))
    first.settle()
    assert [comes(gate, "192.0.2.1") for _ in range(2)] == [True, False]
    assert comes(gate, "192.0.2.2")
    assert gate.links == 3
    assert not comes(gate, "192.0.2.3")
    first.leave()
    first.leave()
    assert gate.links == 2
    assert comes(gate, "192.0.2.3")
    assert not comes(gate, "192.0.2.1")


def test_one_that_was_turned_away_pays_nothing() -> None:
    gate = Gate(Clock(), max_links=1, burst=2)
    admission = must(gate.admit("192.0.2.1", never))
    admission.settle()
    assert [comes(gate, "192.0.2.1") for _ in range(50)] == [False] * 50
    admission.leave()
    assert comes(gate, "192.0.2.1")


def test_who_has_left_is_forgotten() -> None:
    gate = Gate(Clock(), total_burst=100)
    for number in range(50):
        must(gate.admit(f"192.0.2.{number}", never)).leave()
    assert gate.links == gate.pending == 0
    assert not gate._links


# Who has said nothing yet


def test_a_few_pending_of_a_host() -> None:
    gate = Gate(Clock(), max_pending_per_host=2)
    first = must(gate.admit("192.0.2.1", never))
    assert gate.admit("192.0.2.1", never) is not None
    assert gate.admit("192.0.2.1", never) is None
    assert gate.admit("192.0.2.2", never) is not None
    first.settle()
    assert gate.admit("192.0.2.1", never) is not None
    assert gate.pending == 3


def test_the_stalest_makes_way_for_another_of_its_host() -> None:
    clock = Clock()
    dropped: list[str] = []
    gate = Gate(clock, max_pending_per_host=2)
    stale = must(gate.admit("192.0.2.1", lambda: dropped.append("stale")))
    clock.now_s += STALE_S / 2
    must(gate.admit("192.0.2.1", never))
    assert gate.admit("192.0.2.1", never) is None
    clock.now_s += STALE_S / 2
    assert gate.admit("192.0.2.1", never) is not None
    assert dropped == ["stale"]
    assert gate.links == gate.pending == 2
    assert gate.admit("192.0.2.1", never) is None
    stale.leave()  # its socket is closed only now
    assert gate.links == gate.pending == 2


def test_a_stale_one_makes_way_when_its_host_has_all_its_links() -> None:
    clock = Clock()
    dropped: list[str] = []
    gate = Gate(clock, max_links_per_host=2)
    assert comes(gate, "192.0.2.1")
    must(gate.admit("192.0.2.1", lambda: dropped.append("stale")))
    assert gate.admit("192.0.2.1", never) is None
    clock.now_s += STALE_S
    assert gate.admit("192.0.2.1", never) is not None
    assert dropped == ["stale"]


def test_an_honest_one_gets_in_beside_a_flood_from_its_own_address() -> None:
    """Twenty connections a second that say nothing; he dials three times a second, and needs a third to speak."""
    for seed in range(20):
        rng, clock = random.Random(seed), Clock()
        gate = Gate(clock)
        honest: list[Admission] = []
        for tick in range(3000):
            clock.now_s += 0.01
            if rng.random() < 0.2:
                gate.admit("192.0.2.1", lambda: None)
            if tick >= 300 and tick % 33 == 0:
                if honest:
                    break
                admission = gate.admit("192.0.2.1", honest.clear)
                honest += [admission] if admission is not None else []
        assert honest, seed


def test_the_oldest_makes_way_when_there_are_too_many() -> None:
    dropped: list[str] = []
    gate = Gate(Clock(), max_pending=2)
    hosts = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
    for host in hosts:
        must(gate.admit(host, lambda host=host: dropped.append(host)))  # type: ignore[misc] # bound early
    assert dropped == hosts[:1]
    assert gate.links == gate.pending == 2


def test_pending_ones_make_way_when_the_table_is_full() -> None:
    dropped: list[int] = []
    gate = Gate(Clock(), max_links=2)
    assert comes(gate, "192.0.2.1")
    must(gate.admit("192.0.2.2", lambda: dropped.append(2)))
    last = must(gate.admit("192.0.2.3", never))
    assert dropped == [2]
    last.settle()
    assert gate.admit("192.0.2.4", never) is None


def test_who_has_settled_never_makes_way() -> None:
    clock = Clock()
    gate = Gate(clock)
    assert comes(gate, "192.0.2.1")  # with ``never``
    for number in range(2000):
        clock.now_s += 0.1
        gate.admit(f"198.51.{number // 250}.{number % 250}", lambda: None)
    assert gate.links <= MAX_PENDING + 1


@given(st.lists(st.tuples(st.sampled_from(["come", "settle", "leave", "wait"]), st.integers(0, 9)), max_size=300))
def test_whatever_happens_the_counts_hold(steps: list[tuple[str, int]]) -> None:
    clock = Clock()
    gate = Gate(clock, max_links=6, max_links_per_host=3, max_pending=4, max_pending_per_host=2)
    inside: list[Admission] = []
    settled: set[Admission] = set()

    def come(host: int) -> None:
        box: list[Admission] = []

        def drop() -> None:
            assert box[0] not in settled
            inside.remove(box[0])

        admission = gate.admit(f"192.0.2.{host % 5}", drop)
        if admission is not None:
            box.append(admission)
            inside.append(admission)

    for step, number in steps:
        if step == "come":
            come(number)
        elif step == "wait":
            clock.now_s += number / 4
        elif inside:
            admission = inside[number % len(inside)]
            if step == "settle":
                admission.settle()
                settled.add(admission)
            else:
                admission.leave()
                inside.remove(admission)
        pending = [each for each in inside if each not in settled]
        assert (gate.links, gate.pending) == (len(inside), len(pending))
        assert gate.links <= 6
        assert gate.pending <= 4
        assert all(count <= 2 for count in Counter(each.group for each in pending).values())
        assert all(count <= 3 for count in gate._links.values())
        assert sum(gate._links.values()) == len(inside)


def test_the_usual_limits_leave_room_for_those_who_play() -> None:
    assert MAX_PENDING < MAX_LINKS
    assert MAX_LINKS_PER_HOST < MAX_LINKS
    options: dict[str, Any] = {}
    assert Gate(Clock(), **options).links == 0
