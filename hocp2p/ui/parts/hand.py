"""Our hand: cards in one line or three, the picked one raised, a mark under each that says what it may do."""

from __future__ import annotations

from hocp2p.game.cards import Card
from hocp2p.game.combinations import Holding, best_point, runs, tricons
from hocp2p.game.state import Phase, SeatView
from hocp2p.ui.cells import Fragment, Line, plain
from hocp2p.ui.choices import selection
from hocp2p.ui.hands import Group, grouped, playable
from hocp2p.ui.look import Look, card_style
from hocp2p.ui.names import format_suit, rank_word

CARD_CELLS = 4
BARE_CELLS = 3


def hand_lines(look: Look, *, big: bool) -> list[Line]:
    """The hand with its marks: five lines of big cards where they fit, else two of small ones."""
    view = look.view
    if view is None:
        return []
    groups = grouped(view.hand, look.local.sort)
    if not groups:
        return [plain("  no cards left", "dim")]
    picked = selection(look.snapshot, look.local).card
    marks = {card: _mark(look, view, card) for card in view.hand}
    if big and _cells(groups, CARD_CELLS, 1) <= look.cols:
        return _big(look, groups, picked, marks)
    return _small(look, groups, picked, marks)


def hand_section(look: Look) -> Line:
    """The rule above the hand: how many cards, our jetons, the order."""
    view = look.view
    if view is None:
        return look.section("Your hand")
    jetons = look.snapshot.balances[view.seat] if look.snapshot.balances else 0
    dealer = " . dealer" if view.state.dealer == view.seat else ""
    note = f"{len(view.hand)} cards . {jetons} jetons{dealer} . s: by {look.local.sort.value}"
    return look.section("Your hand", note.replace(".", look.glyphs.dot))


def combinations_line(look: Look) -> Line:
    """What the hand holds for the three stakes."""
    view = look.view
    if view is None or not view.hand:
        return ()
    best = best_point(view.hand, view.state.rules)
    point = "none"
    if best is not None:
        point = f"{best.claim.first} cards, {best.claim.second} in {format_suit(best.cards[0].suit, ascii=look.ascii)}"
    found = (
        ("point", point),
        ("sequence", _listed(look, runs(view.hand))),
        ("tricon", _listed(look, tricons(view.hand))),
    )
    line: list[Fragment] = [Fragment("", "  ")]
    for name, text in found:
        line += [Fragment("dim", f"{name} "), Fragment("", f"{text}   ")]
    return tuple(line)


def _listed(look: Look, holdings: tuple[Holding, ...]) -> str:
    return ", ".join(_named(look, holding) for holding in holdings) or "none"


def _named(look: Look, holding: Holding) -> str:
    """``tierce 9♣``, ``brelan K``."""
    top = holding.cards[-1]
    ending = look.card(top) if holding.cards[0].suit == top.suit else rank_word(top.rank) + "s"
    return f"{holding.reason} {ending}"


def _mark(look: Look, view: SeatView, card: Card) -> str:
    """At most three cells: what the card may do now."""
    state = view.state
    if state.phase is not Phase.PLAY or state.play is None or not look.snapshot.legal:
        return "hoc" if card.is_hoc else ""
    if card not in playable(look.snapshot.legal):
        return look.glyphs.dot
    if card.is_hoc:
        return "hoc"
    return "" if state.play.called is None else str(card)[0].replace("T", "10")


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
    key = f"card:{card}"
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
            faces.append(Fragment(_face_style(look, card, card == picked), text, f"card:{card}"))
            mark = marks[card][: each - 1] if bare else marks[card]
            below.append(Fragment(_mark_style(mark), mark.rjust(each - 1).ljust(each), f"card:{card}"))
    return [_merged(faces), _merged(below)]


def _face_style(look: Look, card: Card, raised: bool) -> str:
    style = card_style(card)
    if raised:
        return f"{style} picked"
    return f"{style} dim" if _dimmed(look, card) else style


def _mark_style(mark: str) -> str:
    return "hoc" if mark == "hoc" else "dim" if mark in (".", "·") else "legal"


def _merged(fragments: list[Fragment]) -> Line:
    """The line with neighbours of one style and key joined, so that lines stay short."""
    line: list[Fragment] = []
    for fragment in fragments:
        if line and line[-1].style == fragment.style and line[-1].key == fragment.key:
            line[-1] = fragment._replace(text=line[-1].text + fragment.text)
        else:
            line.append(fragment)
    return tuple(line)
