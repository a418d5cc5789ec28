"""Before the cards: the lobby, the proposal, the draw for the dealer, the dealing."""

from __future__ import annotations

from hocp2p.game.house import Rules
from hocp2p.table.snapshot import CardDrawn, DealerChosen, DeckStep, SeatInfo, Stage, TalkSaid
from hocp2p.ui.cells import Fragment, Line, clean, pad, plain, wrap
from hocp2p.ui.look import Look
from hocp2p.ui.names import format_cards

DECK_STEPS = {"keys": "keys", "shuffle": "shuffles", "digest": "deck signed", "shares": "shares", "dealt": "dealt"}


def lobby_body(look: Look) -> list[Line]:
    """Who sits where, the rules of the table, talk; the way in while seats are free."""
    snapshot = look.snapshot
    lines: list[Line] = []
    if snapshot.stage is Stage.LOBBY:
        lines += _invite_lines(look)
    lines += _seat_lines(look)
    if snapshot.stage is Stage.DRAW:
        lines += _draw_lines(look)
    rules = _rules_lines(look)
    if len(lines) + len(rules) > look.rows:
        lines = [line for line in lines if line]
        rules = _rules_paragraph(look)
    lines += rules
    room = look.rows - len(lines)
    if room >= 3:
        lines += _talk_lines(look, room)
    return lines[: look.rows]


def _invite_lines(look: Look) -> list[Line]:
    snapshot = look.snapshot
    lines: list[Line] = [look.section("Invite" if snapshot.hosting else "Table")]
    told = f"hocp2p join {snapshot.address}" if snapshot.hosting else f"joined at {snapshot.address}"
    return [*lines, *(plain("  " + row) for row in wrap(clean(told, ascii=look.ascii), look.cols - 4)), ()]


def _seat_lines(look: Look) -> list[Line]:
    taken = sum(bool(info.name) for info in look.snapshot.seats)
    section = look.section("Seats", f"{taken} of {len(look.snapshot.seats)} seated")
    return [section, *(_seat_line(look, info) for info in look.snapshot.seats), ()]


def _seat_line(look: Look, info: SeatInfo) -> Line:
    glyphs = look.glyphs
    if not info.name:
        return plain(f"   {info.seat + 1}  waiting for a player", "dim")
    mark, style = (glyphs.done, "gain") if info.ready else (" ", "")
    line = [
        Fragment(style, f" {mark} {info.seat + 1}  "),
        Fragment("you" if info.seat == look.us else f"seat{info.seat}", pad(look.names[info.seat], 17, glyphs.cut)),
        Fragment("" if info.ready else "warn", pad("ready" if info.ready else "not ready", 11)),
    ]
    notes = [f"key {info.key}"] if info.key else []
    if info.seat == look.us:
        notes.insert(0, "you")
    if info.bot_level is not None:
        owner = f"{clean(info.owner, ascii=look.ascii)}'s " if info.owner else ""
        notes.insert(0, f"{owner}bot, level {info.bot_level}")
    if not info.present or info.away:
        notes.insert(0, "AWAY" if info.present else "GONE")
    return (*line, Fragment("dim", "   ".join(notes)))


def describe_rules(rules: Rules) -> list[str]:
    """The house rules in plain words, one a line."""
    double = {
        "per_stake": "a stake that all pass is doubled in the next deal",
        "all_three": "payments double only where all three stakes were passed",
        "never": "nothing is ever doubled",
    }[rules.double]
    return [
        f"{rules.deals} deals; ante 1 in each of three pools; raises of 1 to {rules.raise_cap}",
        "Point goes by the number of cards" if rules.point == "cards" else "Point goes by card points alone",
        double,
        "a winner is paid for every combination shown" if rules.lesser == "on" else "only the best combination is paid",
        f"a fortuitous hoc is {rules.fortuitous}; "
        + ("a called rank must be played" if rules.hold_back == "refused" else "holding a called rank back costs 5"),
        "whoever is ruined ends the match" if rules.ruin == "on" else "balances may go below zero",
    ]


def _rules_lines(look: Look) -> list[Line]:
    lines: list[Line] = [look.section("Rules of this table")]
    hocs = "K♠ K♥ K♦ K♣ Q♠ J♦" if not look.ascii else "KS KH KD KC QS JD"
    lines += [plain(f"   {look.glyphs.dot} {text}") for text in describe_rules(look.snapshot.rules)]
    return [*lines, (Fragment("", f"   {look.glyphs.dot} the six hocs: "), Fragment("hoc", hocs)), ()]


def _rules_paragraph(look: Look) -> list[Line]:
    """The same in fewer lines."""
    text = "; ".join(describe_rules(look.snapshot.rules)) + "."
    return [look.section("Rules of this table"), *(plain(f" {row}") for row in wrap(text, look.cols - 2))]


def _draw_lines(look: Look) -> list[Line]:
    drawn: dict[int, list[CardDrawn]] = {}
    for event in look.snapshot.events:
        if isinstance(event, CardDrawn):
            drawn.setdefault(event.seat, []).append(event)
    lines: list[Line] = [look.section("Draw for the first deal", "the lowest card deals")]
    for seat, cards in sorted(drawn.items()):
        text = format_cards([event.card for event in cards], ascii=look.ascii)
        dealer = any(isinstance(event, DealerChosen) and event.seat == seat for event in look.snapshot.events)
        lines.append(plain(f"   {look.names[seat]:<16} {text}{'   deals first' if dealer else ''}"))
    return [*lines, ()]


def dealing_body(look: Look) -> list[Line]:
    """The deck is being shuffled by everybody."""
    snapshot = look.snapshot
    lines = _draw_lines(look) if snapshot.deal <= 1 else []
    lines += [look.section(f"Deal {max(snapshot.deal, 1)}", "every seat shuffles, nobody sees")]
    done = [event for event in snapshot.events if isinstance(event, DeckStep) and event.number == snapshot.deal]
    for what, label in DECK_STEPS.items():
        seats = [event.seat for event in done if event.what == what and event.seat is not None]
        if any(event.what == what for event in done):
            who = ", ".join(look.names[seat] for seat in dict.fromkeys(seats))
            lines.append(
                (Fragment("gain", f"   {look.glyphs.done} "), Fragment("", pad(label, 14)), Fragment("dim", who))
            )
    lines += [(), plain(f"   {clean(snapshot.dealing, ascii=look.ascii)} {look.glyphs.cut}", "hint")]
    return lines[: look.rows]


def _talk_lines(look: Look, room: int) -> list[Line]:
    talk = [event for event in look.snapshot.events if isinstance(event, TalkSaid)]
    rows = [row for event in talk for row in wrap(look.tell(event), look.cols - 3, indent=2)]
    return [look.section("Talk", "/ to say something"), *(plain("  " + row) for row in rows[-(room - 1) :])]
