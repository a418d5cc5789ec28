"""``hocp2p rules``: the rules as text, a page at a time where somebody sits at a terminal."""

from __future__ import annotations

import pydoc
import shutil
import sys
from typing import Final

from hocp2p.cli.faces import is_terminal
from hocp2p.ui.rulebook import format_rulebook

MAX_WIDTH: Final = 100


def show_rules() -> int:
    """Prints the rules. Raises BrokenPipeError when nobody reads them to the end."""
    text = format_rulebook(min(shutil.get_terminal_size().columns, MAX_WIDTH))
    if is_terminal(sys.stdin) and is_terminal(sys.stdout):
        pydoc.pager(text)
    else:
        sys.stdout.write(text)
    return 0
