"""Our hand: cards in one line or three, the picked one raised, a mark under each that says what it may do."""

from __future__ import annotations

from typing import Final

from hocp2p.game.actions import Stake
from hocp2p.game.cards import ACE, JACK, KING, QUEEN, Card
from hocp2p.game.combinations import Holding, best_point, runs, tricons
from hocp2p.game.state import Phase, SeatView
from hocp2p.ui.cells import Fragment, Line, fitting, line_width, plain
from hocp2p.ui.choices import selection
from hocp2p.ui.hands import Group, grouped, playable
from hocp2p.ui.intents_deal import CARD
from hocp2p.ui.lang import N_, _, n_, p_
from hocp2p.ui.local import Sort
from hocp2p.ui.look import Look, card_style
from hocp2p.ui.names import STAKE_NAMES, Words, counted, enumerated, format_suit, payment_reason

CARD_CELLS = 4
BARE_CELLS = 3
HOC = "hoc"  # under a card; by its first letter, which is its key, too, where cards have no brackets

SORTED: Final = Words(
    {
        Sort.SUIT: N_("s: by suit"),
        Sort.RANK: N_("s: by rank"),
        Sort.COMBINATION: N_("s: by combination"),
    }
)
"""By the order of the hand, what the rule above it says: the key, and the order."""
RANKS: Final = Words({ACE: N_("aces"), JACK: N_("jacks"), QUEEN: N_("queens"), KING: N_("kings")})


def hand_lines(look: Look, *, big: bool) -> list[Line]:
    """The hand with its marks: five lines of big cards where they fit, else two of small ones."""
    view = look.view
    if view is None:
        return []
    groups = grouped(view.hand, look.local.sort)
    if not groups:
        return [plain("  " + _("no cards left"), "dim")]
    picked = selection(look.snapshot, look.local).card
    marks = {card: _mark(look, view, card) for card in view.hand}
    if big and _cells(groups, CARD_CELLS, 1) <= look.cols:
        return _big(look, groups, picked, marks)
    return _small(look, groups, picked, marks)


def hand_section(look: Look) -> Line:
    """The rule above the hand: how many cards, our jetons, the order."""
    view = look.view
    if view is None:
        return look.section(_("Your hand"))
    count = len(view.hand)
    jetons = look.snapshot.balances[view.seat] if look.snapshot.balances else 0
    dealer = [p_("one fact of several", "dealer")] if view.state.dealer == view.seat else []
    first, last = [counted(count, "card"), counted(jetons, "jeton")], SORTED[look.local.sort]
    label = _("Your hand")
    notes = [f" {look.glyphs.dot} ".join(facts) for facts in ([*first, *dealer, last], [*first, last])]
    return look.section(label, fitting(look.section_room(label), *notes))


def combination_lines(look: Look) -> list[Line]:
    """What the hand holds for the three stakes: one line, or two where they are too long for it."""
    view = look.view
    if view is None or not view.hand:
        return [()]
    found = {
        Stake.POINT: _point(look, best_point(view.hand, view.state.rules)),
        Stake.SEQUENCE: _listed(look, runs(view.hand)),
        Stake.TRICON: _listed(look, tricons(view.hand)),
    }
    lines: list[Line] = [()]
    for stake, text in found.items():
        part = Fragment("dim", f"{STAKE_NAMES[stake].lower()} "), Fragment("", text)
        gap = Fragment("", "   " if lines[-1] else "  ")
        if line_width((*lines[-1], gap, *part)) > look.cols and lines[-1]:
            lines.append((Fragment("", "  "), *part))
        else:
            lines[-1] = (*lines[-1], gap, *part)
    return lines


def _point(look: Look, best: Holding | None) -> str:
    """``4 cards, 34 in ♣``."""
    if best is None:
        return p_("what a hand holds", "none")
    count, points = best.claim.first, best.claim.second
    text = n_("{count} card, {points} in {suit}", "{count} cards, {points} in {suit}", count)
    return text.format(count=count, points=points, suit=format_suit(best.cards[0].suit, ascii=look.ascii))


def _listed(look: Look, holdings: tuple[Holding, ...]) -> str:
    return enumerated([_named(look, holding) for holding in holdings]) or p_("what a hand holds", "none")


def _named(look: Look, holding: Holding) -> str:
    """``tierce 9♣``, ``brelan kings``."""
    name, top = payment_reason(holding.reason), holding.cards[-1]
    if holding.cards[0].suit == top.suit:
        return _("{combination} {card}").format(combination=name, card=look.card(top))
    return _("{combination} {ranks}").format(combination=name, ranks=_ranks(top.rank))


