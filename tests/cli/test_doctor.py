"""``hocp2p doctor``: each finding, good and bad; and that looking changes nothing."""

from __future__ import annotations

import io
import json
import os
import socket
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from hocp2p.cli import check_files, check_network, check_software, check_terminal, doctor
from hocp2p.cli.check_network import check_network as network
from hocp2p.cli.check_terminal import check_terminal as terminal
from hocp2p.cli.check_terminal import glyphs
from hocp2p.cli.finding import Finding, Level, note, ok, problem
from hocp2p.cli.main import main
from hocp2p.cli.settings import Settings
from hocp2p.crypto.identity import fingerprint
from hocp2p.errors import LinkError
from hocp2p.net.address import AddressKind, LocalAddress
from hocp2p.record.identity_file import load_identity
from hocp2p.record.known_keys import KnownKeys
from hocp2p.record.lock import hold_lock
from tests.cli.conftest import RunCommand

LAN = LocalAddress("192.168.1.5", AddressKind.LAN)
IPV6 = LocalAddress("2a02::7", AddressKind.IPV6)


@pytest.fixture(autouse=True)
def sockets(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What was listened on; nothing is, here."""
    listened: list[tuple[str, int]] = []

    def listen(address: tuple[str, int]) -> io.StringIO:
        listened.append(address)
        return io.StringIO()  # can be closed

    monkeypatch.setattr(socket, "create_server", listen)
    monkeypatch.setattr(check_network, "ranked_addresses", lambda: (LAN, IPV6))

    async def forbidden(*_: object) -> Any:
        raise AssertionError("nothing may be sent unless that is asked for")

    monkeypatch.setattr(check_network, "browse", forbidden)
    monkeypatch.setattr(check_network, "find_router", forbidden)
    return listened


def run(capsys: pytest.CaptureFixture[str], code: int = 0) -> list[Finding]:
    """The findings, as ``--json`` tells them."""
    assert main(["doctor", "--json"]) == code
    captured = capsys.readouterr()
    assert captured.err == ""
    told = json.loads(captured.out)
    assert told["healthy"] is (code == 0)
    return [Finding(each["topic"], Level(each["level"]), each["text"]) for each in told["findings"]]


def find(findings: Iterator[Finding] | list[Finding], part: str) -> Finding:
    """The only one that has this in its text."""
    (found,) = [finding for finding in findings if part in finding.text]
    return found


def everything_below(folder: Path) -> dict[str, object]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def test_a_healthy_machine(capsys: pytest.CaptureFixture[str], sockets: list[tuple[str, int]]) -> None:
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "software",
        "terminal",
        "files",
        "network",
        "no problem was found",
    ]
    assert {line.split()[0] for line in lines if line.startswith(" ")} == {"ok", "note"}
    assert sockets == [("127.0.0.1", 7411)]


def test_one_object_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    findings = run(capsys)
    assert {finding.topic for finding in findings} == {"software", "terminal", "files", "network"}
    assert all(finding.text and not finding.text.endswith(".") and "\n" not in finding.text for finding in findings)


def test_without_terminal_and_folders_nothing_is_made(run_command: RunCommand, folders: Path) -> None:
    done = run_command("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert "none yet; one is made in " in done.stdout
    assert everything_below(folders) == {}


def test_looking_changes_nothing_and_tells_no_secret(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folders / "data" / "hocp2p" / "identity"
    identity = load_identity(path)
    before = everything_below(folders)
    findings = run(capsys)
    assert everything_below(folders) == before
    found = find(findings, "identity: ")
    assert found.level is Level.OK
    assert str(path) in found.text
    assert found.text.endswith(f"your key is {fingerprint(identity.public)}")
    assert identity.seed().hex() not in str(findings)


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_an_identity_that_others_can_read(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folders / "data" / "hocp2p" / "identity"
    load_identity(path)
    assert "mode 0600" in find(run(capsys), "identity: ").text
    path.chmod(0o644)
    found = find(run(capsys, code=2), "identity: ")
    assert found.level is Level.PROBLEM
    assert found.text.endswith(f"chmod 600 {path}")


def test_an_identity_that_is_damaged_or_elsewhere(
    folders: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folders / "mine"
    monkeypatch.setenv("HOCP2P_IDENTITY", str(path))
    assert str(path) in find(run(capsys), "identity: none yet").text
    path.touch(mode=0o600)
    assert "is damaged" in find(run(capsys, code=2), "identity: ").text
    assert path.read_bytes() == b""


@pytest.mark.parametrize("elsewhere", [False, True])
def test_what_is_kept_beside_the_identity(
    folders: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], elsewhere: bool
) -> None:
    beside = folders / "data" / "hocp2p"
    if elsewhere:
        beside = folders / "elsewhere"
        monkeypatch.setenv("HOCP2P_IDENTITY", str(beside / "mine"))
    beside.mkdir(parents=True)
    assert "none met yet" in find(run(capsys), "known keys: ").text
    assert "0 that you can go back to" in find(run(capsys), "kept seats: ").text

    known = beside / "known_keys"
    KnownKeys(known).remember([("Bruno", bytes(range(32)))], "2026-11-30")
    assert find(run(capsys), "known keys: ") == ok("files", f"known keys: {known}")
    known.write_bytes(b"rubbish\n" + known.read_bytes() + b"and more\n")
    assert f"cannot be read in {known}: 1, 3;" in find(run(capsys, code=2), "known keys: ").text
    known.unlink()

    seat = beside / "sessions" / "0123456789abcdef-1"
    seat.mkdir(parents=True)
    (seat / "journal").touch()
    (seat / "about").write_text("[]")
    found = find(run(capsys, code=2), "kept seats: the kept seat")
    assert found.level is Level.PROBLEM
    assert f"{seat} is damaged" in found.text


def test_an_identity_that_another_process_uses(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folders / "data" / "hocp2p" / "identity"
    load_identity(path)
    with hold_lock(path.with_name("identity.lock")) as ours:
        assert ours
        assert find(run(capsys), "another hocp2p plays with it").level is Level.NOTE
    assert not any("another hocp2p" in finding.text for finding in run(capsys))


@pytest.mark.parametrize("text", ["seats = 4", "sits = 3", "seats = "])
def test_a_wrong_file_of_settings(folders: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    path = folders / "config" / "hocp2p" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    found = find(run(capsys, code=2), str(path))
    assert (found.topic, found.level) == ("files", Level.PROBLEM)
    assert main(["doctor"]) == 2
    assert capsys.readouterr().out.endswith("\nproblems: 1\n")
    path.write_text("seats = 3", encoding="utf-8")
    assert find(run(capsys), str(path)).text.endswith(
        "is right; 1 are set there or in the environment, see hocp2p config"
    )


def test_wrong_variables(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("HOCP2P_PROT", "7500")
    assert find(run(capsys), "HOCP2P_PROT is set").level is Level.NOTE
    monkeypatch.setenv("HOCP2P_PORT", "x")
    assert find(run(capsys, code=2), "HOCP2P_PORT must be a number").level is Level.PROBLEM


def test_the_folder_of_reports(
    folders: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folders / "state" / "hocp2p"
    assert find(run(capsys), "state: ") == ok("files", f"state: the log and reports of bugs are kept in {folder}")
    folder.mkdir(parents=True)
    for name in ("bug-20260101-000000.txt", "bug-20260102-000000.txt"):
        (folder / name).touch()
    found = find(run(capsys), "reports of bugs: 2;")
    assert found.level is Level.NOTE
    assert found.text.endswith("bug-20260102-000000.txt")
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != folder)
    assert find(run(capsys, code=2), f"but {folder} cannot be written to").level is Level.PROBLEM


def test_a_file_where_a_folder_should_be(folders: Path) -> None:
    (folders / "state").touch()
    found = find(check_files.check_files(Settings()), "state: ")
    assert found.level is Level.PROBLEM
    assert found.text.endswith(f"but {folders / 'state'} is no folder; mend that")


MISSING = """
import sys
sys.modules[sys.argv.pop(1)] = None
from hocp2p.cli.main import main
sys.exit(main())
"""


@pytest.mark.parametrize("library", check_software.LIBRARIES)
def test_a_library_that_is_missing(run_python: RunCommand, library: str) -> None:
    done = run_python("-c", MISSING, library, "doctor")
    assert (done.returncode, done.stderr) == (2, "")
    told = [line for line in done.stdout.splitlines() if line.startswith("  problem")]
    assert len(told) == (2 if library == "ifaddr" else 1)  # zeroconf cannot be loaded without it either
    assert library in told[0].replace("prompt-toolkit", "prompt_toolkit")
    assert "python -m pip install" in told[0]
    assert "everything else was left out" in done.stdout
    assert done.stdout.endswith(f"\nproblems: {len(told)}\n")


def test_a_library_that_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {"websockets": "14.9.1rc1", "msgpack": "1.0.5", "rbcl": "1.1.10"}
    required = ["websockets>=15.0", "msgpack >= 1.0.5", "rbcl>=1.1.2", 'shtab>=99; extra == "completion"']
    monkeypatch.setattr(metadata, "requires", lambda _: required)
    monkeypatch.setattr(metadata, "version", lambda name: versions.get(name, "1"))
    findings = list(check_software.check_software())
    found = find(findings, "websockets")
    assert found.level is Level.PROBLEM
    assert found.text.startswith("websockets 14.9.1rc1 is older than 15.0; ")
    assert find(findings, "msgpack") == ok("software", "msgpack 1.0.5")
    assert find(findings, "rbcl") == ok("software", "rbcl 1.1.10")
    assert not any("protocol" in finding.text for finding in findings)


def test_what_is_looked_for_without_an_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {name.replace("-", "_") for name in check_software._requirements()}
    assert names == set(check_software.LIBRARIES)

    def gone(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", gone)
    assert all(finding.level is not Level.PROBLEM for finding in check_software.check_software())


def test_shtab_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    real = metadata.version

    def version(name: str) -> str:
        if name == "shtab":
            raise metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(metadata, "version", version)
    assert find(check_software.check_software(), "shtab").level is Level.NOTE


class Terminal(io.TextIOWrapper):
    """Somebody sits there."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 99


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A good terminal for standard output, of 80x24."""
    for name in ("NO_COLOR", "PROMPT_TOOLKIT_COLOR_DEPTH", "LC_ALL", "LC_CTYPE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((80, 24)))
    stdout = Terminal()
    monkeypatch.setattr(sys, "stdout", stdout)
    return stdout


def test_a_good_terminal(screen: Terminal) -> None:
    found = list(terminal(Settings(), screen, screen))
    assert found == [
        ok("terminal", "a table would be shown on the full screen here (TERM: xterm-256color)"),
        ok("terminal", "size: 80x24 is large enough"),
        ok("terminal", "colours: 256, theme dark, the suits in 4"),
        ok("terminal", f"{glyphs()}|"),
        ok("terminal", f"{'.' * len(glyphs())}| unless this bar stands right below the other, use --ascii"),
    ]


@pytest.mark.parametrize(
    ("environ", "settings", "text"),
    [
        ({"TERM": "dumb"}, Settings(), "shown in lines here, since TERM=dumb says"),
        ({}, Settings(plain=True), "shown in lines here, since plain is set"),
        ({"TERM": "linux"}, Settings(), "colours: 16,"),
        ({"PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_24_BIT"}, Settings(), "colours: 16 million,"),
        ({"NO_COLOR": "1"}, Settings(), "colours: none, since NO_COLOR is set"),
        ({"NO_COLOR": "1"}, Settings(color="always"), "colours: always, as color is set"),
        ({}, Settings(color="never"), "colours: never, as color is set"),
        ({}, Settings(theme="light", suit_colours=2), "colours: 256, theme light, the suits in 2"),
        ({}, Settings(ascii=True), "letters stand for suits, since ascii is set"),
        ({"LC_ALL": "ja_JP.UTF-8"}, Settings(), "may draw suits two cells wide"),
        ({"LANG": "zh_CN.UTF-8"}, Settings(), "may draw suits two cells wide"),
    ],
)
def test_what_is_told_of_a_terminal(
    screen: Terminal, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], settings: Settings, text: str
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    find(terminal(settings, screen, screen), text)


@pytest.mark.parametrize(
    ("size", "level", "text"),
    [
        ((59, 24), Level.NOTE, "59x24 is too small to draw the table"),
        ((80, 15), Level.NOTE, "80x15 is too small to draw the table"),
        ((60, 16), Level.NOTE, "60x16 is small"),
        ((120, 23), Level.NOTE, "120x23 is small"),
        ((120, 36), Level.OK, "120x36 is large enough"),
        ((0, 0), Level.NOTE, "the terminal does not tell"),
    ],
)
def test_sizes(
    screen: Terminal, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], level: Level, text: str
) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size(size))
    assert find(terminal(Settings(), screen, screen), text).level is level


@pytest.mark.usefixtures("screen")
def test_an_encoding_without_suits(monkeypatch: pytest.MonkeyPatch) -> None:
    poor = Terminal("latin-1")
    monkeypatch.setattr(sys, "stdout", poor)
    found = list(terminal(Settings(), poor, poor))
    assert find(found, "encoding has no suits").level is Level.NOTE
    assert not any("♠" in finding.text for finding in found)


def test_signs_that_may_be_broad(screen: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_terminal, "get_cwidth", lambda glyph: 2 if glyph in "♠♣" else 1)
    assert find(terminal(Settings(), screen, screen), "♠ ♣ may not take one cell each").level is Level.NOTE


@pytest.mark.usefixtures("screen")
def test_no_streams_at_all() -> None:
    assert find(terminal(Settings(), None, None), "since standard input is no terminal").level is Level.NOTE
    assert not any("size" in finding.text for finding in terminal(Settings(), None, None))


@pytest.mark.parametrize(
    ("host", "kind", "level", "text"),
    [
        ("192.168.1.5", AddressKind.LAN, Level.OK, "192.168.1.5:7411: for those in the same network"),
        ("fd00::5", AddressKind.LAN, Level.OK, "[fd00::5]:7411: for those in the same network"),
        (
            "100.64.0.9",
            AddressKind.VPN,
            Level.NOTE,
            "100.64.0.9:7411: for those in the same virtual private network; or",
        ),
        ("10.9.0.1", AddressKind.VPN, Level.OK, "10.9.0.1:7411: for those in the same virtual private network"),
        ("172.17.0.1", AddressKind.CONTAINERS, Level.NOTE, "172.17.0.1:7411: for containers"),
        ("fe80::1%eth0", AddressKind.LINK_LOCAL, Level.NOTE, "[fe80::1%eth0]:7411: for those on the same wire"),
        ("2a02::7", AddressKind.IPV6, Level.OK, "[2a02::7]:7411: also from outside"),
        ("8.8.8.8", AddressKind.INTERNET, Level.OK, "8.8.8.8:7411: also from outside"),
        ("127.0.0.1", AddressKind.LOOPBACK, Level.NOTE, "no network was found"),
    ],
)
def test_addresses(monkeypatch: pytest.MonkeyPatch, host: str, kind: AddressKind, level: Level, text: str) -> None:
    monkeypatch.setattr(check_network, "ranked_addresses", lambda: (LocalAddress(host, kind),))
    found = list(network(7411))
    assert found[0].level is level
    assert found[0].text.startswith(text)
    for way in ("your own network: guests", "by IPv6: ", "by UPnP: ", "by hand: ", "by a tunnel"):
        assert any(way in finding.text for finding in found) is (host != "127.0.0.1")
    assert find(found, "no port has to be open").level is Level.OK


def test_every_kind_of_address_has_its_sentence() -> None:
    assert set(check_network._REACH) == set(AddressKind)


def test_ways_in_are_told_honestly_and_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(network(7411))
    assert [finding.text.split(":")[0] for finding in found[:2]] == ["192.168.1.5", "[2a02"]  # in their order
    assert find(found, "list of tables").text.endswith("hocp2p doctor --network does it")
    assert find(found, "by UPnP").text.endswith("hocp2p doctor --network does it")
    assert find(found, "by IPv6").level is Level.OK
    assert "forward TCP port 7411 in the router to 192.168.1.5:7411" in find(found, "by hand").text
    assert "--port" in find(network(0), "by hand").text
    monkeypatch.setattr(check_network, "ranked_addresses", lambda: (LAN,))
    monkeypatch.setattr(check_network, "can_map_ports", lambda: False)
    found = list(network(7411))
    assert find(found, "by IPv6").level is Level.NOTE
    assert 'pip install "hocp2p[upnp]"' in find(found, "by UPnP").text


class Router:
    """One that was found."""

    def __init__(self, error: LinkError | None = None) -> None:
        self.error = error

    async def external_host(self) -> str:
        if self.error is not None:
            raise self.error
        return "8.8.4.4"


@pytest.mark.parametrize("works", [True, False])
def test_what_is_told_where_the_network_is_asked(monkeypatch: pytest.MonkeyPatch, works: bool) -> None:
    async def browse() -> tuple[str, ...]:
        if not works:
            raise LinkError("no-multicast", "no multicast here")
        return ("a table", "another")

    async def find_router() -> Router:
        return Router(None if works else LinkError("carrier-nat", "use a tunnel"))

    monkeypatch.setattr(check_network, "browse", browse)
    monkeypatch.setattr(check_network, "find_router", find_router)
    monkeypatch.setattr(check_network, "can_map_ports", lambda: True)
    found = list(network(7411, ask=True))
    level = Level.OK if works else Level.NOTE
    listed, upnp = find(found, "list of tables"), find(found, "by UPnP")
    assert (listed.level, upnp.level) == (level, level)
    assert listed.text.endswith("tables heard: 2" if works else "no multicast here")
    assert ("8.8.4.4; no port was opened" if works else "use a tunnel") in upnp.text


def test_the_option_asks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[bool] = []

    def note_it(_port: int, *, ask: bool) -> Iterator[Finding]:
        asked.append(ask)
        return iter(())

    monkeypatch.setattr(check_network, "check_network", note_it)
    assert main(["doctor", "--network"]) == main(["doctor"]) == 0
    assert capsys.readouterr().err == ""
    assert asked == [True, False]


def test_ports(monkeypatch: pytest.MonkeyPatch, sockets: list[tuple[str, int]]) -> None:
    assert find(network(7500), "port: ") == ok("network", "port: 7500 is free")
    assert find(network(0), "port: ").level is Level.OK
    assert sockets == [("127.0.0.1", 7500)]

    def refuse(_: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    assert find(network(80), "port: ").text.startswith("port: 80 cannot be had (Permission denied)")


@pytest.mark.sockets
def test_a_port_that_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert find(network(port), "port: ").text.startswith(f"port: {port} is in use")
    assert find(network(port), "port: ") == ok("network", f"port: {port} is free")


def test_the_text_has_a_heading_for_each_topic() -> None:
    findings = [ok("a", "one"), note("a", "two"), problem("b", "three")]
    assert doctor.format_findings(findings) == ("a\n  ok       one\n  note     two\nb\n  problem  three\nproblems: 1\n")
