"""What was synced is there whatever happens; what is damaged is said and never guessed at."""

from __future__ import annotations

import logging
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import LocalError
from hocp2p.record import journal as journal_module
from hocp2p.record.journal import (
    HEAD_BYTES,
    MAGIC,
    MAX_RECORD_BYTES,
    RECORDS_AT,
    Journal,
    read_journal,
)
from hocp2p.table.effects import ENVELOPE, HAND, PROPOSAL

Records = list[tuple[int, bytes]]
RECORDS: Records = [
    (PROPOSAL, b"terms"),
    (ENVELOPE, b""),
    (77, bytes(9)),
    (HAND, b"\x00\x01\x05\x33"),
    (ENVELOPE, b"e"),
]
SEED = bytes(range(32))
posix = pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
APPENDER = """
import sys
from pathlib import Path
from hocp2p.record.journal import Journal
journal = Journal.create(Path(sys.argv[1]))
for number in range(10**9):
    journal.keep(2, number.to_bytes(4, "big") * 50)
    if number % 3 == 0:
        journal.sync()
        print(number, flush=True)
"""


def write(folder: Path, records: Records) -> Path:
    """A seat's folder with a closed journal; gives the path of that."""
    with Journal.create(folder) as journal:
        for kind, payload in records:
            journal.keep(kind, payload)
    return folder / "journal"


def refusal(act: Callable[[], object]) -> LocalError:
    with pytest.raises(LocalError) as caught:
        act()
    return caught.value


def refuse(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_records_come_back_in_order_and_more_can_follow(tmp_path: Path) -> None:
    write(tmp_path / "data" / "seat", RECORDS)
    with Journal.reopen(tmp_path / "data" / "seat") as journal:
        assert journal.records() == RECORDS
        journal.keep(HAND, b"more")
        assert journal.records() == [*RECORDS, (HAND, b"more")]
    assert read_journal(tmp_path / "data" / "seat" / "journal") == [*RECORDS, (HAND, b"more")]


@posix
def test_everything_is_closed_to_others(tmp_path: Path) -> None:
    folder = tmp_path / "sessions" / "seat"
    with Journal.create(folder) as journal:
        journal.keep_seed(3, SEED)
        for path in (folder, folder.parent, *folder.rglob("*")):
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_a_journal_is_never_begun_over_another(tmp_path: Path) -> None:
    path = write(tmp_path / "seat", RECORDS)
    before = path.read_bytes()
    assert refusal(lambda: Journal.create(tmp_path / "seat")).code == "journal-unwritable"
    assert path.read_bytes() == before


def test_one_seat_is_played_by_one_process(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "seat"):
        assert refusal(lambda: Journal.reopen(tmp_path / "seat")).code == "seat-in-use"
    Journal.reopen(tmp_path / "seat").close()


def test_a_seat_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert refusal(lambda: Journal.reopen(tmp_path / "seat")).code == "lock-unusable"
    (tmp_path / "seat").mkdir()
    assert refusal(lambda: Journal.reopen(tmp_path / "seat")).code == "journal-damaged"


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=40)), max_size=5))
def test_a_journal_cut_anywhere_holds_the_whole_records(records: Records) -> None:
    with TemporaryDirectory() as folder:
        seat = Path(folder) / "seat"
        path = write(seat, records)
        data = path.read_bytes()
        ends = [RECORDS_AT]
        for _, payload in records:
            ends.append(ends[-1] + HEAD_BYTES + 1 + len(payload))
        assert ends[-1] == len(data)
        for cut in range(RECORDS_AT, len(data) + 1):
            path.write_bytes(data[:cut])
            whole = sum(end <= cut for end in ends) - 1
            with Journal.reopen(seat) as journal:
                assert journal.records() == records[:whole]
                journal.keep(HAND, b"next")
            assert read_journal(path) == [*records[:whole], (HAND, b"next")]


