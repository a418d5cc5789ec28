"""Appendix B of the specification is true of a record: the bytes stand where it says, and begin as it says."""

from __future__ import annotations

import re
from functools import cache

from hocp2p.crypto.deck import MentalPoker
from hocp2p.game.house import Rules
from hocp2p.record.session_record import LENGTH_BYTES, MAGIC
from hocp2p.table.effects import Effect, Record
from hocp2p.wire import messages
from hocp2p.wire.envelope import Envelope, decode_envelope
from hocp2p.wire.messages import decode_message
from tests.support import spec
from tests.support.tables import HOST, StarTable


@cache
def record() -> tuple[bytes, dict[int, Envelope]]:
    """The record that the appendix walks through, and its envelopes by the offset at which their records begin."""
    data, envelopes = bytearray(MAGIC), dict[int, Envelope]()

    class Recorded(StarTable):
        def perform(self, seat: int, effects: list[Effect]) -> None:
            for effect in effects:
                if seat == HOST and isinstance(effect, Record):
                    keep(effect)
            super().perform(seat, effects)

    def keep(effect: Record) -> None:
        if effect.kind == 2:
            envelopes[len(data)] = decode_envelope(effect.payload)
        data.extend((len(effect.payload) + 1).to_bytes(LENGTH_BYTES, "big") + bytes([effect.kind]) + effect.payload)

    Recorded(2, Rules(deals=2), 8, "novice", MentalPoker()).run()
    return bytes(data), envelopes


def test_bytes_stand_at_their_offsets() -> None:
    data, _ = record()
    part = spec.section("### B.1 The beginning") + spec.section("### B.2 An envelope")
    lines = re.findall(r"(?m)^    (\d+) +((?:[0-9a-f]{2} )*[0-9a-f]{2})\b", part)
    assert len(lines) > 20
    for offset, told in lines:
        assert data[int(offset) :].startswith(bytes.fromhex(told)), offset


def test_records_stand_in_their_order() -> None:
    _, envelopes = record()
    checked = 0
    for row in spec.rows(spec.section("### B.3 The order of records")):
        name = re.match(r"`(\w+)`", row[3])
        if row[0] and name:
            envelope = envelopes[int(row[0])]
            assert row[1] == f"{envelope.track} / {envelope.step}"
            assert type(decode_message(envelope.body)).__name__ == name[1]
            assert str(envelope.seat) == row[2][0]
            assert len(envelope.body) == int(re.sub(r"\D.*|,", "", row[4].replace(",", "")))
            checked += 1
    assert checked > 10
    assert [envelope.track for envelope in envelopes.values()][-1] == 6


def test_bodies_begin_as_told() -> None:
    """The heads of every message that is in the record; the kinds of all of them."""
    _, envelopes = record()
    told: dict[str, str] = {}
    for row in spec.rows(spec.section("### B.4 Bodies")):
        names, heads = re.findall(r"`(\w+)`", row[0]), re.findall(r"`([0-9a-f ]+)`", row[1])
        told |= dict(zip(names, heads * len(names) if len(heads) == 1 else heads, strict=False))
    assert told.keys() == {each.__name__ for each in messages.FAMILY.types.values()} - {"Agreement"}
    numbers = {record.__name__: number for number, record in messages.FAMILY.types.items()}
    for name, head in told.items():
        assert bytes.fromhex(head)[1] == numbers[name]
    for envelope in envelopes.values():
        name = type(decode_message(envelope.body)).__name__
        if name == "CarteBlanche":
            head = envelope.body[:3].hex(" ")
            assert head in {"92 18 c4", "92 18 c5"}
        elif name != "Agreement":
            assert envelope.body.startswith(bytes.fromhex(told[name]))
