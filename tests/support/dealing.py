"""All seats' sessions of one deck in memory, and seats that say something else than their session would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cache

import pytest

from hocp2p.crypto.deck import MentalPoker
from hocp2p.crypto.keys import commit_to
from hocp2p.crypto.scheme import DealPlan, DealScheme, DeckSession, Randomness, SeatError
from hocp2p.errors import LocalError
from tests.support.sources import seeded

STEPS = ("key_commit", "key_reveal", "shuffle", "deck_digest", "share_commit", "share_reveal")
ACCEPTS = {
    "key_commit": "accept_key_commits",
    "key_reveal": "accept_key_reveals",
    "deck_digest": "accept_deck_digests",
    "share_commit": "accept_share_commits",
    "share_reveal": "accept_share_reveals",
}
COMMITTED = {"key_reveal": ("key_commit", "key"), "share_reveal": ("share_commit", "shares")}
HAND_SIZE = {2: 15, 3: 12}
CONTEXT = b"hocp2p/1, table 1, deal 1"


def plan_for(seats: int) -> DealPlan:
    """One card at a time in turn order; the rest sleeps."""
    dealt = HAND_SIZE[seats] * seats
    return DealPlan(tuple(position % seats if position < dealt else None for position in range(52)))


class Dealing:
    """One deck. ``sessions`` are by seat, ``sent`` holds every payload in order of sending."""

    def __init__(
        self,
        seats: int = 3,
        *,
        scheme: DealScheme | None = None,
        seed: str = "deal",
        source: Randomness | None = None,
        context: bytes = CONTEXT,
    ) -> None:
        self.seats = seats
        self.plan = plan_for(seats)
        self.order = tuple((seat + 1) % seats for seat in range(seats))
        self.sent: list[tuple[str, int, bytes]] = []
        self.sessions: list[DeckSession] = [
            (scheme or MentalPoker()).join(
                context=context,
                seats=seats,
                seat=seat,
                plan=self.plan,
                order=self.order,
                randomness=source or seeded(f"{seed} {seat}"),
            )
            for seat in range(seats)
        ]

    def run_to(self, step: str) -> Dealing:
        """Everything before ``step`` (``dealt``: all of it), in order and honestly."""
        for name in (*STEPS, "dealt"):
            if name == step:
                break
            if any(done == name for done, _, _ in self.sent):
                continue
            if name == "shuffle":
                for seat in self.order:
                    self.accept_shuffle(seat, self.make(name, seat))
            else:
                self.accept(name, [self.make(name, seat) for seat in range(self.seats)])
        return self

    def make(self, step: str, seat: int) -> bytes:
        """What the session of ``seat`` says."""
        payload: bytes = getattr(self.sessions[seat], step)()
        self.sent.append((step, seat, payload))
        return payload

    def accept(self, step: str, payloads: Sequence[bytes]) -> None:
        for session in self.sessions:
            getattr(session, ACCEPTS[step])(payloads)

    def accept_shuffle(self, seat: int, payload: bytes) -> None:
        for session in self.sessions:
            session.accept_shuffle(seat, payload)

    def context(self, seat: int = 0) -> bytes:
        """What the proofs of this deck are bound to at this moment."""
        context: bytes = self.sessions[seat]._context  # type: ignore[attr-defined]  # cheaters know the context
        return context

    def secret(self, seat: int) -> int:
        """The key share of ``seat``, for a seat that cheats with it."""
        secret: int = self.sessions[seat]._secret  # type: ignore[attr-defined]  # a cheater knows its own secret
        return secret

    def faces(self, seat: int) -> Mapping[int, int]:
        return self.sessions[seat].faces()

    # Cheating

    def refusals(self, step: str, cheats: Mapping[int, bytes]) -> set[tuple[int, str]]:
        """Whom the honest seats blame, and why, where seats in ``cheats`` say that at ``step``.

        What a cheat reveals it has also committed to. Checks that no honest seat says anything afterwards.
        """
        commit_step, what = COMMITTED.get(step, (step, ""))
        self.run_to(commit_step)
        if commit_step != step:
            commits = [self.make(commit_step, seat) for seat in range(self.seats)]
            for seat, payload in cheats.items():
                commits[seat] = commit_to(what, self.context(seat), seat, payload)
            self.accept(commit_step, commits)
        honest = [seat for seat in range(self.seats) if seat not in cheats]
        if step == "shuffle":
            ((cheat, payload),) = cheats.items()
            assert self.order[0] == cheat, "the cheat shuffles first"
            return self.blamed("accept_shuffle", cheat, payload, honest=honest)
        payloads = [cheats[seat] if seat in cheats else self.make(step, seat) for seat in range(self.seats)]
        return self.blamed(ACCEPTS[step], payloads, honest=honest)

    def blamed(self, accept: str, *arguments: object, honest: Sequence[int]) -> set[tuple[int, str]]:
        """Whom the honest seats blame, and why, when they get these payloads; afterwards they say nothing more."""
        blamed = set()
        for session in (self.sessions[seat] for seat in honest):
            blamed.add(blame(getattr(session, accept), *arguments))
            step = "shuffle" if accept == "accept_shuffle" else next(s for s, a in ACCEPTS.items() if a == accept)
            assert_silent(session, STEPS[STEPS.index(step) + 1 :])
        return blamed


@cache
def _kept(step: str, seats: int, scheme: type[DealScheme], seed: str) -> Dealing:
    return Dealing(seats, scheme=scheme(), seed=seed).run_to(step)


def dealing_at(step: str, seats: int = 3, *, scheme: type[DealScheme] = MentalPoker, seed: str = "deal") -> Dealing:
    """A deck that has come to ``step``, to do with as one likes. Made once, given as copies: shuffles take time."""
    return deepcopy(_kept(step, seats, scheme, seed))


def assert_silent(session: DeckSession, steps: Sequence[str] = STEPS) -> None:
    """``session`` makes nothing of what it would make in these steps."""
    for step in steps:
        with pytest.raises(LocalError):
            getattr(session, step)()


def flip(payload: bytes, at: int) -> bytes:
    """One bit of ``payload`` changed."""
    return payload[:at] + bytes([payload[at] ^ 1]) + payload[at + 1 :]


def blame(call: object, *arguments: object) -> tuple[int, str]:
    """Seat and code of the SeatError that ``call(*arguments)`` raises."""
    assert callable(call)
    with pytest.raises(SeatError) as caught:
        call(*arguments)
    return caught.value.seat, caught.value.code
