"""Whole deals as text, each house rule once away from its default: ``python -m tests.support.playthrough`` rewrites."""

from __future__ import annotations

import pytest

from hocp2p.game.house import Rules
from tests.support.playthrough import GOLDEN, PLAYTHROUGHS
from tests.support.playthrough_text import Playthrough, write

BY_NAME = {play.name: play for play in PLAYTHROUGHS}


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("play", PLAYTHROUGHS, ids=lambda play: play.name)
def test_playthrough(play: Playthrough) -> None:
    assert write(play) == golden(play.name)


def test_there_is_no_file_that_nobody_writes() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == BY_NAME.keys()
    assert len(BY_NAME) == len(PLAYTHROUGHS)


def test_every_house_rule_is_seen_in_every_setting() -> None:
    for name, default in Rules().to_dict().items():
        settings = {play.rules.to_dict()[name] for play in PLAYTHROUGHS}
        assert default in settings
        assert len(settings) == (3 if name == "double" else 2), name


def test_the_whole_deals_show_what_there_is_to_show() -> None:
    for name in ("two_seats", "three_seats"):
        text = golden(name)
        for needed in (
            "raise 1..20",
            "ShowdownOpened",
            "announce brelan/",
            "> 0 sans ",
            "fortuitous yes",
            "blanche",
            "HocSaid",
        ):
            assert needed in text, (name, needed)


def test_a_view_never_shows_another_hand_before_it_is_shown() -> None:
    lines = golden("three_seats").splitlines()
    first = next(line for line in lines if line.startswith("seat 0 sees"))
    own, others = first.removeprefix("seat 0 sees ").split(" | ")
    assert len(own.split()) == 12
    assert others == "1 has 12; 2 has 12"


def test_the_house_rules_do_what_their_titles_say() -> None:
    assert "raise 1..5" in golden("raise_cap_5")
    assert "raise 1..20" not in golden("raise_cap_5")
    assert "> 0 announce 4/38" in golden("point_pips")
    assert "legal: announce 4/38, announce 5/28" in golden("point_pips")  # more cards, fewer pips
    assert "reason tierce major" in golden("lesser_off")
    assert "show JD QD KD 9C TC JC" in golden("three_seats")
    assert "show JD QD KD 9C TC JC" not in golden("lesser_off")
    assert "reason fortuitous hoc" not in golden("fortuitous_unpaid")
    assert "HocSaid seat 0, fortuitous yes" in golden("fortuitous_unpaid")
    assert "reason held back" in golden("hold_back_fined")
    assert "doubled next: sequence\n" in golden("double_per_stake")
    assert "doubled next: point sequence tricon\n" in golden("double_all_three")
    assert golden("double_never").count("doubled next: none") == 2
    assert "carried    point 3 sequence 3 tricon 3" in golden("double_never")
    assert "reason false announcement" in golden("false_announcement")
    assert golden("ruin_on").count("== deal ") == 1
    assert golden("deals_2").count("== deal ") == 2
