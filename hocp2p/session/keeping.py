"""What a seat must not forget, on its way to the disk: the table's effects to the journal, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from hocp2p.errors import LocalError, WireError
from hocp2p.record.journal import Journal
from hocp2p.record.sessions import ENDED, LEFT, OPEN, About, folder_of, prune, read_about, set_state, write_about
from hocp2p.table.effects import ENVELOPE, HAND, PROPOSAL, Begin, Effect, ForgetSeed, KeepSeed, Persist, Redescribe
from hocp2p.table.memory import Memory, decode_hand
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.table.terms import Terms, read_proposal
from hocp2p.wire.frames import Proposal, decode_frame

Describe = Callable[[Terms, int], About]
"""What is written about a seat beside its journal: terms and our seat to the description."""


class Keeper(Protocol):
    """Where a ``SeatRunner`` keeps what brings its seat back. Called from a worker thread, one call at a time."""

    def keep(self, effects: Sequence[Effect]) -> None:
        """Returns when what must not be forgotten is on the disk. Raises LocalError where it cannot be."""

    def close(self, last: TableSnapshot) -> None:
        """The seat goes; ``last`` is how it stood."""


class SessionKeeper:
    """Keeps every table that a seat plays at, each in a folder of its own.

    Args:
        sessions: the folder of all seats.
        describe: see ``Describe``.
        journal: of the table to which we come back; None: it is begun with the first.
        seat: the terms of that table and our seat there.
    """

    def __init__(
        self,
        sessions: Path,
        describe: Describe,
        journal: Journal | None = None,
        seat: tuple[Terms, int] | None = None,
    ) -> None:
        self._sessions = sessions
        self._describe = describe
        self._journal = journal
        self._seat = seat
        self._begun: tuple[About, Journal | None] | None = None  # a table that we sign for just now, and that before

    def keep(self, effects: Sequence[Effect]) -> None:
        """See ``Keeper``."""
        urgent = False
        for effect in effects:
            if isinstance(effect, Begin):
                self._begin(effect)
            elif self._journal is None:
                continue
            elif isinstance(effect, Persist):
                self._journal.keep(effect.kind, effect.payload)
                urgent = urgent or effect.ours
            elif isinstance(effect, KeepSeed):
                self._journal.keep_seed(effect.track, effect.seed)
            elif isinstance(effect, Redescribe):
                self._redescribe(self._journal)
        if self._journal is None:
            return
        forgotten = [effect.track for effect in effects if isinstance(effect, ForgetSeed)]
        if urgent or forgotten:
            self._journal.sync()
        if self._begun is not None:
            self._enter(self._journal, *self._begun)
        for track in forgotten:
            self._journal.forget_seed(track)

    def _begin(self, begun: Begin) -> None:
        """Another table. Until our word for it is on the disk there is no seat to come back to, but that before."""
        self._seat = read_terms(begun.proposal), begun.seat
        about = self._describe(*self._seat)
        journal = Journal.create(folder_of(self._sessions, about))
        self._begun, self._journal = (about, self._journal), journal
        journal.keep(PROPOSAL, begun.proposal)

    def _enter(self, journal: Journal, about: About, before: Journal | None) -> None:
        """From here on one comes back to the new table; that before is over, or the session goes on at this one."""
        write_about(journal.folder, about)
        self._begun = None
        if before is not None:
            before.close()
            set_state(before.folder, ENDED)
        prune(self._sessions)

    def _redescribe(self, journal: Journal) -> None:
        if self._seat is not None and self._begun is None:
            since = read_about(journal.folder).since
            write_about(journal.folder, replace(self._describe(*self._seat), since=since))

    def close(self, last: TableSnapshot) -> None:
        """See ``Keeper``."""
        if last.stage is Stage.ENDED:
            self._end(ENDED if last.settled else OPEN)
        elif last.stopped is not None and last.stopped.code != "journal-unwritable":
            self._end(LEFT)
        else:
            self._end(OPEN)

    def _end(self, state: str) -> None:
        (_, before), self._begun = self._begun or (None, None), None
        if before is not None:  # what was to come after it could not be kept
            before.close()
        journal, self._journal = self._journal, None
        if journal is not None:
            journal.close()
            if state != OPEN:
                set_state(journal.folder, state)


def read_terms(proposal: bytes) -> Terms:
    """The terms of a kept proposal. Raises LocalError ``journal-damaged``."""
    try:
        frame = decode_frame(proposal)
    except WireError as error:
        raise LocalError("journal-damaged", "the journal does not hold the proposal of its table") from error
    if not isinstance(frame, Proposal):
        raise LocalError("journal-damaged", "the journal does not hold the proposal of its table")
    return read_proposal(frame, proposal)


def read_memory(journal: Journal) -> tuple[Terms, Memory]:
    """What a journal holds of its table. Raises LocalError ``journal-damaged``."""
    records = journal.records()
    if not records or records[0][0] != PROPOSAL:
        raise LocalError("journal-damaged", "the journal does not begin with the proposal of its table")
    envelopes = tuple(payload for kind, payload in records if kind == ENVELOPE)
    hands = dict(decode_hand(payload) for kind, payload in records if kind == HAND)
    return read_terms(records[0][1]), Memory(envelopes, journal.seeds(), hands)
