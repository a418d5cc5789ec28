"""Whether the reasons of an advice are true, seen from above: against all hands, and by playing on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb
from random import Random

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import (
    Action,
    Announce,
    Claim,
    Combination,
    Declare,
    Good,
    Pass,
    Play,
    Raise,
    Sans,
    Stake,
    Stay,
)
from hocp2p.game.cards import DECK, Card
from hocp2p.game.combinations import Holding, claim_strength, holdings
from hocp2p.game.events import Paid, StakeClosed, StakeEnd
from hocp2p.game.payments import STAKE_SOURCE
from hocp2p.game.state import AuctionState, DealState, PlayState, SeatView
from hocp2p.players import reasons as why
from hocp2p.players.advice import Searches, advise
from hocp2p.players.auction import tree
from hocp2p.players.auction.policy import moment_of, own_bucket, scale_of, table_of
from hocp2p.players.engine.convert import place_of
from hocp2p.players.levels import make_player
from hocp2p.players.player import Player, Rng
from hocp2p.players.trained import shipped_search
from tests.support.table_sim import Deck, play_deal, view_of

WORDS = {tree.PASS: Pass, tree.DECLARE: Declare, tree.RAISE: Raise, tree.STAY: Stay, tree.GOOD: Good}
MOST_WORLDS = 400
"""So many ways to deal the hidden cards are gone through one by one."""

CARDS_LEFT = (0, 6, 8, 3, 4, 5, 6, 7, 8, 9, 20, 22, 24, 26, 28, 30)  # rule 3.3, by cards left


class Advised:
    """Does what it is advised."""

    def __init__(self, rng: Rng, searches: Searches = shipped_search) -> None:
        self._rng = rng
        self._searches = searches

    def decide(self, view: SeatView) -> Action:
        return advise(view, self._rng, self._searches).action


class Truth:
    """One decision: the public state, all cards, what was advised, by which searches of the play, and their seed."""

    def __init__(
        self, state: DealState, deck: Deck, advice: why.Advice, searches: Searches = shipped_search, seed: int = 1
    ) -> None:
        assert state.turn is not None
        self.searches = searches
        self.seed = seed
        self.state = state
        self.deck = deck
        self.action = advice.action
        self.reasons = advice.reasons
        self.goes_on_to = advice.goes_on_to
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

    def ends_as_told(self) -> bool:
        """Whether the card that is played leads on to the one that is told, by ordinary cards of the hand alone."""
        if not isinstance(self.action, Play) or self.action.card.is_hoc:
            return self.goes_on_to is None
        length = self._chain(self.action.card.rank)
        if length == 1 or any(isinstance(reason, why.WinsNow) for reason in self.reasons):
            return self.goes_on_to is None
        return self.goes_on_to in self._ordinary() and self.goes_on_to.rank == self.action.card.rank + length - 1

    def _in_auction(self, reason: why.Reason) -> bool | None:
        match reason:
            case why.HoldsBest(stake, claim):
                return stake is self.state.stake and self._best() == claim
            case why.HoldsNothing(stake):
                return stake is self.state.stake and self._best() is None
            case why.WinsByPosition(stake):
                return stake is self.state.stake and self._best() is None and self._wins_when_nobody_shows()
            case why.ChanceToWinStake(stake, chance, jetons, prize):
                told = jetons in (0, self._price()) and prize == self._prize()
                return told and stake is self.state.stake and (0 < chance < 1 or (chance == 0 and self._is_beaten()))
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
                bluffs = isinstance(self.action, Raise) or (isinstance(self.action, Declare) and self._best() is None)
                return stake is self.state.stake and bluffs and not chances
            case why.SaidMostly(word, times):
                shares = self._shares()
                most = shares[type(word)] > max(shares.values()) - 0.1
                return word == self.action and most and times < 10 and abs(times - 10 * shares[type(word)]) <= 1
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
            case why.EqualButLater(rival, claim, stake):
                order = self.state.turn_order
                return claims[rival] == claim == self._best() and order.index(rival) < order.index(self.seat)
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
            case why.LongestRun():
                played = _card(self.action).rank
                return self._chain(played) == max(self._chain(card.rank) for card in self._ordinary()) > 1
            case why.RunIsDead(rank):
                return not self._can_follow(rank, with_hocs=True)
            case why.OnlyHocFollows(rank, stays):
                return not self._can_follow(rank, with_hocs=False) and self._are_chances(rank, 1, stays)
            case why.KeepsLead(rank, dead, stays):
                return dead < 1 and self._are_chances(rank, dead, stays)
            case why.Expects(jetons, other, otherwise):
                values = self.searches(len(self.state.present)).expects(self.view, Random(self.seed))
                best, second, *_ = values.items()
                told = [(self.action, jetons), (other, otherwise)]
                return other in self.legal and [(action, round(value)) for action, value in (best, second)] == told
            case why.MustPlay(rank, hoc):
                holds = any(card.is_hoc for card in self.hand)
                return rank == _play(self.state).called and Sans(rank) not in self.legal and hoc == holds
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
                return self._can_go_out(with_hocs=True) and all(self._goes_out_as_advised(seed) for seed in range(1))
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

    def _wins_when_nobody_shows(self) -> bool:
        """Plays the stake on: nobody gives up any more, and nobody announces anything."""
        state, events = game_rules.apply(self.state, self.seat, self.action)
        while not (closed := [event for event in events if isinstance(event, StakeClosed)]):
            assert state.turn is not None
            legal = game_rules.legal_actions(view_of(state, state.turn, self.deck))
            word = next(action for kind in (Stay, Pass, Good) for action in legal if isinstance(action, kind))
            state, events = game_rules.apply(state, state.turn, word)
        return closed[0].end is StakeEnd.NOTHING and closed[0].winner == self.seat

    def _price(self) -> int:
        stay = next((action for action in self.legal if isinstance(action, Stay)), None)
        if stay is None:
            return 0
        _, events = game_rules.apply(self.state, self.seat, stay)
        return int(getattr(events[0], "paid"))  # noqa: B009 - the first event of a call is ``Called``

    def _prize(self) -> int:
        state, stake = self.state, _auction(self.state).stake
        held = self._held() if state.rules.lesser == "on" else self._held()[:1]
        times = 2 if stake in state.doubled else 1
        return state.pools[stake] + sum(held.payment for held in held) * times * (state.seats - 1)

    def _shares(self) -> dict[type[Action], float]:
        """How often the tables say which kind of word; to give up what costs nothing is to stay."""
        auction = _auction(self.state)
        table = table_of(self.state, auction.stake)
        scale = scale_of(self.state, auction, table)
        number = table.nearest(moment_of(self.state, auction, scale, place_of(self.state, self.seat)))
        assert number is not None
        node, bucket = table.nodes[number], own_bucket(self.view, auction, table)
        free = auction.level == auction.paid[self.seat]
        shares: dict[type[Action], float] = defaultdict(float)
        for slot, word in enumerate(node.words):
            kind = Stay if word.kind == tree.GOOD and free else WORDS[word.kind]
            shares[kind] += float(table.strategy[node.first + slot, bucket])
        return shares

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

    def _can_follow(self, rank: int, *, with_hocs: bool) -> bool:
        hands = [self.deck[position] for seat in self.rivals for position in self.state.hands[seat]]
        return any((card.rank == rank and not card.is_hoc) or (with_hocs and card.is_hoc) for card in hands)

    def _are_chances(self, rank: int, dead: float, stays: float) -> bool:
        """Whether these may be the chances that nobody has to follow and that nobody can; they are, where we count."""
        if not 0 <= stays <= dead <= 1:
            return False
        if (dead == 0 and not self._can_follow(rank, with_hocs=False)) or (stays == 0 and self._leads_safely(rank)):
            return False
        counted = chances_by_force(self.view, rank)
        return counted is None or max(abs(dead - counted[0]), abs(stays - counted[1])) < 1e-9

    def _leads_safely(self, rank: int) -> bool:
        return not self._can_follow(rank, with_hocs=True)

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
            return goes_out(hand - {card}, None if card.is_hoc else card.rank + 1, blocked)
        return _play(self.state).called not in blocked and goes_out(hand, None, blocked)

    def _goes_out_as_advised(self, seed: int) -> bool:
        players: list[Player] = [make_player("random", Random(f"{seed} {seat}")) for seat in range(self.state.seats)]
        players[self.seat] = Advised(Random(seed), self.searches)
        return play_deal(self.state, self.deck, players).winner == self.seat


def chances_by_force(view: SeatView, rank: int) -> tuple[float, float] | None:
    """The chances that no opponent holds an ordinary card of a rank, and that none can play when it is called.

    Counted over all ways to deal the hidden cards; None where they are too many.
    """
    state, play = view.state, _play(view.state)
    faces = state.faces()
    hidden = [card for card in DECK if card not in {*view.own.values(), *faces.values()}]
    rivals = [seat for seat in state.present if seat != view.seat]
    known = [[faces[position] for position in state.hands[seat] if position in faces] for seat in rivals]
    sizes = [len(state.hands[seat]) - len(cards) for seat, cards in zip(rivals, known, strict=True)]
    if comb(len(hidden), sizes[0]) * comb(len(hidden) - sizes[0], sum(sizes[1:])) > MOST_WORLDS:
        return None
    count = dead = safe = 0
    for world in _worlds(hidden, sizes):
        if not all(_may_hold(state, play, seat, hand) for seat, hand in zip(rivals, world, strict=True)):
            continue
        cards = [card for hands in (*world, *known) for card in hands]
        follows = any(card.rank == rank and not card.is_hoc for card in cards)
        count += 1
        dead += not follows
        safe += not follows and not any(card.is_hoc for card in cards)
    return dead / count, safe / count


def _worlds(hidden: Sequence[Card], sizes: Sequence[int]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """All ways to deal so many of the hidden cards to each."""
    if not sizes:
        yield ()
        return
    for hand in combinations(hidden, sizes[0]):
        for others in _worlds([card for card in hidden if card not in hand], sizes[1:]):
            yield hand, *others


def _may_hold(state: DealState, play: PlayState, seat: int, hand: Sequence[Card]) -> bool:
    """Whether hidden cards agree with what was proven: no card of a rank denied, no court after a claim."""
    denied = any(card.rank in play.sans[seat] and not card.is_hoc for card in hand)
    return not denied and not (bool(state.blanche[seat]) and any(card.is_court for card in hand))


@cache
def goes_out(hand: frozenset[Card], called: int | None, blocked: frozenset[int]) -> bool:
    if not hand:
        return True
    must = any(card.rank == called and not card.is_hoc for card in hand)
    for card in hand:
        if (called is None or card.is_hoc or card.rank == called) and goes_out(
            hand - {card}, None if card.is_hoc else card.rank + 1, blocked
        ):
            return True
    return called is not None and not must and called not in blocked and goes_out(hand, None, blocked)


def _card(action: Action) -> Card:
    assert isinstance(action, Play)
    return action.card


def _auction(state: DealState) -> AuctionState:
    assert state.auction is not None
    return state.auction


def _play(state: DealState) -> PlayState:
    assert state.play is not None
    return state.play
