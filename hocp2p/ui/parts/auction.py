"""The three stakes: who has put in what, who spoke how, and what we may say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hocp2p.game.actions import CLASSES, Action, Claim, Declare, Raise, Stake, Stay
from hocp2p.game.events import Announced, BlancheClaimed, Called, FalselyAnnounced, StakeClosed, StakeEnd
from hocp2p.game.state import AuctionState, DealState, Phase, SeatView
from hocp2p.ui.cells import Fragment, Line, fitting, line_width, pad, plain, text_width
from hocp2p.ui.choices import Choice, allowed_classes, choices, selection
from hocp2p.ui.lang import _, n_
from hocp2p.ui.look import Look, play_rank
from hocp2p.ui.names import CLASS_NAMES, STAKE_NAMES, capitalized, class_of, describe_claim, enumerated, format_cards
from hocp2p.ui.parts.hand import combination_lines, hand_lines, hand_section
from hocp2p.ui.parts.seats import known_cards, standing
from hocp2p.ui.words import describe_action


def auction_body(look: Look) -> list[Line]:
    """The whole body of auctions, showdowns and carte blanche."""
    view = look.view
    if view is None:
        return []
    said = choice_lines(look)
    for big, airy, shown in ((True, True, True), (True, False, True), (True, False, False), (False, False, False)):
        above = stake_lines(look, view, shown=shown)
        hand = [hand_section(look), *hand_lines(look, big=big), *combination_lines(look)]
        below = [*hand, *([()] if airy else []), *said]
        spare = look.rows - len(above) - len(below)
        if spare >= 0:
            return above + [()] * spare + below
    return _squeezed(look, above, below, len(said))


def _squeezed(look: Look, above: list[Line], below: list[Line], said: int) -> list[Line]:
    """Too little room: the lines of what may be said stay."""
    keep = below[len(below) - said :]
    return [*(above + below[: len(below) - said])[: max(look.rows - len(keep), 0)], *keep][: look.rows]


def stake_lines(look: Look, view: SeatView, *, shown: bool) -> list[Line]:
    """The table of stakes: a row for each seat and one for the pools."""
    state = view.state
    asleep = 52 - sum(map(len, state.dealt))
    widths = _widths(look)
    note = n_("play goes right, {count} card asleep", "play goes right, {count} cards asleep", asleep)
    lines = [look.section(_("Stakes"), note.format(count=asleep)), _head(state, widths)]
    words = _last_words(look, state)
    lines += [_seat_row(look, state, seat, widths, words.get(seat, ())) for seat in state.turn_order]
    lines.append(_pools_row(look, state, widths))
    if shown:
        lines += _shown_lines(look, view)
    return lines


def _widths(look: Look) -> tuple[int, int, int]:
    """Cells of names, of jetons, of each stake."""
    return (16, 8, 10) if look.cols >= 76 else (11, 7, 9)


def _head(state: DealState, widths: tuple[int, int, int]) -> Line:
    names, jetons = pad("   " + _("seat"), widths[0] + 3), pad(_("jetons"), widths[1] - 1, right=True)
    line = [Fragment("dim", f"{names}{jetons} ")]
    for stake in Stake:
        style = "current" if stake is state.stake else "dim"
        line.append(Fragment(style, pad(STAKE_NAMES[stake], widths[2] - 1, right=True) + " "))
    return (*line, Fragment("dim", "  " + _("last word")))


def _pools_row(look: Look, state: DealState, widths: tuple[int, int, int]) -> Line:
    """What lies in each pool; ``x2`` where payments are doubled: Point has none but its pool."""
    doubled = state.doubled - {Stake.POINT}
    line = [Fragment("dim", pad("   " + _("pools"), widths[0] + 3 + widths[1]))]
    for stake in Stake:
        times = "x2 " if stake in doubled else ""
        line.append(Fragment("", pad(f"{times}{state.pools[stake]}", widths[2] - 1, right=True) + " "))
    room = look.cols - line_width(line) - 2
    told = fitting(room, _("x2: payments doubled"), _("doubled")) if doubled else ""
    return (*line, Fragment("dim", f"  {told}"))


def _seat_row(look: Look, state: DealState, seat: int, widths: tuple[int, int, int], words: Sequence[str]) -> Line:
    turn = state.turn == seat
    name = look.names[seat]
    if seat == look.us and widths[0] > 12:
        name = _("{name} (you)").format(name=name)
    # Translators: left out where it has no room: sixteen cells with the name and "(you)"
    dealing = _("{name} dealer").format(name=name)
    if seat == state.dealer and text_width(dealing) <= widths[0]:
        name = dealing
    style = f"seat{seat}" if seat != look.us else "you"
    line = [
        Fragment("turn", f" {look.glyphs.pointer} " if turn else "   "),
        Fragment(style, pad(name, widths[0], look.glyphs.cut)),
        Fragment("", f"{state.balances[seat]:>{widths[1] - 1}} "),
    ]
    ends = _ends(look)
    for stake in Stake:
        text, cell_style = _stake_cell(state, stake, seat, ends.get(stake), widths[2] - 1)
        line.append(Fragment(cell_style, pad(text, widths[2] - 1, right=True) + " "))
    word = fitting(look.cols - line_width(line) - 2, *words) if words else ""
    said = standing(look, seat) or word or ("..." if turn else "-")
    return (*line, Fragment("turn" if said == "..." else "", f"  {said}"))


def _ends(look: Look) -> dict[Stake, StakeClosed]:
    """How the stakes of this deal ended so far."""
    return {event.stake: event for event in look.deal_events if isinstance(event, StakeClosed)}


def _stake_cell(state: DealState, stake: Stake, seat: int, end: StakeClosed | None, cells: int) -> tuple[str, str]:
    """What a seat has in a stake, ante included, and its style."""
    auction = _auction_for(state, stake)
    put_in = 1 + (auction.paid[seat] if auction is not None else 0)
    if end is not None and end.winner == seat:
        # Translators: eight cells with the number; where it is longer, the number stands alone
        return fitting(cells, _("wins {jetons}").format(jetons=end.pool), f"+{end.pool}"), "gain"
    if end is not None and end.end is StakeEnd.PASSED:
        # Translators: eight cells with the number; where it is longer, the number stands alone
        return fitting(cells, _("passed {jetons}").format(jetons=put_in), str(put_in)), "dim"
    if end is None and auction is not None and auction.out[seat]:
        # Translators: eight cells with the number; where it is longer, the number stands alone
        return fitting(cells, _("good {jetons}").format(jetons=put_in), str(put_in)), "dim"
    return str(put_in), "current" if end is None and stake is state.stake else "dim"


def _auction_for(state: DealState, stake: Stake) -> AuctionState | None:
    if state.auction is not None and state.auction.stake is stake:
        return state.auction
    return next((auction for auction in state.auctions if auction.stake is stake), None)


def _last_words(look: Look, state: DealState) -> dict[int, tuple[str, ...]]:
    """By seat, what it said last about the stake being decided, and the same in less room; in carte blanche, about
    that.
    """
    words: dict[int, tuple[str, ...]] = {}
    for event in look.deal_events:
        match event:
            case BlancheClaimed(seat):
                words[seat] = (_("carte blanche"), "+10")
            case Called(seat, stake, action, _, _) if stake is state.stake:
                words[seat] = (describe_action(action), _brief_call(action))
            case Announced(seat, stake, None) if stake is state.stake:
                words[seat] = (_("good"),)
            case Announced(seat, stake, claim) if stake is state.stake and claim is not None:
                words[seat] = (describe_claim(stake, claim), _brief_claim(stake, claim))
            case FalselyAnnounced(seat, stake) if stake is state.stake:
                words[seat] = (_("false: fined 5"), "-5")
            case _:
                pass
    if state.phase is Phase.BLANCHE:
        words |= {seat: (_("go on"),) for seat, said in enumerate(state.blanche) if said is False}
    return words


def _brief_call(action: Action) -> str:
    """``+2 tierce``, or ``tierce`` for a call that adds nothing to the level."""
    announced = action.announced if isinstance(action, Declare | Raise | Stay) else None
    parts = [f"+{action.by}"] if isinstance(action, Raise) else []
    parts += [CLASS_NAMES[announced]] if announced is not None else []
    return " ".join(parts) or describe_action(action)


def _brief_claim(stake: Stake, claim: Claim) -> str:
    """``4/32``, ``quart 9``, ``brelan K``."""
    if stake is Stake.POINT:
        return f"{claim.first}/{claim.second}"
    return f"{CLASS_NAMES[class_of(stake, claim)]} {play_rank(claim.second)}"


def _shown_lines(look: Look, view: SeatView) -> list[Line]:
    """Cards that everybody has seen: of the others, then ours."""
    lines: list[Line] = []
    for seat in view.state.turn_order:
        known = known_cards(view, seat)
        if known and seat != view.seat:
            told = _("{name} has shown").format(name=look.names[seat])
            lines.append((Fragment("dim", f"   {told}  "), *look.cards(known)))
    ours = known_cards(view, view.seat)
    if ours:
        shown = format_cards(ours, ascii=look.ascii)
        lines.append((Fragment("dim", "   " + _("you have shown") + "  "), Fragment("", shown)))
    return lines


def choice_lines(look: Look) -> list[Line]:
    """What may be said, with what the chosen one means; two lines at least, so that the hand stays in its place."""
    view = look.view
    offered = choices(look.snapshot, look.local, ascii=look.ascii)
    if view is None or not offered:
        return [(), ()]
    if view.state.phase is Phase.AUCTION:
        return [_buttons(look, offered), _button_note(look, view)]
    chosen = selection(look.snapshot, look.local).choice
    lines = [_listed(look, choice, chosen is not None and choice.key == chosen.key) for choice in offered[:6]]
    return lines if len(lines) > 1 else [(), *lines]


def _buttons(look: Look, offered: tuple[Choice, ...]) -> Line:
    """The calls in one line; where they are too long for it, less around them."""
    gap = "  " if look.cols >= 76 else ""
    line = _button_line(look, offered, gap, ("[ ", " ]"))
    if line_width(line) > look.cols:
        line = _button_line(look, offered, "", ("[", "]"))
    if line_width(line) > look.cols:
        line = line[1:]  # without what it is indented by
    if line_width(line) > look.cols:  # the class stands below, too
        line = _button_line(look, tuple(replace(choice, button=choice.brief) for choice in offered), "", ("[ ", " ]"))
    return line


def _button_line(look: Look, offered: tuple[Choice, ...], gap: str, frame: tuple[str, str]) -> Line:
    chosen = selection(look.snapshot, look.local).choice
    line: list[Fragment] = [Fragment("", "  ")]
    for choice in offered:
        on = chosen is not None and choice.key == chosen.key
        label = choice.button or choice.label
        left, right = (look.glyphs.pointer, "<" if look.ascii else "◂") if on else (" ", " ")
        line += [
            Fragment("key", choice.key, _click(choice, on)),
            Fragment("picked" if on else "button", f"{left}{frame[0]}{label}{frame[1]}{right}", _click(choice, on)),
            Fragment("", gap),
        ]
    return tuple(line)


def _click(choice: Choice, on: bool) -> str:
    """A click chooses; a click on what is chosen already says it."""
    return "enter" if on else choice.key


def _button_note(look: Look, view: SeatView) -> Line:
    chosen = selection(look.snapshot, look.local).choice
    if chosen is None:
        auction = view.state.auction
        level = auction.level if auction is not None and auction.opened else None
        if level is None:
            return plain("  " + _("Nobody has opened yet. Nothing is sent before Enter."), "hint")
        return plain("  " + _("The level is {level}. Nothing is sent before Enter.").format(level=level), "hint")
    more = ""
    if view.state.stake is not None and CLASSES[view.state.stake]:
        kind = type(chosen.action)
        if kind in (Declare, Raise, Stay) and len(allowed_classes(look.snapshot.legal, kind)) > 1:
            names = [CLASS_NAMES[one] for one in allowed_classes(look.snapshot.legal, kind) if one is not None]
            more = _("c: {classes}").format(classes=enumerated(names))
    told = _("{call}: {note}.").format(call=chosen.label, note=chosen.note)
    note = f"{capitalized(chosen.note)}."  # the call itself stands above
    forms = ((told, more), (note, more), (told, ""), (note, ""))
    told, more = next((form for form in forms if text_width("  ".join(form)) <= look.cols - 2), forms[-1])
    return (Fragment("hint", "  " + told), Fragment("dim", f"  {more}"))


def _listed(look: Look, choice: Choice, on: bool) -> Line:
    pointer = look.glyphs.pointer if on else " "
    return (
        Fragment("picked" if on else "button", f" {pointer} {choice.key}  {choice.label} ", _click(choice, on)),
        Fragment("", f"  {choice.note}"),
    )
