"""The game, third part: the stops game, losing a seat, and the three questions that a session asks.

``verify`` whether a move is legal, ``proof_due`` with it, ``perform`` it. Moves are messages by name with their fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocol.generate import blanche, stakes
from protocol.generate.faults import need
from protocol.generate.game import COURTS, HOCS, Deal, ordinary, positions_of, rank_of

MOVES = {
    "call", "announcement", "showing", "unseen-class", "carte-blanche", "blanche-waived", "card-opening", "non-holding",
    "held-back",
}  # fmt: skip


def start_deal(
    rules: dict[str, str], seats: int, dealer: int, balances: Sequence[int], pools: Sequence[int], doubled: set[int]
) -> Deal:
    """One jeton from every seat into every pool; then the auction of Point."""
    deal = Deal(rules, seats, dealer, list(balances), list(pools), set(doubled))
    deal.dealt = positions_of(seats, dealer)
    deal.hands = [list(hand) for hand in deal.dealt]
    for stake in range(3):
        for seat in range(seats):
            deal.pay_in(stake, seat, 1)
    stakes.open_stake(deal)
    return deal


def verify(deal: Deal, seat: int, name: str, fields: Sequence[Any]) -> None:
    """Faults of the rules, and ``bad-range`` for a call whose fields do not fit its word."""
    if name == "call":
        word, by, announced = fields
        need((by > 0) == (word == stakes.RAISE), "bad-range")
        need(not announced or word not in (stakes.PASS, stakes.GOOD), "bad-range")
    if deal.phase == "auction":
        stakes.verify_call(deal, seat, name, fields)
    elif deal.phase == "showdown":
        stakes.verify_announcement(deal, seat, name, fields)
    elif deal.phase == "show":
        stakes.verify_show(deal, seat, name, fields)
    elif deal.phase == "blanche":
        blanche.verify_blanche(deal, seat, name)
    else:
        _verify_play(deal, seat, name, fields)


def proof_due(deal: Deal, seat: int, name: str, fields: Sequence[Any]) -> tuple[str, list[int], list[int]] | None:
    """``("open" or "not holding", positions, faces)``; None where everybody can see it, or nothing is said of cards."""
    if name in ("card-opening", "showing"):
        positions, faces = ([fields[0]], [fields[1]]) if name == "card-opening" else (fields[0], fields[1])
        new = [(p, face) for p, face in zip(positions, faces, strict=True) if p not in deal.faces]
        return ("open", [p for p, _ in new], [face for _, face in new]) if new else None
    if name == "non-holding":
        where, what = deal.hidden(deal.hands[seat]), deal.unseen(ordinary(fields[0]))
    elif name == "carte-blanche":
        where, what = deal.hidden(deal.dealt[seat]), deal.unseen(COURTS)
    else:
        return None
    return ("not holding", where, what) if where and what else None


def proof_of(name: str, fields: Sequence[Any]) -> bytes:
    """The proof that a move carries, where its message has room for one."""
    proof = fields[-1] if name in ("card-opening", "showing", "non-holding", "carte-blanche") else b""
    return bytes(proof)


def perform(deal: Deal, seat: int, name: str, fields: Sequence[Any]) -> None:
    """Performs a verified move."""
    if deal.phase == "auction":
        stakes.call(deal, seat, fields)
    elif deal.phase == "showdown":
        stakes.announce(deal, seat, name, fields)
    elif deal.phase == "show":
        stakes.show(deal, seat, name, fields)
    elif deal.phase == "blanche":
        deal.blanche[seat] = name == "carte-blanche"
        blanche.ask_blanche(deal)
    elif name == "card-opening":
        _play_card(deal, seat, fields[0], fields[1])
    else:
        if name == "held-back":
            deal.fine(seat)
        else:
            deal.sans.add((seat, fields[0]))
        _pass_turn(deal, seat)


def _verify_play(deal: Deal, seat: int, name: str, fields: Sequence[Any]) -> None:
    """Faults ``wrong-phase``, ``not-in-hand``, ``wrong-face``, ``wrong-rank``, ``must-lead``, ``holds-rank``,
    ``nothing-to-hold``."""
    need(name in ("card-opening", "non-holding", "held-back"), "wrong-phase")
    if name == "card-opening":
        deal.verify_held(seat, fields[:1], fields[1:2])
        need(deal.called is None or rank_of(fields[1]) == deal.called or fields[1] in HOCS, "wrong-rank")
        return
    (rank, *_) = fields
    need(deal.called is not None, "must-lead")
    need(rank == deal.called, "wrong-rank")
    seen = any(deal.faces.get(position) in ordinary(rank) for position in deal.hands[seat])
    if name == "non-holding":
        need(not seen, "holds-rank")
    else:
        need(seen or ((seat, rank) not in deal.sans and bool(deal.unseen(ordinary(rank)))), "nothing-to-hold")


def _play_card(deal: Deal, seat: int, position: int, face: int) -> None:
    deal.hands[seat].remove(position)
    deal.faces[position] = face
    if deal.hoc_due and deal.rules["fortuitous"] == "paid":
        deal.collect(seat, 1)
    deal.hoc_due = False
    if face in HOCS:
        deal.collect(seat, 1)
    as_rank = deal.called or rank_of(face)
    deal.run.append(seat)
    deal.called = as_rank + 1
    if not deal.hands[seat]:
        end_deal(deal, seat)
    elif face in HOCS:
        _end_run(deal, seat, fortuitous=False)


def _pass_turn(deal: Deal, seat: int) -> None:
    """To the right; back at the player of the last card, nobody could go on: a fortuitous hoc."""
    last = deal.run[-1]
    other = (seat + 1) % deal.seats
    while other != last and other in deal.gone:
        other = (other + 1) % deal.seats
    if other == last:
        _end_run(deal, last, fortuitous=True)
    else:
        deal.turn = other


def _end_run(deal: Deal, last: int, *, fortuitous: bool) -> None:
    deal.turn = last if last not in deal.gone else _next_present(deal, last)
    deal.called, deal.run, deal.hoc_due = None, [], fortuitous and deal.turn == last


def _next_present(deal: Deal, seat: int) -> int:
    return next(
        other % deal.seats for other in range(seat + 1, seat + deal.seats) if other % deal.seats not in deal.gone
    )


def end_deal(deal: Deal, winner: int | None) -> None:
    """Each opponent pays for the cards he holds: 1 costs 6, 2 cost 8, then 1 each, from ten on 2 each."""
    if winner is not None:
        for seat in range(deal.seats):
            left = len(deal.hands[seat])
            due = (0, 6, 8)[left] if left <= 2 else left if left < 10 else 2 * left
            deal.balances[seat] -= due
            deal.balances[winner] += due
    deal.phase, deal.turn = "over", None


def leave(deal: Deal, seat: int) -> None:
    """A seat is lost: it passes, says good, is passed over. With one seat left the deal is over."""
    deal.gone.add(seat)
    auction, showdown = deal.auction, deal.showdown
    if len(deal.present) < 2:
        if auction is not None and auction.opened:
            alone = deal.phase == "show" and showdown is not None and not showdown.claims
            heirs = [deal.turn] if alone else [other for other in deal.present if not auction.out[other]]
            if heirs and heirs[0] is not None:
                stakes.settle_unseen(deal, heirs[0])
        end_deal(deal, None)
    elif deal.phase == "auction" and auction is not None and not auction.out[seat]:
        auction.out[seat] = True
        stakes.pass_on(deal, seat if deal.turn == seat else None)
    elif deal.phase in ("showdown", "show") and showdown is not None and seat in showdown.contestants:
        if showdown.winner == seat and not showdown.claims:
            stakes.settle_unseen(deal, seat)
            stakes.go_on(deal)
        elif stakes.best_claimant(showdown) == seat:
            stakes.announce_afresh(deal, seat)
        else:
            showdown.contestants.remove(seat)
            stakes.ask_announcement(deal)
    elif deal.phase == "blanche":
        blanche.ask_blanche(deal)
    elif deal.phase == "play" and deal.turn == seat:
        if deal.called is not None:
            _pass_turn(deal, seat)
        else:
            deal.turn, deal.hoc_due = _next_present(deal, seat), False


def carried(deal: Deal) -> tuple[list[int], set[int]]:
    """What lies in the pools for the next deal, and the stakes that are doubled in it."""
    double = deal.rules["double"]
    doubles = double == "per_stake" or (double == "all_three" and len(deal.passed) == 3)
    return [deal.pools[0] + deal.fines, *deal.pools[1:]], deal.passed if doubles else set()
