"""QR codes of characters: the modules that segno made, the border, and sizes."""

from __future__ import annotations

import pytest
import segno

from hocp2p.net.address import Address
from hocp2p.net.invite import Invite, format_invite
from hocp2p.ui.qr import QUIET_MODULES, draw_qr, fits


def invite(host: str) -> str:
    return format_invite(Invite(Address(host, 7411), bytes(range(16)), bytes(range(10))))


IPV4 = invite("203.0.113.7")
IPV6 = invite("2001:db8::7")
INK = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}


def modules(rows: tuple[str, ...], *, on_dark: bool) -> list[list[bool]]:
    """True for each dark module, read off the half blocks."""
    found: list[list[bool]] = []
    for row in rows:
        for half in (0, 1):
            found.append([INK[cell][half] != on_dark for cell in row])
    return found


@pytest.mark.parametrize("on_dark", [True, False])
@pytest.mark.parametrize("text", [IPV4, IPV6])
def test_every_module_stands_where_it_should(text: str, on_dark: bool) -> None:
    code = segno.make_qr(text.upper(), error="l")
    expected = [[bool(dark) for dark in row] for row in code.matrix_iter(border=4)]
    found = modules(draw_qr(text, on_dark=on_dark), on_dark=on_dark)
    assert found[: len(expected)] == expected
    assert not any(any(row) for row in found[len(expected) :])
    assert not any(any(row) for row in found[:QUIET_MODULES])
    assert not any(any(row[:QUIET_MODULES] + row[-QUIET_MODULES:]) for row in found)


@pytest.mark.parametrize("on_dark", [True, False])
def test_ascii_has_the_same_modules(on_dark: bool) -> None:
    rows = draw_qr(IPV4, on_dark=on_dark, ascii_only=True)
    assert set("".join(rows)) == {"#", " "}
    assert all(row[0::2] == row[1::2] for row in rows)
    assert [[(cell == "#") != on_dark for cell in row[::2]] for row in rows] == modules(
        draw_qr(IPV4, on_dark=on_dark), on_dark=on_dark
    )[: len(rows)]


@pytest.mark.parametrize(
    ("text", "ascii_only", "columns", "rows"),
    [(IPV4, False, 37, 19), (IPV6, False, 41, 21), (IPV4, True, 74, 37), (IPV6, True, 82, 41)],
)
def test_sizes(text: str, ascii_only: bool, columns: int, rows: int) -> None:
    drawn = draw_qr(text, ascii_only=ascii_only)
    assert {len(row) for row in drawn} == {columns}
    assert len(drawn) == rows
    assert fits(drawn, columns, rows)
    assert not fits(drawn, columns - 1, rows)
    assert not fits(drawn, columns, rows - 1)


def test_the_usual_ones_fit_an_ordinary_terminal() -> None:
    assert fits(draw_qr(IPV4), 80, 24)
    assert fits(draw_qr(IPV6), 80, 24)
    assert fits(draw_qr(invite("anna.example.org")), 80, 24)


def test_capitals_keep_the_code_small() -> None:
    assert segno.make_qr(IPV4).symbol_size() > segno.make_qr(IPV4.upper()).symbol_size()
