"""Mutants of the source against the tests that mirror it: `make mutants`.

mutmut (https://mutmut.readthedocs.io) changes one place of one function at a time; a mutant is
killed where a test of the same room then fails, or takes three times as long. A room is
`bounds/partitions` or the like, its tests are `tests/bounds/partitions` and
`tests/bounds/test_partition*.py`. Functions that numba compiles and properties are not mutated,
for mutmut leaves decorated functions alone.

    python -m tests.mutants bounds/partitions --sample 150
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

ROOMS = (
    "bounds/confidence", "bounds/domain", "bounds/drifting_gain", "bounds/kernels",
    "bounds/partitions", "bounds/promises", "bounds/rates", "bounds/regret_itself",
    "bounds/rivals", "bounds/static_gain", "bounds/symbolic", "simulation/after_run",
    "simulation/model", "simulation/policies", "simulation/prior", "simulation/runs",
    "simulation/world", "proofs_check/language", "proofs_check/recheck",
)  # fmt: skip
_OTHERWISE_NAMED = {
    "proofs_check/language": ("tests/proofs_check/test_formula.py",),
    "bounds/enclosure": ("tests/bounds/test_enclosure.py",),
}
_NOT_KILLED = (0, 33, 34)
"""Exit codes of mutmut: survived, no test runs it, skipped."""

_CONFIGURATION = """
[tool.mutmut]
source_paths = {packages}
only_mutate = ["{room}/*"]
also_copy = ["ctv", "docs", "README.md", "LEDGER.md", "CHANGELOG.md", "Makefile"]
pytest_add_cli_args = ["--numprocesses", "0", "-p", "no:cacheprovider"]
pytest_add_cli_args_test_selection = {tests}
# Three times the processor time of the clean tests: mutmut itself doubles the multiplier.
timeout_multiplier = 1.5
timeout_constant = 2.0
# What an error says is for people; that it is raised is looked at.
do_not_mutate_patterns = ['InvalidInput\\(', 'NumericalFailure\\(', 'Refused\\(']
"""


def mirrored(room: str) -> list[str]:
    """The tests of a room."""
    package, name = room.split("/")
    found = [f"tests/{room}"] if (ROOT / "tests" / room).is_dir() else []
    files = sorted((ROOT / "tests" / package).glob(f"test_{name.removesuffix('s')}*.py"))
    of_room = [str(file.relative_to(ROOT)) for file in files]
    return [*found, *of_room, *_OTHERWISE_NAMED.get(room, ())]


def examine(room: str, sample: int | None, seed: int) -> dict[str, int | None]:
    """Mutant ↦ exit code of its tests, of a drawn sample or of all of a room."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        _copied(copy, room)
        _mutmut(copy, "of.no.module*")  # writes the mutants, and notes which test calls what
        every = sorted(_codes(copy))
        chosen = every
        if sample is not None and sample < len(every):
            chosen = sorted(random.Random(f"{seed} {room}").sample(every, sample))
        _mutmut(copy, *chosen)
        codes = _codes(copy)
        for mutant in chosen:
            if codes[mutant] in _NOT_KILLED:
                shown = subprocess.run(
                    [sys.executable, "-m", "mutmut", "show", mutant],
                    cwd=copy, capture_output=True, text=True, check=False,
                )  # fmt: skip
                print(f"{mutant} survived ({codes[mutant]})\n{shown.stdout}", flush=True)
        return {mutant: codes[mutant] for mutant in chosen}


def _copied(folder: Path, room: str) -> None:
    """What git knows of the tree, and the configuration for this room."""
    known = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    copying = ["cp", "--parents", "--target-directory", folder]
    subprocess.run([*copying, *filter(None, known)], cwd=ROOT, check=True)
    packages = ["bounds", "simulation", "proofs_check"]
    with (folder / "pyproject.toml").open("a") as file:
        file.write(
            _CONFIGURATION.format(
                packages=json.dumps(packages), room=room, tests=json.dumps(mirrored(room))
            )
        )


def _mutmut(folder: Path, *mutants: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", "run", "--max-children", "1", *mutants],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(folder / "mutants")},
    )  # fmt: skip
    if "of.no" not in mutants[0] and done.returncode:
        sys.exit(done.stdout[-2000:] + done.stderr[-2000:])


def _codes(folder: Path) -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    for path in (folder / "mutants").rglob("*.meta"):
        found |= json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
    return found


def main() -> None:
    """Print the survivors and the score of each room; exit 1 below the score asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="*", default=list(ROOMS))
    parser.add_argument("--sample", type=int, default=60, help="mutants of each room")
    parser.add_argument("--all", action="store_true", help="all mutants: hours")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=float, default=0.9, help="share that has to be killed")
    given = parser.parse_args()
    counts = []
    for room in given.rooms:
        codes = examine(room, None if given.all else given.sample, given.seed)
        killed = sum(code not in _NOT_KILLED for code in codes.values())
        counts.append((killed, len(codes)))
        print(f"{room}: {killed} of {len(codes)} killed", flush=True)
    killed, drawn = map(sum, zip(*counts, strict=True))
    print(f"all: {killed} of {drawn} killed, {killed / drawn:.1%}")
    sys.exit(killed < given.least * drawn)


if __name__ == "__main__":
    main()
