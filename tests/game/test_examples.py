"""The worked examples of RULES 6, one test each. Seats: 0 eldest (E), 1 middle (M), 2 dealer (D)."""

from __future__ import annotations

import pytest

from hocp2p.errors import RuleError
from hocp2p.game.actions import Combination, Stake
from hocp2p.game.cards import DECK
from hocp2p.game.events import HocSaid, Source, StakeClosed, StakeEnd
from hocp2p.game.house import Rules
from hocp2p.game.rules import outcome, start_deal
from hocp2p.game.state import Phase
from tests.support.deals import Deal, deal_from_text, play_from_text

POINT_HANDS = ["KH 9H 6H 3H AH", "TS 8S 7S 4S 2S", "KC QC JC TC"]


def net_of_play(deal: Deal) -> tuple[int, ...]:
    """Hocs and cards; the examples of the play leave the stakes out."""
    hocs, cards = deal.pay(Source.HOCS), deal.pay(Source.CARDS)
    return tuple(hoc + card for hoc, card in zip(hocs, cards, strict=True))


@pytest.mark.parametrize(("seats", "pools"), [(3, (3, 3, 3)), (2, (2, 2, 2))])
def test_example_01_antes(seats: int, pools: tuple[int, int, int]) -> None:
    state, _ = start_deal(Rules(), seats, seats - 1, [100] * seats, (0, 0, 0), frozenset())
    assert state.balances == (97,) * seats
    assert state.pools == pools
    assert sum(state.balances) + sum(state.pools) == 100 * seats


def test_example_02_point() -> None:
    deal = deal_from_text(POINT_HANDS)
    deal.say("0 declare", "1 stay", "2 good", "0 announce 5/29", "1 announce 5/31", "1 show TS 8S 7S 4S 2S")
    assert deal.pay(Source.POINT) == (-1, 2, -1)


def test_example_02_point_by_pips() -> None:
    deal = deal_from_text(POINT_HANDS, rules=Rules(point="pips"))
    deal.say("0 declare", "1 stay", "2 stay", "0 announce 5/29", "1 announce 5/31", "2 announce 4/40")
    deal.say("2 show KC QC JC TC")
    assert deal.pay(Source.POINT) == (-1, -1, 2)


def test_example_03_point_raises() -> None:
    deal = deal_from_text(["KH 9H 6H 3H AH", "TS 8S 7S 4S 3S 2S", "KC"])
    deal.say("0 raise 5")
    with pytest.raises(RuleError, match="from 1 to 20"):
        deal.say("1 raise 21")  # to level 26
    deal.say("1 raise 20", "2 good", "0 raise 20", "1 stay")
    assert deal.state.pools[Stake.POINT] == 93
    deal.say("0 announce 5/29", "1 announce 6/34", "1 show TS 8S 7S 4S 3S 2S")
    assert deal.pay(Source.POINT) == (-46, 47, -1)


def sequence_04(rules: Rules) -> Deal:
    deal = deal_from_text(["JH QH KH", "4C 5C 6C 7C JD QD KD", "2S"], rules=rules)
    deal.skip_to(Stake.SEQUENCE)
    deal.say("0 declare tierce", "1 stay quart", "2 good", "0 announce 3/K", "1 announce 4/7")
    return deal


def test_example_04_sequence_lesser_runs() -> None:
    deal = sequence_04(Rules())
    deal.say("1 show 4C 5C 6C 7C JD QD KD")
    assert deal.pay(Source.SEQUENCE) == (-5, 10, -5)


def test_example_04_sequence_without_lesser_runs() -> None:
    deal = sequence_04(Rules(lesser="off"))
    assert deal.offers() == ["show 4C 5C 6C 7C"]
    assert not deal.may_say("1 show 4C 5C 6C 7C JD QD KD")
    deal.say("1 show 4C 5C 6C 7C")
    assert deal.pay(Source.SEQUENCE) == (-3, 6, -3)


def test_example_05_sequence_by_position() -> None:
    deal = deal_from_text(["7S 8S 9S", "2C", "7D 8D 9D"])
    deal.skip_to(Stake.SEQUENCE)
    deal.say("0 declare tierce", "1 good", "2 stay tierce", "0 announce 3/9")
    assert not deal.may_say("2 announce 3/9"), "equal, and the worse position"
    deal.say("2 good", "0 show 7S 8S 9S")
    assert deal.pay(Source.SEQUENCE) == (4, -2, -2)


def test_example_06_tricon_doubled() -> None:
    hands = ["5S 5H 5D 5C", "KS KH KD", "2S"]
    deal = deal_from_text(hands, carry=(0, 0, 3), doubled=frozenset({Stake.TRICON}))
    deal.skip_to(Stake.TRICON)
    assert deal.state.pools[Stake.TRICON] == 6
    deal.say("0 declare fredon", "1 raise 4 brelan", "2 good", "0 stay")
    assert deal.state.pools[Stake.TRICON] == 14
    deal.say("0 announce fredon/5", "1 good", "0 show 5S 5H 5D 5C")
    assert deal.pay(Source.TRICON) == (25, -13, -9)


def test_example_07_sequence_won_by_a_bluff() -> None:
    deal = deal_from_text(["2S", "7H 8H 9H", "2C 4C 6C"])
    deal.skip_to(Stake.SEQUENCE)
    deal.say("0 pass", "1 declare tierce", "2 raise 10 quart", "0 good", "1 good")
    assert deal.offers() == ["unseen"]
    (closed,) = (event for event in deal.say("2 unseen") if isinstance(event, StakeClosed))
    assert closed == StakeClosed(Stake.SEQUENCE, StakeEnd.ALONE, winner=2, pool=13, announced=Combination.QUART)
    assert deal.pay(Source.SEQUENCE) == (-3, -3, 6)


