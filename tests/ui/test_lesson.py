"""What a practice deal explains: at the right moment, once, in sentences that fit and tell the truth."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from functools import cache
from random import Random
from statistics import median
from typing import NamedTuple

import pytest

from hocp2p.game.actions import Play, Sans, Stake
from hocp2p.game.cards import Card
from hocp2p.game.combinations import holdings
from hocp2p.game.events import CardPlayed, DealEnded, RunEnded, SansSaid, ShowdownOpened, StakeClosed, StakeEnd
from hocp2p.game.house import Rules
from hocp2p.game.payments import cards_left_due
from hocp2p.game.state import Phase
from hocp2p.session.practice import open_practice
from hocp2p.table.events import TableEvent
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.cells import text_width
from hocp2p.ui.commands import format_words
from hocp2p.ui.lesson import TEXT_CELLS, TOPICS, Course, Lesson, lesson
from hocp2p.ui.lesson_line import run_lesson_line
from hocp2p.ui.lesson_moment import Moment
from hocp2p.ui.line import Manners
from tests.support.fake_client import FakeClient, stacked_deck, tame_chooser

SEEDS = range(60)
BLUFFERS = (
    "2S 4S 6S 8S TS 2H 4H 6H 8H TH QH QD",
    "3S 5S 7S 9S JS 3H 5H 7H 9H JH AC 2D",
    "AS KS 3D 5D 7D 9D 4C 6C 8C TC QC AH",
)
"""Hands without a run or three of a rank: whoever comes in for these is bluffing."""


class Told(NamedTuple):
    """A lesson and where it was told."""

    lesson: Lesson
    snapshot: TableSnapshot
    hands: Mapping[int, tuple[Card, ...]]


class OpenClient(FakeClient):
    """The fake table with the others' hands laid open."""

    def open_hands(self, snapshot: TableSnapshot) -> dict[int, tuple[Card, ...]]:
        view = snapshot.view
        if view is None:
            return {}
        others = [seat for seat in range(view.state.seats) if seat != view.seat]
        return {seat: tuple(self._deck.faces[at] for at in view.state.hands[seat]) for seat in others}


def play(client: OpenClient, rng: Random) -> tuple[list[Told], list[tuple[TableSnapshot, tuple[TableEvent, ...]]]]:
    """One deal at a fake table with the lessons of every picture, and all pictures."""
    course = Course()
    told: list[Told] = []
    pictures: list[tuple[TableSnapshot, tuple[TableEvent, ...]]] = []

    def hear(snapshot: TableSnapshot, events: tuple[TableEvent, ...]) -> None:
        pictures.append((snapshot, events))
        if len(snapshot.finished) <= 1 and snapshot.deal <= 1:
            hands = client.open_hands(snapshot)
            while (due := course.next(snapshot, hands)) is not None:
                told.append(Told(due, snapshot, hands))

    client.listen(hear)
    hear(client.snapshot, ())
    choose = tame_chooser(rng)
    client.ready()
    while not client.snapshot.finished:
        view = client.snapshot.view
        assert view is not None
        client.act(choose(view, client.snapshot.legal))
    return told, pictures


@cache
def deals() -> tuple[tuple[list[Told], tuple[TableEvent, ...]], ...]:
    """Random deals, and some that are all bluff: their lessons and events."""
    played = []
    for seed in SEEDS:
        decks = (stacked_deck(seed % 3, *BLUFFERS),) if seed % 6 == 0 else ()
        dealer = seed % 3 if decks else None
        client = OpenClient(seed=seed, rules=Rules(deals=3), ask_ready=True, decks=decks, dealer=dealer)
        told, _ = play(client, Random(seed))
        played.append((told, client.snapshot.events))
    return tuple(played)


def every_told(topic: str) -> list[Told]:
    return [told for deal, _ in deals() for told in deal if told.lesson.topic == topic]


def test_each_thing_is_told_once_and_all_things_are_told_in_some_deal() -> None:
    for told, _ in deals():
        topics = [each.lesson.topic for each in told]
        assert len(topics) == len(set(topics))
        assert topics[0] == "welcome"
        assert topics[-2:] == ["settlement", "fair"]
        wanted = ["hand", "point", "sequence", "tricon", "blanche", "play", "settlement", "fair"]
        assert [topic for topic in topics if topic in wanted] == wanted
    assert {told.lesson.topic for deal, _ in deals() for told in deal} == set(TOPICS)


