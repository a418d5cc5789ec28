"""Kept seats are found again, the newest first; what is damaged is told and left alone."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import LocalError
from hocp2p.record import sessions
from hocp2p.record.journal import Journal
from hocp2p.record.sessions import (
    ENDED,
    LEFT,
    OPEN,
    About,
    folder_of,
    kept_seats,
    open_seats,
    prune,
    read_about,
    set_state,
    write_about,
)

ABOUT = About(
    table="ab" * 32,
    seat=1,
    key="cd" * 32,
    name="Anna",
    title="Bruno's table",
    others={"ef" * 32: "Bruno\u202e"},
    addresses=("192.0.2.1:4711", "[2001:db8::1]:4711"),
    bind="0.0.0.0",  # noqa: S104 - a text here
    port=4711,
    secret="5e" * 16,
    seed="5eed" * 16,
    since="2026-01-31T12:00:00+00:00",
)


def keep(folder: Path, about: About, age_s: int = 0) -> Path:
    """A kept seat whose journal was last written ``age_s`` before others'; gives its folder."""
    seat = folder_of(folder, about)
    with Journal.create(seat) as journal:
        journal.keep_seed(1, bytes(range(32)))
    write_about(seat, about)
    os.utime(seat / "journal", (10**9 - age_s, 10**9 - age_s))
    return seat


def table(number: int, **changes: Any) -> About:
    return replace(ABOUT, table=f"{number:016x}" * 4, **changes)


def test_a_seat_is_described(tmp_path: Path) -> None:
    seat = keep(tmp_path / "sessions", ABOUT)
    assert seat.name == "abababababababab-1"
    assert read_about(seat) == ABOUT
    if os.name == "posix":
        assert stat.S_IMODE((seat / "about").stat().st_mode) == 0o600


@settings(max_examples=50, deadline=None)
@given(name=st.text(max_size=30).filter(lambda text: text.isprintable()), port=st.none() | st.integers(0, 65535))
def test_any_description_comes_back(name: str, port: int | None) -> None:
    about = replace(ABOUT, name=name, port=port, others={"00": name})
    with TemporaryDirectory() as folder:
        write_about(Path(folder), about)
        assert read_about(Path(folder)) == about


def test_no_secret_is_shown() -> None:
    assert ABOUT.secret not in repr(ABOUT)
    assert ABOUT.seed not in repr(ABOUT)


def test_what_a_later_version_adds_is_kept(tmp_path: Path) -> None:
    seat = keep(tmp_path, ABOUT)
    content = json.loads((seat / "about").read_text("utf-8")) | {"watchers": [1, {"a": None}]}
    (seat / "about").write_text(json.dumps(content))
    set_state(seat, ENDED)
    assert read_about(seat).state == ENDED
    assert json.loads((seat / "about").read_text("utf-8")) == content | {"state": ENDED}


@pytest.mark.parametrize(
    "changes",
    [
        {"table": 5},
        {"table": "xy"},
        {"seat": -1},
        {"seat": True},
        {"seat": "1"},
        {"others": ["Bruno"]},
        {"others": {"zz": "Bruno"}},
        {"others": {"ef": 1}},
        {"addresses": "192.0.2.1:4711"},
        {"addresses": [1]},
        {"port": "4711"},
        {"secret": "5"},
        {"seed": None},
        {"state": None},
        {"name": None},
    ],
)
def test_a_field_of_another_kind_is_damage(tmp_path: Path, changes: dict[str, Any]) -> None:
    seat = keep(tmp_path, ABOUT)
    content = json.loads((seat / "about").read_text("utf-8")) | changes
    (seat / "about").write_text(json.dumps(content))
    with pytest.raises(LocalError) as caught:
        read_about(seat)
    assert caught.value.code == "bad-about"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b"null", b"\xff", b"[" * 100_000])
def test_damaged_descriptions_are_told_apart_and_left_alone(tmp_path: Path, content: bytes) -> None:
    keep(tmp_path, table(1))
    damaged = keep(tmp_path, table(2))
    (damaged / "about").write_bytes(content)
    found, wrong = kept_seats(tmp_path)
    assert [kept.about for kept in found] == [table(1)]
    assert len(wrong) == 1
    assert str(damaged) in wrong[0]
    prune(tmp_path, keep=0)
    assert (damaged / "about").read_bytes() == content


def test_seats_are_found_the_newest_first(tmp_path: Path) -> None:
    for number, age_s in ((1, 30), (2, 10), (3, 20)):
        keep(tmp_path, table(number), age_s)
    keep(tmp_path, table(4, state=ENDED))
    keep(tmp_path, table(2, seat=2, host="cd" * 32, bot_level="novice", owner="Anna"), 5)
    (tmp_path / "stray").write_bytes(b"")
    (tmp_path / "empty").mkdir()
    found, wrong = kept_seats(tmp_path)
    assert wrong == []
    assert [kept.folder for kept in found] == [folder_of(tmp_path, kept.about) for kept in found]
    assert [(int(kept.about.table[:16], 16), kept.about.seat) for kept in found] == [
        (4, 1),
        (2, 2),
        (2, 1),
        (3, 1),
        (1, 1),
    ]
    assert [int(kept.about.table[:16], 16) for kept in open_seats(tmp_path)] == [2, 3, 1]


def test_where_nothing_was_kept_nothing_is_found(tmp_path: Path) -> None:
    assert kept_seats(tmp_path / "nowhere") == ([], [])
    (tmp_path / "file").touch()
    found, wrong = kept_seats(tmp_path / "file")
    assert found == []
    assert "cannot be read" in wrong[0]


@pytest.mark.parametrize("state", [ENDED, LEFT])
def test_deck_seeds_do_not_outlive_the_seat(tmp_path: Path, state: str) -> None:
    seat = keep(tmp_path, ABOUT)
    set_state(seat, OPEN)
    assert [path.name for path in (seat / "seeds").iterdir()] == ["1"]
    set_state(seat, state)
    assert list((seat / "seeds").iterdir()) == []
    assert open_seats(tmp_path) == []


def test_old_seats_that_are_over_go_and_open_ones_stay(tmp_path: Path) -> None:
    for number in range(6):
        keep(tmp_path, table(number, state=(ENDED, LEFT)[number % 2]), age_s=number)
    for number, state in ((10, OPEN), (11, "of-a-later-version")):
        keep(tmp_path, table(number, state=state), age_s=100)
    prune(tmp_path, keep=4)
    assert {int(kept.about.table[:16], 16) for kept in kept_seats(tmp_path)[0]} == {0, 1, 2, 3, 10, 11}


def test_a_disk_that_is_full_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = keep(tmp_path, ABOUT)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sessions, "replace_private", refuse)
    with pytest.raises(LocalError, match="No space left") as caught:
        set_state(seat, ENDED)
    assert caught.value.code == "journal-unwritable"
    assert read_about(seat) == ABOUT
