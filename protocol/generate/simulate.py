"""Plays whole sessions with pinned identities, cards and choices; for vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from protocol.generate import ed25519, going_on, play, stakes
from protocol.generate.bounds import frame, message
from protocol.generate.deal import Table, commitment
from protocol.generate.faults import Fault
from protocol.generate.game import HOCS, Deal, claim_of, combinations, covers, rank_of
from protocol.generate.player import Player
from protocol.generate.session import Session
from protocol.generate.steps import Track
from protocol.generate.transcript import Stream
from protocol.generate.wire import LOSS_TRACK, NO_HEAD, TALK_TRACK, Envelope, binding

Move = tuple[str, list[Any]]
DEFAULT_RULES = {
    "deals": "6", "ruin": "off", "raise_cap": "20", "double": "per_stake", "point": "cards", "lesser": "on",
    "fortuitous": "paid", "hold_back": "refused",
}  # fmt: skip


def identity_seed(label: str, seat: int) -> bytes:
    """The secret of a seat's identity."""
    return Stream(f"{label} identity {seat}")(32)


def proposal(label: str, seeds: Sequence[bytes], rules: dict[str, str], continues: Sequence[list[Any]] = ()) -> bytes:
    """An encoded proposal with pinned nonces."""
    chairs = []
    for seat, seed in enumerate(seeds):
        chairs.append([ed25519.public_key(seed), f"seat {seat}", "", "", Stream(f"{label} nonce {seat}")(32)])
    pairs = [[name, value] for name, value in rules.items()]
    return frame("proposal", 1, Stream(f"{label} nonce")(32), chairs, pairs, list(continues))  # type: ignore[arg-type]  # nested lists


class Simulation:
    """A session that plays itself.

    Args:
        label: of the pinned randomness.
        seats: 2 or 3.
        before: the session that was left without a seat and goes on here; with a third seat a newcomer.
        changes: house rules that differ from the default ones.
    """

    def __init__(self, label: str, seats: int, before: Simulation | None = None, **changes: str) -> None:
        self.label = label
        self.before = before
        self.seeds = [identity_seed(label, seat) for seat in range(seats)]
        rules, continues = DEFAULT_RULES | changes, list[list[Any]]()
        if before is not None:
            order = going_on.order_of(before.session, seats)
            for seat, old in enumerate(order):
                if old not in before.session.lost:
                    self.seeds[seat] = before.seeds[old]
            continued = going_on.continued_of(before.session, order)
            rules, continues = before.session.rules, [] if continued is None else [continued]
        self.proposal = proposal(label, self.seeds, rules, continues)
        self.session: Session = Session(self.proposal, None if before is None else before.session)
        self.raws: list[bytes] = []
        self.players: dict[int, list[Player]] = {}  # by number of the deal
        self.kept: dict[tuple[int, int, str], bytes] = {}  # what was committed to and is shown in the next step
        self.watch: Callable[[Track, list[Envelope]], None] = lambda _track, _honest: (
            None
        )  # sees a step before it closes

    def run(self, until: Callable[[Session], bool] = lambda _: False) -> None:
        """To the end, or until the condition holds."""
        while not (self.session.ended or self.session.left) and not until(self.session):
            self.step()

    def step(self) -> None:
        """Closes one step: of the first track that waits."""
        track = min((each for each in self.session.tracks.values() if each.present), key=lambda each: each.number)
        assert track.present is not None
        honest = [self.envelope(track, seat) for seat in track.present.speakers]
        self.watch(track, honest)
        for envelope in honest:
            self.say(envelope)

    def envelope(self, track: Track, seat: int, body: bytes | None = None) -> Envelope:
        """What a seat says at the present step of a track, or says instead."""
        body = self._body(track, seat) if body is None else body
        unsigned = Envelope(self.session.table, track.number, track.step, seat, track.head, body)
        return unsigned.sealed(self.seeds[seat])

    def aside(self, seat: int, body: bytes, track: int = TALK_TRACK, step: int | None = None) -> Envelope:
        """Something said beside the history."""
        step = self.session.talk[seat] if step is None else step
        return Envelope(self.session.table, track, step, seat, NO_HEAD, body).sealed(self.seeds[seat])

    def say(self, envelope: Envelope) -> None:
        """Into the record."""
        self.raws.append(envelope.raw)
        self.session.take(envelope.raw)

    def shown_hand(self, seat: int) -> bytes:
        """What is left of a seat's hand of the deal signed last."""
        signed = self.session.last
        assert signed is not None
        player = self.players[signed.number][seat]
        hidden = signed.deal.hidden(signed.deal.hands[seat])
        faces = [player.faces()[position] for position in hidden]
        proof = player.open(hidden, faces, b"hand" + signed.binding)
        return message("shown-hand", signed.number, list(hidden), list(faces), proof)

    def lose(self, lost: int, *, goodbye: bool = False) -> None:
        """A seat leaves at once: it says goodbye, or all others vote to go on without it; then they claim the loss."""
        others = [seat for seat in self.session.everybody if seat != lost]
        if goodbye:
            self.say(self.aside(lost, message("leaving")))
        for seat in [] if goodbye else others:
            self.say(self.aside(seat, message("vote", lost, 1)))
        body = message("seat-lost", lost, *self.session.place)
        for seat in others:
            self.say(self.aside(seat, body, LOSS_TRACK, lost))

    def verify(self) -> None:
        """All that was said here once more. Raises Fault."""
        session = Session(self.proposal, None if self.before is None else self.before.session)
        for raw in self.raws:
            session.take(raw)
        session.finish()

    def deck_of(self, track: Track) -> tuple[int, Table, list[Player]]:
        """Number of the deal, its deck, its players; each takes from a stream of his own."""
        number = (track.number - 1) // 2
        table = self.session.begun[number]
        if number not in self.players:
            self.players[number] = [
                Player(table, seat, Stream(f"{self.label} deck {number} seat {seat}"))
                for seat in range(self.session.seats)
            ]
        return number, table, self.players[number]

    def _body(self, track: Track, seat: int) -> bytes:
        assert track.present is not None
        expects = track.present.expects
        if "agreement" in expects:
            return message("agreement")
        number, table, players = self.deck_of(track)
        player = players[seat]
        if "key-commit" in expects or "share-commit" in expects:
            what = "key" if "key-commit" in expects else "shares"
            payload = self.kept[number, seat, what] = player.key() if what == "key" else player.shares()
            return message(
                "key-commit" if what == "key" else "share-commit", commitment(what, table.context, seat, payload)
            )
        if "key-reveal" in expects:
            return message("key-reveal", self.kept[number, seat, "key"])
        if "share-reveal" in expects:
            return message("share-reveal", self.kept[number, seat, "shares"])
        if "shuffle-proof" in expects:
            return message("shuffle-proof", player.shuffle())
        if "deck-digest" in expects:
            return message("deck-digest", table.digest())
        place = binding(track.number, track.step, track.head)
        if "drawn-card" in expects:
            position = seat + self.session.seats * (track.step - 2)
            face = player.faces()[position]
            return message("drawn-card", position, face, player.open([position], [face], place))
        deal = self.session.deal
        assert deal is not None
        if "receipt" in expects:
            return message("receipt", list(deal.balances), play.carried(deal)[0])  # type: ignore[arg-type]  # lists of integers
        return self.move(deal, player, place)

    def move(self, deal: Deal, player: Player, place: bytes) -> bytes:
        """A plain player's move, with its proof."""
        hand = player.faces()
        name, fields = choose(deal, player.seat, hand)
        due = play.proof_due(deal, player.seat, name, [*fields, b""])
        if due is not None:
            kind, positions, faces = due
            prove = player.open if kind == "open" else player.not_holding
            fields = [*fields, prove(positions, faces, place)]
        elif name in ("card-opening", "showing", "non-holding", "carte-blanche"):
            fields = [*fields, b""]
        return message(name, *fields)


