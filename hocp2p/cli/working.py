"""What commands that work for long have in common: their numbers, processor cores, and files of plots."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Final

from hocp2p.cli.values import Number, Reader
from hocp2p.errors import HocError, LocalError
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.lang import _

MOST_JOBS: Final = 256
MOST_SEED: Final = 999_999_999
PLOT_SUFFIX: Final = ".svg"
MATPLOTLIB: Final = ("matplotlib", (3, 8))
NUMPY: Final = ("numpy", (1, 26))


def read_option(what: str, reader: Reader, text: str) -> object:
    """The value of an option. Raises LocalError ``bad-setting`` that says what it must be."""
    try:
        return reader(text)
    except HocError as error:
        told = _("{setting} {message}").format(setting=what, message=translate_error(error.message))
        raise LocalError("bad-setting", told) from error


def read_number(flags: Mapping[str, object], name: str, reader: Number, default: int) -> int:
    """The value of ``--name``; ``default`` where it is not given. Errors as :func:`read_option`."""
    text = flags[name]
    return default if text is None else int(str(read_option(f"--{name}", reader, str(text))))


def read_tables(flags: Mapping[str, object]) -> tuple[int, ...]:
    """The tables of ``--seats``; both where it is not given. Errors as :func:`read_option`."""
    seats = read_number(flags, "seats", Number(2, 3), 0)
    return (seats,) if seats else (2, 3)


def cores() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def read_plot_path(text: str) -> Path:
    """The file of ``--plot``, which can be drawn. It may exist, since plots are drawn again.

    Raises:
        LocalError: ``bad-setting``: its name does not end in ``.svg``, or its folder is not there; ``no-library``:
            matplotlib is not there.
    """
    path = Path(text)
    if path.suffix != PLOT_SUFFIX:
        told = _("--plot draws SVG: name a file that ends in {suffix}, not {value}")
        raise LocalError("bad-setting", told.format(suffix=PLOT_SUFFIX, value=repr(text)))
    if not path.parent.is_dir():
        raise LocalError("bad-setting", _("there is no folder {path} for --plot").format(path=path.parent))
    need_library(*MATPLOTLIB)
    return path


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """While a file is written. Raises LocalError ``plot-unwritable``."""
    try:
        yield
    except OSError as error:
        told = _("{path} cannot be written: {reason}").format(path=path, reason=error.strerror)
        raise LocalError("plot-unwritable", told) from error


def need_library(name: str, least: tuple[int, int]) -> None:
    """Imports a library of the extra ``train``, or says how to get it.

    Args:
        name: of its package.
        least: the version that is needed.

    Raises:
        LocalError: ``no-library``: it is not there, or too old.
    """
    try:
        version = str(import_module(name).__version__)
    except ImportError:
        version = ""
    found = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if found < least:
        told = _('this needs {library} {version} or newer; install it with: python -m pip install "hocp2p[train]"')
        raise LocalError("no-library", told.format(library=name, version=".".join(map(str, least))))
