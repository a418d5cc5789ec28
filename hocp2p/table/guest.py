"""The lobby of a guest: greets, waits for the others, checks the proposal before anything is signed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hocp2p.errors import WireError
from hocp2p.game.house import Rules
from hocp2p.table.effects import Effect, Notify
from hocp2p.table.events import RulesChanged, SeatFreed, SeatTaken
from hocp2p.table.links import Links
from hocp2p.table.me import Me
from hocp2p.table.parting import Parting, goes_on_alike
from hocp2p.table.terms import HOST, Terms, read_proposal, rules_from_pairs
from hocp2p.wire.frames import Chair, LobbyView, Proposal, encode_frame

FREE: Final = Chair(b"", "", "", "")


class GuestLobby:
    """What we know of a table that somebody else hosts.

    Args:
        me: who we are.
        secret: of the invite, 10 bytes; empty: we knock.
        links: ours.
        emit: takes effects.
        host: identity key of the host, where it is known.
        parting: of the table that the next one has to go on with.
    """

    def __init__(
        self,
        me: Me,
        secret: bytes,
        links: Links,
        emit: Callable[[Effect], None],
        host: bytes | None = None,
        parting: Parting | None = None,
    ) -> None:
        self.host = host
        self.parting = parting
        self.came_back_to: Terms | None = None  # a proposal that we had signed, and that may fall apart
        self.title = ""
        self.rules = Rules()
        self.seat: int | None = None
        self.chairs: tuple[Chair, ...] = ()
        self.greeting = False  # whether we have asked for a chair and not seen it given
        self._me = me
        self._secret = secret
        self._links = links
        self._emit = emit
        self._nonce = b""  # of our last greeting
        self._proposed: set[bytes] = set()  # ids of the tables that we have sat down at

    def greet(self, link: int) -> None:
        """Asks the host for a chair, with a fresh nonce."""
        me = self._me
        self.host = self._links[link].key
        self.greeting = True
        self._nonce = self._links.hello(link, me.name, me.bot_level, me.owner, self._secret)

    def enter(self, lobby: LobbyView) -> None:
        """The host's word on who is there. Raises WireError for rules that are none."""
        rules, before_rules = rules_from_pairs(lobby.rules), self.rules
        self.title, self.rules = lobby.title, rules
        if self.seat is not None and rules != before_rules:
            self._emit(Notify(RulesChanged(rules)))
        self.seat = lobby.your_seat
        before, self.chairs = self.chairs, lobby.chairs
        for seat, chair in enumerate(lobby.chairs):
            old = before[seat] if seat < len(before) else FREE
            if chair.key != old.key:
                self._emit(Notify(SeatTaken(seat, chair.name) if chair.key else SeatFreed(seat, old.name)))

    def consider(self, proposal: Proposal) -> tuple[Terms, int]:
        """Terms and our seat of a proposal that has us in it as we greeted, under our own key, as a guest.

        Raises WireError ``not-us``, ``not-continued`` where it does not go on where we parted, ``proposed-before``.
        """
        terms = read_proposal(proposal, encode_frame(proposal))
        ours = [seat for seat, chair in enumerate(terms.seats) if chair.key == self._me.identity.public]
        if len(ours) != 1 or ours[0] == HOST or terms.seats[ours[0]].nonce != self._nonce:
            raise WireError("not-us", "the proposal does not have us in it as we greeted")
        if terms.seats[HOST].key != self.host:
            raise WireError("not-us", "the proposal has another host than the one who makes it")
        goes_on = self.came_back_to is None or goes_on_alike(self.came_back_to, terms)
        if not goes_on or (self.parting is not None and not self.parting.continues(terms)):
            raise WireError("not-continued", "the proposal does not go on where the table before was left")
        if terms.table in self._proposed:  # our keys would be others: two different messages for one slot
            raise WireError("proposed-before", "the same table is proposed again")
        self._proposed.add(terms.table)
        return terms, ours[0]
