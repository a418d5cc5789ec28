"""Where things are kept on this machine. Nothing here creates a folder; whoever writes does."""

from __future__ import annotations

from pathlib import Path
from typing import Final

APP: Final = "hocp2p"


def config_file() -> Path:
    """``config.toml``, read at the start of every command; it need not exist."""
    from platformdirs import user_config_path  # here and below: ``--help`` must not pay for it

    return user_config_path(APP, appauthor=False) / "config.toml"


def identity_file() -> Path:
    """The key that is us at every table, see :mod:`hocp2p.record.identity_file`."""
    from platformdirs import user_data_path

    return user_data_path(APP, appauthor=False) / "identity"


def sessions_dir() -> Path:
    """The seats that one can go back to, see :mod:`hocp2p.record.sessions`."""
    return identity_file().with_name("sessions")


def known_keys_file() -> Path:
    """Names and keys that we have met, see :mod:`hocp2p.record.known_keys`."""
    return identity_file().with_name("known_keys")


def state_dir() -> Path:
    """The log, and reports of bugs."""
    from platformdirs import user_state_path

    return user_state_path(APP, appauthor=False)
