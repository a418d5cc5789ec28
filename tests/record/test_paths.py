"""Paths follow the platform, and asking for them makes nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hocp2p.record import paths


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="XDG is for the other systems")
def test_xdg_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    assert paths.config_file() == tmp_path / "config" / "hocp2p" / "config.toml"
    assert paths.identity_file() == tmp_path / "data" / "hocp2p" / "identity"
    assert paths.sessions_dir() == tmp_path / "data" / "hocp2p" / "sessions"
    assert paths.known_keys_file() == tmp_path / "data" / "hocp2p" / "known_keys"
    assert paths.state_dir() == tmp_path / "state" / "hocp2p"
    assert list(tmp_path.iterdir()) == []
