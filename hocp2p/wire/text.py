"""Which characters a text from another seat may hold, so that showing it on a terminal is safe.

The sets are written out rather than asked of ``unicodedata``: two seats with different Python versions must agree on
what is well-formed, for ever.
"""

from __future__ import annotations

import re
from typing import Final

# Unicode 16: categories Cc, Cf, Zl and Zp, and the other characters that show nothing or change what stands
# beside them (property Default_Ignorable_Code_Point). Surrogates cannot occur in UTF-8.
_HIDDEN_RANGES: Final = (
    (0x0000, 0x001F), (0x007F, 0x009F), (0x00AD, 0x00AD), (0x034F, 0x034F), (0x0600, 0x0605), (0x061C, 0x061C),
    (0x06DD, 0x06DD), (0x070F, 0x070F), (0x0890, 0x0891), (0x08E2, 0x08E2), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xD800, 0xDFFF),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x110BD, 0x110BD), (0x110CD, 0x110CD),
    (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
_SPACES: Final = " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_HIDDEN: Final = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _HIDDEN_RANGES) + "]")


def is_showable(text: str) -> bool:
    """Whether ``text`` has no control, format or ignorable character and no space at either end."""
    return _HIDDEN.search(text) is None and text == text.strip(_SPACES)


def clean_text(text: str, max_characters: int) -> str:
    """``text`` made showable: hidden characters are dropped (tabs and line ends become a space), ends trimmed, cut.

    Args:
        text: whatever a person typed.
        max_characters: code points that may remain. The result may be empty.
    """
    spaced = re.sub(r"[\t\n\v\f\r\u0085\u2028\u2029]+", " ", text)
    return _HIDDEN.sub("", spaced).strip(_SPACES)[:max_characters].rstrip(_SPACES)
