"""A seat that breaks the protocol at a whole table: all honest seats name it, keep the evidence, and go on without."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from hocp2p.game.cards import ORDINARY, card_of
from hocp2p.game.house import Rules
from hocp2p.wire import messages as m
from hocp2p.wire.envelope import Envelope
from tests.support.cheater import Cheat, CheatedTable, Cheater, Said

CHEATS = [(3, 0), (3, 2), (2, 0), (2, 1)]
"""Seats at the table and which one cheats: the host or a guest, at a table of three or two."""
everywhere = pytest.mark.parametrize(("seats", "seat"), CHEATS)


def cheated(cheat: Cheat, seats: int, seat: int, seed: int = 5) -> Cheater:
    """A table played to its end, with one cheat."""
    cheater = Cheater(CheatedTable(seats, Rules(deals=seats), seed), seat, cheat)
    cheater.table.run_linked()
    return cheater


def cheated_somewhere(cheat: Cheat, seats: int, seat: int) -> Cheater:
    """The first of many tables at which the cheat finds an occasion."""
    for seed in range(60):
        cheater = cheated(cheat, seats, seat, seed)
        if cheater.slot is not None:
            return cheater
    raise AssertionError("the cheat had no occasion")


def first(kind: type[m.Message], change: Callable[[Any], m.Message], track: int | None = None) -> Cheat:
    """The first message of a kind, in a track if one is given, is another one instead."""

    def cheat(said: Said) -> Iterable[Envelope] | None:
        if not isinstance(said.message, kind) or track not in (None, said.envelope.track):
            return None
        return [said.but(change(said.message))]

    return cheat


def flipped(data: bytes) -> bytes:
    """One bit is wrong, in the middle."""
    at = len(data) // 2
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


# -- a message that does not hold -------------------------------------------------------------------------------------

DECK_CHEATS: dict[str, tuple[type[m.Message], Callable[[Any], m.Message], str, int]] = {
    # what is changed: kind, change, code, how many steps later it shows
    "key-not-committed": (m.KeyCommit, lambda _: m.KeyCommit(b"x" * 32), "key-commit-mismatch", 1),
    "key-altered": (m.KeyReveal, lambda told: m.KeyReveal(flipped(told.payload)), "key-commit-mismatch", 0),
    "shuffle-unproved": (m.ShuffleProof, lambda told: m.ShuffleProof(flipped(told.payload)), "shuffle-proof", 0),
    "digest-of-another-deck": (m.DeckDigest, lambda told: m.DeckDigest(flipped(told.digest)), "deck-digest", 0),
    "shares-not-committed": (m.ShareCommit, lambda _: m.ShareCommit(b"x" * 32), "share-commit-mismatch", 1),
    "shares-altered": (m.ShareReveal, lambda told: m.ShareReveal(flipped(told.payload)), "share-commit-mismatch", 0),
    "shares-too-short": (m.ShareReveal, lambda told: m.ShareReveal(told.payload[:-32]), "bad-length", 0),
}
TRACKS = {"draw deck": 1, "draw": 2, "deck 1": 3, "play 1": 4, "deck 2": 5, "play 2": 6}


@everywhere
@pytest.mark.parametrize("name", DECK_CHEATS)
@pytest.mark.parametrize("deal", [0, 1, 2])
def test_the_deal_protocol(name: str, deal: int, seats: int, seat: int) -> None:
    """At the draw, at the first deal, and for the second deal's deck while the first one is played. (R-044.)"""
    kind, change, code, later = DECK_CHEATS[name]
    track = 2 * deal + (2 if kind in (m.ShareCommit, m.ShareReveal) else 1)
    cheater = cheated(first(kind, change, track), seats, seat)
    assert cheater.slot is not None
    label = next(label for label, number in TRACKS.items() if number == track)
    cheater.verify_blamed(code, f"{label}/{cheater.slot.step + later}")
    cheater.verify_ended()


