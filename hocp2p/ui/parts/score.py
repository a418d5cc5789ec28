"""The score sheet of a deal and the end of the match."""

from __future__ import annotations

from hocp2p.game.events import Paid, Source, StakeClosed, StakeEnd
from hocp2p.game.payments import STAKE_SOURCE
from hocp2p.table.snapshot import FinishedDeal, TableStopped
from hocp2p.ui.cells import Fragment, Line, clean, pad, plain, wrap
from hocp2p.ui.lang import _
from hocp2p.ui.look import Look
from hocp2p.ui.names import SOURCE_NAMES, counted, joined, signed

LABEL_CELLS = 15


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
    winner = deal.state.winner
    out = f"{look.name(winner)} {'are' if winner == look.us else 'is'} out" if winner is not None else "nobody is out"
    lines = [look.section(f"Deal {deal.number}: the score", out), _names(look, cells, "")]
    for source in sources:
        by_seat = deal.outcome.pay[source.value]
        lines.append(_figures(look, SOURCE_NAMES[source], by_seat, cells, _reasons(look, deal, source)))
    total = _figures(look, "This deal", deal.outcome.net, cells, _carry_note(deal))
    lines += [_underline(look, cells), tuple(fragment._replace(style=f"{fragment.style} total") for fragment in total)]
    lines += [*_match_lines(deal, cells), *_proof_lines(look, deal), *_hand_lines(look, deal), *_ready_lines(look)]
    return lines


def _seat_cells(look: Look) -> int:
    return 10 if look.cols >= 76 else 8


def _names(look: Look, cells: int, rest: str) -> Line:
    line = [Fragment("", " " * (LABEL_CELLS + 2))]
    for seat in range(len(look.names)):
        style = "you" if seat == look.us else f"seat{seat}"
        line.append(Fragment(style, pad(look.name(seat), cells - 1, look.glyphs.cut, right=True) + " "))
    return (*line, Fragment("dim", rest))


def _figures(look: Look, label: str, by_seat: tuple[int, ...], cells: int, reason: str) -> Line:
    nothing = not any(by_seat)
    line = [Fragment("dim" if nothing else "", "  " + pad(label, LABEL_CELLS, look.glyphs.cut))]
    for amount in by_seat:
        style = "gain" if amount > 0 else "loss" if amount < 0 else "dim"
        line.append(Fragment(style, pad(signed(amount) if amount else look.glyphs.dot, cells - 1, right=True) + " "))
    return (*line, Fragment("dim", f"  {reason}"))


def _underline(look: Look, cells: int) -> Line:
    return plain("  " + look.glyphs.rule * (LABEL_CELLS + cells * len(look.names) - 1), "rule")


def _reasons(look: Look, deal: FinishedDeal, source: Source) -> str:
    """What made the figures of a line, shortly, the receiver first: ``Bruno: pool of 13, quart``."""
    by_seat: dict[str, list[str]] = {}
    for event in deal.events:
        if isinstance(event, StakeClosed) and STAKE_SOURCE[event.stake] is source:
            if event.winner is None:
                return "all passed: the pool stays"
            how = {StakeEnd.ALONE: " alone", StakeEnd.NOTHING: " by position"}.get(event.end, "")
            by_seat[look.name(event.winner)] = [f"pool of {event.pool}{how}"]
        elif isinstance(event, Paid) and event.source is source:
            who, what = _paid_for(look, event)
            reasons = by_seat.setdefault(who, [])
            if source is Source.HOCS or what not in reasons:
                reasons.append(what)
    if source is Source.HOCS:
        others = deal.state.seats - 1
        return ", ".join(f"{who} {len(reasons) // others}" for who, reasons in by_seat.items())
    return "; ".join(f"{who}: {', '.join(reasons)}" for who, reasons in by_seat.items())


def _paid_for(look: Look, event: Paid) -> tuple[str, str]:
    """Whose name the reason goes under, and the reason."""
    if event.source is Source.CARDS:
        return look.name(event.seat), event.reason.removesuffix(" left")
    return look.name(event.seat if event.to is None else event.to), event.reason


def _carry_note(deal: FinishedDeal) -> str:
    """What the sums leave on the table, so that everything adds up to zero."""
    grown = sum(deal.outcome.carry_after) - sum(deal.state.carry_in)
    return f"sum {signed(sum(deal.outcome.net))}" + (f", pools {signed(grown)}" if grown else "")


def _match_lines(deal: FinishedDeal, cells: int) -> list[Line]:
    line = [Fragment("", "  " + pad("Jetons now", LABEL_CELLS))]
    line += [Fragment("", f"{balance:>{cells - 1}} ") for balance in deal.outcome.balances]
    kept = sum(deal.outcome.carry_after)
    note = f"  {counted(kept, 'jeton')} in the next pools" if kept else ""
    return [(*line, Fragment("dim", note)), ()]


