"""Our group, hashes, transcripts, signatures and shuffles against the vectors, in both directions."""

from __future__ import annotations

import pytest

from hocp2p.crypto import shuffle
from hocp2p.crypto.group import (
    ORDER,
    decode_point,
    decode_scalar,
    encode_scalar,
    expand_message,
    hash_to_point,
    map_to_point,
    mul_base,
    random_scalar,
)
from hocp2p.crypto.identity import Identity, verify_signature
from hocp2p.crypto.masking import FACES, decode_deck, remask
from hocp2p.crypto.permutation import random_permutation
from hocp2p.crypto.shuffle import generators, prove_shuffle, verify_shuffle
from hocp2p.crypto.shuffle_proof import decode_shuffle_proof, encode_scalars
from hocp2p.crypto.transcript import Transcript, hedged_nonces
from protocol.generate.transcript import Stream
from tests.support.vectors import Vector, load, vectors, verdict


@vectors("points.json")
def test_points(vector: Vector) -> None:
    data = bytes.fromhex(vector["hex"])
    assert verdict(lambda: decode_point(data)) == vector["code"]
    if vector["code"] is None:
        assert mul_base(decode_scalar(bytes.fromhex(vector["multiple"]))) == data


@vectors("scalars.json")
def test_scalars(vector: Vector) -> None:
    data = bytes.fromhex(vector["hex"])
    assert verdict(lambda: decode_scalar(data)) == vector["code"]
    if vector["code"] is None:
        assert encode_scalar(decode_scalar(data)) == data


@vectors("hash-to-group.json")
def test_hash_to_group(vector: Vector) -> None:
    data = bytes.fromhex(vector["data"])
    assert hash_to_point(vector["label"], data).hex() == vector["point"]
    if "tag" in vector:
        uniform = expand_message(data, bytes.fromhex(vector["tag"]), 64)
        assert uniform.hex() == vector["uniform"]
        assert map_to_point(uniform).hex() == vector["point"]


def test_faces_and_generators_are_those_of_the_vectors() -> None:
    points = {each["name"]: each["point"] for each in load("hash-to-group.json")["vectors"]}
    setup = generators(52)
    assert [points[f"face {face}"] for face in range(52)] == [point.hex() for point in FACES]
    assert [points[f"generator {index}"] for index in range(53)] == [p.hex() for p in (setup.base, *setup.slots)]


@vectors("transcripts.json")
def test_transcripts(vector: Vector) -> None:
    transcript, outputs = Transcript(vector["label"]), []
    for what, label, *argument in vector["script"]:
        if what == "absorb":
            transcript.absorb(label, bytes.fromhex(argument[0]))
        elif what == "number":
            transcript.absorb_int(label, int(argument[0]))
        elif what == "squeeze":
            outputs.append(transcript.squeeze(label))
        elif what == "challenge":
            outputs.append(encode_scalar(transcript.challenge(label)))
        else:
            outputs.append(encode_scalars(transcript.challenges(label, int(argument[0]))))
    assert [output.hex() for output in outputs] == vector["outputs"]


@vectors("randomness.json")
def test_randomness(vector: Vector) -> None:
    stream = Stream(vector["randomness"])
    if vector["what"] == "stream":
        output = stream(96)
    elif vector["what"] == "scalar":
        output = encode_scalar(random_scalar(stream))
    elif vector["what"] == "permutation":
        output = bytes(random_permutation(52, stream))
    else:
        transcript = Transcript("test")
        transcript.absorb("data", b"statement")
        output = encode_scalars(hedged_nonces(encode_scalars([1, 2]), stream, transcript, 3))
    assert output.hex() == vector["output"]


@vectors("signatures.json")
def test_signatures(vector: Vector) -> None:
    key, message, signature = (bytes.fromhex(vector[name]) for name in ("key", "message", "signature"))
    assert verdict(lambda: verify_signature(key, message, signature)) == vector["code"]
    if "seed" in vector:
        identity = Identity.from_seed(bytes.fromhex(vector["seed"]))
        assert (identity.public, identity.sign(message)) == (key, signature)


@vectors("shuffles.json", "shuffle-52.json")
def test_shuffles(vector: Vector) -> None:
    size = vector["size"]
    context, key, before, after, proof = (
        bytes.fromhex(vector[name]) for name in ("context", "key", "before", "after", "proof")
    )
    deck = decode_deck(before, size)

    def verify() -> None:
        verify_shuffle(context=context, key=decode_point(key), before=deck, after=decode_deck(after, size), proof=proof)

    assert verdict(verify) == vector["code"]
    if "randomness" in vector:
        made = prove_shuffle(context=context, key=decode_point(key), deck=deck, randomness=Stream(vector["randomness"]))
        assert (made[0].encode(), made[1]) == (after, proof)


@pytest.mark.parametrize("vector", [each for each in load("shuffles.json")["vectors"] if "intermediates" in each])
def test_what_is_on_the_way_to_a_shuffle(vector: Vector) -> None:
    """Every value that the proof goes through, made by our own functions one after the other."""
    size, steps = vector["size"], vector["intermediates"]
    key = decode_point(bytes.fromhex(vector["key"]))
    before, after = (decode_deck(bytes.fromhex(vector[name]), size) for name in ("before", "after"))
    permutation = tuple(bytes.fromhex(steps["permutation"]))
    factors, blindings, weights, secrets, nonces = (
        [decode_scalar(bytes.fromhex(each)) for each in steps[name]]
        for name in ("factors", "blindings", "weights", "secrets", "nonces")
    )
    assert remask(key, before, permutation, factors) == after

    proof = decode_shuffle_proof(bytes.fromhex(vector["proof"]), size)
    assert [point.hex() for point in proof.commitments.permutation] == steps["commitment"]
    assert [point.hex() for point in proof.commitments.chain] == steps["chain"]
    assert encode_scalar(proof.challenge).hex() == steps["challenge"]
    responses = list(proof.responses.scalars())
    assert responses == [
        (nonce + proof.challenge * secret) % ORDER for nonce, secret in zip(nonces, secrets, strict=True)
    ]
    assert secrets[0] == sum(blindings) % ORDER
    assert secrets[-size:] == [weights[old] for old in permutation]

    parts = vars(shuffle)
    transcript = parts["_statement_transcript"](bytes.fromhex(vector["context"]), key, before, after)
    assert parts["_draw_weights"](transcript, proof.commitments.permutation) == weights
    announcement = parts["_sums"](key, after, proof.commitments.chain, parts["Responses"].of(nonces))
    assert [point.hex() for point in announcement] == steps["announcement"]
    assert parts["_draw_challenge"](transcript, proof.commitments.chain, announcement) == proof.challenge
