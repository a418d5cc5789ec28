"""Our actions in the line mode: several in a row, at a quick table and at one that takes its time."""

from __future__ import annotations

import asyncio

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action, Play
from hocp2p.game.cards import DECK, Card, parse_card
from hocp2p.game.house import Rules
from hocp2p.game.rules import deal_positions
from hocp2p.game.state import SeatView
from hocp2p.table.events import TalkSaid
from hocp2p.ui.commands import parse_command
from hocp2p.ui.effects import Act
from hocp2p.ui.line import Manners
from hocp2p.ui.line_actions import OurActions
from hocp2p.ui.line_inbox import Line
from hocp2p.ui.line_output import LineOutput
from tests.support.fake_client import FakeClient
from tests.ui.line_runs import PIPE, SCRIPT, plain_words, play, play_by, table

# Several cards in a row.


def ordered_deck(*hands: str) -> tuple[Card, ...]:
    """A deck for a table of two with seat 0 as dealer: the first hand is dealt to seat 0, the second to seat 1."""
    wanted = [[parse_card(text) for text in hand.split()] for hand in hands]
    positions = deal_positions(2, 0)
    faces: dict[int, Card] = {}
    for places, cards in zip(positions, wanted, strict=True):
        faces |= dict(zip(places, cards, strict=False))
    rest = iter([card for card in DECK if card not in faces.values()])
    return tuple(faces[place] if place in faces else next(rest) for place in range(len(DECK)))


def leads_low(_: SeatView, legal: tuple[Action, ...]) -> Action:
    """The other seat: passes, leads its lowest card and goes on while it can."""
    plays = sorted((one for one in legal if isinstance(one, Play)), key=lambda one: one.card.rank)
    return plays[0] if plays else legal[0]


HAND = "4H 5S 6S 7C JD 9C QS KH TD 9S TH JS 2C 2D 2H"
OTHER = "AS 2S 3S AH AD AC 8H 8D 8S 8C 9H 9D TC TS QD"


def in_play() -> tuple[FakeClient, list[str]]:
    client = table(seats=2, rules=Rules(deals=2), decks=(ordered_deck(HAND, OTHER),), dealer=0, chooser=leads_low)
    return client, ["ready", "pass", "pass", "pass", "go"]


def test_several_cards_in_a_row() -> None:
    client, before = in_play()
    told = play(client, [*before, "play 4h 5s 6s 7c", "sans"], manners=PIPE)
    at = told.index("> play 4h 5s 6s 7c")
    assert told[at + 1 : at + 5] == [
        "ok 4 hearts. run wants 5",
        "ok 5 spades. run wants 6",
        "ok 6 spades. run wants 7",
        "ok 7 clubs. run wants 8",
    ]
    assert told[at + 5].startswith("turn you, wants 8. legal: hoc ")


def test_a_row_ends_where_it_cannot_go_on() -> None:
    client, before = in_play()
    told = play(client, [*before, "play 4h 5s 7c 6s", "hand"], manners=PIPE)
    at = told.index("> play 4h 5s 7c 6s")
    assert told[at + 1 : at + 3] == ["ok 4 hearts. run wants 5", "ok 5 spades. run wants 6"]
    assert told[at + 3].startswith("no: not done: play 7C, play 6S: a 6 is called")
    assert any(line.startswith("hand 13 cards: 6S") for line in told[at + 4 :])


def test_a_hoc_in_a_row_leads_on() -> None:
    client, before = in_play()
    told = play(client, [*before, "play 4h jd", "hoc qs", "play 9c td", "hoc kh as j"], manners=PIPE)
    assert "ok jack diamonds, hoc. you lead" in told
    assert "ok queen spades, hoc. you lead" in told
    assert "ok king hearts, hoc. you lead" in told
    assert "deal 1 play run 1: Bruno pays you 1: hoc" in told
    assert not any(line.startswith("no:") for line in told)


def test_the_others_cards_of_one_go_are_one_line() -> None:
    client, before = in_play()
    told = play(client, before, manners=PIPE)
    assert "deal 1 play run 1: Bruno ace spades, 2 spades, 3 spades, sans 4" in told


def test_hoc_as_another_rank_than_the_called_one() -> None:
    client, before = in_play()
    told = play(client, [*before, "hoc jd as 5"], manners=PIPE)
    assert any(line.startswith("no: the run wants 4. legal: play 4h | hoc ") for line in told)


# A client whose actions take their time, as proofs do.


class SlowClient(FakeClient):
    """An action reaches the table only when the event loop comes round to it."""

    delay_s = 0.001

    def act(self, action: Action) -> None:
        if action not in self.snapshot.legal:
            raise LocalError("not-your-turn", "it is not your turn")
        asyncio.get_running_loop().call_later(self.delay_s, super().act, action)


class ListeningTwice(SlowClient):
    """And tells the same picture again meanwhile."""

    def act(self, action: Action) -> None:
        super().act(action)
        asyncio.get_running_loop().call_soon(self.hear, TalkSaid(1, "hm"))


@pytest.mark.parametrize("kind", [SlowClient, ListeningTwice])
def test_actions_that_take_their_time_are_done_once_and_in_order(kind: type[FakeClient]) -> None:
    typed, quick = play_by(table(), plain_words, manners=SCRIPT)
    client = kind(seed=5, rules=Rules(deals=3))
    told = play(client, typed, manners=SCRIPT)
    assert [line for line in told if "hm" not in line] == quick


class VerySlowClient(SlowClient):
    """Whatever else the machine does, the next line is read before."""

    delay_s = 1.0


def test_a_second_action_by_hand_while_the_first_is_on_its_way() -> None:
    client = VerySlowClient(seed=5, rules=Rules(deals=3))
    told = play(client, ["ready", "good", "stay"], manners=Manners())
    assert any("your last action is still on its way" in line for line in told)


def test_who_does_one_action_knows_what_is_to_come() -> None:
    """Each is done once the table has the one before; what cannot be done ends the command that it came from."""
    client, _ = in_play()
    client.ready()
    while client.snapshot.view is None or not any(isinstance(action, Play) for action in client.snapshot.legal):
        client.act(client.snapshot.legal[0])
    told: list[str] = []
    actions = OurActions(client, LineOutput(told.append, as_json=False, ascii=True))
    line = Line(4, "play 4h 5s 7c")
    command = parse_command(line.text, client.snapshot)
    assert isinstance(command, Act)
    actions.begin(command.actions, line)
    assert (actions.to_come, actions.line) == (True, line)
    assert actions.may_act(client.snapshot)
    actions.go_on()
    with pytest.raises(LocalError, match="not done: play 7C: a 6 is called"):
        actions.go_on()
    assert not actions.to_come
    assert actions.line == line
    assert len(told) == 2