def _ranks(rank: int) -> str:
    """Three or four of a rank: ``kings``, ``6s``."""
    return RANKS[rank] if rank in RANKS else _("{rank}s").format(rank=rank)


def _mark(look: Look, view: SeatView, card: Card) -> str:
    """At most three cells: what the card may do now."""
    state = view.state
    if state.phase is not Phase.PLAY or state.play is None or not look.snapshot.legal:
        return HOC if card.is_hoc else ""
    if card not in playable(look.snapshot.legal):
        return look.glyphs.dot
    if card.is_hoc:
        return HOC
    return "" if state.play.called is None else str(card)[0].replace("T", "10")


def _click(look: Look, card: Card) -> str:
    """What a click on the card presses: cards are picked in the play only."""
    in_play = look.view is not None and look.view.state.phase is Phase.PLAY
    return f"{CARD}{card}" if in_play else ""


def _dimmed(look: Look, card: Card) -> bool:
    view = look.view
    in_play = view is not None and view.state.phase is Phase.PLAY and bool(look.snapshot.legal)
    return in_play and card not in playable(look.snapshot.legal)


def _cells(groups: list[Group], each: int, gap: int) -> int:
    return sum(len(group) for group in groups) * each + gap * len(groups)


def _gap(look: Look, groups: list[Group], each: int) -> int:
    return next((gap for gap in (3, 2) if _cells(groups, each, gap) <= look.cols), 1)


def _big(look: Look, groups: list[Group], picked: Card | None, marks: dict[Card, str]) -> list[Line]:
    gap = Fragment("", " " * _gap(look, groups, CARD_CELLS))
    rows: list[list[Fragment]] = [[] for _ in range(5)]
    for group in groups:
        for row in rows:
            row.append(gap)
        for card in group:
            for row, fragment in zip(rows, _big_card(look, card, card == picked, marks[card]), strict=True):
                row.append(fragment)
    return [_merged(row) for row in rows]


def _big_card(look: Look, card: Card, raised: bool, mark: str) -> list[Fragment]:
    glyphs = look.glyphs
    key = _click(look, card)
    face = _face_style(look, card, raised)
    edge = "picked" if raised else "dim" if _dimmed(look, card) else "hoc" if card.is_hoc else "edge"
    rows = [
        Fragment(edge, glyphs.top[0] + glyphs.rule * 2 + glyphs.top[1], key),
        Fragment(face, glyphs.wall + look.card(card) + glyphs.wall, key),
        Fragment(edge, glyphs.bottom[0] + glyphs.rule * 2 + glyphs.bottom[1], key),
    ]
    blank = Fragment("", " " * CARD_CELLS, key)
    rows = [*rows, blank] if raised else [blank, *rows]
    return [*rows, Fragment(_mark_style(mark), mark.center(CARD_CELLS), key)]


def _small(look: Look, groups: list[Group], picked: Card | None, marks: dict[Card, str]) -> list[Line]:
    bare = _cells(groups, CARD_CELLS, 1) > look.cols
    each = BARE_CELLS if bare else CARD_CELLS
    gap = Fragment("", " " * _gap(look, groups, each))
    faces: list[Fragment] = []
    below: list[Fragment] = []
    for group in groups:
        faces.append(gap)
        below.append(gap)
        for card in group:
            left, right = (">", "<") if card == picked else (" ", " ") if bare else ("[", "]")
            text = left + look.card(card) + ("" if bare else right)
            faces.append(Fragment(_face_style(look, card, card == picked), text, _click(look, card)))
            mark = marks[card]
            word = mark[:1] if bare and mark == HOC else mark
            below.append(Fragment(_mark_style(mark), word.rjust(each - 1).ljust(each), _click(look, card)))
    return [_merged(faces), _merged(below)]


def _face_style(look: Look, card: Card, raised: bool) -> str:
    style = card_style(card)
    if raised:
        return f"{style} picked"
    return f"{style} dim" if _dimmed(look, card) else style


def _mark_style(mark: str) -> str:
    return "hoc" if mark == HOC else "dim" if mark in (".", "·") else "legal"


def _merged(fragments: list[Fragment]) -> Line:
    """The line with neighbours of one style and key joined, so that lines stay short."""
    line: list[Fragment] = []
    for fragment in fragments:
        if line and line[-1].style == fragment.style and line[-1].key == fragment.key:
            line[-1] = fragment._replace(text=line[-1].text + fragment.text)
        else:
            line.append(fragment)
    return tuple(line)
