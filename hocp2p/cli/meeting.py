"""Where to join: by an invite, an address whose key is compared, or the list of the local network."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hocp2p.cli.console import is_terminal
from hocp2p.cli.settings import Settings
from hocp2p.crypto.identity import Identity, fingerprint
from hocp2p.errors import LinkError, LocalError
from hocp2p.net.address import Address, parse_address
from hocp2p.net.dialling import dial
from hocp2p.net.invite import is_invite, parse_invite
from hocp2p.net.link import Link
from hocp2p.net.tls import Trust
from hocp2p.record.known_keys import KnownKeys
from hocp2p.session.guest import JoinOptions, dial_first
from hocp2p.session.loop import run_loop
from hocp2p.session.ways import Paths
from hocp2p.ui.lang import _
from hocp2p.wire.frames import PROTOCOL_VERSION
from hocp2p.wire.text import clean_text

if TYPE_CHECKING:
    from hocp2p.net.discovery import Found

MAX_TITLE: int = 40


def join_options(flags: Mapping[str, object], settings: Settings, name: str, sessions: Path) -> JoinOptions:
    """What an invite or an address says. Raises LocalError."""
    given = str(flags["address"])
    paths = Paths(settings.bind, 0, settings.via, settings.direct)
    if is_invite(given):
        invite = parse_invite(given)
        host, port = invite.address
        trust = Trust(pin=invite.pin)
        return JoinOptions(host, port, name, trust=trust, secret=invite.secret, paths=paths, sessions=sessions)
    host, port = parse_address(given)
    return JoinOptions(host, port, name, paths=paths, sessions=sessions)


async def reach(options: JoinOptions, known: KnownKeys, *, ask: bool) -> Link:
    """A link to the host: at the address, or wherever in the local network he is now.

    Without a pin the key of who answers is shown, to be compared, unless we have met it.

    Raises LinkError where he is not to be found or the key is refused.
    """
    try:
        link = await dial_first(options)
    except LinkError as error:
        if options.trust.pin is None or error.code == "key-mismatch":
            raise
        link = await _reach_in_network(options, error)
    if options.trust.pin is None and link.key is not None and not known.is_known(link.key):
        told = _("the key at {address} is {key}: it must be the one that the host sees as his")
        sys.stderr.write(told.format(address=link.peer, key=fingerprint(link.key)) + "\n")
        if ask:
            await link.close()  # nobody waits at an open link for a person to read
            if not await _is_same_key():
                raise LinkError("key-mismatch", "that was another key; nothing was said to whoever answers there")
            link = await dial_first(replace(options, trust=Trust(key=link.key)))
    return link


async def _is_same_key() -> bool:
    sys.stderr.write(_("is it the same? [y/N] "))
    sys.stderr.flush()
    answer = await asyncio.to_thread(sys.stdin.readline)
    return answer.strip().lower() in ("y", "yes", _("yes"), _("y"))


async def _reach_in_network(options: JoinOptions, failed: LinkError) -> Link:
    """The host has perhaps another address in our network now. Raises ``failed`` where he has not."""
    from hocp2p.net.discovery import browse  # zeroconf: not before it is needed

    try:
        found = await browse(clean=_clean)
    except LinkError:
        raise failed from None
    for table in found:
        for host in table.addresses:
            try:
                return await dial(Address(host, table.port), options.trust, via=options.paths.via, timeout_s=3.0)
            except LinkError:
                continue
    raise failed


def find_in_network(wanted: str | None, identity: Identity) -> Found:
    """The table of the local network that is meant. Raises LinkError, LocalError where it is not clear which.

    Args:
        wanted: part of its title, or None.
        identity: ours: our own table is none to join.
    """
    from hocp2p.net.discovery import browse  # as above

    tables = [table for table in run_loop(browse(clean=_clean)) if table.key != identity.public]
    if wanted is not None:
        tables = [table for table in tables if wanted.casefold() in table.title.casefold()]
    fitting = [table for table in tables if table.version == PROTOCOL_VERSION]
    for number, table in enumerate(tables, start=1):
        sys.stderr.write(f"{number}  {_describe(table)}\n")
    if not tables:
        raise LinkError("no-table", "no table is to be seen in this network; ask the host for his invite")
    if not fitting:
        raise LinkError("version", "no table in this network speaks our protocol; update hocp2p on both sides")
    if len(fitting) == 1:
        return fitting[0]
    if not is_terminal(sys.stdin):
        raise LocalError("which-table", "there are several tables: name one, as in hocp2p join --lan anna")
    sys.stderr.write(_("which one? "))
    sys.stderr.flush()
    answer = sys.stdin.readline().strip()
    if not answer.isdigit() or not 1 <= int(answer) <= len(tables):
        raise LocalError("which-table", "that is none of the tables")
    return tables[int(answer) - 1]


def _describe(table: Found) -> str:
    free = _("{free} free").format(free=table.free) if table.free else _("full")
    return f"{table.title}  {free}  {fingerprint(table.key)}  {Address(table.addresses[0], table.port)}"


def lan_options(table: Found, settings: Settings, name: str, sessions: Path) -> JoinOptions:
    """How the table that was found is joined: by its key, and knocking."""
    *others, host = reversed(table.addresses)
    return JoinOptions(
        host,
        table.port,
        name,
        others=tuple(Address(each, table.port) for each in others),
        trust=Trust(key=table.key),
        paths=Paths(settings.bind, 0, settings.via, settings.direct),
        sessions=sessions,
    )


def _clean(title: str) -> str:
    return clean_text(title, MAX_TITLE)
