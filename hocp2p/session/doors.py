"""The ways to a seat: where it listens, what of that reaches whom, and the invite that says it in one word."""

from __future__ import annotations

from hocp2p.crypto.identity import Identity
from hocp2p.net.address import Address
from hocp2p.net.certificate import make_certificate
from hocp2p.net.invite import SECRET_BYTES, Invite, format_invite
from hocp2p.table.snapshot import Way


class Doors:
    """The open ways to one seat.

    Args:
        identity: ours; the invite pins its certificate.
        ways: what is open, the best first; not empty.
        port: where we listen.
    """

    def __init__(self, identity: Identity, ways: list[tuple[Way, Address]], port: int) -> None:
        self._pin = make_certificate(identity.seed()).pin
        self.port = port
        self._ways = ways
        self._notes: tuple[Way, ...] = ()  # ways that are not open, and why

    def note(self, kind: str, why: str) -> None:
        """Says why a way is not open."""
        self._notes = (*self._notes, Way(kind, "", why))

    def add(self, way: Way, address: Address) -> None:
        """A better way than those before."""
        self._ways.insert(0, (way, address))

    def remove(self, way: Way) -> None:
        """A way is not open any more."""
        self._ways = [each for each in self._ways if each[0] != way]

    @property
    def ways(self) -> tuple[Way, ...]:
        """What is open, the best first."""
        return (*(way for way, _ in self._ways), *self._notes)

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where we can be dialled, the best first."""
        return tuple(dict.fromkeys(address for _, address in self._ways))

    @property
    def address(self) -> str:
        """The best way, as it is shown and typed."""
        return next((way.address for way in self.ways), "")

    def invite(self, secret: bytes | None) -> str:
        """The best way as an invite; empty where no address can be written into one.

        Args:
            secret: 10 bytes; None: nobody needs one, or we do not host, and the invite has zeroes there.
        """
        for _, address in self._ways:
            if "%" not in address.host:
                return format_invite(Invite(address, self._pin, secret or bytes(SECRET_BYTES)))
        return ""
