"""One deal as steps: our own moves with their proofs, what others say, receipts, a seat that leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hocp2p.errors import LocalError, PeerError, RuleError, WireError
from hocp2p.game.actions import Pass, Play, Raise, Sans, Stay
from hocp2p.game.cards import DECK
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase
from hocp2p.table.deal import DealSteps
from hocp2p.table.events import DealSigned, DealStarted, HandDealt
from hocp2p.wire.messages import WORD_PASS, Call, CardOpening, Message, Receipt
from tests.support.tables import StarTable

BINDING = b"step"


def deals_of(table: StarTable) -> list[DealSteps]:
    deals = [peer.table.course.deal for peer in table.peers if peer.table is not None]
    return [deal for deal in deals if deal is not None]


def table_at(reached: Callable[[DealSteps], bool], seats: int = 3, seed: int = 3) -> list[DealSteps]:
    """The deals of all seats when each has come to the same place, everything that was sent delivered."""
    table = StarTable(seats, Rules(deals=seats), seed, "novice")

    def hold() -> bool:
        deals = deals_of(table)
        if any(reached(deal) for deal in deals if deal.view is not None):
            table.paused.update(range(seats))
        return False

    table.run(hold)
    deals = deals_of(table)
    assert all(deal.state == deals[0].state for deal in deals)
    assert reached(deals[0])
    return deals


def leading(deal: DealSteps) -> bool:
    return deal.state.phase is Phase.PLAY and deal.state.play is not None and deal.state.play.called is None


def accept(deal: DealSteps, said: dict[int, Message]) -> None:
    step = deal.present
    assert step is not None
    step.accept(BINDING, said)


def test_a_deal_begins_with_the_shares() -> None:
    table = StarTable(3, Rules(deals=3), 3)
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    for seat, events in enumerate(table.events):
        starts = [number for number, event in enumerate(events) if isinstance(event, DealStarted)]
        hands = [event.cards for event in events if isinstance(event, HandDealt)]
        assert len(starts) == 1
        assert isinstance(events[starts[0] + 1], HandDealt)
        view = table.peers[seat].snapshot().view
        assert view is not None
        assert hands == [tuple(view.own.values())]


def test_nobody_sees_a_hand_before_the_shares_are_in() -> None:
    table = StarTable(3, Rules(deals=3), 3)
    table.run(lambda: len(deals_of(table)) == 3)
    assert [deal.view for deal in deals_of(table)].count(None) >= 2
    with pytest.raises(LocalError) as caught:
        deals_of(table)[0].act(Pass(), BINDING)
    assert caught.value.code == "not-your-turn"


def test_our_move_is_made_in_our_turn_only() -> None:
    deals = table_at(lambda deal: deal.state.phase is Phase.AUCTION)
    turn = deals[0].state.turn
    for seat, deal in enumerate(deals):
        assert deal.asks == (seat == turn)
        if seat != turn:
            with pytest.raises(LocalError) as caught:
                deal.act(Pass(), BINDING)
            assert caught.value.code == "not-your-turn"


def test_an_illegal_move_of_ours_changes_nothing() -> None:
    deals = table_at(lambda deal: deal.state.phase is Phase.AUCTION)
    deal = next(deal for deal in deals if deal.asks)
    before = deal.state
    for action in (Stay(), Raise(21), Sans(3)):
        with pytest.raises(RuleError):
            deal.act(action, BINDING)
    assert deal.state == before
    assert deal.asks


def test_we_cannot_play_a_card_as_another() -> None:
    deal = next(deal for deal in table_at(leading) if deal.asks)
    view = deal.view
    assert view is not None
    seen = {card for _, card in view.state.opened}
    position = next(position for position in view.state.hands[view.seat] if position not in view.state.faces())
    face = next(card for card in DECK if card not in seen and card != view.own[position])
    with pytest.raises(RuleError) as caught:
        deal.act(Play(position, face), BINDING)
    assert caught.value.code == "not-your-card"
    assert deal.asks
    deal.act(Play(position, view.own[position]), BINDING)
    assert not deal.asks
    with pytest.raises(LocalError):
        deal.act(Play(position, view.own[position]), BINDING)


def test_a_move_is_spoken_once() -> None:
    """R-046."""
    deal = next(deal for deal in table_at(leading) if deal.asks)
    step, view = deal.present, deal.view
    assert step is not None
    assert view is not None
    assert step.speak(BINDING) is None
    position = view.state.hands[view.seat][0]
    deal.act(Play(position, view.own[position]), BINDING)
    message = step.speak(BINDING)
    assert isinstance(message, CardOpening)
    assert message.position == position
    assert step.speak(BINDING) is None


def test_a_proof_where_none_is_needed_is_refused() -> None:
    """A card that everybody has seen is played without one. (R-089.)"""
    deals = table_at(lambda deal: leading(deal) and shown_in_hand(deal), seed=1)
    turn, state = deals[0].state.turn, deals[0].state
    assert turn is not None
    position = next(position for position in state.hands[turn] if position in state.faces())
    face = state.faces()[position].index
    with pytest.raises(WireError) as caught:
        accept(deals[turn - 1], {turn: CardOpening(position, face, bytes(64))})
    assert caught.value.code == "unasked-proof"
    accept(deals[turn - 1], {turn: CardOpening(position, face, b"")})


def shown_in_hand(deal: DealSteps) -> bool:
    state = deal.state
    return state.turn is not None and any(position in state.faces() for position in state.hands[state.turn])


def test_a_move_of_ours_that_the_cut_made_void_is_made_again() -> None:
    deals = table_at(leading)
    deal = next(deal for deal in deals if deal.asks)
    view = deal.view
    assert view is not None
    position = view.state.hands[view.seat][0]
    deal.act(Play(position, view.own[position]), BINDING)
    deal.lose((view.seat + 1) % 3)
    assert deal.asks
    step = deal.present
    assert step is not None
    assert step.speak(BINDING) is None


# -- receipts -------------------------------------------------------------------------------------------------------


def receipts() -> tuple[list[DealSteps], dict[int, Message]]:
    """Deals that are over, and what every seat signs."""
    deals = table_at(lambda deal: deal.state.phase is not Phase.OVER)
    deal = deals[0]
    while deal.state.phase is not Phase.OVER:  # all but one leave: the deal is over for all alike
        seat = next(seat for seat in range(3) if seat not in deal.state.gone and seat != 0)
        for each in deals:
            each.lose(seat)
    said: dict[int, Message] = {}
    for seat, each in enumerate(deals):
        step = each.present
        assert step is not None
        assert step.what == "receipts"
        receipt = step.speak(BINDING)
        assert isinstance(receipt, Receipt)
        said[seat] = receipt
    return deals, said


def test_only_those_who_are_left_sign() -> None:
    deals, said = receipts()
    step = deals[0].present
    assert step is not None
    assert step.speakers == (0,)
    assert len(set(said.values())) == 1


@pytest.mark.parametrize("change", ["balances", "carry"])
def test_the_seat_whose_receipt_differs_is_blamed(change: str) -> None:
    """R-087."""
    deals, said = receipts()
    told = said[1]
    assert isinstance(told, Receipt)
    first, second, third = getattr(told, change)
    said[1] = replace(told, **{change: (first, second + 1, third)})
    with pytest.raises(PeerError) as caught:
        accept(deals[0], said)
    assert (caught.value.seat, caught.value.code) == (1, "receipt-differs")
    assert not deals[0].signed


def test_what_all_have_signed_is_signed_and_the_key_is_gone() -> None:
    """R-065."""
    deals, said = receipts()
    step = deals[0].present
    assert step is not None
    assert step.accept(BINDING, said) == [DealSigned(1, deals[0].finished.outcome)]
    assert deals[0].signed
    assert deals[0].present is None
    with pytest.raises(LocalError):
        deals[0].session.open(deals[0].state.dealt[0][:1], BINDING)


def test_a_deal_that_is_not_over_has_no_figures() -> None:
    deals = table_at(lambda deal: deal.state.phase is Phase.AUCTION)
    with pytest.raises(RuleError):
        _ = deals[0].finished
    with pytest.raises(RuleError):
        turn = deals[0].state.turn
        assert turn is not None
        accept(deals[0], {(turn + 1) % 3: Call(WORD_PASS, 0, 0)})
