"""Figures as people write them: thousands apart, the sign before decimals, and per cent, by the language in use."""

from __future__ import annotations

from hocp2p.ui.lang import _, p_


def whole(number: int) -> str:
    """``10,000``."""
    # Translators: what stands between the thousands of a number
    return f"{number:,}".replace(",", p_("a number", ","))


def decimal(number: float, digits: int, *, sign: bool = False) -> str:
    """``0.50``, with so many digits behind the point; ``+0.50`` with ``sign``."""
    # Translators: the sign before the decimals of a number
    return f"{number:{'+' if sign else ''}.{digits}f}".replace(".", p_("a number", "."))


def per_cent(share: float, digits: int) -> str:
    """``1.90%``."""
    return _("{number}%").format(number=decimal(100 * share, digits))
