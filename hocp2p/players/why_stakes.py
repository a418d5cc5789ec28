"""What speaks for an action in the stakes and for an answer to carte blanche. See ``advice``."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hocp2p.game.actions import Action, Declare, Good, Pass, Raise, Show, Stay, Unseen
from hocp2p.game.blanche import BLANCHE_PAY
from hocp2p.game.combinations import RATES, holdings
from hocp2p.game.house import FINE
from hocp2p.game.showdown import best_claimant, showdown_of
from hocp2p.game.stakes import auction_of
from hocp2p.game.state import SeatView
from hocp2p.players.bidding import OPEN_CHANCE, Prospect
from hocp2p.players.reasons import (
    AnnouncesBest,
    BeatsAnnounced,
    Bluff,
    CannotBeBeaten,
    CannotShow,
    ChanceToWinStake,
    CostsToStay,
    EqualButLater,
    FalseCosts,
    HoldsBest,
    HoldsCourt,
    HoldsNothing,
    MayComeBack,
    NoCourt,
    NothingBetter,
    PaidForShow,
    PaidUnseen,
    Reason,
    SaidMostly,
    SaysOther,
    SparesBlanche,
    StaysFree,
    TakesPool,
    WinsByPosition,
)

CLEARLY: Final = 1.5
"""So many times as much as what speaks for a word has to speak against it."""


def why_bid(
    view: SeatView, action: Action, mostly: SaidMostly | None = None, chance: float | None = None
) -> tuple[Reason, ...]:
    """A word of an auction; the weightiest reason first.

    Args:
        view: of the seat whose turn it is, in the auction.
        action: what is advised.
        mostly: how often that is said with such a hand, where other words are said, too.
        chance: to be the best, where somebody knows better than the novice.
    """
    stake = auction_of(view.state).stake
    prospect = Prospect.of(view, auction_of(view.state))
    if chance is not None and prospect.chance < 1:
        prospect = replace(prospect, chance=chance)
    said = _said(view, action, prospect)
    staying = isinstance(action, Good | Stay) and not isinstance(said, SaysOther)
    price: Reason = CostsToStay(prospect.to_call, prospect.prize) if prospect.to_call else StaysFree()
    strength = _strength(view, prospect, prospect.to_call if staying else 0)
    mixed = () if mostly is None else (mostly,)
    match action:
        case Pass():
            return strength, *mixed, MayComeBack()
        case Good() if not prospect.to_call:
            return strength, *mixed
        case _ if staying and isinstance(strength, ChanceToWinStake) and strength.jetons:  # the price is part of it
            return price if _contradicts(action, prospect) else strength, *mixed
        case Stay() if staying and prospect.best is None and _sits_first(view):
            return WinsByPosition(stake), price, *mixed
        case _ if staying:
            return strength, price, *mixed
        case Raise() | Declare() if prospect.best is None:
            return Bluff(stake), *mixed
        case Raise() if prospect.chance < OPEN_CHANCE:
            return Bluff(stake), *mixed, said
        case _ if isinstance(said, SaysOther):
            return said, *mixed, strength
        case _:
            return strength, *mixed, said


def why_announce(view: SeatView, action: Action) -> tuple[Reason, ...]:
    """A word of a showdown."""
    state, stake = view.state, auction_of(view.state).stake
    held = holdings(stake, view.own.values(), state.rules)
    rival = best_claimant(showdown_of(state))
    claim = None if rival is None else showdown_of(state).claims[rival]
    if not held:
        return HoldsNothing(stake), FalseCosts(FINE)
    if rival is None or claim is None:
        return (AnnouncesBest(),)
    if isinstance(action, Good) and claim == held[0].claim:
        return (EqualButLater(rival, claim, stake),)
    if isinstance(action, Good):
        return NothingBetter(rival, claim, stake), HoldsBest(stake, held[0].claim)
    return AnnouncesBest(), BeatsAnnounced(rival, claim, stake)


def why_show(view: SeatView, action: Action) -> tuple[Reason, ...]:
    """What the winner of a stake shows."""
    state, auction = view.state, auction_of(view.state)
    pool = TakesPool(auction.stake, state.pools[auction.stake])
    times = (state.seats - 1) * (2 if auction.stake in state.doubled else 1)
    announced = auction.announced[view.seat]
    match action:
        case Show(cards):
            shown = holdings(auction.stake, [held.card for held in cards])
            paid = times * sum(holding.payment for holding in shown)
            return (pool, PaidForShow(paid)) if paid else (pool,)
        case Unseen():
            return (pool,) if announced is None else (pool, PaidUnseen(times * RATES[announced][0]))
        case _:
            return CannotShow(), FalseCosts(FINE)


def why_answer(view: SeatView) -> tuple[Reason, ...]:
    """Carte blanche claimed, whenever there is no court."""
    state = view.state
    courts = [card for card in view.own.values() if card.is_court]
    if courts:
        return (HoldsCourt(min(courts)),)
    rivals = [seat for seat in state.turn_order if seat != view.seat and state.blanche[seat]]
    if len(rivals) == 1:
        return (SparesBlanche(rivals[0], BLANCHE_PAY),)
    return (NoCourt((state.seats - 1) * BLANCHE_PAY),)


def _sits_first(view: SeatView) -> bool:
    """Whether nobody who may still contest has a better position."""
    auction = auction_of(view.state)
    return next(seat for seat in view.state.present if not auction.out[seat]) == view.seat


def _contradicts(action: Action, prospect: Prospect) -> bool:
    """Whether the chance to be the best speaks clearly against the word: the tables know more than such a chance says.

    What others announce and how they go on is not in it.
    """
    gain, loss = prospect.chance * prospect.prize, (1 - prospect.chance) * prospect.to_call
    return gain > CLEARLY * loss if isinstance(action, Good) else loss > CLEARLY * gain


def _strength(view: SeatView, prospect: Prospect, jetons: int) -> Reason:
    stake = auction_of(view.state).stake
    if prospect.best is None:
        return HoldsNothing(stake)
    if prospect.chance == 1:  # exact: every chance in the product is one
        return CannotBeBeaten(stake)
    return ChanceToWinStake(stake, prospect.chance, jetons, prospect.prize)


def _said(view: SeatView, action: Action, prospect: Prospect) -> Reason:
    """What the hand holds, or that another class is said than it holds."""
    stake = auction_of(view.state).stake
    if prospect.best is None:
        return HoldsNothing(stake)
    held = prospect.best.combination
    said = action.announced if isinstance(action, Declare | Raise | Stay) else None
    if held is None or said is None or said is held:
        return HoldsBest(stake, prospect.best.claim)
    return SaysOther(held, said)
