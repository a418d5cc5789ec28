"""Before the cards: the lobby, the proposal, the draw for the dealer, the dealing."""

from __future__ import annotations

from typing import Final

from hocp2p.game.cards import HOCS
from hocp2p.game.house import Rules
from hocp2p.table.events import CardDrawn, DealerChosen, DeckStep, TalkSaid
from hocp2p.table.snapshot import SeatInfo, Stage
from hocp2p.ui.bot_words import bot_notes
from hocp2p.ui.cells import Fragment, Line, clean, fitting, pad, plain, text_width, wrap
from hocp2p.ui.hosting import chosen_chair
from hocp2p.ui.lang import N_, _, n_, p_
from hocp2p.ui.look import Look
from hocp2p.ui.meeting import is_outside
from hocp2p.ui.names import Words, enumerated, format_cards, listed
from hocp2p.ui.parts.invite import LEAST_ROWS, invite_lines

NAME_CELLS: Final = 16
READY_CELLS: Final = 11
STEP_CELLS: Final = 14
BEFORE_NAME: Final = 6  # cells
GAP: Final = "   "  # between what is said of a seat
RULE_HOCS: Final = tuple(sorted(HOCS, key=lambda card: (-card.rank, card.suit)))

DECK_STEPS: Final = Words(
    {
        "keys": N_("keys"),
        "shuffle": N_("shuffles"),
        "digest": N_("deck signed"),
        "shares": N_("shares"),
        "dealt": N_("dealt"),
    }
)
"""What has been done for a deal, by the word of the table's events."""
_PRESENT: Final = Words(
    {
        "draw": N_("drawing for the first deal"),
        "keys": N_("choosing keys"),
        "digest": N_("signing the deck"),
        "shares": N_("opening the hands"),
        "receipts": N_("signing the deal"),
    }
)
"""What is being done, by the phrase of the snapshot."""


def lobby_body(look: Look, *, talk: bool = True) -> list[Line]:
    """Who sits where, the rules of the table, talk; the way in while seats are free.

    Args:
        talk: whether the talk is shown here; not where a panel beside shows it.
    """
    snapshot = look.snapshot
    lines: list[Line] = []
    if snapshot.parted and snapshot.stage in (Stage.LOBBY, Stage.READY):
        lines += _parted_lines(look)
    if snapshot.stage is Stage.LOBBY:
        lines += invite_lines(look, ways=2) if look.rows >= LEAST_ROWS or not snapshot.parted else []
    if is_outside(snapshot):
        return lines[: look.rows]
    lines += _seat_lines(look)
    if snapshot.stage is Stage.DRAW:
        lines += _draw_lines(look)
    rules = _rules_lines(look)
    if len(lines) + len(rules) > look.rows:
        lines = [line for line in lines if line]
        rules = _rules_paragraph(look)
    if snapshot.stage is Stage.READY and len(lines) + len(rules) > look.rows:  # they are to be read now
        lines = [line for line in _seat_lines(look) if line]
    if look.rows - len(lines) > 1:  # a heading alone says nothing
        lines += rules
    room = look.rows - len(lines)
    if talk and room >= 3:
        lines += _talk_lines(look, room)
    if room < 0:  # there is more to read than this window shows
        lines[look.rows - 1] = (*lines[look.rows - 1], Fragment("dim", f" {look.glyphs.cut}"))
    return lines[: look.rows]


def _parted_lines(look: Look) -> list[Line]:
    """What has happened to the table before."""
    told = _("A seat was lost. The session goes on from the balances that all have signed.")
    if look.snapshot.stage is Stage.LOBBY:
        told += " " + _("Its chair is to be filled.")
    rows = [plain("  " + row, "warn") for row in wrap(told, look.cols - 4)]
    if look.snapshot.may_resize:
        rows.append((Fragment("", "  "), Fragment("key", "2 ", "2"), Fragment("", _("go on between two"), "2")))
    return [look.section(_("Going on")), *rows, ()]


