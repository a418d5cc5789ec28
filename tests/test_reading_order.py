"""The first lines of a package say what its modules are, in an order to be read: all of them, and no other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import hocp2p

ROOT = Path(hocp2p.__file__).parent
UNDESCRIBED = {"cli", "ui", "ui/parts"}
PACKAGES = sorted(path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("*/**/__init__.py"))
LINE = re.compile(r"- ((?:\w+, )*\w+): .+")


def described(package: str) -> list[str]:
    """The modules and packages that a package names in the lines of its list, in their order."""
    told = ast.get_docstring(ast.parse((ROOT / package / "__init__.py").read_text(encoding="utf-8"))) or ""
    lines = (LINE.fullmatch(line) for line in told.splitlines())
    return [name for line in lines if line is not None for name in line[1].split(", ")]


@pytest.mark.parametrize("package", [package for package in PACKAGES if package not in UNDESCRIBED])
def test_a_package_says_what_is_in_it(package: str) -> None:
    inside = [path for path in (ROOT / package).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    assert sorted(described(package)) == sorted(path.stem for path in inside if path.stem != "__init__")


def test_the_others_are_those() -> None:
    assert [package for package in PACKAGES if not described(package)] == sorted(UNDESCRIBED)