def test_example_08_tricon_held_by_nobody() -> None:
    deal = deal_from_text(["2S", "3S", "4S"])
    deal.skip_to(Stake.TRICON)
    deal.say("0 declare brelan", "1 raise 6 brelan", "2 good", "0 stay", "0 good")
    (closed,) = (event for event in deal.say("1 good") if isinstance(event, StakeClosed))
    assert closed == StakeClosed(Stake.TRICON, StakeEnd.NOTHING, winner=0, pool=15)
    assert deal.pay(Source.TRICON) == (8, -7, -1)


def test_example_09_sequence_doubled_and_shown_by_a_lone_winner() -> None:
    deal = deal_from_text(["TD JD QD", "2S", "3S"], carry=(0, 3, 0), doubled=frozenset({Stake.SEQUENCE}))
    deal.skip_to(Stake.SEQUENCE)
    deal.say("0 declare tierce", "1 good", "2 good", "0 show TD JD QD")
    assert deal.pay(Source.SEQUENCE) == (9, -3, -3)


BLANCHE_CASES = [
    (["KS", "2S", "QH"], ["0 go", "1 blanche", "2 go"], (-10, 20, -10)),
    (["4S", "2S", "QH"], ["0 blanche", "1 blanche", "2 go"], (0, 0, 0)),
    (["4S", "QH"], ["0 blanche", "1 go"], (10, -10)),
]


@pytest.mark.parametrize(("hands", "lines", "pay"), BLANCHE_CASES)
def test_example_10_carte_blanche(hands: list[str], lines: list[str], pay: tuple[int, ...]) -> None:
    deal = deal_from_text(hands)
    for _ in range(3 * len(hands)):
        deal.say(f"{deal.state.turn} pass")
    assert deal.state.phase is Phase.BLANCHE
    deal.say(*lines)
    assert deal.pay(Source.BLANCHE) == pay


def play_11() -> Deal:
    deal = play_from_text(["6C 7D KH 2S", "8S 9D 3C", "8H QS 5C 5D"])
    deal.say("0 play 6C", "0 play 7D", "0 sans 8", "1 play 8S", "1 play 9D", "1 sans T", "2 sans T")
    return deal


def test_example_11_middle_must_play_the_eight() -> None:
    deal = play_from_text(["6C 7D KH 2S", "8S 9D 3C", "8H QS 5C 5D"])
    deal.say("0 play 6C", "0 play 7D", "0 sans 8")
    assert deal.offers() == ["play 8S"]
    deal.say("1 play 8S")
    assert deal.offers() == ["play 9D"]


def test_example_11a_a_fixed_hoc_for_the_ten() -> None:
    deal = play_11()
    deal.say("0 play KH", "0 play 2S")
    assert deal.state.winner == 0
    assert [len(hand) for hand in deal.state.hands] == [0, 1, 4]
    assert net_of_play(deal) == (12, -7, -5)


def test_example_11b_a_fortuitous_hoc_for_the_nine() -> None:
    deal = play_11()
    deal.say("0 sans T")
    assert deal.pay(Source.HOCS) == (0, 0, 0), "said and paid when the next run is led"
    deal.say("1 play 3C")
    assert deal.state.winner == 1
    assert net_of_play(deal) == (-9, 14, -5)


@pytest.mark.parametrize(
    ("called", "hand", "offers"),
    [
        (8, "8D KC 3S", ["play 8D", "play KC"]),
        (8, "QS 2C", ["play QS", "sans 8"]),
        (12, "QS", ["play QS", "sans Q"]),
        (12, "QS QH", ["play QS", "play QH"]),
    ],
)
def test_example_12_what_is_legal(called: int, hand: str, offers: list[str]) -> None:
    led = {8: "7", 12: "J"}[called] + "C"
    deal = play_from_text([led + " AS", hand])
    deal.say(f"0 play {led}", f"0 sans {'Q' if called == 12 else called}")
    assert deal.offers() == offers


def test_example_13_eldest_out_on_his_second_lead() -> None:
    deal = play_from_text(["JD 4S", "AH 2H 3H 4H 5H 6H 7H 8H 9H TH", "AC 2C"])
    deal.say("0 play JD")
    assert deal.pay(Source.HOCS) == (2, -1, -1)
    deal.say("0 play 4S")
    assert net_of_play(deal) == (30, -21, -9)


def test_example_14_no_hoc_for_the_last_card() -> None:
    deal = play_from_text(["9C", "2S", "3S 4S 5S"])
    deal.say("0 play 9C")
    assert HocSaid not in map(type, deal.events)
    assert net_of_play(deal) == (9, -6, -3)


def test_example_15_fortuitous_hoc() -> None:
    deal = play_from_text(["5S 2S", "6H 9C TC", "3S 4S"])
    deal.say("0 play 5S", "0 sans 6", "1 play 6H", "1 sans 7", "2 sans 7", "0 sans 7", "1 play 9C")
    assert HocSaid(1, fortuitous=True) in deal.events
    assert net_of_play(deal) == (-1, 2, -1)


@pytest.mark.parametrize(("left", "due"), [(1, 6), (2, 8), (3, 3), (9, 9), (10, 20), (11, 22), (12, 24), (15, 30)])
def test_example_16_cards_left(left: int, due: int) -> None:
    others = " ".join(str(card) for card in DECK[1 : left + 1])
    deal = play_from_text(["AS", others])
    deal.say("0 play AS")
    assert outcome(deal.state).pay["cards"] == (due, -due)
