"""The command, with so little to learn that nothing is learnt."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from hocp2p.cli import training
from hocp2p.cli.main import main
from hocp2p.cli.train import ONLY
from hocp2p.cli.training import train
from hocp2p.cli.training_processes import Told, train_all
from hocp2p.errors import LocalError
from hocp2p.training import tasks
from hocp2p.training.tasks import AUCTIONS, KINDS, PLAY, Sizes, Task
from tests.support.small_training import TINY

Capture = pytest.CaptureFixture[str]

ONE = Task(AUCTIONS, 2)


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tasks, "FULL", TINY)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which everything was trained, two at a time."""
    out = tmp_path_factory.mktemp("train") / "weights"
    train(out, tasks.list_tasks((2, 3)), 1, 2, TINY)
    return out


def test_what_is_written(everything: Path) -> None:
    names = {"play2", "play3", "auction2", "auction3"}
    assert {path.name for path in everything.iterdir()} == {f"{name}.npz" for name in names} | {"learning.json"}
    learning = json.loads((everything / "learning.json").read_text(encoding="utf-8"))
    assert {name: (told["seats"], told["seed"]) for name, told in learning.items()} == {
        name: (int(name[-1]), 1) for name in names
    }
    assert [point["games"] for point in learning["play3"]["curve"]] == [10, 20]
    assert [iterations for iterations, _ in learning["auction2"]["stakes"]["point x1"]["curve"]] == [1, 2]


