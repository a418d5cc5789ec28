"""The files of vectors: their form, that they are what the generator writes, and that no code is forgotten."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

from protocol.generate import vectors as generator
from protocol.generate.__main__ import main
from protocol.generate.bounds import ENVELOPE, FRAMES, MESSAGES
from protocol.generate.vector import REQUIREMENTS
from tests.support import spec
from tests.support.vectors import FOLDER, NAMES, Vector, load

SCHEMA = json.loads((FOLDER / "schema.json").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_a_file_fits_the_schema_and_names_every_vector_once(name: str) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(load(name))
    names = Counter(vector["name"] for vector in load(name)["vectors"])
    assert [each for each, count in names.items() if count > 1] == []


def test_the_schema_refuses_a_field_too_many() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for name in NAMES:
        changed = json.loads(json.dumps(load(name)))
        changed["vectors"][0]["extra"] = 1
        assert list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(changed)), name


def test_there_is_a_file_for_every_entry_of_the_generator() -> None:
    assert sorted(generator.FILES) == NAMES
    assert {name: file.kind for name, file in generator.FILES.items()} == {name: load(name)["kind"] for name in NAMES}


def test_two_thirds_are_negative() -> None:
    codes = [vector["code"] for name in NAMES for vector in load(name)["vectors"]]
    bad = [code for code in codes if code is not None]
    assert len(codes) >= 150
    assert 3 * len(bad) >= 2 * len(codes)


def codes_tried(vector: Vector) -> set[str]:
    """What it is refused with, and at a peer with its links what that leads to."""
    outcome = vector.get("outcome", {})
    told = {vector["code"], outcome.get("stops"), *(code for _, code in outcome.get("refusals", []))}
    return told - {None}


def test_every_error_code_of_the_specification_has_a_vector() -> None:
    """Those of the appendix, and those of refusals; and no vector has a code that the specification does not tell."""
    told = spec.codes_in(spec.section("## Appendix A. Error codes")) | spec.codes_in(spec.section("### 7.1 The lobby"))
    assert len(told) > 70
    tried = set[str]().union(*(codes_tried(vector) for name in NAMES for vector in load(name)["vectors"]))
    assert tried == told


@pytest.mark.parametrize(
    ("name", "records"),
    [
        ("messages.json", list(MESSAGES.values())),
        ("frames.json", list(FRAMES.values())),
        ("envelopes.json", [("", ENVELOPE)]),
    ],
)
def test_every_bound_has_its_over_by_one(name: str, records: list[tuple[str, object]]) -> None:
    """For every field one vector above its bound and, where there is room, one below."""
    given = {vector["name"] for vector in load(name)["vectors"]}
    wanted = set()
    for kind, record in records:
        prefix = f"{kind}, " if kind else ""
        for field, bound in vars(record)["fields"]:
            ends = {"Int": ("one above", "one below"), "Bytes": ("one byte long",), "Text": ("one character long",),
                    "List": ("one item long",), "Word": ("another word",)}[type(bound).__name__]  # fmt: skip
            wanted |= {f"{prefix}{field} {end}" for end in ends}
    assert wanted - given == set()
    assert len(wanted) > 6


@pytest.mark.parametrize("name", [name for name, file in generator.FILES.items() if not file.slow])
def test_the_generator_writes_the_same_bytes(name: str) -> None:
    assert generator.differing([name]) == []


SLOW = [name for name, file in generator.FILES.items() if file.slow]
OF_SESSIONS = [name for name in SLOW if generator.FILES[name].kind in ("session", "session-fault", "next-proposal")]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "names", [OF_SESSIONS, [name for name in SLOW if name not in OF_SESSIONS]], ids=["sessions", "decks"]
)
def test_the_generator_writes_the_same_bytes_of_whole_decks(names: list[str]) -> None:
    """In one process each, which plays every session and every deck once."""
    assert len(names) > 5
    assert generator.differing(names) == []


def test_a_file_that_was_changed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generator, "FILES", {name: generator.FILES[name] for name in ("scalars.json", "heads.json")})
    monkeypatch.setattr(generator, "FOLDER", tmp_path)
    assert main([]) == 0
    assert main(["--check"]) == 0
    file = tmp_path / "heads.json"
    assert file.read_text() == (FOLDER / "heads.json").read_text()
    file.write_text(file.read_text().replace("first", "fist", 1))
    assert main(["--check"]) == 1
    file.unlink()
    assert main(["--check"]) == 1
    assert capsys.readouterr().err == 2 * "heads.json is not what the generator writes\n"


def test_a_code_and_the_requirement_cited_with_it_stand_together() -> None:
    """A code that the cited paragraph, or the table row, does not name is cited wrongly."""
    for code, requirement in REQUIREMENTS.items():
        (item,) = [item for item in spec.items() if f"[{requirement}]" in item]
        general = {"R-031", "R-088"}  # where the codes stand in the sentences around
        assert f"`{code}`" in item or requirement in general, (code, requirement)