def test_stakes_are_told_when_we_are_asked() -> None:
    for topic, stake in (("point", Stake.POINT), ("sequence", Stake.SEQUENCE), ("tricon", Stake.TRICON)):
        for _, snapshot, _ in every_told(topic):
            assert snapshot.legal
            assert snapshot.view is not None
            assert snapshot.view.state.stake is stake
            assert snapshot.view.state.phase is Phase.AUCTION
    for topic, opened in (("opening", False), ("answering", True)):
        for _, snapshot, _ in every_told(topic):
            assert snapshot.view is not None
            assert snapshot.view.state.auction is not None
            assert snapshot.view.state.auction.opened is opened


def test_what_we_hold_and_who_would_win_is_true() -> None:
    bluffs = 0
    for topic, stake in (("point", Stake.POINT), ("sequence", Stake.SEQUENCE), ("tricon", Stake.TRICON)):
        for found, snapshot, hands in every_told(topic):
            text = " ".join(found.text)
            assert snapshot.view is not None
            ours = holdings(stake, snapshot.view.hand)
            auction = snapshot.view.state.auction
            assert auction is not None
            still_in = [hand for seat, hand in hands.items() if not auction.out[seat]]
            theirs = [best[0] for hand in still_in if (best := holdings(stake, hand))]
            if ours:
                assert Moment(snapshot, hands).cards(ours[0].cards) in text
            if not (ours or theirs):
                assert "nobody has one" in text
                bluffs += 1
            elif ours and all(best.claim < ours[0].claim for best in theirs):
                assert "you would win" in text
            elif theirs and (not ours or max(best.claim for best in theirs) > ours[0].claim):
                assert re.search(r"(Bruno|bot 3) would win, with", text)
                most = max(best.claim for best in theirs)
                assert any(Moment(snapshot, hands).cards(best.cards) in text for best in theirs if best.claim == most)
    assert bluffs


def test_equal_combinations_go_by_position() -> None:
    hands = (
        "7S 8S 9S 2H 4H 6H JC KC 2C 4C QD AD",
        "7D 8D 9D 3S 5S JS 2S TH QH AC 5C 8C",
        "AS KS 3H 5H 7H 9H 3C 6C 9C TC QC JD",
    )
    for dealer, better in ((2, True), (0, False)):  # seat 0 is eldest, or the dealer
        client = OpenClient(decks=(stacked_deck(dealer, *hands),), dealer=dealer, rules=Rules(deals=3))
        told, _ = play(client, Random(4))
        text = next(" ".join(each.lesson.text) for each in told if each.lesson.topic == "sequence")
        assert ("you would win" in text) is better


def test_the_end_of_each_kind_of_stake_is_told_after_it() -> None:
    kinds = {
        "passed": StakeEnd.PASSED,
        "alone": StakeEnd.ALONE,
        "shown": StakeEnd.SHOWN,
        "nothing": StakeEnd.NOTHING,
    }
    for told, events in deals():
        ends = {event.end for event in events if isinstance(event, StakeClosed)}
        topics = [each.lesson.topic for each in told]
        assert {kinds[topic] for topic in topics if topic in kinds} == ends
        assert ("showdown" in topics) == any(isinstance(event, ShowdownOpened) for event in events)
        for each in told:
            if each.lesson.topic in kinds:
                closed = [event for event in each.snapshot.events if isinstance(event, StakeClosed)]
                assert closed[-1].end is kinds[each.lesson.topic]


def test_the_play_is_told_as_it_comes() -> None:
    for told, events in deals():
        topics = {each.lesson.topic: each for each in told}
        others_sans = any(isinstance(event, SansSaid) and event.seat != 0 for event in events)
        our_sans = any(isinstance(event, SansSaid) and event.seat == 0 for event in events)
        assert ("sans" in topics) >= our_sans
        if not (others_sans or our_sans) and "sans" in topics:
            assert any(isinstance(action, Sans) for action in topics["sans"].snapshot.legal)
        runs = [event for event in events if isinstance(event, RunEnded) and event.fortuitous]
        assert ("fortuitous" in topics) == bool(runs)
        theirs = [event for event in events if isinstance(event, CardPlayed) and event.card.is_hoc and event.seat != 0]
        last = next(event for event in reversed(events) if isinstance(event, CardPlayed))
        if theirs and theirs != [last]:  # with the last card of all nothing is left to learn from it
            assert "hocs" in topics
    for _, snapshot, _ in every_told("called"):
        assert snapshot.view is not None and snapshot.view.state.play is not None
        rank = snapshot.view.state.play.called
        assert any(isinstance(one, Play) and one.card.rank == rank and not one.card.is_hoc for one in snapshot.legal)


