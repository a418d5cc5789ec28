"""Files of text that a person has written, by whatever editor or shell."""

from __future__ import annotations

import codecs
from pathlib import Path


def read_text(path: Path) -> str:
    """UTF-8, with or without the mark that editors of Windows begin it with; or the UTF-16 of ``>`` in its PowerShell.

    Raises OSError, UnicodeDecodeError.
    """
    content = path.read_bytes()
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if wide else "utf-8-sig")
