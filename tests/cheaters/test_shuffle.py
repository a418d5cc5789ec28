"""Seats that cheat while they shuffle. Where only one detail of the proof stands in the way, the exploit is carried out
against a verifier (or a prover) without that detail, to see that it works there, and against the real one.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

import pytest

from hocp2p.crypto import shuffle
from hocp2p.crypto.group import ORDER, Point, add, mul, mul_base, multi_mul, random_scalar, sub, sum_points
from hocp2p.crypto.masking import Deck, initial_deck, remask
from hocp2p.crypto.shuffle import generators, prove_shuffle, verify_shuffle
from hocp2p.crypto.shuffle_proof import SINGLES, Responses
from hocp2p.errors import CryptoError
from tests.support.shuffling import CONTEXT, ProvedShuffle, make_shuffle, mask_faces, unmask

SIZE: Final = 5
HONEST: Final = make_shuffle(SIZE)


def with_card(deck: Deck, position: int, a: Point, c: Point) -> Deck:
    """``deck`` with another card at ``position``."""
    all_a, all_c = list(deck.a), list(deck.c)
    all_a[position], all_c[position] = a, c
    return Deck(tuple(all_a), tuple(all_c))


# Other cards


def test_no_proof() -> None:
    assert replace(HONEST, proof=b"").refusal() == "bad-length"
    assert replace(HONEST, proof=bytes(len(HONEST.proof))).refusal() == "identity-point"


@pytest.mark.parametrize("position", range(SIZE))
def test_card_replaced(position: int) -> None:
    """Wherever it lies: also where it would sleep for ever and nobody would see it. (R-068.)"""
    foreign = mask_faces([SIZE], HONEST.key, Random(3).randbytes)
    after = with_card(HONEST.after, position, foreign.a[0], foreign.c[0])
    assert replace(HONEST, after=after).refusal() == "shuffle-proof"
    assert replace(HONEST, after=after).proved().refusal() == "shuffle-proof"


def test_two_cards_changed_so_that_their_sum_stays() -> None:
    first_a, first_c, second_a, second_c = (*HONEST.after.a[:2], *HONEST.after.c[:2])
    shift = mul_base(12)
    after = with_card(HONEST.after, 0, first_a, add(first_c, shift))
    after = with_card(after, 1, second_a, sub(second_c, shift))
    assert sum_points((first_c, HONEST.after.c[1])) == sum_points(after.c[:2])
    assert replace(HONEST, after=after).proved().refusal() == "shuffle-proof"


def test_card_duplicated_and_another_dropped() -> None:
    doubled = replace(HONEST, permutation=(0, 0, 2, 3, 4)).remasked()
    assert unmask(doubled.after, doubled.joint_secret) == [0, 0, 2, 3, 4]
    assert doubled.proved().refusal() == "shuffle-proof"
    assert replace(doubled, permutation=(0, 1, 2, 3, 4)).proved().refusal() == "shuffle-proof"


def test_card_of_the_victim_copied() -> None:
    """The ciphertext as it was, or masked once more, into another slot."""
    for factor in (0, 9):
        again = remask(HONEST.key, Deck(HONEST.after.a[2:3], HONEST.after.c[2:3]), (0,), (factor,))
        after = with_card(HONEST.after, 4, again.a[0], again.c[0])
        assert replace(HONEST, after=after).refusal() == "shuffle-proof"
        assert replace(HONEST, after=after).proved().refusal() == "shuffle-proof"


@pytest.mark.parametrize("size", [51, 53])
def test_other_number_of_cards(size: int) -> None:
    joint_secret = 31
    key = mul_base(joint_secret)
    before = initial_deck(key)
    cards = [*range(52), 0][:size]
    altered = Deck(tuple(before.a[card] for card in cards), tuple(before.c[card] for card in cards))
    after, proof = prove_shuffle(context=CONTEXT, key=key, deck=altered, randomness=Random(2).randbytes)
    verify_shuffle(context=CONTEXT, key=key, before=altered, after=after, proof=proof)  # good, but of another deck
    with pytest.raises(CryptoError) as caught:
        verify_shuffle(context=CONTEXT, key=key, before=before, after=after, proof=proof)
    assert caught.value.code == "bad-length"


def test_first_deck_altered() -> None:
    """Everyone computes the first deck: a proof over another one is worth nothing."""
    key = mul_base(31)
    real = initial_deck(key)
    altered = with_card(real, 51, real.a[0], real.c[0])
    after, proof = prove_shuffle(context=CONTEXT, key=key, deck=altered, randomness=Random(2).randbytes)
    verify_shuffle(context=CONTEXT, key=key, before=altered, after=after, proof=proof)
    with pytest.raises(CryptoError) as caught:
        verify_shuffle(context=CONTEXT, key=key, before=real, after=after, proof=proof)
    assert caught.value.code == "shuffle-proof"


def test_shuffled_under_another_key() -> None:
    """With a key share of the cheater's own choice in place of the joint key."""
    own_key = mul_base(7)
    after, proof = prove_shuffle(
        context=HONEST.context, key=own_key, deck=HONEST.before, randomness=Random(4).randbytes
    )
    assert replace(HONEST, after=after, proof=proof).refusal() == "shuffle-proof"