@pytest.mark.parametrize("length", range(RECORDS_AT))
def test_a_journal_without_its_beginning_is_none(tmp_path: Path, length: int) -> None:
    path = write(tmp_path / "seat", RECORDS)
    path.write_bytes(path.read_bytes()[:length])
    assert refusal(lambda: Journal.reopen(tmp_path / "seat")).code == "journal-damaged"
    assert path.stat().st_size == length


@pytest.mark.parametrize("flip", [0x01, 0x80, 0xFF])
def test_no_flipped_byte_goes_unseen(tmp_path: Path, flip: int) -> None:
    seat = tmp_path / "seat"
    path = write(seat, RECORDS)
    data = path.read_bytes()
    last_at = len(data) - HEAD_BYTES - 1 - len(RECORDS[-1][1])
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :])
        if len(MAGIC) <= at < RECORDS_AT:
            assert read_journal(path) == []  # no record holds any more: what was kept is not passed off as something
        elif at < last_at:
            damaged = path.read_bytes()
            assert refusal(lambda: Journal.reopen(seat)).code == "journal-damaged"
            assert path.read_bytes() == damaged  # left as it is
        else:
            with Journal.reopen(seat) as journal:
                assert journal.records() == RECORDS[:-1]


@pytest.mark.parametrize("tail", [bytes(4096), b"\xff" * 100, b"\x00\x00\x00\x05", MAGIC])
def test_a_torn_tail_is_cut_off_and_logged(tmp_path: Path, tail: bytes, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path / "seat", RECORDS)
    whole = path.read_bytes()
    path.write_bytes(whole + tail)
    assert read_journal(path) == RECORDS
    with caplog.at_level(logging.WARNING), Journal.reopen(tmp_path / "seat") as journal:
        assert journal.records() == RECORDS
    assert path.read_bytes() == whole
    assert f"{len(tail)} bytes" in caplog.text


def test_a_record_within_a_strangers_payload_is_none(tmp_path: Path) -> None:
    """He cannot make a torn record look like damage, which would keep us from our seat."""
    inner = write(tmp_path / "his", [(ENVELOPE, b"x" * 20)]).read_bytes()[RECORDS_AT:]
    path = write(tmp_path / "ours", [(ENVELOPE, b"a"), (ENVELOPE, inner + b"y" * 20)])
    path.write_bytes(path.read_bytes()[:-1])
    with Journal.reopen(tmp_path / "ours") as journal:
        assert journal.records() == [(ENVELOPE, b"a")]


def test_a_record_is_as_large_as_can_be_read_back(tmp_path: Path) -> None:
    largest = bytes(MAX_RECORD_BYTES - 1)
    with Journal.create(tmp_path / "seat") as journal:
        assert refusal(lambda: journal.keep(ENVELOPE, largest + b"x")).code == "record-too-large"
        journal.keep(ENVELOPE, largest)
    assert read_journal(tmp_path / "seat" / "journal") == [(ENVELOPE, largest)]