DRAW_CHEATS: dict[str, tuple[Callable[[Any], m.Message], str]] = {
    "another-face": (lambda told: replace(told, face=(told.face + 1) % 52), "opening-proof"),
    "another-position": (lambda told: replace(told, position=51), "wrong-position"),
    "unproved": (lambda told: replace(told, proof=flipped(told.proof)), "opening-proof"),
}


@everywhere
@pytest.mark.parametrize("name", DRAW_CHEATS)
def test_the_draw(name: str, seats: int, seat: int) -> None:
    change, code = DRAW_CHEATS[name]
    cheater = cheated(first(m.DrawnCard, change), seats, seat)
    cheater.verify_blamed(code, "draw/2")
    cheater.verify_ended()


EVERY_STEP: list[type[m.Message]] = [
    m.KeyCommit, m.KeyReveal, m.ShuffleProof, m.DeckDigest, m.ShareCommit, m.ShareReveal, m.DrawnCard, m.Call,
    m.BlancheWaived, m.CardOpening, m.NonHolding, m.Receipt,
]  # fmt: skip


@everywhere
@pytest.mark.parametrize("kind", EVERY_STEP)
def test_a_message_of_the_wrong_kind(kind: type[m.Message], seats: int, seat: int) -> None:
    """R-043."""
    cheater = cheated(first(kind, lambda _: m.Agreement()), seats, seat)
    cheater.verify_blamed("unexpected-message")
    cheater.verify_ended()


@pytest.mark.parametrize("seat", [0, 2])
@pytest.mark.parametrize(
    ("body", "code"),
    [(b"\x91\x7f", "unknown-kind"), (b"\xc1", "bad-msgpack"), (b"\x94\x14\x02\x01\xcc\x05", "not-canonical")],
)
def test_a_body_that_is_no_message(body: bytes, code: str, seat: int) -> None:
    """R-042."""

    def cheat(said: Said) -> Iterable[Envelope] | None:
        return [said.but(body=body)] if isinstance(said.message, m.Call) else None

    cheater = cheated(cheat, 3, seat)
    cheater.verify_blamed(code)
    cheater.verify_ended()


# -- moves ------------------------------------------------------------------------------------------------------------

CALLS: dict[str, tuple[m.Message, str]] = {
    "over-the-cap": (m.Call(m.WORD_RAISE, 21, 0), "bad-raise"),
    "far-over-the-cap": (m.Call(m.WORD_RAISE, 1000, 0), "bad-raise"),
    "raise-of-nothing": (m.Call(m.WORD_RAISE, 0, 0), "bad-range"),
    "pass-with-a-raise": (m.Call(m.WORD_PASS, 5, 0), "bad-range"),
    "class-of-a-point": (m.Call(m.WORD_RAISE, 1, 1), "bad-class"),
    "announcement-too-soon": (m.Announcement(5, 30), "wrong-phase"),
    "card-too-soon": (m.CardOpening(0, 0, bytes(64)), "wrong-phase"),
    "sans-too-soon": (m.NonHolding(1, b""), "wrong-phase"),
    "blanche-too-soon": (m.BlancheWaived(), "wrong-phase"),
    "unseen-too-soon": (m.UnseenClass(), "wrong-phase"),
}


@everywhere
@pytest.mark.parametrize("name", CALLS)
def test_calls_that_the_rules_do_not_allow(name: str, seats: int, seat: int) -> None:
    """R-088."""
    message, code = CALLS[name]
    cheater = cheated(first(m.Call, lambda _: message), seats, seat)
    cheater.verify_blamed(code)
    cheater.verify_ended()


def opening(
    change: Callable[[Said, m.CardOpening], m.Message | None], *, led: bool = False, shown: bool = False
) -> Cheat:
    """The first card played that gives occasion is another one.

    Args:
        change: what is said instead.
        led: only where any card could be led.
        shown: only a card that everybody has seen before; else only one that nobody has seen.
    """

    def cheat(said: Said) -> Iterable[Envelope] | None:
        state = said.state
        if not isinstance(said.message, m.CardOpening) or state is None or state.play is None:
            return None
        if (led and state.play.called is not None) or shown != (said.message.position in state.faces()):
            return None
        instead = change(said, said.message)
        return None if instead is None else [said.but(instead)]

    return cheat