# Proofs from elsewhere


@pytest.mark.parametrize(
    "context",
    [
        pytest.param(b"table 7, deal 4, shuffle of seat 1", id="another deal"),
        pytest.param(b"table 8, deal 3, shuffle of seat 1", id="another table"),
        pytest.param(b"table 7, deal 3, shuffle of seat 2", id="another seat"),
    ],
)
def test_replayed(context: bytes) -> None:
    """R-068."""
    HONEST.verify()
    assert replace(HONEST, context=context).refusal() == "shuffle-proof"


def test_proof_of_another_shuffle_of_the_same_deck() -> None:
    other = replace(HONEST, permutation=HONEST.permutation[::-1]).remasked().proved()
    other.verify()
    assert replace(HONEST, proof=other.proof).refusal() == "shuffle-proof"


def test_shuffle_undone() -> None:
    """The deck as it was before the last seat: its own proof backwards does not show that."""
    assert replace(HONEST, before=HONEST.after, after=HONEST.before).refusal() == "shuffle-proof"


# Stacked decks


def test_weights_not_bound_to_the_cards_let_a_stacked_deck_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the weights do not depend on the new deck, all its cards but one can be chosen once the weights are known. The
    last one, spoilt, balances the sum: let it sleep.
    """
    with monkeypatch.context() as weakened:
        weakened.setattr(
            shuffle,
            "_statement_transcript",
            lambda context, key, before, _: shuffle._before_transcript(context, key, before),
        )
        HONEST.proved().verify()
        stacked = stack_deck(HONEST)
        stacked.verify()
    assert unmask(stacked.after, HONEST.joint_secret) == [0] * (SIZE - 1) + [None]

    assert stacked.refusal() == "shuffle-proof"
    assert stack_deck(HONEST).refusal() == "shuffle-proof"


def stack_deck(claim: ProvedShuffle) -> ProvedShuffle:
    """Draws the weights for some deck and builds the real one for them. Card 0 lies in every slot but the last."""
    rho, commitment = commit_to_columns([[int(i == j) for i in range(SIZE)] for j in range(SIZE)])
    guess = shuffle._statement_transcript(claim.context, claim.key, claim.before, claim.before)
    u = shuffle._draw_weights(guess, commitment)
    wanted = mask_faces([0] * (SIZE - 1), claim.key, Random(5).randbytes)
    after = Deck(
        (*wanted.a, balance(claim.before.a, wanted.a, u)),
        (*wanted.c, balance(claim.before.c, wanted.c, u)),
    )
    claim = replace(claim, after=after, factors=(0,) * SIZE)
    return replace(claim, proof=respond(claim, commitment, rho, u, u))


def balance(before: tuple[Point, ...], chosen: tuple[Point, ...], weights: list[int]) -> Point:
    """The last point that makes both sides' weighted sums equal."""
    missing = sub(multi_mul(weights, before), multi_mul(weights[:-1], chosen))
    return mul(pow(weights[-1], -1, ORDER), missing)


