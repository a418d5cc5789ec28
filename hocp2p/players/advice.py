"""What a good-natured expert at our shoulder says: an action and why, from the seat's own view alone.

He thinks as the strong bots do. In an auction he says what the tables say most often, in the play what the master
expects to win most by; but who can surely go out does, since what is sure is better than what is expected. Where tables
or net do not serve he goes by the novice's rules of thumb, with fixed hocs kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action, Stake
from hocp2p.game.rules import legal_actions
from hocp2p.game.state import AuctionState, Phase, PlayState, SeatView
from hocp2p.players.auction.buckets import suit_figures
from hocp2p.players.auction.policy import choose_word, moment_of, scale_of, table_of
from hocp2p.players.auction.served import serves
from hocp2p.players.auction.showing import choose_showing
from hocp2p.players.auction.tables import Moment, load_tables
from hocp2p.players.bidding import choose_bid
from hocp2p.players.engine.convert import place_of
from hocp2p.players.likely_best import chance_best
from hocp2p.players.net.policy import shipped_policy
from hocp2p.players.player import Rng
from hocp2p.players.reasons import Advice, Expects, Reason, SaidMostly, WinsNow
from hocp2p.players.search.one_ply import Search
from hocp2p.players.shedding import choose_play
from hocp2p.players.trained import shipped_search
from hocp2p.players.why_play import goes_on_to, sure_ways_out, why_play
from hocp2p.players.why_stakes import why_announce, why_answer, why_bid, why_show

MOST_REASONS: Final = 2

THROWS: Final = 20
"""The tables are asked with so many throws of the dice, evenly spread, for how often they say a word."""

Searches = Callable[[int], Search]
"""How the play of so many players is looked into; raises LocalError where there is no net for it."""


def advise(view: SeatView, rng: Rng, searches: Searches = shipped_search) -> Advice:
    """What to do, and one or two reasons for it.

    Args:
        view: of the seat whose turn it is.
        rng: for hands that are drawn; the same view and generator give the same advice.
        searches: who thinks about the play.

    Raises LocalError ``not-your-turn`` where nothing is to be decided.
    """
    state, legal = view.state, legal_actions(view)
    end = None
    if not legal:
        raise LocalError("not-your-turn", "There is nothing to advise: it is not your turn.")
    if state.auction is not None and state.phase is Phase.AUCTION:
        action, reasons = _bid(view, state.auction, legal, rng)
    elif state.play is not None and state.phase is Phase.PLAY:
        action, reasons = _play(view, state.play, legal, rng, searches)
        end = None if isinstance(reasons[0], WinsNow) else goes_on_to(view, action)
    else:
        action = choose_showing(view, legal)
        reasons = _why_shown(view, action)
    return Advice(action, reasons[:MOST_REASONS], state.stake, end)


def prepare(seats: int) -> None:
    """Loads what advice at a table of so many is taken from, and works out what is kept for all deals.

    Nothing that is advised depends on it. Raises LocalError where net or tables are none for this version.
    """
    for stake in (Stake.POINT, Stake.SEQUENCE):
        suit_figures(stake, False)  # by cards, as nearly everywhere
    shipped_policy(seats)
    nobody_has_spoken = Moment(0, False, 0, 0, 0, (0.0,) * seats, (0,) * seats)
    for stake in Stake:
        for doubled in (False, True):
            load_tables(seats).of(stake, doubled=doubled).nearest(nobody_has_spoken)


def _bid(view: SeatView, auction: AuctionState, legal: Sequence[Action], rng: Rng) -> tuple[Action, tuple[Reason, ...]]:
    """A bluff, or a class that is not held, is named as what it is."""
    try:
        tables_serve = _tables_serve(view, auction)
    except LocalError:
        tables_serve = False
    if not tables_serve:
        action = choose_bid(view, auction, legal, rng)
        return action, why_bid(view, action)
    action, mostly = _usual_word(view, auction, legal)
    return action, why_bid(view, action, mostly, chance_best(view, auction, rng))


def _tables_serve(view: SeatView, auction: AuctionState) -> bool:
    """Whether the tables know this moment. Raises LocalError where there are none for this version."""
    state = view.state
    if not serves(state.rules) or state.gone:
        return False
    table = table_of(state, auction.stake)
    moment = moment_of(state, auction, scale_of(state, auction, table), place_of(state, view.seat))
    return table.nearest(moment) is not None


@dataclass(frozen=True, slots=True)
class _Throw:
    """Dice that always fall alike; ``value`` is at least 0 and below 1."""

    value: float

    def random(self) -> float:
        return self.value

    def randrange(self, stop: int, /) -> int:
        return int(self.value * stop)


def _usual_word(view: SeatView, auction: AuctionState, legal: Sequence[Action]) -> tuple[Action, SaidMostly | None]:
    """The kind of word that the tables say most often, of these words the most frequent, and how often it is so.

    None for how often where it is nearly always.
    """
    words = [choose_word(view, auction, legal, _Throw((throw + 0.5) / THROWS)) for throw in range(THROWS)]
    ((kind, times),) = Counter(map(type, words)).most_common(1)
    ((word, _),) = Counter(word for word in words if type(word) is kind).most_common(1)
    in_ten = round(10 * times / THROWS)
    return word, SaidMostly(word, in_ten) if in_ten < 10 else None


def _play(
    view: SeatView, play: PlayState, legal: Sequence[Action], rng: Rng, searches: Searches
) -> tuple[Action, tuple[Reason, ...]]:
    """What surely goes out, if there is such a thing; else, and among such, the action of the highest value."""
    values = _values(view, rng, searches)
    sure = sure_ways_out(view, list(values) or legal)
    if not values:
        action = sure[0] if sure else choose_play(view, play, legal, keeps_hocs=True)
        return action, why_play(view, action)
    best, *others = sorted(sure or values, key=lambda action: -values[action])
    if sure or not others:
        return best, why_play(view, best)
    return best, why_play(view, best, Expects(round(values[best]), others[0], round(values[others[0]])))


def _values(view: SeatView, rng: Rng, searches: Searches) -> dict[Action, float]:
    """What each action is expected to win; nothing where there is no net. Of cards of a class there is one."""
    try:
        search = searches(len(view.state.present))
    except LocalError:
        return {}
    return search.expects(view, rng)


def _why_shown(view: SeatView, action: Action) -> tuple[Reason, ...]:
    """What speaks for a word in a showdown, of its winner, or about carte blanche."""
    match view.state.phase:
        case Phase.SHOWDOWN:
            return why_announce(view, action)
        case Phase.SHOW:
            return why_show(view, action)
        case _:
            return why_answer(view)
