"""Advice in words: whole sentences with places to fill, one or two for each reason, so that they can be translated."""

# ruff: noqa: A002 - ``ascii`` is the name that the option has for people

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Final

from hocp2p.game.actions import Action, Claim, Combination, Declare, Good, Pass, Play, Raise, Stake, Stay
from hocp2p.game.cards import KING, Card
from hocp2p.session.reasons import Advice, reasons
from hocp2p.ui.lang import N_, _
from hocp2p.ui.names import capitalized, seat_word, signed
from hocp2p.ui.words import (
    CLASS_NAMES,
    STAKE_NAMES,
    a_rank,
    describe_action,
    describe_claim,
    format_card_symbols,
    rank_word,
)

SENTENCES: Final[dict[type[reasons.Reason], str]] = {
    reasons.HoldsBest: N_("Your best is {claim}."),
    reasons.HoldsNothing: N_("You hold nothing for {stake}."),
    reasons.WinsByPosition: N_("You hold no {stake}; if nobody does, the pool is yours by position."),
    reasons.ChanceToWinStake: N_("Your chance to be the best is about {chance} in 100; winning brings {prize}."),
    reasons.CannotBeBeaten: N_("Nobody can hold better for {stake}."),
    reasons.CostsToStay: N_("To stay costs {jetons}; winning brings {prize}."),
    reasons.StaysFree: N_("To stay costs nothing."),
    reasons.MayComeBack: N_("After a pass you may still come in if another opens."),
    reasons.Bluff: N_("A bluff: your hand is weak for {stake}; it wins if the others give up."),
    reasons.SaysOther: N_("You hold a {held}; to say {said} misleads and costs nothing."),
    reasons.AnnouncesBest: N_("It is the best you hold, to be shown if it wins."),
    reasons.BeatsAnnounced: N_("That beats what {rival} announced: {claim}."),
    reasons.NothingBetter: N_("You do not beat what {rival} announced: {claim}."),
    reasons.EqualButLater: N_("{rival} announced as much ({claim}), and wins what is equal by position."),
    reasons.FalseCosts: N_("A false announcement costs {jetons}."),
    reasons.CannotShow: N_("You do not hold what you announced."),
    reasons.TakesPool: N_("You take the {stake} pool of {jetons}."),
    reasons.PaidForShow: N_("For these cards the others pay {jetons} in all."),
    reasons.PaidUnseen: N_("Your word brings {jetons} in all, and nobody sees your cards."),
    reasons.NoCourt: N_("You were dealt no court: it brings {jetons} if nobody else claims."),
    reasons.SparesBlanche: N_("{rival} has claimed; where two claim nobody pays, so you save {jetons}."),
    reasons.HoldsCourt: N_("You were dealt {card}, a court, so there is nothing to claim."),
    reasons.Expects: N_("Expect about {jetons} jetons, with {other} {otherwise}."),
    reasons.WinsNow: N_("It goes on to {last} and takes you out: you win the deal."),
    reasons.CannotBeStopped: N_("From here you go out before anybody else can."),
    reasons.OnlyHocStops: N_("Only another's hoc can keep you from going out."),
    reasons.LongestRun: N_("No other lead takes more cards along."),
    reasons.RunIsDead: N_("Nobody else can play {a_rank}: the lead comes back to you."),
    reasons.OnlyHocFollows: N_("Nobody else holds an ordinary {rank}, nor a hoc in about {stays} of 100 cases."),
    reasons.KeepsLead: N_("Nobody else must play {a_rank} in about {dead} of 100 cases, nobody can in {stays}."),
    reasons.MustPlay: N_("You hold an ordinary {rank}: that must be played."),
    reasons.NothingFits: N_("You hold neither {a_rank} nor a hoc."),
    reasons.KeepsHoc: N_("Keep your hocs for a better moment."),
    reasons.HocTakesOne: N_("The hoc takes {jetons} in all, and you lead again."),
    reasons.NearOut: N_("{rival} has {cards} cards left; what you hold would cost you {jetons}."),
}
"""By kind of reason; a place has the name of the reason's field, or ``a_rank``, ``last``. ``SaidMostly``, of
which there is one for each word, is below.
"""

SAID_MOSTLY: Final[dict[type[Action], str]] = {
    Pass: N_("A good player passes here about {times} times in 10."),
    Declare: N_("A good player declares here about {times} times in 10, for free."),
    Raise: N_("A good player raises here about {times} times in 10."),
    Stay: N_("A good player stays here about {times} times in 10."),
    Good: N_("A good player says good here about {times} times in 10."),
}
"""By kind of word; ``times`` is never below 3."""

_WITH_CLAIM: Final = reasons.HoldsBest | reasons.BeatsAnnounced | reasons.NothingBetter | reasons.EqualButLater

