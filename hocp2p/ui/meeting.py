"""Who comes and who has gone: the invite, those who knock, seats that are not heard. What its keys do. Pure."""

from __future__ import annotations

from dataclasses import replace

from hocp2p.table.snapshot import Knock, Stage, TableSnapshot
from hocp2p.ui.effects import Answer, Copy, Effect, RenewInvite, Resize, Vote
from hocp2p.ui.lang import _
from hocp2p.ui.local import Local, Page, Question
from hocp2p.ui.modes import has_begun

Pressed = tuple[Local, Effect | None]


def join_command(snapshot: TableSnapshot) -> str:
    """What others type to come here; where only a guest can be dialled, to come back. Empty: nobody can."""
    if not snapshot.invite:
        return ""
    return f"hocp2p join {snapshot.invite}" if snapshot.hosting else f"hocp2p resume --at {snapshot.invite}"


def is_outside(snapshot: TableSnapshot) -> bool:
    """Whether the host has not given us a chair: our greeting is on its way, or we knock."""
    return snapshot.stage is Stage.LOBBY and not snapshot.seats


def waiting_outside(address: str) -> str:
    """What there is to say then. ``address``: the host's."""
    return _("at {address}: the host has to let you in; who has an invite is let in at once").format(address=address)


def can_invite(snapshot: TableSnapshot, _local: Local) -> bool:
    """Whether there is a way for others to us, and a use for it."""
    return bool(snapshot.invite) and (snapshot.hosting or has_begun(snapshot))


def can_renew(snapshot: TableSnapshot, local: Local) -> bool:
    """Whether the invite can be replaced."""
    return snapshot.hosting and can_invite(snapshot, local)


def first_knock(snapshot: TableSnapshot) -> Knock | None:
    """Who has knocked first, where we may let him in."""
    return snapshot.knocks[0] if snapshot.knocks and snapshot.may_manage else None


def knocked(snapshot: TableSnapshot, _local: Local) -> bool:
    """Whether somebody waits to be let in by us."""
    return first_knock(snapshot) is not None


def can_resize(snapshot: TableSnapshot, _local: Local) -> bool:
    """Whether two may go on."""
    return snapshot.may_resize


def seat_to_give_up(snapshot: TableSnapshot) -> int | None:
    """The first seat that we may vote to go on without, and have not."""
    return next((seat for seat in sorted(snapshot.may_give_up) if not _voted(snapshot, seat)), None)


def seat_to_wait_for(snapshot: TableSnapshot) -> int | None:
    """The first seat that we would go on without, while it is not lost."""
    return next((info.seat for info in snapshot.seats if info.present and _voted(snapshot, info.seat)), None)


def _voted(snapshot: TableSnapshot, seat: int) -> bool:
    return snapshot.our_seat is not None and snapshot.our_seat in snapshot.seats[seat].votes


def can_give_up(snapshot: TableSnapshot, _local: Local) -> bool:
    """Whether there is a seat to vote about."""
    return seat_to_give_up(snapshot) is not None


def can_wait(snapshot: TableSnapshot, _local: Local) -> bool:
    """Whether there is a vote of ours to take back."""
    return seat_to_wait_for(snapshot) is not None


def press_invite(key: str, snapshot: TableSnapshot, local: Local) -> Pressed | None:
    """What a key does about the invite, before the game and on its page; None: nothing of the kind."""
    if not can_invite(snapshot, local):
        return None
    on_page = local.page is Page.INVITE
    match key:
        case "i":
            return replace(local, page=Page.TABLE if on_page else Page.INVITE, scroll=0), None
        case "c":
            told = _("copied, if your terminal does that")  # no terminal answers
            return replace(local, message=told), Copy(join_command(snapshot))
        case "n" if on_page and snapshot.hosting:
            return replace(local, message=_("the old invite is dead; who has it needs the new one")), RenewInvite()
    return None


def press_at_door(key: str, snapshot: TableSnapshot, local: Local) -> Pressed | None:
    """What a key does about who knocks and about an empty chair; None: nothing of the kind."""
    knock = first_knock(snapshot)
    if key in ("a", "d") and knock is not None:
        return local, Answer(knock.number, admit=key == "a")
    return (local, Resize()) if key == "2" and snapshot.may_resize else None


def press_vote(key: str, snapshot: TableSnapshot, local: Local) -> Pressed | None:
    """What a key does about a seat that is not heard; None: nothing of the kind."""
    waited = seat_to_wait_for(snapshot)
    if key == "x" and can_give_up(snapshot, local):
        return replace(local, asking=Question.GIVE_UP), None
    return (local, Vote(waited, go_on=False)) if key == "u" and waited is not None else None


def give_up(snapshot: TableSnapshot) -> Effect | None:
    """Goes on without the seat: the question was answered with yes."""
    seat = seat_to_give_up(snapshot)
    return Vote(seat, go_on=True) if seat is not None else None


def without_meeting(snapshot: TableSnapshot, local: Local) -> Local:
    """The state without what is open in vain: a question about who is back, the page of an invite that has ended."""
    if local.asking is Question.GIVE_UP and not can_give_up(snapshot, local):
        local = replace(local, asking=None)
    if local.page is Page.INVITE and not can_invite(snapshot, local):
        local = replace(local, page=Page.TABLE)
    return local
