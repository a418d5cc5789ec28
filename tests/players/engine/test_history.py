from __future__ import annotations

from random import Random

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Hold
from hocp2p.game.actions import Play as PlayCard
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase
from hocp2p.players.engine.coding import encode_move
from hocp2p.players.engine.convert import deal_of, place_of
from hocp2p.players.engine.history import Move, moves_of, opening_of
from hocp2p.players.engine.places import NOBODY
from hocp2p.players.engine.play import HOLD, Play
from tests.players.engine.compare import Setting


def state_of(play: Play) -> tuple[object, ...]:
    """Everything but the jetons, of which a conversion knows the differences only."""
    return play.hands, play.held, play.left, play.turn, play.called, play.due, play.sans, play.played, play.winner


def test_moves_lead_from_the_opening_to_the_moment() -> None:
    """At every moment of many plays; the moves told are those that were made."""
    held_back = 0
    for seed in range(60):
        rng = Random(seed)
        setting = Setting.drawn(rng, Rules().with_text("hold_back", rng.choice(["refused", "fined"])))
        state = setting.start()
        made: list[Move] = []
        while state.turn is not None:
            view = setting.view(state, state.turn)
            if state.phase is Phase.PLAY:
                told = moves_of(state)
                assert [(move.place, move.card) for move in told] == [(move.place, move.card) for move in made]
                # a rank held back and denied later is told as denied twice
                assert all(
                    one.action == other.action or other.action == HOLD for one, other in zip(told, made, strict=True)
                )
                play = opening_of(view, setting.hidden(state))
                for move in made:
                    assert play.turn == move.place
                    play.apply(move.action)
                now = deal_of(view, setting.hidden(state)).play
                assert now is not None
                assert state_of(play) == state_of(now)
                if play.called:
                    assert play.last == now.last != NOBODY
            action = rng.choice(game_rules.legal_actions(view))
            if state.phase is Phase.PLAY:
                held_back += isinstance(action, Hold)
                card = action.card.index if isinstance(action, PlayCard) else -1
                made.append(Move(place_of(state, state.turn), encode_move(action), card))
            if state.phase is Phase.AUCTION:
                action = game_rules.legal_actions(view)[0]  # pass or good, so that auctions end
            state, _ = game_rules.apply(state, state.turn, action)
        assert len(moves_of(state)) == len(made)
    assert held_back > 20


def test_nothing_is_told_before_the_play() -> None:
    assert moves_of(Setting.drawn(Random(1)).start()) == []
