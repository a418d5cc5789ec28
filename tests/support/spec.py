"""Reads ``protocol/SPEC.md``: its requirements, its tables, its codes; and who cites which requirement."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from hocp2p.wire.schema import Bound, Exactly, Items, Nested, Pair, Range, Size, Text

ROOT: Final = Path(__file__).parents[2]
SPEC: Final = ROOT / "protocol" / "SPEC.md"
VECTORS: Final = ROOT / "protocol" / "vectors"
CITATION: Final = re.compile(r"\bR-\d{3}\b")

_COUNTED: Final = re.compile(r"\[(?:(\d+)\.\.)?(\d+) of ([^\]]+(?:\])?)\]")
_SIZED: Final = re.compile(r"(bytes|text)\[(?:(\d+)\.\.)?(\d+)\](, ASCII| or empty)?")
_NUMBERS: Final = re.compile(r"(-?\d+)\.\.(-?\d+)")


@cache
def text() -> str:
    return SPEC.read_text(encoding="utf-8")


def section(heading: str) -> str:
    """The text under a heading, up to the next one of the same or a higher rank."""
    rank = heading.split()[0]
    start = text().index(f"{heading}\n")
    end = re.compile(rf"(?m)^#{{2,{len(rank)}}} ").search(text(), start + len(heading))
    return text()[start : end.start() if end else None]


def rows(part: str) -> Iterator[list[str]]:
    """Cells of every row of the tables in a part of the text, without heads and lines."""
    for block in re.findall(r"(?m)(?:^\|.*\n)+", part):
        for line in block.splitlines()[2:]:
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def items() -> Iterator[str]:
    """The text in pieces that stand by themselves: paragraphs, items of lists, rows of tables."""
    yield from re.split(r"\n\n|\n(?=- )|\n(?=\|)", text())


def fields_in(cell: str, records: dict[str, type]) -> dict[str, Bound]:
    """Fields with their bounds from a cell such as ``word: 0..4; by: 0..1000``."""
    if cell == "none":
        return {}
    pairs = (part.split(": ", 1) for part in cell.split("; "))
    return {name: bound_in(bound.strip("`"), records) for name, bound in pairs}


def bound_in(words: str, records: dict[str, type]) -> Bound:
    """The bound that some words stand for, see section 3.3 of the specification."""
    if words in records:
        return Nested(records[words])
    if words == "switch":
        return Pair(Text(32), Text(64))
    if words == "place":
        return Pair(Range(0, 5_000), Range(0, 100_000))
    if match := _COUNTED.fullmatch(words):
        return Items(bound_in(match[3], records), int(match[1] or match[2]), int(match[2]))
    if match := _NUMBERS.fullmatch(words):
        return Range(int(match[1]), int(match[2]))
    if match := _SIZED.fullmatch(words):
        kind, least, most, more = match.groups()
        if kind == "text":
            return Text(int(most), least=int(least or most), ascii_only=more == ", ASCII")
        return Size(int(least or most), int(most) if least else None, or_empty=more == " or empty")
    assert words[0] == words[-1] == '"', words
    return Exactly(words.strip('"'))


def codes_in(part: str) -> set[str]:
    """Codes in the first column of the tables."""
    return {code for row in rows(part) for code in re.findall(r"`([a-z-]+)`", row[0])}


def cited() -> dict[str, set[str]]:
    """Requirement -> where it is cited: in comments and docstrings of tests, and in vectors."""
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if CITATION.search(source) and path.name != "test_spec.py":
            for each in CITATION.findall(_said_in(source)):
                found.setdefault(each, set()).add(path.name)
    for path in sorted(VECTORS.rglob("*.json")):
        for each in re.findall(r'"requirement":\s*"([^"]*)"', path.read_text(encoding="utf-8")):
            found.setdefault(each, set()).add(path.name)
    return found


def _said_in(source: str) -> str:
    """Comments and docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    said = [ast.get_docstring(node) or "" for node in ast.walk(ast.parse(source)) if isinstance(node, documented)]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return "\n".join([*said, *(token.string for token in tokens if token.type == tokenize.COMMENT)])
