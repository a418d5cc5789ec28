"""The specification against the program: its requirements are tested, its tables and codes are those of the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hocp2p.wire import envelope, frames, messages, text
from hocp2p.wire.frames import Chair, Continued, Seat
from hocp2p.wire.schema import bounds_of
from tests.support import spec

REQUIREMENTS = re.findall(r"\[(R-\d{3})\]", spec.text())
NESTED: dict[str, type] = {"Chair": Chair, "Seat": Seat, "Continued": Continued}
PACKAGE = spec.ROOT / "hocp2p"

# -- requirements -----------------------------------------------------------------------------------------------------


def test_requirements_are_numbered_without_a_gap() -> None:
    in_order = [f"R-{number:03d}" for number in range(1, len(REQUIREMENTS) + 1)]
    assert in_order == sorted(REQUIREMENTS)
    assert len(REQUIREMENTS) > 100


def test_every_must_has_an_id() -> None:
    lawless = [item for item in spec.items() if "MUST" in item and not spec.CITATION.search(item)]
    assert len(lawless) == 1, lawless
    assert "RFC 2119" in lawless[0]


def test_every_id_stands_with_a_must() -> None:
    idle = [item for item in spec.items() if re.search(r"\[R-\d{3}\]", item) and "MUST" not in item]
    assert idle == []


def test_every_requirement_is_cited_by_a_test_or_a_vector() -> None:
    assert sorted(set(REQUIREMENTS) - spec.cited().keys()) == []


def test_every_citation_is_of_a_requirement() -> None:
    unknown = {each: where for each, where in spec.cited().items() if each not in REQUIREMENTS}
    assert unknown == {}


# -- tables -----------------------------------------------------------------------------------------------------------

TABLES = {"### 6.2 Frames": frames.FAMILY, "### 8.1 Messages": messages.FAMILY}


@pytest.mark.parametrize("heading", TABLES)
def test_the_tables_of_frames_and_messages_are_the_declarations(heading: str) -> None:
    """Kind, name, fields in order, bounds: of every record, and of no other."""
    told = {
        int(row[0]): (row[1].strip("`"), list(spec.fields_in(row[2], NESTED).items()))
        for row in spec.rows(spec.section(heading))
        if row[0].isdigit()
    }
    declared = {
        number: (record.__name__, list(bounds_of(record).items())) for number, record in TABLES[heading].types.items()
    }
    assert told == declared


@pytest.mark.parametrize("name", NESTED)
def test_the_parts_of_frames_are_the_declarations(name: str) -> None:
    told = {row[0].strip("`"): row[1] for row in spec.rows(spec.section("### 6.2 Frames"))}
    assert list(spec.fields_in(told[name], NESTED).items()) == list(bounds_of(NESTED[name]).items())


def test_the_table_of_the_envelope_is_the_declaration() -> None:
    table = [row for row in spec.rows(spec.section("## 8. Envelopes")) if row[0] in envelope.Envelope.__slots__]
    told = {row[0]: spec.bound_in(row[1], NESTED) for row in table}
    assert list(told.items()) == list(bounds_of(vars(envelope)["_Fields"]).items())


def test_hidden_characters_and_spaces_are_those_of_the_program() -> None:
    """R-007."""
    block = re.search(r"(?m)(?:^    [0-9A-F].*\n)+", spec.section("### 3.2 Texts that people see"))
    assert block is not None
    ranges = [tuple(int(end, 16) for end in each.split("-")) for each in block[0].split()]
    assert tuple((each[0], each[-1]) for each in ranges) == vars(text)["_HIDDEN_RANGES"]
    line = re.search(r"Spaces are 0020, ([^.]*)\.", spec.section("### 3.2 Texts that people see"))
    assert line is not None
    spaces = {" "}
    for each in re.split(r", | and ", line[1]):
        first, _, last = each.partition("-")
        spaces |= {chr(point) for point in range(int(first, 16), int(last or first, 16) + 1)}
    assert spaces == set(vars(text)["_SPACES"])


def test_limits_are_those_of_the_program() -> None:
    limits = spec.section("## 16. Limits")
    for number in (frames.MAX_FRAME_BYTES, envelope.MAX_ENVELOPE_BYTES, messages.MAX_BODY_BYTES, messages.JETONS):
        assert f"{number:,}" in limits


# -- codes ------------------------------------------------------------------------------------------------------------

ERRORS = {"WireError": 0, "CryptoError": 0, "SeatError": 1, "PeerError": 2, "RuleError": 0, "_fault": 1}
"""Name of what is called -> which argument is the code."""
GIVEN_ON = {"check", "verify", "verify_commit"}
"""Functions whose last argument is the code to raise."""
JUDGES = ("auction", "blanche", "combinations", "hands", "play", "showdown", "stakes")
"""Modules of the game that judge the moves of others."""
NOT_OF_OTHERS = {
    "bad-seed": "an identity file of our own",
    "bad-proof": "the mode that runs the vectors of RFC 9497",
    "no-face": "cannot be as long as the proofs hold",
    "not-your-card": "a move of our own player",
    "bad-card": "no byte on the wire says such a card",
}


def calls(path: Path) -> Iterator[tuple[str, list[ast.expr]]]:
    """Name and arguments of every call in a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            yield name, node.args


