"""The small auction is reckoned right, and CFR+ solves it."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from hocp2p.game.actions import Stake
from hocp2p.game.house import DEFAULT_RULES
from hocp2p.players.auction.buckets import NO_LIMIT, Buckets, figures
from hocp2p.players.auction.tree import PASSED, Menu, Node, build
from hocp2p.players.engine import codes
from hocp2p.players.engine.house import House
from hocp2p.players.engine.places import NOBODY
from hocp2p.players.engine.stakes import AUCTION, SHOW, SHOWDOWN, Stakes
from hocp2p.training.auction_cfr import AuctionGame, Solver
from hocp2p.training.auction_chance import Chance, count_chances, deal_hands
from tests.players.auction.test_tree import path_to, say

SMALL = {
    (2, Stake.SEQUENCE): Menu(2, (1, 3), ((1, 5), (20,))),
    (2, Stake.POINT): Menu(2, (), ((2, 10), (5,))),
    (3, Stake.TRICON): Menu(3, (1, 2), ((6,),)),
}
ONE_BUCKET = Buckets(np.array([], np.int64), np.array([]), np.array([NO_LIMIT]), np.array([0]))


def small_game(seats: int, stake: Stake, factor: int = 1, deals: int = 2000) -> AuctionGame:
    """Two or four buckets: weak and strong, and where it counts what they are paid."""
    menu = SMALL[seats, stake]
    strengths, payments = figures(stake, deal_hands(seats, deals, np.random.default_rng(3)))
    half = int(np.median(strengths[strengths > 0]))
    limits = np.array([NO_LIMIT, NO_LIMIT if stake is Stake.POINT else 2])
    buckets = Buckets(np.array([half]), np.array([0.5]), limits, np.array([0, 1]))
    return AuctionGame(menu, count_chances(menu, stake, buckets, strengths, payments, factor), seats * factor)


def paid_by_the_rules(nodes: tuple[Node, ...], number: int, stake: Stake, hands: list[int], factor: int) -> list[float]:
    """By place, jetons after the antes when the words to an end were said with these cards; a lone winner and one in a
    showdown take what pays most."""
    seats = len(hands)
    house, carry = House.of(DEFAULT_RULES, seats), [0, 0, 0]
    carry[stake] = (factor - 1) * seats
    engine = Stakes(house, hands, carry, (factor - 1) << stake)
    while engine.stake != stake:
        engine.apply(codes.PASS)
    for word in path_to(nodes, number):
        say(engine, word)
    while engine.stake == stake and engine.phase != AUCTION:
        if engine.phase == SHOWDOWN:
            engine.apply(engine.legal()[0])  # the best, or good
        else:
            assert engine.phase == SHOW
            engine.apply(max(engine.legal(), key=lambda action: gain(engine, action)))
    mine = [pay + 1 for pay in engine.pay[seats * stake : seats * (stake + 1)]]
    if nodes[number].end == PASSED:
        return [pay + engine.pools[stake] / seats for pay in mine]
    return [float(pay) for pay in mine]


def gain(engine: Stakes, action: int) -> int:
    """What a word of the winner brings him."""
    after, winner = engine.copy(), engine.turn
    after.apply(action)
    return after.pay[engine.house.seats * engine.stake + winner]


@pytest.mark.parametrize(("seats", "stake"), SMALL)
@pytest.mark.parametrize("factor", [1, 2])
def test_is_paid_as_by_the_rules(seats: int, stake: Stake, factor: int) -> None:
    """With one deal in all seatings and one bucket, what a strategy expects is what the engine pays for it."""
    menu = SMALL[seats, stake]
    nodes = build(menu)
    hands = deal_hands(seats, 40, np.random.default_rng(8))
    strengths, payments = figures(stake, hands)
    for deal in [0, *np.argsort(-strengths.min(axis=1))[:2].tolist()]:
        one = slice(deal, deal + 1)
        chance = count_chances(menu, stake, ONE_BUCKET, strengths[one], payments[one], factor)
        game = AuctionGame(menu, chance, seats * factor)
        strategy = game.uniform()
        reach = np.prod([game.reach(place, strategy)[:, 0] for place in range(seats)], axis=0)
        expected = np.zeros(seats)
        seatings = list(permutations(int(hand) for hand in hands[deal]))
        for number, node in enumerate(nodes):
            if node.turn == NOBODY:
                for seating in seatings:
                    paid = paid_by_the_rules(nodes, number, stake, list(seating), factor)
                    expected += reach[number] / len(seatings) * np.array(paid)
        assert game.worth(strategy) == pytest.approx(expected.tolist())


@pytest.mark.parametrize(("seats", "stake"), SMALL)
@pytest.mark.parametrize("factor", [1, 2])
def test_what_all_expect_is_the_pool(seats: int, stake: Stake, factor: int) -> None:
    game = small_game(seats, stake, factor)
    weights = np.random.default_rng(1).random((len(game.nodes), game.count))
    strategy = game.normalised(weights, game.uniform())
    assert sum(game.worth(strategy)) == pytest.approx(seats * factor)
    assert min(game.gains(strategy)) >= 0


@pytest.mark.parametrize(("seats", "stake"), SMALL)
def test_nobody_gains_much_against_the_solution(seats: int, stake: Stake) -> None:
    game = small_game(seats, stake)
    solver = Solver(game)
    assert sum(game.gains(game.uniform())) > 1
    solver.run(20)
    early = sum(game.gains(solver.average()))
    solver.run(100)
    assert solver.iterations == 120
    assert sum(game.gains(solver.average())) < min(0.05, early / 4)


def test_the_best_response_is_the_best() -> None:
    """No pure change of one moment gains over it, and it is worth at least as much as any random strategy."""
    game = small_game(2, Stake.SEQUENCE)
    rng = np.random.default_rng(2)
    base = game.normalised(rng.random((len(game.nodes), game.count)), game.uniform())
    others = game.others(0, base)
    best = game.values(0, base, others, best=True)[0].sum()
    for _ in range(30):
        other = game.normalised(rng.random(base.shape) ** 8, game.uniform())
        assert game.values(0, other, others)[0].sum() <= best + 1e-9


def test_chances_are_sums_over_deals() -> None:
    game_chance = _chance(3)
    assert game_chance.joint.sum() == pytest.approx(1)
    assert game_chance.joint == pytest.approx(np.moveaxis(game_chance.joint, 0, 2))  # every seating is counted
    for contestants in (0b011, 0b101, 0b110, 0b111):
        won = sum(game_chance.wins[contestants, place] for place in range(3))
        assert won == pytest.approx(game_chance.joint)
        net = sum(game_chance.shown[contestants, place].sum() for place in range(3))
        assert net == pytest.approx(0)


def _chance(seats: int) -> Chance:
    stake = Stake.TRICON
    strengths, payments = figures(stake, deal_hands(seats, 500, np.random.default_rng(3)))
    buckets = Buckets(np.array([1]), np.array([0.6]), np.array([NO_LIMIT, 2]), np.array([0, 1]))
    return count_chances(SMALL[seats, stake], stake, buckets, strengths, payments, 1)
