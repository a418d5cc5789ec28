"""The steps of a deck and of the shares: who speaks when, with which message, in which order nothing else can come."""

from __future__ import annotations

import random

import pytest

from hocp2p.crypto.scheme import DeckSession, SeatError
from hocp2p.errors import LocalError
from hocp2p.game import rules as game
from hocp2p.table.deal import deal_plan
from hocp2p.table.deck import DeckSteps, share_steps, shuffle_order
from hocp2p.table.events import DeckStep, TableEvent
from hocp2p.table.steps import Step
from hocp2p.wire.messages import DeckDigest, KeyCommit, KeyReveal, Message, ShareCommit, ShareReveal, ShuffleProof
from tests.support.insecure_scheme import InsecureScheme


def sessions(seats: int, dealer: int, seed: int = 1) -> list[DeckSession]:
    return [
        InsecureScheme().join(
            context=b"deck",
            seats=seats,
            seat=seat,
            plan=deal_plan(seats, dealer),
            order=shuffle_order(seats, dealer),
            randomness=random.Random(seed + seat).randbytes,
        )
        for seat in range(seats)
    ]


def say_all(steps: list[Step]) -> dict[int, Message]:
    """What the speakers of one step say, by seat; ``steps`` are those of each seat."""
    said: dict[int, Message] = {}
    for seat in steps[0].speakers:
        message = steps[seat].speak(b"")
        assert isinstance(message, steps[0].expects)
        said[seat] = message
    return said


def accept_all(steps: list[Step], said: dict[int, Message]) -> list[TableEvent]:
    (events,) = {tuple(step.accept(b"", said)) for step in steps}
    return list(events)


def run_deck(parts: list[DeckSession], dealer: int) -> list[tuple[str, tuple[int, ...], type[Message]]]:
    """Makes a deck; the steps that it took."""
    seats = len(parts)
    decks = [DeckSteps(3, session, seats, dealer) for session in parts]
    taken = []
    while decks[0].present is not None:
        steps = [step for deck in decks if (step := deck.present) is not None]
        taken.append((steps[0].what, steps[0].speakers, steps[0].expects[0]))
        (event,) = accept_all(steps, say_all(steps))
        assert event in (DeckStep(3, steps[0].what), DeckStep(3, steps[0].what, steps[0].speakers[0]))
        for deck in decks:
            deck.close_step()
    return taken


@pytest.mark.parametrize(("seats", "dealer"), [(2, 0), (2, 1), (3, 0), (3, 2)])
def test_keys_shuffles_digest(seats: int, dealer: int) -> None:
    everybody = tuple(range(seats))
    shuffles = [("shuffle", ((dealer + k) % seats,), ShuffleProof) for k in range(seats)]
    assert run_deck(sessions(seats, dealer), dealer) == [
        ("keys", everybody, KeyCommit),
        ("keys", everybody, KeyReveal),
        *shuffles,
        ("digest", everybody, DeckDigest),
    ]


@pytest.mark.parametrize("seats", [2, 3])
def test_the_dealer_shuffles_first_and_his_left_cuts(seats: int) -> None:
    """Play goes to the right, so the seat at the dealer's left is the one before him in turn order."""
    for dealer in range(seats):
        order = shuffle_order(seats, dealer)
        assert order[0] == dealer
        assert order[-1] == (dealer - 1) % seats
        assert sorted(order) == list(range(seats))


@pytest.mark.parametrize(("seats", "asleep"), [(2, 22), (3, 16)])
def test_the_plan_deals_what_the_rules_deal(seats: int, asleep: int) -> None:
    for dealer in range(seats):
        plan = deal_plan(seats, dealer)
        assert plan.owners.count(None) == asleep
        assert set(plan.owners[-asleep:]) == {None}
        for seat, positions in enumerate(game.deal_positions(seats, dealer)):
            assert plan.positions_of(seat) == tuple(sorted(positions))


def test_shares_follow_and_deal_every_hand() -> None:
    parts = sessions(3, 1)
    run_deck(parts, 1)
    steps = [share_steps(3, session, 3) for session in parts]
    for number, kind in enumerate((ShareCommit, ShareReveal)):
        of_all = [each[number] for each in steps]
        assert [step.expects for step in of_all] == [(kind,)] * 3
        accept_all(of_all, say_all(of_all))
    hands = [session.faces() for session in parts]
    assert [len(hand) for hand in hands] == [12, 12, 12]
    assert len({face for hand in hands for face in hand.values()}) == 36


def test_no_share_is_made_before_all_have_signed_the_deck() -> None:
    """The barrier: the step of the digests has not been accepted."""
    parts = sessions(3, 0)
    decks = [DeckSteps(3, session, 3, 0) for session in parts]
    while True:
        steps = [step for deck in decks if (step := deck.present) is not None]
        for session in parts:
            for step in share_steps(3, session, 3):
                with pytest.raises(LocalError) as caught:
                    step.speak(b"")
                assert caught.value.code == "out-of-order"
        if steps[0].what == "digest":
            break
        accept_all(steps, say_all(steps))
        for deck in decks:
            deck.close_step()


def test_the_seat_whose_digest_differs_is_named() -> None:
    parts = sessions(3, 0)
    decks = [DeckSteps(3, session, 3, 0) for session in parts]
    for _ in range(5):
        steps = [step for deck in decks if (step := deck.present) is not None]
        accept_all(steps, say_all(steps))
        for deck in decks:
            deck.close_step()
    steps = [step for deck in decks if (step := deck.present) is not None]
    said = say_all(steps) | {1: DeckDigest(b"x" * 32)}
    with pytest.raises(SeatError) as caught:
        steps[0].accept(b"", said)
    assert (caught.value.seat, caught.value.code) == (1, "deck-digest")
