"""Where the commands of the line mode come from: the standard input or a script, line by line, off the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Final, Protocol, cast

from hocp2p.cli.text_file import read_text
from hocp2p.errors import LocalError
from hocp2p.ui.lang import _

MAX_LINE_BYTES: Final = 4096
LINES_AHEAD: Final = 16


class _Raw(Protocol):
    def read(self, size: int = -1, /) -> bytes | None: ...


async def read_stdin() -> AsyncIterator[str]:
    """Lines of the standard input until its end.

    A thread reads, since a terminal of Windows cannot be waited for; it reads the raw file, whose lock does not keep
    the process from ending while nobody types.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    room = threading.Semaphore(LINES_AHEAD)

    def pump() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
            for line in _split(_raw_stdin()):
                room.acquire()
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=pump, name="stdin", daemon=True).start()
    while (line := await lines.get()) is not None:
        room.release()
        yield line


async def each_line(lines: Iterable[str]) -> AsyncIterator[str]:
    """Lines that we have already."""
    for line in lines:
        yield line


def load_script(path: Path) -> list[str]:
    """The lines of a script. Raises LocalError ``bad-script``."""
    try:
        return read_text(path).splitlines()
    except OSError as error:
        told = _("the script {path} cannot be read: {reason}").format(path=path, reason=error.strerror)
        raise LocalError("bad-script", told) from error
    except UnicodeDecodeError as error:
        raise LocalError("bad-script", _("the script {path} is not UTF-8 text").format(path=path)) from error


def _raw_stdin() -> _Raw:
    buffer = sys.stdin.buffer
    return cast("_Raw", getattr(buffer, "raw", buffer))


def _split(raw: _Raw) -> Iterator[str]:
    """Lines of a byte stream; one that is longer than ``MAX_LINE_BYTES`` is cut."""
    rest = b""
    while True:
        try:
            chunk = raw.read(MAX_LINE_BYTES)
        except OSError:  # a terminal that is gone
            chunk = b""
        if not chunk:
            break
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > MAX_LINE_BYTES:
            lines, rest = [*lines, rest], b""
        for line in lines:
            yield _decode(line)
    if rest:
        yield _decode(rest)


def _decode(line: bytes) -> str:
    """Without what a pipe of Windows may put around the text: the mark of UTF-8 and half of a line end."""
    return line.decode("utf-8", errors="replace").removeprefix("\ufeff").rstrip("\r")
