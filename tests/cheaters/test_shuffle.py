"""Seats that cheat while they shuffle. Where only one detail of the proof stands in the way, the exploit is carried out
against a verifier (or a prover) without that detail, to see that it works there, and against the real one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Final

import pytest

from hocp2p.crypto import shuffle
from hocp2p.crypto.group import ORDER, Point, add, mul, mul_base, multi_mul, random_scalar, sub, sum_points
from hocp2p.crypto.masking import Deck, initial_deck, remask
from hocp2p.crypto.scheme import Randomness
from hocp2p.crypto.shuffle import generators, prove_shuffle, verify_shuffle
from hocp2p.crypto.shuffle_proof import SINGLES, Responses, decode_shuffle_proof
from hocp2p.crypto.transcript import Transcript
from hocp2p.errors import CryptoError
from tests.support.shuffling import CONTEXT, ProvedShuffle, make_shuffle, mask_faces, unmask

SIZE: Final = 5
HONEST: Final = make_shuffle(SIZE)


def refusal(proved: ProvedShuffle) -> str:
    """The code with which it is refused."""
    with pytest.raises(CryptoError) as caught:
        proved.verify()
    return caught.value.code


def with_card(deck: Deck, position: int, a: Point, c: Point) -> Deck:
    """``deck`` with another card at ``position``."""
    all_a, all_c = list(deck.a), list(deck.c)
    all_a[position], all_c[position] = a, c
    return Deck(tuple(all_a), tuple(all_c))


# Other cards


def test_no_proof() -> None:
    assert refusal(replace(HONEST, proof=b"")) == "bad-length"
    assert refusal(replace(HONEST, proof=bytes(len(HONEST.proof)))) == "identity-point"


@pytest.mark.parametrize("position", range(SIZE))
def test_card_replaced(position: int) -> None:
    """Wherever it lies: also where it would sleep for ever and nobody would see it."""
    foreign = mask_faces([SIZE], HONEST.key, Random(3).randbytes)
    after = with_card(HONEST.after, position, foreign.a[0], foreign.c[0])
    assert refusal(replace(HONEST, after=after)) == "shuffle-proof"
    assert refusal(replace(HONEST, after=after).proved()) == "shuffle-proof"


def test_two_cards_changed_so_that_their_sum_stays() -> None:
    first_a, first_c, second_a, second_c = (*HONEST.after.a[:2], *HONEST.after.c[:2])
    shift = mul_base(12)
    after = with_card(HONEST.after, 0, first_a, add(first_c, shift))
    after = with_card(after, 1, second_a, sub(second_c, shift))
    assert sum_points((first_c, HONEST.after.c[1])) == sum_points(after.c[:2])
    assert refusal(replace(HONEST, after=after).proved()) == "shuffle-proof"


def test_card_duplicated_and_another_dropped() -> None:
    doubled = replace(HONEST, permutation=(0, 0, 2, 3, 4)).remasked()
    assert unmask(doubled.after, doubled.joint_secret) == [0, 0, 2, 3, 4]
    assert refusal(doubled.proved()) == "shuffle-proof"
    assert refusal(replace(doubled, permutation=(0, 1, 2, 3, 4)).proved()) == "shuffle-proof"


def test_card_of_the_victim_copied() -> None:
    """The ciphertext as it was, or masked once more, into another slot."""
    for factor in (0, 9):
        again = remask(HONEST.key, Deck(HONEST.after.a[2:3], HONEST.after.c[2:3]), (0,), (factor,))
        after = with_card(HONEST.after, 4, again.a[0], again.c[0])
        assert refusal(replace(HONEST, after=after)) == "shuffle-proof"
        assert refusal(replace(HONEST, after=after).proved()) == "shuffle-proof"


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
    assert refusal(replace(HONEST, after=after, proof=proof)) == "shuffle-proof"


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
    HONEST.verify()
    assert refusal(replace(HONEST, context=context)) == "shuffle-proof"


def test_proof_of_another_shuffle_of_the_same_deck() -> None:
    other = replace(HONEST, permutation=HONEST.permutation[::-1]).remasked().proved()
    other.verify()
    assert refusal(replace(HONEST, proof=other.proof)) == "shuffle-proof"


def test_shuffle_undone() -> None:
    """The deck as it was before the last seat: its own proof backwards does not show that."""
    assert refusal(replace(HONEST, before=HONEST.after, after=HONEST.before)) == "shuffle-proof"


# Stacked decks


def test_weights_known_beforehand_let_a_stacked_deck_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the weights depend on neither deck nor commitment, all cards but one can be chosen, and the last one, spoilt,
    balances the sum.
    """
    weights = Transcript("weights of the deal").challenges("weights", SIZE)
    wanted = mask_faces([0] * (SIZE - 1), HONEST.key, Random(5).randbytes)
    spoilt = Deck(
        (balance(HONEST.before.a, wanted.a, weights),),
        (balance(HONEST.before.c, wanted.c, weights),),
    )
    after = Deck(wanted.a + spoilt.a, wanted.c + spoilt.c)
    stacked = replace(HONEST, after=after, permutation=tuple(range(SIZE)), factors=(0,) * SIZE)
    assert unmask(after, HONEST.joint_secret) == [0] * (SIZE - 1) + [None]

    with monkeypatch.context() as weakened:
        weakened.setattr(shuffle, "_draw_weights", lambda *_: weights)
        stacked = stacked.proved()
        stacked.verify()

    assert refusal(stacked) == "shuffle-proof"
    assert refusal(stacked.proved()) == "shuffle-proof"