def _seat_lines(look: Look) -> list[Line]:
    taken = sum(bool(info.name) for info in look.snapshot.seats)
    note = _("{seated} of {seats} seated").format(seated=taken, seats=len(look.snapshot.seats))
    told = bot_notes(look.snapshot, look.local.pilot)
    rows = [row for each in told for row in wrap(each, look.cols - BEFORE_NAME - 1)]
    bots = [plain(" " * BEFORE_NAME + row, "note") for row in rows]
    return [look.section(_("Seats"), note), *(_seat_line(look, info) for info in look.snapshot.seats), *bots, ()]


def _seat_line(look: Look, info: SeatInfo) -> Line:
    glyphs = look.glyphs
    chosen = info.seat == chosen_chair(look.snapshot, look.local)
    pointer = Fragment("turn", glyphs.pointer if chosen else " ")
    if not info.name:
        return (pointer, Fragment("dim", f"  {info.seat + 1}  " + _("waiting for a player")))
    mark, style = (glyphs.done, "gain") if info.ready else (" ", "")
    ready, not_ready = p_("one fact of several", "ready"), p_("one fact of several", "not ready")
    cells = max(READY_CELLS, text_width(ready) + 2, text_width(not_ready) + 2)
    return (
        pointer,
        Fragment(style, f"{mark} {info.seat + 1}  "),
        Fragment("you" if info.seat == look.us else f"seat{info.seat}", pad(look.names[info.seat], 17, glyphs.cut)),
        Fragment("" if info.ready else "warn", pad(ready if info.ready else not_ready, cells)),
        Fragment("dim", _seat_notes(look, info, look.cols - BEFORE_NAME - NAME_CELLS - cells)),
    )


def _seat_notes(look: Look, info: SeatInfo, room: int) -> str:
    """What else there is to say of who sits there, the most important first, and no more than has room."""
    notes: list[str] = []
    if not info.present:
        notes.append(_("GONE"))
    elif info.away or not info.linked:
        notes.append((_("AWAY") + " " + look.time_away(info.seat)).rstrip())
    if info.bot_level is not None:
        owner = clean(info.owner or "", ascii=look.ascii)
        told = (_("{owner}'s bot, level {level}"),) if owner else ()
        forms = [form.format(owner=owner, level=info.bot_level) for form in (*told, _("bot, level {level}"))]
        notes.append(fitting(room, *forms))
    if info.seat == look.us:
        notes.append(p_("one fact of several", "you"))
    if info.key:
        notes.append(_("key {key}").format(key=info.key))
    shown = notes[:1]
    for note in notes[1:]:
        if text_width(GAP.join([*shown, note])) > room:
            break
        shown.append(note)
    return GAP.join(shown)


def describe_rules(rules: Rules) -> list[str]:
    """The house rules in plain words, one a line."""
    deals = n_(
        "{count} deal; ante 1 in each of three pools; raises of 1 to {most}",
        "{count} deals; ante 1 in each of three pools; raises of 1 to {most}",
        rules.deals,
    )
    return [
        deals.format(count=rules.deals, most=rules.raise_cap),
        _RULES["point", rules.point],
        _RULES["double", rules.double],
        _RULES["lesser", rules.lesser],
        listed((_RULES["fortuitous", rules.fortuitous], _RULES["hold_back", rules.hold_back])),
        _RULES["ruin", rules.ruin],
    ]


def describe_rule(rules: Rules, name: str) -> str:
    """One of the house rules in plain words, by its name in ``Rules``."""
    if name == "deals":
        return n_("{count} deal", "{count} deals", rules.deals).format(count=rules.deals)
    if name == "raise_cap":
        return _("raises of 1 to {most}").format(most=rules.raise_cap)
    return _RULES[name, getattr(rules, name)]


