"""From a typed line to what can be done."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.errors import HocError, LocalError
from hocp2p.game.actions import (
    Announce,
    Claim,
    Combination,
    Declare,
    Good,
    Held,
    Pass,
    Play,
    Raise,
    Sans,
    Show,
    Stay,
    Unseen,
)
from hocp2p.game.cards import parse_card
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.commands import Report, format_words, parse_command, split_command
from hocp2p.ui.effects import Act, Leave, Ready, Say, ShowHand
from tests.support.fake_client import FakeClient


@cache
def pictures(rules: Rules) -> dict[Phase, list[TableSnapshot]]:
    """Pictures of our turns by phase, from several tables in which we stay in all stakes."""
    found: dict[Phase, list[TableSnapshot]] = {phase: [] for phase in Phase}
    for seed in range(1, 30):
        client = FakeClient(seed=seed, rules=rules)
        client.ready()
        while client.snapshot.stage is Stage.DEAL and client.snapshot.deal == 1:
            snapshot = client.snapshot
            assert snapshot.view is not None
            found[snapshot.view.state.phase].append(snapshot)
            client.act(next((one for one in snapshot.legal if isinstance(one, Stay | Declare)), snapshot.legal[0]))
    return found


def snapshots(phase: Phase, rules: Rules | None = None) -> list[TableSnapshot]:
    """Some of them."""
    found = pictures(rules or Rules(deals=3))[phase]
    assert found
    return found


@pytest.mark.parametrize("phase", [Phase.AUCTION, Phase.SHOWDOWN, Phase.SHOW, Phase.BLANCHE, Phase.PLAY])
@pytest.mark.parametrize("hold_back", ["refused", "fined"])
def test_every_legal_action_can_be_typed_in_either_case(phase: Phase, hold_back: str) -> None:
    rules = Rules(deals=3).with_text("hold_back", hold_back)
    for snapshot in snapshots(phase, rules):
        assert snapshot.view is not None
        for action in snapshot.legal:
            words = format_words(action, snapshot.view.state.stake)
            assert parse_command(words, snapshot) == Act((action,))
            assert parse_command(f"  {words.upper()} ", snapshot) == Act((action,))
            assert parse_command(words.lower(), snapshot) == Act((action,))


@pytest.mark.parametrize("phase", [Phase.AUCTION, Phase.SHOWDOWN, Phase.SHOW, Phase.BLANCHE, Phase.PLAY])
def test_what_is_understood_is_legal(phase: Phase) -> None:
    """Whatever is typed: an action that comes out is one that was offered."""
    words = [
        "pass", "declare", "declare tierce", "raise 3", "raise 3 quint", "stay", "stay fredon", "good", "announce",
        "announce 5/31", "announce 4/T", "announce brelan/K", "show", "show best", "show all", "show as 2s 3s",
        "unseen", "blanche", "go", "play 7d", "play ks", "hoc ks", "hoc jd as 3", "sans", "sans 3", "hold 3",
    ]  # fmt: skip
    for snapshot in snapshots(phase)[:40]:
        for word in words:
            try:
                command = parse_command(word, snapshot)
            except HocError as error:
                assert error.message
                continue
            assert isinstance(command, Act)
            assert command.actions[0] in snapshot.legal


def test_the_best_announcement() -> None:
    several = 0
    for snapshot in snapshots(Phase.SHOWDOWN):
        claims = [action.claim for action in snapshot.legal if isinstance(action, Announce)]
        if claims:
            assert parse_command("announce", snapshot) == Act((Announce(max(claims)),))
            several += len(claims) > 1
    assert several


def test_the_best_announcement_by_pips() -> None:
    compared = 0
    for snapshot in snapshots(Phase.SHOWDOWN, Rules(deals=3, point="pips")):
        assert snapshot.view is not None
        claims = [action.claim for action in snapshot.legal if isinstance(action, Announce)]
        if claims and snapshot.view.state.stake == 0:
            assert parse_command("announce", snapshot) == Act((Announce(max(claims, key=lambda one: one.second)),))
            compared += 1
    assert compared


def test_what_to_show() -> None:
    several = 0
    for snapshot in snapshots(Phase.SHOW):
        shows = [action for action in snapshot.legal if isinstance(action, Show)]
        if not shows:
            continue
        fullest = max(len(show.cards) for show in shows)
        (full,) = parse_command("show all", snapshot).actions  # type: ignore[union-attr] # an Act, or the test fails
        assert isinstance(full, Show)
        assert len(full.cards) == fullest
        assert parse_command("show", snapshot) == Act((full,))
        (best,) = parse_command("show best", snapshot).actions  # type: ignore[union-attr] # as above
        assert isinstance(best, Show)
        assert len(best.cards) == min(fullest, len(best.cards))
        cards = " ".join(str(held.card) for held in reversed(full.cards))
        assert parse_command(f"show {cards}", snapshot) == Act((full,))
        several += len(shows) > 1
    assert several


def test_unseen() -> None:
    alone = [one for one in snapshots(Phase.SHOW) if Unseen() in one.legal]
    assert alone
    assert parse_command("unseen", alone[0]) == Act((Unseen(),))


def test_sans_needs_no_rank_and_ten_has_two_names() -> None:
    seen = set()
    for snapshot in snapshots(Phase.PLAY):
        for action in snapshot.legal:
            if isinstance(action, Sans):
                assert parse_command("sans", snapshot) == Act((action,))
                seen.add(action.rank)
                if action.rank == 10:
                    assert parse_command("sans 10", snapshot) == Act((action,))
    assert 10 in seen


def test_a_ten_may_be_typed_as_ten() -> None:
    for snapshot in snapshots(Phase.PLAY):
        for action in snapshot.legal:
            if isinstance(action, Play) and action.card.rank == 10:
                text = f"10{str(action.card)[1]}"
                assert parse_command(f"play {text}", snapshot) == Act((action,))
                return
    pytest.fail("no ten was played")


@pytest.fixture
def fresh() -> TableSnapshot:
    return FakeClient().snapshot


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ready", Ready()),
        ("READY", Ready()),
        ("quit", Leave()),
        ("Reveal", ShowHand()),
        ("say Hello, All ", Say("Hello, All")),
        ("hand", Report("hand")),
        ("log 5", Report("log", "5")),
        ("?", Report("help")),
        ("?play", Report("help", "play")),
        ("? play", Report("help", "play")),
        ("help play", Report("help", "play")),
    ],
)
def test_other_commands(fresh: TableSnapshot, line: str, command: object) -> None:
    assert parse_command(line, fresh) == command


@given(st.text(max_size=40))
def test_any_text_is_a_command_or_a_reason(text: str) -> None:
    client = FakeClient(seed=5)
    client.ready()
    for snapshot in (FakeClient().snapshot, client.snapshot):
        try:
            parse_command(text, snapshot)
        except HocError as error:
            assert error.message
    assert split_command(text)[0] == split_command(text)[0].lower()


def test_actions_before_a_deal(fresh: TableSnapshot) -> None:
    with pytest.raises(LocalError) as caught:
        parse_command("pass", fresh)
    assert caught.value.code == "not-now"


def test_actions_out_of_turn_name_whose_turn_it_is() -> None:
    client = FakeClient(seed=5)
    client.ready()
    assert client.snapshot.view is not None
    view = replace(client.snapshot.view, state=replace(client.snapshot.view.state, turn=1))
    with pytest.raises(LocalError) as caught:
        parse_command("good", replace(client.snapshot, view=view, legal=()))
    assert caught.value.message == "it is the turn of Bruno"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Pass(), "pass"),
        (Good(), "good"),
        (Declare(Combination.QUART), "declare quart"),
        (Raise(7), "raise 7"),
        (Announce(Claim(5, 31)), "announce 5/31"),
        (Show((Held(1, parse_card("TS")), Held(2, parse_card("9S")))), "show TS 9S"),
    ],
)
def test_words_of_an_action(action: Pass, words: str) -> None:
    from hocp2p.game.actions import Stake

    assert format_words(action, Stake.POINT) == words


def test_sans_among_cards_is_said_to_be_no_card() -> None:
    cards = next(one for one in snapshots(Phase.PLAY) if any(isinstance(action, Play) for action in one.legal))
    for line in ("play 4h 5h sans 6", "play SANS"):
        with pytest.raises(LocalError) as caught:
            parse_command(line, cards)
        assert caught.value.message == "sans is no card: play the cards first, then say sans by itself"
