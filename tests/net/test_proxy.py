"""Proxies as they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.errors import LocalError
from hocp2p.net import proxy as proxy_module
from hocp2p.net.address import Address
from hocp2p.net.proxy import Proxy, parse_proxy


def refusal(text: str) -> str:
    with pytest.raises(LocalError) as caught:
        parse_proxy(text)
    assert caught.value.code == "bad-proxy"
    assert "\n" not in caught.value.message
    return caught.value.message


@pytest.mark.parametrize(
    ("text", "proxy"),
    [
        ("http://proxy:3128", Proxy("http", Address("proxy", 3128), "http://proxy:3128")),
        (" HTTP://proxy:3128/ ", Proxy("http", Address("proxy", 3128), "http://proxy:3128")),
        ("http://[::1]:8080", Proxy("http", Address("::1", 8080), "http://[::1]:8080")),
        ("socks5://127.0.0.1:9050", Proxy("socks5h", Address("127.0.0.1", 9050), "socks5h://127.0.0.1:9050")),
        ("socks5h://me:pass@tor:9050", Proxy("socks5h", Address("tor", 9050), "socks5h://me:pass@tor:9050")),
    ],
)
def test_proxies(text: str, proxy: Proxy) -> None:
    assert parse_proxy(text) == proxy


@pytest.mark.parametrize(
    "text",
    [
        "",
        "proxy:3128",
        "https://proxy:443",
        "ftp://proxy:21",
        "socks4://proxy:1080",
        "http://proxy",
        "http://:3128",
        "http://proxy:0",
        "http://proxy:65536",
        "http://proxy:x",
        "http://[::1:3128",
        "http://proxy:3128/path",
        "http://proxy:3128?x=1",
        "http://proxy:3128#x",
        "http://me@proxy:3128",
        "http://próxy:3128",
    ],
)
def test_what_is_no_proxy(text: str) -> None:
    assert "http://HOST:PORT" in refusal(text)


def test_the_password_is_never_shown() -> None:
    proxy = parse_proxy("http://me:SECRET@proxy:3128")
    assert str(proxy) == "http://proxy:3128"
    assert "SECRET" not in repr(proxy)
    assert "SECRET" not in refusal("http://me:SECRET@proxy:3128/path")


def test_socks_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy_module, "find_spec", lambda _: None)
    assert "hocp2p[socks]" in refusal("socks5://127.0.0.1:9050")
    assert parse_proxy("http://127.0.0.1:9050").scheme == "http"


@given(st.text())
def test_any_text_is_a_proxy_or_refused(text: str) -> None:
    try:
        proxy = parse_proxy(text)
    except LocalError as error:
        assert error.code == "bad-proxy"
    else:
        assert parse_proxy(proxy.url) == proxy
