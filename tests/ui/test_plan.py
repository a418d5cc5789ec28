"""Several actions at once: each when the table has taken the one before, none that is not legal any more."""

from __future__ import annotations

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action, Play
from hocp2p.game.cards import parse_card
from hocp2p.ui.plan import Plan
from tests.ui.terminal import Recorder, stacked, straight_to_play


def plays(client: Recorder, *cards: str) -> list[Action]:
    """Our cards by their names; they need not be legal now."""
    view = client.snapshot.view
    assert view is not None
    places = {card: position for position, card in view.own.items()}
    return [Play(places[parse_card(card)], parse_card(card)) for card in cards]


def in_play() -> Recorder:
    """A 3 is called, and we have all that follows up to a 9."""
    client = stacked("play AH", "play 2D", "sans 3")
    straight_to_play(client)
    client.done.clear()
    return client


def test_at_a_table_that_takes_its_time_nothing_is_done_twice_or_early(monkeypatch: pytest.MonkeyPatch) -> None:
    client = in_play()
    row = plays(client, "3D", "4H", "5S")
    sent: list[Action] = []
    take = client.act
    monkeypatch.setattr(client, "act", sent.append)  # it takes an action only when we say so
    plan = Plan(client)
    plan.begin(row)
    plan.go_on()
    assert sent == row[:1]
    for count, action in enumerate(row, 1):
        take(action)
        plan.go_on()
        plan.go_on()
        assert sent == row[: count + 1]


def test_what_is_not_legal_any_more_ends_the_plan() -> None:
    client = in_play()
    plan = Plan(client)
    first, second, later = plays(client, "3D", "5S", "4H")
    plan.begin([first, second, later])
    plan.go_on()
    client.act(later)
    plan.go_on()  # now a 5 would be legal, but the plan has ended
    assert client.done == [first, later]


def test_what_is_refused_ends_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    client = in_play()
    row = plays(client, "3D", "4H")

    def refuse(_action: Action) -> None:
        raise LocalError("not-now", "not now")

    plan = Plan(client)
    with monkeypatch.context() as refusing, pytest.raises(LocalError):
        refusing.setattr(client, "act", refuse)
        plan.begin(row)
    plan.go_on()
    assert client.done == []


def test_a_new_plan_takes_the_place_of_the_old_one() -> None:
    client = in_play()
    first, second, third = plays(client, "3D", "4H", "5S")
    plan = Plan(client)
    plan.begin([first, third])
    plan.begin([second, third])
    plan.go_on()
    assert client.done == [first, second, third]