def other_face(said: Said, told: m.CardOpening) -> m.Message | None:
    assert said.state is not None
    seen = {card.index for _, card in said.state.opened}
    return replace(told, face=next(face for face in range(52) if face not in seen | {told.face}))


def seen_face(said: Said, told: m.CardOpening) -> m.Message | None:
    assert said.state is not None
    return replace(told, face=said.state.opened[0][1].index) if said.state.opened else None


def position_of_another(said: Said, told: m.CardOpening) -> m.Message | None:
    assert said.state is not None
    return replace(told, position=said.state.hands[said.cheater.honest[0]][0])


def sleeping_position(_: Said, told: m.CardOpening) -> m.Message | None:
    return replace(told, position=51)


def played_before(said: Said, told: m.CardOpening) -> m.Message | None:
    assert said.state is not None
    assert said.state.play is not None
    table = [card for run in (*said.state.play.closed, said.state.play.run) for card in run]
    mine = [card for card in table if card.seat == said.cheater.seat]
    return replace(told, position=mine[0].position, face=mine[0].card.index) if mine else None


def proof_of_another_step(said: Said, told: m.CardOpening) -> m.Message | None:
    session: Any = said.cheater.table.table_of(said.cheater.seat).course.deal.session  # type: ignore[union-attr] # dealt
    return replace(told, proof=session._opening(said.cheater.seat, [told.position], [told.face], said.binding[:-1]))


OPENINGS: dict[str, tuple[Callable[[Said, m.CardOpening], m.Message | None], str]] = {
    "another-face": (other_face, "opening-proof"),
    "a-face-that-lies-elsewhere": (seen_face, "wrong-face"),
    "position-of-another": (position_of_another, "not-in-hand"),
    "sleeping-position": (sleeping_position, "not-in-hand"),
    "played-before": (played_before, "not-in-hand"),
    "unproved": (lambda _, told: replace(told, proof=b""), "bad-length"),
    "proof-altered": (lambda _, told: replace(told, proof=flipped(told.proof)), "opening-proof"),
    "proof-of-another-step": (proof_of_another_step, "opening-proof"),
}


@everywhere
@pytest.mark.parametrize("name", OPENINGS)
def test_openings_that_do_not_hold(name: str, seats: int, seat: int) -> None:
    change, code = OPENINGS[name]
    cheater = cheated(opening(change, led=name == "another-face"), seats, seat)
    cheater.verify_blamed(code)
    cheater.verify_ended()


def test_a_proof_that_nobody_needs() -> None:
    """A card shown at a showdown is played: a proof beside it would be room for whatever one likes to put there.

    R-089.
    """
    cheater = cheated_somewhere(opening(lambda _, told: replace(told, proof=bytes(64)), shown=True), 3, 2)
    cheater.verify_blamed("unasked-proof")
    cheater.verify_ended()


def test_a_proof_of_another_step_made_for_its_own_step_holds() -> None:
    """The forger of the test above makes honest proofs where it is asked to."""

    def honest(said: Said, told: m.CardOpening) -> m.Message:
        session: Any = said.cheater.table.table_of(2).course.deal.session  # type: ignore[union-attr] # dealt
        return replace(told, proof=session._opening(2, [told.position], [told.face], said.binding))

    cheater = cheated(opening(honest), 3, 2)
    assert cheater.slot is not None
    cheater.verify_nobody_blamed()


def false_sans(said: Said, told: m.CardOpening) -> m.Message | None:
    """An ordinary card of the called rank is in hand, unseen: says *sans* with the best proof that there is."""
    state, card = said.state, card_of(told.face)
    if state is None or state.play is None or state.play.called != card.rank or card not in ORDINARY[card.rank]:
        return None
    seat, faces = said.cheater.seat, state.faces()
    hidden = [position for position in state.hands[seat] if position not in faces]
    unseen = [face.index for face in ORDINARY[card.rank] if face not in faces.values()]
    session: Any = said.cheater.table.table_of(seat).course.deal.session  # type: ignore[union-attr] # dealt
    return m.NonHolding(card.rank, session._absence(seat, hidden, unseen, said.binding))


