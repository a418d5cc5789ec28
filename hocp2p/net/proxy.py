"""Proxies by which a table is dialled."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Final
from urllib.parse import SplitResult, urlsplit

from hocp2p.errors import LocalError
from hocp2p.net.address import Address

_SCHEMES: Final = {"http": "http", "socks5": "socks5h", "socks5h": "socks5h"}  # names are looked up by the proxy


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy. ``str`` gives what may be shown: everything but user and password.

    Args:
        scheme: ``http`` (CONNECT, RFC 9110 9.3.6) or ``socks5h`` (RFC 1928, the proxy looks names up).
        address: where it is.
        url: all of it, user and password included.
    """

    scheme: str
    address: Address
    url: str = field(repr=False)

    def __str__(self) -> str:
        return f"{self.scheme}://{self.address}"


def parse_proxy(text: str) -> Proxy:
    """``http://HOST:PORT`` or ``socks5://HOST:PORT``, each with ``USER:PASSWORD@`` before the host where it needs them.

    Raises:
        LocalError: ``bad-proxy``; the message never holds user or password.
    """
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname, parts.port
    except ValueError:  # a port that is none, brackets that do not close
        host, port, parts = None, None, SplitResult("", "", "", "", "")
    if parts.scheme not in _SCHEMES or not host or not port or not text.isascii() or not _is_bare(parts):
        raise LocalError("bad-proxy", "that is no proxy: write http://HOST:PORT or socks5://HOST:PORT")
    scheme = _SCHEMES[parts.scheme]
    if scheme == "socks5h" and find_spec("python_socks") is None:
        raise LocalError("bad-proxy", 'a SOCKS proxy needs the package python-socks: pip install "hocp2p[socks]"')
    return Proxy(scheme, Address(host, port), parts._replace(scheme=scheme, path="").geturl())


def _is_bare(parts: SplitResult) -> bool:
    """Nothing beyond address, user and password, and the last two both or neither."""
    return (
        parts.path in ("", "/")
        and not parts.query
        and not parts.fragment
        and (parts.username is None) == (parts.password is None)
    )
