"""The play by rules of thumb over what lies open (rule 3)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from hocp2p.game.actions import Action, Play, Sans
from hocp2p.game.cards import DECK, KING, RANKS, Card
from hocp2p.game.payments import cards_left_due
from hocp2p.game.state import PlayState, SeatView
from hocp2p.players.hand import Hand

NEAR_OUT: Final = 2
"""An opponent with so few cards may be out before our next lead: then a lead counts what it would leave in hand."""

DEARER: Final = 4
"""A hoc is not worth playing when the lead after it makes the cards in hand dearer by so many jetons."""


@dataclass(frozen=True, slots=True)
class Others:
    """What the open cards and the words say about the others.

    Args:
        opponents: seats still with us.
        fewest: cards of the opponent nearest to going out.
        dead: ranks of which no opponent can hold an ordinary card.
        safe: ranks that no opponent can play at all; empty while one of them may hold a fixed hoc.
    """

    opponents: int
    fewest: int
    dead: frozenset[int]
    safe: frozenset[int]

    @classmethod
    def seen_by(cls, view: SeatView, play: PlayState) -> Others:
        """Counts the open cards and weighs what was said without a card."""
        state = view.state
        others = [seat for seat in range(state.seats) if seat != view.seat and seat not in state.gone]
        faces = state.faces()
        unseen = set(DECK) - set(view.own.values()) - set(faces.values())
        loose: set[Card] = set()
        dead = set(RANKS)
        for seat in others:
            may_hold = unseen | {faces[position] for position in state.hands[seat] if position in faces}
            loose |= may_hold
            dead -= {card.rank for card in may_hold if not card.is_hoc} - play.sans[seat]
        return cls(
            opponents=len(others),
            fewest=min((len(state.hands[seat]) for seat in others), default=0),
            dead=frozenset(dead),
            safe=frozenset() if any(card.is_hoc for card in loose) else frozenset(dead),
        )


def choose_play(view: SeatView, play: PlayState, legal: Collection[Action], *, keeps_hocs: bool) -> Action:
    """A lead, or a card, or *sans*; never holds back.

    Args:
        view, play: the seat's view and the stops game in it.
        legal: what may be done, not empty.
        keeps_hocs: whether a fixed hoc stays in hand until it takes its holder out, or somebody else is about to go
            out; else it is spent when he is stuck, as beginners do. Where fortuitous hocs are paid, keeping wins 2 to
            3 jetons a deal, since most stops come by themselves.
    """
    others = Others.seen_by(view, play)
    hand = Hand.of(view.hand)
    plays = [action for action in legal if isinstance(action, Play)]
    if play.called is None:
        return max(plays, key=lambda action: _lead_value(view, others, hand, action.card))
    ordinary = [action for action in plays if not action.card.is_hoc]
    if ordinary:
        return ordinary[0]
    if plays and _is_worth_a_hoc(view, others, hand, play, play.called, keeps_hocs):
        return plays[0]
    return Sans(play.called)


def _lead_value(view: SeatView, others: Others, hand: Hand, card: Card) -> tuple[bool, bool, float, int]:
    """Orders leads: first what surely goes out, then what likely does, then what is worth more, then the lower card.

    A run is worth its cards, and a fortuitous hoc where nobody can have the rank after it.
    """
    if card.is_hoc:
        rest = hand.after_hoc()
        surely = rest.size == 0 or rest.goes_out_leading(others.safe)
        return surely, surely, _hoc_lead_value(others, hand), -card.rank
    rest = hand.after_chain(card.rank)
    called = card.rank + hand.chain(card.rank)
    value = hand.size - rest.size
    if called in others.dead and called < KING and view.state.rules.fortuitous == "paid":
        value += others.opponents
    if others.fewest <= NEAR_OUT:
        value -= cards_left_due(rest.size) - cards_left_due(hand.size)
    surely = hand.goes_out_called(card.rank, others.safe, comes_back=False)
    likely = hand.goes_out_called(card.rank, others.dead, comes_back=False)
    return surely, likely, value, -card.rank


def _hoc_lead_value(others: Others, hand: Hand) -> int:
    """Hocs are kept for better use, except when they may be lost in hand."""
    if others.fewest > NEAR_OUT:
        return -1
    return others.opponents + cards_left_due(hand.size) - cards_left_due(hand.size - 1)


def _is_worth_a_hoc(view: SeatView, others: Others, hand: Hand, play: PlayState, called: int, keeps_hocs: bool) -> bool:
    """Whether a player without the called rank plays a fixed hoc for it."""
    rest = hand.after_hoc()
    ours = bool(play.run) and play.run[-1].seat == view.seat
    if ours and called in others.safe and hand.goes_out_leading(others.safe):
        return False  # the lead comes back without it
    if rest.size == 0 or rest.goes_out_leading(others.safe):
        return True
    if others.fewest <= NEAR_OUT + (others.opponents == 1):
        left = min((rest.after_chain(rank).size for rank in RANKS if rest.counts[rank]), default=rest.size - 1)
        return cards_left_due(left) - cards_left_due(hand.size) < DEARER
    return not keeps_hocs and not (ours and called in others.dead)
