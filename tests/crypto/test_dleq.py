"""Equal logarithms: the vectors of RFC 9497, and what the proofs in play hold and refuse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.crypto import dleq, linear
from hocp2p.crypto.dleq import Rfc9497
from hocp2p.crypto.group import (
    BASE,
    IDENTITY,
    ORDER,
    Point,
    add,
    decode_point,
    decode_scalar,
    encode_scalar,
    hash_to_point,
    hash_to_scalar,
    mul,
    mul_base,
    multi_mul,
    neg,
    sub,
)
from hocp2p.crypto.linear import Relation
from hocp2p.crypto.transcript import Transcript, statement
from hocp2p.errors import CryptoError
from tests.support import rfc_vectors
from tests.support.sources import seeded

SECRET = 0xC0FFEE
KEY = mul_base(SECRET)
D = hash_to_point("test", b"some point")


def code_of(call: object, *arguments: object) -> str:
    assert callable(call)
    with pytest.raises(CryptoError) as caught:
        call(*arguments)
    return caught.value.code


# RFC 9497


@pytest.mark.parametrize("vector", rfc_vectors.VOPRF_VECTORS)
def test_rfc_9497(vector: dict[str, list[str]]) -> None:
    secret, key = (
        decode_scalar(bytes.fromhex(rfc_vectors.VOPRF_SCALAR)),
        decode_point(bytes.fromhex(rfc_vectors.VOPRF_KEY)),
    )
    inputs = [decode_point(bytes.fromhex(text)) for text in vector["blinded"]]
    outputs = [decode_point(bytes.fromhex(text)) for text in vector["evaluated"]]
    nonce, proof = decode_scalar(bytes.fromhex(vector["nonce"][0])), bytes.fromhex(vector["proof"][0])
    for text, blind, blinded in zip(vector["input"], vector["blind"], inputs, strict=True):
        element = hash_to_point(b"HashToGroup-" + Rfc9497.CONTEXT, bytes.fromhex(text))
        assert mul(decode_scalar(bytes.fromhex(blind)), element) == blinded
    assert mul_base(secret) == key
    assert [mul(secret, point) for point in inputs] == outputs
    assert Rfc9497().prove(secret, key, inputs, outputs, nonce) == proof
    Rfc9497().verify(key, inputs, outputs, proof)
    assert code_of(Rfc9497().verify, add(key, D), inputs, outputs, proof) == "bad-proof"
    assert code_of(Rfc9497().verify, key, inputs, [add(outputs[0], D), *outputs[1:]], proof) == "bad-proof"


def test_rfc_9497_key_derivation_uses_the_same_hash() -> None:
    info = bytes.fromhex(rfc_vectors.VOPRF_KEY_INFO)
    data = bytes.fromhex(rfc_vectors.VOPRF_SEED) + len(info).to_bytes(2, "big") + info + b"\0"
    secret = hash_to_scalar(b"DeriveKeyPair" + Rfc9497.CONTEXT, data)
    assert encode_scalar(secret).hex() == rfc_vectors.VOPRF_SCALAR


# In play


@dataclass(frozen=True)
class Claim:
    """A statement with its proof, to be verified whole or changed in one part."""

    key: Point
    inputs: tuple[Point, ...]
    outputs: tuple[Point, ...]
    proof: bytes = b""
    context: bytes = b"deal 1"

    def transcript(self) -> Transcript:
        return statement("test", self.context, 0)

    def proved(self, secret: int = SECRET) -> Claim:
        proof = dleq.prove(self.transcript(), secret, self.key, self.inputs, self.outputs, seeded(1))
        return replace(self, proof=proof)

    def verify(self) -> None:
        dleq.verify(self.transcript(), self.key, self.inputs, self.outputs, self.proof, "refused")


def claim_of(size: int) -> Claim:
    inputs = tuple(hash_to_point("test", bytes([index])) for index in range(size))
    return Claim(KEY, inputs, tuple(mul(SECRET, point) for point in inputs))


@settings(max_examples=15, deadline=None)
@given(st.integers(1, ORDER - 1), st.lists(st.binary(max_size=3), min_size=1, max_size=5))
def test_true_claims_hold(secret: int, names: list[bytes]) -> None:
    inputs = tuple(hash_to_point("test", name) for name in names)
    claim = Claim(mul_base(secret), inputs, tuple(mul(secret, point) for point in inputs)).proved(secret)
    assert len(claim.proof) == dleq.PROOF_BYTES
    claim.verify()


@pytest.mark.parametrize("size", [1, 2, 5])
def test_every_part_of_the_claim_is_bound(size: int) -> None:
    claim = claim_of(size).proved()
    claim.verify()
    for changed in (
        replace(claim, key=add(KEY, D)),
        replace(claim, inputs=(add(claim.inputs[0], D), *claim.inputs[1:])),
        replace(claim, outputs=(*claim.outputs[:-1], add(claim.outputs[-1], D))),
        replace(claim, inputs=(D, *claim.inputs), outputs=(mul(SECRET, D), *claim.outputs)),
        replace(claim, context=b"deal 2"),
        replace(claim, proof=encode_scalar(1) + claim.proof[32:]),
        replace(claim, proof=claim.proof[:32] + encode_scalar(1)),
        replace(claim, proof=claim.proof[32:] + claim.proof[:32]),
    ):
        assert code_of(changed.verify) == "refused"


def test_order_and_pairing_are_bound() -> None:
    claim = claim_of(3).proved()
    assert code_of(replace(claim, inputs=claim.inputs[::-1]).verify) == "refused"
    assert code_of(replace(claim, inputs=claim.inputs[::-1], outputs=claim.outputs[::-1]).verify) == "refused"


def test_false_claims_do_not_hold_even_where_errors_cancel() -> None:
    """R-059."""
    true = claim_of(3)
    one, two, three = true.outputs
    for outputs in (
        (add(one, D), two, three),
        (add(one, D), add(two, neg(D)), three),
        (one, add(two, D), add(three, neg(D))),
        (IDENTITY, IDENTITY, IDENTITY),
        (two, one, three),
    ):
        assert code_of(replace(true, outputs=outputs).proved().verify) == "refused"


@pytest.mark.parametrize("side", ["inputs", "outputs"])
def test_errors_fitted_to_the_weights_change_them(side: str) -> None:
    """Errors that cancel under the weights of the true claim: the weights hang on both vectors, so they are others.

    R-059.
    """
    true = claim_of(3)
    first, second, _ = dleq._weights(true.transcript(), true.key, true.inputs, true.outputs)
    one, two, three = true.inputs if side == "inputs" else true.outputs
    spoilt = (add(one, mul(second, D)), add(two, mul(-first, D)), three)
    claim = replace(true, inputs=spoilt) if side == "inputs" else replace(true, outputs=spoilt)
    assert code_of(claim.proved().verify) == "refused"


def test_a_key_fitted_to_the_weights_changes_them() -> None:
    """Two outputs with different factors have no common logarithm, but their sum has one where the inputs are known."""
    factors, logs = (3, 4), (SECRET, SECRET + 1)
    inputs = tuple(mul_base(factor) for factor in factors)
    outputs = tuple(mul(log, point) for log, point in zip(logs, inputs, strict=True))
    claim = Claim(KEY, inputs, outputs)
    weights = dleq._weights(claim.transcript(), KEY, inputs, outputs)
    weighted = [weight * factor for weight, factor in zip(weights, factors, strict=True)]
    secret = sum(w * log for w, log in zip(weighted, logs, strict=True)) * pow(sum(weighted), -1, ORDER) % ORDER
    assert multi_mul(weights, outputs) == mul(secret, multi_mul(weights, inputs))
    assert code_of(replace(claim, key=mul_base(secret)).proved(secret).verify) == "refused"


def test_another_secret_for_a_key_does_not_hold() -> None:
    other = SECRET + 1
    claim = claim_of(2)
    foreign = replace(claim, outputs=tuple(mul(other, point) for point in claim.inputs)).proved(other)
    assert code_of(foreign.verify) == "refused"
    replace(foreign, key=mul_base(other)).proved(other).verify()


@pytest.mark.parametrize("bad", [ORDER, ORDER + 1, 2**255, 2**256 - 1])
def test_scalars_of_a_proof_are_canonical(bad: int) -> None:
    """R-058."""
    claim = claim_of(1).proved()
    field = bad.to_bytes(32, "little")
    assert code_of(replace(claim, proof=field + claim.proof[32:]).verify) == "bad-scalar"
    assert code_of(replace(claim, proof=claim.proof[:32] + field).verify) == "bad-scalar"
    for at in (0, 32):
        shifted = int.from_bytes(claim.proof[at : at + 32], "little") + ORDER
        aliased = claim.proof[:at] + shifted.to_bytes(32, "little") + claim.proof[at + 32 :]
        assert code_of(replace(claim, proof=aliased).verify) == "bad-scalar"


def test_lengths_are_exact() -> None:
    """R-058."""
    claim = claim_of(2).proved()
    for proof in (b"", claim.proof[:-1], claim.proof + b"\0", claim.proof + bytes(32)):
        assert code_of(replace(claim, proof=proof).verify) == "bad-length"
    assert code_of(replace(claim, inputs=claim.inputs[:1]).verify) == "bad-length"
    assert code_of(replace(claim, outputs=claim.outputs[:1]).verify) == "bad-length"
    assert code_of(Claim(KEY, (), (), claim.proof).verify) == "bad-length"


def test_two_proofs_of_one_claim_share_no_nonce() -> None:
    claim = claim_of(2)
    proofs = [
        dleq.prove(claim.transcript(), SECRET, KEY, claim.inputs, claim.outputs, seeded(seed)) for seed in range(5)
    ]
    assert len({proof[:32] for proof in proofs}) == 5


# Linear relations in general


def test_a_relation_made_to_fit_its_challenge() -> None:
    """Were the images not hashed: announce T, take the challenge c of it, and claim (T - s B) / c. Nobody knows its
    logarithm, where T is some point."""

    def challenge_without_images(commitments: Sequence[Point]) -> int:
        transcript = Transcript("test")
        transcript.absorb_points("bases", (BASE,))
        transcript.absorb_points("commitments", commitments)
        return transcript.challenge("challenge")

    response = 5
    challenge = challenge_without_images([D])
    image = mul(pow(challenge, -1, ORDER), sub(D, mul_base(response)))
    relation = Relation(((BASE,),), (image,))
    proof = encode_scalar(challenge) + encode_scalar(response)
    linear.check(relation, proof, challenge_without_images, "refused")  # the weakened verifier is deceived

    hashed_first = Transcript("test")
    Relation(((BASE,),), (BASE,)).absorb_into(hashed_first)  # the relation that the cheat starts from
    hashed_first.absorb_points("commitments", (D,))
    for fitted in (challenge, hashed_first.challenge("challenge")):
        image = mul(pow(fitted, -1, ORDER), sub(D, mul_base(response)))
        proof = encode_scalar(fitted) + encode_scalar(response)
        assert code_of(linear.verify, Transcript("test"), Relation(((BASE,),), (image,)), proof, "refused") == "refused"


def test_bases_made_to_fit_their_challenge() -> None:
    """The same with a base: s X = T - c Y is solved by X = (T - c Y) / s."""
    hashed_first = Transcript("test")
    Relation(((BASE,),), (KEY,)).absorb_into(hashed_first)
    hashed_first.absorb_points("commitments", (D,))
    challenge, response = hashed_first.challenge("challenge"), 5
    base = mul(pow(response, -1, ORDER), sub(D, mul(challenge, KEY)))
    assert add(mul(response, base), mul(challenge, KEY)) == D
    proof = encode_scalar(challenge) + encode_scalar(response)
    assert code_of(linear.verify, Transcript("test"), Relation(((base,),), (KEY,)), proof, "refused") == "refused"


def test_two_secrets_in_one_relation() -> None:
    relation = Relation(((BASE, D), (IDENTITY, BASE)), (add(mul_base(3), mul(4, D)), mul_base(4)))
    proof = linear.prove(Transcript("test"), relation, (3, 4), seeded(1))
    linear.verify(Transcript("test"), relation, proof, "refused")
    for false in (
        replace(relation, images=(relation.images[0], mul_base(5))),
        replace(relation, images=relation.images[::-1]),
        replace(relation, bases=relation.bases[::-1]),
        replace(relation, bases=((D, BASE), relation.bases[1])),
    ):
        assert code_of(linear.verify, Transcript("test"), false, proof, "refused") == "refused"
    lie = linear.prove(Transcript("test"), relation, (4, 3), seeded(1))
    assert code_of(linear.verify, Transcript("test"), relation, lie, "refused") == "refused"
    assert code_of(linear.verify, Transcript("other"), relation, proof, "refused") == "refused"
