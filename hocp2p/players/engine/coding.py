"""Actions of ``hocp2p.game`` and the numbers that the engine has for them, in both directions."""

from __future__ import annotations

from typing import Final

from hocp2p.errors import RuleError
from hocp2p.game import actions
from hocp2p.game.actions import CLASSES, Action, Announce, Claim, Combination, Declare, Held, Raise, Show, Stake, Stay
from hocp2p.game.cards import DECK, Card
from hocp2p.game.state import SeatView
from hocp2p.players.engine import codes
from hocp2p.players.engine.deal import Deal
from hocp2p.players.engine.holdings import holdings, part_shows
from hocp2p.players.engine.masks import CLASS_OF, cards_of, mask_of
from hocp2p.players.engine.play import HOLD, SANS

_SIMPLE: Final[dict[int, Action]] = {
    codes.PASS: actions.Pass(),
    codes.GOOD: actions.Good(),
    codes.UNSEEN: actions.Unseen(),
    codes.BLANCHE: actions.Blanche(),
    codes.GO: actions.Go(),
}
_SIMPLE_CODES: Final = {type(action): code for code, action in _SIMPLE.items()}


def decode_action(view: SeatView, action: int) -> Action:
    """What the view's seat does, as the game knows it, by the number that :class:`Deal` has for it.

    Raises RuleError ``wrong-phase`` or ``not-in-hand`` for a number that stands for nothing at this moment.
    """
    if action < codes.SANS:
        return _playing(view, DECK[action])
    if action in _SIMPLE:
        return _SIMPLE[action]
    called = view.state.play.called if view.state.play is not None else None
    if action in (codes.SANS, codes.HOLD) and called is not None:
        return actions.Sans(called) if action == codes.SANS else actions.Hold(called)
    stake = view.state.stake
    if stake is None:
        raise RuleError("wrong-phase", f"there is no action {action} here")
    if action >= codes.SHOW_PART or codes.SHOW <= action < codes.ANNOUNCE:
        return _showing(view, stake, action)
    if action >= codes.RAISE:
        by, number = divmod(action - codes.RAISE, codes.CLASSES)
        return Raise(by, _combination(stake, number))
    if action >= codes.ANNOUNCE:
        return Announce(Claim(*divmod(action - codes.ANNOUNCE, codes.CODE)))
    if action >= codes.STAY:
        return Stay(_combination(stake, action - codes.STAY))
    return Declare(_combination(stake, action - codes.DECLARE))


def decode_move(view: SeatView, action: int) -> Action:
    """The same for an action of :class:`~hocp2p.players.engine.play.Play`: the first card of the class in dealt order.

    Raises RuleError as :func:`decode_action`.
    """
    called = view.state.play.called if view.state.play is not None else None
    if action in (SANS, HOLD) and called is not None:
        return actions.Sans(called) if action == SANS else actions.Hold(called)
    for card in view.hand:
        if CLASS_OF[card.index] == action:
            return _playing(view, card)
    raise RuleError("not-in-hand", f"the hand has no card of the class {action}")


def encode_action(deal: Deal, action: Action) -> int:
    """The number of an action of the player whose turn it is.

    Raises RuleError ``not-offered`` for a show that :meth:`Deal.legal` does not offer, such as a part of a run.
    """
    kind = type(action)
    if kind in _SIMPLE_CODES:
        return _SIMPLE_CODES[kind]
    match action:
        case actions.Play(card=card):
            return card.index
        case actions.Sans():
            return codes.SANS
        case actions.Hold():
            return codes.HOLD
        case Declare(announced):
            return codes.DECLARE + number_of_class(announced)
        case Stay(announced):
            return codes.STAY + number_of_class(announced)
        case Raise(by, announced):
            return codes.RAISE + codes.CLASSES * by + number_of_class(announced)
        case Announce(claim):
            return codes.ANNOUNCE + codes.code_of(claim.first, claim.second)
        case Show(cards):
            return _code_of_show(deal, mask_of(held.card for held in cards))
        case _:
            raise RuleError("not-offered", f"{action} has no number")


def encode_move(action: Action) -> int:
    """The action of :class:`~hocp2p.players.engine.play.Play` for a card, *sans* or *hold*.

    Raises RuleError ``wrong-phase`` for anything else.
    """
    match action:
        case actions.Play(card=card):
            return CLASS_OF[card.index]
        case actions.Sans():
            return SANS
        case actions.Hold():
            return HOLD
        case _:
            raise RuleError("wrong-phase", "the cards are being played: play a card or say sans")


def number_of_class(announced: Combination | None) -> int:
    """The class number of an announced class; 0 for none."""
    if announced is None:
        return 0
    return next(classes.index(announced) + 1 for classes in CLASSES.values() if announced in classes)


def _combination(stake: Stake, number: int) -> Combination | None:
    return CLASSES[stake][number - 1] if number else None


def _playing(view: SeatView, card: Card) -> actions.Play:
    for position in view.state.hands[view.seat]:
        if view.own[position] == card:
            return actions.Play(position, card)
    raise RuleError("not-in-hand", f"{card} is not in that hand")


def _showing(view: SeatView, stake: Stake, action: int) -> Show:
    hand = mask_of(view.hand)
    if action >= codes.SHOW_PART:
        claim = view.state.showdown.claims[view.seat] if view.state.showdown is not None else None
        code = codes.code_of(claim.first, claim.second) if claim is not None else 0
        masks = [part_shows(hand, code)[action - codes.SHOW_PART]]
    else:
        chosen = action - codes.SHOW
        masks = [held.mask for number, held in enumerate(holdings(stake, hand)) if chosen >> number & 1]
    positions = {card: position for position, card in view.own.items()}
    return Show(tuple(Held(positions[card], card) for mask in masks for card in cards_of(mask)))


def _code_of_show(deal: Deal, shown: int) -> int:
    stakes = deal.stakes
    chosen = 0
    for number, held in enumerate(holdings(stakes.stake, stakes.hands[stakes.turn])):
        if held.mask & shown == held.mask:
            chosen |= 1 << number
            shown ^= held.mask
    if not shown:
        return codes.SHOW + chosen
    parts = part_shows(stakes.hands[stakes.turn], stakes.claims[stakes.turn]) if stakes.stake == Stake.POINT else ()
    if shown in parts and not chosen:
        return codes.SHOW_PART + parts.index(shown)
    raise RuleError("not-offered", "only whole combinations have a number")
