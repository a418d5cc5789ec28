"""What happens between programs, as sentences: links that come and go, votes, seats that are filled anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hocp2p.table.events import KeyChanged, Knocked, LinkChanged, RecordEnded, Refused, TableEvent, TableParted, Voted
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.lang import N_, _
from hocp2p.ui.names import joined

Says = Callable[..., str]


def describe_link_event(event: TableEvent, says: Says, name: Callable[[int], str], you: int | None) -> str | None:
    """One sentence without its full stop; None where the event is none of these.

    Args:
        event: of the table.
        says: gives the sentence about ``you`` or that about another, see ``sentences.Speaker.says``.
        name: of a seat.
        you: our seat, or None.
    """
    match event:
        case LinkChanged(seat, False):
            return _("{name} is not heard any more").format(name=name(seat))
        case LinkChanged(seat, True):
            return _("{name} is heard again").format(name=name(seat))
        case Refused(seat, _code, message):
            return _("{name} does not go on: {message}").format(name=name(seat), message=translate_error(message))
        case Voted(voter, seat, True):
            sentences = (
                N_("you would go on without {away}"),
                N_("{name} would go on without you") if seat == you else N_("{name} would go on without {away}"),
            )
            return says(voter, *sentences, away=name(seat))
        case Voted(voter, seat, False):
            sentences = (
                N_("you would wait for {away}"),
                N_("{name} would wait for you") if seat == you else N_("{name} would wait for {away}"),
            )
            return says(voter, *sentences, away=name(seat))
        case TableParted(lost):
            return _parted(lost, name)
        case KeyChanged(seat, key, before, last_met):
            told = _("CAUTION: {name} has another key than before ({key}; {before} on {last_met}): ask who it is")
            return told.format(name=name(seat), key=key, before=before, last_met=last_met)
        case Knocked(_number, stranger, key):
            return _("{stranger} knocks, key {key}").format(stranger=stranger, key=key)
        case RecordEnded(reason):
            told = _("the record of this session cannot be written any more: {reason}; the game goes on")
            return told.format(reason=reason)
        case _:
            return None


def _parted(lost: Sequence[int], name: Callable[[int], str]) -> str:
    told = _("{name} is gone: the session goes on from here, with somebody new in that chair, or between two")
    return told.format(name=joined([name(seat) for seat in lost]))
