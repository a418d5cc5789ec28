"""Sentences for hints."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import Formatter
from textwrap import wrap
from typing import get_args

import pytest

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import (
    Action,
    Announce,
    Claim,
    Combination,
    Declare,
    Go,
    Good,
    Held,
    Pass,
    Play,
    Raise,
    Sans,
    Show,
    Stake,
    Stay,
)
from hocp2p.game.cards import parse_card
from hocp2p.game.house import Rules
from hocp2p.game.state import SeatView
from hocp2p.players import reasons as why
from hocp2p.players.advice import advise
from hocp2p.players.levels import make_player
from hocp2p.players.reasons import Advice
from hocp2p.ui import advice_words
from hocp2p.ui.advice_words import SAID_MOSTLY, SENTENCES, describe_advice, describe_reason
from hocp2p.ui.lang import LANGUAGES, _, use_language
from tests.players.test_advice import SEARCHES, quick
from tests.support.table_sim import cards, play_deal, shuffled

NAMES = ("Anna", "Bruno", "Carla")
SEVEN = Play(3, parse_card("7D"))
LONG_NAMES = ("Wilhelmina von Habichtsee", "Maximilian zu Guttenbergh", "Konstantinopolitanskajaa")

SAID = [
    (why.HoldsBest(Stake.SEQUENCE, Claim(3, 9)), "Your best is tierce to the 9."),
    (why.HoldsNothing(Stake.TRICON), "You hold nothing for Tricon."),
    (why.WinsByPosition(Stake.TRICON), "You hold no Tricon; if nobody does, the pool is yours by position."),
    (
        why.ChanceToWinStake(Stake.POINT, 0.624, 0, 8),
        "Your chance to be the best is about 62 in 100; winning brings 8.",
    ),
    (
        why.ChanceToWinStake(Stake.POINT, 0.624, 5, 16),
        "Your chance to be best is about 62 in 100; to stay costs 5, winning brings 16.",
    ),
    (why.CannotBeBeaten(Stake.POINT), "Nobody can hold better for Point."),
    (why.CostsToStay(5, 16), "To stay costs 5; winning brings 16."),
    (why.StaysFree(), "To stay costs nothing."),
    (why.MayComeBack(), "After a pass you may still come in if another opens."),
    (why.Bluff(Stake.POINT), "A bluff: your hand is weak for Point; it wins if the others give up."),
    (why.SaidMostly(Pass(), 6), "A good player passes here about 6 times in 10."),
    (why.SaidMostly(Declare(), 7), "A good player declares here about 7 times in 10, for free."),
    (why.SaidMostly(Raise(5), 4), "A good player raises here about 4 times in 10."),
    (why.SaidMostly(Stay(), 3), "A good player stays here about 3 times in 10."),
    (why.SaidMostly(Good(), 9), "A good player says good here about 9 times in 10."),
    (
        why.SaysOther(Combination.QUART, Combination.TIERCE),
        "You hold a quart; to say tierce misleads and costs nothing.",
    ),
    (why.AnnouncesBest(), "It is the best you hold, to be shown if it wins."),
    (why.BeatsAnnounced(1, Claim(3, 9), Stake.SEQUENCE), "That beats what Bruno announced: tierce to the 9."),
    (why.NothingBetter(2, Claim(4, 13), Stake.TRICON), "You do not beat what Carla announced: fredon of kings."),
    (
        why.EqualButLater(1, Claim(5, 34), Stake.POINT),
        "Bruno announced as much (5 cards, 34 points), and wins what is equal by position.",
    ),
    (why.FalseCosts(5), "A false announcement costs 5."),
    (why.CannotShow(), "You do not hold what you announced."),
    (why.TakesPool(Stake.POINT, 14), "You take the Point pool of 14."),
    (why.PaidForShow(8), "For these cards the others pay 8 in all."),
    (why.PaidUnseen(2), "Your word brings 2 in all, and nobody sees your cards."),
    (why.NoCourt(20), "You were dealt no court: it brings 20 if nobody else claims."),
    (why.SparesBlanche(0, 10), "Anna has claimed; where two claim nobody pays, so you save 10."),
    (why.HoldsCourt(parse_card("JS")), "You were dealt J♠, a court, so there is nothing to claim."),
    (why.Expects(3, SEVEN, 1), "Expect about +3 jetons, with 7♦ +1."),
    (why.Expects(-2, Sans(8), -2), "Expect about -2 jetons, with sans 8 hardly less."),
    (why.WinsNow(cards("4S")), "It is your last card: you win the deal."),
    (why.WinsNow(cards("4S 5D KH")), "It goes on to K♥ and takes you out: you win the deal."),
    (why.CannotBeStopped(), "From here you go out before anybody else can."),
    (why.OnlyHocStops(), "Only another's hoc can keep you from going out."),
    (why.LongestRun(), "No other lead takes more cards along."),
    (why.RunIsDead(11), "Nobody else can play a jack: the lead comes back to you."),
    (
        why.OnlyHocFollows(8, 0.25),
        "Nobody else holds an ordinary 8, nor a hoc in about 25 of 100 cases.",
    ),
    (why.OnlyHocFollows(8, 0), "Nobody else can hold an ordinary 8; only a hoc could go on."),
    (
        why.OnlyHocFollows(13, 0.25),
        "Every king is a hoc, and nobody else has one in about 25 of 100 cases.",
    ),
    (why.OnlyHocFollows(13, 0), "Every king is a hoc, so nobody has to go on after the queen."),
    (
        why.KeepsLead(8, 0.43, 0.25),
        "Nobody else must play an 8 in about 43 of 100 cases, nobody can in 25.",
    ),
    (why.KeepsLead(8, 0.43, 0.0), "Nobody else has to play an 8 in about 43 of 100 cases."),
    (
        why.KeepsLead(8, 0.43, 0.43),
        "Nobody else can play an 8 in about 43 of 100 cases: then you lead again.",
    ),
    (why.KeepsLead(8, 0.0, 0.0), "Somebody else is known to hold an 8."),
    (why.MustPlay(12, hoc=False), "You hold an ordinary queen: that must be played."),
    (why.MustPlay(12, hoc=True), "You hold an ordinary queen: that or a hoc must be played."),
    (why.NothingFits(1), "You hold neither an ace nor a hoc."),
    (why.KeepsHoc(1), "Keep your hoc for a better moment."),
    (why.KeepsHoc(2), "Keep your hocs for a better moment."),
    (why.HocTakesOne(2), "The hoc takes 2 in all, and you lead again."),
    (why.NearOut(1, 2, 7, 7), "Bruno has 2 cards left; what you hold would cost you 7."),
    (why.NearOut(1, 1, 2, 8), "Bruno has 1 card left; what you hold would cost you 8."),
]


@pytest.mark.parametrize(("reason", "text"), SAID, ids=lambda value: value if isinstance(value, str) else "")
def test_what_a_reason_says(reason: why.Reason, text: str) -> None:
    assert describe_reason(reason, NAMES) == text


def test_every_reason_has_a_sentence() -> None:
    assert set(get_args(why.Reason)) == SENTENCES.keys() | {why.SaidMostly} == {type(reason) for reason, _text in SAID}
    assert {type(reason.word) for reason, _text in SAID if isinstance(reason, why.SaidMostly)} == SAID_MOSTLY.keys()


@pytest.mark.parametrize(("chance", "shown"), [(0.999, 99), (0.001, 1), (0.5, 50), (0.005, 1)])
def test_a_chance_is_never_shown_as_certain(chance: float, shown: int) -> None:
    assert f"about {shown} in 100;" in describe_reason(why.ChanceToWinStake(Stake.POINT, chance, 0, 3))


def test_every_template_is_a_whole_sentence_and_used() -> None:
    """Nothing is glued to it, and each is said above."""
    special = [text for name, text in vars(advice_words).items() if name.isupper() and isinstance(text, str)]
    texts = [*SENTENCES.values(), *SAID_MOSTLY.values(), *special]
    assert len(special) == 12
    assert len(texts) == len(SAID) == len({text for _reason, text in SAID})
    for text in texts:
        assert text.endswith(".")
        assert text[0].isupper() or text.startswith("{")
        assert all(
            place is None or place.isidentifier() for _literal, place, _spec, _conversion in Formatter().parse(text)
        )


@pytest.mark.parametrize(
    ("action", "stake", "reasons", "text"),
    [
        (
            Play(3, parse_card("4S")),
            None,
            (why.LongestRun(), why.RunIsDead(11)),
            "Play 4S. No other lead takes more cards along. Nobody else can play a jack: the lead comes back to you.",
        ),
        (Sans(8), None, (why.NothingFits(8),), "Sans 8. You hold neither an 8 nor a hoc."),
        (
            Raise(5, Combination.TIERCE),
            Stake.SEQUENCE,
            (why.Bluff(Stake.SEQUENCE),),
            "Raise 5, tierce. A bluff: your hand is weak for Sequence; it wins if the others give up.",
        ),
        (
            Announce(Claim(5, 29)),
            Stake.POINT,
            (why.AnnouncesBest(),),
            "Announce 5 cards, 29 points. It is the best you hold, to be shown if it wins.",
        ),
    ],
)
def test_advice_in_letters(action: Action, stake: Stake | None, reasons: tuple[why.Reason, ...], text: str) -> None:
    assert describe_advice(Advice(action, reasons, stake), NAMES, ascii=True) == text


def test_where_a_card_goes_on_to_is_told_with_it() -> None:
    advice = Advice(Play(3, parse_card("4S")), (why.Expects(3, SEVEN, 1),), None, parse_card("TD"))
    assert describe_advice(advice) == "Play 4♠ (goes on to T♦). Expect about +3 jetons, with 7♦ +1."


@pytest.mark.parametrize(
    ("action", "command", "text"),
    [
        (Go(), "go", "Claim nothing (go). You were dealt J♠, a court, so there is nothing to claim."),
        (
            Stay(Combination.QUINT),
            "stay quint",
            "Stay, quint. You were dealt J♠, a court, so there is nothing to claim.",
        ),
        (Go(), "", "Claim nothing. You were dealt J♠, a court, so there is nothing to claim."),
    ],
)
def test_how_it_is_typed_is_told_where_the_words_do_not_say_it(action: Action, command: str, text: str) -> None:
    advice = Advice(action, (why.HoldsCourt(parse_card("JS")),), None)
    assert describe_advice(advice, command=command) == text


def test_a_seat_without_a_name_is_called_by_its_number() -> None:
    advice = Advice(Good(), (why.NothingBetter(2, Claim(3, 9), Stake.SEQUENCE),), Stake.SEQUENCE)
    assert describe_advice(advice) == "Good. You do not beat what seat 3 announced: tierce to the 9."


def test_every_sentence_begins_with_a_capital() -> None:
    advice = Advice(Sans(8), (why.NearOut(1, 2, 7, 7),), None)
    assert describe_advice(advice, ("Anna", "bot 1")) == (
        "Sans 8. Bot 1 has 2 cards left; what you hold would cost you 7."
    )


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each language in turn."""
    yield use_language(request.param)
    use_language("en")


