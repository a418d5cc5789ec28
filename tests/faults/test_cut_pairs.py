"""Three who are all linked to each other: the network of any two fails, and the session simply goes on."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Final

import pytest

from tests.support.homes import verify_ended_equally
from tests.support.mesh import Mesh, open_mesh

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

NAMES: Final = ("anna", "bruno", "carla")
PAIRS: Final = tuple(itertools.combinations(NAMES, 2))
GONE: Final = '"linked": false'
RELINKED_S: Final = 20.0  # at the latest, when a network is there again


def verify_plays(mesh: Mesh) -> None:
    assert not any("session_ended" in process.output for process in mesh.running.values())


def verify_end(mesh: Mesh) -> None:
    """The session has gone on as if nothing had happened."""
    for process in mesh.running.values():
        assert process.wait() == 0, process.errors
    ends = [process.events[-1] for process in mesh.running.values()]
    assert all(end == ends[0] for end in ends)
    assert ends[0]["event"] == "session_ended"
    verify_ended_equally(tuple(mesh.homes.values()), deals=3, seats=3)


def test_each_pair_is_cut_for_a_second(tmp_path: Path) -> None:
    with open_mesh(tmp_path, *NAMES, pace_s=0.03) as mesh:
        mesh.begin(deals=3)
        for pair in PAIRS:
            mesh.cut(*pair)
            time.sleep(1.0)
            mesh.mend(*pair)
            mesh.wait_for_links(pair, limit_s=RELINKED_S)
            verify_plays(mesh)
        verify_end(mesh)


def test_each_pair_is_without_network_for_half_a_minute_and_for_good(tmp_path: Path) -> None:
    """Half a minute for one pair after the other, so that for most of it nobody hears anybody; two fail in silence.

    Meanwhile three other sessions go on to their ends, in each of which a pair is cut for good.
    """
    with open_mesh(tmp_path / "while", *NAMES) as mesh:
        mesh.begin(deals=3)
        began_s = []
        for pair, fail in zip(PAIRS, (mesh.freeze, mesh.cut, mesh.freeze), strict=True):
            fail(*pair)
            began_s.append(time.monotonic())
            time.sleep(0.2)
        for pair in PAIRS:
            play_without(pair, tmp_path / "-".join(pair))
        for pair, since_s in zip(PAIRS, began_s, strict=True):
            time.sleep(max(0.0, since_s + 30.0 - time.monotonic()))
            mesh.mend(*pair)
        verify_plays(mesh)
        mesh.wait_for_links(limit_s=RELINKED_S)
        verify_end(mesh)


def play_without(pair: tuple[str, str], folder: Path) -> None:
    """A session in which two lose sight of each other: the third passes all on, and nobody is missed."""
    with open_mesh(folder, *NAMES) as mesh:
        mesh.begin(deals=3)
        mesh.cut(*pair)
        verify_plays(mesh)
        verify_end(mesh)
        assert not any(GONE in process.output for process in mesh.running.values())
