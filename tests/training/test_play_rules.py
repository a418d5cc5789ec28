from __future__ import annotations

import pytest

from hocp2p.game.house import Rules
from hocp2p.game.rules import legal_actions
from hocp2p.players.engine.coding import encode_move
from hocp2p.players.engine.masks import HOC
from hocp2p.players.shedding import choose_play
from hocp2p.training.play_rules import ThumbRules
from tests.players.net.moments import batch_at, moments


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("keeps_hocs", [True, False])
@pytest.mark.parametrize("fortuitous", ["paid", "unpaid"])
def test_plays_as_the_rules_of_thumb_do(seats: int, keeps_hocs: bool, fortuitous: str) -> None:
    """At real moments, many of them at the end of the deal; every answer, and every lead."""
    asked = hocs = 0
    for view, deck in moments(seats, 8, 6, Rules().with_text("fortuitous", fortuitous)):
        legal = legal_actions(view)
        assert view.state.play is not None
        if len(legal) > 1:
            theirs = encode_move(choose_play(view, view.state.play, legal, keeps_hocs=keeps_hocs))
            (ours,) = ThumbRules(keeps_hocs).greedy(batch_at(view, deck))
            assert ours == theirs
            asked += 1
            hocs += ours == HOC
    assert asked > 60
    assert hocs > 0