WINS_WITH_LAST: Final = N_("It is your last card: you win the deal.")
STAYING_COSTS: Final = N_(
    "Your chance to be best is about {chance} in 100; to stay costs {jetons}, winning brings {prize}."
)
HARDLY_LESS: Final = N_("Expect about {jetons} jetons, with {other} hardly less.")
ONLY_HOC_FOLLOWS: Final = N_("Nobody else can hold an ordinary {rank}; only a hoc could go on.")
KING_MAY_FOLLOW: Final = N_("Every king is a hoc, and nobody else has one in about {stays} of 100 cases.")
ONLY_KING_FOLLOWS: Final = N_("Every king is a hoc, so nobody has to go on after the queen.")
SURELY_FOLLOWED: Final = N_("Somebody else is known to hold {a_rank}.")
HOC_TAKES_LEAD: Final = N_("Nobody else has to play {a_rank} in about {dead} of 100 cases.")
LEAD_STAYS: Final = N_("Nobody else can play {a_rank} in about {dead} of 100 cases: then you lead again.")
THAT_OR_HOC: Final = N_("You hold an ordinary {rank}: that or a hoc must be played.")
KEEPS_ONE_HOC: Final = N_("Keep your hoc for a better moment.")
NEAR_OUT_ONE: Final = N_("{rival} has 1 card left; what you hold would cost you {jetons}.")


def describe_advice(advice: Advice, names: Sequence[str] = (), *, ascii: bool = False, command: str = "") -> str:
    """The advised action, a full stop, and one or two short sentences that say why.

    Args:
        advice: for the seat that reads it.
        names: by seat; a seat beyond them is called by its number.
        ascii: letters for suits.
        command: how the action is typed, told where it begins with another word; empty: nothing is typed.
    """
    action = describe_action(advice.action, stake=advice.stake, ascii=ascii)
    if command and command.split()[0] != action.replace(",", "").split()[0]:
        action = _("{action} ({command})").format(action=action, command=command)
    if advice.goes_on_to is not None:
        # Translators: the action is to play a card: "play 3♠ (goes on to 9♣)".
        last = format_card_symbols(advice.goes_on_to, ascii=ascii)
        action = _("{action} (goes on to {last})").format(action=action, last=last)
    sentences = [describe_reason(reason, names, ascii=ascii) for reason in advice.reasons]
    return " ".join(capitalized(text) for text in (f"{action}.", *sentences))


def describe_reason(reason: reasons.Reason, names: Sequence[str] = (), *, ascii: bool = False) -> str:
    """One reason as one sentence; arguments as for :func:`describe_advice`."""
    places: dict[str, str] = {}
    for field in fields(reason):
        places |= _places(reason, field.name, names, ascii)
    return _(_template(reason)).format(**places)


def _template(reason: reasons.Reason) -> str:
    """The sentence of its kind, or the one for a special number, in English."""
    match reason:
        case reasons.SaidMostly(word):
            return SAID_MOSTLY[type(word)]
        case reasons.ChanceToWinStake(jetons=jetons) if jetons:
            return STAYING_COSTS
        case reasons.Expects(jetons, _, otherwise) if jetons == otherwise:
            return HARDLY_LESS
        case reasons.WinsNow(cards=(_,)):
            return WINS_WITH_LAST
        case reasons.OnlyHocFollows(rank, stays) if rank == KING:
            return KING_MAY_FOLLOW if stays else ONLY_KING_FOLLOWS
        case reasons.OnlyHocFollows(stays=0):
            return ONLY_HOC_FOLLOWS
        case reasons.KeepsLead(dead=0):
            return SURELY_FOLLOWED
        case reasons.KeepsLead(stays=0):
            return HOC_TAKES_LEAD
        case reasons.KeepsLead(_, dead, stays) if dead == stays:
            return LEAD_STAYS
        case reasons.MustPlay(hoc=True):
            return THAT_OR_HOC
        case reasons.KeepsHoc(hocs=1):
            return KEEPS_ONE_HOC
        case reasons.NearOut(cards=1):
            return NEAR_OUT_ONE
        case _:
            return SENTENCES[type(reason)]


def _places(reason: reasons.Reason, name: str, names: Sequence[str], ascii: bool) -> dict[str, str]:
    """What one field of a reason fills in."""
    match name, getattr(reason, name):
        case _, Stake() as stake:
            return {name: STAKE_NAMES[stake]}
        case _, Combination() as combination:
            return {name: CLASS_NAMES[combination]}
        case _, Claim() as claim if isinstance(reason, _WITH_CLAIM):
            return {name: describe_claim(reason.stake, claim)}
        case _, Card() as card:
            return {name: format_card_symbols(card, ascii=ascii)}
        case _, (*_, Card() as last):
            return {"last": format_card_symbols(last, ascii=ascii)}
        case _, Play(_, card):
            return {name: format_card_symbols(card, ascii=ascii)}
        case "other", action:
            return {name: describe_action(action, ascii=ascii)}
        case _, float() as chance:
            return {name: _in_hundred(chance)}
        case "jetons" | "otherwise", int() as jetons if isinstance(reason, reasons.Expects):
            return {name: signed(jetons)}
        case "rank", int() as rank:
            return {name: rank_word(rank), "a_rank": a_rank(rank)}
        case "rival", int() as seat:
            return {name: names[seat] if seat < len(names) else seat_word(seat)}
        case _, number:
            return {name: str(number)}


def _in_hundred(chance: float) -> str:
    """``43``; a chance that is neither none nor certain is never shown as such."""
    if 0 < chance < 1:
        return str(min(99, max(1, round(100 * chance))))
    return str(round(100 * chance))
