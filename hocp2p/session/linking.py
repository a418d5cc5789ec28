"""Links that we want and do not have: dialled at once, then again and again, address after address."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from hocp2p.errors import LinkError, LocalError
from hocp2p.net.address import Address, parse_address
from hocp2p.net.link import Link

logger = logging.getLogger(__name__)

DELAYS_S: Final = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
STABLE_S: Final = 5.0  # a link that has lasted so long is dialled anew at once when it goes down
MAX_ADDRESSES: Final = 8  # of one seat

Dial = Callable[[Address, bytes], Awaitable[Link]]
"""Dials an address whose other end has to have this identity key; an empty key stands for the host that we know."""
Attach = Callable[[Link], asyncio.Task[None]]


class Linker:
    """Keeps dialling those to whom links are wanted.

    Args:
        dial: see ``Dial``.
        attach: hands a link over; the task ends with the link.
        home: addresses of whom we joined first, by identity key; empty: the host whose key we do not know yet.
    """

    def __init__(self, dial: Dial, attach: Attach, home: Mapping[bytes, tuple[Address, ...]]) -> None:
        self._dial = dial
        self._attach = attach
        self._home = dict(home)
        self._said: dict[bytes, tuple[str, ...]] = {}
        self._tasks: dict[bytes, asyncio.Task[None]] = {}
        self._tried: dict[bytes, int] = {}  # by key, how often since the last link that held
        self._linked_s: dict[bytes, float] = {}  # by key, since when no link was wanted

    def want(self, wanted: Mapping[bytes, tuple[str, ...]]) -> None:
        """Exactly these links are wanted now, and the seats can be dialled at these addresses."""
        now_s = asyncio.get_running_loop().time()
        for key in self._said.keys() - wanted.keys():
            self._linked_s[key] = now_s
        self._said = dict(wanted)
        for key in [key for key, task in self._tasks.items() if key not in wanted or task.done()]:
            self._tasks.pop(key).cancel()
        for key in wanted:
            if now_s - self._linked_s.pop(key, now_s) >= STABLE_S:
                self._tried[key] = 0
            if key not in self._tasks and self._addresses(key):
                self._tasks[key] = asyncio.create_task(self._keep_dialling(key), name="dial")

    async def close(self) -> None:
        """Dials no more."""
        tasks = list(self._tasks.values())
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _addresses(self, key: bytes) -> tuple[Address, ...]:
        """Where somebody may be: as he says himself, then where we found him first."""
        found = [address for text in self._said.get(key, ())[:MAX_ADDRESSES] if (address := _parsed(text)) is not None]
        home = self._home.get(key, self._home.get(b"", ()))
        return tuple(dict.fromkeys([*home, *found]))

    async def _keep_dialling(self, key: bytes) -> None:
        while True:
            tried = self._tried.get(key, 0)
            delay_s = DELAYS_S[min(tried, len(DELAYS_S) - 1)]
            await asyncio.sleep(delay_s * (0.8 + 0.4 * secrets.randbelow(1000) / 1000))  # not all at the same moment
            self._tried[key] = tried + 1
            for address in self._addresses(key):
                try:
                    link = await self._dial(address, key)
                except (LinkError, LocalError) as error:
                    logger.info("no link to %s: %s", address, error.code)
                    continue
                await asyncio.shield(self._attach(link))  # a link that holds is not wanted any more: we are cancelled
                break


def _parsed(text: str) -> Address | None:
    """An address that somebody says he has; None where it is none."""
    try:
        return parse_address(text)
    except LocalError:
        return None
