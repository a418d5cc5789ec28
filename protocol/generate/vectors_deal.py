"""Vectors of the deal: whole decks with every message and each seat's view, and one message that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from protocol.generate.deal import Table, commitment
from protocol.generate.player import Player
from protocol.generate.proofs import prove_equal, prove_linear
from protocol.generate.ristretto import B, L, decode, encode_points, encode_scalars
from protocol.generate.tracks import owners_of
from protocol.generate.transcript import Stream, statement
from protocol.generate.vector import Vector, flipped, spliced, vector

CONTEXT = b"hocp2p/1 deck" + b"\x2a" * 32 + (3).to_bytes(4, "big")
Payloads = tuple[bytes, ...]


@dataclass
class Deal:
    """A deck that was dealt: what everybody knows, and the seats."""

    label: str
    seats: int
    dealer: int
    table: Table
    players: list[Player]
    steps: list[tuple[str, Payloads]]

    @property
    def order(self) -> list[int]:
        """Seats as they shuffle."""
        return self.table.order


STEPS = {
    "key_commits": Table.take_commits,
    "key_reveals": Table.take_keys,
    "deck_digests": Table.take_digests,
    "share_commits": Table.take_commits,
    "share_reveals": Table.take_shares,
}


def fresh(seats: int, dealer: int) -> Table:
    """The table before the first message."""
    order = [(dealer + place) % seats for place in range(seats)]
    return Table(CONTEXT, owners_of(seats, 1, dealer), order)


def take(table: Table, step: str, payloads: Payloads) -> None:
    """One step of a deal: the payloads of all seats, or a shuffle's one."""
    if step.startswith("shuffle"):
        table.take_shuffle(int(step.split()[1]), payloads[0])
    else:
        STEPS[step](table, payloads)


@cache
def dealt(label: str, seats: int, dealer: int) -> Deal:
    """A whole deal from pinned randomness: the stream ``<label> seat <n>`` for each seat."""
    table = fresh(seats, dealer)
    players = [Player(table, seat, Stream(f"{label} seat {seat}")) for seat in range(seats)]
    steps: list[tuple[str, Payloads]] = []

    def say(step: str, *payloads: bytes) -> None:
        steps.append((step, payloads))
        take(table, step, payloads)

    def commit(what: str, payloads: list[bytes]) -> list[bytes]:
        return [commitment(what, table.context, seat, payload) for seat, payload in enumerate(payloads)]

    keys = [player.key() for player in players]
    say("key_commits", *commit("key", keys))
    say("key_reveals", *keys)
    for seat in table.order:
        say(f"shuffle {seat}", players[seat].shuffle())
    say("deck_digests", *[table.digest()] * seats)
    shares = [player.shares() for player in players]
    say("share_commits", *commit("shares", shares))
    say("share_reveals", *shares)
    return Deal(label, seats, dealer, table, players, steps)


def replay(deal: Deal, changes: dict[str, Payloads]) -> None:
    """The deal once more, by everybody's eyes, with other payloads at some steps."""
    table = fresh(deal.seats, deal.dealer)
    for step, payloads in deal.steps:
        take(table, step, changes.get(step, payloads))


def whole(seats: int) -> list[Vector]:
    """One deal with every message, what becomes public, and what each seat sees."""
    deal = dealt(f"deal {seats}", seats, seats - 1)
    table = deal.table
    return [
        vector(
            f"a deal of {seats}",
            lambda: replay(deal, {}),
            None,
            context=CONTEXT,
            seats=seats,
            dealer=deal.dealer,
            owners=bytes(table.owners),
            order=bytes(table.order),
            randomness=deal.label,
            steps=[{"step": step, "payloads": list(payloads)} for step, payloads in deal.steps],
            joint_key=bytes(table.joint_key),
            bound_context=table.context,
            masked={position: bytes(point) for position, point in sorted(table.masked.items())},
            views=[player.faces() for player in deal.players],
        )
    ]


def faults() -> list[Vector]:
    """The deal of two with one message of seat 1 that is wrong. A commitment stands beside it where it was made to
    fit: then it replaces the one in the step before."""
    deal = dealt("deal 2", 2, 1)
    return [*_key_faults(deal), *_shuffle_faults(deal), *_share_faults(deal)]


def _fault(deal: Deal, name: str, code: str, step: str, payload: bytes, commit: bytes | None = None) -> Vector:
    original = dict(deal.steps)
    changes: dict[str, Payloads] = {}
    if step.startswith("shuffle"):
        changes[step] = (payload,)
    else:
        changes[step] = (*original[step][:1], payload)
    if commit is not None:
        before = step.replace("reveals", "commits")
        changes[before] = (*original[before][:1], commit)
    extra = {} if commit is None else {"commitment": commit}
    given: dict[str, Any] = {"deal": "a deal of 2", "seat": 1, "step": step, "payload": payload} | extra
    return vector(name, lambda: replay(deal, changes), code, **given)


def _plus_order(data: bytes, at: int) -> bytes:
    scalar = int.from_bytes(data[at : at + 32], "little")
    return spliced(data, at, (scalar + L).to_bytes(32, "little"))


