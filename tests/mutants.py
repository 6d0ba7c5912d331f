"""Mutants of the source against the tests that mirror it: `make mutants`.

mutmut (https://mutmut.readthedocs.io) changes one place of one function at a time; a mutant is
killed where a test of the same room then fails, or never ends. A room is `bounds/partitions` or the
like, its tests are `tests/bounds/partitions` and `tests/bounds/test_partition*.py`. mutmut leaves
decorated functions alone: properties are not mutated, and what numba compiles is by `--compiled`,
which mutates these functions alone and runs them as the Python that they are written in.

    python -m tests.mutants bounds/partitions --sample 150

Inside mutmut this module is a plugin of pytest too: failures are not made small, tests of one file
stand together, and nothing is kept from the run without a mutant.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).resolve().parents[1]

_PACKAGES = ("bounds", "simulation", "proofs_check", "own_runs")
ROOMS = (
    "bounds/confidence",
    "bounds/domain",
    "bounds/drifting_gain",
    "bounds/enclosure",
    "bounds/kernels",
    "bounds/partitions",
    "bounds/gain",
    "bounds/rates",
    "bounds/regret",
    "bounds/rivals",
    "bounds/static_gain",
    "bounds/symbolic",
    "simulation/after_run",
    "simulation/model",
    "simulation/policies",
    "simulation/prior",
    "simulation/runs",
    "simulation/world",
    "proofs_check/language",
    "proofs_check/prover",
    "proofs_check/recheck",
    "proofs_check/records",
)
_OF_THE_TEXT = ("_mutants", "_believed")
"""Tests that look at the text of the source, which mutmut writes anew; so does test_refusals."""
_OTHERWISE_NAMED = {
    "proofs_check/language": ("tests/proofs_check/test_formula.py",),
    "bounds/enclosure": ("tests/bounds/test_sides_are_types.py",),
    "proofs_check/records": (
        "tests/proofs_check/test_ledger.py",
        "tests/proofs_check/test_names.py",
        "tests/proofs_check/test_study_evidence.py",
        "tests/proofs_check/test_verify.py",
    ),
}
_NOT_KILLED = (0, 5, 33, 34, None)
"""Exit codes of mutmut: survived, no test runs it (twice), skipped, not reached."""
_OUT_OF_TIME = (-24, 24, 36, 152, 255)

_COMPILED = r"(?m)^@njit\(.*\)\n"
_CONFIGURATION = """
[tool.mutmut]
source_paths = ["{room}"]
# Sessions in one process escape names that are not ASCII once more each time.
pytest_add_cli_args = ["--numprocesses", "0", "-p", "no:cacheprovider", "-p", "tests.mutants",
    "-o", "disable_test_id_escaping_and_forfeit_all_rights_to_community_support=true",
    "--ignore-glob=*/test_refusals.py"{more}]
pytest_add_cli_args_test_selection = {tests}
# Room for fixtures, which mutmut does not count, and for other work on the machine: four times the
# clean tests by the clock, eight times by the processor.
timeout_multiplier = 4.0
timeout_constant = 5.0
# What an error says is for people; that it is raised is looked at.
do_not_mutate_patterns = ['InvalidInput\\(', 'NumericalFailure\\(', 'Refused\\(', '_refuse\\(',
    'BadFormula\\(', 'BadClaim\\(', 'Undefined\\(', 'Undecided\\(', 'NotExported\\(',
    'ProverFailed\\(']
"""


def mirrored(room: str) -> list[str]:
    """The tests of a room."""
    package, name = room.split("/")
    found = [f"tests/{room}"] if (ROOT / "tests" / room).is_dir() else []
    files = sorted((ROOT / "tests" / package).glob(f"test_{name.removesuffix('s')}*.py"))
    of_room = [str(f.relative_to(ROOT)) for f in files if not f.stem.endswith(_OF_THE_TEXT)]
    return [*found, *of_room, *_OTHERWISE_NAMED.get(room, ())]


# Without a deadline: mutants run beside other work.
settings.register_profile(
    "mutants", phases=(Phase.explicit, Phase.generate), database=None, deadline=None
)


def pytest_configure() -> None:
    """What hypothesis finds is not made small: a mutant is killed by the first failure."""
    settings.load_profile("mutants")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of one file stand together, so that what they share is made once."""
    files: dict[Path, int] = {}
    for item in items:
        files.setdefault(item.path, len(files))
    items.sort(key=lambda item: files[item.path])


def pytest_collection_finish() -> None:
    """Forget what functions kept while the tests ran without a mutant, in the process before."""
    _forget()


def pytest_runtest_setup() -> None:
    """While mutmut notes which test calls what, each test calls anew what an earlier one kept."""
    if os.environ.get("MUTANT_UNDER_TEST") == "stats":
        _forget()


