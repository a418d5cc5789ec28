"""Vectors of what stands around a deal: heads, proposals, and moves by the rules of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from protocol.generate import game, play, stakes, wire
from protocol.generate.bounds import frame, message, read_frame, read_message
from protocol.generate.msgpack import Value
from protocol.generate.session import Session
from protocol.generate.simulate import DEFAULT_RULES, identity_seed, proposal
from protocol.generate.vector import Vector, vector

TABLE = b"\x2a" * 32
HEADS = [bytes([number]) * 32 for number in range(1, 4)]


def heads() -> list[Vector]:
    """The chain. ``first``: of a track, on the final heads of others; ``next``: over digests of envelopes by seat;
    ``loss``: a seat leaves."""
    found = []
    for track, before in ((0, []), (1, []), (2, HEADS[:1]), (3, []), (4, HEADS[:2]), (1202, HEADS[:2])):
        head = wire.first_head(TABLE, track, before)
        found.append(vector(f"first of {wire.track_name(track)}", lambda: None, None, what="first", table=TABLE,
                            track=track, before=before, head=head))  # fmt: skip
    for digests in (HEADS[:1], HEADS[:2], HEADS):
        found.append(vector(f"next, {len(digests)} spoke", lambda: None, None, what="next", before=[bytes(32)],
                            digests=digests, head=wire.next_head(bytes(32), digests)))  # fmt: skip
    for seat in (1, 2):
        found.append(vector(f"seat {seat} leaves", lambda: None, None, what="loss", before=[bytes(32)], seat=seat,
                            head=wire.loss_head(bytes(32), seat)))  # fmt: skip
    return found


def offer(seats: int, **changes: str) -> bytes:
    """A proposal of a session of its own."""
    label = f"proposal {seats}"
    return proposal(label, [identity_seed(label, seat) for seat in range(seats)], DEFAULT_RULES | changes)


def proposals() -> list[Vector]:
    """Proposals by themselves; the valid ones with the table id."""
    found = []
    for seats, changes in ((2, {}), (3, {}), (3, {"deals": "3", "ruin": "on", "double": "never", "raise_cap": "1"})):
        data = offer(seats, **changes)
        name = f"{seats} seats, {', '.join(changes) or 'default rules'}"
        found.append(vector(name, partial(Session, data), None, hex=data, table=wire.table_id(data)))
    for name, code, data in _continuing_proposals():
        given = {} if code else {"table": wire.table_id(data)}
        found.append(vector(name, partial(Session, data), code, hex=data, **given))
    for name, code, data in _wrong_proposals():
        found.append(vector(name, partial(Session, data), code, hex=data))
    return found


def _continuing_proposals() -> Iterator[tuple[str, str | None, bytes]]:
    """Of sessions that go on at another table; what they go on with is not looked at."""
    _, (version, nonce, chairs, rules, _) = read_frame(offer(2, deals="9"))
    _, (_, _, three, _, _) = read_frame(offer(3))

    def with_continued(continued: Value, seats: Value = chairs) -> bytes:
        return frame("proposal", version, nonce, seats, rules, [continued])

    yield "goes on with two, nine deals", None, with_continued([TABLE, HEADS[0], 5, 1, [120, 75], [3, 0, 6], [1]])
    yield "goes on with three", None, with_continued([TABLE, HEADS[0], 9, 2, [-5, 100, 193], [9, 3, 0], []], three)
    yield "goes on after the draw", None, with_continued([TABLE, HEADS[0], 1, 0, [100, 100], [0, 0, 0], [0, 1, 2]])
    yield "goes on with a deal too many", "bad-rules", with_continued([TABLE, HEADS[0], 10, 1, [100, 100], [0] * 3, []])
    ruined: Value = [[name, "on" if name == "ruin" else value] for name, value in rules]
    last: Value = [TABLE, HEADS[0], 5, 1, [-1, 201], [0] * 3, []]
    yield "goes on though one is ruined", "bad-rules", frame("proposal", version, nonce, chairs, ruined, [last])
    yield "goes on, a dealer who is none", "bad-count", with_continued([TABLE, HEADS[0], 5, 2, [100, 100], [0] * 3, []])
    yield "goes on, a balance too many", "bad-count", with_continued([TABLE, HEADS[0], 5, 1, [99] * 3, [0] * 3, []])
    yield (
        "goes on, a balance missing",
        "bad-count",
        with_continued([TABLE, HEADS[0], 5, 1, [99] * 2, [0] * 3, []], three),
    )


def _wrong_proposals() -> Iterator[tuple[str, str, bytes]]:
    _, (version, nonce, chairs, rules, _) = read_frame(offer(2))

    def with_rules(pairs: Sequence[Sequence[str]]) -> bytes:
        return frame("proposal", version, nonce, chairs, [list(pair) for pair in pairs], [])

    def changed(name: str, value: str) -> bytes:
        return with_rules([[key, value if key == name else old] for key, old in rules])

    yield "version 0", "version", frame("proposal", 0, nonce, chairs, rules, [])
    yield "version 2", "version", frame("proposal", 2, nonce, chairs, rules, [])
    yield "one identity twice", "equal-keys", frame("proposal", version, nonce, [chairs[0], chairs[0]], rules, [])
    yield "a rule missing", "bad-rules", with_rules(rules[:-1])
    yield "no rules", "bad-rules", with_rules([])
    yield "a rule twice", "bad-rules", with_rules([*rules, rules[-1]])
    yield "two rules in another order", "bad-rules", with_rules([rules[1], rules[0], *rules[2:]])
    yield "an unknown rule", "bad-rules", with_rules([*rules[:-1], ["speed", "fast"]])
    for name, value in (
        ("deals", "0"), ("deals", "5"), ("deals", "601"), ("deals", "602"), ("deals", "06"), ("deals", "+6"),
        ("deals", "six"), ("raise_cap", "0"), ("raise_cap", "1001"), ("raise_cap", "020"), ("raise_cap", "²"),
        ("ruin", "yes"), ("double", "always"), ("point", "Cards"), ("lesser", "none"), ("fortuitous", "on"),
        ("hold_back", "allowed"),
    ):  # fmt: skip
        yield f"{name} is {value}", "bad-rules", changed(name, value)


# Moves

Said = tuple[int, bytes]
PASS, GOOD = message("call", 0, 0, 0), message("call", 4, 0, 0)
FLUSH = [0, 1, 2, 3, 4]  # A to 5 of spades: a point of 5/15, a quint
SHOWN = [0, 2, 4, 6, 8]  # where eldest, seat 0, holds them


def call(word: int, by: int = 0, announced: int = 0) -> bytes:
    """A word in an auction."""
    return message("call", word, by, announced)


def show(positions: Sequence[int], faces: Sequence[int]) -> bytes:
    """Cards shown, without their proof."""
    return message("showing", list(positions), list(faces), b"")


def card(position: int, face: int) -> bytes:
    """A card played, without its proof."""
    return message("card-opening", position, face, b"")


def sans(rank: int) -> bytes:
    """Said without its proof."""
    return message("non-holding", rank, b"")


PASSED = [(0, PASS), (1, PASS)]
TO_SEQUENCE = PASSED
TO_TRICON = PASSED * 2
TO_BLANCHE = PASSED * 3
TO_PLAY: list[Said] = [*TO_BLANCHE, (0, message("blanche-waived")), (1, message("blanche-waived"))]
TO_SHOWDOWN: list[Said] = [(0, call(stakes.DECLARE)), (1, call(stakes.STAY))]
TO_SHOW: list[Said] = [*TO_SHOWDOWN, (0, message("announcement", 5, 15)), (1, GOOD)]
QUINT: list[Said] = [*TO_SEQUENCE, (0, call(stakes.DECLARE, announced=3))]
ALONE: list[Said] = [*QUINT, (1, GOOD)]
LED: list[Said] = [*TO_PLAY, (0, card(0, 3)), (0, sans(5))]  # the four of spades, and no five
COURT_SHOWN: list[Said] = [
    *TO_SHOWDOWN, (0, message("announcement", 1, 10)), (1, GOOD), (0, show([0], [10])), *PASSED, *PASSED,
]  # fmt: skip
FIVE_SHOWN: list[Said] = [
    *TO_SHOWDOWN, (0, GOOD), (1, message("announcement", 1, 5)), (1, show([1], [17])), *PASSED, *PASSED,
    (0, message("blanche-waived")), (1, message("blanche-waived")), (0, card(0, 3)), (0, sans(5)),
]  # fmt: skip
SAID_SANS: list[Said] = [*LED, (1, sans(5)), (0, card(2, 16)), (0, sans(5))]  # a fortuitous hoc; another four is led

WRONG_MOVES: tuple[tuple[str, str, list[Said], Said, dict[str, str]], ...] = (
    ("a card in an auction", "wrong-phase", [], (0, card(0, 3)), {}),
    ("an announcement in an auction", "wrong-phase", [], (0, message("announcement", 5, 15)), {}),
    ("pass after an opening", "opened", [(0, call(stakes.DECLARE))], (1, PASS), {}),
    ("declare after an opening", "opened", [(0, call(stakes.DECLARE))], (1, call(stakes.DECLARE)), {}),
    ("stay before an opening", "not-opened", [], (0, call(stakes.STAY)), {}),
    ("good before an opening", "not-opened", [], (0, GOOD), {}),
    ("a raise above the cap", "bad-raise", [], (0, call(stakes.RAISE, 21)), {}),
    ("a raise above another cap", "bad-raise", [], (0, call(stakes.RAISE, 2)), {"raise_cap": "1"}),
    ("a raise of nothing", "bad-range", [], (0, call(stakes.RAISE)), {}),
    ("a pass with jetons", "bad-range", [], (0, call(stakes.PASS, 1)), {}),
    ("a pass with a class", "bad-range", [], (0, call(stakes.PASS, 0, 1)), {}),
    ("good with a class", "bad-range", [(0, call(stakes.DECLARE))], (1, call(stakes.GOOD, 0, 1)), {}),
    ("a class for Point", "bad-class", [], (0, call(stakes.DECLARE, 0, 1)), {}),
    ("Sequence without a class", "no-class", TO_SEQUENCE, (0, call(stakes.DECLARE)), {}),
    ("Sequence with a brelan", "bad-class", TO_SEQUENCE, (0, call(stakes.DECLARE, 0, 4)), {}),
    ("Tricon with a quint", "bad-class", TO_TRICON, (0, call(stakes.DECLARE, 0, 3)), {}),
    ("a raise with a lower class", "bad-class", [*QUINT, (1, call(stakes.RAISE, 1, 1))],
     (0, call(stakes.RAISE, 1, 2)), {}),
    ("a stay with a higher class", "bad-class", [*TO_SEQUENCE, (0, call(stakes.DECLARE, 0, 1)),
     (1, call(stakes.RAISE, 1, 1))], (0, call(stakes.STAY, 0, 2)), {}),
    ("pass in a showdown", "wrong-phase", TO_SHOWDOWN, (0, PASS), {}),
    ("a point of 14 cards", "bad-claim", TO_SHOWDOWN, (0, message("announcement", 14, 85)), {}),
    ("a point of no cards", "bad-claim", TO_SHOWDOWN, (0, message("announcement", 0, 0)), {}),
    ("a point of two cards with 2", "bad-claim", TO_SHOWDOWN, (0, message("announcement", 2, 2)), {}),
    ("a point of two cards with 21", "bad-claim", TO_SHOWDOWN, (0, message("announcement", 2, 21)), {}),
    ("a run of two", "bad-claim", [*QUINT, (1, call(stakes.STAY, 0, 1))], (0, message("announcement", 2, 5)), {}),
    ("a run below its length", "bad-claim", [*QUINT, (1, call(stakes.STAY, 0, 1))],
     (0, message("announcement", 5, 4)), {}),
    ("a run above the king", "bad-claim", [*QUINT, (1, call(stakes.STAY, 0, 1))],
     (0, message("announcement", 3, 14)), {}),
    ("five of a rank", "bad-claim", [*TO_TRICON, (0, call(stakes.DECLARE, 0, 5)), (1, call(stakes.STAY, 0, 4))],
     (0, message("announcement", 5, 5)), {}),
    ("an equal announcement", "not-better", [*TO_SHOWDOWN, (0, message("announcement", 5, 15))],
     (1, message("announcement", 5, 15)), {}),
    ("fewer cards with more points", "not-better", [*TO_SHOWDOWN, (0, message("announcement", 5, 15))],
     (1, message("announcement", 4, 40)), {}),
    ("more cards with fewer points, by pips", "not-better", [*TO_SHOWDOWN, (0, message("announcement", 4, 40))],
     (1, message("announcement", 5, 15)), {"point": "pips"}),
    ("the class unseen after a showdown", "wrong-phase", TO_SHOW, (0, message("unseen-class")), {}),
    ("good by a lone winner", "wrong-phase", ALONE, (0, GOOD), {}),
    ("a show with a card of another suit", "bad-show", TO_SHOW, (0, show([*SHOWN, 10], [*FLUSH, 20])), {}),
    ("a show of another point", "not-announced", TO_SHOW, (0, show(SHOWN, [0, 1, 2, 3, 5])), {}),
    ("a show of another hand's position", "not-in-hand", TO_SHOW, (0, show([0, 2, 4, 6, 9], FLUSH)), {}),
    ("a show with a position twice", "not-in-hand", TO_SHOW, (0, show([0, 2, 4, 6, 6], FLUSH)), {}),
    ("a show with a face twice", "wrong-face", TO_SHOW, (0, show(SHOWN, [0, 1, 2, 3, 3])), {}),
    ("a show with a card to no run", "bad-show", ALONE, (0, show([*SHOWN, 10], [*FLUSH, 20])), {}),
    ("a show of nothing that counts", "bad-show", ALONE, (0, show([0, 2], [0, 1])), {}),
    ("two runs where one is shown", "bad-show", ALONE, (0, show([*SHOWN, 10, 12, 14], [*FLUSH, 20, 21, 22])),
     {"lesser": "off"}),
    ("a card when carte blanche is asked", "wrong-phase", TO_BLANCHE, (0, card(0, 3)), {}),
    ("carte blanche with a court that all have seen", "holds-court", COURT_SHOWN,
     (0, message("carte-blanche", b"")), {}),
    ("a call when cards are played", "wrong-phase", TO_PLAY, (0, PASS), {}),
    ("sans instead of a lead", "must-lead", TO_PLAY, (0, sans(5)), {}),
    ("holding back instead of a lead", "must-lead", TO_PLAY, (0, message("held-back", 5)), {}),
    ("a card of another rank", "wrong-rank", LED, (1, card(1, 5)), {}),
    ("sans of another rank", "wrong-rank", LED, (1, sans(6)), {}),
    ("holding back another rank", "wrong-rank", LED, (1, message("held-back", 6)), {}),
    ("sans with a five that all have seen", "holds-rank", FIVE_SHOWN, (1, sans(5)), {}),
    ("holding back after sans", "nothing-to-hold", SAID_SANS, (1, message("held-back", 5)), {}),
    ("a position of another hand", "not-in-hand", LED, (1, card(2, 4)), {}),
    ("a sleeping position", "not-in-hand", LED, (1, card(51, 4)), {}),
    ("a card that was played", "not-in-hand", SAID_SANS[:-2], (0, card(0, 3)), {}),
    ("a face that lies on the table", "wrong-face", SAID_SANS, (1, card(1, 3)), {}),
    ("another face than was shown there", "wrong-face", FIVE_SHOWN, (1, card(1, 4)), {}),
)  # fmt: skip

GOOD_MOVES: tuple[tuple[str, list[Said], dict[str, str]], ...] = (
    ("all pass Point", PASSED, {}),
    ("a point shown", [*TO_SHOW, (0, show(SHOWN, FLUSH))], {}),
    ("a false announcement admitted", [*TO_SHOW, (0, GOOD)], {}),
    ("a quint taken unseen", [*ALONE, (0, message("unseen-class"))], {}),
    ("a quint and a tierce shown", [*ALONE, (0, show([*SHOWN, 10, 12, 14], [*FLUSH, 20, 21, 22]))], {}),
    ("one carte blanche", [*TO_BLANCHE, (0, message("carte-blanche", b"")), (1, message("blanche-waived"))], {}),
    ("two cartes blanches", [*TO_BLANCHE, (0, message("carte-blanche", b"")), (1, message("carte-blanche", b""))], {}),
    ("a fortuitous hoc", SAID_SANS, {}),
    ("a fortuitous hoc, unpaid", SAID_SANS, {"fortuitous": "unpaid"}),
    ("a fixed hoc", [*LED, (1, card(1, 11))], {}),
    ("a card held back", [*LED, (1, message("held-back", 5))], {"hold_back": "fined"}),
)


def moves() -> list[Vector]:
    """Moves in the first deal of two, seat 0 eldest, judged by the rules alone: ``moves`` are legal, ``last`` is not.
    Proofs are left out here. The legal ones come with what follows."""
    found = []
    for name, said, changes in GOOD_MOVES:
        deal = _played(said, changes)
        found.append(vector(name, lambda: None, None, rules=DEFAULT_RULES | changes, moves=said, turn=deal.turn,
                            balances=deal.balances, pools=deal.pools))  # fmt: skip
    for name, code, said, last, changes in WRONG_MOVES:
        found.append(vector(name, partial(_played, [*said, last], changes), code,
                            rules=DEFAULT_RULES | changes, moves=said, last=last))  # fmt: skip
    return found


def _played(said: Sequence[Said], changes: dict[str, str]) -> game.Deal:
    deal = play.start_deal(DEFAULT_RULES | changes, 2, 1, [100, 100], [0, 0, 0], set())
    for seat, body in said:
        if seat != deal.turn:
            raise RuntimeError(f"it is not seat {seat}'s turn")
        name, fields = read_message(body)
        play.verify(deal, seat, name, fields)
        play.perform(deal, seat, name, fields)
    return deal
