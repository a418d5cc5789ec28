"""Puts to the table what a player asks of it."""

from __future__ import annotations

from hocp2p.session.client import HostClient
from hocp2p.session.managing import Managing
from hocp2p.ui.effects import Again, Answer, Manage, Ready, RenewInvite, Request, Resize, Say, ShowHand, Vote


def ask(request: Request, client: HostClient, managing: Managing) -> None:
    """Asks for it.

    Args:
        request: what is asked for.
        client: our seat; a guest's refuses what is the host's.
        managing: carries out what a host asks for before the game.

    Raises:
        HocError: it cannot be had; nothing has changed.
    """
    match request:
        case Say(text):
            client.say(text)
        case Ready():
            client.ready()
        case ShowHand():
            client.show_hand()
        case Again():
            client.again()
        case Manage(wishes):
            managing.ask(*wishes)
        case Vote(seat, True):
            client.give_up(seat)
        case Vote(seat):
            client.wait_for(seat)
        case Answer(number, True):
            client.admit(number)
        case Answer(number):
            client.decline(number)
        case Resize():
            client.resize()
        case RenewInvite():
            client.renew_invite()
