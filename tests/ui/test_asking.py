"""What is asked of the table reaches it, and what cannot be had is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.session.forced import ForcedAnswers
from hocp2p.session.managing import Managing, SetRules, TakeChair
from hocp2p.table.events import TalkSaid
from hocp2p.ui.asking import ask
from hocp2p.ui.effects import Again, Answer, Manage, Ready, RenewInvite, Request, Resize, Say, ShowHand, Vote
from tests.support.fake_client import FakeClient

CALLS = {
    Say("hello"): ["say hello"],
    Ready(): ["ready"],
    ShowHand(): ["show_hand"],
    Again(): ["again"],
    Vote(1, go_on=True): ["give_up 1"],
    Vote(1, go_on=False): ["wait_for 1"],
    Answer(3, admit=True): ["admit 3"],
    Answer(3, admit=False): ["decline 3"],
    Resize(): ["resize"],
    RenewInvite(): ["renew_invite"],
    Manage((TakeChair(1), TakeChair(2))): ["kick 1", "kick 2"],
}


class Listening:
    """Writes down what is called, and lets the chairs be free at once."""

    def __init__(self) -> None:
        self.called: list[str] = []
        self.table = FakeClient()

    def __getattr__(self, name: str) -> object:
        if name in ("snapshot", "listen"):
            return getattr(self.table, name)

        def call(*given: object) -> None:
            self.called.append(" ".join([name, *map(str, given)]))
            if name == "kick":
                self.table.kick(*given)  # type: ignore[arg-type]

        return call


@pytest.mark.parametrize("request_", CALLS, ids=str)
def test_each_request_is_one_call(request_: Request) -> None:
    client = Listening()
    ask(request_, client, Managing(client))  # type: ignore[arg-type]
    assert client.called == CALLS[request_]


def test_no_request_is_left_out() -> None:
    assert {type(request) for request in CALLS} == set(get_args(Request))


def test_a_wish_of_the_host_is_carried_out() -> None:
    client = FakeClient()
    rules = replace(client.snapshot.rules, deals=6)
    ask(Manage((SetRules(rules),)), ForcedAnswers(client), Managing(client))
    assert client.snapshot.rules == rules


def test_what_cannot_be_had_is_refused_and_changes_nothing() -> None:
    client = FakeClient(our_seat=1, rules=Rules(deals=3))
    before = client.snapshot
    seat = ForcedAnswers(client)
    for request in (ShowHand(), Again(), Say(""), Answer(1, admit=True), Resize(), Manage((TakeChair(2),))):
        with pytest.raises(LocalError):
            ask(request, seat, Managing(seat))
    assert client.snapshot is before
    ask(Say("hello"), seat, Managing(seat))
    assert client.snapshot.events[-1] == TalkSaid(1, "hello")
