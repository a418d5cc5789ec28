from __future__ import annotations

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.session.arena import play_blocks
from hocp2p.session.arena_figures import Tally
from hocp2p.session.arena_ladder import Rung, ladder


def test_each_level_plays_the_one_below_at_every_table() -> None:
    rules = Rules().with_text("double", "never")
    contests = list(ladder(("a", "b", "c"), (2, 3), 7, rules))
    assert [contest.levels for contest in contests] == [("b", "a"), ("c", "b"), ("b", "a", "a"), ("c", "b", "b")]
    assert {(contest.seed, contest.rules) for contest in contests} == {(7, rules)}
    assert contests[2].casts == (("b", "a", "a"), ("a", "b", "b"))  # one against two, both ways


@pytest.mark.parametrize(("levels", "tables"), [(("a", "a"), (2,)), (("a", "b"), (4,))])
def test_what_is_no_ladder(levels: tuple[str, ...], tables: tuple[int, ...]) -> None:
    with pytest.raises(LocalError) as caught:
        list(ladder(levels, tables, 1))
    assert caught.value.code == "bad-contest"


@pytest.mark.parametrize("seats", [2, 3])
def test_a_rung_is_the_margin_of_the_higher_level(seats: int) -> None:
    (contest,) = ladder(("random", "novice"), (seats,), 1)
    tally = Tally(contest)
    for block in play_blocks(contest, 2):
        tally.add(block)
    rung = Rung(contest, tally.figures())
    assert (rung.seats, rung.margin.level, rung.margin.other) == (seats, "novice", "random")
    means = [cast.scores["novice"].total.mean - cast.scores["random"].total.mean for cast in rung.figures.casts]
    assert rung.margin.score.total.mean == pytest.approx(sum(means) / len(means))