def _forget() -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith((*_PACKAGES, "tests")):
            for value in vars(module).values():
                # An object that answers to every name has one that cannot be called.
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()


def pytest_sessionfinish() -> None:
    """End the workers that tests left waiting: mutmut takes every child that ends for a mutant."""
    loky = sys.modules.get("joblib.externals.loky")
    if loky is not None:
        loky.get_reusable_executor().shutdown(wait=True)


def examine(
    room: str,
    sample: int | None,
    seed: int,
    named: list[str] | None = None,
    *,
    compiled: bool = False,
    tests: list[str] | None = None,
) -> dict[str, int | None]:
    """Mutant ↦ exit code of its tests, for a drawn sample of a room, or of those `named` there."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        _copied(copy, room, compiled, tests or mirrored(room))
        functions = _interpreted(copy, room) if compiled else ()
        _mutmut(copy, "of.no.module*")  # writes the mutants, and notes which test calls what
        every = sorted(_codes(copy))
        if compiled:
            every = [mutant for mutant in every if mutant.partition("__mutmut_")[0] in functions]
        if named is not None:
            every = [m for m in every if any(fnmatchcase(m, pattern) for pattern in named)]
        chosen = every
        if sample is not None and sample < len(every):
            chosen = sorted(random.Random(f"{seed} {room}").sample(every, sample))
        if not chosen:
            return {}
        _mutmut(copy, *chosen)
        codes = _codes(copy)
        for mutant in chosen:
            if codes[mutant] in _NOT_KILLED:
                shown = subprocess.run(
                    [sys.executable, "-m", "mutmut", "show", mutant],
                    cwd=copy,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                print(f"{mutant} survived ({codes[mutant]})\n{shown.stdout}", flush=True)
        return {mutant: codes[mutant] for mutant in chosen}


def _copied(folder: Path, room: str, compiled: bool, tests: list[str]) -> None:
    """What git knows of the tree, what numba has compiled, and the configuration for this room.

    All of it twice: where mutmut begins, and in `mutants`, where it writes and the tests run. The
    times of the files stay, for numba compiles again what has changed, and mutmut would copy anew.
    """
    known = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    kept = (ROOT.glob(f"{package}/**/__pycache__/*.nb?") for package in _PACKAGES)
    known += [str(path.relative_to(ROOT)) for paths in kept for path in paths]
    for target in (folder, folder / "mutants"):
        target.mkdir(exist_ok=True)
        copying = ["cp", "--parents", "--preserve=timestamps", "--target-directory", str(target)]
        subprocess.run([*copying, *filter(None, known)], cwd=ROOT, check=True)
    # The guard over the checkout asks git for its files.
    for words in (("init", "-q"), ("add", "--all")):
        subprocess.run(["git", *words], cwd=folder / "mutants", check=True)
    # Of an overflow NumPy warns where numba does not.
    more = ', "-W", "ignore::RuntimeWarning"' if compiled else ""
    with (folder / "pyproject.toml").open("a") as file:
        file.write(_CONFIGURATION.format(room=room, tests=json.dumps(tests), more=more))


def _interpreted(folder: Path, room: str) -> set[str]:
    """Take numba's decorators away; the functions that had one, as mutmut names them."""
    functions = set()
    for path in (folder / room).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        module = ".".join(path.relative_to(folder).with_suffix("").parts)
        functions |= {f"{module}.x_{name}" for name in re.findall(_COMPILED + r"def (\w+)", text)}
        path.write_text(re.sub(_COMPILED, "", text), encoding="utf-8")
    return functions


def _mutmut(folder: Path, *mutants: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", "run", "--max-children", "1", *mutants],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(folder / "mutants")},
    )
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
    parser.add_argument("--only", nargs="+", metavar="MUTANT", help="names or patterns")
    parser.add_argument("--compiled", action="store_true", help="what numba compiles, alone")
    parser.add_argument("--tests", nargs="+", help="in place of the mirrored ones, some too slow")
    parser.add_argument("--least", type=float, default=0.9, help="share that has to be killed")
    given = parser.parse_args()
    counts = []
    for room in given.rooms:
        sample = None if given.all else given.sample
        codes = examine(
            room, sample, given.seed, given.only, compiled=given.compiled, tests=given.tests
        )
        killed = sum(code not in _NOT_KILLED for code in codes.values())
        slow = sum(code in _OUT_OF_TIME for code in codes.values())
        counts.append((killed, len(codes)))
        print(f"{room}: {killed} of {len(codes)} killed, {slow} of them by time", flush=True)
    killed, drawn = map(sum, zip(*counts, strict=True))
    print(f"all: {killed} of {drawn} killed, {killed / max(drawn, 1):.1%}")
    sys.exit(killed < given.least * drawn)


if __name__ == "__main__":
    main()
