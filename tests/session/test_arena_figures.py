from __future__ import annotations

import statistics

import pytest

from hocp2p.session.arena import Block, Contest, PlayedDeal, play_blocks, seatings
from hocp2p.session.arena_figures import Estimate, Regret, Tally, Times


def test_an_estimate_is_a_mean_with_its_interval() -> None:
    values = [1.0, 4.0, 2.0, 9.0]
    estimate = Estimate.of(values)
    assert estimate.mean == 4.0
    assert estimate.deviation == pytest.approx(statistics.stdev(values))
    assert estimate.half_width == pytest.approx(1.96 * statistics.stdev(values) / 2)


def test_one_block_has_no_interval() -> None:
    assert Estimate.of([3.0]) == Estimate(3.0, None, 0.0)


def test_times_are_ranked() -> None:
    assert Times.of([number / 1000 for number in range(101)]) == Times(101, 50.0, 95.0, 100.0)
    assert Times.of([0.002]) == Times(1, 2.0, 2.0, 2.0)


def deal(levels: tuple[str, ...], stakes: tuple[float, ...], play: tuple[float, ...]) -> PlayedDeal:
    return PlayedDeal(levels, stakes, play, ((0.001,),) * len(levels))


def test_two_levels() -> None:
    """The unit is the block, so that luck which both had is no spread."""
    tally = Tally(Contest(("a", "b"), seed=1))
    tally.add(((deal(("a", "b"), (9, -9), (1, -1)), deal(("b", "a"), (8, -8), (0, 0))),))  # a: +1, and +1
    tally.add(((deal(("a", "b"), (-5, 5), (2, -2)), deal(("b", "a"), (-6, 6), (1, -1))),))
    figures = tally.figures()
    assert figures.blocks == 2
    (cast,) = figures.casts
    assert cast.levels == ("a", "b")
    assert cast.scores["a"].stakes == Estimate(0.5, 0.0, 0.0)
    assert cast.scores["a"].play == Estimate(0.5, 0.0, 0.0)
    assert cast.scores["a"].total == Estimate(1.0, 0.0, 0.0)
    assert cast.scores["b"].total.mean == -1.0
    (margin,) = figures.margins
    assert (margin.level, margin.other, margin.score.total.mean) == ("a", "b", 2.0)
    assert figures.times["a"] == Times(4, 1.0, 1.0, 1.0)


def block_of(contest: Contest, worth: dict[str, float]) -> Block:
    """Every deal gives a seat of a level what it is worth more than the table."""

    def played(levels: tuple[str, ...]) -> PlayedDeal:
        mean = sum(worth[level] for level in levels) / len(levels)
        won = tuple(worth[level] - mean for level in levels)
        return deal(levels, won, (0.0,) * len(levels))

    return tuple(tuple(played(seating) for seating in seatings(cast)) for cast in contest.casts)


def test_one_against_two_is_told_by_cast_and_together() -> None:
    contest = Contest(("a", "b", "b"), seed=1)
    tally = Tally(contest)
    tally.add(block_of(contest, {"a": 3.0, "b": 0.0}))
    figures = tally.figures()
    assert [cast.levels for cast in figures.casts] == [("a", "b", "b"), ("b", "a", "a")]
    assert [cast.scores["a"].total.mean for cast in figures.casts] == [2.0, 1.0]
    assert [cast.scores["b"].total.mean for cast in figures.casts] == [-1.0, -2.0]
    assert [(m.level, m.other, m.score.total.mean) for m in figures.margins] == [("a", "b", 3.0)]


def test_three_levels_have_three_margins() -> None:
    contest = Contest(("a", "b", "c"), seed=1)
    tally = Tally(contest)
    tally.add(block_of(contest, {"a": 3.0, "b": 0.0, "c": -6.0}))
    margins = {(m.level, m.other): m.score.total.mean for m in tally.figures().margins}
    assert margins == {("a", "b"): 3.0, ("a", "c"): 9.0, ("b", "c"): 6.0}


def test_novice_beats_random() -> None:
    """In both phases, and clear of zero."""
    contest = Contest(("random", "novice"), seed=5)
    tally = Tally(contest)
    for block in play_blocks(contest, 150):
        tally.add(block)
    score = tally.figures().casts[0].scores["novice"]
    for part in (score.total, score.stakes, score.play):
        assert part.half_width is not None
        assert part.mean > part.half_width


def test_regrets_are_counted_by_level() -> None:
    """In whichever seat the level sat; what was not solved is counted apart."""
    tally = Tally(Contest(("a", "b"), seed=1))
    won = ((0.0, 0.0), (0.0, 0.0))
    judged = (((0, 6), (1, None)), ((2,), (None, 3)))
    levels = (("a", "b"), ("b", "a"))
    block = tuple(
        PlayedDeal(seated, *won, ((0.001,),) * 2, "", regrets) for seated, regrets in zip(levels, judged, strict=True)
    )
    tally.add((block,))
    regrets = tally.figures().regrets
    assert regrets["a"] == Regret(decisions=3, unsolved=1, mean=3.0, blunders=1 / 3)
    assert regrets["b"] == Regret(decisions=2, unsolved=1, mean=1.5, blunders=0.0)


def test_no_regrets_where_nobody_asked_for_them() -> None:
    tally = Tally(Contest(("a", "b"), seed=1))
    tally.add((tuple(deal(seated, (0, 0), (0, 0)) for seated in (("a", "b"), ("b", "a"))),))
    assert tally.figures().regrets == {}
    assert Regret.of([None]) == Regret(0, 1, 0.0, 0.0)
