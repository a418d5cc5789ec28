"""The game, second part: the three stakes. An auction, a showdown, a show; then the next stake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocol.generate import blanche
from protocol.generate.faults import Fault, need
from protocol.generate.game import (
    CLASSES,
    RATES,
    Auction,
    Deal,
    Showdown,
    combinations,
    covers,
    possible_claim,
    worth,
)

PASS, DECLARE, RAISE, STAY, GOOD = range(5)


def open_stake(deal: Deal) -> None:
    """Eldest speaks first; a seat that is gone is out."""
    n = deal.seats
    deal.phase, deal.turn, deal.showdown = "auction", deal.present[0], None
    out = [seat in deal.gone for seat in range(n)]
    deal.auction = Auction([0] * n, [False] * n, out, [False] * n, [0] * n)


def auction_of(deal: Deal) -> Auction:
    """The present one."""
    if deal.auction is None:
        raise Fault("wrong-phase")
    return deal.auction


def showdown_of(deal: Deal) -> Showdown:
    """The present one."""
    if deal.showdown is None:
        raise Fault("wrong-phase")
    return deal.showdown


# The auction


def verify_call(deal: Deal, seat: int, name: str, fields: Sequence[int]) -> None:
    """Faults ``wrong-phase``, ``opened``, ``not-opened``, ``bad-raise``, ``no-class``, ``bad-class``."""
    need(name == "call", "wrong-phase")
    word, by, announced = fields
    auction = auction_of(deal)
    if word == RAISE:
        need(by <= int(deal.rules["raise_cap"]), "bad-raise")
    elif word in (PASS, DECLARE):
        need(not auction.opened, "opened")
    else:
        need(auction.opened, "not-opened")
    if word in (DECLARE, RAISE, STAY):
        need(announced in _allowed(deal, seat, word == RAISE), "bad-class" if announced else "no-class")


def _allowed(deal: Deal, seat: int, raising: bool) -> list[int]:
    """A class has to be announced with the first entry; a higher one may be with a later raise."""
    auction, classes = auction_of(deal), CLASSES[deal.stake]
    if not classes:
        return [0]
    if not auction.entered[seat]:
        return classes
    return [0, *(each for each in classes if raising and each > auction.announced[seat])]


def call(deal: Deal, seat: int, fields: Sequence[int]) -> None:
    """Performs a verified call."""
    word, by, announced = fields
    auction = auction_of(deal)
    if word in (DECLARE, RAISE):
        auction.opened = True
        auction.spoken = [False] * deal.seats
        auction.level += by
    if word in (DECLARE, RAISE, STAY):
        deal.pay_in(deal.stake, seat, auction.level - auction.paid[seat])
        auction.paid[seat] = auction.level
        auction.entered[seat] = True
        auction.announced[seat] = announced or auction.announced[seat]
    auction.spoken[seat] = True
    auction.out[seat] = auction.out[seat] or word == GOOD
    pass_on(deal, seat)


def pass_on(deal: Deal, seat: int | None) -> None:
    """The next one who has to speak; or the auction has ended."""
    auction = auction_of(deal)
    still_in = [other for other in deal.order if not auction.out[other]]
    waiting = [other for other in still_in if not auction.spoken[other]]
    if len(still_in) == 1:
        (winner,) = still_in
        if deal.stake == 0:
            settle_unseen(deal, winner)
            go_on(deal)
        else:
            deal.phase, deal.turn, deal.showdown = "show", winner, Showdown([winner], winner=winner)
    elif not waiting and auction.opened:
        open_showdown(deal, still_in)
    elif not waiting:
        deal.passed.add(deal.stake)
        deal.auction = None
        go_on(deal)
    elif seat is not None:
        deal.turn = min(waiting, key=lambda other: (other - seat) % deal.seats)


def settle_unseen(deal: Deal, winner: int) -> None:
    """The pool, and the announced class at the simple rate."""
    announced = auction_of(deal).announced[winner]
    deal.take_pool(winner)
    if announced:
        deal.collect(winner, RATES[announced][0] * (2 if deal.stake in deal.doubled else 1))
    deal.auction = None


def settle_shown(deal: Deal, winner: int, shown: Sequence[Sequence[int]]) -> None:
    """The pool, and every combination that is shown."""
    deal.take_pool(winner)
    for group in shown:
        deal.collect(winner, worth(deal.stake, group) * (2 if deal.stake in deal.doubled else 1))
    deal.auction = None


def go_on(deal: Deal) -> None:
    """The next stake; after Tricon carte blanche."""
    if deal.stake < 2:
        deal.stake += 1
        open_stake(deal)
    else:
        deal.phase, deal.showdown = "blanche", None
        blanche.ask_blanche(deal)


# The showdown


def open_showdown(deal: Deal, contestants: Sequence[int]) -> None:
    """They announce, from eldest on."""
    deal.showdown = Showdown(list(contestants))
    ask_announcement(deal)


def ask_announcement(deal: Deal) -> None:
    """The next contestant; after the last one the best is asked to show."""
    showdown = showdown_of(deal)
    waiting = [seat for seat in showdown.contestants if seat not in showdown.spoken]
    best = best_claimant(showdown)
    if waiting:
        deal.phase, deal.turn = "showdown", waiting[0]
    elif best is None:
        nothing_shown(deal, showdown.contestants)
    else:
        deal.phase, deal.turn, showdown.winner = "show", best, best


def best_claimant(showdown: Showdown) -> int | None:
    """The latest, since each has to beat those before."""
    return next((seat for seat in reversed(showdown.contestants) if seat in showdown.claims), None)


def verify_announcement(deal: Deal, seat: int, name: str, fields: Sequence[int]) -> None:
    """Faults ``wrong-phase``, ``bad-claim``, ``not-better``."""
    if name == "call" and fields[0] == GOOD:
        return
    need(name == "announcement", "wrong-phase")
    first, second = fields
    need(possible_claim(deal.stake, (first, second), len(deal.dealt[seat])), "bad-claim")
    showdown = showdown_of(deal)
    best = best_claimant(showdown)
    if best is not None:
        by_pips = deal.stake == 0 and deal.rules["point"] == "pips"
        old = showdown.claims[best]
        need((second > old[1]) if by_pips else ((first, second) > old), "not-better")


def announce(deal: Deal, seat: int, name: str, fields: Sequence[int]) -> None:
    """Performs a verified announcement."""
    showdown = showdown_of(deal)
    if name == "announcement":
        showdown.claims[seat] = (fields[0], fields[1])
    showdown.spoken.add(seat)
    ask_announcement(deal)


def verify_show(deal: Deal, seat: int, name: str, fields: Sequence[Any]) -> None:
    """Faults ``wrong-phase``, ``not-in-hand``, ``wrong-face``, ``bad-show``, ``not-announced``."""
    claim = showdown_of(deal).claims.get(seat)
    if name == "showing":
        positions, faces = fields[0], fields[1]
        deal.verify_held(seat, positions, faces)
        groups = combinations(deal.stake, faces)
        need(bool(groups) and sum(map(len, groups)) == len(faces), "bad-show")
        need(len(groups) == 1 or (deal.stake > 0 and deal.rules["lesser"] == "on"), "bad-show")
        need(claim is None or any(covers(deal.stake, group, claim) for group in groups), "not-announced")
    elif claim is None:
        need(name == "unseen-class", "wrong-phase")
    else:
        need(name == "call" and fields[0] == GOOD, "wrong-phase")


def show(deal: Deal, seat: int, name: str, fields: Sequence[Any]) -> None:
    """Performs a verified show. Who cannot show what he announced is fined, and the others announce afresh."""
    if name == "showing":
        deal.faces.update(zip(fields[0], fields[1], strict=True))
        settle_shown(deal, seat, combinations(deal.stake, fields[1]))
        go_on(deal)
    elif name == "unseen-class":
        settle_unseen(deal, seat)
        go_on(deal)
    else:
        deal.fine(seat)
        announce_afresh(deal, seat)


def announce_afresh(deal: Deal, without: int) -> None:
    """Without the one who announced falsely, or left."""
    others = [seat for seat in showdown_of(deal).contestants if seat != without]
    if others:
        open_showdown(deal, others)
    else:
        nothing_shown(deal, others)


def nothing_shown(deal: Deal, contestants: Sequence[int]) -> None:
    """The best position takes the pool: of the contestants, else of those who did not give up."""
    stayed = [seat for seat in deal.present if not auction_of(deal).out[seat]]
    settle_shown(deal, [*contestants, *stayed][0], [])
    go_on(deal)