def constants(paths: list[Path], places: dict[str, int]) -> set[str]:
    """Texts that are given to certain calls at certain places."""
    found = [(args, places[name]) for path in paths for name, args in calls(path) if name in places]
    arguments = (args[place] for args, place in found if -len(args) <= place < len(args))
    return {arg.value for arg in arguments if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}


def modules(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((PACKAGE / folder).glob("*.py"))]


def test_every_code_that_blames_a_peer_or_a_link_is_in_the_appendix_and_no_other() -> None:
    judges = [PACKAGE / "game" / f"{name}.py" for name in JUDGES]
    paths = modules("wire", "crypto", "table") + judges
    raised = constants(paths, ERRORS) | constants(paths, dict.fromkeys(GIVEN_ON, -1))
    raised = {code for code in raised if re.fullmatch(r"[a-z]+(-[a-z]+)*", code)}
    assert NOT_OF_OTHERS.keys() <= raised
    told = set[str]().union(*(spec.codes_in(spec.section(f"### A.{part}")) for part in PARTS))
    assert told == raised - NOT_OF_OTHERS.keys()


PARTS = ("1 Form", "2 Frames and proposals", "3 Envelopes, slots, steps", "4 The deck", "5 The game")


def test_stops_that_accuse_nobody_are_those_of_the_table() -> None:
    stops = constants(modules("table"), {"TableStopped": 0, "LocalError": 0})
    told = spec.codes_in(spec.section("### A.6 Stops that accuse nobody"))
    assert told - {"closed", "seat-lost"} <= stops  # said by whoever asks for the stop
    assert constants(modules("table"), {"TableStopped": 0}) <= told


def test_refusals_are_those_of_the_host() -> None:
    told = spec.codes_in(spec.section("### 7.1 The lobby"))
    assert told == constants(modules("table"), {"_refuse": 1, "refuse": 1})


# -- domain separation ------------------------------------------------------------------------------------------------


def test_domain_separation_strings_are_those_of_the_program() -> None:
    """Bytes that begin with the protocol's name, labels of transcripts, labels of hashed points."""
    paths = modules("wire", "crypto", "table")
    prefixed = {
        node.value.decode()
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, bytes) and node.value.startswith(b"hocp2p/1 ")
    }
    points = constants(paths, {"hash_to_point": 0})
    labels = constants(paths, {"Transcript": 0, "statement": 0})
    labels |= {f"{what} commitment" for what in constants(paths, {"commit_to": 0})}
    used = prefixed | labels | {f"hocp2p/1 {point} ristretto255_XMD:SHA-512_R255MAP_RO_" for point in points}
    appendix = spec.section("## Appendix C. Domain separation strings")
    told = {each for row in spec.rows(appendix) for each in re.findall(r"`([^`]+)`", row[0])}
    assert told - {"hocp2p/1"} == used
