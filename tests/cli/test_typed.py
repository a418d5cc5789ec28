"""Lines of the standard input and of scripts."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.cli.typed import MAX_LINE_BYTES, _split, each_line, load_script
from hocp2p.errors import LocalError


class Chunks:
    """A raw stream that gives what it is told to."""

    def __init__(self, *chunks: bytes) -> None:
        self._chunks = list(chunks)

    def read(self, size: int = -1, /) -> bytes | None:
        assert size > 0
        return self._chunks.pop(0) if self._chunks else b""


class Gone(Chunks):
    """A terminal that is closed after what it gave."""

    def read(self, size: int = -1, /) -> bytes | None:
        if not self._chunks:
            raise OSError(5, "Input/output error")
        return super().read(size)


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([], []),
        ([b"pass\n"], ["pass"]),
        ([b"pa", b"ss\ngo", b"od\n"], ["pass", "good"]),
        ([b"pass\r\ngood"], ["pass", "good"]),
        ([b"\n\n"], ["", ""]),
        ([b"\xef\xbb\xbfready\r\n"], ["ready"]),
        ([b"say \xff\n"], ["say \ufffd"]),
        (["say é".encode()[:5], "say é".encode()[5:], b"\n"], ["say é"]),
    ],
)
def test_lines(chunks: list[bytes], lines: list[str]) -> None:
    assert list(_split(Chunks(*chunks))) == lines
    assert list(_split(Gone(*chunks))) == lines


def test_a_line_without_end_is_cut() -> None:
    endless = [b"x" * MAX_LINE_BYTES] * 5
    lines = list(_split(Chunks(*endless)))
    assert "".join(lines) == "x" * 5 * MAX_LINE_BYTES
    assert max(map(len, lines)) <= 2 * MAX_LINE_BYTES


@given(st.lists(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=20)), st.data())
def test_lines_do_not_depend_on_chunks(lines: list[str], data: st.DataObject) -> None:
    content = "".join(f"{line}\n" for line in lines).encode()
    chunks = []
    while content:
        size = data.draw(st.integers(1, len(content)))
        chunks.append(content[:size])
        content = content[size:]
    assert list(_split(Chunks(*chunks))) == lines


READ = """
import asyncio
from hocp2p.cli.typed import read_stdin

async def go():
    async for line in read_stdin():
        print(repr(line), flush=True)
        if line == "stop":
            return

asyncio.run(go())
"""


def test_the_standard_input_to_its_end() -> None:
    content = "".join(f"line {number}\n" for number in range(200)) + "last"
    done = subprocess.run([sys.executable, "-c", READ], input=content, capture_output=True, text=True, timeout=30)
    assert done.stdout.splitlines() == [repr(line) for line in content.splitlines()]
    assert (done.returncode, done.stderr) == (0, "")


def test_a_process_ends_while_its_input_is_still_open() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", READ], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write("stop\n")
        process.stdin.flush()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == ""


def test_a_script(tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text("# a deal\n\npass\nsay é\n", encoding="utf-8")
    assert load_script(path) == ["# a deal", "", "pass", "say é"]

    async def go() -> list[str]:
        return [line async for line in each_line(load_script(path))]

    assert asyncio.run(go()) == load_script(path)


def test_a_script_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(LocalError) as caught:
            load_script(path)
        assert caught.value.code == "bad-script"
        assert str(path) in caught.value.message
    (tmp_path / "script").write_bytes(b"\xff")
    with pytest.raises(LocalError, match="not UTF-8"):
        load_script(tmp_path / "script")