def balance(before: tuple[Point, ...], chosen: tuple[Point, ...], weights: list[int]) -> Point:
    """The last point that makes both sides' weighted sums equal."""
    missing = sub(multi_mul(weights, before), multi_mul(weights[:-1], chosen))
    return mul(pow(weights[-1], -1, ORDER), missing)


def test_weights_not_bound_to_the_commitment_let_spoilt_cards_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the weights depend on both decks but not on c, a matrix can be found afterwards that is no permutation: one
    card is doubled and another one halved, so the product of the weights stays. Neither is a face any more.
    """
    half = pow(2, -1, ORDER)
    scaled = with_card(HONEST.before, 0, mul(2, HONEST.before.a[0]), mul(2, HONEST.before.c[0]))
    scaled = with_card(scaled, 1, mul(half, HONEST.before.a[1]), mul(half, HONEST.before.c[1]))
    after = remask(HONEST.key, scaled, range(SIZE), HONEST.factors)
    assert unmask(after, HONEST.joint_secret) == [None, None, *range(2, SIZE)]

    proof = prove_with_fitted_matrix(replace(HONEST, after=after), scales=[half, 2, 1, 1, 1])
    spoilt = replace(HONEST, after=after, proof=proof)
    with monkeypatch.context() as weakened:
        weakened.setattr(shuffle, "_draw_weights", draw_weights_before_commitment)
        spoilt.verify()
        HONEST.proved().verify()  # the weakened verifier takes honest proofs as well

    assert refusal(spoilt) == "shuffle-proof"
    assert refusal(replace(spoilt, permutation=tuple(range(SIZE))).proved()) == "shuffle-proof"


def draw_weights_before_commitment(transcript: Transcript, permutation: tuple[Point, ...]) -> list[int]:
    """The real function with its two lines exchanged."""
    weights = transcript.challenges("weights", len(permutation))
    transcript.absorb_points("permutation", permutation)
    return weights


def prove_with_fitted_matrix(claim: ProvedShuffle, scales: list[int]) -> bytes:
    """A proof for ``after[i] = before[i] / scales[i]`` whose matrix is chosen once the weights are known.

    Row i of the matrix has to sum to 1 and to turn the weights u into ``scales[i] * u_i``: two equations, and its
    entries in columns 0 and 1 are two unknowns.
    """
    randomness = Random(6).randbytes
    transcript = shuffle._statement_transcript(claim.context, claim.key, claim.before, claim.after)
    u = transcript.fork().challenges("weights", SIZE)
    moved = [scale * weight % ORDER for scale, weight in zip(scales, u, strict=True)]
    second = [(weight - u[0]) * pow(u[1] - u[0], -1, ORDER) % ORDER for weight in moved]
    columns = [[1 - entry for entry in second], second, *([0] * SIZE for _ in range(SIZE - 2))]

    rho = [random_scalar(randomness) for _ in range(SIZE)]
    slots = generators(SIZE).slots
    commitment = tuple(add(mul_base(r), multi_mul(column, slots)) for r, column in zip(rho, columns, strict=True))
    draw_weights_before_commitment(transcript, commitment)
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


# Proofs that would give the permutation away


def stuck_nonces(secrets: bytes, randomness: Randomness, statement: Transcript | bytes, count: int) -> list[int]:
    """What a prover without hedging draws from a source that always gives the same."""
    del secrets, statement
    return [random_scalar(randomness) for _ in range(count)]


def stuck_source(size: int) -> bytes:
    return b"\x07" * size


def rewound_source() -> Randomness:
    """As in a machine restored from a copy: good bytes, but for the second time."""
    return Random(7).randbytes


def prove_twice(claim: ProvedShuffle) -> tuple[ProvedShuffle, ProvedShuffle]:
    """The same shuffle, proved in two contexts with the same bytes of randomness."""
    first = replace(claim, context=b"deal 1").proved(seed=7)
    second = replace(claim, context=b"deal 2").proved(seed=7)
    first.verify()
    second.verify()
    return first, second


def read_permutation_from_repeated_nonces(first: ProvedShuffle, second: ProvedShuffle) -> list[int | None]:
    """Two answers from one nonce differ by x u'_i - x* u*_i, and there are only N candidates for that."""
    one, other = (decode_shuffle_proof(proved.proof, SIZE) for proved in (first, second))
    u, v = public_weights(first), public_weights(second)
    candidates = {
        (one.challenge * u[position] - other.challenge * v[position]) % ORDER: position for position in range(SIZE)
    }
    differences = zip(one.responses.weights, other.responses.weights, strict=True)
    return [candidates.get((a - b) % ORDER) for a, b in differences]


