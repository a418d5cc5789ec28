"""The sampler is uniform: exactly where a source can be enumerated, and by a test of fit that notices a biased one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.crypto.permutation import random_below, random_permutation
from hocp2p.crypto.scheme import Randomness
from hocp2p.errors import LocalError

# Of a sum of squares with so many degrees of freedom, exceeded by a uniform sampler once in a thousand times.
CHI_SQUARE_23 = 49.73
CHI_SQUARE_51 = 87.97


class Script:
    """A source that gives prepared bytes and fails once they are used up."""

    def __init__(self, data: Iterable[int]) -> None:
        self.left = bytes(data)

    def __call__(self, size: int) -> bytes:
        assert size <= len(self.left), "more randomness taken than prepared"
        given, self.left = self.left[:size], self.left[size:]
        return given


def chi_square(counts: Counter[int] | Counter[tuple[int, ...]], cells: int) -> float:
    expected = counts.total() / cells
    missing = cells - len(counts)
    return sum((count - expected) ** 2 / expected for count in counts.values()) + missing * expected


# Numbers below a bound


@pytest.mark.parametrize("bound", range(2, 257))
def test_every_number_has_as_many_bytes(bound: int) -> None:
    given_numbers = Counter[int]()
    refused = 0
    for byte in range(256):
        source = Script([byte, 0])
        number = random_below(bound, source)
        if source.left:
            given_numbers[number] += 1
        else:
            refused += 1
    assert given_numbers == dict.fromkeys(range(bound), 256 // bound)
    assert refused == 256 % bound


@pytest.mark.parametrize("bound", [257, 1_000, 40_000, 65_536])
def test_every_number_has_as_many_pairs_of_bytes(bound: int) -> None:
    counts = Counter[int]()
    for pair in product(range(256), repeat=2):
        source = Script([*pair, 0, 0])
        number = random_below(bound, source)
        if source.left:
            counts[number] += 1
    assert counts == dict.fromkeys(range(bound), 65_536 // bound)


def test_refused_bytes_are_drawn_again() -> None:
    source = Script([255, 208, 207, 9])
    assert random_below(52, source) == 207 % 52
    assert source.left == b"\x09"


def test_one_choice_takes_no_randomness() -> None:
    assert random_below(1, Script([])) == 0


@pytest.mark.parametrize("bound", [0, -1])
def test_no_number_below_nothing(bound: int) -> None:
    with pytest.raises(ValueError, match="no number below"):
        random_below(bound, Script([0]))


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(lambda size: b"\xff" * size, id="stuck at a refused value"),
        pytest.param(lambda size: bytes(0 * size), id="nothing"),
        pytest.param(lambda size: bytes(size - 1), id="too short"),
        pytest.param(lambda size: bytes(size + 1), id="too long"),
    ],
)
def test_broken_source_is_noticed(source: Randomness) -> None:
    with pytest.raises(LocalError) as caught:
        random_permutation(52, source)
    assert caught.value.code == "bad-randomness"


# Permutations


@settings(deadline=None)
@given(size=st.integers(0, 60), seed=st.integers(0, 2**32))
def test_all_entries_stand_once(size: int, seed: int) -> None:
    assert sorted(random_permutation(size, Random(seed).randbytes)) == list(range(size))


@pytest.mark.parametrize("size", range(7))
def test_each_sequence_of_choices_is_another_permutation(size: int) -> None:
    """The choices are uniform and independent (above), so each permutation has the same chance: exactly 1 / size!."""
    choices = product(*(range(bound) for bound in range(size, 1, -1)))
    assert sorted(random_permutation(size, Script(choice)) for choice in choices) == list(permutations(range(size)))


def test_permutations_of_four_fit_the_uniform_distribution() -> None:
    """R-018."""
    assert chi_square(count_permutations(random_permutation), cells=24) < CHI_SQUARE_23


def test_the_test_of_fit_notices_the_usual_mistakes() -> None:
    def exchange_with_any(size: int, randomness: Randomness) -> tuple[int, ...]:
        order = list(range(size))
        for index in range(size):
            other = random_below(size, randomness)
            order[index], order[other] = order[other], order[index]
        return tuple(order)

    def plain_remainder(size: int, randomness: Randomness) -> tuple[int, ...]:
        order = list(range(size))
        for last in range(size - 1, 0, -1):
            other = (randomness(1)[0] & 15) % (last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    assert chi_square(count_permutations(exchange_with_any), cells=24) > 10 * CHI_SQUARE_23
    assert chi_square(count_permutations(plain_remainder), cells=24) > 2 * CHI_SQUARE_23


def count_permutations(sampler: Callable[[int, Randomness], tuple[int, ...]]) -> Counter[tuple[int, ...]]:
    randomness = Random(20).randbytes
    return Counter(sampler(4, randomness) for _ in range(24_000))


def test_each_card_comes_to_the_ends_and_the_middle_alike() -> None:
    randomness = Random(21).randbytes
    drawn = [random_permutation(52, randomness) for _ in range(5_200)]
    for slot in (0, 25, 51):
        assert chi_square(Counter(order[slot] for order in drawn), cells=52) < CHI_SQUARE_51
