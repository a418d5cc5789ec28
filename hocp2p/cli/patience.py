"""A line at once, for those who look at a terminal while what a table needs is still being loaded."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from hocp2p.cli.console import is_terminal
from hocp2p.cli.language import speak
from hocp2p.cli.settings import read_settings
from hocp2p.record.paths import config_file
from hocp2p.ui.lang import N_, _

TYPE_CHECKING = False
if TYPE_CHECKING:  # see hocp2p.cli.commands
    from typing import Final

OPENING: Final = N_("Opening the table ...")
JOINING: Final = N_("Looking for the table ...")
RETURNING: Final = N_("Going back to the table ...")
PRACTISING: Final = N_("Laying out the practice table ...")


def ask_for_patience(flags: Mapping[str, object], told: str) -> None:
    """Says on standard error what is about to be done; nothing where nobody looks, or a program does.

    Args:
        flags: of the command.
        told: one of the above.

    Raises:
        LocalError: as ``read_settings``.
    """
    if not all(is_terminal(stream) for stream in (sys.stdin, sys.stdout, sys.stderr)):
        return
    settings = read_settings(flags, os.environ, config_file())
    speak(settings)
    if not settings.json:
        sys.stderr.write(_(told) + "\n")
        sys.stderr.flush()
