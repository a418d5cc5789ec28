"""Several hosts on one machine: network namespaces of Linux, joined by a bridge. Needs root and ``ip`` of iproute2.

    with open_lan("anna", "bruno") as lan:
        lan.host("anna").run(["ping", "-c1", lan.host("bruno").address])

Everything is in namespaces that are made here and taken away at the end, so the machine's own network is not touched,
and addresses are chosen freely. A host behind a NAT of its own has a router (a namespace with masquerading by
``nft``) between itself and the LAN: it can dial out and nobody can dial in. Names are unique to the process and count.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

_COUNT: Final = itertools.count()
_MASQUERADE: Final = (
    "add table ip nat; add chain ip nat post { type nat hook postrouting priority 100; }; "
    'add rule ip nat post oifname "lan" masquerade; '
    "add table ip filter; add chain ip filter pass { type filter hook forward priority 0; policy drop; }; "
    'add rule ip filter pass iifname "home" accept; '
    "add rule ip filter pass ct state established,related accept"
)
_RUN_S: Final = 60.0


@dataclass(frozen=True)
class Host:
    """One namespace.

    Args:
        name: of the host, as it was asked for.
        namespace: its name for ``ip netns``.
        address: its IPv4 address; on the LAN, or behind its NAT.
        outside: the IPv4 address that the LAN sees it with.
    """

    name: str
    namespace: str
    address: str
    outside: str

    def command(self, command: Sequence[str]) -> list[str]:
        """``command``, to be run on this host."""
        return ["ip", "netns", "exec", self.namespace, *command]

    def run(
        self, command: Sequence[str], *, timeout_s: float = _RUN_S, **options: Any
    ) -> subprocess.CompletedProcess[str]:
        """Runs it to its end; raises CalledProcessError where it fails. ``options`` as of ``subprocess.run``."""
        return subprocess.run(
            self.command(command), check=True, capture_output=True, text=True, timeout=timeout_s, **options
        )

    @contextmanager
    def start(self, command: Sequence[str], env: Mapping[str, str] | None = None) -> Iterator[subprocess.Popen[str]]:
        """Runs it beside us; killed at the end where it still runs. Its output is in ``stdout``."""
        process = subprocess.Popen(
            self.command(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env=None if env is None else dict(env), start_new_session=True,
        )  # fmt: skip
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate()

    def cut(self) -> None:
        """Pulls its cable."""
        self.run(["ip", "link", "set", "lan" if self.address == self.outside else "home", "down"])

    def mend(self) -> None:
        """Puts it in again, and the default route that went with it."""
        device = "lan" if self.address == self.outside else "home"
        self.run(["ip", "link", "set", device, "up"])
        self.run(["ip", "route", "replace", "default", *(["dev", device] if device == "lan" else ["via", "10.77.0.1"])])

    def processes(self) -> list[int]:
        """Ids of the processes that run on it."""
        return [int(word) for word in _ip("netns", "pids", self.namespace).split()]


@dataclass(frozen=True)
class Lan:
    """Hosts that reach each other."""

    hosts: tuple[Host, ...]

    def host(self, name: str) -> Host:
        """That host."""
        return next(host for host in self.hosts if host.name == name)


@cache
def why_not(*, nat: bool = False) -> str | None:
    """Why hosts cannot be made here, for ``pytest.skip``; None where they can.

    Args:
        nat: whether one is to be behind a NAT.
    """
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return "network namespaces need root"
    if shutil.which("ip") is None:
        return "network namespaces need ip, of iproute2"
    if nat and shutil.which("nft") is None:
        return "a NAT needs nft, of nftables"
    try:
        with open_lan("anna", "bruno", nat=("carla",) if nat else ()):
            return None
    except subprocess.CalledProcessError as error:
        return f"network namespaces cannot be made here: {error.stderr.strip()}"


@contextmanager
def open_lan(*names: str, nat: Sequence[str] = ()) -> Iterator[Lan]:
    """A LAN with a host for each name, and one more behind a router of its own for each of ``nat``.

    Hosts have 10.66.0.1, 10.66.0.2 and so on, and send multicast to the LAN. Those behind a NAT have 10.77.0.2, each
    in a network of its own. Raises CalledProcessError where the system does not let us.
    """
    tag = f"hoc{os.getpid()}x{next(_COUNT)}"
    with ExitStack() as stack:
        wire = _add_namespace(stack, f"{tag}w")
        _ip("-n", wire, "link", "add", "lan", "type", "bridge")
        _ip("-n", wire, "link", "set", "lan", "up")
        hosts: list[Host] = []
        for number, name in enumerate((*names, *nat), 1):
            outside, end = f"10.66.0.{number}", _add_namespace(stack, f"{tag}n{number}")
            _join(wire, f"port{number}", end, "lan", f"{outside}/24")
            _ip("-n", wire, "link", "set", f"port{number}", "master", "lan")
            if name in nat:
                inner = _add_namespace(stack, f"{tag}h{number}")
                _put_behind(end, inner)
                hosts.append(Host(name, inner, "10.77.0.2", outside))
            else:
                _ip("-n", end, "route", "add", "default", "dev", "lan")
                hosts.append(Host(name, end, outside, outside))
        yield Lan(tuple(hosts))


def _add_namespace(stack: ExitStack, name: str) -> str:
    """A namespace with its loopback up, taken away with ``stack`` together with what runs in it."""
    _ip("netns", "add", name)
    stack.callback(_remove_namespace, name)
    _ip("-n", name, "link", "set", "lo", "up")
    return name


def _remove_namespace(name: str) -> None:
    for word in _ip("netns", "pids", name).split():
        os.kill(int(word), signal.SIGKILL)
    _ip("netns", "del", name)


def _join(left: str, left_end: str, right: str, right_end: str, right_address: str) -> None:
    """A cable between two namespaces."""
    _ip("-n", left, "link", "add", left_end, "type", "veth", "peer", "name", right_end, "netns", right)
    _ip("-n", right, "addr", "add", right_address, "dev", right_end)
    _ip("-n", left, "link", "set", left_end, "up")
    _ip("-n", right, "link", "set", right_end, "up")


def _put_behind(router: str, inner: str) -> None:
    """Makes ``router``, which is on the LAN, the only way of ``inner``."""
    _join(router, "home", inner, "home", "10.77.0.2/24")
    _ip("-n", router, "addr", "add", "10.77.0.1/24", "dev", "home")
    _ip("-n", inner, "route", "add", "default", "via", "10.77.0.1")
    inside = ["ip", "netns", "exec", router]
    _call([*inside, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"])
    _call([*inside, "nft", _MASQUERADE])


def _ip(*arguments: str) -> str:
    return _call(["ip", *arguments])


def _call(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=_RUN_S).stdout
