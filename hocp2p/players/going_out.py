"""Whether a hand can get rid of all its cards before anybody else gets a say: exactly, by rules 3 and 3.1.

The estimate of ``Hand.goes_out_leading`` lets a hand stop where it likes. But whoever holds the called rank in an
ordinary card has to play it, or a hoc in its place: with 2 2 3 nobody can lead a single 2 first. So the estimate is a
bound, which no hand can do better than, and here the ways below it are tried.
"""

from __future__ import annotations

from collections.abc import Collection

from hocp2p.players.hand import Hand


class GoingOut:
    """Goes out if nobody else plays a card.

    Args:
        blocked: ranks that the others do not play when they are called: then the lead comes back.
    """

    def __init__(self, blocked: Collection[int]) -> None:
        self.blocked = frozenset(blocked)
        self._known: dict[tuple[Hand, int | None], bool] = {}

    def from_here(self, hand: Hand, called: int | None) -> bool:
        """Whether the hand gets out.

        Args:
            hand: what is left of it.
            called: the rank after its own last card; None: it leads.
        """
        key = hand, called
        if key not in self._known:
            self._known[key] = hand.size == 0 or (self._leads(hand) if called is None else self._goes_on(hand, called))
        return self._known[key]

    def _leads(self, hand: Hand) -> bool:
        if not hand.goes_out_leading(self.blocked):
            return False
        if self._plays_hoc(hand):
            return True
        return any(self.from_here(without(hand, rank), rank + 1) for rank, count in enumerate(hand.counts) if count)

    def _goes_on(self, hand: Hand, called: int) -> bool:
        if self._plays_hoc(hand):
            return True
        if hand.counts[called]:
            return self.from_here(without(hand, called), called + 1)
        return called in self.blocked and self.from_here(hand, None)

    def _plays_hoc(self, hand: Hand) -> bool:
        return hand.hocs > 0 and self.from_here(hand.after_hoc(), None)


def without(hand: Hand, rank: int) -> Hand:
    """The hand with one ordinary card of the rank less, of which there must be one."""
    return Hand(tuple(count - (other == rank) for other, count in enumerate(hand.counts)), hand.hocs)
