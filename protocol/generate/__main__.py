"""``python -m protocol.generate [--check | --verify FILE]``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from protocol.generate.faults import Fault
from protocol.generate.record import verify_record


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 when everything holds, 1 when something does not."""
    parser = argparse.ArgumentParser(prog="python -m protocol.generate", description="Writes the test vectors.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="compare with what is there instead of writing")
    choice.add_argument("--verify", metavar="FILE", type=Path, help="verify a recorded session")
    chosen = parser.parse_args(arguments)
    if chosen.verify is not None:
        return _verify(chosen.verify)
    from protocol.generate.vectors import differing, write  # the vectors take a while to load

    if not chosen.check:
        write()
        return 0
    different = differing()
    for name in different:
        print(f"{name} is not what the generator writes", file=sys.stderr)
    return 1 if different else 0


def _verify(path: Path) -> int:
    try:
        sessions = verify_record(path.read_bytes())
    except Fault as fault:
        print(f"refused: {fault}", file=sys.stderr)
        return 1
    for session in sessions:
        print(f"table {session.table.hex()}, {session.seats} seats: {session.standing()}")
        for what, count in session.checked.items():
            print(f"{count:6} {what}")
        print(f"       balances {session.balances}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
