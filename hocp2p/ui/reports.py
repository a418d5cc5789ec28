"""What the line mode tells when asked, and what it says when it is our turn: lines of text from a snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action, Declare, Play, Raise, Stay
from hocp2p.game.cards import Card, format_rank
from hocp2p.game.state import Phase, SeatView
from hocp2p.table.snapshot import SeatInfo, Stage, TableSnapshot
from hocp2p.ui.bot_words import bot_notes
from hocp2p.ui.clocks import time_left
from hocp2p.ui.commands import ACTION_HELP, HELP, OTHER_HELP, format_words
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.hands import grouped
from hocp2p.ui.lang import _, n_, p_
from hocp2p.ui.local import Sort
from hocp2p.ui.meeting import join_command
from hocp2p.ui.names import (
    PHASE_NAMES,
    SOURCE_NAMES,
    STAKE_NAMES,
    enumerated,
    format_cards,
    labelled,
    rank_word,
    seat_names,
    seat_word,
    signed,
)
from hocp2p.ui.proof_words import proof_words


def report(
    what: str,
    argument: str,
    snapshot: TableSnapshot,
    *,
    ascii: bool,  # noqa: A002 - the option's name for people
    now_s: float | None = None,
    pilot: str | None = None,
) -> list[str]:
    """What is told when a command asks for it.

    Args:
        what: the command; all of ``commands.REPORTS`` but those that look back at lines told.
        argument: of ``help`` and ``hand``.
        snapshot: the table.
        ascii: letters for suits.
        now_s: on the clock of ``snapshot.clock``; None: no time is told.
        pilot: level of the bot that plays our seat; None where none does.

    Raises:
        LocalError: ``bad-command``, an order of the hand that there is not.
    """
    match what:
        case "hand":
            return hand_lines(snapshot, _sort(argument), ascii=ascii)
        case "run":
            return run_lines(snapshot, ascii=ascii)
        case "seats":
            return seat_lines(snapshot, now_s, pilot)
        case "scores":
            return score_lines(snapshot)
        case "proofs":
            return proof_lines(snapshot)
        case "invite":
            return invite_lines(snapshot)
        case "rules":
            return rules_lines(snapshot, pilot)
        case "legal":
            return [legal_line(snapshot)]
        case _:
            return help_lines(argument)


def proof_lines(snapshot: TableSnapshot) -> list[str]:
    """What was proved in this deal so far, and in the last one."""
    last = snapshot.finished[-1] if snapshot.finished else None
    lines: list[str] = []
    if last is not None:
        line = _("deal {number} was proved fair: {proofs}")
        lines.append(line.format(number=last.number, proofs=enumerated(proof_words(last.proved))))
    if snapshot.proved and (last is None or last.number != snapshot.deal):
        line = _("deal {number}, proved so far: {proofs}")
        lines.append(line.format(number=snapshot.deal, proofs=enumerated(proof_words(snapshot.proved))))
    return lines or [_("proofs: no cards are dealt yet")]


def invite_lines(snapshot: TableSnapshot) -> list[str]:
    """How others come to the table: what they type, then each way by itself."""
    command = join_command(snapshot)
    lines = [_("others: {command}").format(command=command)] if command else []
    for way in snapshot.ways:
        told = enumerated([part for part in (way.address, translate_error(way.note)) if part])
        lines.append(_("way {kind}: {told}").format(kind=way.kind, told=told))
    if lines and snapshot.our_seat is not None:
        lines.append(_("key {key}").format(key=snapshot.seats[snapshot.our_seat].key))
    return lines or [_("nobody can come to this table from elsewhere")]


def rules_lines(snapshot: TableSnapshot, pilot: str | None = None) -> list[str]:
    """All house rules of the table in one line; in another what they take from its bots."""
    rules = ", ".join(f"{name} {value}" for name, value in snapshot.rules.to_dict().items())
    return [_("rules {rules}").format(rules=rules), *bot_notes(snapshot, pilot)]


def turn_line(snapshot: TableSnapshot) -> str:
    """``turn you, wants 3. legal: play 3d | hoc jd as 3``"""
    view = snapshot.view
    turn = _("turn you, {situation}").format(situation=_situation(view)) if view else _("turn you")
    return f"{turn}. {legal_line(snapshot)}"


def legal_line(snapshot: TableSnapshot) -> str:
    """What we may do now, as it can be typed; a slash stands between words of which one is to be chosen."""
    if snapshot.legal and snapshot.view:
        return _("legal: {commands}").format(commands=" | ".join(_legal(snapshot.view, snapshot.legal)))
    if snapshot.may_ready:
        return _("legal: {commands}").format(commands="ready")
    if snapshot.may_again:
        return _("legal: {commands}").format(commands="again")
    if snapshot.view and snapshot.view.state.turn is not None:
        name = seat_names(snapshot)[snapshot.view.state.turn]
        return _("nothing to do: it is the turn of {name}").format(name=name)
    return _("nothing to do now")


def _sort(text: str) -> Sort:
    """An order of the hand by its name; empty: by suit."""
    choices = [sort.value for sort in Sort]
    name = text.lower() or Sort.SUIT.value
    if name not in choices:
        told = _("{name} is one of these: {choices}").format(name="hand", choices=enumerated(choices))
        raise LocalError("bad-command", told)
    return Sort(name)


def hand_lines(snapshot: TableSnapshot, sort: Sort = Sort.SUIT, *, ascii: bool) -> list[str]:  # noqa: A002 - as above
    """Our cards in groups; the hocs among them."""
    if snapshot.view is None or not snapshot.view.hand:
        return [_("hand: no cards")]
    hand = grouped(snapshot.view.hand, sort)
    groups = "   ".join(format_cards(group, ascii=ascii) for group in hand)
    hocs = [card for group in hand for card in group if card.is_hoc]
    count = len(snapshot.view.hand)
    if hocs:
        line = n_("hand {count} cards: {cards}. hocs: {hocs}", "hand {count} cards: {cards}. hocs: {hocs}", count)
    else:
        line = n_("hand {count} cards: {cards}", "hand {count} cards: {cards}", count)
    return [line.format(count=count, cards=groups, hocs=format_cards(hocs, ascii=ascii))]


def run_lines(snapshot: TableSnapshot, *, ascii: bool) -> list[str]:  # noqa: A002 - as above
    """The open run and the rank that it wants."""
    play = snapshot.view.state.play if snapshot.view else None
    if snapshot.view is None or play is None:
        return [_("run: none, cards are played after the three stakes")]
    cards = format_cards([played.card for played in play.run], ascii=ascii) or _("no card yet")
    number, turn = len(play.closed) + 1, snapshot.view.state.turn
    if play.called is not None:
        line = _("run {number}: {cards}. wants {rank}")
        return [line.format(number=number, cards=cards, rank=rank_word(play.called))]
    if turn is None:
        return [_("run {number}: {cards}. over").format(number=number, cards=cards)]
    line = _("run {number}: {cards}. {name} leads")
    return [line.format(number=number, cards=cards, name=seat_names(snapshot)[turn])]


def seat_lines(snapshot: TableSnapshot, now_s: float | None = None, pilot: str | None = None) -> list[str]:
    """A line for each chair; with the time left where the table waits for it, see :func:`report`."""
    return [*(_seat_line(snapshot, info, now_s) for info in snapshot.seats), *bot_notes(snapshot, pilot)]


def score_lines(snapshot: TableSnapshot) -> list[str]:
    """Finished deals, then balances and what lies on the table; of the last deal each source by itself."""
    names = seat_names(snapshot)
    lines = [
        _("deal {number}: {figures}").format(
            number=deal.number, figures=_figures(names, (signed(net) for net in deal.outcome.net))
        )
        for deal in snapshot.finished
    ]
    if snapshot.finished:
        last = snapshot.finished[-1]
        for source, title in SOURCE_NAMES.items():
            amounts = last.outcome.pay.get(source.value, ())
            if any(amounts):
                figures = _figures(names, map(signed, amounts))
                line = _("deal {number} {source}: {figures}")
                lines.append(line.format(number=last.number, source=title.lower(), figures=figures))
    balances = snapshot.view.state.balances if snapshot.view else snapshot.balances
    if balances:
        lines.append(_("balances: {figures}").format(figures=_figures(names, map(str, balances))))
    if snapshot.view:
        pools = zip(STAKE_NAMES.values(), snapshot.view.state.pools, strict=True)
        figures = enumerated([f"{name.lower()} {pool}" for name, pool in pools])
        lines.append(_("pools: {figures}").format(figures=figures))
    return lines or [_("scores: nothing played yet")]


def help_lines(word: str) -> list[str]:
    """All commands, or one of them. Unknown words get the list."""
    if word.lower() in HELP:
        usage, meaning = HELP[word.lower()]
        return [labelled(usage, _(meaning))]
    return [
        _("actions: {commands}").format(commands=" ".join(ACTION_HELP)),
        _("reports and others: {commands}").format(commands=" ".join(OTHER_HELP)),
        _("one of them: {command}").format(command="? play"),
    ]


def _figures(names: Sequence[str], amounts: Iterable[str]) -> str:
    return enumerated([f"{name} {amount}" for name, amount in zip(names, amounts, strict=True)])


def _seat_line(snapshot: TableSnapshot, info: SeatInfo, now_s: float | None) -> str:
    seat = seat_word(info.seat)
    facts = _seat_facts(snapshot, info) if info.name else [p_("a chair", "free")]
    if time := time_left(snapshot.clock, info.seat, now_s):
        facts.append(_("{time} left").format(time=time))
    return _("{seat}: {facts}").format(seat=seat, facts=enumerated(facts))


def _seat_facts(snapshot: TableSnapshot, info: SeatInfo) -> list[str]:
    """The name, and what there is to say of who sits there."""
    facts = [info.name]
    if info.seat == snapshot.our_seat:
        facts.append(p_("one fact of several", "you"))
    if info.bot_level is not None and info.owner:
        facts.append(_("bot, level {level}, of {owner}").format(level=info.bot_level, owner=info.owner))
    elif info.bot_level is not None:
        facts.append(_("bot, level {level}").format(level=info.bot_level))
    if info.key:
        facts.append(_("key {key}").format(key=info.key))
    if info.seat == snapshot.dealer:
        facts.append(p_("one fact of several", "deals"))
    if snapshot.stage in (Stage.LOBBY, Stage.READY):
        facts.append(p_("one fact of several", "ready") if info.ready else p_("one fact of several", "not ready"))
    if not info.present:
        facts.append(p_("one fact of several", "gone"))
    elif not info.linked:
        facts.append(p_("one fact of several", "not heard, the place is held"))
    elif info.away:
        facts.append(p_("one fact of several", "away"))
    if snapshot.view:
        state = snapshot.view.state
        left, jetons = len(state.hands[info.seat]), state.balances[info.seat]
        facts.append(n_("{count} cards left", "{count} cards left", left).format(count=left))
        facts.append(n_("{count} jetons", "{count} jetons", jetons).format(count=jetons))
    return facts


def _situation(view: SeatView) -> str:
    state = view.state
    stake = "" if state.stake is None else STAKE_NAMES[state.stake].lower()
    if state.phase is Phase.AUCTION and state.auction and state.stake is not None:
        auction = state.auction
        if auction.opened:
            sentence = _("{stake}, level {level}, you are in with {paid}, pool {pool}")
        else:
            sentence = _("{stake}, not opened, pool {pool}")
        paid, pool = auction.paid[view.seat], state.pools[state.stake]
        return sentence.format(stake=stake, level=auction.level, paid=paid, pool=pool)
    if state.phase is Phase.PLAY and state.play:
        called = state.play.called
        return _("lead") if called is None else _("wants {rank}").format(rank=rank_word(called))
    phase = PHASE_NAMES[state.phase].lower()
    return _("{phase} of {stake}").format(phase=phase, stake=stake) if stake else phase


def _legal(view: SeatView, legal: Sequence[Action]) -> list[str]:
    """Groups the actions that differ in one word only: cards, hocs, then as they are offered."""
    called = view.state.play.called if view.state.play else None
    plays = sorted(action.card for action in legal if isinstance(action, Play))
    cards, hocs = [card for card in plays if not card.is_hoc], [card for card in plays if card.is_hoc]
    raises = [action for action in legal if isinstance(action, Raise)]
    groups: dict[str, str] = {}
    if cards:
        groups["play"] = f"play {_cards(cards)}"
    if hocs:
        groups["hoc"] = f"hoc {_cards(hocs)}" + ("" if called is None else f" as {format_rank(called).lower()}")
    for action in legal:
        match action:
            case Play():
                pass
            case Raise():
                least, most = min(one.by for one in raises), max(one.by for one in raises)
                groups["raise"] = f"raise {least if least == most else f'{least}-{most}'}{_classes(raises)}"
            case Declare():
                groups["declare"] = "declare" + _classes([one for one in legal if isinstance(one, Declare)])
            case Stay():
                groups["stay"] = "stay" + _classes([one for one in legal if isinstance(one, Stay)])
            case _:
                words = format_words(action, view.state.stake)
                groups[words] = words.lower()
    return list(groups.values())


def _cards(cards: Iterable[Card]) -> str:
    return "/".join(str(card).lower() for card in cards)


def _classes(actions: Sequence[Declare | Raise | Stay]) -> str:
    """`` tierce/quart``, in brackets where none need be named."""
    named = [one.announced.name.lower() for one in actions if one.announced is not None]
    if not named:
        return ""
    choice = "/".join(dict.fromkeys(named))
    return f" {choice}" if all(one.announced is not None for one in actions) else f" [{choice}]"
