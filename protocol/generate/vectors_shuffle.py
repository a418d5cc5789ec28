"""Vectors of the shuffle proof: small ones with everything on the way, one whole deck, and every way to be wrong."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.generate.not_holding import FACES
from protocol.generate.ristretto import B, L, decode, encode_scalars
from protocol.generate.shuffle import (
    Deck,
    Intermediates,
    decode_deck,
    prove_permutation,
    prove_shuffle,
    remask,
    verify_shuffle,
)
from protocol.generate.transcript import Stream, random_scalar
from protocol.generate.vector import Vector, flipped, spliced, vector

CONTEXT = b"shuffle vectors"


def _key() -> tuple[int, bytes]:
    secret = random_scalar(Stream("shuffle key"))
    return secret, bytes(secret * B)


def _masked(size: int) -> Deck:
    secret, _ = _key()
    return Deck([B] * size, [FACES[face] + secret * B for face in range(size)])


def _steps(steps: Intermediates) -> dict[str, bytes | list[bytes]]:
    return {
        "permutation": bytes(steps.permutation),
        "factors": [encode_scalars([each]) for each in steps.factors],
        "blindings": [encode_scalars([each]) for each in steps.blindings],
        "commitment": [bytes(each) for each in steps.commitment],
        "weights": [encode_scalars([each]) for each in steps.weights],
        "secrets": [encode_scalars([each]) for each in steps.secrets],
        "nonces": [encode_scalars([each]) for each in steps.nonces],
        "chain": [bytes(each) for each in steps.chain],
        "announcement": [bytes(each) for each in steps.announcement],
        "challenge": encode_scalars([steps.challenge]),
    }


def _verify(size: int, context: bytes, key: bytes, before: bytes, after: bytes, proof: bytes) -> None:
    verify_shuffle(context, decode(key), decode_deck(before, size), decode_deck(after, size), proof)


def honest(size: int) -> Vector:
    """A shuffle of the first faces, from pinned randomness, with everything on the way."""
    secret, key = _key()
    before = _masked(size)
    randomness = f"shuffle {size}"
    after, proof, steps = prove_shuffle(CONTEXT, secret * B, before, Stream(randomness))
    given = {"context": CONTEXT, "key": key, "before": bytes(before), "after": bytes(after), "proof": proof}
    return vector(
        f"{size} cards", lambda: _verify(size, *given.values()), None, size=size, randomness=randomness, **given,
        intermediates=_steps(steps),
    )  # fmt: skip


def small() -> list[Vector]:
    """One, three and four cards, honest; three cards, wrong."""
    return [honest(1), honest(3), honest(4), *_wrong()]


def whole() -> list[Vector]:
    """52 cards, honest, without what is on the way."""
    found = honest(52)
    del found["intermediates"]
    return [found]


def _wrong() -> Iterator[Vector]:
    size = 3
    secret, key = _key()
    before = _masked(size)
    after, proof, steps = prove_shuffle(CONTEXT, secret * B, before, Stream("shuffle 3"))
    right = {"context": CONTEXT, "key": key, "before": bytes(before), "after": bytes(after), "proof": proof}
    scalars = 64 * size
    other = bytes(5 * B)

    def wrong(name: str, code: str, **changed: bytes) -> Vector:
        given = right | changed
        return vector(name, lambda: _verify(size, *given.values()), code, size=size, **given)

    fields = {
        "first commitment": 0, "last commitment": 32 * (size - 1), "first link": 32 * size,
        "last link": 32 * (2 * size - 1),
    }  # fmt: skip
    for name, at in fields.items():
        yield wrong(f"{name} is another point", "shuffle-proof", proof=spliced(proof, at, other))
        yield wrong(f"{name} is the identity", "identity-point", proof=spliced(proof, at, bytes(32)))
        yield wrong(f"{name} with bit 255", "bad-point", proof=flipped(proof, at + 31, 0x80))
    names = ["challenge", "total", "product", "combination", "factor", "first link", "second link", "third link"]
    names += [f"weight of slot {slot}" for slot in range(size)]
    for index, name in enumerate(names):
        at = scalars + 32 * index
        value = int.from_bytes(proof[at : at + 32], "little")
        plus = encode_scalars([value + 1])
        yield wrong(
            f"answer {name} plus one" if index else "challenge plus one",
            "shuffle-proof",
            proof=spliced(proof, at, plus),
        )
        order = (value + L).to_bytes(32, "little")
        yield wrong(f"{name}, plus the order", "bad-scalar", proof=spliced(proof, at, order))
    yield wrong("a scalar with bit 255", "bad-scalar", proof=flipped(proof, scalars + 31, 0x80))
    yield wrong("proof one byte short", "bad-length", proof=proof[:-1])
    yield wrong("proof one byte long", "bad-length", proof=proof + b"\0")
    yield wrong("proof of one card more", "bad-length", proof=proof + bytes(128))
    yield wrong("empty proof", "bad-length", proof=b"")
    yield wrong("under another key", "shuffle-proof", key=other)
    yield wrong("in another context", "shuffle-proof", context=CONTEXT + b"!")
    yield wrong("of another deck before", "shuffle-proof", before=bytes(Deck(before.a, before.c[::-1])))
    deck = bytes(after)
    yield wrong("deck one card short", "bad-length", after=deck[:-64])
    yield wrong("deck one byte long", "bad-length", after=deck + b"\0")
    yield wrong("a card's A is the identity", "identity-point", after=spliced(deck, 0, bytes(32)))
    yield wrong("a card's C is the identity", "identity-point", after=spliced(deck, 32 * size, bytes(32)))
    yield wrong("a card's A with bit 255", "bad-point", after=flipped(deck, 31, 0x80))
    yield wrong("a card's A is another point", "shuffle-proof", after=spliced(deck, 0, other))
    yield wrong("a card's C is another point", "shuffle-proof", after=spliced(deck, 32 * size, other))
    swapped = Deck([after.a[1], after.a[0], after.a[2]], [after.c[1], after.c[0], after.c[2]])
    yield wrong("two cards change places after the proof", "shuffle-proof", after=bytes(swapped))
    for name, lie in _lies(secret, before, steps).items():
        forged, _ = prove_permutation(
            CONTEXT, secret * B, before, lie, steps.permutation, steps.factors, Stream("shuffle lie")
        )
        yield wrong(f"{name}, proven as if it were none", "shuffle-proof", after=bytes(lie), proof=forged)


def _lies(secret: int, before: Deck, steps: Intermediates) -> dict[str, Deck]:
    """Decks that are no shuffle, for a prover who knows everything and runs the honest proof."""
    key = secret * B
    doubled = [steps.permutation[0], steps.permutation[0], *steps.permutation[2:]]
    true = remask(key, before, steps.permutation, steps.factors)
    return {
        "a card twice, another dropped": remask(key, before, doubled, steps.factors),
        "a card of another face": Deck(true.a, [true.c[0] + FACES[40] - FACES[0], *true.c[1:]]),
        "a card under another key": Deck(true.a, [true.c[0] + B, *true.c[1:]]),
        "a card masked unlike its factor": Deck([true.a[0] + B, *true.a[1:]], true.c),
        "the old deck as it was": Deck(before.a, before.c),
    }
