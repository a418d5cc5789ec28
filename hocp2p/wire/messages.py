"""What a seat says to the table: the bodies of envelopes, one record each, a noun.

The bounds beside the fields are all that is checked here. Whether a message is in turn, legal or true is the table's
affair. Positions and faces are 0..51, ranks 1..13, seats 0..2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias, cast

from hocp2p.errors import WireError
from hocp2p.wire.schema import Family, Items, Range, Size, Text

MAX_BODY_BYTES: Final = 16_384
MAX_TRACK: Final = 5_000
MAX_STEP: Final = 100_000
MAX_TALK_CHARACTERS: Final = 300

DECK_POSITION: Final = Range(0, 51)
FACE: Final = Range(0, 51)
RANK: Final = Range(1, 13)
SEAT: Final = Range(0, 2)
TRACK: Final = Range(0, MAX_TRACK)
STEP: Final = Range(0, MAX_STEP)
DIGEST: Final = Size(32)
OPENING_PROOF: Final = Size(0, 64)
NOT_HOLDING_PROOF: Final = Size(0, 2048)
JETONS: Final = 1_000_000
JETONS_OWNED: Final = Range(-JETONS, JETONS)
CARRY: Final = Items(Range(0, JETONS), 3, 3)
MAX_DEALS: Final = 600
MAX_ADDRESS_CHARACTERS: Final = 80

WORD_PASS, WORD_DECLARE, WORD_RAISE, WORD_STAY, WORD_GOOD = range(5)
"""Values of ``Call.word``."""

FAMILY: Final = Family("message", MAX_BODY_BYTES)


@FAMILY.kind(1)
@dataclass(frozen=True, slots=True)
class Agreement:
    """The seat has read the proposal, whose digest is the table id, and will play."""


@FAMILY.kind(10)
@dataclass(frozen=True, slots=True)
class KeyCommit:
    """Commitment to a deck key share."""

    commitment: Annotated[bytes, DIGEST]


@FAMILY.kind(11)
@dataclass(frozen=True, slots=True)
class KeyReveal:
    """The deck key share, its proof of possession and the commitment's nonce."""

    payload: Annotated[bytes, Size(128)]


@FAMILY.kind(12)
@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """A shuffled deck and the proof that it is a shuffle of the one before."""

    payload: Annotated[bytes, Size(10_144)]


@FAMILY.kind(13)
@dataclass(frozen=True, slots=True)
class DeckDigest:
    """The digest of the final deck; no share leaves before all seats have signed the same."""

    digest: Annotated[bytes, DIGEST]


@FAMILY.kind(14)
@dataclass(frozen=True, slots=True)
class ShareCommit:
    """Commitment to the shares of the others' hands."""

    commitment: Annotated[bytes, DIGEST]


@FAMILY.kind(15)
@dataclass(frozen=True, slots=True)
class ShareReveal:
    """The shares of the others' hands, one proof for all, and the commitment's nonce."""

    payload: Annotated[bytes, Size(1, 2000)]


@FAMILY.kind(16)
@dataclass(frozen=True, slots=True)
class DrawnCard:
    """The card drawn for the first deal, opened."""

    position: Annotated[int, DECK_POSITION]
    face: Annotated[int, FACE]
    proof: Annotated[bytes, Size(64)]


@FAMILY.kind(20)
@dataclass(frozen=True, slots=True)
class Call:
    """A word in an auction.

    Args:
        word: one of ``WORD_PASS`` to ``WORD_GOOD``.
        by: jetons of a raise, else 0.
        announced: 0 for none, else the announced class + 1.
    """

    word: Annotated[int, Range(WORD_PASS, WORD_GOOD)]
    by: Annotated[int, Range(0, 1000)]
    announced: Annotated[int, Range(0, 5)]


@FAMILY.kind(21)
@dataclass(frozen=True, slots=True)
class Announcement:
    """What a seat says it has at a showdown; the two figures of a claim."""

    first: Annotated[int, Range(0, 52)]
    second: Annotated[int, Range(0, 520)]


@FAMILY.kind(22)
@dataclass(frozen=True, slots=True)
class Showing:
    """Cards shown, opened together: ``faces[i]`` lies at ``positions[i]``."""

    positions: Annotated[tuple[int, ...], Items(DECK_POSITION, 1, 15)]
    faces: Annotated[tuple[int, ...], Items(FACE, 1, 15)]
    proof: Annotated[bytes, OPENING_PROOF]

    def verify_whole(self) -> None:
        """Raises WireError unless every position has its face."""
        _verify_pairs(self.positions, self.faces)


@FAMILY.kind(23)
@dataclass(frozen=True, slots=True)
class UnseenClass:
    """A lone winner takes his announced class unseen."""


