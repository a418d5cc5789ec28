"""``hocp2p`` in processes that kill themselves, at moments when a power cut would hurt most.

``python -m tests.support.dying MOMENT ARGUMENTS`` runs ``hocp2p ARGUMENTS`` once and kills it at a moment:

- ``game-before``: its next own envelope in the game is about to be kept, but for the one that follows our word;
- ``game-torn``: half of the record is in the journal;
- ``game-kept``: the envelope is on the disk and nobody has got it;
- ``word-before``, ``word-torn``, ``word-kept``: the same of its word for the table, with which the game begins;
- ``aside-before``, ``aside-torn``, ``aside-kept``: of what is said outside the agreed history (addresses, talk);
- ``vote-...``: of its vote to go on without a seat; ``claim-...``: of its claim that a seat is lost;
- ``word-kept:2`` and the like: at the second of its kind, here its word for the table that goes on after a loss;
- ``never``.

``python -m tests.support.dying every ARGUMENTS`` lets ``hocp2p ARGUMENTS`` live, and then ``hocp2p resume`` again and
again (the same as before where no seat is kept yet). Every life is a process of its own that ends with SIGKILL: first
at the moments of the word and of an aside, then at every envelope of every seat that plays in it, once when nothing of
it is kept (``before`` and ``torn`` by turns) and once when it is. The life in which nothing more is signed ends by
itself; its exit code is ours. The last line on standard error is ``lives N``. With ``every:60`` the life after so many
is not ended.

In the environment, ``HOCP2P_TEST_HOLD_S`` is how many seconds a seat that is not heard is waited for, and
``HOCP2P_TEST_RETRY_S`` how many pass between two attempts to link: who is killed a hundred times is not to be waited
for longer and longer. With ``HOCP2P_TEST_UNTOLD`` the others are not told where this process listens, so that all
links go by the address that was given on the command line.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import chain, cycle, islice
from typing import Final, NoReturn

from hocp2p.cli import main as cli
from hocp2p.cli import play  # noqa: F401 # imported once, before the forks
from hocp2p.crypto.identity import Identity
from hocp2p.net.address import Address
from hocp2p.net.dialling import dial as dial_as_usual
from hocp2p.net.link import Link
from hocp2p.net.listening import Listener
from hocp2p.net.tls import Trust
from hocp2p.record.journal import Journal
from hocp2p.record.paths import sessions_dir
from hocp2p.record.sessions import open_seats
from hocp2p.session import linking, unheard, ways
from hocp2p.session.runner import SeatRunner
from hocp2p.table.agreement import SETUP_TRACK
from hocp2p.table.asides import TALK_TRACK
from hocp2p.table.effects import ENVELOPE
from hocp2p.table.losses import LOSS_TRACK
from hocp2p.wire.envelope import decode_envelope
from hocp2p.wire.messages import Vote, decode_message

MOMENTS: Final = ("before", "torn", "kept")
MAX_KILLS: Final = 3000
MAX_LIFE_S: Final = 240.0
HOLD: Final = "HOCP2P_TEST_HOLD_S"
UNTOLD: Final = "HOCP2P_TEST_UNTOLD"
RETRY: Final = "HOCP2P_TEST_RETRY_S"
PORT: Final = "HOCP2P_TEST_PORT"
WAYS: Final = "HOCP2P_TEST_WAYS"

_keep, _sync = Journal.keep, Journal.sync
_open_listener = ways.open_listener


def _die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    while True:  # until it has come
        time.sleep(1)


def die_at(moment: str) -> None:
    """From now on this process dies at ``moment``."""

    what, _, number = moment.partition(":")
    kind_meant, _, when = what.partition("-")
    left = int(number or 1)
    spared: list[str] = []

    def keep(journal: Journal, kind: int, payload: bytes) -> None:
        nonlocal left
        kind_of_ours = _kind_of_ours(journal, kind, payload)
        # Our word and the first envelope after it may be kept together and sent after that: who died there at every
        # table would never be heard to have given his word.
        if kind_of_ours == "word":
            spared.append("game")
        elif kind_of_ours in spared:
            spared.remove("game")
            kind_of_ours = None
        left -= kind_of_ours == kind_meant
        if kind_of_ours != kind_meant or left > 0:
            _keep(journal, kind, payload)
            return
        if when == "before":
            _die()
        _sync(journal)
        whole_bytes = journal._path.stat().st_size
        _keep(journal, kind, payload)
        _sync(journal)
        if when == "torn":
            os.truncate(journal._path, (whole_bytes + journal._path.stat().st_size) // 2)
        _die()

    Journal.keep = keep  # type: ignore[method-assign, assignment] # it is what this module is for


def _kind_of_ours(journal: Journal, kind: int, payload: bytes) -> str | None:
    """What an own envelope of the seat is: ``word``, ``game``, ``aside``, ``vote`` or ``claim``; None: it is none."""
    if kind != ENVELOPE:
        return None
    envelope = decode_envelope(payload)
    if envelope.seat != int(journal.folder.name.rpartition("-")[2]):
        return None
    if envelope.track == LOSS_TRACK:
        return "claim"
    if envelope.track == TALK_TRACK:
        return "vote" if isinstance(decode_message(envelope.body), Vote) else "aside"
    return "word" if envelope.track == SETUP_TRACK else "game"


def live(moment: str, arguments: Sequence[str]) -> int:
    """Runs ``hocp2p`` until ``moment``, in this process; the exit code where it does not come."""
    if (hold_s := os.environ.get(HOLD)) is not None:
        unheard.GIVE_UP_S = float(hold_s)  # type: ignore[misc] # nobody has 90 s in a test
    if (retry_s := os.environ.get(RETRY)) is not None:
        linking.DELAYS_S = (0.0, float(retry_s))  # type: ignore[misc, assignment] # as above
    if UNTOLD in os.environ:
        SeatRunner.be_reachable = lambda _runner, _addresses: None  # type: ignore[method-assign, assignment] # as above
    if (port := os.environ.get(PORT)) is not None:
        _listen_at(int(port))
    if (given := os.environ.get(WAYS)) is not None:
        _dial_by({int(told): int(dialled) for told, dialled in (pair.split("=") for pair in given.split())})
    if moment != "never":
        die_at(moment)
    return cli.main(arguments)


def _listen_at(port: int) -> None:
    """A guest of this process, who lets the system choose a port, gets this one."""

    async def open_listener(
        runner: SeatRunner, identity: Identity, paths: ways.Paths, stack: AsyncExitStack
    ) -> Listener:
        return await _open_listener(runner, identity, replace(paths, port=port), stack)

    ways.open_listener = open_listener


def _dial_by(ports: dict[int, int]) -> None:
    """Who is to be dialled at one of these ports is dialled at the other."""

    async def dial(address: Address, trust: Trust, *, via: str | None = None) -> Link:
        return await dial_as_usual(Address(address.host, ports.get(address.port, address.port)), trust, via=via)

    ways.dial = dial  # type: ignore[assignment, attr-defined] # not by all that the usual one takes


def live_again_and_again(arguments: Sequence[str], kills: int) -> int:
    """See the module. Raises RuntimeError where it comes to no end, ``kills`` being enough for one."""
    face = [word for word in ("--plain", "--json") if word in arguments]
    level = arguments[arguments.index("--autopilot") + 1] if "--autopilot" in arguments else None
    back = ["resume", *face, *(["--autopilot", level] if level is not None else [])]
    words = list(arguments)
    for lives, moment in enumerate(chain(islice(moments(), kills), ["never"]), start=1):
        code = _in_child(moment, words)
        if code != -signal.SIGKILL:
            sys.stderr.write(f"lives {lives}\n")
            return code
        words = back if open_seats(sessions_dir()) else list(arguments)
    raise RuntimeError("the session comes to no end")


def moments() -> Iterator[str]:
    """At which moments one life after the other ends."""
    words, asides = ([f"{kind}-{moment}" for moment in MOMENTS] for kind in ("word", "aside"))
    return chain(words, asides, cycle(("game-before", "game-kept", "game-torn", "game-kept")))


def _in_child(moment: str, arguments: Sequence[str]) -> int:
    """Exit code of a life, or minus the signal that ended it. Raises RuntimeError where it does not end."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            signal.alarm(int(MAX_LIFE_S))
            code = live(moment, arguments)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    (chosen, _, kills), given = sys.argv[1].partition(":"), sys.argv[2:]
    if chosen == "every":
        sys.exit(live_again_and_again(given, int(kills or MAX_KILLS)))
    sys.exit(live(sys.argv[1], given))
