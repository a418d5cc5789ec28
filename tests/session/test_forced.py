"""Forced answers: given when they are forced, late like any other, and only while they are wanted."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action, Go, Play, Sans
from hocp2p.session.forced import ForcedAnswers, forced_answer
from hocp2p.session.pace import ANSWER_S, MOST, answer_delay_s
from hocp2p.table.events import TalkSaid
from hocp2p.table.snapshot import Stage, TableSnapshot
from tests.support.fake_client import FakeClient


class Clockwork:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.calls: list[tuple[float, Callable[[], None]]] = []

    def time(self) -> float:
        return self.now_s

    def call_later(self, delay: float, callback: Callable[[], None], /) -> Cancel:
        self.calls.append((self.now_s + delay, callback))
        return Cancel(self, self.calls[-1])

    def pass_s(self, seconds: float) -> None:
        """Calls what is due meanwhile, in order."""
        end_s = self.now_s + seconds
        while due := [call for call in self.calls if call[0] <= end_s]:
            first = min(due, key=lambda call: call[0])
            self.calls.remove(first)
            self.now_s = max(first[0], self.now_s)
            first[1]()
        self.now_s = end_s


class Cancel:
    def __init__(self, clockwork: Clockwork, call: tuple[float, Callable[[], None]]) -> None:
        self._clockwork = clockwork
        self._call = call

    def cancel(self) -> None:
        if self._call in self._clockwork.calls:
            self._clockwork.calls.remove(self._call)


class Watched(FakeClient):
    """Notes what our seat does, and when."""

    clockwork: Clockwork

    def act(self, action: Action) -> None:
        super().act(action)
        self.done.append((self.clockwork.now_s, action))

    done: list[tuple[float, Action]]


def at_table(seed: int, *, on: bool) -> tuple[Watched, ForcedAnswers, Clockwork]:
    client = Watched(seed=seed)
    client.clockwork, client.done = Clockwork(), []
    return client, ForcedAnswers(client, on=on, rng=Random(seed), timing=client.clockwork), client.clockwork


def play_until(client: ForcedAnswers, clockwork: Clockwork, wanted: Callable[[TableSnapshot], bool]) -> bool:
    """Some legal action of ours, until a picture is wanted."""
    client.ready()
    while client.snapshot.stage is Stage.DEAL:
        snapshot = client.snapshot
        if wanted(snapshot):
            return True
        plays: list[Action] = [action for action in snapshot.legal if isinstance(action, Play)]
        client.act((plays or [*snapshot.legal])[-1])
        if client.snapshot is snapshot:
            clockwork.pass_s(ANSWER_S * MOST)
    return False


def choice_of_sans(snapshot: TableSnapshot) -> bool:
    """A hoc could be played, or withheld."""
    return len(snapshot.legal) > 1 and any(isinstance(action, Sans) for action in snapshot.legal)


def is_forced(snapshot: TableSnapshot) -> bool:
    return forced_answer(snapshot) is not None


def test_a_delay_is_one_draw_about_its_median_within_its_limits() -> None:
    rng = Random(1)
    delays = [answer_delay_s(rng) for _ in range(5000)]
    assert abs(median(delays) - ANSWER_S) < 0.05
    assert ANSWER_S / MOST <= min(delays) < max(delays) <= ANSWER_S * MOST
    assert answer_delay_s(rng, 0.0) == 0.0
    one, other = Random(2), Random(2)
    assert answer_delay_s(one, 3.0) == pytest.approx(2 * answer_delay_s(other, 1.5))
    assert one.getstate() == other.getstate()


@pytest.mark.parametrize("seed", range(1, 6))
def test_what_is_forced_is_said_after_its_delay(seed: int) -> None:
    client, forced, clockwork = at_table(seed, on=True)
    if not play_until(forced, clockwork, is_forced):
        pytest.skip("nothing was forced")
    answer = forced_answer(client.snapshot)
    before = len(client.done)
    clockwork.pass_s(ANSWER_S / MOST - 0.01)
    assert len(client.done) == before
    clockwork.pass_s(ANSWER_S * MOST)
    assert client.done[before][1] == answer


def test_nothing_is_forced_where_a_hoc_could_be_played() -> None:
    tried = 0
    for seed in range(1, 12):
        client, forced, clockwork = at_table(seed, on=True)
        if play_until(forced, clockwork, choice_of_sans):
            tried += 1
            before = list(client.done)
            clockwork.pass_s(100.0)
            assert client.done == before
    assert tried


def test_a_sans_that_withholds_a_hoc_goes_out_like_a_forced_one() -> None:
    """The same draw of the same dice decides when, whether the word was ours or was given for us."""
    delays: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(1, 40):
        for wanted in (is_forced, choice_of_sans):
            client, forced, clockwork = at_table(seed, on=False)
            if not play_until(forced, clockwork, wanted):
                continue
            forced._rng = Random(seed)
            forced.on, began_s, before = True, clockwork.now_s, len(client.done)
            forced.give()
            if wanted is choice_of_sans:
                forced.act(next(action for action in client.snapshot.legal if isinstance(action, Sans | Go)))
            clockwork.pass_s(ANSWER_S * MOST)
            at_s, action = client.done[before]
            assert isinstance(action, Sans | Go)
            assert at_s - began_s == pytest.approx(answer_delay_s(Random(seed)))
            delays[wanted is is_forced].append(at_s - began_s)
    assert all(len(found) > 3 for found in delays.values())


def test_another_word_in_time_takes_the_place_of_the_first() -> None:
    for seed in range(1, 40):
        client, forced, clockwork = at_table(seed, on=True)
        if play_until(forced, clockwork, choice_of_sans):
            break
    forced.act(next(action for action in client.snapshot.legal if isinstance(action, Sans)))
    hoc = next(action for action in client.snapshot.legal if isinstance(action, Play))
    before = len(client.done)
    forced.act(hoc)
    assert client.done[before] == (clockwork.now_s, hoc)
    assert not any(isinstance(action, Sans) for _, action in client.done[before:])


def test_off_means_that_nothing_is_said_and_nothing_delayed() -> None:
    client, forced, clockwork = at_table(3, on=False)
    assert play_until(forced, clockwork, is_forced)
    before = len(client.done)
    clockwork.pass_s(100.0)
    assert len(client.done) == before
    forced.act(client.snapshot.legal[0])
    assert client.done[before][0] == clockwork.now_s


def test_talk_meanwhile_changes_nothing_and_an_answer_is_given_once() -> None:
    client, forced, clockwork = at_table(3, on=False)
    assert play_until(forced, clockwork, is_forced)
    forced.on = True
    forced.give()
    answer, before = client.snapshot.legal[0], len(client.done)
    client.hear(TalkSaid(1, "well?"))
    forced.act(answer)
    assert len(clockwork.calls) == 1
    clockwork.pass_s(ANSWER_S * MOST)
    assert [action for _, action in client.done[before:]].count(answer) == 1


def test_leaving_forgets_what_waits() -> None:
    client, forced, clockwork = at_table(3, on=False)
    assert play_until(forced, clockwork, is_forced)
    forced.on = True
    forced.give()
    before = len(client.done)
    forced.leave()
    clockwork.pass_s(100.0)
    assert len(client.done) == before


def test_what_is_not_legal_is_refused_as_ever() -> None:
    _, forced, _ = at_table(3, on=True)
    with pytest.raises(LocalError):
        forced.act(Sans(3))
