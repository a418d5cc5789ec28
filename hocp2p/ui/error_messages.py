"""What other layers say to a player, in English, where they know of no languages: refused moves, lost links and so on.

The rules, the table and the network write their own sentences. Those that a player can really meet are listed here for
the catalogues; a sentence with names or numbers in it is found by its pattern. All others are shown in English.
"""

from __future__ import annotations

import re
from typing import Final

from hocp2p.ui.lang import N_, _

CONSTANT: Final = (
    # moves that the rules do not allow
    N_("a class must be announced with it"),
    N_("carte blanche is asked for: claim it or go on"),
    N_("everybody has seen a court in that hand"),
    N_("every card shown must belong to a combination of this stake"),
    N_("no rank is called: lead any card"),
    N_("nobody has opened yet: pass, declare or raise"),
    N_("only the one combination is shown"),
    N_("somebody has opened: stay, raise or say good"),
    N_("that class cannot be announced here"),
    N_("that does not beat the best announcement so far: say good"),
    N_("that is not allowed now"),
    N_("the cards are being played: play a card or say sans"),
    N_("the deal is over"),
    N_("the play has not begun"),
    N_("the winner is asked to show: show what was announced"),
    N_("the winner is asked to show: show, or take the class unseen"),
    N_("there is no showdown"),
    N_("this is the showdown: announce, or say good"),
    N_("a stake is being bid for"),
    N_("no stake is being decided"),
    N_("what was announced is not among these cards"),
    # what cannot be done at the table now
    N_("a practice is one deal; hocp2p learn begins another"),
    N_("it is not your turn"),
    N_("that card is not in your hand"),
    N_("only the host changes rules and chairs"),
    N_("the game has begun: chairs and rules are fixed"),
    N_("one moment: your last word is still on its way"),
    N_("the game has not begun"),
    N_("the practice table is ready by itself"),
    N_("the session is not over, or you have said so already"),
    N_("the table is not full yet"),
    N_("there is no guest in that chair"),
    N_("there is no hand to show"),
    N_("there is nobody to talk to before the seats are full"),
    N_("there is nothing to be ready for"),
    N_("you are ready already"),
    # tables that end, and joins that are refused
    N_("somebody with your identity is at the table already"),
    N_("the others no longer hear you and go on without you"),
    N_("the table is closed"),
    N_("the table is full"),
    N_("two seats have the same identity key"),
    N_("you have left the table"),
    N_("another hocp2p plays that seat just now"),
    N_("another identity sat at that table; come back with the one that did"),
    N_("that invite is not valid any more; ask the host for a new one"),
    N_("that is our own identity"),
    N_("that player does not host a table"),
    N_("the host does not let you in"),
    N_("the others have gone on without you"),
    N_("the session goes on by the rules that it began with"),
    N_("too many people knock at that table; ask the host for an invite"),
    N_("we are not at that table, or not any more"),
    N_("you sit at this table, but your program has forgotten the game"),
    # coming and going
    N_("nobody can dial us"),
    N_("nobody knocks by that number"),
    N_("only the host invites"),
    N_("that seat has not been away for long enough"),
    N_("there is no empty chair to play on without"),
    N_("there is no free chair"),
    N_("there is nothing to vote on"),
    # invites and ways
    N_("closed when you quit"),
    N_('opening a port needs a library that is not installed: python -m pip install "hocp2p[upnp]"'),
    N_("that is no proxy: write http://HOST:PORT or socks5://HOST:PORT"),
    N_('a SOCKS proxy needs the package python-socks: pip install "hocp2p[socks]"'),
    N_("the invite is not right: a letter is wrong, or there is one too many"),
    N_("the invite is not right: one of its first letters is wrong"),
    N_("the invite is not written as hocp2p writes it; ask for a new one"),
    N_("the invite names no address that can be dialled; ask for a new one"),
    N_("this is a part of an invite: its end is missing; copy all of it"),
    N_(
        "SOMEBODY ELSE ANSWERS at that address, or the host has a new key; nothing was said to whoever it is: "
        "ask the host for a new invite"
    ),
    N_("what answers there is not a hocp2p table: its certificate is none of ours; check host and port"),
    # links
    N_("the link is closed"),
    N_("the link is lost: the other side is gone or does not answer"),
    N_("the other side does not say who it is"),
)
"""Sentences without anything put in."""

