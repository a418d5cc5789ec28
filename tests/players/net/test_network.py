from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest

from hocp2p.errors import LocalError
from hocp2p.players.net.features import ACTION_SIZE, state_size
from hocp2p.players.net.network import Net, read_net, rules_digest, save_net, shipped_net
from hocp2p.players.net.observation import observe_view
from tests.players.net.moments import moments


def drawn(seats: int) -> Net:
    """A net of random weights, the output included."""
    generator = np.random.default_rng(1)
    net = Net.drawn(seats, (16, 8), generator)
    net.last[:] = generator.standard_normal(8)
    return net


def written(net: Net, seats: int) -> BytesIO:
    """The net as a file."""
    file = BytesIO()
    save_net(net, seats, file)
    file.seek(0)
    return file


def test_the_split_layer_is_a_layer() -> None:
    """Against the same perceptron over rows that hold state and action together."""
    net, generator = drawn(2), np.random.default_rng(2)
    state = generator.standard_normal((3, state_size(2))).astype(np.float32)
    action = generator.standard_normal((5, ACTION_SIZE)).astype(np.float32)
    rows = np.array([0, 0, 1, 2, 2])
    together = np.concatenate([state[rows], action], axis=1)
    first = np.maximum(together @ np.concatenate([net.state, net.action]) + net.bias, 0)
    second = np.maximum(first @ net.middle + net.middle_bias, 0)
    assert net.forward(state, action, rows) == pytest.approx(second @ net.last + net.last_bias, rel=1e-4)


def test_weights_come_back_as_they_were_saved() -> None:
    net = drawn(3)
    again = read_net(written(net, 3), 3)
    for one, other in zip(net.weights, again.weights, strict=True):
        assert other.dtype == np.float32
        assert np.array_equal(one.astype(np.float16), other)
    assert written(net, 3).getvalue() == written(net, 3).getvalue()


def test_weights_of_other_rules_are_refused() -> None:
    with pytest.raises(LocalError) as refused:
        read_net(written(drawn(3), 3), 2)
    assert refused.value.code == "other-rules"
    assert rules_digest(2) != rules_digest(3)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more", b"no net at all"])
def test_a_file_that_holds_no_net_is_refused(content: bytes) -> None:
    with pytest.raises(LocalError) as refused:
        read_net(BytesIO(content), 2)
    assert refused.value.code == "bad-weights"


def test_a_file_without_some_weights_is_refused() -> None:
    file = BytesIO()
    np.savez(file, allow_pickle=False, digest=np.array(rules_digest(2)))
    file.seek(0)
    with pytest.raises(LocalError) as refused:
        read_net(file, 2)
    assert refused.value.code == "bad-weights"


@pytest.mark.parametrize("seats", [2, 3])
def test_values_of_legal_actions_and_no_others(seats: int) -> None:
    net = shipped_net(seats)
    for view, _ in moments(seats, 3, 5):
        observed = observe_view(view)
        values = net.values(observed)
        finite = np.isfinite(values)
        assert finite.any()
        assert (values[~finite] == -np.inf).all()
        assert abs(values[finite]).max() < 60
