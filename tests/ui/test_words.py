"""Sentences for people."""

from __future__ import annotations

from typing import get_args

import pytest

from hocp2p.game import actions, events
from hocp2p.game.actions import (
    Announce,
    Claim,
    Combination,
    Declare,
    Good,
    Held,
    Hold,
    Pass,
    Play,
    Raise,
    Sans,
    Show,
    Stake,
    Stay,
)
from hocp2p.game.cards import DECK, parse_card
from hocp2p.game.events import Source, StakeEnd
from hocp2p.game.house import Rules
from hocp2p.game.state import DealOutcome
from hocp2p.table import events as table
from hocp2p.table.events import TableEvent
from hocp2p.ui import lang
from hocp2p.ui.cells import UNICODE
from hocp2p.ui.local import Local
from hocp2p.ui.look import Look
from hocp2p.ui.names import listed
from hocp2p.ui.story import tell_all
from hocp2p.ui.words import (
    describe_action,
    describe_claim,
    describe_event,
    format_card_symbols,
    format_cards,
    joined,
    why_not,
)
from tests.support.fake_client import FakeClient
from tests.ui.scenes import Story

NAMES = ("Anna", "Bruno", "bot 3")
SEVEN = parse_card("7D")
KING = parse_card("KH")
OUTCOME = DealOutcome({}, (0, 0, 0), (100, 100, 100), (0, 0, 0), frozenset())

