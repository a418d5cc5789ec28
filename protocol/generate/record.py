"""The record of sessions: a file of proposals and envelopes, read, written, verified.

It is ``MAGIC``, then entries: length (4 bytes, big-endian, of all that follows), kind (1 byte), payload. Kind 1 is a
proposal, which begins a session; kind 2 an envelope of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protocol.generate.faults import need
from protocol.generate.session import Session
from protocol.generate.wire import TALK_TRACK, decode_envelope

MAGIC = b"hocp2p-record-1\n"
PROPOSAL, ENVELOPE = 1, 2


def read_record(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Kind and payload of every entry. Fault ``bad-record``."""
    need(data.startswith(MAGIC), "bad-record")
    at = len(MAGIC)
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        need(at + 5 <= len(data) and length >= 1 and at + 4 + length <= len(data), "bad-record")
        yield data[at + 4], data[at + 5 : at + 4 + length]
        at += 4 + length


def write_record(entries: Iterable[tuple[int, bytes]]) -> bytes:
    """The inverse."""
    return MAGIC + b"".join((1 + len(data)).to_bytes(4, "big") + bytes([kind]) + data for kind, data in entries)


def verify_record(data: bytes) -> list[Session]:
    """The sessions in it, all of them verified; ``checked`` counts what. Raises the first Fault.

    Talk may stand before the proposal of its table, and is heard after it.
    """
    sessions: list[Session] = []
    waiting: list[bytes] = []
    for kind, payload in read_record(data):
        need(kind in (PROPOSAL, ENVELOPE), "bad-record")
        if kind == ENVELOPE:
            waiting.append(payload)
        else:
            for before in sessions[-1:]:
                before.finish()
            sessions.append(_begin(payload, sessions))
        early, waiting = waiting, []
        for raw in early:
            envelope = decode_envelope(raw)
            if sessions and envelope.table == sessions[-1].table:
                sessions[-1].take(raw)
            else:
                need(envelope.track == TALK_TRACK, "other-table")
                waiting.append(raw)
    need(bool(sessions) and not waiting, "bad-record")
    sessions[-1].finish()
    return sessions


def _begin(proposal: bytes, sessions: list[Session]) -> Session:
    """The session of a proposal; it is compared with the one before where it goes on with that."""
    session = Session(proposal)
    before = sessions[-1] if sessions else None
    if before is None or session.continued is None or session.continued[0] != before.table:
        return session
    return Session(proposal, before)