_RULES: Final = Words(
    {
        ("point", "cards"): N_("Point goes by the number of cards"),
        ("point", "pips"): N_("Point goes by card points alone"),
        ("double", "per_stake"): N_("a stake that all pass is doubled in the next deal"),
        ("double", "all_three"): N_("payments double only where all three stakes were passed"),
        ("double", "never"): N_("nothing is ever doubled"),
        ("lesser", "on"): N_("a winner is paid for every combination shown"),
        ("lesser", "off"): N_("only the best combination is paid"),
        ("fortuitous", "paid"): N_("a fortuitous hoc is paid"),
        ("fortuitous", "unpaid"): N_("a fortuitous hoc is unpaid"),
        ("hold_back", "refused"): N_("a called rank must be played"),
        ("hold_back", "fined"): N_("holding a called rank back costs 5"),
        ("ruin", "on"): N_("whoever is ruined ends the match"),
        ("ruin", "off"): N_("balances may go below zero"),
    }
)
"""By house rule and setting."""


def _rules_lines(look: Look) -> list[Line]:
    dot = look.glyphs.dot
    rows = [
        row for text in describe_rules(look.snapshot.rules) for row in wrap(f"{dot} {text}", look.cols - 4, indent=2)
    ]
    rules = [plain(f"   {row}") for row in rows]
    hocs = Fragment("hoc", format_cards(RULE_HOCS, ascii=look.ascii))
    label = Fragment("", f"   {dot} " + _("the six hocs:") + " ")
    return [look.section(_("Rules of this table")), *rules, (label, hocs), ()]


def _rules_paragraph(look: Look) -> list[Line]:
    """The same in fewer lines."""
    text = listed(describe_rules(look.snapshot.rules)) + "."
    return [look.section(_("Rules of this table")), *(plain(f" {row}") for row in wrap(text, look.cols - 2))]


def _draw_lines(look: Look) -> list[Line]:
    drawn: dict[int, list[CardDrawn]] = {}
    for event in look.match_events:
        if isinstance(event, CardDrawn):
            drawn.setdefault(event.seat, []).append(event)
    lines: list[Line] = [look.section(_("Draw for the first deal"), _("the lowest card deals"))]
    for seat, cards in sorted(drawn.items()):
        text = format_cards([event.card for event in cards], ascii=look.ascii)
        dealer = any(isinstance(event, DealerChosen) and event.seat == seat for event in look.match_events)
        told = f"   {pad(look.names[seat], NAME_CELLS)} {text}"
        lines.append(plain(told + "   " + _("deals first") if dealer else told))
    return [*lines, ()]


def dealing_body(look: Look) -> list[Line]:
    """The deck is being shuffled by everybody."""
    snapshot = look.snapshot
    lines = _draw_lines(look) if snapshot.deal <= 1 else []
    heading = _("Deal {number}").format(number=max(snapshot.deal, 1))
    lines += [look.section(heading, _("every seat shuffles, nobody sees"))]
    cells = max(STEP_CELLS, *(text_width(label) + 2 for label in DECK_STEPS.values()))
    done = [event for event in look.match_events if isinstance(event, DeckStep) and event.number == snapshot.deal]
    for what, label in DECK_STEPS.items():
        seats = [event.seat for event in done if event.what == what and event.seat is not None]
        if any(event.what == what for event in done):
            who = enumerated([look.names[seat] for seat in dict.fromkeys(seats)])
            lines.append(
                (Fragment("gain", f"   {look.glyphs.done} "), Fragment("", pad(label, cells)), Fragment("dim", who))
            )
    if doing := _dealing(look):
        lines += [(), plain(f"   {doing} {look.glyphs.cut}", "hint")]
    return lines[: look.rows]


def _dealing(look: Look) -> str:
    """What is being done; the table says it in English. Empty between two steps."""
    phrase = look.snapshot.dealing
    name = phrase.removesuffix(" shuffles")
    if name != phrase:
        return _("{name} shuffles").format(name=clean(name, ascii=look.ascii))
    return _PRESENT.get(phrase, clean(phrase, ascii=look.ascii))


def _talk_lines(look: Look, room: int) -> list[Line]:
    talk = [event for event in look.snapshot.events if isinstance(event, TalkSaid)]
    rows = [row for event in talk for row in wrap(look.tell(event), look.cols - 3, indent=2)]
    return [look.section(_("Talk"), _("/ to say something")), *(plain("  " + row) for row in rows[-(room - 1) :])]
