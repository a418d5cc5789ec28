from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hocp2p.errors import LocalError
from hocp2p.game.actions import Stake
from hocp2p.players.auction import tables
from hocp2p.players.auction.tables import FEW_STEPS, Moment, load_tables, read_tables, rules_digest
from hocp2p.players.engine.places import NOBODY

MOST_BYTES = 200_000


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("stake", Stake)
@pytest.mark.parametrize("doubled", [False, True])
def test_the_tables_of_the_package_are_strategies(seats: int, stake: Stake, doubled: bool) -> None:
    table = load_tables(seats).of(stake, doubled=doubled)
    assert table.strategy.shape == (len(table.nodes), table.buckets.count)
    assert table.shares.sum() == pytest.approx(1)
    for node in table.nodes:
        if node.turn != NOBODY:
            said = table.strategy[node.first : node.first + len(node.words)]
            assert said.sum(axis=0) == pytest.approx(1)
    ends = [number for number, node in enumerate(table.nodes) if node.turn == NOBODY]
    met = np.prod([reach[ends] @ table.shares for reach in table.reaches], axis=0)
    assert met.sum() == pytest.approx(1)  # as if the cards of one told nothing of those of another


def test_the_tables_are_small() -> None:
    folder = Path(tables.__file__).parent.parent / "weights"
    assert sum((folder / f"auction{seats}.npz").stat().st_size for seats in (2, 3)) < MOST_BYTES


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("stake", Stake)
def test_a_moment_of_the_tree_is_found_again(seats: int, stake: Stake) -> None:
    table = load_tables(seats).of(stake, doubled=False)
    for node in table.nodes[::7]:
        paid = tuple(float(jetons) for jetons in node.paid)
        number = table.nearest(
            Moment(node.turn, node.opened, node.spoken, node.out, node.entered, paid, node.announced)
        )
        assert number is not None
        found = table.nodes[number]
        assert (found.turn, found.opened, found.level, found.paid) == (node.turn, node.opened, node.level, node.paid)
        assert (found.spoken, found.out, found.entered) == (node.spoken, node.out, node.entered)


def test_another_raise_is_taken_for_the_nearest() -> None:
    table = load_tables(2).of(Stake.POINT, doubled=False)
    for jetons, near in ((1, 1), (3, 2), (4, 5), (7, 5), (13, 10), (18, 20), (500, 20)):
        number = table.nearest(Moment(1, True, 0b01, 0, 0b01, (jetons, 0), (0, 0)))
        assert number is not None
        assert table.nodes[number].paid == (near, 0)
    assert table.nearest(Moment(1, False, 0b01, 0, 0b01, (1, 0), (0, 0))) is None


def test_files_for_other_rules_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "auction2.npz"
    load_tables(2).save(path)
    with pytest.raises(LocalError) as other:
        read_tables(path, 3)
    assert other.value.code == "other-rules"
    monkeypatch.setattr(tables, "ANTE", 2)
    with pytest.raises(LocalError) as dearer:
        read_tables(path, 2)
    assert dearer.value.code == "other-rules"


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "auction2.npz"
    for content in (None, b"", b"PK\x03\x04 torn", load_bytes(tmp_path)[:20_000]):
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(LocalError) as caught:
            read_tables(path, 2)
        assert caught.value.code in ("no-tables", "other-rules")


def load_bytes(folder: Path) -> bytes:
    """A whole file of tables."""
    load_tables(2).save(folder / "whole.npz")
    return (folder / "whole.npz").read_bytes()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "auction2.npz"
    load_tables(2).save(path)
    again = read_tables(path, 2)
    for stake in Stake:
        first, second = load_tables(2).of(stake, doubled=True), again.of(stake, doubled=True)
        assert np.array_equal(first.buckets.edges, second.buckets.edges)
        assert np.abs(first.strategy - second.strategy).max() < 0.5 / FEW_STEPS + 0.01
    assert len(rules_digest(2)) == 16
    assert rules_digest(2) != rules_digest(3)
