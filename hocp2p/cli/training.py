"""A run of ``hocp2p train``: pieces are trained beside each other, and each file takes its place when it is whole."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hocp2p.cli.bar import Bar
from hocp2p.cli.training_processes import Told, train_all
from hocp2p.errors import LocalError
from hocp2p.training.learning import FILE_NAME, Learning, read_learning
from hocp2p.training.tasks import Sizes, Task
from hocp2p.ui.lang import _
from hocp2p.ui.names import labelled, listed

STEPS: Final = 1000  # of the bar, a task


@dataclass(frozen=True, slots=True)
class Trained:
    """What a run has written.

    Args:
        sizes_bytes: by task, the size of its file.
        learning: by name of the task, what is kept of it.
        taken_s: how long the run took.
    """

    sizes_bytes: dict[Task, int]
    learning: Learning
    taken_s: float


def train(out: Path, tasks: Sequence[Task], seed: int, jobs: int, sizes: Sizes, *, force: bool = False) -> Trained:
    """Trains and writes the weights, and ``learning.json``, in which what earlier runs told of other tasks stays.

    Args:
        out: the folder, which is made if need be.
        tasks: what is trained.
        seed: of everything.
        jobs: processes at work at most.
        sizes: how much is trained.
        force: whether files may be written where there are some already, and over those of the same name.

    Raises:
        LocalError: ``folder-in-use``, ``folder-unwritable``; ``bad-learning`` for the ``learning.json`` that is there.
    """
    began_s = time.monotonic()
    with _folder(out, force=force) as unfinished:
        kept = read_learning(out / FILE_NAME) if (out / FILE_NAME).exists() else {}
        progress = _Progress(len(tasks))
        sizes_bytes: dict[Task, int] = {}
        learning: Learning = {}
        try:
            with closing(train_all(tasks, unfinished, seed, sizes, jobs, progress.show)) as trained:
                for task, told in trained:
                    learning[task.name] = told
                    (unfinished / FILE_NAME).write_text(_format(kept | learning), encoding="utf-8")
                    for name in (task.file_name, FILE_NAME):
                        (unfinished / name).replace(out / name)
                    sizes_bytes[task] = (out / task.file_name).stat().st_size
        finally:
            progress.clear()
    return Trained(sizes_bytes, learning, time.monotonic() - began_s)


class _Progress:
    """All tasks on one line: how much of them together is done, and what each has told last."""

    def __init__(self, tasks: int) -> None:
        self._bar = Bar(STEPS * tasks, sys.stderr)
        self._shares: dict[Task, float] = {}
        self._notes: dict[Task, str] = {}

    def show(self, task: Task, told: Told) -> None:
        """One of them has told something."""
        self._shares[task] = told.share
        if told.note:
            self._notes[task] = told.note
        running = (task for task, share in self._shares.items() if share < 1)
        notes = listed(labelled(task.name, self._notes[task]) for task in running if task in self._notes)
        self._bar.show(max(1, int(STEPS * sum(self._shares.values()))), notes)

    def clear(self) -> None:
        """Takes it away."""
        self._bar.clear()


@contextmanager
def _folder(out: Path, *, force: bool) -> Iterator[Path]:
    """A folder inside ``out`` for files that are not whole yet; ``out`` is made, and unmade if nothing comes of it."""
    if out.exists() and not out.is_dir():
        raise LocalError("folder-in-use", _("{path} is no folder").format(path=out))
    new = not out.exists()
    try:
        if not new and not force and any(out.iterdir()):
            told = _(
                "there are files in {path} already; choose another folder with --out, or write over them by --force"
            )
            raise LocalError("folder-in-use", told.format(path=out))
        out.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".unfinished-", dir=out) as name:
            yield Path(name)
    except OSError as error:
        told = _("{path} cannot be written: {reason}").format(path=out, reason=error.strerror)
        raise LocalError("folder-unwritable", told) from error
    finally:
        if new:
            with suppress(OSError):  # there is something in it, or it never was
                out.rmdir()


def _format(learning: dict[str, Any]) -> str:
    return json.dumps(dict(sorted(learning.items())), indent=1) + "\n"
