"""The score sheet of a deal and the end of the match."""

from __future__ import annotations

from typing import Final, TypeGuard

from hocp2p.game.events import Paid, Source, StakeClosed, StakeEnd
from hocp2p.game.payments import STAKE_SOURCE
from hocp2p.table.events import TableStopped
from hocp2p.table.snapshot import FinishedDeal
from hocp2p.ui.cells import Fragment, Line, clean, clip, fitting, line_width, pad, plain, text_width, wrap
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.lang import N_, _, n_, p_
from hocp2p.ui.look import Look
from hocp2p.ui.names import (
    SOURCE_NAMES,
    capitalized,
    counted,
    enumerated,
    joined,
    labelled,
    listed,
    payment_reason,
    signed,
)
from hocp2p.ui.proof_words import proof_words

LABEL_CELLS: Final = 15
MOST_LABEL_CELLS: Final = 20
MOST_NAME_CELLS: Final = 16
SHORT_NAME_CELLS: Final = 7

THIS_DEAL: Final = N_("This deal")
JETONS_NOW: Final = N_("Jetons now")
DEALS: Final = N_("Deals")
POOLS_DIVIDED: Final = N_("Pools divided")
MATCH: Final = N_("Match")
SUM: Final = N_("Sum")
POOLS: Final = {
    StakeEnd.ALONE: N_("pool of {pool} alone"),
    StakeEnd.NOTHING: N_("pool of {pool} by position"),
    StakeEnd.SHOWN: N_("pool of {pool}"),
}
"""By how a stake ended, what its winner took."""


def score_body(look: Look, deal: FinishedDeal) -> list[Line]:
    """A line for each source, with what made it; sums; the match so far; what was proved. With little room, less."""
    sources = tuple(Source)
    lines = _sheet(look, deal, sources)
    if len(lines) > look.rows:
        sources = tuple(source for source in sources if any(deal.outcome.pay[source.value]))
        lines = [line for line in _sheet(look, deal, sources) if line]
    return lines[: look.rows]


def _sheet(look: Look, deal: FinishedDeal, sources: tuple[Source, ...]) -> list[Line]:
    cells = _seat_cells(look)
    heading = _("Deal {number}: the score").format(number=deal.number)
    winner = deal.state.winner
    out = _("nobody is out")
    if winner is not None:
        out = look.speaker.says(winner, N_("you are out"), N_("{name} is out"))
    lines = [look.section(heading, out), _names(look, cells)]
    for source in sources:
        by_seat = deal.outcome.pay[source.value]
        lines.append(_figures(look, SOURCE_NAMES[source], by_seat, cells, *_reasons(look, deal, source)))
    total = _figures(look, _(THIS_DEAL), deal.outcome.net, cells, *_carry_notes(deal))
    lines += [_underline(look, cells), tuple(fragment._replace(style=f"{fragment.style} total") for fragment in total)]
    lines += [
        *_match_lines(look, deal, cells),
        *_proof_lines(look, deal),
        *_hand_lines(look, deal),
        *_ready_lines(look),
    ]
    return lines


def _seat_cells(look: Look) -> int:
    return 10 if look.cols >= 76 else 8


def _label_cells(look: Look) -> int:
    """Room for the longest of the labels, where it is not too long."""
    labels = [*SOURCE_NAMES.values(), *map(_, (THIS_DEAL, JETONS_NOW, DEALS, POOLS_DIVIDED, MATCH, SUM))]
    widest = max(map(text_width, labels)) + 1
    return min(max(LABEL_CELLS, widest), MOST_LABEL_CELLS if look.cols >= 76 else LABEL_CELLS)


def _names(look: Look, cells: int, *notes: str) -> Line:
    line = [Fragment("", " " * (_label_cells(look) + 2))]
    for seat in range(len(look.names)):
        style = "you" if seat == look.us else f"seat{seat}"
        line.append(Fragment(style, pad(look.name(seat), cells - 1, look.glyphs.cut, right=True) + " "))
    return (*line, _note(look, line, *notes))


def _figures(look: Look, label: str, by_seat: tuple[int, ...], cells: int, *reasons: str) -> Line:
    """A label, a figure for each seat, and the first of the reasons that has room; the last should be the shortest."""
    nothing = not any(by_seat)
    line = [Fragment("dim" if nothing else "", "  " + pad(label, _label_cells(look), look.glyphs.cut))]
    for amount in by_seat:
        style = "gain" if amount > 0 else "loss" if amount < 0 else "dim"
        line.append(Fragment(style, pad(signed(amount) if amount else look.glyphs.dot, cells - 1, right=True) + " "))
    return (*line, _note(look, line, *reasons))


def _note(look: Look, line: list[Fragment], *texts: str) -> Fragment:
    """What stands at the end of a line: the first of the texts that has room."""
    return Fragment("dim", "  " + fitting(look.cols - line_width(line) - 2, *texts) if texts else "")


def _underline(look: Look, cells: int) -> Line:
    return plain("  " + look.glyphs.rule * (_label_cells(look) + cells * len(look.names) - 1), "rule")