SENTENCES: list[tuple[TableEvent, str | None]] = [
    (events.Anted((3, 3, 3)), "Everybody antes 3, one into each pool"),
    (events.StakeOpened(Stake.POINT, 3, False, 1), "Point: 3 jetons in the pool; Bruno speaks first"),
    (
        events.StakeOpened(Stake.TRICON, 6, True, 0),
        "Tricon: 6 jetons in the pool, payments doubled; you speak first",
    ),
    (events.Called(1, Stake.POINT, Pass(), 0, 0), "Bruno passes"),
    (events.Called(0, Stake.POINT, Pass(), 0, 0), "You pass"),
    (events.Called(1, Stake.SEQUENCE, Declare(Combination.QUINT), 0, 0), "Bruno declares: quint"),
    (events.Called(1, Stake.SEQUENCE, Raise(5, Combination.TIERCE), 5, 5), "Bruno raises 5, to 5: tierce"),
    (events.Called(0, Stake.POINT, Raise(5), 5, 9), "You raise 5, to 9"),
    (events.Called(2, Stake.TRICON, Stay(Combination.FREDON), 4, 4), "Bot 3 stays for 4: fredon"),
    (events.Called(2, Stake.POINT, Stay(), 0, 0), "Bot 3 stays"),
    (events.Called(2, Stake.POINT, Good(), 0, 3), "Bot 3 says good"),
    (events.ShowdownOpened(Stake.POINT, (2, 0)), "Showdown between bot 3 and you"),
    (events.Announced(0, Stake.POINT, Claim(5, 31)), "You announce 5 cards, 31 points"),
    (events.Announced(1, Stake.SEQUENCE, Claim(4, 9)), "Bruno announces quart to the 9"),
    (events.Announced(1, Stake.SEQUENCE, Claim(6, 13)), "Bruno announces quint of 6 to the king"),
    (events.Announced(1, Stake.TRICON, Claim(3, 13)), "Bruno announces brelan of kings"),
    (events.Announced(1, Stake.TRICON, Claim(4, 6)), "Bruno announces fredon of 6s"),
    (events.Announced(1, Stake.TRICON, None), "Bruno says good"),
    (events.CardsShown(1, Stake.POINT, (Held(3, SEVEN), Held(9, KING))), "Bruno shows 7♦ K♥"),
    (events.FalselyAnnounced(1, Stake.POINT), "Bruno cannot show it: a false announcement"),
    (events.Paid(Source.HOCS, 1, 0, 1, "hoc"), "Bruno pays you 1: hoc"),
    (events.Paid(Source.FINES, 0, None, 5, "held back"), "You pay 5 into the next Point pool: held back"),
    (events.StakeClosed(Stake.POINT, StakeEnd.PASSED, None, 0), "Everybody passes: the Point pool stays on the table"),
    (events.StakeClosed(Stake.POINT, StakeEnd.ALONE, 1, 5), "Bruno takes the Point pool of 5, alone in it"),
    (events.StakeClosed(Stake.SEQUENCE, StakeEnd.SHOWN, 0, 5), "You win Sequence and its pool of 5"),
    (events.StakeClosed(Stake.TRICON, StakeEnd.NOTHING, 1, 5), "Nobody has a Tricon: Bruno takes the 5 by position"),
    (events.BlancheClaimed(1), "Bruno claims carte blanche: not one court, proved"),
    (events.PlayOpened(1), "The play begins: Bruno leads"),
    (events.CardPlayed(1, 3, SEVEN, 7, True, 4), "Bruno leads 7♦"),
    (events.CardPlayed(0, 3, KING, 8, False, 4), "You play K♥ as the 8"),
    (events.SansSaid(1, 11), "Bruno says sans jack"),
    (events.CardHeldBack(1, 10), "Bruno lets the 10 go by without proof"),
    (events.RunEnded(1, True), "Nobody goes on: Bruno leads anew"),
    (events.RunEnded(0, False), "You lead anew"),
    (events.HocSaid(1, False), "Bruno says Hoc!"),
    (events.HocSaid(1, True), "Bruno says Hoc! (fortuitous)"),
    (events.SeatGone(0), "You are gone for good"),
    (events.SeatGone(1), "Bruno is gone for good"),
    (events.DealEnded(1, (3, 0, 2)), "Bruno is out: the deal is over"),
    (events.DealEnded(None, (3, 1, 2)), "Nobody is left to play: the deal is over"),
    (table.SeatTaken(1, "Bruno"), "Bruno takes seat 2"),
    (table.SeatFreed(1, "Bruno"), "Bruno leaves seat 2"),
    (table.TableProposed(), "All seats are filled: read the rules and say ready"),
    (table.SeatReady(1), "Bruno is ready"),
    (table.CardDrawn(1, SEVEN), "Bruno draws 7♦"),
    (table.DealerChosen(0), "You deal first"),
    (table.DealStarted(2, 1), "Deal 2: Bruno deals"),
    (table.DeckStep(1, "shuffle", 1), "Bruno shuffles"),
    (table.DeckStep(1, "keys"), None),
    (table.HandDealt((KING, SEVEN)), "Your hand: 7♦ K♥"),
    (table.DealSigned(2, OUTCOME), "Deal 2 is signed by all"),
    (table.HandShown(1, 2, (KING, SEVEN)), "Bruno shows the hand: 7♦ K♥"),
    (table.AwayChanged(1, True), "Bruno is away: the free choices are made without waiting"),
    (table.AwayChanged(0, False), "You are back"),
    (table.RulesChanged(Rules(deals=9)), "The host has changed the rules: read them and say ready again"),
    (table.AnotherWanted(0), "You would play another match"),
    (table.TalkSaid(1, "hello"), "Bruno: hello"),
    (table.LinkChanged(1, False), "Bruno is not heard any more"),
    (table.LinkChanged(1, True), "Bruno is heard again"),
    (table.Refused(1, "closed", "the table is closed"), "Bruno does not go on: the table is closed"),
    (table.Voted(0, 1, True), "You would go on without Bruno"),
    (table.Voted(1, 0, True), "Bruno would go on without you"),
    (table.Voted(1, 2, True), "Bruno would go on without bot 3"),
    (table.Voted(0, 1, False), "You would wait for Bruno"),
    (table.Voted(1, 0, False), "Bruno would wait for you"),
    (table.Voted(1, 2, False), "Bruno would wait for bot 3"),
    (
        table.TableParted((1,)),
        "Bruno is gone: the session goes on from here, with somebody new in that chair, or between two",
    ),
    (
        table.KeyChanged(1, "5k2m-q7rt", "r4t9-v0ja", "2026-11-30"),
        "CAUTION: Bruno has another key than before (5k2m-q7rt; r4t9-v0ja on 2026-11-30): ask who it is",
    ),
    (
        table.RecordEnded("No space left on device"),
        "The record of this session cannot be written any more: No space left on device; the game goes on",
    ),
    (table.Knocked(1, "Carla", "r4t9-v0ja"), "Carla knocks, key r4t9-v0ja"),
    (table.SeatLeft(1, "left the table", "left"), "Bruno left the table"),
    (table.SessionEnded((5, 0, -5)), "The session is over: you +5, Bruno 0 and bot 3 -5"),
    (table.TableStopped("lost", "the host is gone"), "The table stopped: the host is gone"),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_every_event_has_its_sentence(event: TableEvent, sentence: str | None) -> None:
    assert describe_event(event, NAMES, you=0) == sentence


def test_no_kind_of_event_is_forgotten() -> None:
    assert {type(event) for event, _ in SENTENCES} == set(get_args(TableEvent))


def test_without_a_seat_of_ours_everybody_is_named_and_ascii_has_letters_for_suits() -> None:
    assert describe_event(events.CardPlayed(0, 3, SEVEN, 7, True, 4), NAMES, ascii=True) == "Anna leads 7D"
    assert describe_event(events.SansSaid(4, 2), NAMES) == "Seat 5 says sans 2"


@pytest.mark.parametrize(
    ("action", "phrase"),
    [
        (Pass(), "pass"),
        (Declare(), "declare"),
        (Declare(Combination.BRELAN), "declare, brelan"),
        (Raise(4), "raise 4"),
        (Raise(4, Combination.QUART), "raise 4, quart"),
        (Stay(), "stay"),
        (Stay(Combination.QUART), "stay, quart"),
        (Good(), "good"),
        (Announce(Claim(4, 30)), "announce 4 cards, 30 points"),
        (Show((Held(1, SEVEN), Held(2, KING))), "show 7♦ K♥"),
        (actions.Unseen(), "take it unseen"),
        (actions.Blanche(), "claim carte blanche"),
        (actions.Go(), "claim nothing"),
        (Play(3, SEVEN), "play 7♦"),
        (Sans(12), "sans queen"),
        (Hold(1), "hold back the ace"),
    ],
)
def test_every_action_has_its_phrase(action: actions.Action, phrase: str) -> None:
    assert describe_action(action, stake=Stake.POINT) == phrase


def test_a_claim_without_its_stake_is_told_in_numbers() -> None:
    assert describe_action(Announce(Claim(4, 30))) == "announce 4/30"
    assert describe_claim(Stake.SEQUENCE, Claim(3, 1)) == "tierce to the ace"
    assert describe_claim(Stake.POINT, Claim(1, 1)) == "1 card, 1 point"


def test_cards_are_two_cells() -> None:
    assert [format_card_symbols(card) for card in (DECK[0], DECK[9], DECK[51])] == ["A♠", "T♠", "K♣"]
    assert format_cards(DECK[22:24], ascii=True) == "TH JH"
    assert all(len(format_card_symbols(card)) == 2 for card in DECK)


def test_joined() -> None:
    assert [joined(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]


def test_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [listed(parts) for parts in ([], ["a"], ["a", "b, c", "d"])] == ["", "a", "a; b, c; d"]
    monkeypatch.setattr(lang, "_catalogue", lang._catalogue)
    lang.use_language("fr")
    assert listed(["a", "b", "c"]) == "a ; b ; c"


# Why not


def test_why_not_agrees_with_the_rules_on_every_card() -> None:
    for story in (Story("play AH", "play 2D", "sans 3").to_play(), Story(dealer=2).to_play()):
        view = story.now.view
        assert view is not None
        allowed = {action.card for action in story.now.legal if isinstance(action, Play)}
        assert {card for card in DECK if why_not(view, card) is None} == allowed


def test_why_not_says_why() -> None:
    view = Story("play AH", "play 2D", "sans 3").to_play().now.view
    assert view is not None
    assert why_not(view, parse_card("QC")) == "a 3 is called: Q♣ is neither that nor one of the six hocs"
    assert why_not(view, parse_card("KC"), ascii=True) == "you do not hold KC"
    early = Story().now.view
    assert early is not None
    assert why_not(early, parse_card("QC")) == "cards are played only after the three stakes"
    theirs = Story("play AH").to_play()
    other = theirs.first(lambda picture: bool(picture.view and picture.view.state.play and not picture.legal)).view
    assert other is not None
    assert why_not(other, parse_card("3D")) == "it is not your turn"


# The story


def told(*happened: TableEvent) -> list[str]:
    look = Look(FakeClient().snapshot, Local(), 80, 24, UNICODE)
    return [sentence for sentence, _ in tell_all(look, happened)]


def played(seat: int, card: str, as_rank: int = 0, *, led: bool = False) -> events.CardPlayed:
    face = parse_card(card)
    return events.CardPlayed(seat, 0, face, as_rank or face.rank, led, 5)


def test_a_go_is_one_sentence() -> None:
    go = (played(1, "2S", led=True), played(1, "3D"), events.SansSaid(1, 4))
    assert told(*go, played(2, "4D"), played(0, "KH", 5)) == [
        "Bruno leads 2♠ 3♦, sans 4",
        "Bot 3 plays 4♦",
        "You play K♥ as the 5",
    ]
    assert told(played(1, "2S"), events.SansSaid(1, 3), events.SansSaid(1, 3)) == [
        "Bruno plays 2♠, sans 3",
        "Bruno says sans 3",
    ]
    assert told(played(1, "2S"), played(1, "9S", led=True)) == ["Bruno plays 2♠", "Bruno leads 9♠"]
    assert told(played(1, "2S"), played(1, "QS", 3)) == ["Bruno plays 2♠ Q♠ as the 3"]


def test_what_all_pay_alike_is_one_sentence() -> None:
    hoc = [events.Paid(Source.HOCS, seat, 0, 1, "hoc") for seat in (1, 2)]
    assert told(*hoc) == ["You take 1 from each: hoc"]
    left = [events.Paid(Source.CARDS, seat, 2, seat + 6, "cards left") for seat in (0, 1)]
    assert told(*left) == ["You pay 6 to bot 3: cards left", "Bruno pays 7 to bot 3: cards left"]
    fines = [events.Paid(Source.FINES, 1, None, 5, "held back")] * 2
    assert len(told(*fines)) == 2


def test_steps_of_the_deal_protocol_are_not_news() -> None:
    assert told(table.DeckStep(1, "shuffle", 1), table.DeckStep(1, "keys")) == []
