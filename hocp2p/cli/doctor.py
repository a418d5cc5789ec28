"""``hocp2p doctor``: what this machine has for the game, what it lacks, and what to do about that.

It creates nothing, prints no secret, needs no terminal and sends nothing unless ``--network`` asks for that; of sockets
it only takes the table's port on the loopback for a moment.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping

from hocp2p.cli.check_software import check_software
from hocp2p.cli.exits import Exit
from hocp2p.cli.finding import Finding, Level, note
from hocp2p.cli.settings import Settings, read_settings
from hocp2p.errors import LocalError
from hocp2p.ui.lang import _


def run_doctor(flags: Mapping[str, object]) -> int:
    """Prints what was found. Gives ``Exit.USAGE`` where there is a problem to be set right, else ``Exit.OK``."""
    findings = list(examine(ask_network=bool(flags.get("network"))))
    problems = sum(finding.level is Level.PROBLEM for finding in findings)
    if flags["json"]:
        told = [{"topic": topic, "level": level.value, "text": text} for topic, level, text in findings]
        sys.stdout.write(json.dumps({"healthy": problems == 0, "findings": told}) + "\n")
    else:
        sys.stdout.write(format_findings(findings))
    return Exit.USAGE if problems else Exit.OK


def examine(*, ask_network: bool = False) -> Iterator[Finding]:
    """Everything, topic by topic. Where a library is missing the rest, which needs it, is left out.

    Args:
        ask_network: whether tables and a router are asked for; else nothing is sent.
    """
    software = list(check_software())
    yield from software
    if any(finding.level is Level.PROBLEM for finding in software):
        yield note("software", _("everything else was left out, since it needs what is missing"))
        return
    from hocp2p.cli.check_files import check_files
    from hocp2p.cli.check_network import check_network
    from hocp2p.cli.check_terminal import check_terminal

    settings = _settings()
    yield from check_terminal(settings, sys.stdin, sys.stdout)
    yield from check_files(settings)
    yield from check_network(settings.port, ask=ask_network)


def format_findings(findings: list[Finding]) -> str:
    """A heading for each topic, a line for each finding, and the sum of it."""
    lines: list[str] = []
    topic = ""
    for finding in findings:
        if finding.topic != topic:
            topic = finding.topic
            lines.append(_(topic))
        lines.append(f"  {_(finding.level.value):8} {finding.text}")
    problems = sum(finding.level is Level.PROBLEM for finding in findings)
    lines.append(_("problems: {count}").format(count=problems) if problems else _("no problem was found"))
    return "\n".join(lines) + "\n"


def _settings() -> Settings:
    """The settings; the defaults where those are wrong, which is told among the files."""
    from hocp2p.record.paths import config_file

    try:
        return read_settings({}, os.environ, config_file())
    except LocalError:
        return Settings()
