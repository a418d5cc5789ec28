"""What a redraw of the 120x36 table costs: ``python -m hocp2p.ui.redraw`` prints the median in milliseconds.

Drawn is a picture of the play with a log of the whole deal beside it, alternately with another card picked: from the
snapshot to the bytes that a terminal would get, which go nowhere.
"""

from __future__ import annotations

import io
import statistics
import sys
import time
from random import Random
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output.vt100 import Vt100_Output

from hocp2p.game import rules as game
from hocp2p.game.actions import Action, Play
from hocp2p.game.cards import DECK
from hocp2p.game.house import START_BALANCE, Rules
from hocp2p.game.match import start_match
from hocp2p.game.state import DealState, Phase, SeatView
from hocp2p.table.events import DealStarted, HandDealt, TableEvent
from hocp2p.table.snapshot import SeatInfo, Stage, TableSnapshot
from hocp2p.ui.appearance import style_of, styled
from hocp2p.ui.hands import in_order
from hocp2p.ui.local import Local, Sort
from hocp2p.ui.presenter import view

COLS: Final = 120
ROWS: Final = 36
TIMES: Final = 101
SEATS: Final = 3
PLAYED: Final = 12  # cards on the table at least


def play_picture() -> TableSnapshot:
    """Our turn in the middle of a play, always the same."""
    deck = Random(7).sample(DECK, len(DECK))  # noqa: S311 - a picture to be drawn, no cards to be played with
    match = start_match(Rules(), SEATS, 0)
    state, begun = match.start_deal()
    hands = [{position: deck[position] for position in positions} for positions in state.dealt]
    events: list[TableEvent] = [DealStarted(1, 0), HandDealt(tuple(hands[0].values())), *begun]
    while (turn := state.turn) is not None and not _is_far_enough(state):
        legal = game.legal_actions(SeatView(state, turn, hands[turn]))
        ordinary: list[Action] = [one for one in legal if isinstance(one, Play) and not one.card.is_hoc]
        state, happened = game.apply(state, turn, (ordinary or [*legal])[0])
        events += happened
    ours = SeatView(state, 0, hands[0])
    seats = tuple(SeatInfo(seat, name, ready=True) for seat, name in enumerate(("Anna", "Bruno", "Carla")))
    return TableSnapshot(
        Stage.DEAL,
        "Anna's table",
        "",
        seats,
        our_seat=0,
        hosting=True,
        rules=Rules(),
        deal=1,
        dealer=0,
        balances=(START_BALANCE,) * SEATS,
        view=ours,
        legal=game.legal_actions(ours),
        events=tuple(events),
    )


def _is_far_enough(state: DealState) -> bool:
    return state.phase is Phase.PLAY and state.turn == 0 and len(state.opened) >= PLAYED


def measure_ms(times: int = TIMES) -> float:
    """Median of some redraws, in milliseconds."""
    snapshot = play_picture()
    hand = in_order(snapshot.view.hand, Sort.SUIT) if snapshot.view is not None else ()
    local = Local()
    control = FormattedTextControl(lambda: styled(view(snapshot, local, COLS, ROWS)), show_cursor=False)
    size = Size(rows=ROWS, columns=COLS)
    app: Application[None] = Application(
        layout=Layout(Window(control, wrap_lines=False)),
        style=style_of("dark", 4),
        include_default_pygments_style=False,
        full_screen=True,
        input=DummyInput(),
        output=Vt100_Output(io.StringIO(), lambda: size, term="xterm-256color", enable_cpr=False),
    )
    taken_s: list[float] = []
    with set_app(app):
        for number in range(times):
            local = Local(picked=hand[number % len(hand)])
            app.render_counter += 1  # what the control keeps is kept for one drawing
            start_s = time.perf_counter()
            app.renderer.render(app, app.layout)
            taken_s.append(time.perf_counter() - start_s)
    return 1e3 * statistics.median(taken_s)


if __name__ == "__main__":
    sys.stdout.write(f"{measure_ms():.3f}\n")
