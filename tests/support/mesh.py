"""People who are all linked to each other, each pair by a network of its own that can be cut.

    with open_mesh(folder, "anna", "bruno", "carla") as mesh:
        mesh.begin(deals=3)
        mesh.cut("bruno", "carla")

The first hosts. Between any two stand two proxies, one for each who dials.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from tests.support.dying import PORT, RETRY, WAYS
from tests.support.homes import NEVER, WAIT_S, Home, Running, free_port, open_homes, until
from tests.support.tcp_proxy import Proxy, open_proxy

FACE: Final = ("--autopilot", "novice", "--plain", "--json")
RETRY_S: Final = "0.3"
MOVE: Final = '"event": "card_played"'


class Mesh:
    """Made by :func:`open_mesh`.

    Args:
        homes: by name.
        ports: at which each of them listens.
        proxies: by who dials and who is dialled.
        pace_s: how long their autopilots seem to think.
    """

    def __init__(
        self,
        homes: dict[str, Home],
        ports: dict[str, int],
        proxies: dict[tuple[str, str], Proxy],
        pace_s: float,
    ) -> None:
        self.homes = homes
        self.running: dict[str, Running] = {}
        self._ports = ports
        self._proxies = proxies
        self._pace = ("--pace", str(pace_s))
        self._host = next(iter(homes))

    def host(self, deals: int, module: Sequence[str] = NEVER) -> Running:
        """The first opens a table for all."""
        port = str(self._ports[self._host])
        table = ("--seats", str(len(self.homes)), "--deals", str(deals), "--port", port, "--open", "--no-lan")
        host = self._start(self._host, "host", *table, *self._pace, module=module)
        host.wait_for('"event": "table"')
        return host

    def join(self, name: str, module: Sequence[str] = NEVER) -> Running:
        """Another comes to it."""
        where = f"127.0.0.1:{self._proxies[name, self._host].port}"
        return self._start(name, "join", where, *self._pace, module=module)

    def resume(self, name: str, *more: str, module: Sequence[str] = NEVER) -> Running:
        """Somebody whose process has ended goes back to the seat that was kept."""
        return self._start(name, "resume", *self._pace, *more, module=module)

    def _start(self, name: str, *arguments: str, module: Sequence[str]) -> Running:
        self.running[name] = self.homes[name].start(*arguments, *FACE, module=module)
        return self.running[name]

    def begin(self, deals: int, modules: Mapping[str, Sequence[str]] | None = None) -> None:
        """All come to the table, are linked to each other, and have begun to play.

        Args:
            deals: of the session.
            modules: by name, what runs a process that is not to live for ever.
        """
        modules = modules or {}
        self.host(deals, modules.get(self._host, NEVER))
        for name in self.homes:
            if name != self._host:
                self.join(name, modules.get(name, NEVER))
        self.wait_for_links()
        self.running[self._host].wait_for(MOVE)

    def wait_for_links(self, *pairs: tuple[str, str], limit_s: float = WAIT_S) -> None:
        """Waits until each of these pairs, or all, have got through to each other since their network is there."""
        for one, other in pairs or itertools.combinations(self.homes, 2):
            ways = self.between(one, other)
            until(lambda ways=ways: any(each.carried for each in ways), f"{one} and {other} do not link", limit_s)  # type: ignore[misc] # a default binds these two

    def between(self, one: str, other: str) -> tuple[Proxy, Proxy]:
        """Both ways between two."""
        return self._proxies[one, other], self._proxies[other, one]

    def cut(self, one: str, other: str) -> None:
        """Nothing goes between these two any more."""
        for proxy in self.between(one, other):
            proxy.cut()

    def freeze(self, one: str, other: str) -> None:
        """What one of them sends does not reach the other any more, and nobody is told."""
        for proxy in self.between(one, other):
            proxy.freeze()

    def mend(self, one: str, other: str) -> None:
        """Their network is there again."""
        for proxy in self.between(one, other):
            proxy.mend()

    def isolate(self, name: str) -> None:
        """Cuts somebody off from all others."""
        for other in self.homes.keys() - {name}:
            self.cut(name, other)

    def bring_back(self, name: str) -> None:
        """The network of who was isolated is there again."""
        for other in self.homes.keys() - {name}:
            self.mend(name, other)


@contextmanager
def open_mesh(folder: Path, *names: str, pace_s: float = 0.0) -> Iterator[Mesh]:
    """Homes for ``names`` and the networks between them, while the context lasts."""
    folder.mkdir(exist_ok=True)
    with ExitStack() as stack:
        homes = dict(zip(names, stack.enter_context(open_homes(folder, *names)), strict=True))
        ports = {name: free_port() for name in names}
        proxies = {
            (dials, dialled): stack.enter_context(open_proxy(ports[dialled]))
            for dials, dialled in itertools.permutations(names, 2)
        }
        for name, home in homes.items():
            ways = (f"{ports[other]}={proxies[name, other].port}" for other in names if other != name)
            home.env |= {RETRY: RETRY_S, WAYS: " ".join(ways), PORT: str(ports[name])}
        yield Mesh(homes, ports, proxies, pace_s)
