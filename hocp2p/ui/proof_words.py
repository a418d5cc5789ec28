"""What was proved in a deal, in the language in use: the table counts it in English, a phrase each. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from hocp2p.ui.lang import n_

_PROOFS: Final[dict[str, Callable[[int], str]]] = {
    r"keys?": lambda count: n_("{count} key", "{count} keys", count),
    r"shuffles?": lambda count: n_("{count} shuffle", "{count} shuffles", count),
    r"sets? of shares": lambda count: n_("{count} set of shares", "{count} sets of shares", count),
    r"cards? opened": lambda count: n_("{count} card opened", "{count} cards opened", count),
    r"times? sans": lambda count: n_("{count} time sans", "{count} times sans", count),
    r"cartes? blanches?": lambda count: n_("{count} carte blanche", "{count} cartes blanches", count),
    r"receipts?": lambda count: n_("{count} receipt", "{count} receipts", count),
}
"""By how the table writes them after the number, for one and for many."""


def proof_words(proved: Sequence[str]) -> list[str]:
    """``3 shuffles``, ``4 times sans``, translated one by one.

    One that is not known, as perhaps in a record of another version, is left as it is.

    Args:
        proved: of a ``TableSnapshot`` or a ``FinishedDeal``.
    """
    return [_translate(phrase) for phrase in proved]


def _translate(phrase: str) -> str:
    number, _, noun = phrase.partition(" ")
    for pattern, sentence in _PROOFS.items():
        if number.isdecimal() and re.fullmatch(pattern, noun):
            return sentence(int(number)).format(count=number)
    return phrase
