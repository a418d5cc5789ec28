"""``host``, ``join`` and ``bot`` over stubs of the session: what is asked of it, and what becomes of its answers."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from hocp2p.cli import play
from hocp2p.cli.exits import Exit
from hocp2p.cli.faces import Face
from hocp2p.cli.main import main
from hocp2p.crypto.identity import Identity
from hocp2p.errors import LinkError
from hocp2p.game.house import Rules
from hocp2p.net.address import Address
from hocp2p.net.invite import Invite, format_invite
from hocp2p.net.link import Link
from hocp2p.net.memory import memory_pair
from hocp2p.net.tls import Trust
from hocp2p.record.identity_file import claim_identity, load_identity
from hocp2p.record.known_keys import KnownKeys
from hocp2p.record.session_record import read_record
from hocp2p.session.client import Client
from hocp2p.session.guest import JoinOptions
from hocp2p.session.host import HostOptions
from hocp2p.session.recording import Recorder
from hocp2p.table.events import TableStopped
from hocp2p.table.snapshot import Stage
from tests.support.fake_client import FakeClient


class Session:
    """Stands for ``open_table`` and ``join_table`` both."""

    def __init__(self) -> None:
        self.host: HostOptions | None = None
        self.join: JoinOptions | None = None
        self.identity: Identity | None = None
        self.record: Recorder | None = None
        self.stopped: TableStopped | None = None
        self.stopped_late: TableStopped | None = None  # as the seat is closed
        self.error: LinkError | None = None
        self.closed = False
        self.client: FakeClient | None = None
        self.link, _ = memory_pair()

    async def reach(self, _options: JoinOptions, _known: KnownKeys, *, ask: bool) -> Link:
        assert not ask  # nobody is there to be asked
        return self.link

    @asynccontextmanager
    async def open(self, options: HostOptions, identity: Identity, record: Recorder | None) -> AsyncIterator[Client]:
        self.host, self.identity, self.record = options, identity, record
        async with self._seat() as client:
            yield client

    @asynccontextmanager
    async def enter(
        self, options: JoinOptions, identity: Identity, record: Recorder | None, link: Link | None = None
    ) -> AsyncIterator[Client]:
        assert link is None or link is self.link
        self.join, self.identity, self.record = options, identity, record
        async with self._seat() as client:
            yield client

    @asynccontextmanager
    async def _seat(self) -> AsyncIterator[Client]:
        if self.error is not None:
            raise self.error
        self.client = FakeClient(rules=Rules(deals=3))
        if self.stopped is not None:
            self.client.stop(self.stopped)
        try:
            yield self.client
        finally:
            if self.stopped_late is not None:
                self.client.stop(self.stopped_late)
            self.closed = True


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    stub = Session()
    monkeypatch.setattr(play, "open_table", stub.open)
    monkeypatch.setattr(play, "join_table", stub.enter)
    monkeypatch.setattr(play, "reach", stub.reach)
    monkeypatch.setattr(play, "login_name", lambda: "login")
    monkeypatch.setattr(sys, "stdin", None)
    return stub


AUTO = ["--autopilot", "random", "--plain"]


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], HostOptions(2, 0, "novice", Rules(), "login", "", 7411)),
        (["--bots", "1"], HostOptions(2, 1, "novice", Rules(), "login", "", 7411)),
        (["--bots", "2"], HostOptions(3, 2, "novice", Rules(), "login", "", 7411)),
        (["--seats", "3", "--bots", "1"], HostOptions(3, 1, "novice", Rules(), "login", "", 7411)),
        (
            ["--seats", "3", "--level", "random", "--deals", "9", "--name", "Anna", "--bind", "::1", "--port", "0"],
            HostOptions(3, 0, "random", Rules(deals=9), "Anna", "::1", 0),
        ),
        (
            ["--house", "point=pips", "raise_cap=5", "--house", "lesser=off", "--pace", "0.5"],
            HostOptions(2, 0, "novice", Rules(point="pips", raise_cap=5, lesser="off"), "login", "", 7411, 0.5),
        ),
    ],
)
def test_what_host_asks_for(session: Session, arguments: list[str], options: HostOptions) -> None:
    if options.pace_s:
        session.stopped = TableStopped("left", "")  # nobody waits for an autopilot that thinks
    assert main(["host", *AUTO, *arguments]) == 0
    assert session.host is not None
    assert (session.host.invited_only, session.host.lan, session.host.upnp) == (True, True, False)
    assert session.host.sessions is not None
    assert replace(session.host, invited_only=False, lan=False, sessions=None) == options
    assert session.closed


def test_the_ways_that_host_opens(session: Session) -> None:
    ways = ["--open", "--no-lan", "--upnp", "--advertise", "tunnel.example:443", "--via", "http://127.0.0.1:1080"]
    assert main(["host", *AUTO, *ways]) == 0
    host = session.host
    assert host is not None
    assert (host.invited_only, host.lan, host.upnp) == (False, False, True)
    assert (host.advertise, host.via) == (Address("tunnel.example", 443), "http://127.0.0.1:1080")


def test_an_invite_says_where_and_whom(session: Session) -> None:
    invite = format_invite(Invite(Address("192.0.2.7", 7411), b"p" * 16, b"s" * 10))
    assert main(["join", invite, *AUTO, "--name", "Bruno"]) == 0
    assert session.join is not None
    assert (session.join.host, session.join.port) == ("192.0.2.7", 7411)
    assert (session.join.trust, session.join.secret) == (Trust(pin=b"p" * 16), b"s" * 10)
    assert b"ssssssssss".hex() not in repr(session.join)
    assert "s" * 10 not in repr(session.join)


def test_half_an_invite_is_refused_before_anything_is_dialled(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    invite = format_invite(Invite(Address("192.0.2.7", 7411), b"p" * 16, b"s" * 10))
    assert main(["join", invite[:40], *AUTO]) == 2
    assert session.join is None
    assert capsys.readouterr().err.startswith("hocp2p: ")


def test_join_has_to_be_told_where(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["join", *AUTO]) == 2
    assert "--lan" in capsys.readouterr().err
    assert session.join is None


def test_there_is_nothing_to_go_back_to(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resume", *AUTO]) == 2
    assert "nothing to go back to" in capsys.readouterr().err
    assert main(["resume", "--list"]) == 0
    assert not session.closed


def joined(session: Session) -> JoinOptions:
    """What was asked for, without the ways and places that are not the test's affair."""
    assert session.join is not None
    assert session.join.sessions is not None
    asked = session.join
    return JoinOptions(asked.host, asked.port, asked.name, asked.bot_level, asked.owner)


