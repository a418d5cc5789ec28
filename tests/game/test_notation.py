"""RULES 7: every action has one line and every line one action."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import NotationError
from hocp2p.game.actions import (
    CLASSES,
    Action,
    Announce,
    Blanche,
    Claim,
    Combination,
    Declare,
    Go,
    Good,
    Held,
    Hold,
    Pass,
    Play,
    Raise,
    Sans,
    Show,
    Stake,
    Stay,
    Unseen,
)
from hocp2p.game.cards import DECK, RANKS, Card, parse_card
from hocp2p.game.notation import MAX_PIPS, format_action, format_claim, parse_action, parse_claim

POSITIONS = {card: 51 - card.index for card in DECK}

ranks = st.sampled_from(RANKS)
helds = st.sampled_from(DECK).map(lambda card: Held(POSITIONS[card], card))
classes = st.none() | st.sampled_from(Combination)
claims = {
    Stake.POINT: st.builds(Claim, st.integers(1, 13), st.integers(1, MAX_PIPS)),
    Stake.SEQUENCE: st.builds(Claim, st.integers(1, 13), ranks),
    Stake.TRICON: st.builds(Claim, st.sampled_from([3, 4]), ranks),
}
actions: st.SearchStrategy[Action] = st.one_of(
    st.sampled_from([Pass(), Good(), Unseen(), Blanche(), Go()]),
    st.builds(Declare, classes),
    st.builds(Raise, st.integers(1, 1000), classes),
    st.builds(Stay, classes),
    st.lists(helds, min_size=1, unique=True).map(lambda cards: Show(tuple(cards))),
    helds.map(lambda held: Play(held.position, held.card)),
    st.builds(Sans, ranks),
    st.builds(Hold, ranks),
)
staked = st.sampled_from(Stake).flatmap(
    lambda stake: st.tuples(st.just(stake), actions | claims[stake].map(Announce)),
)


@settings(deadline=None)
@given(st.integers(0, 2), staked)
def test_every_action_comes_back(seat: int, staked_action: tuple[Stake, Action]) -> None:
    stake, action = staked_action
    line = format_action(seat, action, stake)
    assert parse_action(line, POSITIONS, stake) == (seat, action)
    assert parse_action(line, POSITIONS) == (seat, action)
    assert "\n" not in line


@settings(deadline=None, max_examples=300)
@given(
    st.text("012 /pasdeclrightyonubKQ7TSHDC\u0661\u017f\n", max_size=20)
    | st.builds("{} {} {}".format, st.integers(-1, 4), st.sampled_from(["raise", "play", "sans", "good"]), st.text())
)
def test_any_text_is_an_action_or_a_notation_error(line: str) -> None:
    try:
        seat, action = parse_action(line, POSITIONS)
    except NotationError:
        return
    written = format_action(seat, action, Stake.POINT if "/" in line else None)
    assert parse_action(written, POSITIONS) == (seat, action)


def held(text: str) -> Held:
    card = parse_card(text)
    return Held(POSITIONS[card], card)


@pytest.mark.parametrize(
    ("line", "action", "stake"),
    [
        ("0 pass", Pass(), Stake.POINT),
        ("0 declare", Declare(), Stake.POINT),
        ("1 declare tierce", Declare(Combination.TIERCE), Stake.SEQUENCE),
        ("2 raise 20 fredon", Raise(20, Combination.FREDON), Stake.TRICON),
        ("1 raise 1", Raise(1), Stake.POINT),
        ("1 stay quart", Stay(Combination.QUART), Stake.SEQUENCE),
        ("2 good", Good(), Stake.POINT),
        ("0 announce 5/29", Announce(Claim(5, 29)), Stake.POINT),
        ("0 announce 4/10", Announce(Claim(4, 10)), Stake.POINT),
        ("1 announce 4/T", Announce(Claim(4, 10)), Stake.SEQUENCE),
        ("1 announce 6/9", Announce(Claim(6, 9)), Stake.SEQUENCE),
        ("2 announce brelan/K", Announce(Claim(3, 13)), Stake.TRICON),
        ("2 announce fredon/5", Announce(Claim(4, 5)), Stake.TRICON),
        ("1 show TS 8S 7S", Show((held("TS"), held("8S"), held("7S"))), Stake.POINT),
        ("0 unseen", Unseen(), Stake.TRICON),
        ("0 blanche", Blanche(), None),
        ("1 go", Go(), None),
        ("0 play 7D", Play(POSITIONS[parse_card("7D")], parse_card("7D")), None),
        ("0 sans T", Sans(10), None),
        ("0 hold A", Hold(1), None),
    ],
)
def test_the_lines_of_the_rules(line: str, action: Action, stake: Stake | None) -> None:
    assert format_action(int(line[0]), action, stake) == line
    assert parse_action(line, POSITIONS, stake) == (int(line[0]), action)


def test_cards_and_ranks_may_be_written_in_either_case() -> None:
    assert parse_action("0 play td", POSITIONS) == parse_action("0 play TD", POSITIONS)
    assert parse_action("0 play 10d", POSITIONS) == parse_action("0 play TD", POSITIONS)
    assert parse_action("0 sans q", POSITIONS) == (0, Sans(12))
    assert parse_action("0 announce 4/t", POSITIONS, Stake.SEQUENCE) == (0, Announce(Claim(4, 10)))


@pytest.mark.parametrize(
    "line",
    [
        "", " ", "0", "0 ", "pass", "3 pass", "-1 pass", "00 pass", "0  pass", " 0 pass", "0 pass ", "0 pass\n",
        "0\tpass",
        "0 Pass", "0 PASS", "0 pass now", "0 good good", "0 unseen tierce", "0 blanche 1", "0 go on", "0 leave",
        "0 declare tierces", "0 declare Tierce", "0 declare tierce quart", "0 declare 3", "0 stay brelan fredon",
        "0 raise", "0 raise 0", "0 raise -1", "0 raise +1", "0 raise 01", "0 raise 1.0", "0 raise 1001",
        "0 raise 99999",
        "0 raise tierce 5", "0 raise 5 major", "0 raise 1_0", "0 raise \u0661",
        "0 announce", "0 announce 5", "0 announce 5/", "0 announce /5", "0 announce 5/29/1", "0 announce 5 29",
        "0 announce 14/20", "0 announce 5/86", "0 announce 0/5", "0 announce 5/0", "0 announce tierce/K",
        "0 announce brelan/29", "0 announce brelan/", "0 announce Brelan/K", "0 announce 5/X",
        "0 show", "0 show ", "0 show 7S 7S", "0 show 7S,8S", "0 show 7S  8S", "0 show 7X",
        "0 play", "0 play 7S 8S", "0 play 1S", "0 play S7", "0 play ??", "0 play 7\u017f", "0 play", "0 play 7",
        "0 sans", "0 sans 1", "0 sans 11", "0 sans 7S", "0 hold", "0 hold Z", "0 sans 7 8",
    ],
)  # fmt: skip
def test_anything_else_is_refused(line: str) -> None:
    with pytest.raises(NotationError):
        parse_action(line, POSITIONS)


@pytest.mark.parametrize(
    ("text", "stake"),
    [
        ("4/T", Stake.POINT), ("brelan/7", Stake.POINT), ("4/10", Stake.SEQUENCE), ("4/13", Stake.SEQUENCE),
        ("fredon/7", Stake.SEQUENCE), ("4/20", Stake.SEQUENCE), ("3/7", Stake.TRICON), ("5/7", Stake.TRICON),
    ],
)  # fmt: skip
def test_a_claim_must_have_the_form_of_its_stake(text: str, stake: Stake) -> None:
    with pytest.raises(NotationError):
        parse_claim(text, stake)


@pytest.mark.parametrize(
    ("claim", "stake"),
    [
        (Claim(0, 5), Stake.POINT), (Claim(14, 5), Stake.POINT), (Claim(5, 86), Stake.POINT),
        (Claim(3, 0), Stake.SEQUENCE), (Claim(3, 14), Stake.SEQUENCE), (Claim(14, 13), Stake.SEQUENCE),
        (Claim(2, 7), Stake.TRICON), (Claim(5, 7), Stake.TRICON), (Claim(3, 0), Stake.TRICON),
    ],
)  # fmt: skip
def test_a_claim_that_no_hand_has_is_not_written(claim: Claim, stake: Stake) -> None:
    with pytest.raises(NotationError):
        format_claim(claim, stake)


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [
        (3, Pass(), "bad-seat"),
        (-1, Pass(), "bad-seat"),
        (0, Raise(0), "bad-number"),
        (0, Raise(1001), "bad-number"),
        (0, Show(()), "bad-show"),
        (0, Show((held("7S"), held("7S"))), "bad-show"),
        (0, Announce(Claim(3, 7)), "no-stake"),
        (0, Sans(0), "bad-rank"),
        (0, Hold(14), "bad-rank"),
    ],
)
def test_an_action_without_a_line_is_not_written(seat: int, action: Action, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        format_action(seat, action)
    assert caught.value.code == code


def test_the_position_comes_from_a_mapping() -> None:
    seven = parse_card("7D")
    assert parse_action("0 play 7D", {seven: 4}) == (0, Play(4, seven))
    with pytest.raises(NotationError) as caught:
        parse_action("0 play 8D", {seven: 4})
    assert caught.value.code == "unknown-card"


def test_the_position_comes_from_a_function_of_the_seat() -> None:
    def locate(seat: int, card: Card) -> int:
        if seat != 1:
            raise NotationError("unknown-card", f"{seat} has no {card}")
        return 30

    assert parse_action("1 show 7D", locate) == (1, Show((Held(30, parse_card("7D")),)))
    with pytest.raises(NotationError):
        parse_action("0 show 7D", locate)


def test_every_class_has_a_word() -> None:
    words = {format_action(0, Declare(announced)) for group in CLASSES.values() for announced in group}
    assert words == {f"0 declare {word}" for word in ("tierce", "quart", "quint", "brelan", "fredon")}
