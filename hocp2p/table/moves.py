"""Game actions on the wire: an action and its proof to a message, and back."""

from __future__ import annotations

from typing import Final

from hocp2p.errors import WireError
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
    Stay,
    Unseen,
)
from hocp2p.game.cards import card_of
from hocp2p.wire.messages import (
    WORD_DECLARE,
    WORD_GOOD,
    WORD_PASS,
    WORD_RAISE,
    WORD_STAY,
    Announcement,
    BlancheWaived,
    Call,
    CardOpening,
    CarteBlanche,
    HeldBack,
    Message,
    NonHolding,
    Showing,
    UnseenClass,
)

MOVES: Final[tuple[type[Message], ...]] = (
    Call, Announcement, Showing, UnseenClass, CarteBlanche, BlancheWaived, CardOpening, NonHolding, HeldBack,
)  # fmt: skip


def encode_action(action: Action, proof: bytes) -> Message:
    """The message that says ``action``; ``proof`` is empty where none is needed."""
    match action:
        case Pass():
            return Call(WORD_PASS, 0, 0)
        case Declare(announced):
            return Call(WORD_DECLARE, 0, _encode_class(announced))
        case Raise(by, announced):
            return Call(WORD_RAISE, by, _encode_class(announced))
        case Stay(announced):
            return Call(WORD_STAY, 0, _encode_class(announced))
        case Good():
            return Call(WORD_GOOD, 0, 0)
        case Announce(claim):
            return Announcement(claim.first, claim.second)
        case Show(cards):
            return Showing(tuple(h.position for h in cards), tuple(h.card.index for h in cards), proof)
        case Unseen():
            return UnseenClass()
        case Blanche():
            return CarteBlanche(proof)
        case Go():
            return BlancheWaived()
        case Play(position, card):
            return CardOpening(position, card.index, proof)
        case Sans(rank):
            return NonHolding(rank, proof)
        case Hold(rank):
            return HeldBack(rank)


def decode_action(message: Message) -> tuple[Action, bytes]:
    """The action and proof of a message. Raises WireError where the fields do not fit each other."""
    match message:
        case Call(word, by, announced):
            return _decode_call(word, by, announced), b""
        case Announcement(first, second):
            return Announce(Claim(first, second)), b""
        case Showing(positions, faces, proof):
            held = zip(positions, faces, strict=True)
            return Show(tuple(Held(position, card_of(face)) for position, face in held)), proof
        case UnseenClass():
            return Unseen(), b""
        case CarteBlanche(proof):
            return Blanche(), proof
        case BlancheWaived():
            return Go(), b""
        case CardOpening(position, face, proof):
            return Play(position, card_of(face)), proof
        case NonHolding(rank, proof):
            return Sans(rank), proof
        case HeldBack(rank):
            return Hold(rank), b""
    raise WireError("unknown-kind", f"{type(message).__name__} is not a move")


def _encode_class(announced: Combination | None) -> int:
    return 0 if announced is None else announced + 1


def _decode_class(announced: int) -> Combination | None:
    return None if announced == 0 else Combination(announced - 1)


def _decode_call(word: int, by: int, announced: int) -> Action:
    if (by > 0) != (word == WORD_RAISE) or (announced and word in (WORD_PASS, WORD_GOOD)):
        raise WireError("bad-range", "a call has a field that its word does not take")
    combination = _decode_class(announced)
    return (Pass(), Declare(combination), Raise(by, combination), Stay(combination), Good())[word]
