"""Actions as text, one line each, in both directions (RULES 7).

A line is ``SEAT WORD [ARGUMENT ...]`` with single spaces, for instance ``1 raise 5 tierce`` or ``0 play 7D``.
Reading is strict: known words, numbers without leading zeros and in their ranges, nothing left over. What it forgives
is the letter case of cards and ranks, and ``10`` for ``T``; writing always gives the one form of RULES 7, so that
``parse_action(format_action(seat, action, stake), ...) == (seat, action)`` for every action.

Two things are in an action but not in its line. The *position* of a card is looked up among the cards of the acting
seat. The *stake* of an announcement is known from the state of the deal: ``announce 3/7`` is a tierce to the 7 in
Sequence and three cards of seven points in Point, the same :class:`Claim` twice, so only writing has to be told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, assert_never

from hocp2p.errors import NotationError
from hocp2p.game.actions import (
    Action,
    Announce,
    Blanche,
    Claim,
    Combination,
    Declare,
    Go,
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
    Unseen,
)
from hocp2p.game.cards import DECK, RANKS, Card, format_card, format_rank, parse_card, parse_rank
from hocp2p.game.house import HAND_SIZE, MAX_RAISE

PositionOf = Mapping[Card, int] | Callable[[int, Card], int]
"""Where a card lies: a mapping, or a function of the acting seat and the card that raises NotationError."""

MAX_SUIT: Final = len(RANKS)  # cards of one suit, and so the longest run
MAX_PIPS: Final = sum(card.pips for card in DECK if card.suit == 0)  # 85, a whole suit

_CLASS_WORDS: Final = {combination.name.lower(): combination for combination in Combination}
_TRICON_WORDS: Final = {3: "brelan", 4: "fredon"}
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,3}")


def format_action(seat: int, action: Action, stake: Stake | None = None) -> str:
    """The line of an action.

    Args:
        seat: who acts, 0 to 2.
        action: what is done.
        stake: the stake being decided; needed for :class:`Announce` only.

    Raises:
        NotationError: an action that no line can say (a show of no cards, a raise or a claim out of its range).
    """
    if seat not in range(max(HAND_SIZE)):
        raise NotationError("bad-seat", f"there is no seat {seat}")
    return f"{seat} {_format_words(action, stake)}"


def _format_words(action: Action, stake: Stake | None) -> str:
    match action:
        case Pass() | Good() | Unseen() | Blanche() | Go():
            return type(action).__name__.lower()
        case Declare(announced):
            return "declare" + _format_class(announced)
        case Stay(announced):
            return "stay" + _format_class(announced)
        case Raise(by, announced):
            _verify_range(by, MAX_RAISE, "a raise")
            return f"raise {by}" + _format_class(announced)
        case Announce(claim):
            if stake is None:
                raise NotationError("no-stake", "an announcement is written for a stake")
            return "announce " + format_claim(claim, stake)
        case Show(cards):
            _verify_show(cards)
            return "show " + " ".join(format_card(held.card) for held in cards)
        case Play(card=card):
            return "play " + format_card(card)
        case Sans(rank):
            return "sans " + _format_known_rank(rank)
        case Hold(rank):
            return "hold " + _format_known_rank(rank)
        case _:
            assert_never(action)


def parse_action(line: str, position_of: PositionOf, stake: Stake | None = None) -> tuple[int, Action]:
    """The seat and the action of a line.

    Args:
        line: as written by :func:`format_action`, without a line end.
        position_of: where the cards of the acting seat were dealt.
        stake: the stake being decided; when given, an announcement must have the form of that stake.

    Raises:
        NotationError: anything that is not such a line; ``unknown-card`` for a card that ``position_of`` does not know.
    """
    seat_text, *words = line.split(" ")
    if seat_text not in {str(seat) for seat in range(max(HAND_SIZE))}:
        raise NotationError("bad-seat", f"{line!r} does not begin with a seat, 0 to {max(HAND_SIZE) - 1}")
    if not line.isascii():
        raise NotationError("bad-action", f"{line!r} has letters that no action has")
    seat = int(seat_text)
    return seat, _parse_words(words, lambda card: _locate(seat, card, position_of), stake)


def _parse_words(words: Sequence[str], locate: Callable[[Card], int], stake: Stake | None) -> Action:
    match words:
        case ["pass"]:
            return Pass()
        case ["good"]:
            return Good()
        case ["unseen"]:
            return Unseen()
        case ["blanche"]:
            return Blanche()
        case ["go"]:
            return Go()
        case ["declare", *rest]:
            return Declare(_parse_class(rest))
        case ["stay", *rest]:
            return Stay(_parse_class(rest))
        case ["raise", by, *rest]:
            return Raise(_parse_number(by, MAX_RAISE, "a raise"), _parse_class(rest))
        case ["announce", claim]:
            return Announce(parse_claim(claim, stake))
        case ["show", *cards]:
            shown = tuple(Held(locate(card), card) for card in map(parse_card, cards))
            _verify_show(shown)
            return Show(shown)
        case ["play", text]:
            card = parse_card(text)
            return Play(locate(card), card)
        case ["sans", rank]:
            return Sans(parse_rank(rank))
        case ["hold", rank]:
            return Hold(parse_rank(rank))
        case _:
            raise NotationError("bad-action", f"{' '.join(words)!r} is not an action")


def format_claim(claim: Claim, stake: Stake) -> str:
    """What is said at a showdown: ``5/31`` (cards/points), ``4/T`` (length/top rank), ``brelan/K``.

    Raises:
        NotationError: no hand can have it said (more than 13 cards, a run of two, three kings as ``2/K``).
    """
    match stake:
        case Stake.POINT:
            _verify_range(claim.first, MAX_SUIT, "a number of cards")
            _verify_range(claim.second, MAX_PIPS, "the card points of a suit")
            return f"{claim.first}/{claim.second}"
        case Stake.SEQUENCE:
            _verify_range(claim.first, MAX_SUIT, "the length of a run")
            return f"{claim.first}/{_format_known_rank(claim.second)}"
        case Stake.TRICON:
            if claim.first not in _TRICON_WORDS:
                raise NotationError("bad-claim", f"a tricon is of three or four cards, not {claim.first}")
            return f"{_TRICON_WORDS[claim.first]}/{_format_known_rank(claim.second)}"


def parse_claim(text: str, stake: Stake | None = None) -> Claim:
    """The claim of ``5/31``, ``4/T`` or ``brelan/K``; with ``stake``, in the form of that stake only.

    Raises:
        NotationError: ``bad-claim`` for any other text.
    """
    first, slash, second = text.partition("/")
    if not slash:
        raise NotationError("bad-claim", f"{text!r} is not a claim, for instance 5/31, 4/T or brelan/K")
    counts = {word: count for count, word in _TRICON_WORDS.items()}
    if first in counts:
        claim = Claim(counts[first], parse_rank(second))
    elif _NUMBER.fullmatch(second):
        claim = Claim(_parse_number(first, MAX_SUIT, "a claim"), _parse_number(second, MAX_PIPS, "a claim"))
    else:
        claim = Claim(_parse_number(first, MAX_SUIT, "a claim"), parse_rank(second))
    if stake is not None and format_claim(claim, stake).lower() != text.lower():
        raise NotationError("bad-claim", f"{text!r} is not how a claim in {stake.name.capitalize()} is written")
    return claim


def _format_class(announced: Combination | None) -> str:
    return "" if announced is None else f" {announced.name.lower()}"


def _parse_class(words: Sequence[str]) -> Combination | None:
    if not words:
        return None
    if len(words) > 1 or words[0] not in _CLASS_WORDS:
        raise NotationError("bad-class", f"{' '.join(words)!r} is not one of {', '.join(_CLASS_WORDS)}")
    return _CLASS_WORDS[words[0]]


def _format_known_rank(rank: int) -> str:
    if rank not in RANKS:
        raise NotationError("bad-rank", f"{rank} is not a rank, 1 to {max(RANKS)}")
    return format_rank(rank)


def _parse_number(text: str, most: int, what: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise NotationError("bad-number", f"{text!r} is not a number from 1 to {most}")
    _verify_range(int(text), most, what)
    return int(text)


def _verify_range(number: int, most: int, what: str) -> None:
    if not 1 <= number <= most:
        raise NotationError("bad-number", f"{what} is from 1 to {most}, not {number}")


def _verify_show(cards: Sequence[Held]) -> None:
    if not cards:
        raise NotationError("bad-show", "a show names at least one card")
    if len({held.card for held in cards}) < len(cards):
        raise NotationError("bad-show", "a show names every card once")


def _locate(seat: int, card: Card, position_of: PositionOf) -> int:
    if callable(position_of):
        return position_of(seat, card)
    if card not in position_of:
        raise NotationError("unknown-card", f"seat {seat} is not known to hold {card}")
    return position_of[card]
