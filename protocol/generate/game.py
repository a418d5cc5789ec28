"""The game, first part: cards, combinations, the public state of a deal, jetons. The rules are told in the client.

The state speaks of deck positions; ``faces`` holds what was opened. Face = 13 * suit + rank - 1, suits spades, hearts,
diamonds, clubs. Stakes 0 Point, 1 Sequence, 2 Tricon. Classes as in a call: 1 tierce, 2 quart, 3 quint, 4 brelan,
5 fredon, 0 none. Whatever is refused is a Fault with the rule's code and no seat; the caller knows who spoke.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from protocol.generate.faults import need

HAND = {2: 15, 3: 12}
START_BALANCE = 100
COURTS = [face for face in range(52) if face % 13 >= 10]
HOCS = {12, 25, 38, 51, 11, 36}  # the kings, the queen of spades, the jack of diamonds
CLASSES: dict[int, list[int]] = {0: [], 1: [1, 2, 3], 2: [4, 5]}
RATES = {1: (1, 2), 2: (2, 3), 3: (3, 4), 4: (2, 4), 5: (4, 8)}  # from each other player: simple, major
CHOICES = {
    "deals": (),
    "ruin": ("off", "on"),
    "raise_cap": (),
    "double": ("per_stake", "all_three", "never"),
    "point": ("cards", "pips"),
    "lesser": ("on", "off"),
    "fortuitous": ("paid", "unpaid"),
    "hold_back": ("refused", "fined"),
}
MOST = {"deals": 600, "raise_cap": 1000}


def read_rules(pairs: Sequence[Sequence[str]], seats: int | None) -> dict[str, str]:
    """The house rules of a proposal: every switch once, in order, in its shortest form. Fault ``bad-rules``.

    The deals are a multiple of the seats, except at a table that goes on with another (None).
    """
    rules = {pair[0]: pair[1] for pair in pairs}
    need([name for name, _ in pairs] == list(CHOICES), "bad-rules")
    for name, choices in CHOICES.items():
        if choices:
            need(rules[name] in choices, "bad-rules")
        else:
            number = rules[name]
            need(number in {str(allowed) for allowed in range(1, MOST[name] + 1)}, "bad-rules")
    need(seats is None or int(rules["deals"]) % seats == 0, "bad-rules")
    return rules


def rank_of(face: int) -> int:
    """1 ace to 13 king."""
    return face % 13 + 1


def pips_of(faces: Iterable[int]) -> int:
    """Card points: courts and tens 10."""
    return sum(min(rank_of(face), 10) for face in faces)


def ordinary(rank: int) -> list[int]:
    """The cards of a rank that are no hocs, ascending."""
    return [face for face in range(rank - 1, 52, 13) if face not in HOCS]


def combinations(stake: int, faces: Iterable[int]) -> list[list[int]]:
    """The separate combinations that cards make: suits, runs of three or more, three or four of a rank."""
    cards, groups = sorted(faces), list[list[int]]()
    if stake == 1:
        for face in cards:
            if groups and face == groups[-1][-1] + 1 and face % 13:
                groups[-1].append(face)
            else:
                groups.append([face])
    else:
        keys = [face // 13 if stake == 0 else face % 13 for face in cards]
        groups = [[face for face, key in zip(cards, keys, strict=True) if key == each] for each in sorted(set(keys))]
    return groups if stake == 0 else [group for group in groups if len(group) >= 3]


def claim_of(stake: int, group: Sequence[int]) -> tuple[int, int]:
    """What is announced of a combination: how many cards, and their points, top rank or rank."""
    return len(group), pips_of(group) if stake == 0 else rank_of(max(group))


def covers(stake: int, group: Sequence[int], claim: tuple[int, int]) -> bool:
    """Whether showing it makes a claim true."""
    count, second = claim_of(stake, group)
    if stake == 0:
        return (count, second) == claim
    if stake == 1:
        return claim[1] <= second and claim[1] - claim[0] >= second - count
    return claim[1] == second and claim[0] <= count


def worth(stake: int, group: Sequence[int]) -> int:
    """Jetons from each other player, before doubling."""
    kind = min(len(group), 5) - 2 if stake == 1 else len(group) + 1
    return RATES[kind][rank_of(max(group)) == 13] if stake else 0


def possible_claim(stake: int, claim: tuple[int, int], hand: int) -> bool:
    """Whether some hand could hold it."""
    count, second = claim
    pips = [min(rank, 10) for rank in range(1, 14)]
    if stake == 0:
        return 1 <= count <= min(hand, 13) and sum(pips[:count]) <= second <= sum(pips[-count:])
    if stake == 1:
        return 3 <= count <= min(hand, second) and second <= 13
    return count in (3, 4) and count <= hand and 1 <= second <= 13


@dataclass
class Auction:
    """One auction; lists by seat."""

    paid: list[int]
    spoken: list[bool]
    out: list[bool]
    entered: list[bool]
    announced: list[int]
    opened: bool = False
    level: int = 0


@dataclass
class Showdown:
    """Announcements; ``winner`` once one is asked to show."""

    contestants: list[int]
    claims: dict[int, tuple[int, int]] = field(default_factory=dict)
    spoken: set[int] = field(default_factory=set)
    winner: int | None = None


@dataclass
class Deal:
    """All that everybody knows of one deal."""

    rules: dict[str, str]
    seats: int
    dealer: int
    balances: list[int]
    pools: list[int]
    doubled: set[int]
    phase: str = "auction"
    turn: int | None = None
    dealt: list[list[int]] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)
    faces: dict[int, int] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)
    fines: int = 0
    stake: int = 0
    auction: Auction | None = None
    showdown: Showdown | None = None
    blanche: dict[int, bool] = field(default_factory=dict)
    # the stops game
    called: int | None = None
    run: list[int] = field(default_factory=list)  # seats that played the cards of the open run
    sans: set[tuple[int, int]] = field(default_factory=set)
    hoc_due: bool = False

    @property
    def order(self) -> list[int]:
        """Seats from eldest to dealer."""
        return [(self.dealer + 1 + place) % self.seats for place in range(self.seats)]

    @property
    def present(self) -> list[int]:
        """Those that are not gone."""
        return [seat for seat in self.order if seat not in self.gone]

    def collect(self, winner: int, amount: int) -> None:
        """Every other seat pays."""
        self.balances[winner] += amount * self.seats
        for seat in range(self.seats):
            self.balances[seat] -= amount

    def pay_in(self, stake: int, seat: int, amount: int) -> None:
        """Into a pool."""
        self.balances[seat] -= amount
        self.pools[stake] += amount

    def fine(self, seat: int) -> None:
        """5 jetons, due to the next deal's Point."""
        self.balances[seat] -= 5
        self.fines += 5

    def take_pool(self, winner: int) -> None:
        """Of the present stake."""
        self.balances[winner] += self.pools[self.stake]
        self.pools[self.stake] = 0

    def hidden(self, positions: Iterable[int]) -> list[int]:
        """Those that nobody has opened."""
        return [position for position in positions if position not in self.faces]

    def unseen(self, faces: Iterable[int]) -> list[int]:
        """Those that lie open nowhere."""
        return [face for face in faces if face not in self.faces.values()]

    def verify_held(self, seat: int, positions: Sequence[int], faces: Sequence[int]) -> None:
        """The seat may hold these cards there, as far as everybody can tell. Faults ``not-in-hand``, ``wrong-face``."""
        known = dict(self.faces)
        need(len(set(positions)) == len(positions), "not-in-hand")
        for position, face in zip(positions, faces, strict=True):
            need(position in self.hands[seat], "not-in-hand")
            need(known.get(position, face) == face, "wrong-face")
            need(all(face != other for place, other in known.items() if place != position), "wrong-face")
            known[position] = face


def positions_of(seats: int, dealer: int) -> list[list[int]]:
    """One at a time, from eldest on; the rest sleeps."""
    return [list(range((seat - dealer - 1) % seats, seats * HAND[seats], seats)) for seat in range(seats)]
