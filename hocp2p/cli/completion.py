"""``hocp2p completion``: what makes a shell complete our commands, options and values; written by shtab."""

from __future__ import annotations

import argparse
import sys
from typing import Any, Final

from hocp2p.cli.commands import Parser, build_parser, each_command
from hocp2p.cli.train import ONLY
from hocp2p.cli.values import READERS, Choice, Number
from hocp2p.errors import LocalError
from hocp2p.game.house import CHOICES, Rules
from hocp2p.players.levels import ENTRANTS
from hocp2p.ui.lang import _

FILES: Final = ("identity", "script", "jsonl", "replay", "plot", "curves")
"""Options that are names of files."""
MAX_NUMBERS: Final = 5
"""A number is completed where so few are possible."""

BASH_WORDS: Final = r"""
# bash takes point=cards for three words, and so it does --level=novice.
# Here the first is one word again and the second is two, before _shtab_hocp2p looks at them.
_hocp2p() {
  local at word last="" here=0 line=()
  for at in "${!COMP_WORDS[@]}"; do
    word="${COMP_WORDS[at]}"
    if [[ $last != --* && ( ($at -gt 0 && $word == "=") || $last == *= ) ]]; then
      line[${#line[@]}-1]="$last$word"
    elif [[ $word != "=" ]]; then
      line+=("$word")
    elif [[ $at -eq $COMP_CWORD ]]; then
      line+=("")
    fi
    [[ $at -eq $COMP_CWORD ]] && here=$(( ${#line[@]} - 1 ))
    last="${line[${#line[@]}-1]}"
  done
  COMP_WORDS=("${line[@]}")
  COMP_CWORD=$here
  _shtab_hocp2p "$@"
  [[ ${line[here]} == *=* ]] && COMPREPLY=("${COMPREPLY[@]#*=}")
  return 0
}
complete -o bashdefault -F _hocp2p hocp2p
"""


def print_completion(shell: str) -> int:
    """Prints the file for a shell.

    Raises:
        LocalError: ``no-shtab``, ``no-such-shell``.
    """
    try:
        import shtab
    except ImportError as error:
        raise LocalError(
            "no-shtab", _("completions are written by shtab; install it with: python -m pip install shtab")
        ) from error
    if shell not in shtab.SUPPORTED_SHELLS:
        shells = ", ".join(shtab.SUPPORTED_SHELLS)
        raise LocalError(
            "no-such-shell",
            _("there are completions for {shells}, not for {shell}").format(shells=shells, shell=repr(shell)),
        )
    parser = build_parser()
    _add_values(parser, shtab.SUPPORTED_SHELLS, shtab.FILE)
    sys.stdout.write(shtab.complete(parser, shell) + (BASH_WORDS if shell == "bash" else "\n"))
    return 0


def _add_values(parser: Parser, shells: list[str], file: Any) -> None:
    """Tells the options what may follow them; argparse does not have to know, since settings are checked elsewhere."""
    words = {name: _words(name) for name in READERS} | {"house": _house_words(), "shell": tuple(shells)}
    words |= {"levels": ENTRANTS, "only": ONLY}
    for _name, command in each_command(parser):
        for action in command._actions:  # there is no public way to ask
            if action.dest in FILES:
                action.complete = file  # type: ignore[attr-defined] # where shtab looks for it
            elif not isinstance(action, argparse.BooleanOptionalAction):
                action.choices = words.get(action.dest) or action.choices


def _words(name: str) -> tuple[str, ...]:
    """What may be written for a setting, where that is a few words."""
    reader = READERS[name]
    if isinstance(reader, Choice):
        return reader.words()
    if isinstance(reader, Number) and reader.most - reader.least < MAX_NUMBERS:
        return tuple(map(str, range(reader.least, reader.most + 1)))
    return ()


def _house_words() -> tuple[str, ...]:
    """``point=cards``, ``point=pips``, ...; of a number, the default."""
    rules = {name: default for name, default in Rules().to_dict().items() if name != "deals"}
    return tuple(f"{name}={value}" for name, default in rules.items() for value in CHOICES.get(name, (str(default),)))