def _reasons(look: Look, deal: FinishedDeal, source: Source) -> tuple[str, ...]:
    """What made the figures of a line, in fewer and fewer words: ``Bruno: pool of 13, quart``, and so on."""
    closed = next((event for event in deal.events if _closes(event, source)), None)
    if closed is not None and closed.winner is None:
        return _("all passed: the pool stays"), _("all passed")
    paid = [event for event in deal.events if isinstance(event, Paid) and event.source is source]
    by_seat: dict[int, list[str]] = {}
    if closed is not None and closed.winner is not None:
        by_seat[closed.winner] = [_(POOLS[closed.end]).format(pool=closed.pool)]
    for event in paid:
        seat, what = _paid_for(event)
        reasons = by_seat.setdefault(seat, [])
        if source is Source.HOCS or what not in reasons:
            reasons.append(what)
    if source is Source.HOCS:
        counts = {seat: len(reasons) // (deal.state.seats - 1) for seat, reasons in by_seat.items()}
        told = {seat: str(count) for seat, count in counts.items()}
        return _of_each(look, told), _by_column(look, counts, _("{counts} hocs"))
    told = {seat: enumerated(reasons) for seat, reasons in by_seat.items()}
    if source is Source.CARDS:
        left = {event.seat: len(deal.state.hands[event.seat]) for event in paid}
        return _of_each(look, told), _by_column(look, left, _("{counts} cards"))
    return _of_each(look, told), *_of_receiver(closed, paid, list(told.values()))


def _closes(event: object, source: Source) -> TypeGuard[StakeClosed]:
    return isinstance(event, StakeClosed) and STAKE_SOURCE[event.stake] is source


def _of_each(look: Look, told: dict[int, str]) -> str:
    return listed(labelled(look.name(seat), what) for seat, what in told.items())


def _by_column(look: Look, counts: dict[int, int], words: str) -> str:
    """The numbers of all seats in their order, which is that of the columns."""
    return words.format(counts=enumerated([str(counts.get(seat, 0)) for seat in range(len(look.names))]))


def _of_receiver(closed: StakeClosed | None, paid: list[Paid], told: list[str]) -> list[str]:
    """Where one seat gets all, which the figures show: what for; and then no more than its pool and what it is paid."""
    if len(told) != 1:
        return []
    if closed is None:
        return told
    got = sum(event.amount for event in paid)
    short = _("pool {pool}, paid {paid}") if got else _("pool {pool}")
    return [*told, short.format(pool=closed.pool, paid=got)]


def _paid_for(event: Paid) -> tuple[int, str]:
    """Under which seat the reason goes, and the reason."""
    if event.source is Source.CARDS:
        number = event.reason.partition(" ")[0]
        return event.seat, counted(int(number), "card") if number.isdecimal() else event.reason
    return event.seat if event.to is None else event.to, payment_reason(event.reason)


def _carry_notes(deal: FinishedDeal) -> tuple[str, ...]:
    """What the sums leave on the table, so that everything adds up to zero."""
    grown, total = sum(deal.outcome.carry_after) - sum(deal.state.carry_in), signed(sum(deal.outcome.net))
    if not grown:
        return (_("sum {sum}").format(sum=total),)
    notes = _("sum {sum}, pools {pools}"), _("{sum}, pools {pools}")
    return tuple(note.format(sum=total, pools=signed(grown)) for note in notes)


def _match_lines(look: Look, deal: FinishedDeal, cells: int) -> list[Line]:
    line = [Fragment("", "  " + pad(_(JETONS_NOW), _label_cells(look), look.glyphs.cut))]
    line += [Fragment("", f"{balance:>{cells - 1}} ") for balance in deal.outcome.balances]
    kept = sum(deal.outcome.carry_after)
    if kept:
        notes = _("{jetons} in the next pools").format(jetons=counted(kept, "jeton")), _("next pools {kept}")
        line.append(_note(look, line, *(note.format(kept=kept) for note in notes)))
    return [tuple(line), ()]


def _proof_lines(look: Look, deal: FinishedDeal) -> list[Line]:
    """The deal's fairness in one line, how in the next."""
    fair = _("The deal was proved fair and signed by all.")
    lines: list[Line] = [
        (
            Fragment("gain", f"  {look.glyphs.done} {fair}  "),
            Fragment("key", "o", "o"),
            Fragment("keys", " " + _("how"), "o"),
        )
    ]
    how = wrap(joined(proof_words(deal.proved)), look.cols - 6) if deal.proved else []
    return lines + [plain("    " + row, "dim") for row in how]


def _hand_lines(look: Look, deal: FinishedDeal) -> list[Line]:
    """Hands that were shown by choice."""
    lines: list[Line] = []
    for seat, cards in deal.shown:
        told = look.speaker.says(seat, N_("you had left"), N_("{name} had left"))
        lines.append((Fragment("dim", f"    {told}  "), *look.cards(tuple(sorted(cards)))))
    return lines


def _ready_lines(look: Look) -> list[Line]:
    """Who is ready for the next deal; where there is little room, by marks alone, and by the beginnings of names."""
    snapshot = look.snapshot
    if not snapshot.may_ready and all(info.ready for info in snapshot.seats):
        return []
    forms = [_marked(look, " " + p_("one fact of several", "ready")), _marked(look, "")]
    return [(), next((line for line in forms if line_width(line) <= look.cols), _marked(look, "", SHORT_NAME_CELLS))]


def _marked(look: Look, word: str, cells: int = MOST_NAME_CELLS) -> Line:
    line: list[Fragment] = [Fragment("dim", "  " + _("Next deal:") + "  ")]
    for info in look.snapshot.seats:
        mark = look.glyphs.done + word if info.ready else "..."
        name = clip(look.name(info.seat), cells, look.glyphs.cut)
        line += [Fragment(f"seat{info.seat}", name), Fragment("dim", f" {mark}   ")]
    *before, last = line
    return (*before, last._replace(text=last.text.rstrip()))


def end_body(look: Look) -> list[Line]:
    """The match is over: who won, a row for each deal."""
    snapshot = look.snapshot
    cells = _seat_cells(look)
    stopped = snapshot.stopped
    net = snapshot.net or tuple(
        sum(deal.outcome.net[seat] for deal in snapshot.finished) for seat in range(len(snapshot.seats))
    )
    lines: list[Line] = [look.section(_("The table stopped") if stopped else _("The match is over")), ()]
    if stopped:
        lines += [*_stopped_lines(look, stopped), ()]
    elif net:
        lines += [_verdict(look, net), ()]
    below = _sum_lines(look, cells)
    if snapshot.finished:
        lines += _deal_rows(look, cells, look.rows - len(lines) - len(below))
    return [*lines, *below][: look.rows]


def _sum_lines(look: Look, cells: int) -> list[Line]:
    """What all deals come to, and what came to it from the pools."""
    net, deals = look.snapshot.net, _sums(look)
    lines: list[Line] = []
    if look.snapshot.finished:
        lines += [_underline(look, cells), _figures(look, _(DEALS), deals, cells)]
    if net is not None and net != deals:
        shares = tuple(total - own for total, own in zip(net, deals, strict=True))
        lines.append(_figures(look, _(POOLS_DIVIDED), shares, cells))
    if net is not None:
        lines.append(_figures(look, _(MATCH), net, cells, _("sum {sum}").format(sum=signed(sum(net)))))
    return lines


def _stopped_lines(look: Look, stopped: TableStopped) -> list[Line]:
    """Why, as a sentence. Where it happened only where a seat broke the protocol and the sentence does not say it."""
    message = translate_error(clean(stopped.message, ascii=look.ascii))
    if stopped.seat is not None and stopped.step and stopped.step not in stopped.message:
        message += f" ({look.name(stopped.seat)}, {stopped.step})"
    rows = wrap(f"{capitalized(message)}.", look.cols - 4)
    return [plain("  " + row, "warn") for row in rows]


def _sums(look: Look) -> tuple[int, ...]:
    deals = look.snapshot.finished
    return tuple(sum(deal.outcome.net[seat] for deal in deals) for seat in range(len(look.names)))


def _verdict(look: Look, net: tuple[int, ...]) -> Line:
    best = max(net)
    winners = [seat for seat, amount in enumerate(net) if amount == best]
    if len(winners) == len(net):
        return plain("  " + _("Nobody has won: all are even."), "total")
    if len(winners) == 1:
        sentences = N_("you win the match with {sum}."), N_("{name} wins the match with {sum}.")
        told = look.speaker.says(winners[0], *sentences, sum=signed(best))
    else:
        names = joined([look.name(seat) for seat in winners])
        told = _("{names} win the match with {sum}.").format(names=names, sum=signed(best))
    return plain(f"  {capitalized(told)}", "gain total")


def _deal_rows(look: Look, cells: int, room: int) -> list[Line]:
    """The latest deals that fit."""
    deals = look.snapshot.finished
    shown = deals[-max(room - 1, 1) :]
    hidden = len(deals) - len(shown)
    notes = (
        n_("{count} earlier deal not shown", "{count} earlier deals not shown", hidden),
        n_("{count} earlier deal", "{count} earlier deals", hidden),
    )
    rows = [_names(look, cells, *(note.format(count=hidden) for note in notes if hidden))]
    for deal in shown:
        label = _("Deal {number}").format(number=deal.number)
        rows.append(_figures(look, label, deal.outcome.net, cells))
    return rows


def match_body(look: Look) -> list[Line]:
    """The match so far, as a page."""
    cells = _seat_cells(look)
    lines: list[Line] = [look.section(_("The match so far")), ()]
    if not look.snapshot.finished:
        return [*lines, plain("  " + _("No deal is over yet."), "dim")]
    lines += _deal_rows(look, cells, look.rows - 5)
    return [*lines, _underline(look, cells), _figures(look, _(SUM), _sums(look), cells)]
