"""The play: the run on the table, runs before it, what our cards can do."""

from __future__ import annotations

from hocp2p.game.actions import Action, Play, Sans
from hocp2p.game.cards import KING, Card
from hocp2p.game.state import DealState, Phase, PlayedCard, PlayState, SeatView
from hocp2p.ui.cells import Fragment, Line, clip, fitting, pad, plain, text_width
from hocp2p.ui.choices import selection
from hocp2p.ui.hands import follow_up, playable
from hocp2p.ui.lang import N_, _, p_
from hocp2p.ui.look import Look, card_style, play_rank
from hocp2p.ui.names import a_rank, capitalized, counted, rank_word
from hocp2p.ui.parts.hand import hand_lines, hand_section
from hocp2p.ui.parts.seats import other_lines
from hocp2p.ui.words import why_not

STEP_CELLS = 5  # a card and what joins it to the next


def play_body(look: Look) -> list[Line]:
    """The whole body, with as much as there is room for."""
    view = look.view
    if view is None or view.state.play is None:
        return []
    play = view.state.play
    for big_run, big_hand, closed, asleep in _SHAPES:
        others = other_lines(look, asleep=asleep)
        table = run_lines(look, view.state, play, big=big_run) + (closed_lines(look, play) if closed else [])
        below = [hand_section(look), *hand_lines(look, big=big_hand), *hint_lines(look, view)]
        spare = look.rows - len(others) - len(table) - len(below)
        if spare >= 0:
            return [*others, *[()] * (spare // 3), *table, *[()] * (spare - spare // 3), *below]
    return (others + table + below)[: look.rows]


_SHAPES = (
    (True, True, True, True),
    (True, True, True, False),
    (True, True, False, False),
    (False, True, False, False),
    (False, False, True, False),
    (False, False, False, False),
)


def run_number(play: PlayState) -> int:
    """Number of the run that is open or about to be led, from 1."""
    return len(play.closed) + 1


def run_title(look: Look, view: SeatView) -> str:
    """``run 2 wants a 3``."""
    play = view.state.play
    if play is None:
        return ""
    number, turn = run_number(play), view.state.turn
    if play.called is not None:
        return _("run {number} wants {a_rank}").format(number=number, a_rank=a_rank(play.called))
    if turn is None:
        return _("run {number}: nobody leads").format(number=number)
    return look.speaker.says(turn, N_("run {number}: you lead"), N_("run {number}: {name} leads"), number=number)


def run_lines(look: Look, state: DealState, play: PlayState, *, big: bool) -> list[Line]:
    """The open run with the called rank at its end; while a new one is to be led, the run before it, dimmed."""
    shown, over = (play.run, False) if play.run or not play.closed else (play.closed[-1], True)
    number = run_number(play) - over
    if not shown:
        return [
            look.section(_("Run {number}").format(number=1)),
            *([()] if big else []),
            plain("   " + _("the table is empty: the first card leads"), "dim"),
        ]
    note = look.speaker.says(shown[0].seat, N_("led by you"), N_("led by {name}"))
    if over:
        note += f" {look.glyphs.dot} " + p_("a run", "over")
    section = look.section(_("Run {number}").format(number=number), note)
    room = (look.cols - 4) // STEP_CELLS - 1
    cut = len(shown) > room
    kept = shown[-room:]
    called = None if over or state.phase is Phase.OVER else play.called
    if big:
        return [section, *_big_run(look, kept, called, cut=cut)]
    return [section, _small_run(look, kept, called, cut=cut)]


def _big_run(look: Look, run: tuple[PlayedCard, ...], called: int | None, *, cut: bool) -> list[Line]:
    glyphs = look.glyphs
    lead = "  " + (glyphs.cut if cut else " ")
    rows: list[list[Fragment]] = [[Fragment("dim", lead if row == 1 else "   ")] for row in range(4)]
    for number, played in enumerate(run):
        edge = "hoc" if played.card.is_hoc else "edge"
        stands = "=" + play_rank(played.as_rank) if played.as_rank != played.card.rank else ""
        link = glyphs.rule if number + 1 < len(run) or called is not None else " "
        rows[0] += [Fragment(edge, glyphs.top[0] + stands.ljust(2, glyphs.rule)[:2] + glyphs.top[1] + " ")]
        rows[1] += [
            Fragment(card_style(played.card), glyphs.wall + look.card(played.card) + glyphs.wall),
            Fragment("rule", link),
        ]
        rows[2] += [Fragment(edge, glyphs.bottom[0] + glyphs.rule * 2 + glyphs.bottom[1] + " ")]
        rows[3] += [Fragment(f"seat{played.seat}", pad(_short_name(look, run, number), STEP_CELLS, ""))]
    if called is not None:
        dashes = glyphs.dash * 2
        rows[0].append(Fragment("called", glyphs.top[0] + dashes + glyphs.top[1]))
        rows[1].append(Fragment("called", glyphs.wall + f"{play_rank(called)}?"[:2] + glyphs.wall))
        rows[2].append(Fragment("called", glyphs.bottom[0] + dashes + glyphs.bottom[1]))
    return [tuple(row) for row in rows]


def _short_name(look: Look, run: tuple[PlayedCard, ...], number: int) -> str:
    """Who played, under the first card of each go only."""
    seat = run[number].seat
    if number and run[number - 1].seat == seat:
        return ""
    return " " + clip(look.name(seat).replace(" ", ""), STEP_CELLS - 1, "")


def _small_run(look: Look, run: tuple[PlayedCard, ...], called: int | None, *, cut: bool) -> Line:
    line = [Fragment("dim", "  " + (look.glyphs.cut if cut else " "))]
    link = Fragment("rule", look.glyphs.rule)
    for played in run:
        line += [Fragment(card_style(played.card), f"[{look.card(played.card)}]"), link]
    if called is None:
        return tuple(line[:-1])
    return (*line, Fragment("called", f"({play_rank(called)}?)"))


def closed_lines(look: Look, play: PlayState) -> list[Line]:
    """One line with the runs before, the latest first, while they fit."""
    closed = play.closed[:-1] if not play.run else play.closed
    if not closed:
        return []
    label = "   " + _("before:") + " "
    line: list[Fragment] = [Fragment("dim", label)]
    left = look.cols - text_width(label) - 1
    for run in reversed(closed):
        cells = 3 * len(run) + 3
        if cells > left:
            line.append(Fragment("dim", look.glyphs.cut))
            break
        line += [Fragment("rule", f"  {look.glyphs.wall} ")] if len(line) > 1 else []
        line += look.cards(tuple(played.card for played in run))
        left -= cells + 1
    return [tuple(line)]


def hint_lines(look: Look, view: SeatView) -> list[Line]:
    """One line: what the picked card would do, or why it cannot be played."""
    if not look.snapshot.legal:
        return [()]
    chosen = selection(look.snapshot, look.local)
    if chosen.choice is not None:
        told = _("{call}: {note}.").format(call=chosen.choice.label, note=chosen.choice.note)
        return [plain("  " + told, "hint")]
    if chosen.card is None:
        return [plain("  " + fitting(look.cols - 2, *_advice(look, view)), "hint")]
    reason = why_not(view, chosen.card, ascii=look.ascii)
    if reason is not None:
        return [plain(f"  {capitalized(reason)}.", "warn")]
    if chosen.card.is_hoc:
        return [plain("  " + fitting(look.cols - 2, *_of_hoc(look, view, chosen.card)), "hint")]
    return [plain("  " + fitting(look.cols - 2, *_goes_on(look, follow_up(view, chosen.card))), "hint")]


def _advice(look: Look, view: SeatView) -> tuple[str, ...]:
    """What may be done while no card is picked, and the same in fewer words."""
    called = view.state.play.called if view.state.play is not None else None
    if called is None:
        return (
            _("Lead any card: a rank key or the arrows pick it. Suits do not matter in a run."),
            _("Lead any card: a rank key or the arrows pick it."),
        )
    texts = (
        (_("Every king is a hoc. h: {hocs} to play; p: sans {rank}."),)
        if called == KING
        else (
            _("You hold no ordinary {rank}. h: {hocs} for it; p: sans {rank}."),
            _("No ordinary {rank}. h: {hocs} for it; p: sans {rank}."),
        )
    )
    hocs = counted(sum(card.is_hoc for card in playable(look.snapshot.legal)), "hoc")
    return tuple(text.format(rank=rank_word(called), hocs=hocs) for text in texts)


def _of_hoc(look: Look, view: SeatView, card: Card) -> tuple[str, ...]:
    """What a fixed hoc of ours would do, and the same in fewer words."""
    called = view.state.play.called if view.state.play else None
    last = len(view.hand) == 1
    brief = (
        _("{card} is a hoc: it takes 1 jeton from each, and you are out.")
        if last
        else _("{card} is a hoc: it takes 1 jeton from each, you lead again.")
    ).format(card=look.card(card))
    if called in (None, card.rank):
        return (brief,)
    told = (
        _("{card} is a hoc: it stands for the {rank}, takes 1 jeton from each, and you are out.")
        if last
        else _("{card} is a hoc: it stands for the {rank}, takes 1 jeton from each, you lead again.")
    )
    return told.format(card=look.card(card), rank=rank_word(called)), brief


def _goes_on(look: Look, plan: tuple[Action, ...]) -> tuple[str, ...]:
    """What an ordinary card of ours would do, and the same in fewer words."""
    cards = [look.card(action.card) for action in plan if isinstance(action, Play)]
    sans = [action for action in plan if isinstance(action, Sans)]
    texts: tuple[str, ...]
    if len(cards) == 1 and sans:
        texts = (_("{card} goes down alone, then sans {rank}. Enter plays it."),)
    elif len(cards) == 1:
        texts = (_("{card} goes down alone. Enter plays it."),)
    elif sans:
        texts = (
            _("{card} goes on. A plays all that follow: {cards}, then sans {rank}."),
            _("A plays all: {cards}, sans {rank}."),
            _("{card} goes on to {last}, {count} cards: A plays them."),
        )
    else:
        texts = (
            _("{card} goes on. A plays all that follow: {cards}."),
            _("A plays all: {cards}."),
            _("{card} goes on to {last}, {count} cards: A plays them."),
        )
    places = {"card": cards[0], "last": cards[-1], "cards": " ".join(cards), "count": len(cards)}
    return tuple(text.format(rank=rank_word(sans[0].rank) if sans else "", **places) for text in texts)
