"""The public record: what is written is read back; a file is never overwritten; it holds no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.record.session_record import MAGIC, SessionRecord, read_record
from hocp2p.table.effects import ENVELOPE, PROPOSAL, Effect, Record
from hocp2p.wire.envelope import decode_envelope
from tests.support.tables import StarTable


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "session"
    with SessionRecord(path) as record:
        record.keep(1, b"proposal")
        record.keep(2, b"")
    assert read_record(path) == [(1, b"proposal"), (2, b"")]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full is a thing of Linux")
def test_a_full_disk_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("wb") as full:
        monkeypatch.setattr(Path, "open", lambda *_: full)
        with SessionRecord(tmp_path / "session") as record, pytest.raises(OSError, match="No space"):
            record.keep(1, b"proposal")


def test_a_file_that_is_there_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "session"
    path.write_bytes(b"mine")
    with pytest.raises(LocalError) as caught:
        SessionRecord(path)
    assert caught.value.code == "record-exists"
    assert path.read_bytes() == b"mine"
    with pytest.raises(LocalError) as caught:
        SessionRecord(tmp_path / "none" / "session")
    assert caught.value.code == "record-unwritable"


@pytest.mark.parametrize(
    "data", [b"", b"something else", MAGIC + b"\0\0\0\0", MAGIC + b"\0\0\0\x05\x01abc", MAGIC[:-1]]
)
def test_what_is_no_record_is_refused(tmp_path: Path, data: bytes) -> None:
    """R-116."""
    path = tmp_path / "session"
    path.write_bytes(data)
    with pytest.raises(LocalError) as caught:
        read_record(path)
    assert caught.value.code == "bad-record"


def test_every_seat_records_the_same_history() -> None:
    kept: list[list[Record]] = [[], [], []]

    class Recording(StarTable):
        def perform(self, seat: int, effects: list[Effect]) -> None:
            kept[seat].extend(effect for effect in effects if isinstance(effect, Record))
            super().perform(seat, effects)

    table = Recording(3, Rules(deals=3), 8, "novice")
    table.run()
    for records in kept:
        assert [record.kind for record in records] == [PROPOSAL] + [ENVELOPE] * (len(records) - 1)
    by_track = [
        {
            track: [record.payload for record in records[1:] if decode_envelope(record.payload).track == track]
            for track in {decode_envelope(record.payload).track for record in records[1:]}
        }
        for records in kept
    ]
    assert by_track[0] == by_track[1] == by_track[2]
    for track in by_track[0].values():
        steps = [decode_envelope(raw).step for raw in track]
        assert steps == sorted(steps)
    seeds = [peer.me.identity.seed() for peer in table.peers]
    assert not any(seed in record.payload for seed in seeds for records in kept for record in records)
