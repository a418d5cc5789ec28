"""The host's side: fills the chairs, makes the proposal, stands in the middle of the star."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hocp2p.errors import CryptoError, LocalError, WireError
from hocp2p.game.house import Rules
from hocp2p.table.effects import Effect, HangUp, Notify, Send
from hocp2p.table.peer import Me, Peer
from hocp2p.table.snapshot import RulesChanged, SeatFreed, SeatLeft, SeatTaken, TableStopped
from hocp2p.table.terms import read_proposal, rules_to_pairs
from hocp2p.wire.frames import (
    PROTOCOL_VERSION,
    Again,
    Chair,
    Hello,
    LobbyView,
    Proposal,
    Refusal,
    Sealed,
    Seat,
    decode_frame,
    decode_hello_version,
    encode_frame,
)
from hocp2p.wire.text import clean_text

FREE: Final = Chair(b"", "", "", "")
MAX_REFUSAL_CHARACTERS: Final = 200


class HostPeer(Peer):
    """The peer whom the others dial.

    Args:
        me: who we are; our seat is 0.
        seats: 2 or 3.
        rules: house rules of the table.
        address: where others can join.
    """

    hosting = True

    def __init__(self, me: Me, seats: int, rules: Rules, address: str) -> None:
        rules.verify_seats(seats)
        super().__init__(me, rules, address)
        self.title = f"{me.name}'s table"
        self._our_seat = 0
        ours = Seat(me.identity.public, me.name, me.bot_level, me.owner, me.randomness(32))
        self._taken: dict[int, Seat] = {0: ours}
        self._links: dict[int, int] = {}  # link -> seat
        self._places: dict[bytes, int] = {}  # identity key -> seat in the session before
        self._returning: set[int] = set()  # links of the session before that have not greeted anew
        self._seat_count = seats
        self._show_chairs()

    # -- what only the host does, until all have signed ---------------------------------------------------------------

    @property
    def may_manage(self) -> bool:
        """Whether chairs and rules can still be changed."""
        return not self.over and (self.table is None or not self.table.agreed)

    def set_rules(self, rules: Rules) -> list[Effect]:
        """Plays by other rules: whoever was ready has to read them and say so again.

        Raises LocalError ``game-begun``, RuleError for rules that do not fit the seats; nothing is changed then.
        """
        self._verify_manageable()
        rules.verify_seats(self._seat_count)
        if rules != self.rules:
            self.rules = rules
            self.table = None
            self._notify([RulesChanged(rules)])
            self._update_lobby()
        return self._drain()

    def kick(self, seat: int) -> list[Effect]:
        """Takes a guest's chair away, bot or person. Raises LocalError ``game-begun`` or ``nobody-there``."""
        self._verify_manageable()
        links = [link for link, taken in self._links.items() if taken == seat]
        if not links:
            raise LocalError("nobody-there", "there is no guest in that chair")
        self._refuse(links[0], "kicked", f"{self.me.name} has taken the chair away")
        del self._links[links[0]]
        self._free(seat)
        return self._drain()

    def _verify_manageable(self) -> None:
        if not self.may_manage:
            raise LocalError("game-begun", "the game has begun: chairs and rules are fixed")

    # -- what the links bring -----------------------------------------------------------------------------------------

    def link_closed(self, link: int) -> list[Effect]:
        """Frees the chair before the game has begun; after that the seat is lost."""
        seat = self._links.pop(link, None)
        self._returning.discard(link)
        if seat is None or self.over:
            return self._drain()
        if self._ended:
            self._play_again_if_all_want()
        elif self.table is not None and self.table.agreed:
            self.table.lose(seat, "lost its connection")
        else:
            self._free(seat)
        return self._drain()

    def _free(self, seat: int) -> None:
        """A chair is free again: what was signed for the proposal counts no more."""
        gone = self._taken.pop(seat)
        self.table = None
        self._notify([SeatFreed(seat, gone.name)])
        self._update_lobby()

    def receive(self, link: int, data: bytes) -> list[Effect]:
        """A greeting, or an envelope from a seat."""
        try:
            if link in self._links:
                self._take(link, data)
            elif not (link in self._returning and isinstance(decode_frame(data), Sealed | Again)):
                self._greet(link, data)  # what is left out crossed our invitation to greet anew
        except (WireError, CryptoError) as error:
            self._effects.append(HangUp(link, error.message))
            self._drop(link, f"sent what is no message: {error.message}")
        return self._drain()

    def _take(self, link: int, data: bytes) -> None:
        match decode_frame(data):
            case Sealed(envelope):
                if self.table is not None:
                    self.table.receive(envelope, link)
            case Again(seat) if seat == self._links[link]:
                if self._ended and seat not in self._again:
                    self._wants_another(seat)
            case frame:
                raise WireError("unexpected-frame", f"a {type(frame).__name__} where an envelope was due")

    def _wants_another(self, seat: int) -> None:
        super()._wants_another(seat)
        self._play_again_if_all_want()

    def _play_again_if_all_want(self) -> None:
        """Back to the lobby when all who are still here want to: everybody greets anew, with a fresh nonce."""
        if not self._again >= {0, *self._links.values()}:
            return
        greeted, self._links = self._links, {}
        self._returning = set(greeted)
        self._places = {seat.key: number for number, seat in self._taken.items()}
        self.table = None
        self._taken = {0: replace(self._taken[0], nonce=self.me.randomness(32))}
        self._again.clear()
        self._show_chairs()
        for link, seat in greeted.items():
            self._effects.append(Send(self._lobby_view(seat), to=link))

    def _drop(self, link: int, why: str) -> None:
        """A link that brought rubbish is closed; the seat behind it is named."""
        seat = self._links.get(link)
        if seat is not None and self.table is not None and self.table.agreed and not self.table.over:
            del self._links[link]
            self.table.lose(seat, why)

    def _drain(self) -> list[Effect]:
        """Also hangs up on a seat that is lost, and tells the guests when the table stops."""
        effects = super()._drain()
        for effect in list(effects):
            match effect:
                case Notify(SeatLeft(seat=lost)):
                    effects.extend(HangUp(link, "lost") for link, seat in self._links.items() if seat == lost)
                case Notify(TableStopped() as stopped):
                    effects.extend(Send(self._farewell(stopped), to=link) for link in self._links)
        return effects

    def _farewell(self, stopped: TableStopped) -> bytes:
        """Why the table stops, for the guests."""
        code, message = stopped.code, stopped.message
        if code == "left":
            code, message = "closed", f"{self.me.name} has closed the table"
        return encode_frame(Refusal(code, clean_text(message, MAX_REFUSAL_CHARACTERS), PROTOCOL_VERSION))

    # -- the lobby ----------------------------------------------------------------------------------------------------

    def _greet(self, link: int, data: bytes) -> None:
        version = decode_hello_version(data)
        if version != PROTOCOL_VERSION:
            newer = "update the host's hocp2p" if version > PROTOCOL_VERSION else "update your hocp2p"
            why = f"this table speaks protocol version {PROTOCOL_VERSION}, you speak {version}: {newer}"
            self._refuse(link, "version", why)
            return
        self._returning.discard(link)
        hello = decode_frame(data)
        if not isinstance(hello, Hello):
            raise WireError("unexpected-frame", "the first frame is no greeting")
        free = [seat for seat in range(self._seat_count) if seat not in self._taken]
        if self.over:
            self._refuse(link, "closed", "the table is closed")
        elif not free:
            self._refuse(link, "full", "the table is full")
        elif hello.key in {seat.key for seat in self._taken.values()}:
            self._refuse(link, "same-key", "somebody with your identity is at the table already")
        else:
            before = self._places.get(hello.key)
            self._seat(link, before if before in free else free[0], hello)

    def _seat(self, link: int, seat: int, hello: Hello) -> None:
        self._links[link] = seat
        name = self._free_name(hello.name)
        self._taken[seat] = Seat(hello.key, name, hello.bot_level, hello.owner, hello.nonce)
        self._notify([SeatTaken(seat, name)])
        self._update_lobby()

    def _refuse(self, link: int, code: str, message: str) -> None:
        self._effects.append(Send(encode_frame(Refusal(code, message, PROTOCOL_VERSION)), to=link))
        self._effects.append(HangUp(link, message))

    def _free_name(self, name: str) -> str:
        """``name``, or with a number behind it where somebody is called so already."""
        taken = {seat.name for seat in self._taken.values()}
        tried, number = name, 2
        while tried in taken:
            tried = f"{name[:22]} {number}"
            number += 1
        return tried

    def _show_chairs(self) -> None:
        seats = [self._taken.get(seat) for seat in range(self._seat_count)]
        self._chairs = tuple(
            FREE if seat is None else Chair(seat.key, seat.name, seat.bot_level, seat.owner) for seat in seats
        )

    def _lobby_view(self, seat: int) -> bytes:
        return encode_frame(LobbyView(self.title, seat, self._chairs, rules_to_pairs(self.rules)))

    def _update_lobby(self) -> None:
        """Shows the chairs to all; proposes the table when all are taken."""
        self._show_chairs()
        for link, seat in self._links.items():
            self._effects.append(Send(self._lobby_view(seat), to=link))
        if len(self._taken) == self._seat_count:
            seats = tuple(self._taken[seat] for seat in range(self._seat_count))
            proposal = Proposal(PROTOCOL_VERSION, self.me.randomness(32), seats, rules_to_pairs(self.rules))
            encoded = encode_frame(proposal)
            self._effects.extend(Send(encoded, to=link) for link in self._links)
            self._sit_down(read_proposal(proposal, encoded), 0)
