"""Whole deals in memory, with the real scheme and with the insecure one that stands in for it in tests of the table."""

from __future__ import annotations

from copy import deepcopy

import pytest

from hocp2p.crypto.deck import MentalPoker
from hocp2p.crypto.group import Point, mul_base
from hocp2p.crypto.masking import initial_deck
from hocp2p.crypto.scheme import DealPlan, DealScheme
from hocp2p.crypto.shuffle import prove_shuffle
from hocp2p.crypto.transcript import statement
from hocp2p.errors import LocalError
from tests.support.dealing import ACCEPTS, CONTEXT, STEPS, Dealing, blame, dealing_at, flip, plan_for
from tests.support.insecure_scheme import InsecureScheme
from tests.support.sources import seeded

SCHEMES: list[type[DealScheme]] = [MentalPoker, InsecureScheme]
STEP = b"play 3"
LENGTHS = {"key_commit": 32, "key_reveal": 128, "shuffle": 10_144, "deck_digest": 32, "share_commit": 32}
SHARE_BYTES = {2: 576, 3: 864}


@pytest.fixture(scope="module", params=[(scheme, seats) for seats in (2, 3) for scheme in SCHEMES])
def dealt(request: pytest.FixtureRequest) -> Dealing:
    """After the shares; nothing in play changes a session, so tests may share it."""
    scheme, seats = request.param
    return dealing_at("dealt", seats, scheme=scheme)


def absent_from(dealing: Dealing, seat: int, count: int) -> list[int]:
    return [face for face in range(52) if face not in dealing.faces(seat).values()][:count]


# A whole deal


def test_payloads_have_their_lengths(dealt: Dealing) -> None:
    for step, _, payload in dealt.sent:
        assert len(payload) == LENGTHS.get(step, SHARE_BYTES[dealt.seats])
    assert len(dealt.sent) == 6 * dealt.seats


def test_hands_are_dealt_as_planned_and_disjoint(dealt: Dealing) -> None:
    faces = [face for seat in range(dealt.seats) for face in dealt.faces(seat).values()]
    assert len(set(faces)) == len(faces) == {2: 30, 3: 36}[dealt.seats]
    assert set(faces) <= set(range(52))
    for seat in range(dealt.seats):
        assert tuple(dealt.faces(seat)) == dealt.plan.positions_of(seat)


def test_every_card_opens_to_every_seat(dealt: Dealing) -> None:
    for seat, session in enumerate(dealt.sessions):
        for position, face in session.faces().items():
            proof = session.open([position], STEP)
            assert len(proof) == 64
            for witness in dealt.sessions:
                witness.verify_open(seat, [position], [face], proof, STEP)


def test_several_cards_open_at_once_in_any_order(dealt: Dealing) -> None:
    session = dealt.sessions[1]
    positions = list(session.faces())[5:1:-1]
    faces = [session.faces()[position] for position in positions]
    proof = session.open(positions, STEP)
    assert len(proof) == 64
    dealt.sessions[0].verify_open(1, positions, faces, proof, STEP)
    assert blame(dealt.sessions[0].verify_open, 1, positions, faces[::-1], proof, STEP) == (1, "opening-proof")


def test_not_holding_is_proved_and_verified(dealt: Dealing) -> None:
    for seat, session in enumerate(dealt.sessions):
        positions, absent = list(session.faces()), absent_from(dealt, seat, 4)
        proof = session.prove_not_holding(positions, absent, STEP)
        assert len(proof) == 32 * (len(positions) + 4 + 1) + 96
        for witness in dealt.sessions:
            witness.verify_not_holding(seat, positions, absent, proof, STEP)
            assert blame(witness.verify_not_holding, seat, positions, absent, proof, b"play 4")[0] == seat
            assert blame(witness.verify_not_holding, seat, positions, absent, flip(proof, 300), STEP)[0] == seat
            assert blame(witness.verify_not_holding, seat, positions, absent[:3], proof, STEP) == (seat, "bad-length")


