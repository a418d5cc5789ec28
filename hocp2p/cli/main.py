"""``hocp2p``: runs a command and turns whatever went wrong into an exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from hocp2p.cli.commands import build_parser
from hocp2p.cli.console import is_unread
from hocp2p.cli.language import speak_early
from hocp2p.ui.lang import N_, _

TYPE_CHECKING = False
if TYPE_CHECKING:  # see hocp2p.cli.commands
    from typing import Final

    from hocp2p.cli.commands import Run

# Translators: each line but the first is two spaces, what is done, a colon, and the command as it is typed.
USAGE: Final = N_(
    """\
hocp2p: Hoc Mazarin, a French court card game, for two or three people who trust nobody
  play against two bots:    hocp2p host --bots 2
  host a table for three:   hocp2p host --seats 3
  join somebody's table:    hocp2p join HOST:PORT
  learn it in four minutes: hocp2p learn      (also: hocp2p rules, hocp2p --help)
"""
)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and gives its exit code; every error is one sentence on standard error.

    Args:
        argv: the arguments; None: those of the process.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # names that the terminal cannot show are no reason to stop
    speak_early(sys.argv[1:] if argv is None else argv, os.environ)
    try:
        flags = vars(build_parser().parse_args(argv))
        run: Run | None = flags.pop("run", None)
        if run is None:
            sys.stdout.write(_(USAGE))
            return 0
        code = run(flags)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # the one place where whatever went wrong becomes an exit code
        if is_unread(error):
            _drop_stdout()
            return 0
        return _explain(error)


def _explain(error: Exception) -> int:
    """One sentence for whatever ended a command, and its exit code."""
    from hocp2p.cli.exits import Exit, exit_of_error, report_bug, sentence
    from hocp2p.errors import HocError
    from hocp2p.record.paths import state_dir
    from hocp2p.ui.error_messages import translate_error

    if isinstance(error, HocError):
        sys.stderr.write(sentence(translate_error(error.message)) + "\n")
        return exit_of_error(error)
    sys.stderr.write(sentence(report_bug(error, state_dir())) + "\n")
    return Exit.BUG


def _drop_stdout() -> None:
    """Nobody reads our output any more: what is still in its buffer goes nowhere, quietly."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
