"""What would tell a permutation to the other seats, and does not happen: repeated nonces, factors or blindings,
sources of randomness that are stuck or rewound, permutations that are not random.
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
from hocp2p.crypto.group import ORDER, Point, mul_base, random_scalar, sub
from hocp2p.crypto.masking import Deck
from hocp2p.crypto.scheme import Randomness
from hocp2p.crypto.shuffle import generators, prove_shuffle
from hocp2p.crypto.shuffle_proof import decode_shuffle_proof
from hocp2p.crypto.transcript import Transcript
from tests.support.shuffling import ProvedShuffle, make_shuffle

SIZE: Final = 5
HONEST: Final = make_shuffle(SIZE)


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
    """All but the permutation itself is drawn with the statement mixed in. (R-018.)"""
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