def test_a_killed_process_has_kept_what_it_synced(tmp_path: Path) -> None:
    for attempt in range(3):
        seat = tmp_path / str(attempt)
        with subprocess.Popen([sys.executable, "-c", APPENDER, str(seat)], stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            for _ in range(10 + 7 * attempt):
                child.stdout.readline()
            child.kill()
            synced = int(([*child.stdout.read().split("\n")[:-1]] or ["0"])[-1])
        with Journal.reopen(seat) as journal:
            records = journal.records()
        assert len(records) > max(synced, 3 * (9 + 7 * attempt))
        assert records == [(ENVELOPE, number.to_bytes(4, "big") * 50) for number in range(len(records))]


def test_what_is_read_back_is_synced_before_anybody_builds_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process may have been killed after writing and before syncing."""
    path = write(tmp_path / "seat", RECORDS)
    synced: list[str] = []
    monkeypatch.setattr(journal_module, "sync_file", lambda file: synced.append(str(file.name)))
    before = len(synced)
    Journal.reopen(tmp_path / "seat").close()
    assert len(synced) == before + 1
    assert path.exists()


@pytest.mark.parametrize("fails", ["sync_file", "replace_private", "erase_private"])
def test_after_a_failed_write_nothing_more_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    journal = Journal.create(tmp_path / "seat")
    journal.keep(PROPOSAL, b"terms")
    journal.sync()

    def keep_and_sync() -> None:
        journal.keep(HAND, b"h")
        journal.sync()

    acts: dict[str, Callable[[], None]] = {
        "sync_file": keep_and_sync,
        "replace_private": lambda: journal.keep_seed(1, SEED),
        "erase_private": lambda: journal.forget_seed(1),
    }
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, fails, refuse)
        error = refusal(acts[fails])
    assert error.code == "journal-unwritable"
    assert "No space left" in error.message
    assert "hocp2p resume" in error.message
    for again in (*acts.values(), lambda: journal.keep(HAND, b"h"), journal.sync):
        assert refusal(again).code == "journal-unwritable"
    journal.close()
    assert read_journal(tmp_path / "seat" / "journal")[0] == (PROPOSAL, b"terms")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")
def test_a_full_disk_is_told_and_closing_is_quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "seat", RECORDS)
    journal = Journal.reopen(tmp_path / "seat")
    journal._file.close()
    monkeypatch.setattr(journal, "_file", Path("/dev/full").open("wb"))  # noqa: SIM115 - the journal closes it
    journal.keep(HAND, b"h")
    assert "No space left" in refusal(journal.sync).message
    journal.close()
    journal.close()
    assert refusal(lambda: journal.keep(HAND, b"h")).code == "journal-unwritable"


def test_a_closed_journal_keeps_nothing(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "seat")
    journal.close()
    assert refusal(lambda: journal.keep(HAND, b"h")).code == "journal-unwritable"
    assert refusal(lambda: journal.keep_seed(1, SEED)).code == "journal-unwritable"


def test_seeds_are_kept_and_forgotten(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "seat") as journal:
        journal.keep_seed(1, SEED)
        journal.keep_seed(12, SEED[::-1])
    with Journal.reopen(tmp_path / "seat") as journal:
        assert journal.seeds() == {1: SEED, 12: SEED[::-1]}
        journal.forget_seed(1)
        journal.forget_seed(1)
        assert journal.seeds() == {12: SEED[::-1]}
    assert [path.name for path in (tmp_path / "seat" / "seeds").iterdir()] == ["12"]


def test_a_seed_is_overwritten_before_its_name_goes(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "seat") as journal:
        journal.keep_seed(1, SEED)
        other_name = tmp_path / "copy"
        other_name.hardlink_to(tmp_path / "seat" / "seeds" / "1")
        journal.forget_seed(1)
    assert other_name.read_bytes() == bytes(32)


def test_a_seed_half_destroyed_is_none(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "seat") as journal:
        (tmp_path / "seat" / "seeds" / "4").write_bytes(bytes(32))  # killed between overwriting and removing
        assert journal.seeds() == {}


def test_a_damaged_seed_is_told(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "seat") as journal:
        (tmp_path / "seat" / "seeds" / "4").write_bytes(SEED[:-1])
        assert refusal(journal.seeds).code == "journal-damaged"
        (tmp_path / "seat" / "seeds" / "4").unlink()
        (tmp_path / "seat" / "seeds").rmdir()
        assert refusal(journal.seeds).code == "journal-damaged"


def test_secrets_in_drafts_of_a_killed_process_are_erased(tmp_path: Path) -> None:
    write(tmp_path / "seat", RECORDS)
    for draft in ("seeds/4.0a1b2c3d.new", "about.0a1b2c3d.new"):
        (tmp_path / "seat" / draft).write_bytes(SEED)
    with Journal.reopen(tmp_path / "seat") as journal:
        assert journal.seeds() == {}
        assert list((tmp_path / "seat").rglob("*.new")) == []
