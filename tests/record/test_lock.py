"""The lock between processes is one per file, and dies with its holder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hocp2p.errors import LocalError
from hocp2p.record.lock import hold_lock

HOLDER = """
import sys
from pathlib import Path
from hocp2p.record.lock import hold_lock
with hold_lock(Path(sys.argv[1])) as held:
    print(held, flush=True)
    sys.stdin.read()
"""


def start_holder(path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def test_a_second_holder_gets_nothing_until_the_first_is_done(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with hold_lock(path) as first:
        assert first
        with hold_lock(path) as second:
            assert not second
    with hold_lock(path) as third:
        assert third


def test_a_process_that_is_killed_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with start_holder(path) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        with hold_lock(path) as held:
            assert not held
        holder.kill()
    with hold_lock(path) as held:
        assert held


def test_a_lock_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    with pytest.raises(LocalError) as caught, hold_lock(tmp_path / "nowhere" / "lock"):
        pass
    assert caught.value.code == "lock-unusable"
    assert "nowhere" in caught.value.message