@FAMILY.kind(24)
@dataclass(frozen=True, slots=True)
class CarteBlanche:
    """Claims carte blanche, with the proof of holding no court."""

    proof: Annotated[bytes, NOT_HOLDING_PROOF]


@FAMILY.kind(25)
@dataclass(frozen=True, slots=True)
class BlancheWaived:
    """Does not claim carte blanche."""


@FAMILY.kind(26)
@dataclass(frozen=True, slots=True)
class CardOpening:
    """A card played, opened."""

    position: Annotated[int, DECK_POSITION]
    face: Annotated[int, FACE]
    proof: Annotated[bytes, OPENING_PROOF]


@FAMILY.kind(27)
@dataclass(frozen=True, slots=True)
class NonHolding:
    """*Sans*: holds no ordinary card of the rank, with proof."""

    rank: Annotated[int, RANK]
    proof: Annotated[bytes, NOT_HOLDING_PROOF]


@FAMILY.kind(28)
@dataclass(frozen=True, slots=True)
class HeldBack:
    """Lets the turn go by without proof."""

    rank: Annotated[int, RANK]


@FAMILY.kind(30)
@dataclass(frozen=True, slots=True)
class Receipt:
    """The end of a deal as a seat computes it: balances by seat, and what the three pools carry over."""

    balances: Annotated[tuple[int, ...], Items(JETONS_OWNED, 2, 3)]
    carry: Annotated[tuple[int, ...], CARRY]


@FAMILY.kind(40)
@dataclass(frozen=True, slots=True)
class Talk:
    """Something said."""

    text: Annotated[str, Text(MAX_TALK_CHARACTERS)]


@FAMILY.kind(41)
@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand shown to the table after the deal, by choice: its cards that nobody has seen yet, opened together.

    Args:
        deal: number of the deal, from 1.
        positions, faces, proof: as in :class:`Showing`.
    """

    deal: Annotated[int, Range(1, MAX_DEALS)]
    positions: Annotated[tuple[int, ...], Items(DECK_POSITION, 1, 15)]
    faces: Annotated[tuple[int, ...], Items(FACE, 1, 15)]
    proof: Annotated[bytes, Size(64)]

    def verify_whole(self) -> None:
        """Raises WireError unless every position has its face."""
        _verify_pairs(self.positions, self.faces)


@FAMILY.kind(42)
@dataclass(frozen=True, slots=True)
class Presence:
    """Whether the seat's player is away (1), so that his client plays on for him, or back (0)."""

    away: Annotated[int, Range(0, 1)]


@FAMILY.kind(43)
@dataclass(frozen=True, slots=True)
class Reachable:
    """Where the seat can be dialled, the likeliest first; none: nowhere. ``HOST:PORT``, IPv6 in brackets."""

    addresses: Annotated[tuple[str, ...], Items(Text(MAX_ADDRESS_CHARACTERS), 0, 8)]


@FAMILY.kind(44)
@dataclass(frozen=True, slots=True)
class Vote:
    """Whether the seat would go on without another one that is not heard (1), or wait for it (0)."""

    seat: Annotated[int, SEAT]
    go_on: Annotated[int, Range(0, 1)]


@FAMILY.kind(50)
@dataclass(frozen=True, slots=True)
class Leaving:
    """The seat leaves the table."""


@FAMILY.kind(51)
@dataclass(frozen=True, slots=True)
class SeatLost:
    """A seat is given up by one that remains, stands at this step of this track and says no more before all agree."""

    seat: Annotated[int, SEAT]
    track: Annotated[int, TRACK]
    step: Annotated[int, STEP]


Message: TypeAlias = (
    Agreement | KeyCommit | KeyReveal | ShuffleProof | DeckDigest | ShareCommit | ShareReveal | DrawnCard | Call
    | Announcement | Showing | UnseenClass | CarteBlanche | BlancheWaived | CardOpening | NonHolding | HeldBack
    | Receipt | Talk | ShownHand | Presence | Reachable | Vote | Leaving | SeatLost
)  # fmt: skip


def _verify_pairs(positions: tuple[int, ...], faces: tuple[int, ...]) -> None:
    if len(positions) != len(faces):
        raise WireError("bad-count", f"{len(positions)} positions are shown as {len(faces)} faces")


def encode_message(message: Message) -> bytes:
    """The body of an envelope, at most ``MAX_BODY_BYTES`` bytes.

    Raises:
        LocalError: a field is out of its bounds; the code is that of :func:`decode_message`.
    """
    return FAMILY.encode(message)


def decode_message(body: bytes) -> Message:
    """The message that ``body`` is the one encoding of.

    Raises:
        WireError: ``unknown-kind``, ``bad-type``, ``bad-count``, ``bad-range``, ``bad-length``, ``bad-text``, or one
            of the codec's codes.
    """
    return cast("Message", FAMILY.decode(body))
