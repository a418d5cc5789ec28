"""A seat that cheats with its shares of the others' cards, and the cards that nobody may ever see."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hocp2p.crypto import dleq, linear, shares
from hocp2p.crypto.group import BASE, ORDER, Point, add, hash_to_point, mul, multi_mul, neg, sum_points
from hocp2p.crypto.linear import Relation
from hocp2p.crypto.masking import Deck
from hocp2p.crypto.transcript import Transcript
from hocp2p.errors import LocalError
from tests.support.dealing import STEPS, Dealing, assert_silent, dealing_at, plan_for
from tests.support.rfc_vectors import BAD_POINTS
from tests.support.sources import seeded

CHEAT = 2
PLAN = plan_for(3)
POSITIONS = shares.share_positions(PLAN, CHEAT)
END = 32 * len(POSITIONS)
D = hash_to_point("test", b"an error")


def deck_of(dealing: Dealing) -> Deck:
    deck: Deck = dealing.sessions[0]._deck  # type: ignore[attr-defined]  # public, but no part of the interface
    return deck


def true_shares(dealing: Dealing) -> list[Point]:
    return [mul(dealing.secret(CHEAT), deck_of(dealing).a[position]) for position in POSITIONS]


def payload_with(dealing: Dealing, given: list[Point], secret: int | None = None) -> bytes:
    """``given`` with the best proof that the cheat can make for them."""
    secret = dealing.secret(CHEAT) if secret is None else secret
    transcript = shares._statement(dealing.context(), CHEAT, deck_of(dealing), PLAN)
    inputs = [deck_of(dealing).a[position] for position in POSITIONS]
    key = mul(dealing.secret(CHEAT), BASE)
    return b"".join(given) + dleq.prove(transcript, secret, key, inputs, given, seeded("cheat")) + bytes(32)


def ready(seed: str = "shares") -> Dealing:
    return dealing_at("share_commit", seed=seed)


def refusals_of(change: Callable[[list[Point]], list[Point]]) -> set[tuple[int, str]]:
    dealing = ready()
    return dealing.refusals("share_reveal", {CHEAT: payload_with(dealing, change(true_shares(dealing)))})


def test_honest_shares_made_this_way_are_accepted() -> None:
    dealing = ready()
    verified = shares.verify_share_payload(
        dealing.context(),
        CHEAT,
        mul(dealing.secret(CHEAT), BASE),
        deck_of(dealing),
        PLAN,
        payload_with(dealing, true_shares(dealing)),
    )
    assert list(verified.values()) == true_shares(dealing)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda given: [D, *given[1:]], id="wrong"),
        pytest.param(lambda given: [add(given[0], D), *given[1:]], id="shifted"),
        pytest.param(lambda given: [given[1], *given[1:]], id="doubled"),
        pytest.param(lambda given: [given[1], given[0], *given[2:]], id="swapped"),
        pytest.param(lambda given: [neg(share) for share in given], id="negated"),
        pytest.param(lambda given: given[1:] + given[:1], id="rotated"),
        pytest.param(lambda given: [mul(2, share) for share in given], id="foreign key"),
    ],
)
def test_shares_that_are_not_the_key_times_the_cards(change: Callable[[list[Point]], list[Point]]) -> None:
    """R-074."""
    assert refusals_of(change) == {(CHEAT, "share-proof")}


def test_shares_under_another_key_with_a_proof_for_that_key() -> None:
    dealing = ready()
    other = dealing.secret(CHEAT) + 1
    given = [mul(other, deck_of(dealing).a[position]) for position in POSITIONS]
    assert dealing.refusals("share_reveal", {CHEAT: payload_with(dealing, given, other)}) == {(CHEAT, "share-proof")}


def test_errors_that_cancel_out_pass_a_batch_without_weights_and_not_ours() -> None:
    """+D on one share and -D on another swap or spoil two cards; the plain sum of the batch does not notice."""
    dealing = ready()
    given = true_shares(dealing)
    given = [add(given[0], D), add(given[1], neg(D)), *given[2:]]
    inputs = [deck_of(dealing).a[position] for position in POSITIONS]
    key = mul(dealing.secret(CHEAT), BASE)

    unweighted = Relation(((BASE,), (sum_points(inputs),)), (key, sum_points(given)))
    proof = linear.prove(Transcript("weak"), unweighted, (dealing.secret(CHEAT),), seeded(1))
    linear.verify(Transcript("weak"), unweighted, proof, "share-proof")  # the weakened verifier is content

    assert refusals_of(lambda true: [add(true[0], D), add(true[1], neg(D)), *true[2:]]) == {(CHEAT, "share-proof")}
    assert refusals_of(lambda true: [*true[:-2], add(true[-2], D), add(true[-1], neg(D))]) == {(CHEAT, "share-proof")}


def test_errors_fitted_to_the_weights_change_them() -> None:
    """Who knew the weights beforehand could make errors that cancel under them; they hang on the shares themselves."""
    dealing = ready()
    given, key = true_shares(dealing), mul(dealing.secret(CHEAT), BASE)
    inputs = [deck_of(dealing).a[position] for position in POSITIONS]
    statement = shares._statement(dealing.context(), CHEAT, deck_of(dealing), PLAN)
    weights = dleq._weights(statement, key, inputs, given)
    given[3] = add(given[3], mul(weights[8], D))
    given[8] = add(given[8], mul(-weights[3], D))
    assert multi_mul(weights, given) == mul(
        dealing.secret(CHEAT), multi_mul(weights, inputs)
    )  # true under the old ones
    assert dealing.refusals("share_reveal", {CHEAT: payload_with(dealing, given)}) == {(CHEAT, "share-proof")}


def test_a_share_is_missing_or_one_more_is_sent() -> None:
    """R-072."""
    dealing = ready()
    payload = payload_with(dealing, true_shares(dealing))
    sleeping = mul(dealing.secret(CHEAT), deck_of(dealing).a[51])
    for altered in (payload[32:], sleeping + payload, payload[:END] + sleeping + payload[END:], payload[:-1], b"\0"):
        assert ready().refusals("share_reveal", {CHEAT: altered}) == {(CHEAT, "bad-length")}


def test_a_share_of_a_sleeping_card_in_place_of_one_that_is_due() -> None:
    dealing = ready()
    sleeping = mul(dealing.secret(CHEAT), deck_of(dealing).a[51])
    assert refusals_of(lambda true: [sleeping, *true[1:]]) == {(CHEAT, "share-proof")}


def test_shares_other_than_those_committed_to() -> None:
    """R-071."""
    dealing = dealing_at("share_reveal")
    reveals = [dealing.make("share_reveal", seat) for seat in range(3)]
    late = payload_with(dealing, true_shares(dealing))
    assert late != reveals[CHEAT]
    blamed = dealing.blamed("accept_share_reveals", [*reveals[:CHEAT], late], honest=(0, 1))
    assert blamed == {(CHEAT, "share-commit-mismatch")}


def test_shares_of_another_deal() -> None:
    other = ready("another deal")
    payload = payload_with(other, true_shares(other))
    assert ready().refusals("share_reveal", {CHEAT: payload}) == {(CHEAT, "share-proof")}


@pytest.mark.parametrize("at", [0, 32 * 23])
def test_points_that_are_none(at: int) -> None:
    """R-073."""
    dealing = ready()
    payload = payload_with(dealing, true_shares(dealing))
    for point in (bytes(32), BAD_POINTS[0], BAD_POINTS[5], BAD_POINTS[13], BAD_POINTS[21], BAD_POINTS[28]):
        altered = payload[:at] + point + payload[at + 32 :]
        code = "bad-point" if any(point) else "identity-point"
        assert ready().refusals("share_reveal", {CHEAT: altered}) == {(CHEAT, code)}


@pytest.mark.parametrize("at", [END, END + 32])
def test_other_names_for_the_same_scalar(at: int) -> None:
    payload = payload_with(dealing := ready(), true_shares(dealing))
    scalar = int.from_bytes(payload[at : at + 32], "little")
    for alias in (scalar + ORDER, scalar | 1 << 255):
        altered = payload[:at] + alias.to_bytes(32, "little") + payload[at + 32 :]
        assert ready().refusals("share_reveal", {CHEAT: altered}) == {(CHEAT, "bad-scalar")}


# The barrier


@pytest.mark.parametrize("step", STEPS[:4])
def test_no_share_before_every_seat_has_signed_the_deck(step: str) -> None:
    """R-070."""
    for session in dealing_at(step, 2).sessions:
        assert_silent(session, STEPS[4:])


def test_another_final_deck_stops_the_deal() -> None:
    """R-069."""
    dealing = dealing_at("deck_digest")
    assert dealing.refusals("deck_digest", {CHEAT: bytes(32)}) == {(CHEAT, "deck-digest")}


# Canary: the talon


@pytest.mark.parametrize("seats", [2, 3])
def test_no_trace_of_a_key_on_a_sleeping_card_is_ever_sent(seats: int) -> None:
    """R-075."""
    dealing = dealing_at("dealt", seats)
    sent = [payload for _, _, payload in dealing.sent]
    for session in dealing.sessions:
        positions, step = list(session.faces()), b"end"
        sent += [session.open([position], step) for position in positions]
        absent = [face for face in range(52) if face not in session.faces().values()]
        sent += [session.open(positions, step), session.prove_not_holding(positions, absent, step)]
    seen = b"".join(sent)
    sleeping = [position for position, owner in enumerate(dealing.plan.owners) if owner is None]
    assert len(sleeping) == {2: 22, 3: 16}[seats]
    deck, secrets = deck_of(dealing), [dealing.secret(seat) for seat in range(seats)]
    for position in sleeping:
        for secret in (*secrets, sum(secrets)):
            assert seen.count(mul(secret, deck.a[position])) == 0
    awake = dealing.plan.positions_of(1)[0]
    assert seen.count(mul(secrets[0], deck.a[awake])) == 1  # the canary sings where a share was sent


@pytest.mark.parametrize("seats", [2, 3])
def test_nobody_can_be_asked_for_a_sleeping_card(seats: int) -> None:
    dealing = dealing_at("dealt", seats)
    for session in dealing.sessions:
        for position, owner in enumerate(dealing.plan.owners):
            if owner is None:
                with pytest.raises(LocalError, match="positions of the seat's hand"):
                    session.open([position], b"step")
                with pytest.raises(LocalError, match="positions of the seat's hand"):
                    session.prove_not_holding([position], [0], b"step")
                assert position not in session.faces()
