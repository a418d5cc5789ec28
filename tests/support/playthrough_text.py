"""Writes whole deals as text: the state, what each seat sees, what it may do, what it does, what follows.

What a seat sees is written when it has changed. Which deals are written is in ``playthrough``.
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Claim, Held, Raise, Stake
from hocp2p.game.cards import DECK, Card, format_rank
from hocp2p.game.events import Event
from hocp2p.game.house import Rules
from hocp2p.game.match import Match, start_match
from hocp2p.game.notation import format_action, format_claim
from hocp2p.game.state import AuctionState, DealOutcome, DealState, Phase, PlayState, SeatView, ShowdownState
from tests.support.deals import view_of

WIDTH = 110

Chooser = Callable[[SeatView, Sequence[Action]], Action]


@dataclass(frozen=True)
class Playthrough:
    """One file.

    Args:
        name: of the file.
        title: what to look at.
        rules, seats: the table.
        seeds: of the decks, one for every deal.
        choose: what the seats do.
        full: whether a turn of this view's seat is written in full; of the others only the actions are.
    """

    name: str
    title: str
    rules: Rules
    seats: int
    seeds: tuple[int, ...]
    choose: Chooser
    full: Callable[[SeatView], bool]


def write(play: Playthrough) -> str:
    """The text of one playthrough."""
    lines = [f"# {play.title}", "#"]
    changed = {name: value for name, value in play.rules.to_dict().items() if value != Rules().to_dict()[name]}
    lines.append(f"# seats {play.seats}; house rules {_pairs(changed) or 'all default'}; decks from seeds {play.seeds}")
    match = start_match(play.rules, play.seats, first_dealer=play.seats - 1)
    for seed in play.seeds:
        if match.is_over:
            break
        lines += ["", f"== deal {match.number}, dealer {match.dealer} =="]
        deck = list(DECK)
        random.Random(seed).shuffle(deck)
        outcome = _write_deal(play, match, deck, lines)
        match = match.after(outcome)
        lines += ["", f"-- after deal {match.number - 1} --", *_score(outcome)]
        doubled = " ".join(stake.name.lower() for stake in sorted(match.doubled))
        lines.append(f"carried    {_by_stake(match.carry)}; doubled next: {doubled or 'none'}")
    if match.is_over:
        closing = match.close()
        lines += ["", "== the session is over =="]
        lines += [f"shares     {_row(closing.shares)}", f"balances   {_row(closing.balances)}"]
        lines.append(f"net        {_row(closing.net)}")
    return "\n".join(lines) + "\n"


def _write_deal(play: Playthrough, match: Match, deck: Sequence[Card], lines: list[str]) -> DealOutcome:
    state, events = match.start_deal()
    faces = dict(enumerate(deck))
    for seat in range(state.seats):
        lines.append(f"dealt to {seat}: {_cards(view_of(state, faces, seat).hand)}")
    lines += _events(events)
    brief: list[str] = []
    seen: dict[int, str] = {}
    number = 0
    while state.turn is not None:
        number += 1
        view = view_of(state, faces, state.turn)
        legal = game_rules.legal_actions(view)
        action = play.choose(view, legal)
        line = format_action(view.seat, action, state.stake)
        full = play.full(view)
        if full:
            _flush(brief, lines)
            lines += ["", f"-- {number} --", *_describe(state)]
            now = {seat: _describe_view(view_of(state, faces, seat)) for seat in range(state.seats)}
            lines += [text for seat, text in now.items() if seen.get(seat) != text]
            seen = now
            lines += _wrap("legal", _elide(legal, state.stake))
            lines.append(f"> {line}")
        else:
            brief.append(line)
        state, events = game_rules.apply(state, view.seat, action)
        if full:
            lines += _events(events)
    _flush(brief, lines)
    return game_rules.outcome(state)


def _describe(state: DealState) -> Iterator[str]:
    """What everybody knows."""
    doubled = ", doubled" if state.stake in state.doubled else ""
    stake = f" {state.stake.name.lower()}{doubled}" if state.stake is not None else ""
    yield f"{state.phase.value}{stake}: seat {state.turn} to act"
    yield f"jetons {_row(state.balances)}; pools {_by_stake(state.pools)}; fines {state.fines}"
    if state.phase is Phase.AUCTION and state.auction is not None:
        yield from _describe_auction(state.auction)
    elif state.showdown is not None:
        yield from _describe_showdown(state.showdown, state.stake)
    elif state.phase is Phase.PLAY and state.play is not None:
        yield from _describe_play(state.play)


def _describe_auction(auction: AuctionState) -> Iterator[str]:
    words = [
        "good" if out else (announced.name.lower() if announced is not None else "in" if entered else "-")
        for out, announced, entered in zip(auction.out, auction.announced, auction.entered, strict=True)
    ]
    level = f"level {auction.level}" if auction.opened else "not opened"
    yield f"{level}; put in {_row(auction.paid)}; said {_row(words)}"


def _describe_showdown(showdown: ShowdownState, stake: Stake | None) -> Iterator[str]:
    claims = ["-" if claim is None else _value(claim, stake) for claim in showdown.claims]
    yield f"left in {_row(showdown.contestants)}; announced {_row(claims)}; best {_value(showdown.winner, stake)}"


def _describe_play(play: PlayState) -> Iterator[str]:
    called = "any card" if play.called is None else format_rank(play.called)
    run = " ".join(str(card.card) for card in play.run)
    yield f"called {called}; run {run or '-'}; closed runs {len(play.closed)}; hoc due {_value(play.hoc_due, None)}"


def _describe_view(view: SeatView) -> str:
    state, faces = view.state, view.state.faces()
    others = []
    for seat in range(state.seats):
        if seat != view.seat:
            shown = [faces[position] for position in state.hands[seat] if position in faces]
            others.append(f"{seat} has {len(state.hands[seat])}" + (f", shown {_cards(shown)}" if shown else ""))
    return f"seat {view.seat} sees {_cards(view.hand)} | {'; '.join(others)}"


def _elide(legal: Iterable[Action], stake: Stake | None) -> list[str]:
    """The actions as words; raises that differ only by their size are one: ``raise 1..20 [tierce]``."""
    words = [format_action(0, action, stake).removeprefix("0 ") for action in legal]
    sizes: dict[str, list[int]] = {}
    for action in legal:
        if isinstance(action, Raise):
            announced = "" if action.announced is None else f" {action.announced.name.lower()}"
            sizes.setdefault(announced, []).append(action.by)
    kept = [word for word in words if not word.startswith("raise ")]
    for announced, numbers in sizes.items():
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        kept.append(f"raise {numbers[0]}..{numbers[-1]}{announced}")
    return kept


def _events(events: Iterable[Event]) -> list[str]:
    return [line for event in events for line in textwrap.wrap(f"  {_event(event)}", WIDTH, subsequent_indent="    ")]


def _event(event: Event) -> str:
    """An event by its name and fields: ``CardPlayed seat 0, position 3, card 7D, as_rank 7, led no, left 11``."""
    stake = getattr(event, "stake", None)
    values = [(field.name, getattr(event, field.name)) for field in fields(event)]
    shown = [
        (name, format_rank(value) if name in ("rank", "as_rank") else _value(value, stake)) for name, value in values
    ]
    return f"{type(event).__name__} " + ", ".join(f"{name} {text}" for name, text in shown)


def _value(value: object, stake: Stake | None) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case Stake():
            return value.name.lower()
        case Enum():
            return str(value.value) if isinstance(value.value, str) else value.name.lower()
        case Claim():
            assert stake is not None
            return format_claim(value, stake)
        case Held():
            return str(value.card)
        case tuple():
            return " ".join(_value(item, stake) for item in value)
        case int() | str() | Card():
            return str(value)
    return format_action(0, value, stake).removeprefix("0 ")  # type: ignore[arg-type]  # what is left are actions


def _score(outcome: DealOutcome) -> Iterator[str]:
    for source, amounts in (*outcome.pay.items(), ("net", outcome.net), ("balances", outcome.balances)):
        yield f"{source:<10} {_row(amounts)}"


def _flush(brief: list[str], lines: list[str]) -> None:
    if brief:
        lines += ["", *_wrap("...", brief)]
        brief.clear()


def _wrap(word: str, items: Sequence[str]) -> list[str]:
    """Comma-separated, never broken within an item."""
    glued = ", ".join(item.replace(" ", "\0") for item in items)
    text = textwrap.wrap(f"{word}: {glued}", WIDTH, subsequent_indent="  ", break_long_words=False)
    return [line.replace("\0", " ") for line in text]


def _row(values: Iterable[object]) -> str:
    return " ".join(str(value) for value in values)


def _pairs(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _by_stake(amounts: Sequence[int]) -> str:
    return " ".join(f"{stake.name.lower()} {amounts[stake]}" for stake in Stake)


def _cards(cards: Iterable[Card]) -> str:
    """By suit, then rank: ``2S 5S 4H JH``."""
    ordered = sorted(cards, key=lambda card: card.index)
    return " ".join(str(card) for card in ordered) or "-"
