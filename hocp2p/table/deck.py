"""The deal without a dealer, as steps: keys, shuffles, the signed deck; then the shares of the hands.

The first part runs on a track of its own, so that the next deck is prepared while a deal is played. The shares open
the track of the deal itself: nobody can know his next hand while the last deal still runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple

from hocp2p.crypto.scheme import DeckSession
from hocp2p.table.events import DeckStep, TableEvent
from hocp2p.table.steps import Step
from hocp2p.wire.messages import (
    DeckDigest,
    KeyCommit,
    KeyReveal,
    Message,
    ShareCommit,
    ShareReveal,
    ShuffleProof,
)

Payloads = Callable[[Sequence[bytes]], None]


def shuffle_order(seats: int, dealer: int) -> tuple[int, ...]:
    """The dealer shuffles first; the player at his left, last in turn, shuffles last: he cuts (rule 1)."""
    return tuple((dealer + k) % seats for k in range(seats))


class DeckSteps:
    """The steps from the first key to the digest that all seats sign (SPEC 10.2 to 10.4).

    Args:
        number: of the deal, 0 for the draw of the first dealer.
        session: our part in this deck.
        seats: 2 or 3.
        dealer: who shuffles first.
    """

    def __init__(self, number: int, session: DeckSession, seats: int, dealer: int) -> None:
        everybody = tuple(range(seats))
        self.number = number
        self.session = session
        self._left = [
            _together("keys", number, everybody, KeyCommit, session.key_commit, session.accept_key_commits),
            _together("keys", number, everybody, KeyReveal, session.key_reveal, session.accept_key_reveals),
            *(self._shuffle(number, seat) for seat in shuffle_order(seats, dealer)),
            _together("digest", number, everybody, DeckDigest, session.deck_digest, session.accept_deck_digests),
        ]

    @property
    def present(self) -> Step | None:
        """See ``steps.Steps``."""
        return self._left[0] if self._left else None

    def close_step(self) -> None:
        """See ``steps.Steps``."""
        del self._left[0]

    def _shuffle(self, number: int, seat: int) -> Step:
        def make() -> Message:
            return ShuffleProof(self.session.shuffle())

        def accept(_: bytes, messages: Mapping[int, Message]) -> Sequence[TableEvent]:
            self.session.accept_shuffle(seat, _payload(messages[seat]))
            return [DeckStep(number, "shuffle", seat)]

        return Step("shuffle", (seat,), (ShuffleProof,), lambda _: make(), accept, make)


def share_steps(number: int, session: DeckSession, seats: int) -> list[Step]:
    """The two steps that deal the hands (SPEC 10.5)."""
    everybody = tuple(range(seats))
    return [
        _together("shares", number, everybody, ShareCommit, session.share_commit, session.accept_share_commits),
        _together("shares", number, everybody, ShareReveal, session.share_reveal, session.accept_share_reveals),
    ]


def _payload(message: Message) -> bytes:
    """The messages of the deal protocol have one field."""
    (payload,) = astuple(message)
    return bytes(payload)


def _together(
    what: str,
    number: int,
    seats: tuple[int, ...],
    kind: type[KeyCommit | KeyReveal | DeckDigest | ShareCommit | ShareReveal],
    speak: Callable[[], bytes],
    accept: Payloads,
) -> Step:
    """A step in which every seat speaks at once."""

    def accept_all(_: bytes, messages: Mapping[int, Message]) -> Sequence[TableEvent]:
        accept([_payload(messages[seat]) for seat in seats])
        return [DeckStep(number, what)]

    def make() -> Message:
        return kind(speak())

    return Step(what, seats, (kind,), lambda _: make(), accept_all, make)
