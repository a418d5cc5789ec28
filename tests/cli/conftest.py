"""Every test of a command has folders of its own, and none of the environment's settings."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hocp2p.cli import console

RunCommand = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Config, data and state below the test's own folder, for this process and those it starts."""
    for name in list(os.environ):
        if name.startswith("HOCP2P_"):
            monkeypatch.delenv(name)
    for kind in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    monkeypatch.setenv("WIN_PD_OVERRIDE_LOCAL_APPDATA", str(tmp_path / "local"))  # of platformdirs, for Windows
    monkeypatch.setenv("PYTHONUTF8", "1")
    return tmp_path


@pytest.fixture(autouse=True)
def consoles(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test says is a terminal is one for Windows, too."""
    monkeypatch.setattr(console, "_mode", lambda _stream: 0)


@pytest.fixture
def run_python() -> RunCommand:
    """Runs Python as a process of its own, without a terminal."""

    def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        settings: dict[str, object] = {"capture_output": True, "text": True, "timeout": 60, "input": ""} | options
        command = [sys.executable, *arguments]
        return subprocess.run(command, check=False, **settings)  # type: ignore[call-overload, no-any-return] # passed on

    return run


@pytest.fixture
def run_command(run_python: RunCommand) -> RunCommand:
    """Runs ``hocp2p`` so."""
    return lambda *arguments, **options: run_python("-m", "hocp2p", *arguments, **options)
