"""What hints are made of, for the words of the screen: many kinds of reason, which nobody needs before the first hint.
Hence apart from :mod:`hocp2p.session.hints`.
"""

from __future__ import annotations

from hocp2p.players import reasons
from hocp2p.players.reasons import Advice

__all__ = ["Advice", "reasons"]