def _proof_lines(look: Look, deal: FinishedDeal) -> list[Line]:
    """The deal's fairness in one line, how in the next."""
    fair = _("The deal was proved fair and signed by all.")
    lines: list[Line] = [
        (
            Fragment("gain", f"  {look.glyphs.done} {fair}  "),
            Fragment("key", "o", "o"),
            Fragment("keys", f" {_('how')}", "o"),
        )
    ]
    how = wrap(joined(deal.proved), look.cols - 6) if deal.proved else []
    return lines + [plain("    " + row, "dim") for row in how]


def _hand_lines(look: Look, deal: FinishedDeal) -> list[Line]:
    """Hands that were shown by choice."""
    return [
        (Fragment("dim", f"    {look.name(seat)} had left  "), *look.cards(tuple(sorted(cards))))
        for seat, cards in deal.shown
    ]


def _ready_lines(look: Look) -> list[Line]:
    """Who is ready for the next deal."""
    snapshot = look.snapshot
    if not snapshot.may_ready and all(info.ready for info in snapshot.seats):
        return []
    line: list[Fragment] = [Fragment("dim", "  Next deal:  ")]
    for info in snapshot.seats:
        word = f"{look.glyphs.done} ready" if info.ready else "..."
        line += [Fragment(f"seat{info.seat}", look.name(info.seat)), Fragment("dim", f" {word}   ")]
    return [(), tuple(line)]


def end_body(look: Look) -> list[Line]:
    """The match is over: who won, a row for each deal."""
    snapshot = look.snapshot
    cells = _seat_cells(look)
    stopped = snapshot.stopped
    net = snapshot.net or tuple(
        sum(deal.outcome.net[seat] for deal in snapshot.finished) for seat in range(len(snapshot.seats))
    )
    lines: list[Line] = [look.section("The table stopped" if stopped else "The match is over"), ()]
    if stopped:
        lines += [*_stopped_lines(look, stopped), ()]
    elif net:
        lines += [_verdict(look, net), ()]
    if snapshot.finished:
        lines += _deal_rows(look, cells, look.rows - len(lines) - 4)
        lines += [_underline(look, cells), _figures(look, "Deals", _sums(look), cells, "")]
    if snapshot.net is not None and snapshot.net != _sums(look):
        shares = tuple(total - own for total, own in zip(snapshot.net, _sums(look), strict=True))
        lines.append(_figures(look, "Pools divided", shares, cells, ""))
    if snapshot.net is not None:
        lines.append(_figures(look, "Match", snapshot.net, cells, f"sum {signed(sum(snapshot.net))}"))
    return lines[: look.rows]


def _stopped_lines(look: Look, stopped: TableStopped) -> list[Line]:
    """Why, as a sentence. Where it happened only where a seat broke the protocol and the sentence does not say it."""
    message = clean(stopped.message, ascii=look.ascii)
    if stopped.seat is not None and stopped.step and stopped.step not in message:
        message += f" ({look.name(stopped.seat)}, {stopped.step})"
    rows = wrap(f"{message[0].upper()}{message[1:]}.", look.cols - 4)
    return [plain("  " + row, "warn") for row in rows]


def _sums(look: Look) -> tuple[int, ...]:
    deals = look.snapshot.finished
    return tuple(sum(deal.outcome.net[seat] for deal in deals) for seat in range(len(look.names)))


def _verdict(look: Look, net: tuple[int, ...]) -> Line:
    best = max(net)
    winners = [seat for seat, amount in enumerate(net) if amount == best]
    if len(winners) == len(net):
        return plain("  Nobody has won: all are even.", "total")
    who = joined([look.name(seat) for seat in winners])
    verb = "win" if look.us in winners or len(winners) > 1 else "wins"
    return plain(f"  {who[0].upper()}{who[1:]} {verb} the match with {signed(best)}.", "gain total")


def _deal_rows(look: Look, cells: int, room: int) -> list[Line]:
    """The latest deals that fit."""
    deals = look.snapshot.finished
    shown = deals[-max(room - 1, 1) :]
    rows = [
        _names(look, cells, f"  {len(deals) - len(shown)} earlier deals not shown" if len(shown) < len(deals) else "")
    ]
    rows += [_figures(look, f"Deal {deal.number}", deal.outcome.net, cells, "") for deal in shown]
    return rows


def match_body(look: Look) -> list[Line]:
    """The match so far, as a page."""
    cells = _seat_cells(look)
    lines: list[Line] = [look.section("The match so far"), ()]
    if not look.snapshot.finished:
        return [*lines, plain("  No deal is over yet.", "dim")]
    lines += _deal_rows(look, cells, look.rows - 5)
    return [*lines, _underline(look, cells), _figures(look, "Sum", _sums(look), cells, "")]
