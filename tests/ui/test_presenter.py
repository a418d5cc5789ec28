"""Every page at every size: as drawn before, as wide and high as asked, in the glyphs that are allowed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth, wcwidth

from hocp2p.game.actions import Combination
from hocp2p.game.cards import ACE, JACK, KING, QUEEN, parse_card
from hocp2p.game.events import Paid, Source
from hocp2p.table.events import CardDrawn, DealerChosen, DeckStep, SessionEnded, TalkSaid
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui import lang
from hocp2p.ui.cells import UNICODE, text_of
from hocp2p.ui.keys import press
from hocp2p.ui.lang import LANGUAGES
from hocp2p.ui.local import Local
from hocp2p.ui.look import Look
from hocp2p.ui.parts.bottom import ROWS
from hocp2p.ui.presenter import view
from hocp2p.ui.story import tell_all
from hocp2p.ui.theme import THEMES, theme
from tests.ui import scenes
from tests.ui.scenes import ANNA_15, BRUNO_15, Story

pytestmark = pytest.mark.timeout(60)

NAMES = sorted(path.stem for path in scenes.SCREENS.glob("*.txt"))
ROOMS = ((20, 5), (30, 10), (59, 15), (60, 16), (72, 20), (80, 24), (110, 30), (120, 36), (200, 60))


@cache
def all_scenes() -> dict[str, scenes.Scene]:
    return scenes.scenes()


def test_every_scene_has_its_drawing() -> None:
    assert sorted(all_scenes()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_is_drawn_as_before(name: str) -> None:
    """After a wanted change: ``python -m tests.ui.scenes``, and read the difference."""
    before = (scenes.SCREENS / f"{name}.txt").read_text(encoding="utf-8")
    assert scenes.drawing(all_scenes()[name]) == before


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_lines_are_exactly_as_many_and_as_wide_as_asked(name: str, ascii_only: bool) -> None:
    for cols, rows in ROOMS:
        lines = [text_of(line) for line in view(*all_scenes()[name], cols, rows, ascii=ascii_only)]
        assert len(lines) == rows
        assert {wcswidth(line) for line in lines} == {cols}
        assert not ascii_only or all(line.isascii() and line.isprintable() for line in lines)


MAY_BE_CUT = {
    "play-forced",  # a run too long for a row shows its end
    "dealing",  # where the sign means that it goes on
    "draw",  # the rules, which all have signed
    *(name for name in NAMES if name.startswith("lobby-")),  # the rules, which are read whole before they are signed
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_cut_at_usual_sizes(name: str, language: str) -> None:
    """But for what has a place of its own: a run too long for a row, rules that are shown whole before they count."""
    scene = all_scenes()[name]  # which are made in English
    try:
        lang.use_language(language)
        for cols, rows in ((60, 16), (60, 24), (80, 24)):
            drawn = [text_of(line).rstrip() for line in view(*scene, cols, rows)]
            cut = [row for row in drawn if "…" in row]
            assert len(cut) <= (name in MAY_BE_CUT), cut
    finally:
        lang.use_language("en")


@pytest.mark.parametrize("name", NAMES)
def test_glyphs_take_one_cell_and_letters_of_names_at_most_two(name: str) -> None:
    for line in view(*all_scenes()[name], 120, 36):
        for char in text_of(line):
            assert wcwidth(char) == 1 or (wcwidth(char) == 2 and char.isalpha()), repr(char)


@pytest.mark.parametrize("name", NAMES)
def test_the_four_bottom_rows_do_not_move(name: str) -> None:
    for cols, rows in ((60, 16), (80, 24), (120, 36)):
        rule, _status, prompt, keys = [text_of(line) for line in view(*all_scenes()[name], cols, rows)[-ROWS:]]
        local = all_scenes()[name][1]
        assert local.advice is not None or (rule.startswith("──") and rule.endswith("──"))
        assert prompt.strip()
        assert local.asking is not None or "^Q leave" in keys
        assert local.asking is not None or local.typing is not None or "? help" in keys


@pytest.mark.parametrize("name", NAMES)
def test_what_is_drawn_names_only_styles_of_every_theme(name: str) -> None:
    used = {style for line in view(*all_scenes()[name], 120, 36) for part in line for style in part.style.split()}
    for one in THEMES:
        assert used <= set(theme(one)), one


def test_everything_that_can_be_clicked_is_a_key_that_does_something() -> None:
    shown: set[str] = set()
    taken: set[str] = set()
    for snapshot, local in all_scenes().values():
        keys = {part.key for line in view(snapshot, local, 200, 60) for part in line if part.key}
        shown |= {key.split(":")[0] for key in keys}
        for key in keys:
            after, effect = press(key, snapshot, local)
            if effect is not None or after != local:
                taken.add(key.split(":")[0])
    assert shown - taken == set()
    assert set("?/lmscthgprdwA+-") | {"card", "enter", "space", "tab", "c-q", "y", "n", "up", "down", "escape"} <= shown


def test_colour_is_never_the_only_sign() -> None:
    """What one can do is told by signs: without any style the marks, the raised card and the pointer remain."""
    text = "\n".join(text_of(line) for line in view(*all_scenes()["play-called"], 80, 24))
    assert "▸" not in text.split("Your hand")[1]
    assert "│3♦│╭──╮" in text and "  3  hoc" in text
    called = "\n".join(text_of(line) for line in view(*all_scenes()["auction-raised"], 80, 24))
    assert "▸[ Raise < 12 > ]◂" in called


def test_the_panel_comes_with_the_room() -> None:
    narrow = text_of(view(*all_scenes()["play-away"], 109, 36)[1])
    wide = text_of(view(*all_scenes()["play-away"], 110, 36)[1])
    assert "Log" not in narrow
    assert "Log" in wide


def test_talk_has_one_place_however_wide_the_screen_is() -> None:
    for cols, rows in ((100, 36), (120, 36), (200, 60)):
        drawn = "\n".join(text_of(line) for line in view(*all_scenes()["lobby-host"], cols, rows))
        assert drawn.count("── Talk ──") == 1, cols


def test_all_that_we_have_shown_in_a_deal_is_told() -> None:
    story = Story("declare", "good", "stay", "good", "pass", "declare, tierce", "good", "good")
    story.say("raise 2", "announce 4 cards, 34 points", "show 7C 8C 9C QC")
    assert "you have shown  7♣ 8♣ 9♣ Q♣" in _drawn(story)
    story.say("pass", "raise 5, tierce", "show 5S 6S 7S")
    assert "you have shown  5♠ 6♠ 7♠ 7♣ 8♣ 9♣ Q♣" in _drawn(story)


def _drawn(story: Story) -> str:
    return "\n".join(text_of(line) for line in view(story.now, Local(), 80, 24))


def test_who_pays_twice_is_told_twice() -> None:
    two = Story(hands=(ANNA_15, BRUNO_15), dealer=0)
    paid = Paid(Source.TRICON, 1, 0, 4, "brelan")
    told = [one.sentence for one in tell_all(Look(two.now, Local(), 80, 24, UNICODE), [paid, paid])]
    assert told == ["Bruno pays you 4: brelan"] * 2
    by_both = [paid, replace(paid, seat=2)] * 2
    told = [one.sentence for one in tell_all(Look(Story().now, Local(), 80, 24, UNICODE), by_both)]
    assert told == ["You take 4 from each: brelan"] * 2


def test_no_stop_after_a_mark_of_its_own() -> None:
    hoc = "\n".join(text_of(line) for line in view(*all_scenes()["play-after-hoc"], 80, 24))
    assert "Hoc! You lead anew" in hoc
    asked = replace(Story().now, events=(TalkSaid(1, "ready?"), TalkSaid(1, "well"), TalkSaid(1, "I am.")))
    status = text_of(view(asked, Local(), 80, 24)[-3])
    assert status.strip() == "Bruno: ready? Bruno: well. Bruno: I am."


def test_talk_cannot_draw_outside_its_place() -> None:
    drawn = "\n".join(text_of(line) for line in view(*all_scenes()["log"], 80, 24))
    assert "\x1b" not in drawn
    assert "one moment, 電話 ?[2J ?" in drawn


@given(cols=st.integers(1, 130), rows=st.integers(1, 50), name=st.sampled_from(NAMES), ascii_only=st.booleans())
@settings(max_examples=150, deadline=None)
def test_no_room_is_too_strange(cols: int, rows: int, name: str, ascii_only: bool) -> None:
    lines = view(*all_scenes()[name], cols, rows, ascii=ascii_only)
    assert [wcswidth(text_of(line)) for line in lines] == [cols] * rows


def test_below_the_least_size_the_hand_and_the_prompt_stay() -> None:
    drawn = [text_of(line) for line in view(*all_scenes()["play-called"], 40, 12)]
    assert "40x12: too small, 60x16 is needed" in drawn[0]
    text = "\n".join(drawn)
    assert "3♦" in text and "run 1 wants a" in text and "Enter: play 3♦" in text


def test_a_look_says_you_for_our_seat_only() -> None:
    snapshot, local = all_scenes()["play-called"]
    look = Look(snapshot, local, 80, 24, UNICODE)
    assert [look.name(seat) for seat in range(3)] == ["you", "Bruno", "bot 3"]


def _hint(snapshot: TableSnapshot, local: Local, cols: int) -> str:
    """The row above the four at the bottom."""
    return text_of(view(snapshot, local, cols, 16 if cols < 80 else 24)[-ROWS - 1]).strip()


def _wants(scene: str, rank: int) -> TableSnapshot:
    """A scene of the play in which another rank is called."""
    snapshot = all_scenes()[scene][0]
    assert snapshot.view is not None and snapshot.view.state.play is not None
    play = replace(snapshot.view.state.play, called=rank)
    return replace(snapshot, view=replace(snapshot.view, state=replace(snapshot.view.state, play=play)))


def test_no_ordinary_king_is_missed() -> None:
    assert _hint(_wants("play-hoc-or-sans", QUEEN), Local(), 80).startswith("You hold no ordinary queen. h: 1 hoc")
    assert _hint(_wants("play-hoc-or-sans", KING), Local(), 80) == (
        "Every king is a hoc. h: 1 hoc to play; p: sans king."
    )


def test_with_little_room_a_hint_says_less() -> None:
    assert _hint(*all_scenes()["play-lead"], 60) == "Lead any card: a rank key or the arrows pick it."
    assert _hint(_wants("play-hoc-or-sans", QUEEN), Local(), 60) == "No ordinary queen. h: 1 hoc for it; p: sans queen."
    declared = Story(*["pass"] * 4).say("pass").now, Local(choice="d", announced=Combination.QUINT)
    assert (
        _hint(*declared, 100)
        == "Declare quint: opens at level 0, costs nothing more; a bluff.  c: tierce, quart, quint"
    )
    assert _hint(*declared, 80) == "Opens at level 0, costs nothing more; a bluff.  c: tierce, quart, quint"
    assert _hint(*declared, 60) == "Opens at level 0, costs nothing more; a bluff."


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_hint_is_cut_in_a_language_that_we_speak(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    declared = Story(*["pass"] * 4).say("pass").now, Local(choice="d", announced=Combination.QUINT)
    shown = [all_scenes()[name] for name in ("play-lead", "play-hoc-or-sans", "play-picked-hoc")] + [declared]
    shown += [(_wants("play-hoc-or-sans", rank), Local()) for rank in (ACE, JACK, QUEEN, KING)]
    monkeypatch.setattr(lang, "_catalogue", lang._catalogue)
    lang.use_language(language)
    for cols in (60, 80):
        told = [_hint(*scene, cols) for scene in shown]
        assert not [one for one in told if one.endswith("…")], cols


def test_the_lead_says_who_leads() -> None:
    assert _status("play-withhold").endswith("Bot 3 leads 2♦ K♣ as the 3. Bot 3 says Hoc! Bot 3 leads A♥, sans 2")
    assert _status("play-called") == "The play begins. Bot 3 leads A♥ 2♦, sans 3"
    assert _status("ready") == "All seats are filled: read the rules and press Enter"


def _status(scene: str) -> str:
    return text_of(view(*all_scenes()[scene], 80, 24)[-ROWS + 1]).strip()


def test_another_match_begins_with_its_own_draw_and_deck() -> None:
    """The events of the match before are still there."""
    played = Story().now
    before = (CardDrawn(0, parse_card("3D")), DealerChosen(0), DeckStep(1, "shuffle", 2), SessionEnded((0, 0, 0)))
    drawing = replace(played, stage=Stage.DRAW, view=None, deal=0, events=(*before, CardDrawn(0, parse_card("KH"))))
    drawn = "\n".join(text_of(line) for line in view(drawing, Local(), 80, 24))
    assert "K♥" in drawn
    assert "3♦" not in drawn
    assert "deals first" not in drawn
    dealing = replace(drawing, stage=Stage.DEALING, deal=1, events=(*drawing.events, DeckStep(1, "keys", None)))
    drawn = "\n".join(text_of(line) for line in view(dealing, Local(), 80, 24))
    assert "✓ keys" in drawn
    assert "✓ shuffles" not in drawn


def test_a_call_whose_meaning_has_no_room_in_the_prompt_stands_there_alone() -> None:
    local, _ = press("p", Story().now, Local())
    wide, narrow = (text_of(view(Story().now, local, cols, 24)[-2]).rstrip() for cols in (80, 60))
    assert wide == " Enter: pass (says nothing; you may come in later if another opens)"
    assert narrow == " Enter: pass"


@pytest.mark.parametrize("language", LANGUAGES)
def test_calls_with_a_class_stand_in_one_row_of_the_smallest_screen(language: str) -> None:
    story = Story("raise 5, brelan").say("pass", "pass")
    for local in (Local(), press("r", story.now, Local(announced=Combination.FREDON))[0]):
        try:
            lang.use_language(language)
            rows = [text_of(line) for line in view(story.now, local, 60, 16)]
        finally:
            lang.use_language("en")
        (buttons,) = (row for row in rows if "]" in row and row.lstrip().startswith("t"))
        assert "…" not in buttons
        assert buttons.count("[") == buttons.count("]") == 3


@pytest.mark.parametrize("name", ["ready", "lobby-chair-chosen", "lobby-knocks", "play-voted", "settlement-may-show"])
def test_long_names_take_no_place_from_what_matters(name: str) -> None:
    """Levels of bots, keys to press, marks of who is ready."""
    snapshot, local = all_scenes()[name]
    names = ("Wilhelmina von Habichtse", "Maximilian zu Guttenberg", "Konstantinopolitanskaja")
    seats = [
        replace(info, name=names[info.seat] if info.name else "", owner=names[0] if info.owner else info.owner)
        for info in snapshot.seats
    ]
    knocks = [replace(knock, name=names[2]) for knock in snapshot.knocks]
    renamed = replace(snapshot, seats=tuple(seats), knocks=tuple(knocks))
    rows = [text_of(line).rstrip() for line in view(renamed, local, 60, 16)]
    assert not [row for row in rows if len(row) == 60 and row.endswith("…") and ";" not in row]