def test_nothing_to_prove_takes_no_bytes(dealt: Dealing) -> None:
    session, witness = dealt.sessions[1], dealt.sessions[0]
    for positions, faces in ((list(session.faces()), []), ([], [1, 2])):
        assert session.prove_not_holding(positions, faces, STEP) == b""
        witness.verify_not_holding(1, positions, faces, b"", STEP)
        assert blame(witness.verify_not_holding, 1, positions, faces, b"\0", STEP) == (1, "bad-length")


def test_holding_cannot_be_denied(dealt: Dealing) -> None:
    session = dealt.sessions[0]
    position, face = next(iter(session.faces().items()))
    with pytest.raises(LocalError) as caught:
        session.prove_not_holding([position], [face], STEP)
    assert caught.value.code == "holding"


def test_only_faces_can_be_absent(dealt: Dealing) -> None:
    session, absent = dealt.sessions[0], absent_from(dealt, 0, 1)[0]
    for faces in ([52], [-1], [absent, absent]):
        with pytest.raises(LocalError) as caught:
            session.prove_not_holding([0], faces, STEP)
        assert caught.value.code == "bad-faces"


def test_only_ones_own_cards_open(dealt: Dealing) -> None:
    session = dealt.sessions[0]
    own, foreign, sleeping = 0, 1, 51
    for positions in ([foreign], [sleeping], [own, foreign], [own, sleeping], [own, own], [], [-52], [52]):
        with pytest.raises(LocalError) as caught:
            session.open(positions, STEP)
        assert caught.value.code == "bad-positions"
        proof = session.open([own], STEP)
        faces = [session.faces()[own]] * len(positions)
        assert blame(dealt.sessions[1].verify_open, 0, positions, faces, proof, STEP) == (0, "bad-positions")


# The order of calls


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("due", [*STEPS, "dealt"])
def test_calls_out_of_order_change_nothing(scheme: type[DealScheme], due: str) -> None:
    dealing = dealing_at(due, 2, scheme=scheme)
    first, second = dealing.order
    session = dealing.sessions[first]
    calls: list[tuple[str, tuple[object, ...]]] = [(step, ()) for step in STEPS if step != due]
    calls += [(accept, ([bytes(32)] * 2,)) for step, accept in ACCEPTS.items() if (step, due) != ("deck_digest",) * 2]
    calls += [("accept_shuffle", (second, bytes(10_144)))]
    if due != "dealt":
        calls += [
            ("faces", ()),
            ("open", ([first], STEP)),
            ("verify_open", (0, [0], [0], bytes(64), STEP)),
            ("prove_not_holding", ([first], [0], STEP)),
            ("verify_not_holding", (0, [0], [0], b"", STEP)),
        ]
    for name, arguments in calls:
        with pytest.raises(LocalError) as caught:
            getattr(session, name)(*arguments)
        assert caught.value.code == "out-of-order", name
    dealing.run_to("dealt")
    assert len(session.faces()) == 15


@pytest.mark.parametrize("scheme", SCHEMES)
def test_shuffles_come_in_their_order(scheme: type[DealScheme]) -> None:
    dealing = dealing_at("shuffle", scheme=scheme)
    with pytest.raises(LocalError):
        dealing.sessions[dealing.order[1]].shuffle()
    payload = dealing.make("shuffle", dealing.order[0])
    for seat in dealing.order[1:]:
        with pytest.raises(LocalError):
            dealing.sessions[0].accept_shuffle(seat, payload)


def test_a_shuffle_is_proved_for_its_seat() -> None:
    dealing = dealing_at("shuffle", 2)
    seat, honest = dealing.order
    deck = initial_deck(keys_sum(dealing))
    for claimed in (honest, seat):
        context = statement("shuffle", dealing.context(), claimed).squeeze("context")
        after, proof = prove_shuffle(context=context, key=keys_sum(dealing), deck=deck, randomness=seeded(1))
        if claimed == seat:
            dealing.sessions[honest].accept_shuffle(seat, after.encode() + proof)
        else:
            refused = blame(dealing.sessions[honest].accept_shuffle, seat, after.encode() + proof)
            assert refused == (seat, "shuffle-proof")


