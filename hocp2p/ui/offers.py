"""What can be done at the table beside the game, as the line mode tells it: let in, give up, go on between two."""

from __future__ import annotations

from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.lang import _
from hocp2p.ui.names import seat_names, seat_word


def describe_offers(snapshot: TableSnapshot) -> dict[str, str]:
    """By its command, one sentence for each without its full stop."""
    names = seat_names(snapshot)
    offers: dict[str, str] = {}
    for knock in snapshot.knocks if snapshot.may_manage else ():
        told = _("{name} knocks, key {key}. let in: {admit}; or not: {decline}")
        admit, decline = f"admit {knock.number}", f"decline {knock.number}"
        offers[admit] = told.format(name=knock.name, key=knock.key, admit=admit, decline=decline)
    for seat in sorted(snapshot.may_give_up):
        told = _("{name} ({seat}) has been away for long. go on without: {give_up}; take that back: {wait}")
        give_up, wait = f"giveup {seat + 1}", f"wait {seat + 1}"
        offers[give_up] = told.format(name=names[seat], seat=seat_word(seat), give_up=give_up, wait=wait)
    if snapshot.may_resize:
        offers["two"] = _("a chair is empty. go on between two: {two}").format(two="two")
    return offers
