from __future__ import annotations

from pathlib import Path

import pytest

from hocp2p.players.net.network import read_net
from hocp2p.training.learning import curves_of
from hocp2p.training.tasks import AUCTIONS, PLAY, Task, list_tasks, run_task
from tests.support.small_training import TINY


def test_what_takes_longest_comes_first() -> None:
    assert [task.name for task in list_tasks((2, 3))] == ["play3", "play2", "auction3", "auction2"]
    assert list_tasks((2,), (AUCTIONS,)) == (Task(AUCTIONS, 2),)
    assert Task(PLAY, 3).file_name == "play3.npz"


@pytest.mark.parametrize("task", list_tasks((2,)), ids=lambda task: task.name)
def test_a_task_tells_how_far_it_is_and_what_it_has_learnt(task: Task, tmp_path: Path) -> None:
    told: list[tuple[float, str]] = []
    learning = run_task(task, tmp_path, 5, lambda share, line: told.append((share, line)), TINY)
    shares = [share for share, _ in told]
    assert shares == sorted(set(shares))
    assert (len(shares), shares[-1]) == (2 if task.kind == PLAY else 12, 1.0)
    assert all(line for _, line in told)
    assert (learning["seats"], learning["seed"]) == (2, 5)
    curves = curves_of({task.name: learning}, tmp_path)
    assert (len(curves.play), len(curves.auctions)) == ((1, 0) if task.kind == PLAY else (0, 6))
    assert (tmp_path / task.file_name).is_file()


def test_the_sizes_are_used(tmp_path: Path) -> None:
    run_task(Task(PLAY, 2), tmp_path, 5, lambda *_: None, TINY)
    with (tmp_path / "play2.npz").open("rb") as file:
        assert read_net(file, 2).bias.shape == (8,)
