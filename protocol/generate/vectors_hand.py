"""Vectors of what seats say about their hands, in the deal of two (``deal-2-seats.json``): openings, not holding."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from protocol.generate.not_holding import FACES, Cards, claim, prove_not_holding
from protocol.generate.proofs import prove_linear
from protocol.generate.ristretto import IDENTITY, B, L, Point, combine, encode_points
from protocol.generate.transcript import Stream
from protocol.generate.vector import Vector, flipped, spliced, vector
from protocol.generate.vectors_deal import dealt

PLACE = (4).to_bytes(4, "big") + (9).to_bytes(4, "big") + b"\x2b" * 32
"""The binding of some step."""


def openings() -> list[Vector]:
    """Positions of seat 1 opened as faces."""
    deal = dealt("deal 2", 2, 1)
    table, player = deal.table, deal.players[1]
    hand = player.faces()
    own = sorted(hand)
    player.randomness = Stream("openings")
    one, three = own[:1], own[:3]
    proof = player.open(one, [hand[p] for p in one], PLACE)
    batch = player.open(three, [hand[p] for p in three], PLACE)
    theirs = next(position for position, owner in enumerate(table.owners) if owner == 0)
    asleep = 51
    face, faces = [hand[own[0]]], [hand[p] for p in three]

    def case(
        name: str, code: str | None, positions: Sequence[int], named: Sequence[int], given: bytes, place: bytes = PLACE
    ) -> Vector:
        return vector(
            name,
            lambda: table.verify_opening(1, positions, named, given, place),
            code,
            deal="a deal of 2",
            seat=1,
            positions=list(positions),
            faces=list(named),
            place=place,
            proof=given,
        )

    wrong_face = [(face[0] + 1) % 52]
    lie = player.open(one, wrong_face, PLACE)
    return [
        case("one card", None, one, face, proof) | {"randomness": "openings"},
        case("three cards together", None, three, faces, batch),
        case("another face", "opening-proof", one, wrong_face, proof),
        case("another face, proven as if it were this", "opening-proof", one, wrong_face, lie),
        case("two faces exchanged", "opening-proof", three, [faces[1], faces[0], faces[2]], batch),
        case("another position of the hand", "opening-proof", own[1:2], face, proof),
        case("at another step", "opening-proof", one, face, proof, flipped(PLACE, 7)),
        case("after another history", "opening-proof", one, face, proof, flipped(PLACE, -1)),
        case("two of three", "opening-proof", three[:2], faces[:2], batch),
        case("challenge altered", "opening-proof", one, face, flipped(proof, 0)),
        case("answer altered", "opening-proof", one, face, flipped(proof, 32)),
        case("proof of zeros", "opening-proof", one, face, bytes(64)),
        case("answer plus the order", "bad-scalar", one, face, _plus_order(proof, 32)),
        case("one byte short", "bad-length", one, face, proof[:-1]),
        case("one byte long", "bad-length", one, face, proof + b"\0"),
        case("no proof", "bad-length", one, face, b""),
        case("another seat's position", "bad-positions", [theirs], face, proof),
        case("a sleeping position", "bad-positions", [asleep], face, proof),
        case("a position twice", "bad-positions", one * 2, [face[0], wrong_face[0]], proof),
        case("no position", "bad-positions", [], [], proof),
        case("a face twice", "bad-faces", own[:2], face * 2, proof),
        case("more faces than positions", "bad-faces", one, face + wrong_face, proof),
        case("face 52", "bad-faces", one, [52], proof),
    ]


def _plus_order(data: bytes, at: int) -> bytes:
    return spliced(data, at, (int.from_bytes(data[at : at + 32], "little") + L).to_bytes(32, "little"))


def not_holding() -> list[Vector]:
    """Positions of seat 1 proven to be none of some faces."""
    deal = dealt("deal 2", 2, 1)
    table, player = deal.table, deal.players[1]
    hand = player.faces()
    own = sorted(hand)
    player.randomness = Stream("not holding")
    absent = [face for face in range(52) if face not in hand.values()][:4]
    held = sorted(hand.values())[0]
    count = len(own)
    right = player.not_holding(own, absent, PLACE)
    single = player.not_holding(own[:1], absent[:1], PLACE)

    def case(
        name: str, code: str | None, positions: Sequence[int], faces: Sequence[int], given: bytes, place: bytes = PLACE
    ) -> Vector:
        return vector(
            name,
            lambda: table.verify_not_holding(1, positions, faces, given, place),
            code,
            deal="a deal of 2",
            seat=1,
            positions=list(positions),
            faces=list(faces),
            place=place,
            proof=given,
        )

    def altered(name: str, code: str, given: bytes) -> Vector:
        return case(name, code, own, absent, given)

    v, u, end = 32, 32 * (1 + count), len(right) - 96
    cards = table.cards(1, own)
    asked = sorted([held, *absent[:3]])
    secret = player.secret
    honest_lie = prove_not_holding(
        table.context, 1, PLACE, secret, cards, [hand[p] for p in own], asked, Stream("not holding lie")
    )
    hides = _forged(table.context, cards, own, asked, secret, lambda p, b: (b + (hand[p] == held)) * FACES[hand[p]])
    zero = _forged(table.context, cards, own, absent, secret, lambda p, b: b * FACES[hand[p]], blinding=0)
    order = b"".join(sorted(_point(right, v + 32 * i) for i in range(count)))
    return [
        case("fifteen cards, four faces", None, own, absent, right) | {"randomness": "not holding"},
        case("one card, one face", None, own[:1], absent[:1], single),
        case("no faces: nothing to prove", None, own, [], b""),
        case("no positions: nothing to prove", None, [], absent, b""),
        case("holds a face and proves honestly", "holding", own, asked, honest_lie),
        case("holds a face and blinds it otherwise", "not-holding-proof", own, asked, hides),
        case("blinded with zero", "identity-point", own, absent, zero),
        altered("N is another point", "not-holding-proof", spliced(right, 0, bytes(9 * B))),
        altered("a V is another point", "not-holding-proof", spliced(right, v, bytes(9 * B))),
        altered("a U is another point", "not-holding-proof", spliced(right, u, bytes(9 * B))),
        altered("V in another order", "not-holding-proof", spliced(right, v, order)),
        altered("challenge altered", "not-holding-proof", flipped(right, end)),
        altered("first answer altered", "not-holding-proof", flipped(right, end + 32)),
        altered("second answer altered", "not-holding-proof", flipped(right, end + 64)),
        altered("N is the identity", "identity-point", spliced(right, 0, bytes(32))),
        altered("a V with bit 255", "bad-point", flipped(right, v + 31, 0x80)),
        altered("a U with bit 255", "bad-point", flipped(right, u + 31, 0x80)),
        altered("challenge plus the order", "bad-scalar", _plus_order(right, end)),
        altered("one byte short", "bad-length", right[:-1]),
        altered("one byte long", "bad-length", right + b"\0"),
        altered("no proof", "bad-length", b""),
        case("of fewer faces", "bad-length", own, absent[:3], right),
        case("of fewer cards", "bad-length", own[1:], absent, right),
        case("of other faces", "not-holding-proof", own, [*absent[1:], absent[0]], right),
        case("at another step", "not-holding-proof", own, absent, right, flipped(PLACE, 7)),
        case("a proof where there is nothing to prove", "bad-length", own, [], right),
        case("another seat's position", "bad-positions", [*own[1:], own[0] ^ 1], absent, right),
        case("a position twice", "bad-positions", [*own[1:], own[1]], absent, right),
        case("a face twice", "bad-faces", own, [*absent[1:], absent[1]], right),
        case("face 52", "bad-faces", own, [*absent[1:], 52], right),
    ]


def _point(data: bytes, at: int) -> bytes:
    return data[at : at + 32]


def _forged(
    context: bytes,
    cards: Cards,
    own: Sequence[int],
    faces: Sequence[int],
    secret: int,
    blinded: Callable[[int, int], Point],
    blinding: int = 12_345,
) -> bytes:
    """The honest proof over points V that were blinded in some other way."""
    n, v = blinding * B, [blinded(position, blinding) for position in own]
    u = [blinding * FACES[face] for face in faces]
    transcript = claim("not holding", context, 1, PLACE, cards, faces)
    for label, points in (("n", [n]), ("v", v), ("u", u)):
        transcript.points(label, points)
    weights = transcript.challenges("weights", len(v) + len(u))
    a_sum = combine(weights[: len(v)], cards.a)
    k_sum = combine(weights, [*cards.k, *(FACES[face] for face in faces)])
    rows = [[IDENTITY, B], [B, -cards.key], [-a_sum, k_sum]]
    images = [n, IDENTITY, combine(weights, [*v, *u])]
    proof = prove_linear(transcript, rows, images, [blinding * secret % L, blinding], Stream("not holding forged"))
    return encode_points([n, *v, *u]) + proof
