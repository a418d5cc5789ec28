from __future__ import annotations

from random import Random

from hocp2p.game import rules as game_rules
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase
from hocp2p.players.engine.chance import random_play
from hocp2p.players.engine.coding import encode_move
from hocp2p.players.engine.convert import deal_of
from hocp2p.players.engine.house import House
from hocp2p.players.engine.masks import HOC
from hocp2p.players.engine.play import HOLD
from hocp2p.players.search.thumb import choose_by_thumb
from hocp2p.players.shedding import choose_play
from tests.players.engine.compare import Setting


def test_the_same_class_as_by_looking_at_cards() -> None:
    """At every choice of many plays. A hoc has no rank here, which tells where it is worth as much as another lead."""
    asked = others = 0
    for seed in range(40):
        rng = Random(seed)
        rules = Rules().with_text("fortuitous", rng.choice(["paid", "unpaid"])).with_text("hold_back", "fined")
        setting = Setting.drawn(rng, rules)
        state = setting.start()
        while state.turn is not None:
            view = setting.view(state, state.turn)
            legal = game_rules.legal_actions(view)
            action = legal[0] if state.phase is Phase.AUCTION else rng.choice(legal)
            if state.phase is Phase.PLAY and state.play is not None:
                play = deal_of(view, setting.hidden(state)).play
                assert play is not None
                moves = play.legal()
                if len(moves) > 1:
                    asked += 1
                    chosen = choose_by_thumb(play, moves)
                    wise = choose_play(view, state.play, legal, keeps_hocs=True)
                    if chosen != encode_move(wise):
                        others += 1
                        assert state.play.called is None
                        assert HOC in (chosen, encode_move(wise))
                    if rng.random() < 0.7:
                        action = wise
            state, _ = game_rules.apply(state, state.turn, action)
    assert asked > 300
    assert others < asked / 50


def test_hidden_cards_do_not_matter() -> None:
    """Cards that change hands unseen change nothing."""
    for seed in range(40):
        rng = Random(seed)
        play = random_play(House.of(Rules(), 2), rng)
        while play.turn >= 0:
            legal = play.legal()
            if len(legal) > 1:
                other = play.with_hands([hand if place == play.turn else 0 for place, hand in enumerate(play.hands)])
                assert choose_by_thumb(other, legal) == choose_by_thumb(play, legal) != HOLD
            play.apply(rng.choice(legal))