def _key_faults(deal: Deal) -> Iterator[Vector]:
    steps = dict(deal.steps)
    others, ours = steps["key_reveals"]
    context = fresh(deal.seats, deal.dealer).context

    def shown(name: str, code: str, payload: bytes) -> Vector:
        commit = commitment("key", context, 1, payload)
        return _fault(deal, f"key: {name}", code, "key_reveals", payload, commit)

    def key_of(secret: int, proven: int, seat: int = 1, bound: bytes = context) -> bytes:
        key = secret * B
        proof = prove_linear(statement("key", bound, seat), [[B]], [key], [proven], Stream("fault"))
        return bytes(key) + proof + bytes(32)

    secret = deal.players[0].secret
    rogue = bytes(7 * B - secret * B)
    commit = steps["key_commits"][1]
    yield _fault(deal, "key: commitment one byte short", "bad-length", "key_commits", commit[:31])
    yield _fault(deal, "key: commitment one byte long", "bad-length", "key_commits", commit + b"\0")
    yield _fault(deal, "key: nonce altered", "key-commit-mismatch", "key_reveals", flipped(ours, -1))
    yield _fault(deal, "key: another commitment", "key-commit-mismatch", "key_reveals", ours, flipped(commit, 0))
    yield shown("one byte short", "bad-length", ours[:-1])
    yield shown("one byte long", "bad-length", ours + b"\0")
    yield shown("point with bit 255", "bad-point", flipped(ours, 31, 0x80))
    yield shown("the identity", "identity-point", bytes(32) + ours[32:])
    yield shown("challenge plus the order", "bad-scalar", _plus_order(ours, 32))
    yield shown("answer plus the order", "bad-scalar", _plus_order(ours, 64))
    yield shown("challenge altered", "key-proof", flipped(ours, 32))
    yield shown("answer altered", "key-proof", flipped(ours, 64))
    yield shown("another seat's, as it was", "key-proof", others)
    yield shown("proof of another deck", "key-proof", key_of(5, 5, bound=b"another"))
    yield shown("rogue key that leaves 7 B in sum", "key-proof", rogue + ours[32:])
    yield shown("the same as seat 0's, with its secret", "key-equal", key_of(secret, secret))
    yield shown("the opposite of seat 0's, with its secret", "key-sum", key_of(-secret, -secret))


def _shuffle_faults(deal: Deal) -> Iterator[Vector]:
    steps = dict(deal.steps)
    last = f"shuffle {deal.order[-1]}"
    assert deal.order == [1, 0], "seat 1 deals and shuffles first"
    step, right, proof = "shuffle 1", steps["shuffle 1"][0], 3328
    for name, code, payload in (
        ("one byte short", "bad-length", right[:-1]),
        ("one byte long", "bad-length", right + b"\0"),
        ("51 cards", "bad-length", right[64:]),
        ("no proof", "bad-length", right[:proof]),
        ("A of a card with bit 255", "bad-point", flipped(right, 31, 0x80)),
        ("A of a card is the identity", "identity-point", spliced(right, 0, bytes(32))),
        ("C of the last card is the identity", "identity-point", spliced(right, proof - 32, bytes(32))),
        ("commitment with bit 255", "bad-point", flipped(right, proof + 31, 0x80)),
        ("a scalar plus the order", "bad-scalar", _plus_order(right, len(right) - 32)),
        ("last answer altered", "shuffle-proof", flipped(right, len(right) - 32)),
        ("A of a card is another point", "shuffle-proof", spliced(right, 0, bytes(3 * B))),
        ("two cards change places after the proof", "shuffle-proof",
         right[32:64] + right[:32] + right[64:1664] + right[1696:1728] + right[1664:1696] + right[1728:]),
        ("another seat's later one", "shuffle-proof", steps[last][0]),
    ):  # fmt: skip
        yield _fault(deal, f"shuffle: {name}", code, step, payload)
    digest = steps["deck_digests"][1]
    yield _fault(deal, "digest altered", "deck-digest", "deck_digests", flipped(digest, 0))


def _share_faults(deal: Deal) -> Iterator[Vector]:
    table, player = deal.table, deal.players[1]
    steps = dict(deal.steps)
    right, commit = steps["share_reveals"][1], steps["share_commits"][1]

    def shown(name: str, code: str, payload: bytes) -> Vector:
        return _fault(
            deal, f"shares: {name}", code, "share_reveals", payload, commitment("shares", table.context, 1, payload)
        )

    positions = table.others(1)
    inputs = [table.deck.a[position] for position in positions]
    first, second = decode(right[:32]), decode(right[32:64])
    pair = encode_points([first + B, second - B])
    foreign = [(player.secret + 1) * point for point in inputs]
    honest = prove_equal(table.share_statement(1), player.secret, table.keys[1], inputs, foreign, Stream("fault"))
    elsewhere = prove_equal(
        statement("shares", b"another", 1), player.secret, table.keys[1], inputs,
        [player.secret * point for point in inputs], Stream("fault"),
    )  # fmt: skip
    yield _fault(deal, "shares: commitment one byte short", "bad-length", "share_commits", commit[:31])
    yield _fault(deal, "shares: nonce altered", "share-commit-mismatch", "share_reveals", flipped(right, -1))
    yield shown("one byte short", "bad-length", right[:-1])
    yield shown("one byte long", "bad-length", right + b"\0")
    yield shown("one share missing", "bad-length", right[32:])
    yield shown("one share more", "bad-length", right[:32] + right)
    yield shown("point with bit 255", "bad-point", flipped(right, 31, 0x80))
    yield shown("a share is the identity", "identity-point", spliced(right, 0, bytes(32)))
    yield shown("challenge plus the order", "bad-scalar", _plus_order(right, len(right) - 96))
    yield shown("answer altered", "share-proof", flipped(right, len(right) - 64))
    yield shown("a share is another point", "share-proof", spliced(right, 0, bytes(3 * B)))
    yield shown("two shares change places", "share-proof", right[32:64] + right[:32] + right[64:])
    yield shown("two errors that cancel out", "share-proof", spliced(right, 0, pair))
    yield shown("under another key", "share-proof", encode_points(foreign) + honest + bytes(32))
    yield shown("proof of another deck", "share-proof", spliced(right, len(right) - 96, elsewhere))
    zero = spliced(right, len(right) - 96, encode_scalars([0, 0]))
    yield shown("proof of zeros", "share-proof", zero)
