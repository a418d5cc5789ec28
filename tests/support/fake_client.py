"""A whole table in one object, for the faces of the client: the game's rules with hands dealt here, no proofs, no wire.

``python -m tests.support.fake_client`` opens the full screen over it; ``--help`` tells the options.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from hocp2p.errors import LocalError, RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Declare, Good, Pass, Raise, Stay
from hocp2p.game.cards import DECK, Card, parse_card
from hocp2p.game.events import BlancheClaimed, Event, SansSaid
from hocp2p.game.house import START_BALANCE, Rules
from hocp2p.game.match import Match, lowest_draw, start_match
from hocp2p.game.state import DealState, Phase, SeatView
from hocp2p.players.levels import LEVELS
from hocp2p.session.client import HostClient, Listener
from hocp2p.table.deal import BLANCHES, OPENINGS, SANS
from hocp2p.table.events import (
    AnotherWanted,
    CardDrawn,
    DealerChosen,
    DealSigned,
    DealStarted,
    DeckStep,
    HandDealt,
    HandShown,
    RulesChanged,
    SeatFreed,
    SeatLeft,
    SeatReady,
    SeatTaken,
    SessionEnded,
    TableEvent,
    TableProposed,
    TableStopped,
    TalkSaid,
    Voted,
)
from hocp2p.table.snapshot import FinishedDeal, Knock, SeatInfo, Stage, TableSnapshot
from hocp2p.ui.words import describe_action

Chooser = Callable[[SeatView, tuple[Action, ...]], Action]
NAMES = ("Anna", "Bruno", "bot 3")
KEYS = ("5k2m-q7rt", "8xwp-c3nd", "r4t9-v0ja")


def tame_chooser(rng: Random) -> Chooser:
    """Any legal action, but few raises and those small, so that auctions end soon."""

    def choose(view: SeatView, legal: tuple[Action, ...]) -> Action:
        calls = [action for action in legal if isinstance(action, Pass | Declare | Stay | Good)]
        small = [action for action in legal if isinstance(action, Raise) and action.by <= 3]
        if view.state.phase is Phase.AUCTION and calls:
            return rng.choice(small) if small and rng.random() < 0.15 else rng.choice(calls)
        return rng.choice(legal)

    return choose


def scripted_chooser(*lines: str) -> Chooser:
    """Says these lines in their order, each as ``ui.words.describe_action`` has it in ASCII, when it is legal for the
    seat whose turn it is; else the first legal action, which is the cheapest.
    """
    waiting = deque(lines)

    def choose(view: SeatView, legal: tuple[Action, ...]) -> Action:
        said = {describe_action(action, stake=view.state.stake, ascii=True): action for action in legal}
        if waiting and waiting[0] in said:
            return said[waiting.popleft()]
        return legal[0]

    return choose


def stacked_deck(dealer: int, *hands: str) -> tuple[Card, ...]:
    """Faces by position so that each seat is dealt its hand (cards as ``7D``, spaces between); the rest sleeps."""
    positions = game_rules.deal_positions(len(hands), dealer)
    faces = {
        position: parse_card(card)
        for own, hand in zip(positions, hands, strict=True)
        for position, card in zip(own, hand.split(), strict=True)
    }
    rest = iter([card for card in DECK if card not in faces.values()])
    return tuple(faces[position] if position in faces else next(rest) for position in range(len(DECK)))


@dataclass(frozen=True, slots=True)
class Deck:
    """A shuffled deck of one deal: ``faces`` by position."""

    faces: tuple[Card, ...]

    def own(self, state: DealState, seat: int) -> dict[int, Card]:
        """Faces of the positions dealt to a seat."""
        return {position: self.faces[position] for position in state.dealt[seat]}


class FakeClient:
    """Implements ``session.client.HostClient``; the other seats answer at once, one listener call for each of them.

    Args:
        seats: 2 or 3.
        seed: of shuffles, draw and the default chooser.
        rules: house rules.
        our_seat: ours.
        chooser: decides for the others; ``tame_chooser`` by default.
        decks: faces by position for the first deals, shuffled ones after them.
        dealer: of the first deal; None: drawn.
        ask_ready: whether the next deal waits until we are ready for it, as at a real table.
        free: how many chairs nobody has taken yet, the last ones.
    """

    def __init__(
        self,
        *,
        seats: int = 3,
        seed: int = 1,
        rules: Rules | None = None,
        our_seat: int = 0,
        chooser: Chooser | None = None,
        decks: tuple[tuple[Card, ...], ...] = (),
        dealer: int | None = None,
        ask_ready: bool = False,
        free: int = 0,
    ) -> None:
        self.suspended = False  # we have gone and kept the seat
        self._ask_ready = ask_ready
        self._bots = 0  # that were seated so far
        self._gone = asyncio.Event()
        self._rng = Random(seed)
        self._choose = chooser or tame_chooser(self._rng)
        self._decks = deque(Deck(faces) for faces in decks)
        self._first_dealer = dealer
        self._match: Match | None = None
        self._state: DealState | None = None
        self._deck = Deck(DECK)
        self._deal_events: tuple[Event, ...] = ()
        self._listeners: list[Listener] = []
        self._waiting: deque[tuple[TableSnapshot, tuple[TableEvent, ...]]] = deque()
        self._telling = False
        self._ended = asyncio.Event()
        infos = [
            SeatInfo(seat, NAMES[seat], key=KEYS[seat], ready=seat != our_seat) for seat in range(seats)
        ]  # fmt: skip
        if seats == 3 and our_seat != 2:
            infos[2] = replace(infos[2], bot_level="club", owner=NAMES[0])
        infos = [*infos[: seats - free], *(SeatInfo(seat, "") for seat in range(seats - free, seats))]
        self._snapshot = TableSnapshot(
            stage=Stage.LOBBY if free else Stage.READY,
            title=f"{NAMES[0]}'s table",
            address="203.0.113.7:7411",
            seats=tuple(infos),
            our_seat=our_seat,
            hosting=our_seat == 0,
            rules=rules or Rules(),
            balances=(START_BALANCE,) * seats,
            may_ready=not free,
            may_manage=our_seat == 0,
            events=() if free else (TableProposed(),),
        )

    @property
    def snapshot(self) -> TableSnapshot:
        return self._snapshot

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def ready(self) -> None:
        if not self._snapshot.may_ready:
            raise LocalError("no-proposal", "there is nothing to be ready for")
        seats = tuple(replace(info, ready=True) for info in self._snapshot.seats)
        self._change(SeatReady(self._us), seats=seats, may_ready=False, may_manage=False)
        if self._match is None:
            self._draw()
        self._start_deal()
        self._play_others()
        self._tell()

    def act(self, action: Action) -> None:
        if self._state is None or not self._snapshot.legal:
            raise LocalError("not-your-turn", "it is not your turn")
        if action not in self._snapshot.legal:
            raise RuleError("not-legal", "that is not allowed now")
        self._apply(self._us, action)
        self._play_others()
        self._tell()

    def say(self, text: str) -> None:
        if not 1 <= len(text) <= 300 or not text.isprintable():
            raise LocalError("bad-talk", "say 1 to 300 characters")
        self._change(TalkSaid(self._us, text))
        self._tell()

    def show_hand(self) -> None:
        if not self._snapshot.may_show:
            raise LocalError("nothing-to-show", "there is no hand to show")
        last = self._snapshot.finished[-1]
        cards = tuple(self._deck.faces[position] for position in last.state.hands[self._us])
        last = replace(last, shown=((self._us, cards),))
        shown = HandShown(self._us, last.number, cards)
        self._change(shown, may_show=False, finished=(*self._snapshot.finished[:-1], last))
        self._tell()

    def again(self) -> None:
        """The others would, too: the next match is proposed at once."""
        if not self._snapshot.may_again:
            raise LocalError("not-over", "the session is not over")
        wanted = tuple(AnotherWanted(info.seat) for info in self._snapshot.seats)
        self._change(*wanted, may_again=False, again=frozenset(range(len(wanted))))
        self._match = None
        seats = tuple(replace(info, ready=info.seat != self._us) for info in self._snapshot.seats)
        balances = (START_BALANCE,) * len(seats)
        before = self._snapshot
        self._snapshot = TableSnapshot(
            Stage.READY, before.title, before.address, seats, self._us, before.hosting, before.rules, balances=balances
        )
        self._change(TableProposed(), may_ready=True, may_manage=before.hosting)
        self._tell()

    def give_up(self, seat: int) -> None:
        if seat not in self._snapshot.may_give_up:
            raise LocalError("no-vote", "that seat has not been away for long enough")
        self._vote(seat, go_on=True)

    def wait_for(self, seat: int) -> None:
        if not self._snapshot.seats[seat].votes:
            raise LocalError("no-vote", "there is nothing to vote on")
        self._vote(seat, go_on=False)

    def _vote(self, seat: int, *, go_on: bool) -> None:
        before = self._snapshot.seats[seat]
        votes = before.votes | {self._us} if go_on else before.votes - {self._us}
        self._seat(replace(before, votes=votes), Voted(self._us, seat, go_on))
        self._tell()

    def renew_invite(self) -> None:
        if not self._snapshot.invite:
            raise LocalError("no-way", "nobody can dial us")
        self._change(invite=self._snapshot.invite[:-4] + "n3wn")
        self._tell()

    def note(self, event: TableEvent) -> None:
        """See ``Client``."""
        self.hear(event)

    def suspend(self) -> None:
        """In the lobby there is no seat to keep."""
        if self._match is None:
            self.leave()
            return
        self.suspended = True
        self._gone.set()
        self._ended.set()

    def leave(self) -> None:
        self._gone.set()
        self._stop(TableStopped("left", "you left the table"))

    async def closed(self) -> TableSnapshot:
        await self._ended.wait()
        return self._snapshot

    async def gone(self) -> None:
        await self._gone.wait()

    # What the host does before the game. A bot that comes in, and whoever reads other rules, is ready at once.

    def set_rules(self, rules: Rules) -> None:
        self._verify_manageable()
        rules.verify_seats(len(self._snapshot.seats))
        if rules != self._snapshot.rules:
            self._change(RulesChanged(rules), rules=rules)
            self._propose_if_full()
            self._tell()

    def kick(self, seat: int) -> None:
        self._verify_manageable()
        info = self._snapshot.seats[seat]
        if seat == self._us or not info.key:
            raise LocalError("nobody-there", "there is no guest in that chair")
        self._seat(SeatInfo(seat, ""), SeatFreed(seat, info.name), stage=Stage.LOBBY, may_ready=False)
        self._tell()

    def admit(self, number: int) -> None:
        """Who is let in takes the first free chair and is not ready yet."""
        knock = self._answered(number)
        free = [info.seat for info in self._snapshot.seats if not info.key]
        if not free:
            raise LocalError("full", "there is no free chair")
        seated = SeatInfo(free[0], knock.name, key=knock.key)
        self._seat(seated, SeatTaken(free[0], knock.name), knocks=self._without(number))
        self._propose_if_full()
        self._tell()

    def decline(self, number: int) -> None:
        self._answered(number)
        self._change(knocks=self._without(number))
        self._tell()

    def _answered(self, number: int) -> Knock:
        found = [knock for knock in self._snapshot.knocks if knock.number == number]
        if not found:
            raise LocalError("nobody-there", "nobody knocks by that number")
        return found[0]

    def _without(self, number: int) -> tuple[Knock, ...]:
        return tuple(knock for knock in self._snapshot.knocks if knock.number != number)

    def resize(self) -> None:
        """The empty chair is taken away, and the two are asked whether they are ready."""
        if not self._snapshot.may_resize:
            raise LocalError("not-parted", "there is no empty chair to play on without")
        kept = (info for info in self._snapshot.seats if info.key)
        seats = tuple(replace(info, seat=seat) for seat, info in enumerate(kept))
        self._change(TableProposed(), seats=seats, stage=Stage.READY, may_ready=True, may_resize=False)
        self._tell()

    def add_bot(self, level: str) -> None:
        self._verify_manageable()
        if level not in LEVELS:
            raise LocalError("unknown-level", f"there is no level {level!r}; there are {', '.join(LEVELS)}")
        free = [info.seat for info in self._snapshot.seats if not info.key]
        if not free:
            raise LocalError("full", "the table is full")
        seat, ours = free[0], self._snapshot.seats[self._us].name
        self._bots += 1
        name = f"bot {self._bots}"
        bot = SeatInfo(seat, name, level, ours, f"b0t{self._bots}-{KEYS[seat][5:]}", ready=True)
        self._seat(bot, SeatTaken(seat, name))
        self._propose_if_full()
        self._tell()

    def _verify_manageable(self) -> None:
        if not self._snapshot.may_manage:
            raise LocalError("game-begun", "the game has begun: chairs and rules are fixed")

    def _seat(self, info: SeatInfo, event: TableEvent, **fields: object) -> None:
        seats = tuple(info if info.seat == other.seat else other for other in self._snapshot.seats)
        self._change(event, seats=seats, **fields)

    def _propose_if_full(self) -> None:
        if all(info.key for info in self._snapshot.seats):
            self._change(TableProposed(), stage=Stage.READY, may_ready=True)

    # What tests do from outside.

    def hear(self, *events: TableEvent, **fields: object) -> None:
        """Something else happens: events, and fields of the snapshot that they change."""
        self._change(*events, **fields)
        self._tell()

    def lose(self, seat: int, why: str) -> None:
        """A seat is lost for good in the middle of a deal (rule 5)."""
        assert self._state is not None
        self._state, events = game_rules.leave(self._state, seat)
        self._deal_events += events
        self._change(SeatLeft(seat, why, "left"), *events)
        self._play_others()
        self._tell()

    def stop(self, stopped: TableStopped) -> None:
        """The table ends early."""
        self._stop(stopped)

    # The table.

    @property
    def _us(self) -> int:
        assert self._snapshot.our_seat is not None
        return self._snapshot.our_seat

    def _draw(self) -> None:
        dealer = self._first_dealer
        drawing = tuple(range(len(self._snapshot.seats)))
        while dealer is None:
            drawn = dict(zip(drawing, self._rng.sample(DECK, len(drawing)), strict=True))
            for seat, card in drawn.items():
                self._change(CardDrawn(seat, card), stage=Stage.DRAW)
            drawing = lowest_draw(drawn)
            if len(drawing) == 1:
                dealer = drawing[0]
        self._match = start_match(self._snapshot.rules, len(self._snapshot.seats), dealer)
        self._change(DealerChosen(dealer), dealer=dealer)

    def _start_deal(self) -> None:
        assert self._match is not None
        number, dealer = self._match.number, self._match.dealer
        for info in self._snapshot.seats:
            step = DeckStep(number, "shuffle", info.seat)
            self._change(step, stage=Stage.DEALING, dealing=f"{info.name} shuffles", deal=number, dealer=dealer)
        self._deck = self._decks.popleft() if self._decks else Deck(tuple(self._rng.sample(DECK, len(DECK))))
        self._state, self._deal_events = self._match.start_deal()
        hand = tuple(self._deck.own(self._state, self._us).values())
        seats = self._match.seats
        proved = (f"{seats} keys", f"{seats} shuffles", f"{seats} sets of shares")
        started = DealStarted(number, dealer), HandDealt(hand)
        self._change(*started, *self._deal_events, stage=Stage.DEAL, dealing="", proved=proved, may_show=False)

    def _view(self, seat: int) -> SeatView:
        assert self._state is not None
        return SeatView(self._state, seat, self._deck.own(self._state, seat))

    def _apply(self, seat: int, action: Action) -> None:
        assert self._state is not None
        self._state, events = game_rules.apply(self._state, seat, action)
        self._deal_events += events
        self._change(*events, proved=self._proved())
        if self._state.phase is Phase.OVER:
            self._end_deal()

    def _proved(self) -> tuple[str, ...]:
        assert self._state is not None
        sans = sum(isinstance(event, SansSaid) for event in self._deal_events)
        claims = sum(isinstance(event, BlancheClaimed) for event in self._deal_events)
        counts = {OPENINGS: len(self._state.opened), SANS: sans, BLANCHES: claims}
        found = (f"{count} {one if count == 1 else many}" for (one, many), count in counts.items() if count)
        return (*self._snapshot.proved[:3], *found)

    def _play_others(self) -> None:
        while self._state is not None and self._state.turn not in (None, self._us):
            seat = self._state.turn
            assert seat is not None
            view = self._view(seat)
            self._apply(seat, self._choose(view, game_rules.legal_actions(view)))

    def _left(self) -> tuple[int, ...]:
        """Positions still in our hand."""
        return self._state.hands[self._us] if self._state is not None else ()

    def _end_deal(self) -> None:
        assert self._state is not None and self._match is not None
        result = game_rules.outcome(self._state)
        finished = FinishedDeal(
            self._match.number,
            self._state,
            result,
            self._deal_events,
            proved=(*self._proved(), f"{self._match.seats} receipts"),
        )
        self._match = self._match.after(result)
        self._change(
            DealSigned(finished.number, result),
            finished=(*self._snapshot.finished, finished),
            balances=result.balances,
            carry=result.carry_after,
            doubled=result.doubled_after,
        )
        if not self._match.is_over and self._ask_ready:
            seats = tuple(replace(info, ready=info.seat != self._us) for info in self._snapshot.seats)
            others = [SeatReady(info.seat) for info in seats if info.ready]
            self._change(*others, seats=seats, may_ready=True, may_show=bool(self._left()))
            return
        if not self._match.is_over:
            self._start_deal()
            return
        closing = self._match.close()
        self._state = None
        may_show = bool(finished.state.hands[self._us])
        ended = {"stage": Stage.ENDED, "balances": closing.balances, "net": closing.net}
        self._change(SessionEnded(closing.net), **ended, may_again=True, may_show=may_show)
        self._ended.set()

    def _stop(self, stopped: TableStopped) -> None:
        self._state = None
        self._change(stopped, stage=Stage.STOPPED, stopped=stopped)
        self._ended.set()
        self._tell()

    def _change(self, *events: TableEvent, **fields: object) -> None:
        """A new snapshot, kept for the listeners until ``_tell``."""
        seat = self._us
        if self._state is not None:
            view = self._view(seat)
            fields |= {"view": view, "legal": game_rules.legal_actions(view), "balances": self._state.balances} | fields
        else:
            fields |= {"legal": ()}
        self._snapshot = replace(self._snapshot, events=self._snapshot.events + events, **fields)  # type: ignore[arg-type] # fields by name
        self._waiting.append((self._snapshot, events))

    def _tell(self) -> None:
        """Calls the listeners in order, though one of them may act at once."""
        if self._telling:
            return
        self._telling = True
        try:
            while self._waiting:
                snapshot, events = self._waiting.popleft()
                for listener in self._listeners:
                    listener(snapshot, events)
        finally:
            self._telling = False


def main() -> None:
    """Opens the full screen over a fake table."""
    from hocp2p.ui.screen import ScreenOptions, run_screen

    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, default=6)
    parser.add_argument("--ascii", action="store_true")
    parser.add_argument("--theme", default="dark")
    parser.add_argument("--pace", type=float, default=0.6)
    given = parser.parse_args()

    async def play() -> None:
        client: HostClient = FakeClient(seats=given.seats, seed=given.seed, rules=Rules(deals=given.deals))
        await run_screen(client, options=ScreenOptions(ascii=given.ascii, theme=given.theme, pace_s=given.pace))

    asyncio.run(play())


if __name__ == "__main__":
    main()
