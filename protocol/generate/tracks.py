"""The steps of every kind of track: who speaks, and what is done with what they say."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from protocol.generate import game, play
from protocol.generate.deal import ASLEEP, Table
from protocol.generate.faults import Fault, need
from protocol.generate.steps import Heard, Said, Signed, Standing, Step, Steps

MAX_DRAWS = 8


def _all(session: Standing, name: str) -> Step:
    return Step(session.everybody, frozenset({name}))


def _payloads(heard: Heard) -> list[bytes]:
    """The messages of the deal protocol have one field; in order of seats."""
    return [bytes(heard[seat][1][0]) for seat in sorted(heard)]


def setup(session: Standing) -> Steps:
    """Every seat signs the proposal."""
    yield _all(session, "agreement")


def owners_of(seats: int, number: int, dealer: int) -> list[int]:
    """By position, who is dealt it: a hand each; for the draw (number 0) eight cards each, in turn from seat 0."""
    if number == 0:
        return [position % seats if position < seats * MAX_DRAWS else ASLEEP for position in range(52)]
    hands = game.positions_of(seats, dealer)
    owner = {position: seat for seat, hand in enumerate(hands) for position in hand}
    return [owner.get(position, ASLEEP) for position in range(52)]


def deck(session: Standing, number: int, dealer: int) -> Steps:
    """Keys, the shuffles in turn from the dealer on, the digest that all sign."""
    track = 2 * number + 1
    context = b"hocp2p/1 deck" + session.table + track.to_bytes(4, "big")
    order = [(dealer + place) % session.seats for place in range(session.seats)]
    table = session.begun[number] = Table(context, owners_of(session.seats, number, dealer), order)
    said = yield _all(session, "key-commit")
    table.take_commits(_payloads(said.heard))
    said = yield _all(session, "key-reveal")
    table.take_keys(_payloads(said.heard))
    session.checked["keys"] += session.seats
    for seat in order:
        said = yield Step((seat,), frozenset({"shuffle-proof"}))
        table.take_shuffle(seat, _payloads(said.heard)[0])
        session.checked["shuffles"] += 1
    said = yield _all(session, "deck-digest")
    table.take_digests(_payloads(said.heard))
    session.decks[number] = table


def _shares(session: Standing, table: Table) -> Steps:
    said = yield _all(session, "share-commit")
    table.take_commits(_payloads(said.heard))
    said = yield _all(session, "share-reveal")
    table.take_shares(_payloads(said.heard))
    session.checked["sets of shares"] += session.seats


def draw(session: Standing) -> Steps:
    """The lowest card deals; ties draw again."""
    table = session.decks[0]
    yield from _shares(session, table)
    tied = session.everybody
    for turn in range(MAX_DRAWS):
        said = yield Step(tied, frozenset({"drawn-card"}))
        ranks = {}
        for seat, (_, (position, face, proof)) in said.heard.items():
            need(position == seat + session.seats * turn, "wrong-position", seat)
            table.verify_opening(seat, [position], [face], proof, said.binding)
            session.checked["cards opened"] += 1
            ranks[seat] = game.rank_of(face)
        tied = tuple(seat for seat, rank in sorted(ranks.items()) if rank == min(ranks.values()))
        if len(tied) == 1:
            break
    session.dealer = tied[0]


def deal(session: Standing, number: int) -> Steps:
    """The shares, the moves, the receipts."""
    table = session.decks[number]
    state = play.start_deal(
        session.rules, session.seats, session.dealer, session.balances, session.pools, session.doubled
    )
    yield from _shares(session, table)
    session.deal = state
    while state.turn is not None:
        said = yield Step((state.turn,), frozenset(play.MOVES))
        if said.lost is not None:
            play.leave(state, said.lost)
        else:
            _move(session, table, state, said)
    left = [seat for seat in session.everybody if seat not in state.gone]
    said = yield Step(tuple(left), frozenset({"receipt"}))
    while said.lost is not None:
        play.leave(state, said.lost)
        left.remove(said.lost)
        said = yield Step(tuple(left), frozenset({"receipt"}))
    pools, doubled = play.carried(state)
    for seat, (_, fields) in said.heard.items():
        need(fields == [state.balances, pools], "receipt-differs", seat)
    session.checked["receipts"] += len(said.heard)
    session.balances, session.pools, session.doubled = list(state.balances), pools, doubled
    session.last = Signed(number, state, table, said.binding)


def _move(session: Standing, table: Table, state: game.Deal, said: Said) -> None:
    ((seat, (name, fields)),) = said.heard.items()
    play.verify(state, seat, name, fields)
    proof, due = play.proof_of(name, fields), play.proof_due(state, seat, name, fields)
    if due is None:
        need(not proof, "unasked-proof")
    else:
        kind, positions, faces = due
        if kind == "open":
            table.verify_opening(seat, positions, faces, proof, said.binding)
            session.checked["cards opened"] += len(positions)
        else:
            table.verify_not_holding(seat, positions, faces, proof, said.binding)
            session.checked["proofs of not holding"] += 1
    play.perform(state, seat, name, fields)
    session.checked["moves"] += 1


def verify_shown_hand(session: Standing, signed: Signed, seat: int, fields: Sequence[Any]) -> None:
    """What is left of a hand, shown after the deal; of another deal, a second time, or not proved it says nothing."""
    number, positions, faces, proof = fields
    if number != signed.number or seat in signed.shown:
        return
    signed.shown.add(seat)
    hidden = signed.deal.hidden(signed.deal.hands[seat])
    if positions != hidden or set(faces) & set(signed.deal.faces.values()):
        return
    with suppress(Fault):
        signed.deck.verify_opening(seat, positions, faces, proof, b"hand" + signed.binding)
        session.checked["cards opened"] += len(positions)
