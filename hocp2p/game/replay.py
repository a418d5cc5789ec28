"""Plays a deal's record again, by the rules, and compares every figure (RULES 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hocp2p.errors import NotationError, RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action
from hocp2p.game.cards import DECK_SIZE, Card
from hocp2p.game.deal_record import STAKE_NAMES, DealRecord
from hocp2p.game.events import Event
from hocp2p.game.house import START_BALANCE
from hocp2p.game.notation import format_action, parse_action
from hocp2p.game.state import DealState, Phase


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a replay.

    Args:
        number: of the action, from 1; 0 is the beginning of the deal.
        seat: who acted or was lost; None at the beginning.
        action: what was done; None at the beginning and where a seat was lost.
        state: after it.
        events: what followed.
    """

    number: int
    seat: int | None
    action: Action | None
    state: DealState
    events: tuple[Event, ...]


def replay(record: DealRecord, balances: Sequence[int] | None = None) -> DealState:
    """The last state of the recorded deal, after its actions were performed and its figures compared.

    A seat's unknown cards (``??``) take the faces that it shows, the first unknown position first: positions are then
    not those of the table, figures are. A claim not to hold a card (*sans*, carte blanche) is compared with the faces
    that are known, and again with all that are known when the deal is over.

    Args:
        record: the deal.
        balances: jetons by seat before it; nothing but the balances of the result depends on them.

    Raises:
        NotationError: naming the action, from 1, that is no line, is not allowed, shows a card that its seat cannot
            have, or denies one that it holds (``illegal-action``); ``unfinished-deal`` when the actions stop early;
            ``wrong-figures`` where pay, net or what stays in the pools is another.
    """
    state: DealState | None = None
    for step in replay_steps(record, balances):
        state = step.state
    if state is None or state.phase is not Phase.OVER:
        raise NotationError("unfinished-deal", f"the deal is not over after action {len(record.actions)}")
    _verify_figures(record, state)
    return state


def replay_steps(record: DealRecord, balances: Sequence[int] | None = None) -> Iterator[Step]:
    """The states of a recorded deal one by one, beginning with the antes. Arguments and errors as :func:`replay`,
    which also compares the figures and the end.
    """
    faces = _Faces(record)
    lost = dict(record.gone)
    state, events = game_rules.start_deal(
        record.rules,
        record.seats,
        record.dealer,
        tuple(balances) if balances is not None else (START_BALANCE,) * record.seats,
        record.carry,
        record.doubled,
        frozenset(seat for seat, after in lost.items() if after == 0),
    )
    yield Step(0, None, None, state, events)
    for number, line in enumerate(record.actions, 1):
        try:
            seat, action = parse_action(line, faces.locate, state.stake)
            if format_action(seat, action, state.stake) != line:
                raise NotationError("bad-action", f"{line!r} is not written as the notation has it")
            game_rules.verify_action(state, seat, action)
            proof = game_rules.required_proof(state, seat, action)
            state, events = game_rules.apply(state, seat, action)
        except (NotationError, RuleError) as error:
            raise NotationError("illegal-action", f"action {number} ({line}): {error.message}") from error
        if isinstance(proof, game_rules.NotHolding):
            faces.deny(number, line, proof)
        yield Step(number, seat, action, state, events)
        for seat, after in lost.items():
            if after == number:
                state, events = game_rules.leave(state, seat)
                yield Step(number, seat, None, state, events)
    faces.verify_denials()


class _Faces:
    """What lies where, as far as the record tells; grows with the cards that are shown."""

    def __init__(self, record: DealRecord) -> None:
        dealt = game_rules.deal_positions(record.seats, record.dealer)
        asleep = sorted(set(range(DECK_SIZE)).difference(*dealt))
        places = [*zip(dealt, record.hands, strict=True), (asleep, record.talon)]
        pairs = [pair for positions, cards in places for pair in zip(positions, cards, strict=True)]
        self._positions = {card: position for position, card in pairs if card is not None}
        unknown = {position for position, card in pairs if card is None}
        self._unknown = [[position for position in positions if position in unknown] for positions in dealt]
        self._denials: list[tuple[int, str, game_rules.NotHolding]] = []

    def locate(self, seat: int, card: Card) -> int:
        """The position of a card that this seat shows or plays."""
        if card not in self._positions:
            if seat >= len(self._unknown) or not self._unknown[seat]:
                raise NotationError("unknown-card", f"seat {seat} cannot have {card}")
            self._positions[card] = self._unknown[seat].pop(0)
        return self._positions[card]

    def deny(self, number: int, line: str, proof: game_rules.NotHolding) -> None:
        """A claim not to hold some cards: compared with what is known now, and kept for what will be."""
        self._denials.append((number, line, proof))
        self._verify_denial(number, line, proof)

    def verify_denials(self) -> None:
        """Compares all such claims with what is known at last. Raises NotationError."""
        for denial in self._denials:
            self._verify_denial(*denial)

    def _verify_denial(self, number: int, line: str, proof: game_rules.NotHolding) -> None:
        held = [card for card in proof.cards if self._positions.get(card) in proof.positions]
        if held:
            raise NotationError("illegal-action", f"action {number} ({line}): the seat holds {held[0]}")


def _verify_figures(record: DealRecord, state: DealState) -> None:
    outcome = game_rules.outcome(state)
    figures = [(f"pay of {source}", record.pay.get(source), amounts) for source, amounts in outcome.pay.items()]
    figures.append(("net", record.net, outcome.net))
    figures += [
        (f"carry_after of {name}", (record.carry_after[stake],), (outcome.carry_after[stake],))
        for stake, name in STAKE_NAMES.items()
    ]
    for what, written, played in figures:
        if written != played:
            raise NotationError("wrong-figures", f"{what} is {played} by the rules, {written} in the record")
