"""All files of vectors: what is in them, and how they are written. The same bytes every time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from protocol.generate import (
    vectors_codec,
    vectors_deal,
    vectors_going_on,
    vectors_group,
    vectors_guest,
    vectors_hand,
    vectors_host,
    vectors_session,
    vectors_shuffle,
    vectors_table,
)
from protocol.generate.vector import Vector

FOLDER = Path(__file__).parents[1] / "vectors"


@dataclass(frozen=True)
class File:
    """One file.

    Args:
        kind: of its vectors, as in the schema.
        about: what a tester does with them.
        make: the vectors.
        slow: whether that takes more than a few seconds.
    """

    kind: str
    about: str
    make: Callable[[], list[Vector]]
    slow: bool = False


FILES: dict[str, File] = {
    "msgpack.json": File("value", "Decode hex as one value; at most 1,000 bytes are taken.", vectors_codec.values),
    "messages.json": File("message", "Decode hex as the body of an envelope.", vectors_codec.messages),
    "frames.json": File("frame", "Decode hex as a frame.", vectors_codec.frames),
    "envelopes.json": File(
        "envelope", "Decode hex as an envelope; its signature is not looked at.", vectors_codec.envelopes
    ),
    "points.json": File("point", "Decode hex as a point that may not be the identity.", vectors_group.points),
    "scalars.json": File("scalar", "Decode hex as a scalar.", vectors_group.scalars),
    "hash-to-group.json": File("hash", "Hash data under label to a point.", vectors_group.hashes),
    "transcripts.json": File(
        "transcript", "Follow the script; every squeeze gives an output.", vectors_group.transcripts
    ),
    "randomness.json": File(
        "randomness",
        "Pinned randomness is SHAKE-256 of 'hocp2p/1 vectors ' and the label. What is drawn first from a fresh stream.",
        vectors_group.randomness,
    ),
    "signatures.json": File("signature", "Verify the signature of message under key.", vectors_group.signatures),
    "heads.json": File("head", "Compute the head.", vectors_table.heads),
    "proposals.json": File("proposal", "Read hex as a proposal; table is its table id.", vectors_table.proposals),
    "links.json": File(
        "scene",
        "One peer and its links: let the events happen, each with what it must send. Code: of the refusal at the end.",
        lambda: [*vectors_guest.scenes(), *vectors_host.scenes()],
    ),
    "moves.json": File(
        "moves",
        "The first deal of two, seat 0 eldest, seat 1 dealer, 100 jetons each. Moves are made without proofs.",
        vectors_table.moves,
    ),
    "shuffles.json": File("shuffle", "Verify the shuffle of a small deck.", vectors_shuffle.small),
    "shuffle-52.json": File("shuffle", "Verify the shuffle of a whole deck.", vectors_shuffle.whole, slow=True),
    "deal-2-seats.json": File(
        "deal", "Make this deal from pinned randomness.", lambda: vectors_deal.whole(2), slow=True
    ),
    "deal-3-seats.json": File(
        "deal", "Make this deal from pinned randomness.", lambda: vectors_deal.whole(3), slow=True
    ),
    "deal-faults.json": File(
        "deal-fault", "The deal named, with this payload of this seat at this step.", vectors_deal.faults, slow=True
    ),
    "openings.json": File("claim", "After the deal named: open positions as faces.", vectors_hand.openings, slow=True),
    "not-holding.json": File(
        "claim",
        "After the deal named: prove that no position is one of the faces.",
        vectors_hand.not_holding,
        slow=True,
    ),
    "session-2-seats.json": File("session", "Take all envelopes.", lambda: vectors_session.whole(2), slow=True),
    "session-3-seats.json": File("session", "Take all envelopes.", lambda: vectors_session.whole(3), slow=True),
    "session-faults.json": File(
        "session-fault",
        "Take the first envelopes of the session named, then these: the last one fails, or without a code is nothing.",
        vectors_session.faults,
        slow=True,
    ),
    "sessions-going-on.json": File(
        "session",
        "After the session named, its seats and newcomers take all envelopes.",
        vectors_going_on.sessions,
        slow=True,
    ),
    "going-on-faults.json": File(
        "session-fault",
        "Take the first envelopes of the session named, then these: the last one fails, or without a code is nothing.",
        vectors_going_on.faults,
        slow=True,
    ),
    "proposals-going-on.json": File(
        "next-proposal",
        "After the session named: a seat that remains, seat at the next table, has greeted with draw, and is sent hex.",
        vectors_going_on.proposals,
        slow=True,
    ),
}


def text_of(name: str) -> str:
    """A file as it should be."""
    file = FILES[name]
    content = {"kind": file.kind, "about": file.about, "vectors": file.make()}
    return json.dumps(content, indent=1, ensure_ascii=True) + "\n"


def write(names: Iterable[str] | None = None) -> None:
    """Writes files anew, all unless told."""
    FOLDER.mkdir(exist_ok=True)
    for name in FILES if names is None else names:
        (FOLDER / name).write_text(text_of(name))


def differing(names: Iterable[str] | None = None) -> list[str]:
    """Those that are not as they should be."""
    return [name for name in (FILES if names is None else names) if not _is(FOLDER / name, text_of(name))]


def _is(path: Path, text: str) -> bool:
    return path.exists() and path.read_text() == text
