"""Whole tables in memory: whatever the order of arrival, all seats end in the same state with the same history."""

from __future__ import annotations

import random

import pytest

from hocp2p.game.events import BlancheClaimed, SansSaid
from hocp2p.game.house import CHOICES, START_BALANCE, Rules
from hocp2p.players.levels import make_player
from hocp2p.table.effects import Effect, Send
from hocp2p.table.events import DealSigned, SessionEnded
from hocp2p.table.snapshot import FinishedDeal, Stage
from hocp2p.table.table import Table
from hocp2p.table.terms import Terms, read_proposal, rules_to_pairs
from hocp2p.wire.frames import PROTOCOL_VERSION, Proposal, Sealed, Seat, decode_frame, encode_frame
from tests.support.tables import StarTable, make_me


def some_rules(seed: int, seats: int) -> Rules:
    """House rules that differ from seed to seed."""
    rng = random.Random(seed)
    rules = Rules(deals=seats)
    for name, choices in CHOICES.items():
        rules = rules.with_text(name, rng.choice(choices))
    return rules


def verify_agreement(table: StarTable) -> None:
    """All seats ended alike, and nothing was made or lost."""
    snapshots = [peer.snapshot() for peer in table.peers]
    assert {snapshot.stage for snapshot in snapshots} == {Stage.ENDED}, [s.stopped for s in snapshots]
    assert len({snapshot.balances for snapshot in snapshots}) == 1
    assert sum(snapshots[0].balances) == START_BALANCE * table.seats
    assert snapshots[0].net is not None
    assert sum(snapshots[0].net) == 0
    states = [tuple(finished.state for finished in snapshot.finished) for snapshot in snapshots]
    assert states.count(states[0]) == table.seats
    heads = [dict(peer.table.tracks.heads) for peer in table.peers if peer.table is not None]
    assert heads.count(heads[0]) == table.seats
    for events in table.events:
        assert sum(isinstance(event, SessionEnded) for event in events) == 1
        assert sum(isinstance(event, DealSigned) for event in events) == len(snapshots[0].finished)
    for snapshot in snapshots:
        for finished in snapshot.finished:
            verify_proofs(finished)


def counted(proved: tuple[str, ...]) -> dict[str, int]:
    """By the first word of each phrase, without its ending, how many."""
    return {word.removesuffix("s"): int(count) for count, word, *_ in (phrase.split() for phrase in proved)}


def verify_proofs(deal: FinishedDeal) -> None:
    """As many as what happened needs. A word about cards that all have seen needs none."""
    seats, found = deal.state.seats, counted(deal.proved)
    sans = sum(isinstance(event, SansSaid) for event in deal.events)
    claims = sum(isinstance(event, BlancheClaimed) for event in deal.events)
    assert found.pop("time", 0) <= sans
    assert found.pop("carte", 0) == claims
    expected = {"key": seats, "shuffle": seats, "set": seats, "card": len(deal.state.opened), "receipt": seats}
    assert found == {what: count for what, count in expected.items() if count}


@pytest.mark.parametrize("block", range(15))
def test_a_star_ends_alike_in_any_order_of_delivery(block: int) -> None:
    for seed in range(10 * block, 10 * block + 10):
        seats = 2 + seed % 2
        level = "novice" if seed % 3 == 0 else "random"
        table = StarTable(seats, some_rules(seed, seats), seed, level)
        table.run()
        verify_agreement(table)


def make_mesh(seats: int, seed: int) -> tuple[list[Table], random.Random]:
    """Tables of one signed proposal, without lobby or links."""
    rng = random.Random(seed)
    mine = [make_me(seat, rng) for seat in range(seats)]
    chairs = tuple(Seat(me.identity.public, me.name, "", "", rng.randbytes(32)) for me in mine)
    proposal = Proposal(PROTOCOL_VERSION, rng.randbytes(32), chairs, rules_to_pairs(some_rules(seed, seats)))
    terms: Terms = read_proposal(proposal, encode_frame(proposal))
    return [Table(terms, seat, me.identity, me.scheme, me.randomness) for seat, me in enumerate(mine)], rng


@pytest.mark.parametrize("block", range(15))
def test_a_mesh_ends_alike_with_envelopes_delayed_reordered_and_doubled(block: int) -> None:
    """R-050."""
    for seed in range(10 * block, 10 * block + 10):
        tables, rng = make_mesh(2 + seed % 2, seed)
        run_mesh(tables, rng)
        assert {table.stage for table in tables} == {Stage.ENDED}, [table.stopped for table in tables]
        assert all(dict(table.tracks.heads) == dict(tables[0].tracks.heads) for table in tables)
        assert all(table.course.finished == tables[0].course.finished for table in tables)


def run_mesh(tables: list[Table], rng: random.Random) -> None:
    """Every envelope reaches every other seat once or more, at any time, passed on by whoever has it."""
    players = [make_player("random", random.Random(rng.random())) for _ in tables]
    flying: list[tuple[int, bytes]] = []

    def perform(seat: int, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                frame = decode_frame(effect.frame)
                assert isinstance(frame, Sealed)
                for other in range(len(tables)):
                    if other != seat:
                        flying.extend([(other, frame.envelope)] * rng.choice((1, 1, 1, 2)))

    while True:
        for seat, table in enumerate(tables):
            if not table.over and seat not in table.ready_seats():
                table.ready()
                perform(seat, table.drain())
        asked = [seat for seat, table in enumerate(tables) if table.asks]
        if not flying and not asked:
            return
        if asked and (not flying or rng.random() < 0.2):
            seat = rng.choice(asked)
            deal = tables[seat].course.deal
            assert deal is not None
            assert deal.view is not None
            tables[seat].act(players[seat].decide(deal.view))
        else:
            seat, raw = flying.pop(rng.randrange(len(flying)))
            tables[seat].receive(raw)
        perform(seat, tables[seat].drain())
