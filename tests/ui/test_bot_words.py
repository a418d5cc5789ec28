"""Bots that bid by rules of thumb under the house rules: both faces say so before the game, and not for others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from hocp2p.game.house import CHOICES, Rules
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.bot_words import bot_notes
from hocp2p.ui.cells import text_of
from hocp2p.ui.lang import LANGUAGES, use_language
from hocp2p.ui.line import Manners
from hocp2p.ui.local import Local
from hocp2p.ui.presenter import view
from tests.support.fake_client import FakeClient
from tests.ui.line_runs import play

CLUB = "raises up to {most}: club bids like the novice"
BOTH = "raises up to {most}: club and master bid like the novice"
SERVED = [Rules(), Rules(raise_cap=5), Rules(raise_cap=1000), *(
    Rules().with_text(name, choice) for name, choices in CHOICES.items() for choice in choices
)]  # fmt: skip


def with_bots(rules: Rules, *levels: str) -> TableSnapshot:
    """A full table with these bots beside us."""
    client = FakeClient(rules=rules, free=2)
    for level in levels:
        client.add_bot(level)
    return client.snapshot


def drawn(snapshot: TableSnapshot, cols: int = 60, rows: int = 16, *, pilot: str | None = None) -> str:
    return "\n".join(text_of(line) for line in view(snapshot, Local(pilot=pilot), cols, rows))


@pytest.mark.parametrize("most", [1, 4])
@pytest.mark.parametrize(
    ("levels", "note"),
    [(("club", "novice"), CLUB), (("club", "club"), CLUB), (("master", "club"), BOTH), (("random", "novice"), None)],
)
@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 36)])
def test_the_lobby_says_which_levels_do_without_their_tables(
    size: tuple[int, int], levels: tuple[str, str], note: str | None, most: int
) -> None:
    snapshot = with_bots(Rules(raise_cap=most), *levels)
    screen = drawn(snapshot, *size)
    if note is None:
        assert bot_notes(snapshot) == []
        assert "the novice" not in screen
    else:
        assert bot_notes(snapshot) == [note.format(most=most)]
        assert screen.count(note.format(most=most)) == 1


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    yield use_language(request.param)
    use_language("en")


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("levels", [("master", "club"), ("master", "master")])
def test_it_is_one_row_of_the_smallest_screen(levels: tuple[str, str]) -> None:
    snapshot = with_bots(Rules(raise_cap=4), *levels)
    (note,) = bot_notes(snapshot)
    assert levels[0] in note
    assert f"\n      {note}\n" in re.sub(" +\n", "\n", drawn(snapshot))


@pytest.mark.parametrize("rules", SERVED, ids=str)
def test_other_rules_leave_the_levels_as_they_are(rules: Rules) -> None:
    snapshot = with_bots(rules, "master", "club")
    assert bot_notes(snapshot) == []
    assert "the novice" not in drawn(snapshot)


def test_a_free_chair_and_a_person_bid_as_they_like() -> None:
    snapshot = FakeClient(rules=Rules(raise_cap=1), free=1).snapshot
    assert bot_notes(snapshot) == []


def test_a_guest_reads_it_too() -> None:
    host = with_bots(Rules(raise_cap=2), "club", "club")
    guest = replace(host, hosting=False, may_manage=False, our_seat=1)
    assert CLUB.format(most=2) in drawn(guest)


def test_the_line_mode_says_it_with_every_proposal_and_when_it_is_asked() -> None:
    low = ["rules raise_cap=4", "seats", "rules"]
    high = ["rules raise_cap=5", "seats", "rules"]
    told = play(FakeClient(free=2), ["bot club", "bot novice", *low, *high, "quit"])
    after = [before.split()[0] for before, line in pairwise(told) if line == CLUB.format(most=4)]
    assert after == ["rules", "seat", "rules"]


def test_a_rule_on_the_command_line_is_told_with_the_first_proposal() -> None:
    client = FakeClient(rules=Rules(raise_cap=3), free=1)
    told = play(client, ["bot master", "ready", "quit"])
    note = "raises up to 3: master bids like the novice"
    assert told.count(note) == 1
    assert told.index(note) < told.index(next(line for line in told if line.startswith("deal 1")))


def test_the_bot_that_plays_our_own_seat_is_one_of_them() -> None:
    low, high = with_bots(Rules(raise_cap=3), "novice", "novice"), with_bots(Rules(), "novice", "novice")
    assert CLUB.format(most=3) in drawn(low, pilot="club")
    assert "the novice" not in drawn(low, pilot="novice") + drawn(low) + drawn(high, pilot="club")
    assert BOTH.format(most=3) in drawn(with_bots(Rules(raise_cap=3), "master", "novice"), pilot="club")


@pytest.mark.parametrize(("pilot", "note"), [("club", CLUB), ("novice", None), (None, None)])
def test_so_it_is_in_the_line_mode(pilot: str | None, note: str | None) -> None:
    commands = ["bot novice", "bot novice", "rules", "seats", "quit"]
    told = play(FakeClient(rules=Rules(raise_cap=3), free=2), commands, manners=Manners(pilot=pilot))
    assert told.count(CLUB.format(most=3)) == (3 if note else 0)


@pytest.mark.parametrize(
    ("most", "pilot", "levels"), [(3, "club", ["club", "master"]), (3, None, ["master"]), (5, "club", [])]
)
def test_a_program_reads_it_in_the_proposal(most: int, pilot: str | None, levels: list[str]) -> None:
    client = FakeClient(rules=Rules(raise_cap=most), free=1)
    lines = play(client, ["bot master", "quit"], json=True, manners=Manners(pilot=pilot))
    (proposed,) = [told for told in map(json.loads, lines) if told["event"] == "table_proposed"]
    assert proposed == {"event": "table_proposed", "bid_like_novice": levels}