def choose(deal: Deal, seat: int, hand: dict[int, int]) -> Move:
    """Honest and simple: in with the best class or out, the lowest card that goes on."""
    left = {position: hand[position] for position in deal.hands[seat]}
    groups = combinations(deal.stake, left.values())
    if deal.phase == "auction":
        return _call(deal, seat, groups)
    if deal.phase == "showdown":
        claim = max((claim_of(deal.stake, group) for group in groups), default=None)
        if claim is not None and _is_legal(deal, seat, ("announcement", list(claim))):
            return "announcement", list(claim)
        return "call", [stakes.GOOD, 0, 0]
    if deal.phase == "show":
        return _show(deal, seat, left, groups)
    if deal.phase == "blanche":
        return ("blanche-waived" if any(face % 13 >= 10 for face in hand.values()) else "carte-blanche"), []
    called = deal.called
    fitting = [p for p, face in left.items() if called is None or rank_of(face) == called or face in HOCS]
    if not fitting:
        return "non-holding", [called]
    position = min(fitting, key=lambda p: (left[p] in HOCS, rank_of(left[p]), left[p]))
    return "card-opening", [position, left[position]]


def _call(deal: Deal, seat: int, groups: Sequence[Sequence[int]]) -> Move:
    auction = stakes.auction_of(deal)
    best = max((claim_of(deal.stake, group)[0] for group in groups), default=0)
    announced = 0
    if deal.stake and best and not auction.entered[seat]:
        announced = min(best, 5) - 2 if deal.stake == 1 else best + 1
    if not best:
        return "call", [stakes.GOOD if auction.opened else stakes.PASS, 0, 0]
    if auction.opened:
        return "call", [stakes.STAY, 0, announced]
    return "call", [stakes.RAISE, 2, announced]


def _show(deal: Deal, seat: int, left: dict[int, int], groups: Sequence[Sequence[int]]) -> Move:
    claim = stakes.showdown_of(deal).claims.get(seat)
    if claim is None:
        return "unseen-class", []
    if deal.stake == 0 or deal.rules["lesser"] == "off":
        groups = [group for group in groups if covers(deal.stake, group, claim)][:1]
    shown = {face: position for position, face in left.items()}
    faces = [face for group in groups for face in group]
    return "showing", [[shown[face] for face in faces], faces]


def _is_legal(deal: Deal, seat: int, move: Move) -> bool:
    try:
        play.verify(deal, seat, *move)
    except Fault:
        return False
    return True
