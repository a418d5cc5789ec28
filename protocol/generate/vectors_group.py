"""Vectors of the ground floor: encodings of points and scalars, hashing, transcripts, signatures."""

from __future__ import annotations

from functools import partial

from protocol.generate import ed25519
from protocol.generate.faults import need
from protocol.generate.ristretto import (
    IDENTITY,
    B,
    L,
    P,
    decode,
    decode_scalars,
    encode_scalars,
    expand_message,
    from_uniform,
    hash_to_point,
    tag_of,
)
from protocol.generate.transcript import Stream, Transcript, hedged_nonces, random_permutation, random_scalar
from protocol.generate.vector import Vector, flipped, vector

_TWO_255 = 2**255

# RFC 9496, A.3: encodings to refuse, some of each reason.
RFC_BAD_POINTS = {
    "not canonical, all ones": "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "not canonical, below 2^255": "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "not canonical, P + 6": "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "not canonical, P": "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "negative, 1": "0100000000000000000000000000000000000000000000000000000000000000",
    "negative, large": "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "negative": "ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20",
    "no square": "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
    "no square, another": "4eac077a713c57b4f4397629a4145982c661f48044dd3f96427d40b147d9742f",
    "negative x y": "3eb858e78f5a7254d8c9731174a94f76755fd3941c0ac93735c07ba14579630e",
    "negative x y, another": "a45fdc55c76448c049a1ab33f17023edfb2be3581e9c7aade8a6125215e04220",
    "y is 0": "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}


def points() -> list[Vector]:
    """Decoding of points, the identity refused. ``multiple``: of the base point, 32 bytes, little-endian."""
    found = []
    for multiple in (1, 2, 3, 16, L - 1, 2**251 + 12345):
        data = bytes(multiple * B)
        name = f"base point times {multiple if multiple < 99 else hex(multiple)}"
        found.append(vector(name, partial(decode, data), None, hex=data, multiple=encode_scalars([multiple])))
    for name, text in RFC_BAD_POINTS.items():
        data = bytes.fromhex(text)
        found.append(vector(f"RFC 9496, {name}", partial(decode, data), "bad-point", hex=data))
    for name, code, data in (
        ("the identity", "identity-point", bytes(IDENTITY)),
        ("the identity with bit 255", "bad-point", flipped(bytes(32), 31, 0x80)),
        ("base point with bit 255", "bad-point", flipped(bytes(B), 31, 0x80)),
        ("base point plus P", "bad-point", (int.from_bytes(bytes(2 * B), "little") + P).to_bytes(33, "little")[:32]),
        ("one byte short", "bad-point", bytes(B)[:31]),
        ("one byte long", "bad-point", bytes(B) + b"\0"),
        ("base point of Ed25519, compressed", "bad-point", ed25519.compress(B)),
    ):
        found.append(vector(name, partial(decode, data), code, hex=data))
    return found


def scalars() -> list[Vector]:
    """Decoding of one scalar."""

    def one(data: bytes) -> None:
        need(len(data) == 32, "bad-scalar")
        decode_scalars(data)

    found = []
    for name, code, number in (
        ("0", None, 0), ("1", None, 1), ("the greatest", None, L - 1), ("the order", "bad-scalar", L),
        ("the order and 1", "bad-scalar", L + 1), ("1 with bit 255", "bad-scalar", _TWO_255 + 1),
        ("0 with bit 255", "bad-scalar", _TWO_255), ("2^252 more than the order", "bad-scalar", L + 2**252),
        ("all ones", "bad-scalar", 2**256 - 1),
    ):  # fmt: skip
        data = number.to_bytes(32, "little")
        found.append(vector(name, partial(one, data), code, hex=data))
    for name, data in (("one byte short", bytes(31)), ("one byte long", bytes(33))):
        found.append(vector(name, partial(one, data), "bad-scalar", hex=data))
    return found


def hashes() -> list[Vector]:
    """Hash to group: expansion, tag and point; the faces of the cards, the generators of the shuffle."""
    found = []
    for label, data in (("card", b""), ("test", b""), ("test", b"abc"), ("test", b"m" * 300)):
        uniform = expand_message(data, tag_of(label), 64)
        point = from_uniform(uniform)
        name = f"{label}, {len(data)} bytes"
        found.append(_hash(name, label, data) | {"tag": tag_of(label).hex(), "uniform": uniform.hex()})
        need(point == hash_to_point(label, data), "hash")
    found += [_hash(f"face {face}", "card", bytes([face])) for face in range(52)]
    found += [_hash(f"generator {index}", "gen", bytes([index])) for index in range(53)]
    return found


def _hash(name: str, label: str, data: bytes) -> Vector:
    return vector(name, lambda: None, None, label=label, data=data, point=bytes(hash_to_point(label, data)))


def transcripts() -> list[Vector]:
    """What a transcript gives after each step. Steps: ``absorb`` label hex, ``number`` label n, ``squeeze`` label,
    ``challenge`` label, ``challenges`` label count."""
    scripts: dict[str, list[list[str]]] = {
        "nothing absorbed": [["squeeze", "end"]],
        "squeezed twice": [["squeeze", "end"], ["squeeze", "end"]],
        "one frame": [["absorb", "data", "00"], ["squeeze", "end"]],
        "the same bytes, divided otherwise": [["absorb", "data0", ""], ["squeeze", "end"]],
        "an empty frame counts": [["absorb", "data", ""], ["squeeze", "end"]],
        "a number": [["number", "n", "258"], ["challenge", "c"]],
        "many challenges": [["challenges", "weights", "3"], ["challenge", "c"]],
        "no challenges at all still count": [["challenges", "weights", "0"], ["challenge", "c"]],
        "a long frame": [["absorb", "data", "ab" * 300], ["challenge", "c"]],
    }
    found = []
    for name, script in scripts.items():
        transcript, outputs = Transcript("test"), []
        for what, label, *argument in script:
            if what == "absorb":
                transcript.absorb(label, bytes.fromhex(argument[0]))
            elif what == "number":
                transcript.number(label, int(argument[0]))
            elif what == "squeeze":
                outputs.append(transcript.squeeze(label))
            elif what == "challenge":
                outputs.append(encode_scalars([transcript.challenge(label)]))
            else:
                outputs.append(encode_scalars(transcript.challenges(label, int(argument[0]))))
        found.append(vector(name, lambda: None, None, label="test", script=script, outputs=outputs))
    return found


def randomness() -> list[Vector]:
    """How pinned randomness becomes scalars, permutations and nonces, each from a fresh stream."""
    label = "randomness"
    transcript = Transcript("test")
    transcript.absorb("data", b"statement")
    return [
        vector("the stream", lambda: None, None, randomness=label, what="stream", output=Stream(label)(96)),
        vector("a scalar", lambda: None, None, randomness=label, what="scalar",
               output=encode_scalars([random_scalar(Stream(label))])),
        vector("a permutation of 52", lambda: None, None, randomness=label, what="permutation",
               output=bytes(random_permutation(52, Stream(label)))),
        vector("three nonces, for the transcript test with the frame data = statement, and the secrets 1, 2",
               lambda: None, None, randomness=label, what="nonces",
               output=encode_scalars(hedged_nonces(encode_scalars([1, 2]), Stream(label), transcript, 3))),
    ]  # fmt: skip


def signatures() -> list[Vector]:
    """Ed25519, strict: one signature for one message and key."""
    seed = Stream("signature")(32)
    key, message = ed25519.public_key(seed), b"hocp2p"
    signature = ed25519.sign(seed, message)
    order = int.from_bytes(signature[32:], "little") + L
    torsion = {
        "neutral": 1,
        "order 2": P - 1,
        "order 4": 0,
        "order 8": 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
    }
    cases = [
        ("valid", None, key, message, signature),
        ("another message", "bad-signature", key, b"hocp2q", signature),
        ("R altered", "bad-signature", key, message, flipped(signature, 0)),
        ("S altered", "bad-signature", key, message, flipped(signature, 32)),
        ("S plus the order", "bad-signature", key, message, signature[:32] + order.to_bytes(32, "little")),
        ("R with its sign bit turned", "bad-signature", key, message, flipped(signature, 31, 0x80)),
        ("under another key", "bad-signature", ed25519.public_key(bytes(32)), message, signature),
        ("key with its sign bit turned", "bad-signature", flipped(key, 31, 0x80), message, signature),
        ("one byte short", "bad-signature", key, message, signature[:63]),
        ("one byte long", "bad-signature", key, message, signature + b"\0"),
        ("key that is no point", "bad-signature", (2).to_bytes(32, "little"), message, signature),
        ("key of 31 bytes", "bad-signature", key[:31], message, signature),
    ]
    for name, y in torsion.items():
        forged = (1).to_bytes(32, "little") + bytes(32)
        cases.append((f"key of small order: {name}", "bad-signature", y.to_bytes(32, "little"), message, forged))
    cases.append(("key of small order, not canonical: P + 1", "bad-signature", (P + 1).to_bytes(32, "little"), message,
                  (1).to_bytes(32, "little") + bytes(32)))  # fmt: skip
    found = [
        vector(name, partial(ed25519.verify, *case), code, key=case[0], message=case[1], signature=case[2])
        for name, code, *case in cases
    ]
    found[0]["seed"] = seed.hex()
    return found
