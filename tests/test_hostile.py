"""What the surroundings can do: pipes, closed or full output, odd encodings, names too long."""

import gzip
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import ctv as library
from bounds import reading
from bounds.errors import InvalidInput
from bounds.limits import LARGEST_FILE
from ctv import inputs
from ctv.cli import main
from ctv.inputs import read_times
from ctv.outputs import check_file, write_whole
from own_runs.logs import table
from simulation.study.folder import StudyFolder
from tests.command_line import Outcome

TABLE = "duration\n1\n2\n3\n"
LONG = "x" * 300


def ctv_in(folder: Path, command: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command.replace("ctv ", f"{sys.executable} -m ctv ")],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        # A list of the fonts of the system takes seconds where none can be kept.
        env={**os.environ, "MPL_IGNORE_SYSTEM_FONTS": "1", **env},
    )


@pytest.mark.parametrize(
    "command",
    [
        "cat t.csv | ctv uniformity --times - --json",
        "cat t.csv | ctv uniformity --times /dev/stdin --json",
        "ctv uniformity --times <(cat t.csv) --json",
    ],
)
def test_pipes_are_files(tmp_path: Path, command: str) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    done = ctv_in(tmp_path, command)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["uniformity"] == 76.0


def test_a_named_pipe_is_read_when_somebody_writes(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Timer(0.3, lambda: path.write_text(TABLE))
    writer.start()
    assert read_times(path).durations.tolist() == [1.0, 2.0, 3.0]
    writer.join()


def test_a_named_pipe_without_a_writer_ends(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(reading, "WAITED_FOR", 0.3)
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(InvalidInput, match="nothing wrote into it"):
        read_times(path)


@pytest.fixture
def odd_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "target.md").write_text("mine")
    (tmp_path / "link.md").symlink_to("target.md")
    header = ",".join(f"c{i}" for i in range(20_000))
    (tmp_path / "wide.csv").write_text(f"{header}\n{','.join('1' * 20_000)}\n")
    (tmp_path / "escapes.csv").write_text("duration\n\x1b[31mred\x07\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "code", "lines"),
    [
        ("ctv uniformity > /dev/full", 2, 1),
        ("ctv uniformity --json > /dev/full", 2, 1),
        ("ctv --version > /dev/full", 2, 1),
        ("ctv uniformity >&-", 2, 1),
        ("ctv uniformity --times none.csv 2>&-", 2, 0),
        ("HOME=/proc ctv figure gain --n 4 --grid 3 --out a.png > /dev/null", 0, 0),
        ("set -o pipefail; ctv partition --n 300 --grid 3 --all | head -1", 0, 0),
    ],
)
def test_one_line_and_no_trace(odd_files: Path, command: str, code: int, lines: int) -> None:
    done = ctv_in(odd_files, command)
    assert (done.returncode, len(done.stderr.splitlines())) == (code, lines), done.stderr
    assert len(done.stderr) < 300
    assert code != 2 or not done.stdout
    assert done.stderr.rstrip("\n").isprintable()


@pytest.mark.parametrize(
    "words",
    [
        "uniformity --rounds 1-1,5",
        "rates --kappa 1e1000000",
        "simulate --grid 4 --workers 100000000000000000000",
        f"uniformity --times {LONG}",
        f"partition --n 4 --gamma {LONG}",
        f"figure gain --n 4 --grid 3 --out {LONG}.png",
        f"report --n 4 --grid 3 --out {LONG}",
        f"certify {LONG}",
        f"verify {LONG}",
        "verify lemma-1-exact --out link.md",
        "verify lemma-1-exact --certificate /dev/null",
        "uniformity --times wide.csv",
        "uniformity --times wide.csv --duration none",
        "uniformity --times escapes.csv",
    ],
    ids=lambda words: words[:40],
)
def test_odd_words_and_files_are_one_line(odd_files: Path, words: str, capsys) -> None:
    with pytest.raises(SystemExit) as left:
        main(words.split())
    outcome = Outcome(int(left.value.code or 0), *capsys.readouterr())
    assert outcome.is_one_line_about(), outcome
    assert outcome.stderr.rstrip("\n").isprintable()
    assert (odd_files / "target.md").read_text() == "mine"


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("ascii", "uniformity"),
        ("ascii", "rates --help"),
        ("ascii", "rates --all"),
        ("cp1252", "rates --all"),
        ("latin-1", "uniformity --json"),
    ],
)
def test_any_encoding_of_standard_output(tmp_path: Path, encoding: str, words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ctv", *words.split()],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "80"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert max(map(len, done.stdout.decode(encoding).splitlines())) <= 80 or "json" in words


def test_what_is_no_regular_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "link", tmp_path / "pipe", Path("/dev/null"), tmp_path):
        for refuse in (check_file, lambda path: write_whole(path, b"x")):
            with pytest.raises(InvalidInput):
                refuse(path)


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch) -> None:
    path = write_whole(tmp_path / "a.json", b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(InvalidInput, match=r"certificate = .*No space left"):
        write_whole(path, b"new", "certificate")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["a.json"]


def test_completion_is_offered(tmp_path: Path) -> None:
    env = {"_CTV_COMPLETE": "complete_bash", "COMP_WORDS": "ctv unif", "COMP_CWORD": "1"}
    script = Path(sys.executable).parent / "ctv"
    done = subprocess.run(
        [script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **env},
    )
    assert done.stdout.split() == ["uniformity"]


READERS = [
    "uniformity --times {}",
    "fit --maximize {}",
    "suggest --maximize {}",
    "certify {}",
    "bound --n 4 --domain {}",
    "bound --prior {}",
    "fit --maximize log.csv --prior {}",
    "partition --n 4 --grid 2 --gamma {}",
    "verify {}",
]

JSON = ("--prior", "--gamma", "verify")


@pytest.mark.parametrize("words", READERS)
def test_whatever_reads_a_file_refuses_what_never_ends(
    tmp_path: Path, words: str, monkeypatch, capsys
) -> None:
    monkeypatch.setattr(reading, "WAITED_FOR", 0.05)
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text("x,y,duration\n1,1,1\n2,2,1\n3,1,1\n4,2,1\n")
    os.mkfifo("pipe")
    bomb = gzip.compress(bytes(LARGEST_FILE + 1), 1)
    Path("bomb.gz").write_bytes(bomb)
    for place, said in (
        ("pipe", "nothing wrote"),
        ("/dev/zero", "a device"),
        (".", "a folder"),
        ("bomb.gz", "too large"),
    ):
        with pytest.raises(SystemExit) as left:
            main(words.format(place).split())
        outcome = Outcome(int(left.value.code or 0), *capsys.readouterr())
        assert outcome.is_one_line_about(said), (place, outcome)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"version": 1, "version": 2}', "twice"),
        ('{"version": NaN}', "no number"),
        ('{"version": -Infinity}', "no number"),
        ("[" * 100_000, "too deep"),
        ('{"a":' * 50_000 + "1" + "}" * 50_000, "too deep"),
        ('{"version": ' + "9" * 5_000 + "}", "digits"),
        ("", "Expecting value"),
    ],
)
@pytest.mark.parametrize("words", [w for w in READERS if w.split()[-2] in JSON])
def test_json_is_read_in_one_way_or_refused(
    tmp_path: Path, words: str, text: str, said: str, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text("x,y,duration\n1,1,1\n2,2,1\n3,1,1\n4,2,1\n")
    Path("a.json").write_text(text)
    with pytest.raises(SystemExit) as left:
        main(words.format("a.json").split())
    outcome = Outcome(int(left.value.code or 0), *capsys.readouterr())
    assert outcome.is_one_line_about(said), outcome


def test_a_manifest_that_is_no_json_or_a_pipe_is_refused(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(reading, "WAITED_FOR", 0.05)
    for content in ("[" * 100_000, '{"key": 1, "key": 2}', None):
        path = tmp_path / "study.json"
        path.unlink(missing_ok=True)
        path.write_text(content) if content else os.mkfifo(path)
        with pytest.raises(InvalidInput):
            StudyFolder.existing(tmp_path)
        with pytest.raises(InvalidInput):
            StudyFolder.opened(tmp_path, {}, 3)


def test_a_recheck_reads_a_pipe_once(tmp_path: Path, capsys) -> None:
    """As a shell names it, `<(cat c.json)`."""
    library.verify(["lemma-1-exact"], workers=1, certificate=tmp_path / "c.json")
    reading_end, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write((tmp_path / "c.json").read_bytes())

    writer = threading.Thread(target=write)
    writer.start()
    with pytest.raises(SystemExit) as left:
        main(["verify", f"/dev/fd/{reading_end}"])
    writer.join()
    os.close(reading_end)
    said = capsys.readouterr()
    assert (left.value.code, said.err) == (0, "")
    assert "1 of 1" in said.out


def test_no_more_rows_or_cells_than_memory_holds(monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    monkeypatch.setattr(inputs, "LARGEST_N", 2)
    with pytest.raises(InvalidInput, match="more than 2 rows"):
        read_times(tmp_path / "t.csv")
    monkeypatch.setattr(table, "LARGEST_CELLS", 3)
    with pytest.raises(InvalidInput, match="more than 3 cells"):
        table.table_of(TABLE, "t.csv")


def test_what_a_killed_process_left_goes_a_minute_later(tmp_path: Path) -> None:
    old, new, other = (tmp_path / name for name in (".ctv-1.tmp", ".ctv-2.tmp", ".mine.tmp"))
    for path in (old, new, other):
        path.write_text("half")
    for path in (old, other):
        os.utime(path, (0, 0))
    write_whole(tmp_path / "a.json", b"whole")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".ctv-2.tmp", ".mine.tmp", "a.json"]
