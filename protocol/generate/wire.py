"""Signed envelopes, the chain of heads, the table id, and the names of tracks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from protocol.generate.bounds import ENVELOPE, MAX_ENVELOPE, check
from protocol.generate.ed25519 import sign
from protocol.generate.faults import Fault
from protocol.generate.msgpack import decode, encode

SETUP_TRACK, DRAW_DECK_TRACK, DRAW_TRACK, LOSS_TRACK, TALK_TRACK = 0, 1, 2, 4_999, 5_000
NO_HEAD = bytes(32)


def _sized(domain: bytes) -> bytes:
    return bytes([len(domain)]) + domain


@dataclass(frozen=True, slots=True)
class Envelope:
    """Who says what, at which step of which table, after which history."""

    table: bytes
    track: int
    step: int
    seat: int
    head: bytes
    body: bytes
    signature: bytes = bytes(64)

    @property
    def signed(self) -> bytes:
        """The bytes under the signature: fixed widths, big-endian, and the body with its length before it."""
        place = self.track.to_bytes(4, "big") + self.step.to_bytes(4, "big") + bytes([self.seat])
        head = _sized(b"hocp2p/1 envelope") + self.table + place + self.head
        return head + len(self.body).to_bytes(4, "big") + self.body

    @property
    def digest(self) -> bytes:
        """What the chain takes up: not the signature, so that another signature of the same changes nothing."""
        return hashlib.sha256(self.signed).digest()

    @property
    def raw(self) -> bytes:
        """As it travels."""
        return encode([self.table, self.track, self.step, self.seat, self.head, self.body, self.signature])

    def sealed(self, seed: bytes) -> Envelope:
        """With a signature."""
        signature = sign(seed, self.signed)
        return Envelope(self.table, self.track, self.step, self.seat, self.head, self.body, signature)


def decode_envelope(data: bytes) -> Envelope:
    """Its form only. Faults those of the codec, and those of bounds."""
    value = decode(data, MAX_ENVELOPE)
    if not isinstance(value, list):
        raise Fault("bad-type")
    check(ENVELOPE, value)
    return Envelope(*value)  # type: ignore[arg-type]  # the types were checked just now


def table_id(proposal: bytes) -> bytes:
    """The digest of an encoded proposal names the table."""
    return hashlib.sha256(_sized(b"hocp2p/1 proposal") + proposal).digest()


def first_head(table: bytes, track: int, before: Iterable[bytes]) -> bytes:
    """Before the first step of a track that builds on the final heads of others."""
    return hashlib.sha256(b"hocp2p/1 track" + table + track.to_bytes(4, "big") + b"".join(before)).digest()


def next_head(head: bytes, digests: Iterable[bytes]) -> bytes:
    """After a step; digests of its envelopes in order of seats."""
    return hashlib.sha256(b"hocp2p/1 step" + head + b"".join(digests)).digest()


def loss_head(head: bytes, seat: int) -> bytes:
    """After a seat left in place of a step."""
    return hashlib.sha256(b"hocp2p/1 loss" + head + bytes([seat])).digest()


def binding(track: int, step: int, head: bytes) -> bytes:
    """The place in the history to which a proof is bound."""
    return track.to_bytes(4, "big") + step.to_bytes(4, "big") + head


def track_name(track: int) -> str:
    """For people: ``setup``, ``draw deck``, ``draw``, ``deck 1``, ``play 1``, ``deck 2`` ..."""
    if track <= DRAW_TRACK:
        return ("setup", "draw deck", "draw")[track]
    deal, part = divmod(track - 1, 2)
    return f"{('deck', 'play')[part]} {deal}"
