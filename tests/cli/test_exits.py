"""Exit codes and sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocp2p.cli.exits import Exit, exit_of_error, exit_of_stop, report_bug, sentence
from hocp2p.errors import (
    CryptoError,
    HocError,
    LinkError,
    LocalError,
    NotationError,
    PeerError,
    RefusedError,
    RuleError,
    WireError,
)
from hocp2p.table.events import TableStopped


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (LocalError("bad-setting"), 2),
        (LocalError("identity-permissions"), 2),
        (LocalError("script-refused"), 2),
        (RuleError("bad-deals"), 2),
        (NotationError("bad-card"), 2),
        (LinkError("unreachable"), 3),
        (LinkError("port-in-use"), 3),
        (LinkError("no-such-host"), 3),
        (LinkError("key-mismatch"), 4),
        (RefusedError("full"), 5),
        (RefusedError("anything"), 5),
        (RefusedError("closed"), 7),
        (LinkError("lost"), 6),
        (PeerError(1, "deck 2/3", "bad-proof"), 7),
        (CryptoError("bad-proof"), 7),
        (WireError("bad-frame"), 7),
    ],
)
def test_codes_of_errors(error: HocError, code: int) -> None:
    assert exit_of_error(error) == code


@pytest.mark.parametrize(
    ("code", "number"),
    [
        ("left", 0),
        ("full", 5),
        ("version", 5),
        ("same-key", 5),
        ("host-gone", 6),
        ("seat-lost", 6),
        ("cut-off", 6),
        ("closed", 7),
        ("bad-proof", 7),
    ],
)
def test_codes_of_stopped_tables(code: str, number: int) -> None:
    assert exit_of_stop(TableStopped(code, "why")) == number


def test_the_codes_are_those_of_the_manual() -> None:
    assert [int(code) for code in Exit] == [0, 1, 2, 3, 4, 5, 6, 7, 130]


def test_a_sentence_cannot_steer_the_terminal() -> None:
    assert sentence("Bruno\x1b[2J\nis gone") == "hocp2p: Bruno?[2J?is gone"


def failure() -> BaseException:
    hidden = "-".join(["do", "not", "tell"])
    try:
        raise ValueError(f"some bug, {len(hidden)}")
    except ValueError as error:
        return error


def test_a_bug_is_kept_in_a_file(tmp_path: Path) -> None:
    said = report_bug(failure(), tmp_path / "state")
    (report,) = (tmp_path / "state").iterdir()
    assert said == f"this is a bug (ValueError); please send in the report {report}"
    text = report.read_text()
    assert "Traceback" in text
    assert "some bug" in text
    assert "do-not-tell" not in text


def test_a_bug_that_cannot_be_kept_is_told_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    said = report_bug(failure(), tmp_path / "state")
    assert said.startswith("this is a bug (ValueError); no report of it could be kept in ")
    assert "\n" not in said
