"""An invite as a QR code of characters, to be read off the screen by a telephone (ISO/IEC 18004, made by segno)."""

from __future__ import annotations

from typing import Final

QUIET_MODULES: Final = 4
"""The empty border that the standard asks for."""
# By the two modules, upper and lower, that share a cell: True is inked.
_HALVES: Final = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}


def draw_qr(invite: str, *, on_dark: bool = True, ascii_only: bool = False) -> tuple[str, ...]:
    """Rows of equal width, the quiet border included.

    The invite is put into capitals, which reads the same and takes a smaller code: 37 columns and 19 rows for an IPv4
    address, 41 and 21 for IPv6. In ASCII a module takes two characters and a row: 74 columns and 37 rows, 82 and 41.

    Args:
        invite: as :func:`hocp2p.net.invite.format_invite` writes it.
        on_dark: whether the terminal shows light characters on a dark ground; then the light modules are inked, since
            many readers want dark on light.
        ascii_only: for terminals without blocks.
    """
    import segno  # only here: the screen is drawn without

    code = segno.make_qr(invite.upper(), mode="alphanumeric", error="l")  # the level rises as far as the size allows
    inked = [[bool(dark) != on_dark for dark in row] for row in code.matrix_iter(border=QUIET_MODULES)]
    if ascii_only:
        return tuple("".join("##" if module else "  " for module in row) for row in inked)
    if len(inked) % 2:
        inked.append([on_dark] * len(inked[0]))  # one more row of the border
    return tuple(
        "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(inked[::2], inked[1::2], strict=True)
    )


def fits(rows: tuple[str, ...], columns: int, lines: int) -> bool:
    """Whether all of a drawing is seen at once in so many ``columns`` and ``lines``; a part of it cannot be read."""
    return len(rows) <= lines and all(len(row) <= columns for row in rows)
