"""What can be asked for about coming and going: the part of ``ui.intents`` for invites, knocks and votes."""

from __future__ import annotations

from typing import Final

from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.intent import Intent, Topic
from hocp2p.ui.lang import N_
from hocp2p.ui.local import Local, Page
from hocp2p.ui.meeting import can_give_up, can_invite, can_renew, can_resize, can_wait, knocked
from hocp2p.ui.modes import TABLE, Mode, has_begun

LOBBY: Final = frozenset({Mode.READY, Mode.WAITING})
INVITING: Final = LOBBY | {Mode.PAGE}


def _invites(snapshot: TableSnapshot, local: Local) -> bool:
    return can_invite(snapshot, local) and local.page in (Page.TABLE, Page.INVITE)


def _is_invited_to(snapshot: TableSnapshot, _local: Local) -> bool:
    return bool(snapshot.invite)


def _renews(snapshot: TableSnapshot, local: Local) -> bool:
    return can_renew(snapshot, local) and local.page is Page.INVITE


def _keeps(snapshot: TableSnapshot, local: Local) -> bool:
    return local.keeps and has_begun(snapshot)


MEETING_INTENTS: Final = (
    Intent(
        "let in",
        Topic.HOST,
        ("a",),
        LOBBY,
        knocked,
        bar=("a",),
        label=N_("let in"),
        help=N_("let in who knocks; compare the key with the one that he sees"),
        command="admit N",
        meaning=N_("let in who knocks, by the number of the knock"),
    ),
    Intent(
        "decline",
        Topic.HOST,
        ("d",),
        LOBBY,
        knocked,
        bar=("d",),
        label=N_("decline"),
        help=N_("do not let in who knocks"),
        command="decline N",
        meaning=N_("do not let in who knocks, by the number of the knock"),
    ),
    Intent(
        "two go on",
        Topic.HOST,
        ("2",),
        LOBBY,
        can_resize,
        bar=("2",),
        label=N_("between two"),
        help=N_("go on between two, without the seat that was lost"),
        command="two",
        meaning=N_("after a seat was lost: go on between two instead of filling its chair"),
    ),
    Intent(
        "invite",
        Topic.ALWAYS,
        ("i",),
        INVITING,
        _invites,
        bar=("i",),
        label=N_("invite"),
        help=N_("before the game and while you wait: how others come to the table, invite, QR code, all ways"),
        told=_is_invited_to,
        command="invite [new]",
        meaning=N_("how others come to the table; new: another invite, and the old one is dead"),
    ),
    Intent(
        "copy the invite",
        Topic.ALWAYS,
        ("c",),
        INVITING,
        _invites,
        bar=("c",),
        label=N_("copy"),
        help=N_("put the invite into the clipboard, where the terminal does that"),
        told=_is_invited_to,
    ),
    Intent(
        "new invite",
        Topic.ALWAYS,
        ("n",),
        frozenset({Mode.PAGE}),
        _renews,
        bar=("n",),
        label=N_("new invite"),
        help=N_("on the page of the invite: another one, and the old one is dead"),
        told=can_renew,
    ),
    Intent(
        "go on without",
        Topic.ALWAYS,
        ("x",),
        TABLE,
        can_give_up,
        bar=("x",),
        label=N_("go on without"),
        help=N_("vote to go on without a seat that has been away for long; asks once"),
        command="giveup SEAT",
        meaning=N_("vote to go on without a seat that has been away for long: giveup 2"),
    ),
    Intent(
        "wait after all",
        Topic.ALWAYS,
        ("u",),
        TABLE,
        can_wait,
        bar=("u",),
        label=N_("wait after all"),
        help=N_("take your vote back and wait"),
        command="wait SEAT",
        meaning=N_("take that vote back and wait for the seat: wait 2"),
    ),
    Intent(
        "give the seat up", Topic.ALWAYS, ("y", "Y"), frozenset({Mode.PARTING}), bar=("y",), label=N_("go on without")
    ),
    Intent(
        "keep the seat",
        Topic.ALWAYS,
        ("k",),
        frozenset({Mode.LEAVING}),
        _keeps,
        bar=("k",),
        label=N_("keep my seat"),
        command="keep",
        meaning=N_("go and keep your seat: hocp2p resume brings you back to it"),
    ),
)
