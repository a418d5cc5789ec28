"""What seat 1 could say that is wrong, at every step of a simulated session."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from protocol.generate import play
from protocol.generate.bounds import message, read_message
from protocol.generate.game import Deal, ordinary, rank_of
from protocol.generate.not_holding import prove_not_holding
from protocol.generate.player import Player
from protocol.generate.simulate import Simulation
from protocol.generate.steps import Track
from protocol.generate.transcript import Stream
from protocol.generate.vector import flipped
from protocol.generate.wire import LOSS_TRACK, Envelope, binding

CHEATER = 1


@dataclass
class Wrong:
    """A fault: after the first ``after`` envelopes of its session come these, and the last one is wrong.

    Without a code it is nothing: it is passed over, and nobody is blamed.
    """

    name: str
    code: str | None
    after: int
    envelopes: list[bytes]
    seat: int | None
    step: str


@dataclass
class Tempted:
    """A simulated session in which we look at every step for what could be said instead."""

    simulation: Simulation
    wrongs: list[Wrong] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.simulation.watch = self.look

    def add(
        self, name: str, code: str | None, *envelopes: Envelope, seat: int | None = CHEATER, step: str = ""
    ) -> None:
        """Once for each name."""
        seat = None if code is None else seat
        if all(wrong.name != name for wrong in self.wrongs):
            raws = [envelope.raw for envelope in envelopes]
            self.wrongs.append(Wrong(name, code, len(self.simulation.raws), raws, seat, step))

    def instead(self, name: str, code: str, track: Track, honest: Sequence[Envelope], body: bytes) -> None:
        """The cheater says ``body`` in his slot, after those who speak before him."""
        before = [envelope for envelope in honest if envelope.seat < CHEATER]
        wrong = self.simulation.envelope(track, CHEATER, body)
        self.add(name, code, *before, wrong, step=track.label)

    def look(self, track: Track, honest: list[Envelope]) -> None:
        """What could be said instead at this step."""
        ours = next((envelope for envelope in honest if envelope.seat == CHEATER), None)
        if ours is None:
            if track.number == 1 and track.step == 2:
                early = self.simulation.envelope(track, CHEATER, message("deck-digest", bytes(32)))
                self.add("speaks when another seat shuffles", "out-of-turn", early, step=track.label)
                astray = self.simulation.envelope(
                    replace(track, head=flipped(track.head, 0)), CHEATER, message("deck-digest", bytes(32))
                )
                self.add(
                    "speaks when another seat shuffles, in another history",
                    "history-differs",
                    astray,
                    seat=None,
                    step=track.label,
                )
            return
        name, fields = read_message(ours.body)
        if track.number == 0:
            self.setup(track, honest, ours)
        elif track.number in (1, 2):
            self.deck(track, honest, name, fields)
        elif track.number in (4, 6) and name in play.MOVES and self.simulation.session.deal is not None:
            self.move(track, honest, self.simulation.session.deal, name, fields)
        elif name == "receipt":
            more = [[fields[0][0] + 1, fields[0][1] - 1, *fields[0][2:]], fields[1]]
            self.instead("a receipt with other balances", "receipt-differs", track, honest, message("receipt", *more))
            pools = [fields[0], [fields[1][0] + 1, *fields[1][1:]]]
            self.instead("a receipt with other pools", "receipt-differs", track, honest, message("receipt", *pools))

    def setup(self, track: Track, honest: list[Envelope], ours: Envelope) -> None:
        """The lobby's end."""
        sim = self.simulation
        late, far = copy.copy(track), copy.copy(track)
        late.step, far.number = 257, 5
        stranger = Envelope(sim.session.table, 0, 0, 2, track.head, ours.body).sealed(sim.seeds[CHEATER])
        broken = replace(ours, signature=flipped(ours.signature, 0))
        self.add("a signature altered", "bad-signature", broken, seat=None)
        self.add("a seat that the table does not have", "bad-seat", stranger, seat=None)
        self.add("257 steps ahead", None, sim.envelope(late, CHEATER, ours.body))
        self.add("5 tracks ahead", None, sim.envelope(far, CHEATER, ours.body))
        self.instead("talk instead of the agreement", "unexpected-message", track, honest, message("talk", "yes"))
        self.instead("a body that is no MessagePack", "bad-msgpack", track, honest, b"\xc1")
        self.instead("a body of an unknown kind", "unknown-kind", track, honest, b"\x91\x63")
        self.instead("a body with a field too many", "bad-count", track, honest, b"\x92\x01\x00")
        other = sim.envelope(track, CHEATER, message("leaving"))
        self.add("two messages in one slot", "equivocation", ours, other, step=track.label)
        self.add("a move as talk", "unexpected-message", sim.aside(1, message("held-back", 5)), step="talk")
        for about, name in ((1, "oneself"), (2, "a seat that is none")):
            self.add(f"a vote about {name}", "bad-seat", sim.aside(1, message("vote", about, 1)), step="talk")
        self.add("talk that is no message", "bad-text", sim.aside(1, b"\x92\x28\xa1\n"), step="talk")
        claim = message("seat-lost", 1, 4, 0)
        self.add("oneself claimed lost", "unexpected-message", sim.aside(1, claim, LOSS_TRACK, 1), step="loss")
        claim = message("seat-lost", 2, 4, 0)
        self.add(
            "talk as a claim", "unexpected-message", sim.aside(1, message("talk", "m"), LOSS_TRACK, 2), step="loss"
        )
        self.add("a seat claimed lost that is none", "bad-seat", sim.aside(1, claim, LOSS_TRACK, 2), step="loss")
        self.add(
            "a claim in another seat's place", "unexpected-message", sim.aside(1, claim, LOSS_TRACK, 1), step="loss"
        )

    def deck(self, track: Track, honest: list[Envelope], name: str, fields: list[Any]) -> None:
        """Keys, shuffles, shares, the draw."""
        if name == "key-commit":
            astray = copy.copy(track)
            astray.head = flipped(track.head, 0)
            wrong = self.simulation.envelope(astray, CHEATER, message(name, *fields))
            self.add("another history", "history-differs", honest[0], wrong, seat=None, step=track.label)
            ended = self.simulation.session.tracks[0]
            back = copy.copy(ended)
            self.add("speaks on a track that has ended", "out-of-turn",
                     self.simulation.envelope(back, CHEATER, message("agreement")), step="setup/1")  # fmt: skip
            back = copy.copy(ended)
            back.step = 0
            again = self.simulation.envelope(back, CHEATER, message("leaving"))
            self.add("a second message on a track that has ended", "equivocation", again, step="setup/0")
        codes = {"key-reveal": "key-commit-mismatch", "shuffle-proof": "shuffle-proof", "deck-digest": "deck-digest",
                 "share-reveal": "share-commit-mismatch"}  # fmt: skip
        if name in codes:
            payload = flipped(fields[0], -32)
            self.instead(f"{name}, altered", codes[name], track, honest, message(name, payload))
            self.instead(f"agreement instead of {name}", "unexpected-message", track, honest, message("agreement"))
        if name == "drawn-card":
            position, face, proof = fields
            self.instead(
                "draws another card", "wrong-position", track, honest, message(name, position + 2, face, proof)
            )
            self.instead("draws another seat's card", "wrong-position", track, honest, message(name, 0, face, proof))
            other = (face + 1) % 52
            self.instead("names another face", "opening-proof", track, honest, message(name, position, other, proof))

    def move(self, track: Track, honest: list[Envelope], deal: Deal, name: str, fields: list[Any]) -> None:
        """The play."""
        where = binding(track.number, track.step, track.head)
        player = copy.copy(self.simulation.deck_of(track)[2][CHEATER])
        player.randomness = Stream("fault")
        hand = {position: player.faces()[position] for position in deal.hands[CHEATER]}

        def instead(what: str, code: str, body: bytes) -> None:
            self.instead(what, code, track, honest, body)

        if deal.phase == "auction":
            position, face = next(iter(hand.items()))
            proof = player.open([position], [face], where)
            instead("plays in an auction", "wrong-phase", message("card-opening", position, face, proof))
            instead("passes with jetons", "bad-range", message("call", 0, 1, 0))
            instead("a receipt in an auction", "unexpected-message", message("receipt", [100, 100], [0, 0, 0]))
            instead("raises above the cap", "bad-raise", message("call", 2, 1000, 0))
        if name in ("card-opening", "showing"):
            proof = fields[-1]
            if proof:
                instead(f"{name}, proof altered", "opening-proof", message(name, *fields[:-1], flipped(proof, 32)))
                instead(f"{name} without proof", "bad-length", message(name, *fields[:-1], b""))
                due = play.proof_due(deal, CHEATER, name, fields)
                assert due is not None
                late = player.open(due[1], due[2], flipped(where, 7))
                instead(f"{name}, proof of another step", "opening-proof", message(name, *fields[:-1], late))
            else:
                instead("a proof of what all have seen", "unasked-proof", message(name, *fields[:-1], bytes(64)))
        if name == "non-holding" and fields[1]:
            instead("sans, proof altered", "not-holding-proof", message(name, fields[0], flipped(fields[1], -32)))
            instead("sans without proof", "bad-length", message(name, fields[0], b""))
        if deal.called is not None:
            self._lie(track, honest, deal, player, hand)

    def _lie(self, track: Track, honest: list[Envelope], deal: Deal, player: Player, hand: dict[int, int]) -> None:
        """*Sans* over a card of the rank that nobody has seen."""
        assert deal.called is not None
        hidden = deal.hidden(hand)
        if not any(rank_of(hand[p]) == deal.called and hand[p] in ordinary(deal.called) for p in hidden):
            return
        due = play.proof_due(deal, CHEATER, "non-holding", [deal.called, b""])
        if due is None or any(hand[p] in ordinary(deal.called) for p in hand if p not in hidden):
            return
        where = binding(track.number, track.step, track.head)
        cards = player.table.cards(CHEATER, due[1])
        faces = [hand[p] for p in due[1]]
        proof = prove_not_holding(
            player.table.context, CHEATER, where, player.secret, cards, faces, due[2], Stream("fault")
        )
        body = message("non-holding", deal.called, proof)
        self.instead("sans while holding", "holding", track, honest, body)

    def after_deal(self) -> None:
        """What can be said beside the history when a deal is signed; then the hand is shown."""
        sim = self.simulation
        body = sim.shown_hand(CHEATER)
        _, (number, positions, faces, proof) = read_message(body)
        part = message("shown-hand", number, positions[:-1], faces[:-1], proof)
        self.add("a part of the hand shown", None, sim.aside(1, part))
        other = message(
            "shown-hand", number, positions, [*faces[:-1], next(iter(set(range(52)) - self._seen()))], proof
        )
        self.add("a hand shown as another", None, sim.aside(1, other))
        altered = message("shown-hand", number, positions, faces, flipped(proof, 0))
        self.add("a hand shown, proof altered", None, sim.aside(1, altered))
        sim.say(sim.aside(0, message("talk", "Well played.")))
        sim.say(sim.aside(1, message("presence", 1)))
        sim.say(sim.aside(1, body))

    def _seen(self) -> set[int]:
        signed = self.simulation.session.last
        assert signed is not None
        return set(signed.deal.faces.values()) | set(self.simulation.players[signed.number][CHEATER].faces().values())