def test_one_seed_gives_the_same_files_however_many_processes(everything: Path, capsys: Capture) -> None:
    assert main(["train", "--seats", "2", "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""  # no bar where nobody looks
    first, *files = out.splitlines()
    assert first.startswith("written into weights after 0:")
    assert [line.split()[0] for line in files] == ["play2.npz", "auction2.npz"]
    assert "jetons a deal against rules of thumb" in files[0]
    assert "NashConv at most" in files[1]
    for name in ("play2.npz", "auction2.npz"):
        assert Path("weights", name).read_bytes() == (everything / name).read_bytes()


def test_json_and_another_seed_beside_what_is_kept(everything: Path, capsys: Capture) -> None:
    """A second run adds to what the first has told; a plot shows both."""
    out = Path("here")
    out.mkdir()
    before = (everything / "learning.json").read_bytes()
    (out / "learning.json").write_bytes(before)
    arguments = ["--only", "auctions", "--seats", "2", "--seed", "2", "--out", "here", "--plot", "curves.svg"]
    assert main(["train", *arguments]) == 2
    assert "there are files in here already" in capsys.readouterr().err
    assert main(["train", *arguments, "--force", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told.pop("taken_s") >= 0
    (file,) = told.pop("files")
    assert told == {"seed": 2, "folder": "here", "plot": "curves.svg"}
    assert (file["file"], file["bytes"]) == ("auction2.npz", (out / "auction2.npz").stat().st_size)
    learning = json.loads((out / "learning.json").read_text(encoding="utf-8"))
    assert file["nash_conv"] == max(table["curve"][-1][1] for table in learning["auction2"]["stakes"].values())
    assert learning.pop("auction2")["seed"] == 2
    assert learning.items() < json.loads(before).items()
    assert "<svg" in Path("curves.svg").read_text(encoding="utf-8")
    assert (out / "auction2.npz").read_bytes() != (everything / "auction2.npz").read_bytes()


def test_curves_are_drawn_again(everything: Path, capsys: Capture) -> None:
    learning = json.loads((everything / "learning.json").read_text(encoding="utf-8"))
    Path("part.json").write_text(json.dumps({"play2": learning["play2"]}), encoding="utf-8")
    arguments = ["--curves", "part.json", "--plot"]
    assert main(["train", *arguments, "one.svg"]) == 0
    assert capsys.readouterr().out == "drawn: one.svg\n"
    assert main(["train", *arguments, "again.svg", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"plot": "again.svg"}
    assert Path("one.svg").read_bytes() == Path("again.svg").read_bytes()
    assert not Path("weights").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seats", "4"], "--seats must be a number from 2 to 3, not '4'"),
        (["--seed", "x"], "--seed must be a number from 0 to 999999999, not 'x'"),
        (["--jobs", "0"], "--jobs must be a number from 1 to 256, not '0'"),
        (["--only", "bluffs"], "--only must be one of play, auctions, not 'bluffs'"),
        (["--plot", "x.png"], "--plot draws SVG: name a file that ends in .svg, not 'x.png'"),
        (["--plot", "no/x.svg"], "there is no folder no for --plot"),
        (["--out", "file"], "file is no folder"),
        (["--out", "file/x"], "file/x cannot be written: Not a directory"),
        (["--curves", "file"], "--curves draws a file again: say where with --plot"),
        (["--curves", "file", "--plot", "x.svg", "--seed", "1"], "--curves draws a file again and trains nothing"),
        (["--curves", "file", "--plot", "x.svg", "--force"], "--curves draws a file again and trains nothing"),
        (["--curves", "file", "--plot", "x.svg"], "file is no file of learning curves that hocp2p train has written"),
        (["--curves", "none", "--plot", "x.svg"], "none cannot be read: No such file or directory"),
    ],
)
def test_what_cannot_be_done_is_said(capsys: Capture, arguments: list[str], said: str) -> None:
    Path("file").write_text("[]", encoding="utf-8")
    assert main(["train", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"hocp2p: {said}")
    written = {path.name for path in Path.cwd().iterdir()} - {"config"}  # which matplotlib makes when it is imported
    assert written == {"file"}


def test_the_installed_weights_are_not_written_over(capsys: Capture) -> None:
    installed = Path(tasks.__file__).parents[1] / "players" / "weights"
    assert main(["train", "--out", str(installed)]) == 2
    assert f"there are files in {installed} already" in capsys.readouterr().err


def test_a_record_of_learning_that_is_none_stops_before_the_training(capsys: Capture) -> None:
    Path("weights").mkdir()
    Path("weights", "learning.json").write_text("{", encoding="utf-8")
    assert main(["train", "--force"]) == 2
    assert "is no file of learning curves" in capsys.readouterr().err
    assert [path.name for path in Path("weights").iterdir()] == ["learning.json"]


@pytest.mark.parametrize(
    ("library", "arguments", "said"),
    [
        ("numpy", [], 'this needs numpy 1.26 or newer; install it with: python -m pip install "hocp2p[train]"'),
        ("matplotlib", ["--plot", "x.svg"], "this needs matplotlib 3.8 or newer; install it with: python -m pip"),
    ],
)
def test_without_a_library_or_with_an_old_one(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, library: str, arguments: list[str], said: str
) -> None:
    monkeypatch.setattr(sys.modules[library], "__version__", "1.25.9")
    assert main(["train", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"hocp2p: {said}")
    monkeypatch.setitem(sys.modules, library, None)
    assert main(["train", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"hocp2p: {said}")
    assert not Path("weights").exists()


def test_an_interrupt_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(training._Progress, "show", interrupt)
    assert main(["train", "--only", "auctions", "--seats", "2"]) == 130
    assert multiprocessing.active_children() == []
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no groups of processes")
def test_ctrl_c_goes_to_all_and_ends_all_quietly(tmp_path: Path) -> None:
    """The real sizes, which take minutes, ended as soon as the processes are at work."""
    command = [sys.executable, "-m", "hocp2p", "train", "--jobs", "2", "--out", "deep/weights"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as run:
        until = time.monotonic() + 60
        while not list(tmp_path.glob("deep/weights/.unfinished-*")) and time.monotonic() < until:
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)
        try:
            _, err = run.communicate(timeout=60)  # ends when nobody of them can write there any more
        finally:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
    assert (run.returncode, err) == (130, b"")
    assert not Path("deep", "weights").exists()


def test_an_error_beside_the_training_ends_it(tmp_path: Path) -> None:
    """A file that cannot take its place, while another process is at work."""
    (tmp_path / "weights" / "auction2.npz").mkdir(parents=True)
    with pytest.raises(LocalError) as caught:
        train(tmp_path / "weights", [ONE, Task(AUCTIONS, 3)], 1, 2, TINY, force=True)
    assert caught.value.code == "folder-unwritable"
    assert multiprocessing.active_children() == []
    assert [path.name for path in (tmp_path / "weights").iterdir()] == ["auction2.npz"]


def test_a_process_that_was_killed_is_told_of(tmp_path: Path) -> None:
    told: list[tuple[Task, Told]] = []

    def kill(task: Task, at: Told) -> None:
        told.append((task, at))
        (child,) = multiprocessing.active_children()
        child.kill()

    endless = Sizes(TINY.plan, TINY.deals, iterations=(1, 1_000_000))
    with pytest.raises(LocalError) as caught:
        list(train_all([ONE], tmp_path, 1, endless, 1, kill))
    ((task, (share, note)),) = told
    assert (task, share) == (ONE, 1 / 12)
    assert note.startswith("2 seats, point x1: 1 iterations")
    assert caught.value.code == "training-ended"
    assert multiprocessing.active_children() == []


def test_what_goes_wrong_in_a_process_is_told_here(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        list(train_all([ONE], tmp_path / "nowhere", 1, TINY, 1, lambda *_: None))
    assert any("_work" in note for note in caught.value.__notes__)


def test_the_words_of_the_option_are_the_kinds() -> None:
    assert ONLY == KINDS == (PLAY, AUCTIONS)