PATTERNS: Final = (
    # the rules
    N_("a raise is from 1 to {most} jetons, not {by}"),
    N_("everybody has seen a {rank} in that hand"),
    N_("that hand has no {rank} to hold back: say sans"),
    N_("the rank called is {rank}"),
    N_("{rank} is called, {card} is neither that nor a hoc"),
    # settings
    N_("there is no house rule {name}"),
    N_("two or three play, not {seats}"),
    N_("{deals} deals do not divide among {seats} players; take a multiple"),
    N_("{name} is a number, not {value}"),
    N_("there is no level {level}; there are {levels}"),
    N_("{name} must be from 1 to {most}, not {value}"),
    # what is typed
    N_("talk is 1 to {most} characters, without control characters"),
    N_("{text} is not a card: rank and suit, for instance 7D"),
    N_("{text} is not a rank: A 2 to 9 T J Q K"),
    N_("{text} is not a claim, for instance 5/31, 4/T or brelan/K"),
    N_("{text} is not a number from 1 to {most}"),
    N_("{words} is not an action"),
    # addresses, ports and links
    N_("cannot listen on port {port}; choose another with --port"),
    N_("nobody listens at {where}; is the table open?"),
    N_("port {port} is in use, perhaps by another table; choose another with --port"),
    N_("there is no host {where}; check the name"),
    N_("there is no way to {where}; check the address and your network"),
    N_("what listens at {where} is not hocp2p; check host and port"),
    N_("{host} is not an address of this machine"),
    N_("{text} is not an address: write HOST:PORT, or [IPv6]:PORT"),
    N_("{text} is not a port: a number from 1 to 65535"),
    N_("{where} does not answer; check the address, or a firewall is in the way"),
    N_("that is no invite: an invite begins with {prefix}"),
    N_("the invite is not right: {letter} is no letter of an invite"),
    N_("the proxy {proxy} does not lead to {where}; check both"),
    N_("the proxy {proxy} is not there; check its address"),
    N_("the router does not open the port ({reason}); allow UPnP in it, or forward the port by hand"),
    N_("the router's own address {address} is not public: your carrier has a NAT, too; use a tunnel"),
    N_(
        "this invite begins with {theirs}, and this version of hocp2p reads {ours}; the older of the two versions must "
        "be updated"
    ),
    N_("what listens at {where} hangs up: no room, or not hocp2p; try again later"),
    # tables that end, and joins that are refused
    N_("that table speaks protocol version {theirs}, you speak {ours}: the other side has to update hocp2p"),
    N_("that table speaks protocol version {theirs}, you speak {ours}: update your hocp2p"),
    N_("this table speaks protocol version {version}: both sides need the same hocp2p"),
    N_("{name} was not heard any more, and the others go on without it; the table cannot go on"),
    N_("{name} has closed the table"),
    N_("{name} has taken the chair away"),
    N_("{name} left the table; the table cannot go on"),
    # files
    N_("others can read the identity file {path}; close it to them with: chmod 600 {again}"),
    N_("the identity file {path} is not a plain file"),
    N_("{path} exists already; choose another file for --record"),
    N_("{path} is no file of learning curves that hocp2p train has written"),
    N_("the kept seat in {folder} is damaged; move that folder away"),
    N_("the kept seats in {folder} cannot be read: {reason}"),
    N_("{path} cannot be read ({reason}); mend it or move it away"),
    N_("whom we have met cannot be kept in {path}: {reason}"),
    N_("{path} cannot be read: {reason}"),
)
"""Sentences in which something changes; what stands in a place is shown as it is."""

LOSSES: Final = (
    N_("{name} left the table"),
    N_("{name} was not heard any more, and the others go on without it"),
)
"""How a seat was lost."""


def translate_error(message: str) -> str:
    """A sentence of another layer in the language in use; in English where no catalogue has it."""
    return _find(PATTERNS, message) or _(message)


def translate_loss(name: str, why: str) -> str:
    """``Bruno left the table``.

    Args:
        name: of the seat.
        why: the clause of ``SeatLeft``.
    """
    sentence = f"{{name}} {why}"
    return _(sentence).format(name=name) if sentence in LOSSES else f"{name} {why}"


def _find(patterns: tuple[str, ...], message: str) -> str | None:
    """The first pattern that fits, translated and filled."""
    for pattern in patterns:
        if found := re.fullmatch(_expression(pattern), message, re.DOTALL):
            return _(pattern).format(**found.groupdict())
    return None


def _expression(pattern: str) -> str:
    """``port {port} is in use`` as a regular expression with a group for each place."""
    return re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(pattern))
