"""What the layers log goes to a file in the state directory and never to the screen. They log no secrets."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

LOG_BYTES: Final = 256 * 1024
LOGS_KEPT: Final = 3
LOGGERS: Final = ("hocp2p", "asyncio", "websockets")


@contextlib.contextmanager
def keep_log(folder: Path) -> Iterator[None]:
    """Sends all that is logged in the block to ``hocp2p.log`` in ``folder``, or nowhere when that cannot be written."""
    handler = _open_log(folder)
    loggers = [logging.getLogger(name) for name in LOGGERS]
    for logger in loggers:
        logger.addHandler(handler)
        logger.propagate = False
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
            logger.propagate = True
        handler.close()


def _open_log(folder: Path) -> logging.Handler:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / "hocp2p.log"
        path.touch(mode=0o600)
        handler = _Quiet(path, maxBytes=LOG_BYTES, backupCount=LOGS_KEPT, encoding="utf-8")
    except OSError:
        return logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s %(message)s"))
    return handler


class _Quiet(RotatingFileHandler):
    """A full disk is no reason to write over the screen."""

    def doRollover(self) -> None:  # noqa: N802 - logging's name
        """Where another hocp2p writes to the file, Windows does not let us move it: then it grows."""
        try:
            super().doRollover()
        except OSError:
            self.stream = self._open()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """What cannot be written is lost."""
