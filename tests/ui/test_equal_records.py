"""One deal by keys, by mouse and by script, with the same cards and decisions: the same actions and the same record."""

from __future__ import annotations

import asyncio
import sys
from random import Random

import pytest

from hocp2p.game.actions import Action
from hocp2p.game.cards import DECK
from hocp2p.game.deal_record import DealRecord, encode_deal, record_deal
from hocp2p.game.house import Rules
from hocp2p.game.state import DealState, SeatView
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.commands import format_words
from tests.support.fake_client import FakeClient, tame_chooser
from tests.ui.line_runs import SCRIPT, play
from tests.ui.terminal import terminal
from tests.ui.test_screen import by_keys, by_mouse

pytestmark = [pytest.mark.timeout(90), pytest.mark.skipif(sys.platform == "win32", reason="a pipe input is POSIX")]

RESIZES = ((120, 36), (60, 16), (200, 60), (80, 24))


class Recorded(FakeClient):
    """Keeps every action of the first deal, with its seat, and the state that the deal began with."""

    def __init__(self, seed: int) -> None:
        self.started: DealState | None = None
        self.actions: list[tuple[int, Action]] = []
        deck = tuple(Random(seed).sample(DECK, len(DECK)))
        super().__init__(seed=seed, decks=(deck,), dealer=seed % 3, rules=Rules(deals=3), ask_ready=True)
        self.faces = dict(enumerate(deck))

    def _start_deal(self) -> None:
        super()._start_deal()
        self.started = self.started or self._state

    def _apply(self, seat: int, action: Action) -> None:
        if self.snapshot.deal == 1:
            self.actions.append((seat, action))
        super()._apply(seat, action)

    @property
    def is_over(self) -> bool:
        return bool(self.snapshot.finished)

    @property
    def record(self) -> DealRecord:
        assert self.started is not None
        return record_deal(self.started, self.faces, self.actions)


class Decisions:
    """Ours, the same in every run."""

    def __init__(self, seed: int) -> None:
        self._choose = tame_chooser(Random(seed))

    def next(self, client: Recorded) -> Action:
        view: SeatView | None = client.snapshot.view
        assert view is not None
        return self._choose(view, client.snapshot.legal)


async def on_screen(seed: int, *, mouse: bool, sizes: tuple[tuple[int, int], ...] = ()) -> Recorded:
    """The deal on the full screen; after every third action of ours the window has another size."""
    client, decisions = Recorded(seed), Decisions(seed)
    left = list(sizes)
    async with terminal(client) as (place, _):
        await (place.click if mouse else place.type)("enter")
        while not client.is_over:
            await (by_mouse if mouse else by_keys)(place, decisions.next(client))
            ours = sum(seat == 0 for seat, _ in client.actions)
            if left and ours % 3 == 0:
                place.resize(*left.pop(0))
                await place.drawn()
    assert not left
    return client


def by_script(seed: int) -> Recorded:
    """The lines of a script are fixed before the run: they come from a run of the same decisions without a face."""
    lines = ["ready"]
    client, decisions = Recorded(seed), Decisions(seed)
    client.ready()
    while not client.is_over:
        action = decisions.next(client)
        lines.append(_words(action, client.snapshot))
        client.act(action)
    scripted = Recorded(seed)
    play(scripted, [*lines, "quit"], manners=SCRIPT)
    return scripted


def _words(action: Action, snapshot: TableSnapshot) -> str:
    assert snapshot.view is not None
    return format_words(action, snapshot.view.state.stake)


@pytest.mark.parametrize("seed", [3, 8])
def test_keys_mouse_and_script_make_the_same_record(seed: int) -> None:
    keys = asyncio.run(on_screen(seed, mouse=False, sizes=RESIZES))
    mouse = asyncio.run(on_screen(seed, mouse=True))
    script = by_script(seed)
    assert len(keys.actions) > 20
    assert keys.actions == mouse.actions == script.actions
    assert encode_deal(keys.record) == encode_deal(mouse.record) == encode_deal(script.record)
    assert keys.record.net == keys.snapshot.finished[0].outcome.net