@pytest.mark.parametrize(
    ("address", "host", "port"),
    [
        ("192.168.1.5:7000", "192.168.1.5", 7000),
        ("anna.example", "anna.example", 7411),
        ("[::1]:7000", "::1", 7000),
        ("::1", "::1", 7411),
    ],
)
def test_what_join_asks_for(session: Session, address: str, host: str, port: int) -> None:
    assert main(["join", address, *AUTO, "--name", "Bruno"]) == 0
    assert joined(session) == JoinOptions(host, port, "Bruno")
    assert session.closed


def test_a_bot_has_a_level_an_owner_and_an_identity_of_its_own(session: Session, folders: Path) -> None:
    assert main(["bot", "host", "--level", "random"]) == 0
    assert joined(session) == JoinOptions("host", 7411, "bot", "random", "login")
    assert not (folders / "data").exists()
    assert session.client is not None
    assert session.client.snapshot.net is not None  # it played


def test_a_bot_may_be_given_everything(
    session: Session, folders: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOCP2P_NAME", "Anna")
    path = folders / "bot key"
    arguments = ["--level", "novice", "--name", "Robo", "--identity", str(path), "--json"]
    assert main(["bot", "host", *arguments]) == 0
    assert joined(session) == JoinOptions("host", 7411, "Robo", "novice", "Anna")
    assert session.identity is not None
    assert session.identity.public == load_identity(path).public
    assert capsys.readouterr().out.splitlines()[-1].startswith('{"event": "session_ended", "net": [')
    main(["bot", "host", *arguments, "--owner", "Carla"])
    assert session.join is not None
    assert session.join.owner == "Carla"


def test_the_identity_is_the_one_of_the_data_folder(session: Session, folders: Path) -> None:
    assert main(["host", *AUTO]) == 0
    first = session.identity
    assert main(["join", "host", *AUTO]) == 0
    assert first is not None
    assert session.identity is not None
    assert session.identity.public == first.public
    assert load_identity(folders / "data" / "hocp2p" / "identity").public == first.public


def test_another_identity(session: Session, folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOCP2P_IDENTITY", str(folders / "mine"))
    assert main(["host", *AUTO]) == 0
    assert session.identity is not None
    assert load_identity(folders / "mine").public == session.identity.public


def test_two_at_once_are_two_people(session: Session, folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folders / "data" / "hocp2p" / "identity"
    with claim_identity(path) as (first, kept):
        assert kept
        assert main(["join", "host", *AUTO]) == 0
    assert session.identity is not None
    assert session.identity.public != first.public
    note = f"hocp2p: another hocp2p plays as {path}; this seat has an identity for this table only\n"
    assert capsys.readouterr().err == note


@pytest.mark.parametrize(
    ("code", "number"), [("full", 5), ("version", 5), ("host-gone", 6), ("closed", 7), ("bad-proof", 7)]
)
def test_a_table_that_stops(session: Session, capsys: pytest.CaptureFixture[str], code: str, number: int) -> None:
    session.stopped = TableStopped(code, "it is over because\x1b[2J")
    assert main(["join", "host", "--plain"]) == number
    captured = capsys.readouterr()
    assert captured.err == "hocp2p: it is over because?[2J\n"
    assert captured.out.splitlines()[-1] == "the table stopped: it is over because?[2J"
    assert session.closed


def test_a_table_that_we_leave_is_no_error(session: Session, capsys: pytest.CaptureFixture[str], folders: Path) -> None:
    script = folders / "script"
    script.write_text("ready\nquit\n")
    assert main(["join", "host", "--script", str(script)]) == 0
    assert capsys.readouterr().err == ""
    assert session.closed


@pytest.mark.parametrize("for_good", [False, True])
def test_what_was_asked_last_is_done_before_the_end_is_told(
    session: Session, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], for_good: bool
) -> None:
    """The table does what a face asks for in its own time: a seat that is left for good is not said to be kept."""

    async def show(client: FakeClient, *_: object) -> None:
        client.ready()
        assert client.snapshot.stage is Stage.DEAL

    monkeypatch.setattr(play, "choose_face", lambda *_: Face.SCREEN)
    monkeypatch.setattr(play, "play_seat", show)
    if for_good:
        session.stopped_late = TableStopped("left", "you have left the table")
    assert main(["host"]) == 0
    captured = capsys.readouterr()
    assert ("your seat is kept" in captured.err) is not for_good
    assert ("You have left the table" in captured.out) is for_good


def test_a_refused_script(session: Session, capsys: pytest.CaptureFixture[str], folders: Path) -> None:
    script = folders / "script"
    script.write_text("ready\n\nfly\n")
    assert main(["join", "host", "--script", str(script)]) == 2
    captured = capsys.readouterr()
    assert captured.err == "hocp2p: line 3: there is no command 'fly'; ? lists them\n"
    assert session.closed


def test_a_link_that_cannot_be_had(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.error = LinkError("port-in-use", "port 7411 is taken; choose another with --port")
    assert main(["host"]) == 3
    assert capsys.readouterr().err == "hocp2p: port 7411 is taken; choose another with --port\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [("rubbish", "is damaged"), (None, "cannot be used")],
)
def test_an_identity_that_cannot_be_had(
    session: Session, capsys: pytest.CaptureFixture[str], folders: Path, content: str | None, said: str
) -> None:
    path = folders / "mine"
    if content is None:
        path.mkdir()
    else:
        path.write_text(content)
        path.chmod(0o600)
    assert main(["host", "--identity", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert said in error or "is not a plain file" in error
    assert session.host is None


def test_ready_at_once(session: Session, capsys: pytest.CaptureFixture[str], folders: Path) -> None:
    script = folders / "script"
    script.write_text("quit\n")
    assert main(["host", "--yes", "--script", str(script)]) == 0
    assert "you are ready" in capsys.readouterr().out
    assert session.closed


def test_the_address_is_told_before_the_full_screen(
    session: Session, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []

    async def show(client: FakeClient, settings: object, *_: object) -> None:
        shown.append(capsys.readouterr().out)
        assert settings
        client.leave()

    monkeypatch.setattr(play, "choose_face", lambda *_: Face.SCREEN)
    monkeypatch.setattr(play, "play_seat", show)
    assert main(["host"]) == 0
    assert shown == ["Anna's table at 203.0.113.7:7411, 3 of 3 seated\n"]
    assert capsys.readouterr().out == "You left the table\n"
    assert session.closed


def test_a_record_is_kept_in_a_new_file_only(
    session: Session, folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folders / "session"
    assert main(["host", "--bots", "2", "--deals", "3", "--record", str(file), *AUTO]) == 0
    assert session.record is not None
    assert read_record(file) == []
    assert main(["host", "--bots", "2", "--deals", "3", "--record", str(file), *AUTO]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["join", "127.0.0.1:7411", *AUTO]) == 0
    assert session.record is None


@pytest.mark.skipif(sys.platform == "win32", reason="lends it a signal")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGBREAK"])
def test_signals_where_the_event_loop_takes_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, which has Ctrl-Break instead of a hang-up."""

    def refuse(*_: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(asyncio.SelectorEventLoop, "add_signal_handler", refuse)
    monkeypatch.setattr(signal, "SIGBREAK", signal.SIGUSR1, raising=False)
    number = getattr(signal, name)
    before = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1)}
    left: list[str] = []

    async def work() -> int:
        try:
            signal.raise_signal(number)
            await asyncio.sleep(60)
        finally:
            left.append("the table")
        return 0

    try:
        assert play._run(work) == Exit.INTERRUPTED
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    assert left == ["the table"]
