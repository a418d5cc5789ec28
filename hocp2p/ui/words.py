"""Words for people: cards, calls, reasons and, from :mod:`hocp2p.ui.sentences`, what happened. No terminal in here."""

# ruff: noqa: A002 - ``ascii`` is the name that the option has for people

from __future__ import annotations

from typing import Final

from hocp2p.game.actions import (
    Action,
    Announce,
    Blanche,
    Declare,
    Go,
    Good,
    Hold,
    Pass,
    Play,
    Raise,
    Sans,
    Show,
    Stake,
    Stay,
    Unseen,
)
from hocp2p.game.cards import Card
from hocp2p.game.state import Phase, SeatView
from hocp2p.ui.lang import N_, _
from hocp2p.ui.names import (
    CLASS_NAMES,
    PHASE_NAMES,
    SOURCE_NAMES,
    STAKE_NAMES,
    a_rank,
    counted,
    describe_claim,
    format_card_symbols,
    format_cards,
    joined,
    rank_word,
    seat_names,
    signed,
)
from hocp2p.ui.sentences import describe_event

__all__ = [
    "CLASS_NAMES",
    "PHASE_NAMES",
    "SOURCE_NAMES",
    "STAKE_NAMES",
    "a_rank",
    "counted",
    "describe_action",
    "describe_claim",
    "describe_event",
    "format_card_symbols",
    "format_cards",
    "joined",
    "rank_word",
    "seat_names",
    "signed",
    "why_not",
]


def describe_action(action: Action, *, stake: Stake | None = None, ascii: bool = False) -> str:
    """A call or move as a short phrase in the imperative: ``raise 5, tierce``, ``play 7♦``, ``sans 8``.

    ``stake`` tells what an announced claim is about; without it only its numbers are given.
    """
    match action:
        case Declare(announced) | Stay(announced) if announced is not None:
            call, name = _(_CALLS[type(action)]), CLASS_NAMES[announced]
            return _("{call}, {combination}").format(call=call, combination=name)
        case Raise(by, None):
            return _("raise {by}").format(by=by)
        case Raise(by, announced) if announced is not None:
            return _("raise {by}, {combination}").format(by=by, combination=CLASS_NAMES[announced])
        case Announce(claim):
            told = f"{claim.first}/{claim.second}" if stake is None else describe_claim(stake, claim)
            return _("announce {claim}").format(claim=told)
        case Show(cards):
            return _("show {cards}").format(cards=format_cards([held.card for held in cards], ascii=ascii))
        case Play(_position, card):
            return _("play {card}").format(card=format_card_symbols(card, ascii=ascii))
        case Sans(rank):
            return _("sans {rank}").format(rank=rank_word(rank))
        case Hold(rank):
            return _("hold back the {rank}").format(rank=rank_word(rank))
        case _:
            return _(_CALLS[type(action)])


_CALLS: Final[dict[type[Action], str]] = {
    Pass: N_("pass"),
    Declare: N_("declare"),
    Stay: N_("stay"),
    Good: N_("good"),
    Unseen: N_("take it unseen"),
    Blanche: N_("claim carte blanche"),
    Go: N_("claim nothing"),
}


def why_not(view: SeatView, card: Card, *, ascii: bool = False) -> str | None:
    """Why this card cannot be played now, as one sentence without its full stop; None when it can (rules 3 to 3.2)."""
    name = format_card_symbols(card, ascii=ascii)
    state = view.state
    if card not in view.hand:
        return _("you do not hold {card}").format(card=name)
    if state.phase is Phase.OVER:
        return _("the deal is over")
    if state.phase is not Phase.PLAY or state.play is None:
        return _("cards are played only after the three stakes")
    if state.turn != view.seat:
        return _("it is not your turn")
    called = state.play.called
    if called is None or card.rank == called or card.is_hoc:
        return None
    sentence = _("{a_rank} is called: {card} is neither that nor one of the six hocs")
    return sentence.format(a_rank=a_rank(called), card=name)
