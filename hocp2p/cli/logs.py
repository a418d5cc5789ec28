"""What the layers log goes to a file in the state directory and never to the screen. They log no secrets."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

LOG_BYTES: Final = 256 * 1024
LOGS_KEPT: Final = 3


def start_log(folder: Path) -> None:
    """Sends all that the package logs to ``hocp2p.log`` in ``folder``, or nowhere when that cannot be written."""
    handler: logging.Handler
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / "hocp2p.log"
        path.touch(mode=0o600)
        handler = RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=LOGS_KEPT, encoding="utf-8", delay=True)
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s %(message)s"))
    logger = logging.getLogger("hocp2p")
    logger.handlers = [handler]
    logger.propagate = False
    logger.setLevel(logging.INFO)
    logging.getLogger("asyncio").handlers = [handler]
    logging.getLogger("asyncio").propagate = False
    logging.raiseExceptions = False  # a full disk is no reason to write over the screen
