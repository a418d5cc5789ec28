"""The guest's side: greets, waits in the lobby, checks the proposal before anything is signed."""

from __future__ import annotations

from hocp2p.errors import CryptoError, WireError
from hocp2p.game.house import Rules
from hocp2p.table.effects import Effect, HangUp, Send
from hocp2p.table.peer import Me, Peer
from hocp2p.table.snapshot import AnotherWanted, RulesChanged, SeatFreed, SeatTaken, TableStopped
from hocp2p.table.table import HOST
from hocp2p.table.terms import read_proposal, rules_from_pairs
from hocp2p.wire.frames import (
    PROTOCOL_VERSION,
    Again,
    Chair,
    Hello,
    LobbyView,
    Proposal,
    Refusal,
    Sealed,
    decode_frame,
    decode_refusal,
    encode_frame,
)


class GuestPeer(Peer):
    """A peer who dials a host.

    Args:
        me: who we are.
        address: the host's, for the screen.
    """

    def __init__(self, me: Me, address: str) -> None:
        super().__init__(me, Rules(), address)
        self._nonce = b""  # of our last greeting
        self._host: int | None = None
        self._proposed: set[bytes] = set()  # ids of the tables that we have sat down at

    def link_opened(self, link: int) -> list[Effect]:
        """Greets the host."""
        self._host = link
        self._greet(link)
        return self._drain()

    def _greet(self, link: int) -> None:
        me = self.me
        self._nonce = me.randomness(32)
        hello = Hello(PROTOCOL_VERSION, me.identity.public, me.name, me.bot_level, me.owner, self._nonce)
        self._effects.append(Send(encode_frame(hello), to=link))

    def link_closed(self, link: int) -> list[Effect]:
        """Without the host there is no table."""
        if link == self._host and self._ended:
            self._left = True
        elif link == self._host:
            self._stop(TableStopped("host-gone", "the connection to the host is down; the table cannot go on"))
        return self._drain()

    def receive(self, link: int, data: bytes) -> list[Effect]:
        """The lobby's news, the proposal, envelopes; or a refusal."""
        try:
            self._take(link, data)
        except (WireError, CryptoError) as error:
            self._effects.append(HangUp(link, error.message))
            self._stop(TableStopped("bad-host", f"the host sent what is no message of hocp2p: {error.message}"))
        return self._drain()

    def _take(self, link: int, data: bytes) -> None:
        refusal = _as_refusal(data)
        if refusal is not None:
            self._stop(TableStopped(refusal.code, refusal.message))
            return
        frame = decode_frame(data)
        match frame:
            case LobbyView():
                self._enter_lobby(frame)
            case Proposal():
                self._consider(frame, data)
            case Sealed(envelope) if self.table is not None:
                self.table.receive(envelope, link)
            case Again(seat):
                if self._ended and seat not in self._again and seat != self._our_seat:
                    self._again.add(seat)
                    self._notify([AnotherWanted(seat)])
            case Sealed():
                return  # of a table that fell apart before it began
            case _:
                raise WireError("unexpected-frame", f"a {type(frame).__name__} from the host")

    def _enter_lobby(self, lobby: LobbyView) -> None:
        if self.table is not None and self.table.begun and not self._ended:
            raise WireError("unexpected-frame", "a lobby in the middle of a game")
        if self._ended and self._host is not None:
            self._greet(self._host)  # another session: a new table, a new nonce
            self._chairs = ()
        self.table = None
        self._again.clear()
        self.title = lobby.title
        rules, before_rules = rules_from_pairs(lobby.rules), self.rules
        self.rules = rules
        if self._our_seat is not None and rules != before_rules:
            self._notify([RulesChanged(rules)])
        self._our_seat = lobby.your_seat
        before, self._chairs = self._chairs, lobby.chairs
        free = Chair(b"", "", "", "")
        for seat, chair in enumerate(lobby.chairs):
            old = before[seat] if seat < len(before) else free
            if chair.key != old.key:
                self._notify([SeatTaken(seat, chair.name) if chair.key else SeatFreed(seat, old.name)])

    def _consider(self, proposal: Proposal, encoded: bytes) -> None:
        """Takes a proposal that has us in it, with the nonce of our own greeting, under our own key, as a guest."""
        if self.table is not None and self.table.begun:
            raise WireError("unexpected-frame", "a proposal in the middle of a game")
        terms = read_proposal(proposal, encoded)
        ours = [seat for seat, chair in enumerate(terms.seats) if chair.key == self.me.identity.public]
        if len(ours) != 1 or ours[0] == HOST or terms.seats[ours[0]].nonce != self._nonce:
            raise WireError("not-us", "the proposal does not have us in it as we greeted")
        if terms.table in self._proposed:  # our keys would be others: two different messages for one slot
            raise WireError("proposed-before", "the same table is proposed again")
        self._proposed.add(terms.table)
        self._sit_down(terms, ours[0])


def _as_refusal(data: bytes) -> Refusal | None:
    """A refusal of whatever version, or None."""
    try:
        return decode_refusal(data)
    except WireError:
        return None
