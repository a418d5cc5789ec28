"""A whole session, verified from its record: who may speak, the chain, every proof, every jeton.

Every track is a generator (module ``tracks``) that yields the step it waits for and is sent what was said. What is
left here is the chain: slots, steps, heads, and which track begins when.
"""

from __future__ import annotations

from protocol.generate import ed25519, game, going_on, tracks
from protocol.generate.bounds import read_frame, read_message
from protocol.generate.deal import blaming
from protocol.generate.faults import Fault, at_fault, need
from protocol.generate.steps import Heard, Said, Standing, Steps, Track
from protocol.generate.wire import (
    DRAW_DECK_TRACK,
    DRAW_TRACK,
    LOSS_TRACK,
    SETUP_TRACK,
    TALK_TRACK,
    Envelope,
    binding,
    decode_envelope,
    first_head,
    loss_head,
    next_head,
    table_id,
    track_name,
)

HOST = 0
MAX_STEPS_AHEAD = 256
MAX_TRACKS_AHEAD = 4
MAX_EARLY_STEP = 64  # of a track that has not started
VERSION = 1


class Session(Standing):
    """Everything that follows from a proposal and the envelopes after it.

    Args:
        proposal: the encoded frame. Faults ``version``, ``bad-rules``, ``equal-keys``, and those of bounds.
        before: the session that it goes on with, where we have seen it. Fault ``not-continued``.
    """

    def __init__(self, proposal: bytes, before: Session | None = None) -> None:
        name, fields = read_frame(proposal)
        need(name == "proposal", "unexpected-frame")
        version, _, chairs, rules, continues = fields
        need(version == VERSION, "version")
        super().__init__(table_id(proposal), len(chairs), game.read_rules(rules, None if continues else len(chairs)))
        for continued in continues:
            going_on.begin(self, continued)
        self.keys = [bytes(chair[0]) for chair in chairs]
        need(len(set(self.keys)) == self.seats, "equal-keys")
        self.tracks: dict[int, Track] = {}
        self.early: list[Envelope] = []
        self.ended = False
        self.left = False  # without a seat that was lost, before the last deal
        self.talk = [0] * self.seats  # the next number of what each seat says beside the history
        self.claims: dict[int, dict[int, tuple[int, int]]] = {}
        if before is not None:
            going_on.verify(self, before)
        self.start(SETUP_TRACK, tracks.setup(self))

    def start(self, number: int, steps: Steps, *after: int) -> None:
        """A track on the final heads of others; what was said early for it finds its place."""
        head = first_head(self.table, number, [self.heads[other] for other in after])
        self.tracks[number] = Track(number, head, steps, next(steps))
        waiting, self.early = self.early, []
        for envelope in waiting:
            with at_fault(envelope.seat, self._label(envelope)):
                self._sort(envelope)

    def take(self, raw: bytes) -> None:
        """One envelope, and all that follows from it. Raises Fault with seat and step."""
        envelope = decode_envelope(raw)
        need(envelope.table == self.table, "other-table")
        need(envelope.seat < self.seats, "bad-seat")
        try:
            ed25519.verify(self.keys[envelope.seat], envelope.signed, envelope.signature)
        except Fault as fault:
            raise Fault(fault.code, None, self._label(envelope)) from fault  # nobody said it
        self.checked["signatures"] += 1
        with at_fault(envelope.seat, self._label(envelope)):
            if envelope.track == TALK_TRACK:
                self._hear(envelope)
            elif envelope.track == LOSS_TRACK:
                self._claim(envelope)
            else:
                self._sort(envelope)
        self._advance()

    def finish(self) -> None:
        """Nothing is left over that no step has taken up. Fault ``unfinished``."""
        need(not self.early, "unfinished")
        for track in self.tracks.values():
            need(all(step < track.step for step, _ in track.slots), "unfinished")

    def standing(self) -> str:
        """Where the record ends, for people."""
        open_tracks = [track.label for track in self.tracks.values() if track.present is not None]
        if self.left:
            return "the table was left without " + ", ".join(f"seat {seat}" for seat in sorted(self.lost))
        return "the session has ended" if self.ended else f"it stands at {', '.join(open_tracks)}"

    # The chain

    def _label(self, envelope: Envelope) -> str:
        if envelope.track in (TALK_TRACK, LOSS_TRACK):
            return "talk" if envelope.track == TALK_TRACK else "loss"
        return f"{track_name(envelope.track)}/{envelope.step}"

    def _sort(self, envelope: Envelope) -> None:
        """Into its slot; what a lost seat said late is dropped, and what is too far ahead.

        Faults ``equivocation``, ``out-of-turn``, ``doubled``.
        """
        if envelope.seat in self.lost:
            return
        track = self.tracks.get(envelope.track)
        if track is None:
            missing = 2 * self.first if self.continued is not None else 0  # the tracks 1 to this were at other tables
            need(envelope.track > missing, "out-of-turn")
            running = [number for number, each in self.tracks.items() if each.present is not None]
            if envelope.track <= max([*running, missing]) + MAX_TRACKS_AHEAD and envelope.step < MAX_EARLY_STEP:
                self.early.append(envelope)
            return
        slot = (envelope.step, envelope.seat)
        known = track.slots.get(slot)
        if known is not None:
            need(known.digest == envelope.digest, "equivocation")
            raise Fault("doubled")
        if envelope.step in track.cuts:
            return
        need(envelope.step >= track.step and track.present is not None, "out-of-turn")
        if envelope.step <= track.step + MAX_STEPS_AHEAD:
            track.slots[slot] = envelope

    def _advance(self) -> None:
        """Closes every step that can be closed."""
        moved = True
        while moved:
            moved = self._cut()
            for track in [] if self.left else list(self.tracks.values()):
                moved = self._try(track) or moved

    def _try(self, track: Track) -> bool:
        step = track.present
        if step is None:
            return False
        here = {seat: each for (at, seat), each in sorted(track.slots.items()) if at == track.step}
        intruders = [seat for seat in here if seat not in step.speakers]
        if len(here) < len(step.speakers) and not intruders:
            return False
        for seat in intruders or here:
            if here[seat].head != track.head:
                raise Fault("history-differs", None, track.label)  # the bytes do not tell whose fault it is
        if intruders:
            raise Fault("out-of-turn", intruders[0], track.label)
        heard: Heard = {}
        with at_fault(min(here), track.label):
            for seat, envelope in here.items():
                heard[seat] = blaming(seat, read_message, envelope.body)
            for seat, (name, _) in heard.items():
                need(name in step.expects, "unexpected-message", seat)
            said = Said(heard, binding(track.number, track.step, track.head))
            self._close(track, next_head(track.head, [each.digest for each in here.values()]), said)
        return True

    def _close(self, track: Track, head: bytes, said: Said) -> None:
        try:
            track.present = track.steps.send(said)
        except StopIteration:
            track.present = None
        track.head = head
        track.step += 1
        if track.present is None:
            self.heads[track.number] = head
            self._follow(track.number)

    def _follow(self, ended: int) -> None:
        """What begins when a track ends."""
        if ended == SETUP_TRACK and self.continued is not None:
            self.number = self.first
            self.start(2 * self.first + 1, tracks.deck(self, self.first, self.dealer))
        elif ended == SETUP_TRACK:
            self.start(DRAW_DECK_TRACK, tracks.deck(self, 0, 0))
        elif ended == DRAW_DECK_TRACK:
            self.start(DRAW_TRACK, tracks.draw(self), DRAW_DECK_TRACK)
        elif ended == DRAW_TRACK:
            self.number = 1
            self.start(3, tracks.deck(self, 1, self.dealer))
        elif ended % 2 == 0:
            self._end_deal()
        if self.number in self.decks and 2 * self.number + 2 not in self.tracks and not self.ended:
            number = self.number
            goes_on = self.continued is not None and number == self.first
            before = SETUP_TRACK if goes_on else 2 * number
            self.start(2 * number + 2, tracks.deal(self, number), 2 * number + 1, before)
            if number < int(self.rules["deals"]):
                self.start(2 * number + 3, tracks.deck(self, number + 1, (self.dealer + 1) % self.seats))

    def _end_deal(self) -> None:
        ruined = self.rules["ruin"] == "on" and min(self.balances) < 0
        self.ended = self.number == int(self.rules["deals"]) or ruined
        self.left = bool(self.lost) and not self.ended
        self.number, self.dealer, self.deal = self.number + 1, (self.dealer + 1) % self.seats, None

    # Beside the history

    def _hear(self, envelope: Envelope) -> None:
        need(envelope.step >= self.talk[envelope.seat], "out-of-turn")
        self.talk[envelope.seat] = envelope.step + 1
        name, fields = read_message(envelope.body)
        need(name in ("talk", "presence", "reachable", "vote", "shown-hand", "leaving"), "unexpected-message")
        if name == "vote":
            need(fields[0] < self.seats and fields[0] != envelope.seat, "bad-seat")
        if name == "shown-hand" and self.last is not None:
            tracks.verify_shown_hand(self, self.last, envelope.seat, fields)

    def _claim(self, envelope: Envelope) -> None:
        name, fields = read_message(envelope.body)
        need(name == "seat-lost", "unexpected-message")
        seat, track, step = fields
        need(seat == envelope.step and seat != envelope.seat, "unexpected-message")
        need(seat < self.seats, "bad-seat")
        need(envelope.seat not in self.claims.get(seat, {}), "doubled")
        self.claims.setdefault(seat, {})[envelope.seat] = (track, step)
        (ours, at), others = self.place, set(self.everybody) - self.lost - {seat}
        for claimant, (track, step) in self.claims[seat].items() if others <= set(self.claims[seat]) else ():
            near = step <= at + MAX_STEPS_AHEAD if track == ours else (track, step) <= (ours + 2, 0)
            need(near and track % 2 == 0, "too-early", claimant)

    @property
    def place(self) -> tuple[int, int]:
        """Track and step of the deal that is played or comes next; of the draw before there is one."""
        track = self.tracks.get(2 * self.number + 2)
        return 2 * self.number + 2, 0 if track is None else track.step

    def _cut(self) -> bool:
        """A seat leaves at the highest step that those who remain have named."""
        for seat in sorted(set(self.claims) - self.lost):
            claims, others = self.claims[seat], set(self.everybody) - self.lost - {seat}
            if self.ended or not others <= set(claims) or max(claims[each] for each in others) != self.place:
                continue
            self.lost.add(seat)
            if self.deal is None:
                self.left = True
                return False
            track = self.tracks[self.place[0]]
            track.cuts.add(track.step)
            track.slots = {
                (step, speaker): each
                for (step, speaker), each in track.slots.items()
                if step != track.step and not (speaker == seat and step > track.step)
            }
            self._close(track, loss_head(track.head, seat), Said({}, lost=seat))
            return True
        return False
