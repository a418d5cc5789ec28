"""What keys do, without a terminal."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.game.actions import Combination, Declare, Good, Hold, Pass, Play, Raise, Sans, Show, Stay
from hocp2p.game.cards import Card, parse_card
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase
from hocp2p.table.events import TableStopped, TalkSaid
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.cells import text_of
from hocp2p.ui.choices import choices, selection
from hocp2p.ui.effects import Act, Again, Effect, Keep, Leave, NextTheme, Ready, Redraw, Say, ShowHand, Skip
from hocp2p.ui.keys import PAGES, press
from hocp2p.ui.local import Local, Page, Question, Sort
from hocp2p.ui.presenter import view
from tests.support.fake_client import FakeClient, tame_chooser
from tests.ui.scenes import Story

pytestmark = pytest.mark.timeout(60)


def typed(snapshot: TableSnapshot, *keys: str, local: Local | None = None) -> tuple[Local, list[Effect]]:
    """The state after some keys, and all effects."""
    local = local or Local()
    effects: list[Effect] = []
    for key in keys:
        local, effect = press(key, snapshot, local)
        effects += [effect] if effect is not None else []
    return local, effects


def play_of(snapshot: TableSnapshot, text: str) -> Play:
    card = parse_card(text)
    return next(action for action in snapshot.legal if isinstance(action, Play) and action.card == card)


def called_three() -> TableSnapshot:
    return Story("play AH", "play 2D", "sans 3").to_play().now


def opened() -> TableSnapshot:
    return Story("declare", "raise 3").say("stay").now


def test_enter_makes_ready() -> None:
    snapshot = FakeClient().snapshot
    assert typed(snapshot, "enter")[1] == [Ready()]
    assert typed(replace(snapshot, may_ready=False), "enter")[1] == []


# Auctions


def test_enter_says_nothing_before_a_call_is_chosen() -> None:
    local, effects = typed(opened(), "enter")
    assert effects == []
    assert "choose" in local.message


@pytest.mark.parametrize(("key", "action"), [("p", Pass()), ("d", Declare(None))])
def test_letters_choose_and_enter_says(key: str, action: Pass | Declare) -> None:
    snapshot = Story().now
    assert typed(snapshot, key)[1] == []
    assert typed(snapshot, key, "enter")[1] == [Act((action,))]


def test_staying_and_giving_up() -> None:
    assert typed(opened(), "t", "enter")[1] == [Act((Stay(None),))]
    assert typed(opened(), "g", "enter")[1] == [Act((Good(),))]


def test_a_raise_is_asked_once_more() -> None:
    local, effects = typed(opened(), "+", "+", "enter")
    assert effects == [] and local.asking is Question.CALL
    for yes in ("enter", "y", "Y"):
        assert typed(opened(), yes, local=local) == (Local(), [Act((Raise(2),))])
    assert typed(opened(), "n", local=local) == (replace(local, asking=None), [])


def test_the_amount_can_be_typed_and_stays_in_its_limits() -> None:
    assert typed(opened(), "1", "2")[0].raise_by == 12
    assert typed(opened(), "2", "5")[0].raise_by == 5  # 25 is above the cap: a new number begins
    assert typed(opened(), *"+" * 30)[0].raise_by == 20
    assert typed(opened(), *"-" * 3)[0].raise_by == 1
    assert typed(opened(), "0")[0].raise_by == 1
    assert typed(opened(), "1", "r", "2")[0].raise_by == 2


def test_backspace_takes_the_last_digit_back() -> None:
    assert typed(opened(), "1", "2", "backspace")[0].raise_by == 1
    assert typed(opened(), "1", "2", "backspace", "5")[0].raise_by == 15
    assert typed(opened(), "9", "backspace", "3")[0].raise_by == 3
    assert typed(opened(), "9", "backspace", "backspace", "1", "4")[0].raise_by == 14
    assert typed(opened(), "+", "+", "+", "backspace")[0].raise_by == 3  # nothing was typed


def test_all_that_follow_says_a_chosen_sans() -> None:
    story = Story("play 4C", "sans 5").to_play().say("play 5S", "play 6S", "play 7S", "play 8C", "play 9C")
    assert typed(story.now, "p", "A")[1] == typed(story.now, "p", "enter")[1] != []
    assert "pick a card first" in typed(story.now, "A")[0].message


def test_a_notice_gives_way_to_the_next_event() -> None:
    snapshot = opened()
    noticed = typed(snapshot, "d")[0]
    assert "You cannot declare now" in _status(snapshot, noticed)
    said = TalkSaid(1, "a long evening")
    later = replace(snapshot, events=(*snapshot.events, said))
    assert "a long evening" in _status(later, noticed)
    assert "You cannot declare now" in _status(later, typed(later, "d")[0])
    assert noticed.message and not typed(later, "s", local=noticed)[0].message


def _status(snapshot: TableSnapshot, local: Local) -> str:
    return text_of(view(snapshot, local, 80, 24)[-3])


def test_arrows_move_between_calls() -> None:
    snapshot = opened()
    first = typed(snapshot, "right")[0]
    assert [first.choice, typed(snapshot, "right", local=first)[0].choice] == ["t", "g"]
    assert typed(snapshot, "left")[0].choice == "r"
    assert typed(snapshot, "right", "left")[0].choice == "r"


def test_a_call_that_is_not_possible_says_so() -> None:
    local, effects = typed(opened(), "d", "enter")
    assert effects == [] and local.choice == ""
    assert "cannot declare" in typed(opened(), "d")[0].message


def test_the_class_is_true_until_it_is_changed() -> None:
    snapshot = Story("pass", "pass", "declare, tierce", "raise 2, quart").say("pass").now  # Anna holds two tierces
    assert typed(snapshot, "t", "enter")[1] == [Act((Stay(Combination.TIERCE),))]
    assert typed(snapshot, "t", "c", "enter")[1] == [Act((Stay(Combination.QUART),))]
    assert typed(snapshot, "t", "c", "c", "c", "enter")[1] == [Act((Stay(Combination.TIERCE),))]
    assert typed(snapshot, "r", "c", "enter", "enter")[1] == [Act((Raise(1, Combination.QUART),))]


def test_a_bluff_is_named_as_one() -> None:
    snapshot = Story("pass", "pass", "declare, tierce", "raise 2, quart").say("pass").now
    notes = {choice.key: choice.note for choice in choices(snapshot, Local())}
    assert "bluff" not in notes["t"] and "bluff" not in notes["r"]
    notes = {choice.key: choice.note for choice in choices(snapshot, Local(announced=Combination.QUINT))}
    assert "bluff" in notes["t"] and "bluff" in notes["r"] and "bluff" not in notes["g"]


def test_there_is_no_class_in_point() -> None:
    assert "no other class" in typed(opened(), "c")[0].message


# Showdown


def test_the_best_true_announcement_is_taken_unless_another_is_chosen() -> None:
    snapshot = Story("declare", "stay").say("stay").now
    assert typed(snapshot, "enter")[1] == [Act((snapshot.legal[0],))]
    assert typed(snapshot, "down", "enter")[1] == [Act((snapshot.legal[1],))]
    assert typed(snapshot, "2", "enter")[1] == [Act((snapshot.legal[1],))]
    assert typed(snapshot, "9", "enter")[1] == [Act((snapshot.legal[0],))]


def test_a_lone_winner_chooses_what_to_show() -> None:
    story = Story("pass", "pass", "declare, tierce", "good", "good").say("pass", "raise 5, quart")
    (act,) = typed(story.now, "2", "enter")[1]
    assert isinstance(act, Act) and isinstance(act.actions[0], Show) and len(act.actions[0].cards) == 6


# Play


def test_enter_plays_what_must_be_played() -> None:
    snapshot = called_three()
    assert typed(snapshot, "enter")[1] == [Act((play_of(snapshot, "3D"),))]


def test_rank_keys_pick_and_cycle() -> None:
    snapshot = called_three()
    assert typed(snapshot, "7")[0].picked == Card(7, 0)
    assert typed(snapshot, "7", "7")[0].picked == Card(7, 3)
    assert typed(snapshot, "7", "7", "7")[0].picked == Card(7, 0)
    assert typed(snapshot, "j")[0].picked == parse_card("JH")
    assert "you hold no 0" in typed(snapshot, "0")[0].message


def test_q_j_k_t_a_are_ranks() -> None:
    snapshot = called_three()
    for key in "qjkta":
        local, effects = typed(snapshot, key)
        assert effects == [] and local.asking is None
        assert local.picked is not None or local.message


def test_an_illegal_card_gives_its_reason_and_changes_nothing() -> None:
    local, effects = typed(called_three(), "q", "enter")
    assert effects == []
    assert local.message == "a 3 is called: Q♣ is neither that nor one of the six hocs"
    assert local.picked == parse_card("QC")


def test_all_that_follow() -> None:
    snapshot = called_three()
    (act,) = typed(snapshot, "A")[1]
    assert isinstance(act, Act)
    played = [str(action.card) if isinstance(action, Play) else "" for action in act.actions]
    assert played == ["3D", "4H", "5S", "6S", "7S", "8C", "9C"]  # then J♦ could stand for the 10: ours to choose


def test_all_that_follow_ends_with_sans_when_nothing_else_is_left() -> None:
    snapshot = Story("play AH", "play 2D", "sans 3").to_play().say("play JD").now
    (act,) = typed(snapshot, "3", "A")[1]
    assert isinstance(act, Act) and act.actions[-1] == Sans(10)


def test_a_hoc_is_picked_by_its_own_key() -> None:
    snapshot = called_three()
    local, effects = typed(snapshot, "h", "enter")
    assert effects == [Act((play_of(snapshot, "JD"),))]
    assert local.picked is None


def test_sans_is_chosen_before_it_is_said() -> None:
    snapshot = Story("play TH", "sans jack", "sans jack").to_play().say("play JD", "play 2S").now
    assert Sans(3) not in snapshot.legal  # 3♦ must be played
    assert "must be played" in typed(snapshot, "p")[0].message
    free = Story("play 4C", "sans 5").to_play().say("play 5S", "play 6S", "play 7S", "play 8C", "play 9C").now
    assert selection(free, Local()).choice is None  # J♦ or sans: nothing is taken unasked
    assert typed(free, "enter")[1] == []
    assert typed(free, "p", "enter")[1] == [Act((Sans(10),))]


def test_withholding_is_asked_once_more() -> None:
    snapshot = Story("play 2D", rules=Rules(hold_back="fined")).to_play().now
    local, effects = typed(snapshot, "w", "enter")
    assert effects == [] and local.asking is Question.CALL
    assert typed(snapshot, "enter", local=local)[1] == [Act((Hold(2),))]


def test_arrows_walk_the_hand_in_its_order() -> None:
    snapshot = Story(dealer=2).to_play().now
    assert typed(snapshot, "right")[0].picked == parse_card("2S")
    assert typed(snapshot, "left")[0].picked == parse_card("QC")
    assert typed(snapshot, "s", "right", "right")[0].picked == parse_card("3D")  # by rank


def test_a_click_picks_and_a_second_one_plays() -> None:
    snapshot = called_three()
    local, effects = typed(snapshot, "card:JD")
    assert effects == [] and local.picked == parse_card("JD")
    assert typed(snapshot, "card:JD", local=local)[1] == [Act((play_of(snapshot, "JD"),))]
    assert typed(snapshot, "card:KS", "card:no") == (Local(), [])


def test_nothing_is_played_out_of_turn() -> None:
    snapshot = replace(called_three(), legal=())
    for keys in (("3", "enter"), ("A",), ("p", "enter"), ("card:3D", "card:3D")):
        _, effects = typed(snapshot, *keys)
        assert effects == []
    assert "not your turn" in typed(snapshot, "3", "enter")[0].message


# Everywhere


def test_pages() -> None:
    snapshot = called_three()
    assert typed(snapshot, "l")[0].page is Page.LOG
    assert typed(snapshot, "l", "l")[0].page is Page.TABLE
    assert typed(snapshot, "?", "m")[0].page is Page.SCORE
    assert typed(snapshot, *["tab"] * len(PAGES))[0].page is Page.TABLE
    assert typed(snapshot, "s-tab")[0].page is Page.HELP
    assert typed(snapshot, "l", "up", "up", "down")[0].scroll == 1
    assert typed(snapshot, "?", "down", "up", "up")[0].scroll == 0
    for key in ("enter", "space", "escape"):
        assert typed(snapshot, "?", key) == (Local(), [])


def test_keys_of_the_game_do_nothing_behind_a_page() -> None:
    assert typed(called_three(), "?", "3", "A", "p")[1] == []


def test_talk() -> None:
    snapshot = called_three()
    local, effects = typed(snapshot, "/", *"hi", "space", *"alx", "backspace", "l", "paste: of you", "enter")
    assert effects == [Say("hi all of you")]
    assert local.typing is None
    assert typed(snapshot, "/", "a", "escape") == (replace(Local(), read=len(snapshot.events)), [])
    assert typed(snapshot, "/", "enter")[1] == []
    assert typed(snapshot, "/", *"ab", "c-u", *"c", "up", "\x1b[15~", "enter")[1] == [Say("c")]
    assert len(typed(snapshot, "/", "paste:" + "x" * 400)[0].typing or "") == 300


def test_leaving_is_asked_once_and_a_second_ctrl_c_goes_at_once_and_keeps_the_seat() -> None:
    snapshot = called_three()
    for key in ("c-q", "c-c"):
        local, effects = typed(snapshot, key)
        assert effects == [] and local.asking is Question.LEAVE
        assert typed(snapshot, "y", local=local)[1] == [Leave()]
        assert typed(snapshot, "enter", local=local) == (Local(), [])
        assert typed(snapshot, "k", local=local)[1] == [Keep()]
        assert typed(snapshot, "c-c", local=local)[1] == [Keep()]


def test_only_a_seat_that_is_kept_can_be_kept() -> None:
    lobby = FakeClient().snapshot
    for snapshot, local in ((lobby, Local()), (called_three(), Local(keeps=False))):
        asked, effects = typed(snapshot, "c-q", "k", local=local)
        assert effects == [] and asked.asking is None
        question = typed(snapshot, "c-q", local=local)[0]
        assert "keep my seat" not in "\n".join(map(text_of, view(snapshot, question, 120, 36)))


def test_a_table_that_is_over_is_left_without_asking() -> None:
    story = Story()
    story.client.stop(TableStopped("lost", "the host is gone"))
    assert story.now.stage is Stage.STOPPED
    assert typed(story.now, "c-q")[1] == [Leave()]


def test_what_waits_is_skipped_and_nothing_is_done_unseen() -> None:
    snapshot = called_three()
    for key in ("space", "enter", "A"):
        assert typed(snapshot, key, local=Local(waiting=3))[1] == [Skip()]
    assert typed(snapshot, "c-l", "v")[1] == [Redraw(), NextTheme()]


def test_a_settlement_stays_until_it_is_read() -> None:
    story = Story(rules=Rules(deals=3)).to_play()
    while not story.now.finished:
        story.client.act(story.now.legal[0])
    assert story.now.legal or story.now.deal == 2
    local, effects = typed(story.now, "p", "d", "3", "A")
    assert effects == [] and local.acked == 0
    assert typed(story.now, "enter") == (Local(acked=1), [])


def test_a_hand_is_shown_by_choice_and_after_a_question() -> None:
    story = Story(rules=Rules(deals=3), ask_ready=True).to_play()
    while not story.now.finished:
        story.client.act(story.now.legal[0])
    assert story.now.may_show
    local, effects = typed(story.now, "h")
    assert effects == [] and local.asking is Question.SHOW
    assert typed(story.now, "n", local=local) == (Local(), [])
    assert typed(story.now, "y", local=local) == (Local(), [ShowHand()])
    story.client.show_hand()
    assert typed(story.now, "h")[0] == Local()


def test_another_match_is_asked_for_with_enter() -> None:
    story = Story(rules=Rules(deals=3)).to_end()
    assert typed(story.now, "enter", local=Local(acked=3))[1] == [Again()]
    assert typed(story.now, "enter") == (Local(acked=3), [])  # the last settlement first
    story.client.again()
    assert typed(story.now, "enter")[1] == [Ready()]


KEYS = (
    *("enter", "left", "right", "up", "down", "tab", "escape", "space", "backspace", "c-u", "c-q", "card:3D"),
    *"yn+-cpdtgrwhAslm?/akqj0123456789",
)


@given(seed=st.integers(0, 50), keys=st.lists(st.sampled_from(KEYS), max_size=60), sort=st.sampled_from(Sort))
@settings(max_examples=60, deadline=None)
def test_any_keys_lead_only_to_what_is_legal(seed: int, keys: list[str], sort: Sort) -> None:
    """Whatever is typed: the table takes what comes of it, and every state can be drawn."""
    client = FakeClient(seats=2 + seed % 2, seed=seed, rules=Rules(deals=6))
    client.ready()
    rng = Random(seed)
    choose = tame_chooser(rng)
    for _ in range(rng.randrange(60)):
        if client.snapshot.view is not None and client.snapshot.legal:
            client.act(choose(client.snapshot.view, client.snapshot.legal))
    local = Local(sort=sort, acked=len(client.snapshot.finished))
    for key in keys:
        local, effect = press(key, client.snapshot, local)
        if isinstance(effect, Act):
            for action in effect.actions:
                assert action in client.snapshot.legal
                client.act(action)
                if client.snapshot.view is None or client.snapshot.view.state.phase is not Phase.PLAY:
                    break
        assert len(view(client.snapshot, local, 80, 24)) == 24
