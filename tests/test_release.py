"""What is released, installed elsewhere: `make release-check`.

Wheel and source archive go into environments of their own, with the lowest dependencies that are
declared and with the newest, under every Python that can be found here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from ctv.cli import command_names

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
LARGEST_INSTALLATION = 700  # MB
SMALL = "--n 6 --total 6 --grid 4 --dimension 1"
LOG = "x,duration,y\n0.1,1,0.3\n0.4,2,0.9\n0.2,1,0.5\n0.9,1,0.2\n0.6,2,0.8\n0.5,1,1.0\n"
WORDS = {
    "bound": SMALL,
    "partition": SMALL,
    "uniformity": "--n 6 --total 6",
    "gain": "--rounds 2 --grid 4 --dimension 1",
    "rates": "",
    "ladder": SMALL,
    "simulate": "--runs 2 --initial 2 --rounds 3 --grid 4 --dimension 1 --workers 2 --out study",
    "certify": "study",
    "coverage": "--runs 2 --rounds 3 --policy random --prior true --bound rank",
    "look": "log.csv --maximize --out look",
    "watch": "log.csv --maximize",
    "example": "--out none",
    "fit": "log.csv --maximize --draws 50 --out prior.json",
    "suggest": "log.csv --maximize --prior prior.json",
    "figure": "rates --out rates.png",
    "report": f"{SMALL} --out report",
    "explore": f"{SMALL} --out explorer",
    "verify": "lemma-1-capped",
}
"""For every command one small call; in an order in which each finds its files."""

USER = """
import ctv
from bounds.times import EvaluationTimes

found = ctv.uniformity([1.0, 2.0, 3.0], epsilon=0.0)
times: EvaluationTimes = EvaluationTimes.from_durations([1.0])
wrong: str = times.n
"""


def uv(*words: object) -> str:
    """Run uv; what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "uv", *map(str, words)], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel and the source archive."""
    folder = tmp_path_factory.mktemp("dist")
    uv("build", "--out-dir", folder, ROOT)
    (wheel,), (archive,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return {"wheel": wheel, "archive": archive}


def environment(folder: Path, package: Path, python: str, *options: str) -> Path:
    """A new environment with a package in it; returns its interpreter."""
    uv("venv", "--python", python, folder)
    interpreter = folder / "bin" / "python"
    uv("pip", "install", "--python", interpreter, *options, package)
    return interpreter


def run_every_command(interpreter: Path, folder: Path) -> None:
    """One small call of each, from a folder that holds nothing of the checkout."""
    (folder / "log.csv").write_text(LOG, encoding="utf-8")
    ctv = interpreter.with_name("ctv")
    free = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    listed = subprocess.run(
        [interpreter, "-c", "from ctv.cli import command_names; print(*command_names())"],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env=free,
    ).stdout.split()
    assert set(listed) == set(WORDS)
    for name, words in WORDS.items():
        done = subprocess.run(
            [ctv, name, *words.split(), "--json"],
            capture_output=True,
            text=True,
            cwd=folder,
            env=free,
        )
        assert done.returncode == 0, (name, done.stderr)
        assert json.loads(done.stdout)["format"].startswith("ctv-bounds"), name


def pythons() -> list[str]:
    """Those of `PYTHONS` that are on this machine."""
    found = subprocess.run(
        [
            sys.executable,
            "-m",
            "uv",
            "python",
            "list",
            "--only-installed",
            "--output-format",
            "json",
        ],
        capture_output=True,
        text=True,
    )
    rows = json.loads(found.stdout) if found.returncode == 0 else []
    here = {f"{row['version_parts']['major']}.{row['version_parts']['minor']}" for row in rows}
    return [version for version in PYTHONS if version in here]


def test_every_command_has_a_call() -> None:
    assert set(WORDS) == set(command_names())


@pytest.mark.release
@pytest.mark.parametrize("python", PYTHONS)
def test_wheel_with_newest_dependencies(built, tmp_path: Path, python: str) -> None:
    if python not in pythons():
        pytest.skip(f"no Python {python} here")
    interpreter = environment(tmp_path / "env", built["wheel"], python)
    size = sum(f.stat().st_size for f in (tmp_path / "env").rglob("*") if not f.is_symlink())
    assert size < LARGEST_INSTALLATION * 1e6, f"a plain installation takes {size / 1e6:.0f} MB"
    run_every_command(interpreter, tmp_path)


@pytest.mark.release
def test_wheel_with_lowest_dependencies(built, tmp_path: Path) -> None:
    interpreter = environment(
        tmp_path / "env", built["wheel"], PYTHONS[0], "--resolution", "lowest-direct"
    )
    run_every_command(interpreter, tmp_path)


@pytest.mark.release
def test_source_archive(built, tmp_path: Path) -> None:
    with tarfile.open(built["archive"]) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {"docs/index.md", "tests/test_release.py", "notebooks", "LEDGER.md", "paper.md"} <= held
    interpreter = environment(tmp_path / "env", built["archive"], PYTHONS[0])
    run_every_command(interpreter, tmp_path)


@pytest.mark.release
def test_types_are_shipped(built, tmp_path: Path) -> None:
    interpreter = environment(tmp_path / "env", built["wheel"], PYTHONS[0])
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file=",
            "--python-executable",
            interpreter,
            "user.py",
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    # The one mistake of the program is seen, so that the types are known; nothing else is.
    assert len(errors) == 1 and "[assignment]" in errors[0], done.stdout


def test_the_page_of_licences_leaves_no_dependency_out() -> None:
    spec = spec_from_file_location("make_licences", ROOT / "docs" / "make_licences.py")
    assert spec is not None and spec.loader is not None
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    for name, package in made.dependencies().items():
        # The words of a licence change with versions; that it is stated and listed does not.
        assert f"| {name} | " in page and made.licence(package)