def test_a_shuffle_of_ours_that_is_not_the_one_just_made_is_verified_like_any() -> None:
    """A seat that comes back may have signed another one than it would make now."""
    dealing = dealing_at("shuffle", 2)
    seat, other = dealing.order
    ours = dealing.sessions[seat]
    ours.shuffle()
    context = statement("shuffle", dealing.context(), seat).squeeze("context")
    key = keys_sum(dealing)
    after, proof = prove_shuffle(context=context, key=key, deck=initial_deck(key), randomness=seeded(1))
    assert blame(ours.accept_shuffle, seat, flip(after.encode() + proof, 3_400))[0] == seat
    dealing.accept_shuffle(seat, after.encode() + proof)
    dealing.accept_shuffle(other, dealing.make("shuffle", other))
    assert ours.deck_digest() == dealing.sessions[other].deck_digest()


def keys_sum(dealing: Dealing) -> Point:
    return mul_base(sum(dealing.secret(seat) for seat in range(dealing.seats)))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("step", "at"),
    [
        *(("key_reveal", at) for at in (0, 40, 127)),
        *(("shuffle", at) for at in (40, 3_400, 10_143)),
        ("deck_digest", 0),
        *(("share_reveal", at) for at in (0, 500, 575)),
    ],
)
def test_an_altered_payload_is_blamed_on_its_seat(scheme: type[DealScheme], step: str, at: int) -> None:
    for length in (None, -1, 1):
        dealing = dealing_at(step, 2, scheme=scheme)
        cheat, honest = dealing.order[0], dealing.sessions[dealing.order[1]]
        payload = dealing.make(step, cheat)
        altered = flip(payload, at) if length is None else (payload + b"\0")[: len(payload) + length]
        if step == "shuffle":
            blamed = blame(honest.accept_shuffle, cheat, altered)
        else:
            payloads = [b"", b""]
            payloads[cheat], payloads[1 - cheat] = altered, dealing.make(step, 1 - cheat)
            accept = {"key_reveal": "accept_key_reveals", "share_reveal": "accept_share_reveals"}
            blamed = blame(getattr(honest, accept.get(step, "accept_deck_digests")), payloads)
        assert blamed[0] == cheat


@pytest.mark.parametrize("scheme", SCHEMES)
def test_one_payload_a_seat(scheme: type[DealScheme]) -> None:
    session = dealing_at("key_commit", scheme=scheme).sessions[0]
    commit = session.key_commit()
    with pytest.raises(LocalError):
        session.accept_key_commits([commit])
    assert blame(session.accept_key_commits, [commit, commit[:31], commit]) == (1, "bad-length")


@pytest.mark.parametrize("changed", ["context", "plan", "order"])
def test_seats_with_different_settings_do_not_come_together(changed: str) -> None:
    """The context binds all that was agreed before the first key; a seat with another picture is noticed at once.

    R-057.
    """
    ours = {"context": CONTEXT, "plan": plan_for(2), "order": (0, 1)}
    turned = DealPlan((*plan_for(2).owners[1:], plan_for(2).owners[0]))
    theirs = {"context": b"another", "plan": turned, "order": (1, 0)}
    settings = [{**ours}, {**ours, changed: theirs[changed]}]
    sessions = [
        MentalPoker().join(seats=2, seat=seat, randomness=seeded(seat), **setting)  # type: ignore[arg-type]  # a mixed dict
        for seat, setting in enumerate(settings)
    ]
    commits = [session.key_commit() for session in sessions]
    for session in sessions:
        session.accept_key_commits(commits)
    reveals = [session.key_reveal() for session in sessions]
    assert blame(sessions[0].accept_key_reveals, reveals) == (1, "key-commit-mismatch")
    assert blame(sessions[1].accept_key_reveals, reveals) == (0, "key-commit-mismatch")


