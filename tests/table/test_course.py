"""What becomes of the decks that are not dealt yet when a session ends early."""

from __future__ import annotations

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.table.table import Table
from tests.support.tables import HOST, StarTable


def in_play(seats: int) -> StarTable:
    """In the first deal, with the next one's deck made: nobody decides for a while."""
    star = StarTable(seats, Rules(deals=2 * seats), 3, "novice")
    star.run(lambda: all(peer.table is not None and peer.table.course.play is not None for peer in star.peers))
    star.paused.update(range(seats))
    star.run()
    return star


def table_of(star: StarTable, seat: int) -> Table:
    table = star.peers[seat].table
    assert table is not None
    return table


@pytest.mark.parametrize("seats", [2, 3])
def test_who_leaves_forgets_the_seeds_of_all_decks_and_erases_their_keys(seats: int) -> None:
    star = in_play(seats)
    course = table_of(star, HOST).course
    assert course.deal is not None
    assert set(course._decks) == {2}
    assert len(star.kept[HOST].seeds) == 2  # of the deal that is played, and of the next
    star.perform(HOST, star.peers[HOST].leave())
    assert star.kept[HOST].seeds == {}
    for session in (course.deal.session, course._decks[2]):
        with pytest.raises(LocalError) as caught:
            session.open([0], b"step") if session is course.deal.session else session.share_commit()
        assert caught.value.code == "erased"
