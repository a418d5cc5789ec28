"""What the line mode tells when asked, and what it says when it is our turn: lines of text from a snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hocp2p.game.actions import Action, Declare, Play, Raise, Stay
from hocp2p.game.cards import SUIT_LETTERS, Card, format_rank
from hocp2p.game.state import Phase, SeatView
from hocp2p.table.snapshot import SeatInfo, Stage, TableSnapshot
from hocp2p.ui.commands import ACTION_HELP, HELP, OTHER_HELP, format_words
from hocp2p.ui.names import PHASE_NAMES, SOURCE_NAMES, STAKE_NAMES, format_cards, rank_word, seat_names, signed


def lobby_line(snapshot: TableSnapshot) -> str:
    """The table, who sits there, and how the others come to it."""
    seated = sum(1 for info in snapshot.seats if info.name)
    where = f" at {snapshot.address}" if snapshot.address else ""  # our own bots alone: it listens nowhere
    line = f"table {snapshot.title}{where}, {seated} of {len(snapshot.seats)} seated"
    if snapshot.hosting and snapshot.address and seated < len(snapshot.seats):
        line += f"; others: hocp2p join {snapshot.address}"
    return line


def rules_line(snapshot: TableSnapshot) -> str:
    """All house rules of the table."""
    return "rules " + ", ".join(f"{name} {value}" for name, value in snapshot.rules.to_dict().items())


def turn_line(snapshot: TableSnapshot) -> str:
    """``turn you, wants 3. legal: play 3d | hoc jd as 3``"""
    view = snapshot.view
    situation = f"turn you, {_situation(view)}" if view else "turn you"
    return f"{situation}. {legal_line(snapshot)}"


def legal_line(snapshot: TableSnapshot) -> str:
    """What we may do now, as it can be typed; a slash stands between words of which one is to be chosen."""
    if snapshot.legal and snapshot.view:
        return "legal: " + " | ".join(_legal(snapshot.view, snapshot.legal))
    if snapshot.may_ready:
        return "legal: ready"
    if snapshot.view and snapshot.view.state.turn is not None:
        return f"nothing to do: it is the turn of {seat_names(snapshot)[snapshot.view.state.turn]}"
    return "nothing to do now"


def hand_lines(snapshot: TableSnapshot, *, ascii: bool) -> list[str]:  # noqa: A002 - the option's name for people
    """Our cards by suit; the hocs among them."""
    if snapshot.view is None or not snapshot.view.hand:
        return ["hand: no cards"]
    hand = sorted(snapshot.view.hand, key=lambda card: (card.suit, card.rank))
    suits = [[card for card in hand if card.suit == suit] for suit in range(len(SUIT_LETTERS))]
    groups = "   ".join(format_cards(suit, ascii=ascii) for suit in suits if suit)
    hocs = [card for card in hand if card.is_hoc]
    told = f". hocs: {format_cards(hocs, ascii=ascii)}" if hocs else ""
    return [f"hand {len(hand)} cards: {groups}{told}"]


def run_lines(snapshot: TableSnapshot, *, ascii: bool) -> list[str]:  # noqa: A002 - as above
    """The open run and the rank that it wants."""
    play = snapshot.view.state.play if snapshot.view else None
    if snapshot.view is None or play is None:
        return ["run: none, cards are played after the three stakes"]
    leads = f"{seat_names(snapshot)[turn]} leads" if (turn := snapshot.view.state.turn) is not None else "over"
    wants = leads if play.called is None else f"wants {rank_word(play.called)}"
    cards = format_cards([played.card for played in play.run], ascii=ascii) or "no card yet"
    return [f"run {len(play.closed) + 1}: {cards}. {wants}"]


def seat_lines(snapshot: TableSnapshot) -> list[str]:
    """A line for each chair."""
    return [_seat_line(snapshot, info) for info in snapshot.seats]


def score_lines(snapshot: TableSnapshot) -> list[str]:
    """Finished deals, then balances and what lies on the table; of the last deal each source by itself."""
    names = seat_names(snapshot)
    lines = [
        f"deal {deal.number}: {_figures(names, (signed(net) for net in deal.outcome.net))}"
        for deal in snapshot.finished
    ]
    if snapshot.finished:
        last = snapshot.finished[-1]
        for source, title in SOURCE_NAMES.items():
            amounts = last.outcome.pay.get(source.value, ())
            if any(amounts):
                lines.append(f"deal {last.number} {title.lower()}: {_figures(names, map(signed, amounts))}")
    balances = snapshot.view.state.balances if snapshot.view else snapshot.balances
    if balances:
        lines.append(f"balances: {_figures(names, map(str, balances))}")
    if snapshot.view:
        pools = zip(STAKE_NAMES.values(), snapshot.view.state.pools, strict=True)
        lines.append("pools: " + ", ".join(f"{name.lower()} {pool}" for name, pool in pools))
    return lines or ["scores: nothing played yet"]


def help_lines(word: str) -> list[str]:
    """All commands, or one of them. Unknown words get the list."""
    if word.lower() in HELP:
        usage, meaning = HELP[word.lower()]
        return [f"{usage}: {meaning}"]
    return [f"actions: {' '.join(ACTION_HELP)}", f"reports and others: {' '.join(OTHER_HELP)}", "one of them: ? play"]


def _figures(names: Sequence[str], amounts: Iterable[str]) -> str:
    return ", ".join(f"{name} {amount}" for name, amount in zip(names, amounts, strict=True))


def _seat_line(snapshot: TableSnapshot, info: SeatInfo) -> str:
    if not info.name:
        return f"seat {info.seat + 1}: free"
    facts = [info.name]
    if info.seat == snapshot.our_seat:
        facts.append("you")
    if info.bot_level is not None:
        facts.append(f"bot, level {info.bot_level}" + (f", of {info.owner}" if info.owner else ""))
    if info.key:
        facts.append(f"key {info.key}")
    if info.seat == snapshot.dealer:
        facts.append("deals")
    if snapshot.stage in (Stage.LOBBY, Stage.READY):
        facts.append("ready" if info.ready else "not ready")
    if not info.present:
        facts.append("away")
    if snapshot.view:
        state = snapshot.view.state
        facts += [f"{len(state.hands[info.seat])} cards left", f"{state.balances[info.seat]} jetons"]
    return f"seat {info.seat + 1}: {', '.join(facts)}"


def _situation(view: SeatView) -> str:
    state = view.state
    if state.phase is Phase.AUCTION and state.auction and state.stake is not None:
        auction = state.auction
        opened = f"level {auction.level}, you are in with {auction.paid[view.seat]}" if auction.opened else "not opened"
        return f"{STAKE_NAMES[state.stake].lower()}, {opened}, pool {state.pools[state.stake]}"
    if state.phase is Phase.PLAY and state.play:
        return "lead" if state.play.called is None else f"wants {rank_word(state.play.called)}"
    stake = f" of {STAKE_NAMES[state.stake].lower()}" if state.stake is not None else ""
    return PHASE_NAMES[state.phase].lower() + stake


def _legal(view: SeatView, legal: Sequence[Action]) -> list[str]:
    """Groups the actions that differ in one word only, in the order in which they are offered."""
    called = view.state.play.called if view.state.play else None
    plays = [action.card for action in legal if isinstance(action, Play)]
    raises = [action for action in legal if isinstance(action, Raise)]
    groups: dict[str, str] = {}
    for action in legal:
        match action:
            case Play(_, card) if card.is_hoc:
                groups["hoc"] = f"hoc {_cards(card for card in plays if card.is_hoc)}"
                if called is not None:
                    groups["hoc"] += f" as {format_rank(called).lower()}"
            case Play():
                groups["play"] = f"play {_cards(card for card in plays if not card.is_hoc)}"
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