def sans_with_a_card_on_the_table(said: Said, told: m.CardOpening) -> m.Message | None:
    """The card of the called rank was shown at a showdown, so everybody sees that it is in that hand."""
    state, card = said.state, card_of(told.face)
    if state is None or state.play is None or state.play.called != card.rank or card not in ORDINARY[card.rank]:
        return None
    return m.NonHolding(card.rank, b"")


@everywhere
def test_sans_while_holding(seats: int, seat: int) -> None:
    cheater = cheated(opening(false_sans), seats, seat)
    cheater.verify_blamed("not-holding-proof")
    cheater.verify_ended()


@everywhere
def test_sans_while_holding_a_card_that_everybody_has_seen(seats: int, seat: int) -> None:
    """R-101."""
    cheater = cheated_somewhere(opening(sans_with_a_card_on_the_table, shown=True), seats, seat)
    cheater.verify_blamed("holds-rank")
    cheater.verify_ended()


SANS: dict[str, tuple[Callable[[Any], m.Message], str]] = {
    "of-another-rank": (lambda told: m.NonHolding(told.rank % 13 + 1, told.proof), "wrong-rank"),
    "unproved": (lambda told: m.NonHolding(told.rank, b""), "bad-length"),
    "proof-altered": (lambda told: m.NonHolding(told.rank, flipped(told.proof)), "not-holding-proof"),
    "over-part-of-the-hand": (lambda told: m.NonHolding(told.rank, told.proof[32:]), "bad-length"),
}


@everywhere
@pytest.mark.parametrize("name", SANS)
def test_sans_that_does_not_hold(name: str, seats: int, seat: int) -> None:
    change, code = SANS[name]

    def cheat(said: Said) -> Iterable[Envelope] | None:
        told = said.message
        return [said.but(change(told))] if isinstance(told, m.NonHolding) and told.proof else None

    cheater = cheated(cheat, seats, seat)
    cheater.verify_blamed(code)
    cheater.verify_ended()


@everywhere
def test_carte_blanche_with_a_court(seats: int, seat: int) -> None:
    """R-098."""

    def cheat(said: Said) -> Iterable[Envelope] | None:
        deal = said.cheater.table.table_of(seat).course.deal
        if not isinstance(said.message, m.BlancheWaived) or deal is None or deal.view is None:
            return None
        if not any(card.is_court for position, card in deal.view.own.items() if position not in deal.state.faces()):
            return None
        faces = deal.state.faces()
        if any(card.is_court for position, card in faces.items() if position in deal.state.dealt[seat]):
            return None  # seen by all: that is refused by the rules
        hidden = [position for position in deal.state.dealt[seat] if position not in faces]
        courts = [face for face in range(52) if card_of(face).is_court and card_of(face) not in faces.values()]
        session: Any = deal.session
        return [said.but(m.CarteBlanche(session._absence(seat, hidden, courts, said.binding)))]

    cheater = cheated_somewhere(cheat, seats, seat)
    cheater.verify_blamed("not-holding-proof")
    cheater.verify_ended()


RECEIPTS: dict[str, Callable[[Any], m.Message]] = {
    "richer": lambda told: replace(told, balances=(told.balances[0] + 1, *told.balances[1:])),
    "other-pools": lambda told: replace(told, carry=(told.carry[0], told.carry[1], told.carry[2] + 1)),
    "fewer-seats": lambda told: replace(
        told, balances=(*told.balances, 0)[:2] if len(told.balances) > 2 else (1, 2, 3)
    ),
}


@everywhere
@pytest.mark.parametrize("name", RECEIPTS)
def test_a_false_receipt(name: str, seats: int, seat: int) -> None:
    """R-087."""
    cheater = cheated(first(m.Receipt, RECEIPTS[name]), seats, seat)
    cheater.verify_blamed("receipt-differs")
    cheater.verify_ended()