def test_weights_not_bound_to_the_commitment_let_spoilt_cards_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the weights depend on both decks but not on c, a matrix can be found afterwards that is no permutation: one
    card is doubled and another one halved, so the product of the weights stays. Neither is a face any more.
    """
    with monkeypatch.context() as weakened:
        weakened.setattr(
            shuffle, "_draw_weights", lambda transcript, permutation: transcript.challenges("weights", len(permutation))
        )
        HONEST.proved().verify()
        spoilt = spoil_two_cards(HONEST)
        spoilt.verify()
    assert unmask(spoilt.after, HONEST.joint_secret) == [None, None, *range(2, SIZE)]

    assert spoilt.refusal() == "shuffle-proof"
    assert spoil_two_cards(HONEST).refusal() == "shuffle-proof"


def spoil_two_cards(claim: ProvedShuffle) -> ProvedShuffle:
    """Draws the weights for some commitment and fits a matrix to them.

    Row i has to sum to 1 and to turn the weights u into ``u_i / scale_i``: two equations, and its entries in columns 0
    and 1 are two unknowns.
    """
    half = pow(2, -1, ORDER)
    scaled = with_card(claim.before, 0, mul(2, claim.before.a[0]), mul(2, claim.before.c[0]))
    scaled = with_card(scaled, 1, mul(half, claim.before.a[1]), mul(half, claim.before.c[1]))
    claim = replace(claim, after=remask(claim.key, scaled, range(SIZE), claim.factors))

    transcript = shuffle._statement_transcript(claim.context, claim.key, claim.before, claim.after)
    u = shuffle._draw_weights(transcript, claim.before.a)
    moved = [half * u[0] % ORDER, 2 * u[1] % ORDER, *u[2:]]
    second = [(weight - u[0]) * pow(u[1] - u[0], -1, ORDER) % ORDER for weight in moved]
    rho, commitment = commit_to_columns(
        [[1 - entry for entry in second], second, *([0] * SIZE for _ in range(SIZE - 2))]
    )
    return replace(claim, proof=respond(claim, commitment, rho, u, moved))


def commit_to_columns(columns: list[list[int]]) -> tuple[list[int], tuple[Point, ...]]:
    """A commitment c to any matrix, and its blindings by column."""
    randomness = Random(6).randbytes
    rho = [random_scalar(randomness) for _ in columns]
    slots = generators(SIZE).slots
    return rho, tuple(add(mul_base(r), multi_mul(column, slots)) for r, column in zip(rho, columns, strict=True))


def respond(
    claim: ProvedShuffle, commitment: tuple[Point, ...], rho: list[int], u: list[int], moved: list[int]
) -> bytes:
    """The rest of the proof, for weights ``u`` that are hoped to be drawn, and what the matrix makes of them."""
    randomness = Random(7).randbytes
    transcript = shuffle._statement_transcript(claim.context, claim.key, claim.before, claim.after)
    shuffle._draw_weights(transcript, commitment)
    links = [random_scalar(randomness) for _ in range(SIZE)]
    secrets = Responses(
        total=sum(rho) % ORDER,
        product=shuffle._chain_blinding(moved, links),
        combination=shuffle._inner(u, rho),
        factor=shuffle._inner(moved, claim.factors),
        links=tuple(links),
        weights=tuple(moved),
    )
    nonces = Responses.of([random_scalar(randomness) for _ in range(2 * SIZE + SINGLES)])
    return shuffle._respond(transcript, claim.key, claim.after, commitment, secrets, nonces)
