"""What is said of a table as a whole: before it is shown, when it is over, in a list of seats that are kept."""

from __future__ import annotations

from hocp2p.record.sessions import About
from hocp2p.table.events import SessionEnded
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.lang import _
from hocp2p.ui.meeting import is_outside, waiting_outside
from hocp2p.ui.names import (
    capitalized,
    joined,
    seat_names,
    table_title,
)
from hocp2p.ui.sentences import describe_event


def lobby_line(snapshot: TableSnapshot) -> str:
    """The table, who sits there, and how the others come to it."""
    if is_outside(snapshot):
        return waiting_outside(snapshot.address)
    seated = sum(1 for info in snapshot.seats if info.name)
    seats = len(snapshot.seats)
    if snapshot.invite and snapshot.hosting and seated < seats:
        sentence = _("{title} at {address}, {seated} of {seats} seated; others: hocp2p join {invite}")
    elif not snapshot.address:  # our own bots alone: it listens nowhere
        sentence = _("{title}, {seated} of {seats} seated")
    elif snapshot.hosting and seated < seats:
        sentence = _("{title} at {address}, {seated} of {seats} seated; others: hocp2p join {address}")
    else:
        sentence = _("{title} at {address}, {seated} of {seats} seated")
    return sentence.format(
        title=table_title(snapshot.title), address=snapshot.address, seated=seated, seats=seats, invite=snapshot.invite
    )


def describe_kept(number: int, about: About) -> str:
    """A seat that one can go back to, in a list of them."""
    others = joined(list(about.others.values()))
    told = _("{number}  {title}: {name} with {others}, since {since}")
    return told.format(
        number=number, title=table_title(about.title), name=about.name, others=others, since=about.since[:16]
    )


def farewell_line(snapshot: TableSnapshot) -> str:
    """What is left to say when the screen has closed: the result as it was signed, or that we left; else empty.

    Why a table stopped is told apart, as an error.
    """
    told = None
    if snapshot.net is not None and snapshot.finished:
        told = describe_event(SessionEnded(snapshot.net), seat_names(snapshot), you=snapshot.our_seat)
    elif snapshot.stopped is not None and snapshot.stopped.code == "left":
        told = capitalized(translate_error(snapshot.stopped.message))
    return told or ""
