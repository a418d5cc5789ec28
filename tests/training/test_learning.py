from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hocp2p.errors import LocalError
from hocp2p.training.learning import AuctionCurve, Curves, PlayCurve, curves_of, read_learning
from hocp2p.training.play_train import Measure

POINT: dict[str, Any] = {"games": 10, "error": 4.5, "score": -1.0, "half_width": 0.5}
LEARNING: dict[str, dict[str, Any]] = {
    "play2": {"seats": 2, "seed": 1, "plan": {}, "curve": [POINT]},
    "auction3": {"seats": 3, "seed": 1, "stakes": {"point x2": {"curve": [[1, 0.5], [2, 0.25]], "worth": [1.0]}}},
}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "learning.json"
    path.write_text(json.dumps(LEARNING), encoding="utf-8")
    assert read_learning(path) == LEARNING
    assert curves_of(LEARNING, path) == Curves(
        (PlayCurve(2, (Measure(10, 4.5, -1.0, 0.5),)),), (AuctionCurve(3, "point", 2, ((1, 0.5), (2, 0.25))),)
    )


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"play2": 1}',
        '{"play2": {}}',
        '{"play2": {"seats": 2, "curve": []}}',
        '{"play2": {"seats": 2, "curve": [{"games": 1}]}}',
        '{"play2": {"seats": null, "curve": [{"games": 1, "error": 1, "score": 1, "half_width": 1}]}}',
        '{"auction2": {"seats": 2, "stakes": []}}',
        '{"auction2": {"seats": 2, "stakes": {}}}',
        '{"auction2": {"seats": 2, "stakes": {"point": {"curve": [[1, 1]]}}}}',
        '{"auction2": {"seats": 2, "stakes": {"point x1": {"curve": [[1]]}}}}',
        '{"auction2": {"seats": 2, "stakes": {"point x1": {"curve": [[1, "x"]]}}}}',
    ],
)
def test_what_is_no_learning_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "learning.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(LocalError) as caught:
        read_learning(path)
    assert (caught.value.code, str(path) in caught.value.message) == ("bad-learning", True)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(LocalError) as caught:
        read_learning(tmp_path / "none")
    assert caught.value.message.endswith("cannot be read: No such file or directory")
