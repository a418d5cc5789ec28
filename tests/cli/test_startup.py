"""Help must come at once: counted in modules, since seconds differ; ``hocp2p bench`` has the ratio in time."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import RunCommand

MOST = 1.5
"""Times the modules of a process that imports argparse alone."""

BARE = "import argparse"
COMMAND = """
import sys
from hocp2p.cli.main import main
sys.argv[0] = "hocp2p"
try:
    main()
except SystemExit as done:
    assert not done.code
"""
COUNT = "\nimport sys\nloaded = sorted(sys.modules)\nimport json\nsys.stderr.write(json.dumps(loaded))"
SLOW = {"typing", "shutil", "dataclasses", "inspect", "asyncio", "tomllib", "platformdirs", "prompt_toolkit"}


def modules(run_python: RunCommand, source: str, *arguments: str) -> set[str]:
    """All that a process has loaded at its end."""
    done = run_python("-c", source + COUNT, *arguments)
    assert done.returncode == 0
    return set(json.loads(done.stderr))


@pytest.mark.parametrize("arguments", [[], ["--help"], ["--version"], ["host", "--help"], ["doctor", "--help"]])
def test_help_loads_little_more_than_argparse(run_python: RunCommand, arguments: list[str]) -> None:
    bare = modules(run_python, BARE)
    ours = modules(run_python, COMMAND, *arguments)
    assert bare <= ours  # or one of the two did not run
    assert "hocp2p.cli.commands" in ours
    assert len(ours) <= MOST * len(bare)
    assert not SLOW & (ours - bare)


def test_what_a_command_loads_would_be_noticed(run_python: RunCommand) -> None:
    ours = modules(run_python, COMMAND, "rules", "--list")
    assert SLOW & ours
    assert len(ours) > MOST * len(modules(run_python, BARE))


def test_help_is_as_wide_as_the_terminal(run_command: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    widths = {}
    for columns in ("60", "200", "0", "wide"):
        monkeypatch.setenv("COLUMNS", columns)
        widths[columns] = max(map(len, run_command("host", "--help").stdout.splitlines()))
    assert widths["60"] <= 60
    assert 80 < widths["200"] <= 200
    assert 70 < widths["0"] <= 80
    assert widths["wide"] == widths["0"]
