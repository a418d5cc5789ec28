"""The game: carte blanche, a hand dealt without a court. After it the cards are played."""

from __future__ import annotations

from protocol.generate.faults import need
from protocol.generate.game import Deal


def verify_blanche(deal: Deal, seat: int, name: str) -> None:
    """Faults ``wrong-phase``, ``holds-court``."""
    need(name in ("carte-blanche", "blanche-waived"), "wrong-phase")
    if name == "carte-blanche":
        seen = [deal.faces[position] for position in deal.dealt[seat] if position in deal.faces]
        need(not any(face % 13 >= 10 for face in seen), "holds-court")


def ask_blanche(deal: Deal) -> None:
    """Eldest first; then a single claim is paid, and eldest leads."""
    waiting = [seat for seat in deal.present if seat not in deal.blanche]
    if waiting:
        deal.turn = waiting[0]
        return
    claimants = [seat for seat, claimed in deal.blanche.items() if claimed]
    if len(claimants) == 1:
        deal.collect(claimants[0], 10)
    deal.phase, deal.turn = "play", deal.present[0]
