"""Playthroughs: whole deals that show the game, and each house rule once away from its default.

``tests/game/test_golden.py`` compares what ``playthrough_text`` writes of them with the files in ``tests/game/golden``;
``python -m tests.support.playthrough`` writes the files anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Announce, Claim, Declare, Good, Hold, Pass, Play, Raise, Stake, Stay
from hocp2p.game.cards import KING
from hocp2p.game.combinations import holdings
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase, SeatView
from tests.support.playthrough_text import Chooser, Playthrough, write

GOLDEN = Path(__file__).parents[1] / "game" / "golden"


def play_simply(view: SeatView, legal: Sequence[Action]) -> Action:
    """Bids on what it holds, bluffs in Tricon as eldest, claims what it can, leads low, keeps its hocs for the end."""
    match view.state.phase:
        case Phase.AUCTION:
            return _call_simply(view, legal)
        case Phase.PLAY:
            return _move_simply(view, legal)
        case _:
            return legal[0]  # the best announcement, the fullest show or the class unseen, carte blanche


def pass_always(view: SeatView, legal: Sequence[Action]) -> Action:
    """Passes every stake, then plays simply."""
    return legal[0] if view.state.phase is Phase.AUCTION else play_simply(view, legal)


def pass_sequence(view: SeatView, legal: Sequence[Action]) -> Action:
    """Passes Sequence, else plays simply."""
    return (pass_always if view.state.stake is Stake.SEQUENCE else play_simply)(view, legal)


def bid_recklessly(view: SeatView, legal: Sequence[Action]) -> Action:
    """Raises Point by the most to 100 and more, else plays simply."""
    auction = view.state.auction
    if view.state.phase is not Phase.AUCTION or auction is None or auction.stake is not Stake.POINT:
        return play_simply(view, legal)
    return legal[-1] if auction.level < 100 else Stay()


def announce_falsely(view: SeatView, legal: Sequence[Action]) -> Action:
    """As eldest, bids for Sequence and announces a quint to the king that he cannot show; else plays simply."""
    state = view.state
    if view.seat != state.eldest or state.stake is not Stake.SEQUENCE:
        return play_simply(view, legal)
    if state.phase is Phase.SHOWDOWN:
        return Announce(Claim(5, KING))
    bids = [action for action in legal if isinstance(action, Declare | Stay)]
    return bids[0] if bids else legal[0]


def by_dealer(choosers: Mapping[int, Chooser]) -> Chooser:
    """Another way to choose in the deals of some dealers; else plays simply."""
    return lambda view, legal: choosers.get(view.state.dealer, play_simply)(view, legal)


def hold_back_once(view: SeatView, legal: Sequence[Action]) -> Action:
    """Holds a card back where it may, unless the seat was fined before; else plays simply."""
    held = [action for action in legal if isinstance(action, Hold)]
    fined = view.state.pay[-1][view.seat] < 0
    return held[0] if held and not fined else play_simply(view, legal)


def _call_simply(view: SeatView, legal: Sequence[Action]) -> Action:
    auction = view.state.auction
    assert auction is not None
    found = holdings(auction.stake, view.hand, view.state.rules)
    strong = bool(found) and (auction.stake is not Stake.POINT or len(found[0].cards) >= 4)
    bluffs = auction.stake is Stake.TRICON and view.seat == view.state.eldest
    if not (strong or bluffs):
        return next(action for action in legal if isinstance(action, Pass | Good))
    honest = found[0].combination if found else None
    words = [action for action in legal if getattr(action, "announced", None) == honest] or list(legal)
    if auction.level < 2 * view.state.seats:
        by = min(2 + view.seat, view.state.rules.raise_cap)
        return next((action for action in words if isinstance(action, Raise) and action.by == by), words[0])
    return next((action for action in (*words, *legal) if isinstance(action, Stay)), legal[0])


def _move_simply(view: SeatView, legal: Sequence[Action]) -> Action:
    plays = [action for action in legal if isinstance(action, Play)]
    ordinary = [action for action in plays if not action.card.is_hoc]
    if ordinary:
        return min(ordinary, key=lambda action: action.card)
    if plays and (len(plays) == len(legal) or len(view.hand) <= 6):
        return plays[0]
    return legal[-1]


def _always(_: SeatView) -> bool:
    return True


def _never(_: SeatView) -> bool:
    return False


def _deciding(stake: Stake) -> Callable[[SeatView], bool]:
    return lambda view: view.state.stake is stake


def _fortuitous(view: SeatView) -> bool:
    """The last one to refuse, and the lead after that."""
    play = view.state.play
    return play is not None and (play.hoc_due or play.refused == view.state.seats - 1)


def _may_hold_back(view: SeatView) -> bool:
    return any(isinstance(action, Hold) for action in game_rules.legal_actions(view))


PLAYTHROUGHS = (
    Playthrough("two_seats", "A whole deal of two", Rules(), 2, (27,), play_simply, _always),
    Playthrough("three_seats", "A whole deal of three", Rules(), 3, (48,), play_simply, _always),
    Playthrough(
        "false_announcement",
        "Eldest announces a quint that he has not, and is fined; the others announce afresh",
        Rules(),
        3,
        (48,),
        announce_falsely,
        _deciding(Stake.SEQUENCE),
    ),
    Playthrough(
        "deals_2",
        "A session of two deals; what is carried at its end is divided, an odd jeton goes to the better position",
        Rules(deals=2),
        2,
        (27, 28),
        by_dealer({0: announce_falsely}),
        _never,
    ),
    Playthrough(
        "ruin_on",
        "The session ends after the deal that leaves a seat below zero",
        Rules(ruin="on"),
        2,
        (28, 29),
        bid_recklessly,
        _never,
    ),
    Playthrough("raise_cap_5", "No raise above 5", Rules(raise_cap=5), 2, (27,), play_simply, _deciding(Stake.POINT)),
    Playthrough(
        "double_per_stake",
        "Everybody passes Sequence, so it is doubled in the next deal",
        Rules(),
        3,
        (48, 52),
        by_dealer({2: pass_sequence}),
        _deciding(Stake.SEQUENCE),
    ),
    Playthrough(
        "double_all_three",
        "Everybody passes Sequence, and nothing is doubled; then all three stakes, and all are",
        Rules(double="all_three"),
        3,
        (48, 47, 52),
        by_dealer({2: pass_sequence, 0: pass_always}),
        _deciding(Stake.SEQUENCE),
    ),
    Playthrough(
        "double_never",
        "Everybody passes all three stakes; the pools are carried, nothing is doubled",
        Rules(double="never"),
        3,
        (48, 52),
        by_dealer({2: pass_always}),
        _deciding(Stake.SEQUENCE),
    ),
    Playthrough(
        "point_pips",
        "The higher total in one suit beats the greater number of cards",
        Rules(point="pips"),
        2,
        (23,),
        play_simply,
        _deciding(Stake.POINT),
    ),
    Playthrough(
        "lesser_off",
        "The winner of Sequence holds two runs and is paid for the best",
        Rules(lesser="off"),
        3,
        (48,),
        play_simply,
        _deciding(Stake.SEQUENCE),
    ),
    Playthrough(
        "fortuitous_unpaid",
        "A fortuitous hoc is said, not paid",
        Rules(fortuitous="unpaid"),
        2,
        (27,),
        play_simply,
        _fortuitous,
    ),
    Playthrough(
        "hold_back_fined",
        "Each seat holds a card back once and is fined into the next deal's Point",
        Rules(hold_back="fined"),
        2,
        (27,),
        hold_back_once,
        _may_hold_back,
    ),
)


def main() -> None:
    """Writes every file anew."""
    GOLDEN.mkdir(exist_ok=True)
    for play in PLAYTHROUGHS:
        (GOLDEN / f"{play.name}.txt").write_text(write(play), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
