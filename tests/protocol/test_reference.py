"""The reference by itself: it stands alone, its arithmetic is that of the RFCs, its rules are those of the game."""

from __future__ import annotations

import ast
import hashlib
import random
import sys
from pathlib import Path

import pytest

from hocp2p.errors import RuleError
from hocp2p.game import rules as game
from hocp2p.game.actions import Action, Announce, Claim, Good, Stake
from hocp2p.game.house import Rules
from hocp2p.game.state import DealState, Phase
from hocp2p.table.moves import encode_action
from hocp2p.wire.messages import encode_message
from protocol.generate import ed25519, play
from protocol.generate.bounds import read_message
from protocol.generate.faults import Fault
from protocol.generate.game import Deal
from protocol.generate.ristretto import IDENTITY, B, L, combine, decode, expand_message, from_uniform
from tests.support import rfc_vectors
from tests.support.table_sim import Deck, shuffled, view_of

FOLDER = Path(__file__).parents[2] / "protocol" / "generate"
SEEDS = range(60)


def test_it_imports_nothing_but_itself_and_the_standard_library() -> None:
    files = sorted(FOLDER.glob("*.py"))
    assert len(files) > 15
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                assert name.startswith("protocol.generate") or name.split(".")[0] in sys.stdlib_module_names, path.name


def test_no_file_of_it_is_long() -> None:
    for path in FOLDER.glob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 260, path.name


# -- arithmetic -------------------------------------------------------------------------------------------------------


def test_multiples_of_the_base_point() -> None:
    """RFC 9496, A.1."""
    assert [bytes(number * B).hex() for number in range(16)] == rfc_vectors.RISTRETTO_MULTIPLES


@pytest.mark.parametrize("reason", rfc_vectors.RISTRETTO_BAD)
def test_encodings_to_refuse(reason: str) -> None:
    """RFC 9496, A.3."""
    for text in rfc_vectors.RISTRETTO_BAD[reason].split():
        with pytest.raises(Fault, match="bad-point"):
            decode(bytes.fromhex(text))


def test_the_order_and_sums() -> None:
    assert L * B == IDENTITY
    assert (L - 1) * B == -B
    assert combine([3, L - 5, 0], [B, 2 * B, 7 * B]) == -7 * B
    assert decode(bytes(11 * B)) == 5 * B + 6 * B
    with pytest.raises(Fault, match="identity-point"):
        decode(bytes(B - B))
    assert from_uniform(bytes(64)) == IDENTITY


def test_the_map_and_the_expansion() -> None:
    """RFC 9496, A.3; RFC 9380, K.3."""
    for text, point in rfc_vectors.RISTRETTO_MAP_OF_TEXT.items():
        assert bytes(from_uniform(hashlib.sha512(text.encode()).digest())).hex() == point
    for uniform in rfc_vectors.RISTRETTO_MAP_FROM_FOUR:
        assert bytes(from_uniform(bytes.fromhex(uniform))).hex() == rfc_vectors.RISTRETTO_MAP_TO_ONE
    for length, cases in ((32, rfc_vectors.EXPAND_TO_32), (128, rfc_vectors.EXPAND_TO_128)):
        for message, output in cases:
            assert expand_message(message, rfc_vectors.EXPAND_TAG, length).hex() == output


@pytest.mark.parametrize(
    ("seed", "key", "message", "signature"),
    [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
            "d25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
            "387b2eaeb4302aeeb00d291612bb0c00",
        ),
    ],
)
def test_signatures(seed: str, key: str, message: str, signature: str) -> None:
    """RFC 8032, 7.1, tests 1 and 2."""
    assert ed25519.public_key(bytes.fromhex(seed)).hex() == key
    assert ed25519.sign(bytes.fromhex(seed), bytes.fromhex(message)).hex() == signature
    ed25519.verify(bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature))


# -- the rules --------------------------------------------------------------------------------------------------------


def some_rules(rng: random.Random) -> Rules:
    return Rules(
        raise_cap=rng.choice((1, 5, 20)),
        double=rng.choice(("per_stake", "all_three", "never")),
        point=rng.choice(("cards", "pips")),
        lesser=rng.choice(("on", "off")),
        fortuitous=rng.choice(("paid", "unpaid")),
        hold_back="fined",
    )


def choose(state: DealState, deck: Deck, rng: random.Random) -> Action:
    """Any move that is offered, and now and then a lie or its admission."""
    assert state.turn is not None
    lies: list[Action] = [Good(), Announce(Claim(5, 40)), Announce(Claim(3, 9)), Announce(Claim(4, 13))]
    if state.phase in (Phase.SHOWDOWN, Phase.SHOW) and rng.random() < 0.1:
        for lie in rng.sample(lies, len(lies)):
            try:
                game.verify_action(state, state.turn, lie)
            except RuleError:
                continue
            return lie
    return rng.choice(game.legal_actions(view_of(state, state.turn, deck)))


def assert_same(state: DealState, deal: Deal) -> None:
    assert (deal.turn, deal.phase) == (state.turn, state.phase.value)
    assert (tuple(deal.balances), tuple(deal.pools)) == (state.balances, state.pools)
    assert deal.faces == {position: card.index for position, card in state.opened}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_deal_goes_the_same_way_in_both(seed: int) -> None:
    """Turn, phase, jetons and due proofs after every move, seats being lost on the way."""
    rng = random.Random(seed)
    seats, rules, deck = rng.choice((2, 3)), some_rules(rng), shuffled(rng)
    dealer, carry = rng.randrange(seats), (rng.randrange(9), rng.randrange(9), rng.randrange(9))
    doubled = frozenset(stake for stake in Stake if rng.random() < 0.4)
    state, _ = game.start_deal(rules, seats, dealer, [100] * seats, carry, doubled)
    texts = {name: str(value) for name, value in rules.to_dict().items()}
    deal = play.start_deal(texts, seats, dealer, [100] * seats, carry, {int(stake) for stake in doubled})
    while (seat := state.turn) is not None:
        assert_same(state, deal)
        if rng.random() < 0.01:
            lost = rng.choice(state.present)
            state, _ = game.leave(state, lost)
            play.leave(deal, lost)
            continue
        action = choose(state, deck, rng)
        name, fields = read_message(encode_message(encode_action(action, b"")))
        play.verify(deal, seat, name, fields)
        wanted = game.required_proof(state, seat, action)
        due = play.proof_due(deal, seat, name, fields)
        assert (None if due is None else due[1:]) == (
            None if wanted is None else (list(wanted.positions), [card.index for card in wanted.cards])
        )
        play.perform(deal, seat, name, fields)
        state, _ = game.apply(state, seat, action)
    assert_same(state, deal)
    outcome = game.outcome(state)
    pools, doubles = play.carried(deal)
    assert (tuple(pools), doubles) == (outcome.carry_after, {int(stake) for stake in outcome.doubled_after})