@pytest.mark.parametrize("seats", [2, 3])
def test_advice_fits_in_two_lines(seats: int, language: str) -> None:
    """In whole deals and in every language; in English, but for the word before it, even with the longest names."""
    assert min(map(len, LONG_NAMES)) >= 24
    seen = 0

    def fits(advice: Advice, ascii_only: bool) -> None:
        text = _("Hint: {advice}").format(advice=describe_advice(advice, NAMES, ascii=ascii_only))
        assert len(wrap(text, 78, subsequent_indent="  ")) <= 2, text
        assert "{" not in text
        assert text.isascii() or not (ascii_only and language == "en")
        named = describe_advice(advice, LONG_NAMES, ascii=ascii_only)
        assert len(wrap(named, 78)) <= 2 or language != "en", named

    def watch(view: SeatView, _action: Action) -> None:
        nonlocal seen
        advice = advise(view, Random(seen), SEARCHES if seen % 2 else quick)
        seen += 1
        for ascii_only in (False, True):
            fits(advice, ascii_only)

    for number in range(4):
        state = game_rules.start_deal(Rules(), seats, seats - 1, [100] * seats, (0, 0, 0), frozenset())[0]
        players = [make_player("novice", Random(f"{number} {seat}")) for seat in range(seats)]
        play_deal(state, shuffled(Random(number)), players, watch)
    assert seen > 100


def test_the_longest_show_fits_in_two_lines() -> None:
    shown = Show(tuple(Held(k, card) for k, card in enumerate(cards("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH 2H"))))
    advice = Advice(shown, (why.TakesPool(Stake.SEQUENCE, 9999), why.PaidForShow(9999)), Stake.SEQUENCE)
    assert len(wrap(describe_advice(advice, LONG_NAMES), 78)) <= 2
