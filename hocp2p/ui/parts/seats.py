"""The others at the table during the play: jetons, backs of cards, what each did last."""

from __future__ import annotations

from collections.abc import Sequence

from hocp2p.game.actions import Stake
from hocp2p.game.cards import DECK_SIZE, Card
from hocp2p.game.events import CardHeldBack, CardPlayed, RunEnded, SansSaid
from hocp2p.game.state import SeatView
from hocp2p.ui.cells import Fragment, Line, fitting, line_width, pad, text_width
from hocp2p.ui.lang import _, n_, p_
from hocp2p.ui.look import Look
from hocp2p.ui.names import STAKE_NAMES, enumerated, rank_word


def other_lines(look: Look, *, asleep: bool) -> list[Line]:
    """A section with a line for each of the others in turn order; ``asleep``: one more for the pools and the talon."""
    view = look.view
    if view is None:
        return []
    state = view.state
    order = [(view.seat + step) % state.seats for step in range(1, state.seats)]
    sleeping = DECK_SIZE - sum(map(len, state.dealt))
    note = n_("{count} card asleep", "{count} cards asleep", sleeping).format(count=sleeping)
    lines = [look.section(_("Others"), note)]
    last = last_words(look)
    lines += [_other(look, view, seat, last.get(seat, ())) for seat in order]
    kept = [f"{STAKE_NAMES[stake]} {state.pools[stake]}" for stake in Stake if state.pools[stake]]
    if asleep and kept:
        label = _("pools of the next deal:")
        lines.append((Fragment("dim", f"  {label} "), Fragment("", enumerated(kept))))
    return lines


def _other(look: Look, view: SeatView, seat: int, last: Sequence[str]) -> Line:
    state = view.state
    turn = state.turn == seat
    known = known_cards(view, seat)
    count = len(state.hands[seat])
    backs = look.glyphs.back * (count - len(known))
    name_cells = 12 if look.cols >= 70 else 9
    line = [
        Fragment("turn", f" {look.glyphs.pointer} " if turn else "   "),
        Fragment(f"seat{seat}", pad(look.names[seat], name_cells, look.glyphs.cut)),
        Fragment("", f"{state.balances[seat]:>4} "),
    ]
    if look.cols >= 70:
        cells = max(text_width(_jetons(balance)) for balance in state.balances)
        line.append(Fragment("dim", pad(_jetons(state.balances[seat]), cells) + "  "))
    line.append(Fragment("back", backs))
    line += [Fragment("", " "), *look.cards(known)] if known else []
    used = count - len(known) + 3 * len(known)
    size = (state.dealt and len(state.dealt[seat])) or 0
    line.append(Fragment("", " " * max(size + 1 - used, 1)))
    left = n_("{count} left", "{count} left", count).format(count=f"{count:>2}")
    line.append(Fragment("", fitting(look.cols - line_width(line), f"{left}  ", left, f"{count:>2}")))
    line.append(Fragment("", standing(look, seat) or _last_that_fit(last, look.cols - line_width(line))))
    return tuple(line)


def _jetons(count: int) -> str:
    """The word alone, as it stands beside this number."""
    return n_("{count} jeton", "{count} jetons", count).format(count="").strip()


def known_cards(view: SeatView, seat: int) -> tuple[Card, ...]:
    """Faces that everybody has seen and that are still in that hand."""
    return tuple(sorted(card for position, card in view.state.opened if position in view.state.hands[seat]))


def standing(look: Look, seat: int) -> str:
    """``away 0:20`` or ``gone``; else empty."""
    if look.view is not None and seat in look.view.state.gone:
        return p_("one fact of several", "gone")
    info = look.snapshot.seats[seat]
    if not info.present:
        return p_("one fact of several", "gone")
    if info.away or not info.linked:
        return (p_("one fact of several", "away") + " " + look.time_away(seat)).rstrip()
    return ""


def last_words(look: Look) -> dict[int, list[str]]:
    """By seat, what it did in its last go of the play: ``2♦``, ``3♦``, ``sans 4``."""
    said: dict[int, list[str]] = {}
    speaking: int | None = None
    for event in look.deal_events:
        match event:
            case CardPlayed(seat, _, card, as_rank, _, _):
                word = look.card(card)
                if as_rank != card.rank:
                    word = _("{card} as {rank}").format(card=word, rank=rank_word(as_rank))
            case SansSaid(seat, rank):
                word = _("sans {rank}").format(rank=rank_word(rank))
            case CardHeldBack(seat, rank):
                word = _("held back {rank}").format(rank=rank_word(rank))
            case RunEnded():
                speaking = None
                continue
            case _:
                continue
        if seat != speaking:
            said[seat] = []
            speaking = seat
        said[seat].append(word)
    return said


def _last_that_fit(words: Sequence[str], room: int) -> str:
    """The last four words of a go, or as many of them as there is room for, but one at least."""
    for first in range(max(len(words) - 4, 0), len(words)):
        text = enumerated(words[first:])
        if text_width(text) <= room:
            return text
    return "".join(words[-1:])
