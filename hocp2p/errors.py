"""Every error that crosses a layer. A peer can be wrong, we can be wrong, a link can be wrong.

Anything that is none of these is a bug. ``code`` is a short stable word (kebab-case) that tests, records and the
specification share; the message is one sentence for a person.
"""

from __future__ import annotations


class HocError(Exception):
    """Base of all documented errors.

    Args:
        code: stable kebab-case word, for machines.
        message: one sentence for a person; never holds a secret.
    """

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message or code)
        self.code = code
        self.message = message or code


class RuleError(HocError):
    """An action that the rules (or its form) do not allow at this point."""


class NotationError(HocError):
    """Text that is not in the notation of the rules (RULES 7, see ``hocp2p.game``)."""


class CryptoError(HocError):
    """A proof, point, scalar or signature that does not hold. Says nothing about who sent it."""


class WireError(HocError):
    """Bytes that are not a well-formed frame, envelope or message."""


class PeerError(HocError):
    """A seat broke the protocol.

    Args:
        seat: who.
        step: where, as ``track/step`` text, for instance ``deck 2/3``.
        code, message: as in :class:`HocError`.
        evidence: the signed envelopes that prove it, as received; empty where it cannot be proved to others.
    """

    def __init__(self, seat: int, step: str, code: str, message: str = "", evidence: tuple[bytes, ...] = ()) -> None:
        super().__init__(code, message)
        self.seat = seat
        self.step = step
        self.evidence = evidence


class LocalError(HocError):
    """We asked for something that cannot be done; the state is unchanged."""


class LinkError(HocError):
    """A link failed. Nobody's fault."""


class RefusedError(HocError):
    """The other side will not have us: table full, other version, closed. Exit code 5."""
