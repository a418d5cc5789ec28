"""Whether the reasons of an advice are true, seen from above: against all hands, and by playing on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Announce, Claim, Combination, Pass, Play, Raise, Sans, Stake, Stay
from hocp2p.game.cards import Card
from hocp2p.game.combinations import Holding, claim_strength, holdings
from hocp2p.game.events import Paid
from hocp2p.game.payments import STAKE_SOURCE
from hocp2p.game.state import AuctionState, DealState, PlayState, SeatView
from hocp2p.players import reasons as why
from hocp2p.players.advice import Advice, advise
from hocp2p.players.levels import make_player
from hocp2p.players.player import Player, Rng
from tests.support.table_sim import Deck, play_deal, view_of

CARDS_LEFT = (0, 6, 8, 3, 4, 5, 6, 7, 8, 9, 20, 22, 24, 26, 28, 30)  # rule 3.3, by cards left


class Advised:
    """Does what it is advised."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def decide(self, view: SeatView) -> Action:
        return advise(view, self._rng).action


class Truth:
    """One decision: the public state, all cards, and what was advised."""

    def __init__(self, state: DealState, deck: Deck, advice: Advice) -> None:
        assert state.turn is not None
        self.state = state
        self.deck = deck
        self.action = advice.action
        self.reasons = advice.reasons
        self.seat = state.turn
        self.view = view_of(state, self.seat, deck)
        self.hand = self.view.hand
        self.own = tuple(self.view.own.values())
        self.rivals = [seat for seat in state.present if seat != self.seat]
        self.legal = game_rules.legal_actions(self.view)

    def holds(self, reason: why.Reason) -> bool:
        """Whether this reason is true."""
        for part in (self._in_auction, self._in_showdown, self._in_answer, self._in_play, self._by_playing_on):
            if (known := part(reason)) is not None:
                return known
        raise AssertionError(f"nobody knows how to check {reason}")

    def _in_auction(self, reason: why.Reason) -> bool | None:
        match reason:
            case why.HoldsBest(stake, claim):
                return stake is self.state.stake and self._best() == claim
            case why.HoldsNothing(stake):
                return stake is self.state.stake and self._best() is None
            case why.ChanceToWinStake(stake, chance):
                return stake is self.state.stake and (0 < chance < 1 or (chance == 0 and self._is_beaten()))
            case why.CannotBeBeaten(stake):
                return stake is self.state.stake and self._best() is not None and not self._is_beaten()
            case why.CostsToStay(jetons, prize):
                return jetons > 0 and self._price() == jetons and self._prize() == prize
            case why.StaysFree():
                return self._price() == 0
            case why.MayComeBack():
                after, _ = game_rules.apply(self.state, self.seat, self.action)
                closed = after.auction is None or after.auction.stake is not self.state.stake
                return isinstance(self.action, Pass) and (closed or not _auction(after).out[self.seat])
            case why.Bluff(stake):
                chances = [other.chance for other in self.reasons if isinstance(other, why.ChanceToWinStake)]
                return stake is self.state.stake and isinstance(self.action, Raise) and not chances
            case why.SaysOther(held, said):
                return self._class() is held and getattr(self.action, "announced", None) is said and held is not said
            case _:
                return None

    def _in_showdown(self, reason: why.Reason) -> bool | None:
        claims = self.state.showdown.claims if self.state.showdown is not None else ()
        match reason:
            case why.AnnouncesBest():
                return isinstance(self.action, Announce) and self.action.claim == self._best()
            case why.BeatsAnnounced(rival, claim, stake):
                return claims[rival] == claim and self._strength(stake) > self._strength(stake, claim)
            case why.NothingBetter(rival, claim, stake):
                return claims[rival] == claim and self._strength(stake) <= self._strength(stake, claim)
            case why.FalseCosts(jetons):
                return jetons == 5
            case why.CannotShow():
                claim_made = claims[self.seat]
                return claim_made is not None and not any(held.covers(claim_made) for held in self._held())
            case why.TakesPool() | why.PaidForShow() | why.PaidUnseen():
                told = [other for other in self.reasons if isinstance(other, why.TakesPool)]
                paid = [other for other in self.reasons if isinstance(other, why.PaidForShow | why.PaidUnseen)]
                pool = self.state.pools[_auction(self.state).stake]
                brought = sum(other.jetons for other in paid)
                most = max(self._won_by(action) for action in self.legal)
                return told[0].jetons == pool and self._won_by(self.action) == pool + brought == most
            case _:
                return None

    def _in_answer(self, reason: why.Reason) -> bool | None:
        courts = [card for card in self.own if card.rank > 10]
        claimants = [seat for seat, claimed in enumerate(self.state.blanche) if claimed]
        match reason:
            case why.NoCourt(jetons):
                return not courts and jetons == 10 * (self.state.seats - 1)
            case why.SparesBlanche(rival, jetons):
                return not courts and claimants == [rival] and jetons == 10
            case why.HoldsCourt(card):
                return card in courts
            case _:
                return None

    def _in_play(self, reason: why.Reason) -> bool | None:
        match reason:
            case why.LongestRun(cards):
                return self._is_run(cards) and len(cards) == max(self._chain(card.rank) for card in self._ordinary())
            case why.GoesOn(cards):
                return self._is_run(cards)
            case why.RunIsDead(rank):
                return not self._can_follow(rank, with_hocs=True)
            case why.OnlyHocFollows(rank):
                return not self._can_follow(rank, with_hocs=False)
            case why.KeepsLead(rank, chance):
                return 0 < chance < 1 or (chance == 0 and self._can_follow(rank, with_hocs=False))
            case why.MustPlay(rank):
                return rank == _play(self.state).called and Sans(rank) not in self.legal
            case why.NothingFits(rank):
                return self.legal == (Sans(rank),)
            case why.KeepsHoc(hocs):
                return isinstance(self.action, Sans) and hocs == sum(card.is_hoc for card in self.hand) > 0
            case why.NearOut(rival, cards, left, jetons):
                counts = {seat: len(self.state.hands[seat]) for seat in self.rivals}
                few = counts[rival] == cards == min(counts.values()) <= 3
                return few and left == len(self.hand) and jetons == CARDS_LEFT[left]
            case _:
                return None

    def _by_playing_on(self, reason: why.Reason) -> bool | None:
        match reason:
            case why.HocTakesOne(jetons):
                after, events = game_rules.apply(self.state, self.seat, self.action)
                paid = [event for event in events if isinstance(event, Paid) and event.reason == "hoc"]
                leads = after.turn == self.seat and _play(after).called is None
                return leads and {event.to for event in paid} == {self.seat} and sum(e.amount for e in paid) == jetons
            case why.WinsNow(cards):
                return self._wins_with(cards)
            case why.CannotBeStopped():
                return self._can_go_out(with_hocs=True) and all(self._goes_out_as_advised(seed) for seed in range(3))
            case why.OnlyHocStops():
                return self._can_go_out(with_hocs=False)
            case _:
                return None

    # the stakes

    def _held(self, seat: int | None = None) -> tuple[Holding, ...]:
        cards = self.own if seat is None else [self.deck[position] for position in self.state.dealt[seat]]
        return holdings(_auction(self.state).stake, cards, self.state.rules)

    def _best(self, seat: int | None = None) -> Claim | None:
        stake = _auction(self.state).stake
        claims = [holding.claim for holding in self._held(seat)]
        return max(claims, key=lambda claim: claim_strength(self.state.rules, stake, claim), default=None)

    def _class(self) -> Combination | None:
        return self._held()[0].combination if self._held() else None

    def _strength(self, stake: Stake, claim: Claim | None = None) -> tuple[int, int]:
        claim = claim or self._best()
        assert claim is not None
        return claim_strength(self.state.rules, stake, claim)

    def _is_beaten(self) -> bool:
        """Whether somebody who may still contest is better, or as good with a better position."""
        order = self.state.turn_order
        stake = _auction(self.state).stake
        for rival in self.rivals:
            best = self._best(rival)
            if best is None or _auction(self.state).out[rival]:
                continue
            if self._best() is None:
                return True
            theirs, ours = self._strength(stake, best), self._strength(stake)
            if theirs > ours or (theirs == ours and order.index(rival) < order.index(self.seat)):
                return True
        return False

    def _price(self) -> int:
        stay = next(action for action in self.legal if isinstance(action, Stay))
        _, events = game_rules.apply(self.state, self.seat, stay)
        return int(getattr(events[0], "paid"))  # noqa: B009 - the first event of a call is ``Called``

    def _prize(self) -> int:
        state, stake = self.state, _auction(self.state).stake
        held = self._held() if state.rules.lesser == "on" else self._held()[:1]
        times = 2 if stake in state.doubled else 1
        return state.pools[stake] + sum(held.payment for held in held) * times * (state.seats - 1)

    def _won_by(self, action: Action) -> int:
        """Change of balance by this show."""
        _, events = game_rules.apply(self.state, self.seat, action)
        stake = _auction(self.state).stake
        paid = [event for event in events if isinstance(event, Paid) and event.source is STAKE_SOURCE[stake]]
        return self.state.pools[stake] + sum(event.amount for event in paid if event.to == self.seat)

    # the play

    def _ordinary(self) -> list[Card]:
        return [card for card in self.hand if not card.is_hoc]

    def _chain(self, rank: int) -> int:
        ranks = {card.rank for card in self._ordinary()}
        return next(length for length in range(14) if rank + length not in ranks)

    def _is_run(self, cards: Sequence[Card]) -> bool:
        first = cards[0]
        right = isinstance(self.action, Play) and self.action.card == first
        held = set(cards) <= set(self._ordinary())
        ranks = [card.rank for card in cards]
        return (
            right
            and held
            and ranks == list(range(first.rank, first.rank + self._chain(first.rank)))
            and ranks[1:] != []
        )

    def _can_follow(self, rank: int, *, with_hocs: bool) -> bool:
        hands = [self.deck[position] for seat in self.rivals for position in self.state.hands[seat]]
        return any((card.rank == rank and not card.is_hoc) or (with_hocs and card.is_hoc) for card in hands)

    def _wins_with(self, cards: Sequence[Card]) -> bool:
        where = {card: position for position, card in self.view.own.items()}
        state = self.state
        for card in cards:
            if state.turn != self.seat:
                return False
            state, _ = game_rules.apply(state, self.seat, Play(where[card], card))
        return state.winner == self.seat and Play(where[cards[0]], cards[0]) == self.action

    def _can_go_out(self, *, with_hocs: bool) -> bool:
        """Tries everything that never gives the others a card to play; they play hocs only ``with_hocs``."""
        blocked = frozenset(rank for rank in range(1, 14) if self._can_follow(rank, with_hocs=with_hocs))
        hand = frozenset(self.hand)
        if isinstance(self.action, Play):
            card = self.action.card
            return _goes_out(hand - {card}, None if card.is_hoc else card.rank + 1, blocked)
        return _play(self.state).called not in blocked and _goes_out(hand, None, blocked)

    def _goes_out_as_advised(self, seed: int) -> bool:
        players: list[Player] = [make_player("random", Random(f"{seed} {seat}")) for seat in range(self.state.seats)]
        players[self.seat] = Advised(Random(seed))
        return play_deal(self.state, self.deck, players).winner == self.seat


@cache
def _goes_out(hand: frozenset[Card], called: int | None, blocked: frozenset[int]) -> bool:
    if not hand:
        return True
    for card in hand:
        if (called is None or card.is_hoc or card.rank == called) and _goes_out(
            hand - {card}, None if card.is_hoc else card.rank + 1, blocked
        ):
            return True
    return called is not None and called not in blocked and _goes_out(hand, None, blocked)


def _auction(state: DealState) -> AuctionState:
    assert state.auction is not None
    return state.auction


def _play(state: DealState) -> PlayState:
    assert state.play is not None
    return state.play
