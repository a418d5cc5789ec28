"""One deal as steps: the shares of the hands, every action with its proof, and the receipts that all seats sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from hocp2p.crypto.remembered import RememberedDeck
from hocp2p.crypto.scheme import DealPlan, DeckSession, SeatError
from hocp2p.errors import LocalError, PeerError, RuleError, WireError
from hocp2p.game import rules as game
from hocp2p.game.actions import Action
from hocp2p.game.cards import DECK_SIZE, Card, card_of
from hocp2p.game.events import Event
from hocp2p.game.match import Match
from hocp2p.game.state import Phase, SeatView
from hocp2p.table.deck import share_steps
from hocp2p.table.events import DealSigned, DealStarted, HandDealt, HandShown, TableEvent
from hocp2p.table.moves import MOVES, decode_action, encode_action
from hocp2p.table.snapshot import FinishedDeal
from hocp2p.table.steps import Step
from hocp2p.wire.messages import Message, Receipt, ShownHand

GATHERING: Final = "gathering"

# What is proved in a deal, one of it and many.
KEYS: Final = ("key", "keys")
SHUFFLES: Final = ("shuffle", "shuffles")
SHARES: Final = ("set of shares", "sets of shares")
OPENINGS: Final = ("card opened", "cards opened")
SANS: Final = ("time sans", "times sans")
BLANCHES: Final = ("carte blanche", "cartes blanches")
RECEIPTS: Final = ("receipt", "receipts")


def deal_plan(seats: int, dealer: int) -> DealPlan:
    """Who is dealt which position, from the rules of the game."""
    owners: list[int | None] = [None] * DECK_SIZE
    for seat, positions in enumerate(game.deal_positions(seats, dealer)):
        for position in positions:
            owners[position] = seat
    return DealPlan(tuple(owners))


class DealSteps:
    """One deal from the shares to the receipts.

    Args:
        match: where the session stands.
        session: our part in the deck, its digest signed.
        us: our seat.
        is_first: of its table; who has signed the proposal is ready for it.
    """

    def __init__(self, match: Match, session: DeckSession, us: int, *, is_first: bool) -> None:
        self.match = match
        self.state, self._opening_events = match.start_deal()
        self.signed = False
        self.events: list[Event] = []
        self.session = session
        self._us = us
        commit, reveal = share_steps(match.number, session, match.seats)
        self._shares = [
            replace(commit, what=GATHERING, speak=partial(self._speak_commit, commit)),
            replace(reveal, accept=partial(self._accept_shares, reveal)),
        ]
        self._is_first = is_first
        self._ready = is_first
        self._own: dict[int, Card] | None = None
        self._move: Message | None = None
        self._receipts_binding = b""
        self._hand: ShownHand | None = None  # what of our hand nobody has seen, with its proof, in case we show it
        self.shown: dict[int, tuple[Card, ...]] = {}  # whole hands shown after the deal, by seat
        self._tried: set[int] = set()  # seats that have shown a hand, theirs or not
        self._proofs = {OPENINGS: 0, SANS: 0, BLANCHES: 0}

    @property
    def present(self) -> Step | None:
        """See ``steps.Steps``."""
        if self._shares:
            return self._shares[0]
        if self.state.phase is not Phase.OVER and self.state.turn is not None:
            return Step("move", (self.state.turn,), MOVES, self._speak, self._accept)
        if not self.signed:
            left = tuple(seat for seat in range(self.match.seats) if seat not in self.state.gone)
            return Step("receipts", left, (Receipt,), lambda _: self._receipt(), self._accept_receipts)
        return None

    def close_step(self) -> None:
        """See ``steps.Steps``."""
        if self._shares:
            del self._shares[0]

    def _speak_commit(self, commit: Step, binding: bytes) -> Message | None:
        return commit.speak(binding) if self._ready else None

    def _accept_shares(self, reveal: Step, binding: bytes, messages: Mapping[int, Message]) -> Sequence[TableEvent]:
        """The hands are dealt: the deal begins, the antes are in, our own hand is readable."""
        shared = reveal.accept(binding, messages)
        faces = self.session.faces()
        self._own = {position: card_of(faces[position]) for position in self.state.dealt[self._us]}
        self.events.extend(self._opening_events)
        started = DealStarted(self.match.number, self.match.dealer)
        return [*shared, started, HandDealt(tuple(self._own.values())), *self._opening_events]

    @property
    def gathering(self) -> bool:
        """Whether the deal waits until every seat is ready for it. A seat says so by committing to its shares."""
        return not self._is_first and len(self._shares) == 2

    @property
    def is_ready(self) -> bool:
        """Whether we have said that we are ready for this deal, signed or not yet."""
        return self._ready

    def ready(self) -> None:
        """We are ready for this deal. Raises LocalError when that was said before."""
        if self._ready:
            raise LocalError("already-ready", "you are ready already")
        self._ready = True

    @property
    def asks(self) -> bool:
        """Whether it is our turn and our move is still to be made."""
        return self._own is not None and self.state.turn == self._us and self._move is None

    @property
    def view(self) -> SeatView | None:
        """What we see of the deal; None until our hand is dealt."""
        return None if self._own is None else SeatView(self.state, self._us, self._own)

    @property
    def proved(self) -> tuple[str, ...]:
        """What was proven in this deal, a phrase each."""
        if self._own is None:
            return ()
        seats = self.match.seats
        signed = {RECEIPTS: seats - len(self.state.gone)} if self.signed else {}
        counts = {KEYS: seats, SHUFFLES: seats, SHARES: seats} | self._proofs | signed
        return tuple(f"{count} {one if count == 1 else many}" for (one, many), count in counts.items() if count)

    def act(self, action: Action, binding: bytes) -> None:
        """Makes our move, with its proof. Raises LocalError or RuleError, nothing changed."""
        if self._own is None or not self.asks:
            raise LocalError("not-your-turn", "it is not your turn")
        game.verify_action(self.state, self._us, action)
        proof = b""
        match game.required_proof(self.state, self._us, action):
            case game.Openings(positions, cards):
                if any(self._own.get(p) != card for p, card in zip(positions, cards, strict=True)):
                    raise RuleError("not-your-card", "that card is not in your hand")
                proof = self.session.open(positions, binding)
            case game.NotHolding(positions, cards):
                proof = self.session.prove_not_holding(positions, [card.index for card in cards], binding)
        self._move = encode_action(action, proof)

    def lose(self, seat: int) -> Sequence[TableEvent]:
        """The seat is lost for good (rule 5); a move of ours that was not yet accepted has to be made again."""
        self._move = None
        self.state, events = game.leave(self.state, seat)
        self.events.extend(events)
        return events

    def _speak(self, _: bytes) -> Message | None:
        move, self._move = self._move, None
        return move

    def _accept(self, binding: bytes, messages: Mapping[int, Message]) -> Sequence[TableEvent]:
        ((seat, message),) = messages.items()
        action, proof = decode_action(message)
        game.verify_action(self.state, seat, action)
        self._verify_proof(seat, action, proof, binding)
        self.state, events = game.apply(self.state, seat, action)
        self.events.extend(events)
        return events

    def _verify_proof(self, seat: int, action: Action, proof: bytes, binding: bytes) -> None:
        match game.required_proof(self.state, seat, action):
            case game.Openings(positions, cards):
                self.session.verify_open(seat, positions, [card.index for card in cards], proof, binding)
                self._proofs[OPENINGS] += len(positions)
            case game.NotHolding(positions, cards):
                self.session.verify_not_holding(seat, positions, [card.index for card in cards], proof, binding)
                self._proofs[SANS if self.state.phase is Phase.PLAY else BLANCHES] += 1
            case None:
                if proof:
                    raise WireError("unasked-proof", "a proof where none is needed")

    def _receipt(self) -> Receipt:
        outcome = self.finished.outcome
        return Receipt(outcome.balances, outcome.carry_after)

    def _accept_receipts(self, binding: bytes, messages: Mapping[int, Message]) -> Sequence[TableEvent]:
        ours = self._receipt()
        for seat, message in messages.items():
            if message != ours:
                raise PeerError(seat, "", "receipt-differs", "signed other balances than the game gives")
        self.signed = True
        self._receipts_binding = binding
        self._hand = self._prove_hand()
        self.session.erase()
        return [DealSigned(self.match.number, self.finished.outcome)]

    # -- a hand shown after the deal, by choice -----------------------------------------------------------------------

    @property
    def may_show(self) -> bool:
        """Whether our hand can be shown to the table now: the deal is signed, and there is something left to show."""
        return self._hand is not None and self._us not in self.shown

    def show_hand(self) -> ShownHand:
        """Our hand, opened; the deck key is long erased. Raises LocalError when there is nothing to show."""
        if self._hand is None or not self.may_show:
            raise LocalError("nothing-to-show", "there is no hand to show")
        return self._hand

    def accept_hand(self, seat: int, hand: ShownHand) -> HandShown | None:
        """A seat shows what is left of its hand, once; None where that is not what it shows.

        It is not blamed: who has gone on to the next deal cannot judge it any more, nor can we where we have come back
        after the deal was signed.
        """
        if seat in self._tried or isinstance(self.session, RememberedDeck):
            return None
        self._tried.add(seat)
        seen = {card.index for card in self.state.faces().values()}
        if hand.positions != self._hidden(seat) or set(hand.faces) & seen:
            return None
        try:
            self.session.verify_open(seat, hand.positions, hand.faces, hand.proof, b"hand" + self._receipts_binding)
        except SeatError:
            return None
        faces = self.state.faces() | {p: card_of(face) for p, face in zip(hand.positions, hand.faces, strict=True)}
        self.shown[seat] = tuple(faces[position] for position in self.state.hands[seat])
        return HandShown(seat, self.match.number, self.shown[seat])

    def _prove_hand(self) -> ShownHand | None:
        hidden = self._hidden(self._us)
        if not hidden or self._us in self.state.gone:
            return None
        faces = self.session.faces()
        try:
            proof = self.session.open(hidden, b"hand" + self._receipts_binding)
        except LocalError:  # a deal that we came back to after it was signed: its key is erased
            return None
        return ShownHand(self.match.number, hidden, tuple(faces[position] for position in hidden), proof)

    def _hidden(self, seat: int) -> tuple[int, ...]:
        opened = self.state.faces()
        return tuple(position for position in self.state.hands[seat] if position not in opened)

    @property
    def finished(self) -> FinishedDeal:
        """The deal with its figures. Raises RuleError while it is not over."""
        hands = tuple(sorted(self.shown.items()))
        figures = game.outcome(self.state)
        return FinishedDeal(self.match.number, self.state, figures, tuple(self.events), hands, self.proved)