def public_weights(proved: ProvedShuffle) -> list[int]:
    transcript = shuffle._statement_transcript(proved.context, proved.key, proved.before, proved.after)
    return shuffle._draw_weights(transcript, decode_shuffle_proof(proved.proof, SIZE).commitments.permutation)


def test_repeated_nonces_would_tell_the_permutation(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as weakened:
        weakened.setattr(shuffle, "hedged_nonces", stuck_nonces)
        read = read_permutation_from_repeated_nonces(*prove_twice(HONEST))
    assert read == list(HONEST.permutation)

    assert read_permutation_from_repeated_nonces(*prove_twice(HONEST)) == [None] * SIZE


def common_differences(lefts: Iterable[Point], rights: tuple[Point, ...]) -> int:
    """How often the most frequent difference of a left and a right point occurs."""
    return max(Counter(sub(left, right) for left in lefts for right in rights).values())


def test_equal_factors_or_blindings_would_tell_the_permutation(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one factor for all cards, C'_i - C_p(i) is r Y for all of them; with one blinding, c_p(i) - H_i is rho B."""

    def differences() -> tuple[int, int]:
        after, proof = prove_shuffle(context=b"", key=HONEST.key, deck=HONEST.before, randomness=stuck_source)
        commitment = decode_shuffle_proof(proof, SIZE).commitments.permutation
        return common_differences(after.c, HONEST.before.c), common_differences(commitment, generators(SIZE).slots)

    with monkeypatch.context() as weakened:
        weakened.setattr(shuffle, "hedged_nonces", stuck_nonces)
        assert differences() == (SIZE, SIZE)

    assert differences() == (1, 1)


def test_rewound_randomness_repeats_nothing_in_another_statement() -> None:
    """All but the permutation itself is drawn with the statement mixed in."""
    deck, other_deck = HONEST.before, HONEST.after
    sent = [
        fields_of(*prove_shuffle(context=context, key=key, deck=cards, randomness=rewound_source()))
        for context, key, cards in (
            (b"deal 1", HONEST.key, deck),
            (b"deal 2", HONEST.key, deck),
            (b"deal 1", mul_base(8), deck),
            (b"deal 1", HONEST.key, other_deck),
        )
    ]
    assert len(set().union(*sent)) == sum(len(fields) for fields in sent)


def test_rewound_randomness_repeats_nothing_with_other_secrets() -> None:
    claims = (HONEST, replace(HONEST, permutation=HONEST.permutation[::-1]), replace(HONEST, factors=(1, 2, 3, 4, 5)))
    sent = [fields_of(claim.after, claim.proved(seed=7).proof) - set(claim.after.a + claim.after.c) for claim in claims]
    assert len(set().union(*sent)) == sum(len(fields) for fields in sent)


def fields_of(after: Deck, proof: bytes) -> set[bytes]:
    fields = [*after.a, *after.c, *(proof[at : at + 32] for at in range(0, len(proof), 32))]
    assert len(set(fields)) == len(fields), "a field occurs twice in one message"
    return set(fields)


# Permutations that are not random


def test_one_honest_shuffle_is_enough() -> None:
    """A biased or seeded permutation of another seat, before or after ours, leaves all orders equally likely."""
    cheater = (2, 0, 3, 1)
    before_ours = Counter(tuple(cheater[position] for position in ours) for ours in permutations(range(4)))
    after_ours = Counter(tuple(ours[position] for position in cheater) for ours in permutations(range(4)))
    assert before_ours == after_ours == Counter(permutations(range(4)))