def test_the_keys_become_part_of_the_context() -> None:
    """R-057."""
    one, other = Dealing(2), Dealing(2, seed="other")
    assert one.context() == other.context()
    one.run_to("shuffle")
    other.run_to("shuffle")
    assert len({one.context(0), one.context(1), other.context(0), Dealing(2).context()}) == 3


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_digest_is_of_the_deck(scheme: type[DealScheme]) -> None:
    """Same table, same keys, another last shuffle: another digest, and all seats of one deck have the same."""
    digests = []
    for seed in ("one", "other"):
        dealing = dealing_at("shuffle", 2, scheme=scheme)
        vars(dealing.sessions[dealing.order[1]])["_randomness"] = seeded(seed)
        digests.append({session.deck_digest() for session in dealing.run_to("deck_digest").sessions})
    assert [len(found) for found in digests] == [1, 1]
    assert digests[0] != digests[1]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_same_randomness_gives_the_same_bytes(scheme: type[DealScheme]) -> None:
    """What a client that was killed relies on to come back with what it has signed."""
    one, other = (Dealing(2, scheme=scheme(), seed="same").run_to("dealt") for _ in range(2))
    assert one.sent == other.sent
    assert one.sessions[0].open([0], STEP) == other.sessions[0].open([0], STEP)
    assert one.sent != Dealing(2, scheme=scheme(), seed="other").run_to("dealt").sent


# Secrets


@pytest.mark.parametrize("scheme", SCHEMES)
def test_after_erasing_others_are_verified_but_nothing_is_proved(scheme: type[DealScheme]) -> None:
    dealing = dealing_at("dealt", 2, scheme=scheme)
    erased, other = dealing.sessions
    erased.erase()
    erased.erase()
    with pytest.raises(LocalError) as opening:
        erased.open([0], STEP)
    with pytest.raises(LocalError) as proving:
        erased.prove_not_holding([0], [1], STEP)
    assert opening.value.code == proving.value.code == "erased"
    proof = other.open([1], STEP)
    erased.verify_open(1, [1], [other.faces()[1]], proof, STEP)
    assert len(erased.faces()) == 15


@pytest.mark.parametrize("step", ["key_commit", "key_reveal", "share_commit", "share_reveal"])
def test_an_erased_deck_goes_no_further(step: str) -> None:
    dealing = dealing_at(step, 2)
    dealing.sessions[0].erase()
    with pytest.raises(LocalError) as caught:
        getattr(dealing.sessions[0], step)()
    assert caught.value.code == "erased"


@pytest.mark.parametrize("step", ["key_reveal", "share_reveal"])
def test_what_was_committed_to_and_not_shown_is_erased_too(step: str) -> None:
    session = dealing_at(step, 2).sessions[0]
    payload = getattr(deepcopy(session), step)()
    assert payload in vars(session).values()
    session.erase()
    assert payload not in vars(session).values()


def test_the_key_stands_nowhere_in_sight() -> None:
    dealing = dealing_at("dealt", 2)
    secret = dealing.secret(0)
    shown = repr(dealing.sessions[0]) + str(dealing.sessions[0])
    assert str(secret) not in shown
    assert f"{secret:x}" not in shown
    assert all(secret.to_bytes(32, "little") not in payload for _, _, payload in dealing.sent)
    dealing.sessions[0].erase()
    assert secret not in vars(dealing.sessions[0]).values()


@pytest.mark.parametrize(
    ("seats", "seat", "order", "plan"),
    [
        (1, 0, (0,), plan_for(2)),
        (4, 0, (0, 1, 2, 3), plan_for(3)),
        (2, 2, (0, 1), plan_for(2)),
        (3, 0, (0, 1), plan_for(3)),
        (3, 0, (0, 1, 1), plan_for(3)),
        (3, 0, (0, 1, 2), plan_for(2)),
        (2, 0, (0, 1), plan_for(3)),
        (2, 0, (0, 1), DealPlan(plan_for(2).owners[:51])),
    ],
)
def test_plans_that_fit_no_deal(seats: int, seat: int, order: tuple[int, ...], plan: DealPlan) -> None:
    with pytest.raises(LocalError) as caught:
        MentalPoker().join(context=CONTEXT, seats=seats, seat=seat, plan=plan, order=order, randomness=seeded(1))
    assert caught.value.code == "bad-plan"
