"""The vectors of ``protocol/vectors``, for tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hocp2p.errors import HocError

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors"
NAMES = sorted(path.name for path in FOLDER.glob("*.json") if path.name != "schema.json")

Vector = Mapping[str, Any]


@cache
def load(name: str) -> dict[str, Any]:
    """A whole file."""
    content: dict[str, Any] = json.loads((FOLDER / name).read_text())
    return content


def vectors(*names: str) -> pytest.MarkDecorator:
    """Runs a test with every vector of these files as ``vector``."""
    found = [pytest.param(each, id=f"{name}: {each['name']}") for name in names for each in load(name)["vectors"]]
    return pytest.mark.parametrize("vector", found)


def only(name: str) -> Vector:
    """The vector of a file that has one."""
    (vector,) = load(name)["vectors"]
    found: Vector = vector
    return found


def verdict(check: Callable[[], object]) -> str | None:
    """The code with which ``check`` refuses, or None."""
    try:
        check()
    except HocError as error:
        return error.code
    return None


def untagged(tagged: Any) -> Any:
    """A value from its form in JSON; arrays as the codec gives them."""
    kind, content = tagged
    if kind == "int":
        return int(content)
    if kind == "bytes":
        return bytes.fromhex(content)
    return content if kind == "text" else tuple(untagged(item) for item in content)
