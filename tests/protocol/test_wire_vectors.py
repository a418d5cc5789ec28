"""Our codec, chain, proposals and rules against the vectors, in both directions."""

from __future__ import annotations

from hocp2p.game import rules as game
from hocp2p.game.house import Rules
from hocp2p.table.chain import Track, first_head
from hocp2p.table.moves import decode_action
from hocp2p.table.terms import Terms, read_proposal
from hocp2p.wire import codec
from hocp2p.wire.envelope import Envelope, decode_envelope, seal
from hocp2p.wire.frames import FAMILY as FRAMES
from hocp2p.wire.frames import Proposal, decode_frame, encode_frame
from hocp2p.wire.messages import FAMILY as MESSAGES
from hocp2p.wire.messages import Message, decode_message, encode_message
from hocp2p.wire.schema import write_record
from tests.support.vectors import Vector, untagged, vectors, verdict

MAX_VALUE_BYTES = 1000


def spoken_name(record: object) -> str:
    """``KeyCommit`` as ``key-commit``."""
    name = type(record).__name__
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


@vectors("msgpack.json")
def test_values(vector: Vector) -> None:
    data = bytes.fromhex(vector["hex"])
    assert verdict(lambda: codec.decode(data, MAX_VALUE_BYTES)) == vector["code"]
    if vector["code"] is None:
        assert codec.decode(data, MAX_VALUE_BYTES) == untagged(vector["value"])
        assert codec.encode(untagged(vector["value"])) == data


@vectors("messages.json")
def test_messages(vector: Vector) -> None:
    data = bytes.fromhex(vector["hex"])
    assert verdict(lambda: decode_message(data)) == vector["code"]
    if vector["code"] is None:
        message = decode_message(data)
        assert spoken_name(message) == vector["type"]
        assert write_record(message) == untagged(vector["fields"])
        assert encode_message(message) == data
        assert MESSAGES.number_of(type(message)) == data[1]


@vectors("frames.json")
def test_frames(vector: Vector) -> None:
    data = bytes.fromhex(vector["hex"])
    assert verdict(lambda: decode_frame(data)) == vector["code"]
    if vector["code"] is None:
        frame = decode_frame(data)
        assert spoken_name(frame) == vector["type"]
        assert write_record(frame) == untagged(vector["fields"])
        assert encode_frame(frame) == data
        assert FRAMES.number_of(type(frame)) == data[1]


@vectors("envelopes.json")
def test_envelopes(vector: Vector) -> None:
    data = bytes.fromhex(vector["hex"])
    assert verdict(lambda: decode_envelope(data)) == vector["code"]
    if vector["code"] is None:
        envelope = decode_envelope(data)
        table, track, step, seat, head, body, signature = untagged(vector["fields"])
        assert envelope == Envelope(table, track, step, seat, head, body, signature, data)
        assert envelope.signed.hex() == vector["signed"]
        assert envelope.digest.hex() == vector["digest"]
        assert seal(table, track, step, seat, head, body, lambda _: signature).raw == data


@vectors("heads.json")
def test_heads(vector: Vector) -> None:
    before = [bytes.fromhex(each) for each in vector["before"]]
    if vector["what"] == "first":
        head = first_head(bytes.fromhex(vector["table"]), vector["track"], *before)
    else:
        track = Track(4, before[0])
        if vector["what"] == "loss":
            track.cut(vector["seat"])
        else:
            track.close_step(tuple(_Digest(bytes.fromhex(each)) for each in vector["digests"]))
        head = track.head
        assert track.step == 1
    assert head.hex() == vector["head"]


class _Digest(Envelope):
    """An envelope of which only the digest is known."""

    __slots__ = ("_given",)

    def __init__(self, digest: bytes) -> None:
        super().__init__(bytes(32), 4, 0, 0, bytes(32), b"", bytes(64), b"")
        object.__setattr__(self, "_given", digest)

    @property
    def digest(self) -> bytes:
        given: bytes = object.__getattribute__(self, "_given")
        return given


def terms_of(data: bytes) -> Terms:
    proposal = decode_frame(data)
    assert isinstance(proposal, Proposal)
    return read_proposal(proposal, data)


@vectors("proposals.json")
def test_proposals(vector: Vector) -> None:
    data = bytes.fromhex(vector["hex"])
    assert verdict(lambda: terms_of(data)) == vector["code"]
    if vector["code"] is None:
        assert terms_of(data).table.hex() == vector["table"]


def message_of(said: tuple[int, str]) -> tuple[int, Message]:
    seat, body = said
    return seat, decode_message(bytes.fromhex(body))


@vectors("moves.json")
def test_moves(vector: Vector) -> None:
    rules = Rules()
    for name, value in vector["rules"].items():
        rules = rules.with_text(name, value)
    state, _ = game.start_deal(rules, 2, 1, (100, 100), (0, 0, 0), frozenset())
    for seat, message in map(message_of, vector["moves"]):
        action, _ = decode_action(message)
        game.verify_action(state, seat, action)
        state, _ = game.apply(state, seat, action)
    if vector["code"] is not None:
        seat, message = message_of(vector["last"])
        before = state
        assert verdict(lambda: game.verify_action(state, seat, decode_action(message)[0])) == vector["code"]
        assert state == before
    else:
        assert (state.turn, list(state.balances), list(state.pools)) == (
            vector["turn"],
            vector["balances"],
            vector["pools"],
        )
