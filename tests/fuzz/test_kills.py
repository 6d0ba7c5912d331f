"""Studies and fits that are killed, share a folder, or find no room: nothing finished is lost."""

from __future__ import annotations

import os
import random
import resource
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from bounds.writing import is_leftover
from tests.fuzz import files
from tests.fuzz.child import Started, run

STUDY = "simulate --grid 3 --dimension 1 --runs 3 --initial 2 --rounds 12"
STUDY += " --policy ctv-fixed,ts,random"
pytestmark = pytest.mark.xdist_group("fuzz")
FIT = "fit log.csv --maximize --draws 40 --out prior.json"


def cells(folder: Path) -> dict[str, dict[str, bytes]]:
    """The runs of a study, by file and array; a file that is not whole raises."""
    found = {}
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as stored:
            found[path.name] = {name: stored[name].tobytes() for name in stored.files}
    return found


def finished(words: str, folder: Path) -> str:
    """What a command prints that has to succeed."""
    ended = run(words.split(), folder)
    assert (ended.code, ended.stderr) == (0, ""), ended
    return ended.stdout


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """An empty folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_a_study_that_is_killed_goes_on_where_it_was(here: Path, kills: int) -> None:
    whole = finished(f"{STUDY} --out whole --json", here).replace('"whole"', '"out"')
    takes = run(STUDY.split(), here).seconds
    rng, killed = random.Random(0), 0
    while killed < kills:
        before = cells(here / "out") if (here / "out").exists() else {}
        with Started(f"{STUDY} --out out".split(), here) as child:
            time.sleep(rng.uniform(0.0, takes))
            killed += child.kill()
        after = cells(here / "out") if (here / "out").exists() else {}
        assert {name: after.get(name) for name in before} == before
        if len(after) == 9:
            # All done: begin anew, so that the next kill meets an unfinished study again.
            for name in list(after)[: rng.randrange(1, 10)]:
                (here / "out" / name).unlink()
    said = finished(f"{STUDY} --out out --json", here)
    assert cells(here / "out") == cells(here / "whole")
    assert said.split('"resumed"')[0] == whole.split('"resumed"')[0]
    for path in (here / "out").iterdir():
        os.utime(path, (0, 0))
    (here / "out" / "random-0.npz").unlink()
    finished(f"{STUDY} --out out", here)
    assert not [path for path in (here / "out").iterdir() if is_leftover(path)]


@pytest.mark.parametrize("kills", [2, pytest.param(50, marks=pytest.mark.slow)])
def test_a_fit_that_is_killed_leaves_the_old_file_or_the_new_one(here: Path, kills: int) -> None:
    (here / "log.csv").write_bytes(files.samples()["log.csv"])
    assert run(FIT.split(), here).code == 0
    new, old = (here / "prior.json").read_bytes(), b"the old one"
    takes = run(FIT.split(), here).seconds
    rng, killed = random.Random(1), 0
    while killed < kills:
        (here / "prior.json").write_bytes(old)
        with Started(FIT.split(), here) as child:
            time.sleep(rng.uniform(0.0, takes))
            killed += child.kill()
        assert (here / "prior.json").read_bytes() in (old, new)


def test_two_processes_on_one_folder(here: Path) -> None:
    finished(f"{STUDY} --out whole", here)
    with Started(f"{STUDY} --out out".split(), here), Started(f"{STUDY} --out out".split(), here):
        pass
    assert cells(here / "out") == cells(here / "whole")
    assert not [path for path in (here / "out").iterdir() if is_leftover(path)]


def test_swapped_and_cut_cells_are_made_again(here: Path) -> None:
    finished(f"{STUDY} --out out", here)
    whole = cells(here / "out")
    one, other, cut, gone = (
        here / "out" / f"{name}.npz" for name in ("ts-0", "ts-1", "random-1", "random-2")
    )
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    cut.write_bytes(cut.read_bytes()[:-100])
    gone.unlink()
    finished(f"{STUDY} --out out", here)
    assert cells(here / "out") == whole


WRITERS = [
    f"{STUDY} --out out",
    "fit log.csv --maximize --draws 20 --out prior.json",
    "figure bounds --n 5 --grid 2 --out a.svg",
    "figure bounds --n 5 --grid 2 --out a.png",
    "bound --n 5 --grid 2 --certificate a.json",
    "verify lemma-1-exact --workers 1 --certificate a.json",
    "verify lemma-1-exact --workers 1 --out a.md",
    "explore --n 5 --grid 2 --out out",
    "certify log.csv --grid 3 --draws 19 --certificate a.json",
]


def costly(words: str) -> bool:
    """Whether all of the work is done before the file is written, in a second."""
    return "a.png" in words or "a.md" in words or "explore" in words


FULL = [pytest.param(words, 700, marks=pytest.mark.slow) for words in WRITERS]
FULL += [
    pytest.param(words, 0, marks=[pytest.mark.slow] if costly(words) else []) for words in WRITERS
]


@pytest.mark.parametrize(("words", "room"), FULL)
def test_a_full_disk_is_one_line(here: Path, words: str, room: int) -> None:
    (here / "log.csv").write_bytes(files.samples()["log.csv"])
    ended = run(words.split(), here, limits={resource.RLIMIT_FSIZE: room})
    left = [path for path in here.rglob("*") if path.is_file() and path.name != "log.csv"]
    assert (ended.code, ended.stdout, len(ended.stderr.splitlines())) == (2, "", 1), ended
    assert all(path.suffix == ".npz" or path.name == "study.json" for path in left), left
    assert all(path.stat().st_size for path in left)


@pytest.mark.parametrize("words", WRITERS)
def test_a_folder_that_is_read_only_is_one_line(here: Path, words: str) -> None:
    if os.geteuid() == 0:
        words = words.replace("--out ", "--out /proc/").replace(" a.", " /proc/a.")
    (here / "log.csv").write_bytes(files.samples()["log.csv"])
    here.chmod(0o555)
    ended = run(words.split(), here)
    here.chmod(0o755)
    assert (ended.code, ended.stdout, len(ended.stderr.splitlines())) == (2, "", 1), ended


def test_a_finished_study_is_read_where_nothing_can_be_written(here: Path) -> None:
    said = finished(f"{STUDY} --out out --json", here)
    ended = run(f"{STUDY} --out out --json".split(), here, limits={resource.RLIMIT_FSIZE: 0})
    assert ended.code == 0, ended
    assert ended.stdout.split('"resumed"')[0] == said.split('"resumed"')[0]


@pytest.mark.parametrize("words", ["gain --n 4 --grid 3 --rounds 2", STUDY])
def test_an_interrupt_is_one_line(here: Path, words: str) -> None:
    rng = random.Random(words)
    takes = run(words.split(), here).seconds
    for _ in range(2):
        with Started(words.split(), here) as child:
            time.sleep(rng.uniform(0.0, takes))
            child.kill(signal.SIGINT)
        ended = child.ended
        assert ended.code in (0, 130, -signal.SIGINT), ended
        assert ended.stderr in ("", "ctv: interrupted\n"), ended
