"""Training in processes of its own, a process for each piece, some at a time; nothing outlives the command."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from multiprocessing.process import BaseProcess
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from typing import Any, NamedTuple

from hocp2p.errors import LocalError
from hocp2p.session.workers import begin_process
from hocp2p.training.tasks import Sizes, Task, run_task
from hocp2p.ui.lang import _


class Told(NamedTuple):
    """How far a task is.

    Args:
        share: of it that is done, 0 to 1.
        note: a line about it, or empty.
    """

    share: float
    note: str


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a task: what is kept of it in ``learning.json``."""

    learning: dict[str, Any]


def train_all(
    tasks: Sequence[Task], folder: Path, seed: int, sizes: Sizes, jobs: int, tell: Callable[[Task, Told], None]
) -> Generator[tuple[Task, dict[str, Any]], None, None]:
    """Trains every task, and gives each as soon as its file is written. Closing it ends the processes.

    Args:
        tasks: begun in this order.
        folder: where the files are written; it exists.
        seed: of everything; no task depends on another, or on when it is done.
        sizes: how much is trained.
        jobs: processes at a time.
        tell: is called when a task has something to say.

    Raises:
        LocalError: ``training-ended``: somebody has killed a process; whatever else a task raises.
    """
    context = multiprocessing.get_context("spawn")  # numpy is imported anew, in one thread; the same on every system
    waiting = deque(tasks)
    running: dict[Any, tuple[Task, BaseProcess]] = {}  # by pipe, which is of another class on Windows
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                task = waiting.popleft()
                ours, theirs = context.Pipe(duplex=False)
                begun = context.Process(target=_work, args=(task, folder, seed, sizes, theirs), daemon=True)
                with _interrupts_held():
                    begun.start()
                theirs.close()
                running[ours] = task, begun
            heard = wait_for(list(running))
            for pipe in [each for each in running if each in heard]:
                task, process = running[pipe]
                told = _receive(pipe, task, process)
                if isinstance(told, Told):
                    tell(task, told)
                    continue
                process.join()
                pipe.close()
                del running[pipe]
                yield task, told.learning
    finally:
        for pipe, (_task, process) in running.items():
            process.terminate()
            process.join()
            pipe.close()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C is heeded when this is over, and never by a process begun meanwhile: it goes to all of them, and the
    first ends the others. Where there are no masks a process heeds it until it is at work.
    """
    if sys.platform == "win32":
        yield
        return
    ensure_running()  # which would lift the mask if multiprocessing did it only now
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _receive(pipe: Connection, task: Task, process: BaseProcess) -> Told | Done:
    try:
        told: Told | Done | Exception = pipe.recv()
    except EOFError:
        process.join()
        text = _("the training of {name} was ended from outside (exit code {code})")
        raise LocalError("training-ended", text.format(name=task.name, code=process.exitcode)) from None
    if isinstance(told, Exception):
        raise told
    return told


def _work(task: Task, folder: Path, seed: int, sizes: Sizes, pipe: Connection) -> None:
    """The life of a process."""
    begin_process()
    try:
        learning = run_task(task, folder, seed, lambda share, note: pipe.send(Told(share, note)), sizes)
        pipe.send(Done(learning))
    except BrokenPipeError:  # nobody waits for it any more
        os._exit(1)
    except Exception as error:  # told where somebody can be told of it
        error.add_note(traceback.format_exc())
        pipe.send(error)