def test_the_bill_is_the_one_of_the_rules() -> None:
    ours = theirs = 0
    for found, snapshot, hands in every_told("settlement"):
        ended = next(event for event in snapshot.events if isinstance(event, DealEnded))
        text = " ".join(found.text)
        if ended.winner == snapshot.our_seat:
            ours += 1
            for hand in hands.values():
                assert f"pays you {cards_left_due(len(hand))} jetons" in text
        else:
            theirs += 1
            assert snapshot.view is not None
            assert f"pay {cards_left_due(len(snapshot.view.hand))} jetons" in text
    assert ours and theirs


def test_the_proofs_are_named() -> None:
    for found, snapshot, _ in every_told("fair"):
        for proof in snapshot.proved:
            assert proof in " ".join(found.text)


@pytest.mark.parametrize("topic", TOPICS)
def test_texts_fit_and_are_whole_sentences(topic: str) -> None:
    for found, _, _ in every_told(topic):
        assert found.title == TOPICS[topic][0]
        assert 1 <= len(found.rows()) <= 13  # a page of 80x24, with some of the table below
        assert all(text_width(row) <= TEXT_CELLS for row in found.rows())
        for paragraph in found.text:
            assert paragraph[0].isupper() or paragraph.startswith(("hocp2p", "bot"))
            assert paragraph[-1] in ".!:"
            assert not re.search(r"[{}]|  |None", paragraph)


def test_a_whole_deal_is_read_in_about_four_minutes() -> None:
    """At 240 words a minute, cards not counted."""
    texts = [" ".join(paragraph for each in told for paragraph in each.lesson.text) for told, _ in deals()]
    words = [len(re.findall(r"[A-Za-z']{2,}", text)) for text in texts]
    assert min(words) >= 500
    assert median(words) <= 960
    assert max(words) <= 1080


def test_nothing_is_told_before_all_hands_are_open_and_nothing_twice() -> None:
    client = OpenClient(seed=3, rules=Rules(deals=3))
    client.ready()
    snapshot = client.snapshot
    hands = client.open_hands(snapshot)
    assert lesson(snapshot, {1: hands[1]}, ["welcome"]) is None
    found = lesson(snapshot, hands, ["welcome"])
    assert found is not None
    assert found.topic == "hand"
    assert lesson(snapshot, hands, TOPICS) is None


def test_suits_are_letters_where_only_ascii_is_drawn() -> None:
    client = OpenClient(seed=3, rules=Rules(deals=3))
    client.ready()
    course = Course(ascii=True)
    while (found := course.next(client.snapshot, client.open_hands(client.snapshot))) is not None:
        assert " ".join(found.text).isascii()
    assert course.latest is not None


def test_a_whole_practice_deal_in_lines() -> None:
    told: list[str] = []

    async def practise() -> None:
        async with open_practice("novice", seed=2) as client:
            moved = asyncio.Event()
            client.listen(lambda _, __: moved.set())

            async def commands() -> AsyncIterator[str]:
                yield "open"
                while not client.snapshot.finished:
                    if client.snapshot.legal and client.snapshot.view is not None:
                        yield "open"
                        asked = client.snapshot
                        yield format_words(asked.legal[0], client.snapshot.view.state.stake)
                        while client.snapshot.view == asked.view:
                            moved.clear()
                            await moved.wait()
                    else:
                        moved.clear()
                        await moved.wait()

            await run_lesson_line(
                client, commands=commands(), out=told.append, ascii=True, manners=Manners(patient=True)
            )
            assert client.snapshot.net is not None

    asyncio.run(asyncio.wait_for(practise(), 60))
    titles = [f"lesson: {title}" for title, _ in TOPICS.values()]
    explained = [line for line in told if line in titles]
    assert len(explained) == len(set(explained)) >= 8
    assert explained[0] == titles[0]
    assert explained[-2:] == titles[-2:]
    assert all(text_width(line) <= TEXT_CELLS for line in told if line.startswith("lesson:"))
    assert "open: no cards are dealt yet" in told
    assert sum(line.startswith("open bot 1: ") for line in told) >= 4
    first_turn = next(at for at, line in enumerate(told) if line.startswith("turn you"))
    assert told.index("lesson: The first stake: Point") < first_turn
    assert [line for line in told if line.startswith("no: ")] == []
    assert any(line.startswith("the session is over") for line in told)
