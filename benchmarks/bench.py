"""Speed against peers and growth, measured in one run: `make bench`.

    python -m benchmarks.bench                     every table, in docs/benchmarks.md
    python -m benchmarks.bench --quick --out DIR   tiny sizes, a check that all of it works

Answers are compared first; what disagrees is not timed and fails the run. A peer that is not
installed is left out with a message (`pip install 'ctv-bounds[peers]'`).
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.duels import DUELS, Disagreement, Duel
from benchmarks.growth import HOT, Grown, Hot, grown
from benchmarks.measured import (
    REPEATS,
    ROOT,
    Machine,
    median_seconds,
    process,
    version_of,
    where_and_when,
)

PROFILED_SECONDS = 3.0
PY_SPY = Path(sys.executable).with_name("py-spy")
FEW = 3
"""Repetitions of what is not a duel."""
EXAMPLE = "ctv/data/gradient_boosting_digits.csv"


@dataclass(frozen=True)
class Alone:
    """CPU seconds of a process that imports what it needs and answers once; what compiling adds
    on its first run on a machine; peak memory in MiB."""

    seconds: float
    compiling: float
    memory: float


@dataclass(frozen=True)
class Result:
    """One duel: median CPU seconds of a call, everything warm, and both sides on their own."""

    name: str
    peer: str
    versions: str
    size: str
    counted: str
    agreement: str
    seconds: float
    peer_seconds: float
    alone: tuple[Alone, Alone] | None

    @property
    def ratio(self) -> float:
        return self.peer_seconds / self.seconds


def missing(needs: tuple[str, ...]) -> list[str]:
    """Those packages that are not installed."""
    return [name for name in needs if find_spec(name) is None]


def fought(kind: type[Duel], *, quick: bool, repeats: int) -> Result:
    """Compare the answers, then time both sides; raises Disagreement."""
    duel = kind(quick=quick)
    agreement = duel.compare(duel.ours(), duel.peer())
    versions = ", ".join(f"{name} {version_of(name)}" for name in duel.needs)
    alone = None if quick else (whole_process(kind, "ours"), whole_process(kind, "peer"))
    return Result(
        duel.name,
        duel.rival,
        versions,
        duel.size,
        duel.counted,
        agreement,
        median_seconds(duel.ours, repeats),
        median_seconds(duel.peer, repeats),
        alone,
    )


def whole_process(kind: type[Duel], side: str) -> Alone:
    """One side in a process of its own, with compiled loops on disk and without."""
    words = ["-W", "ignore", "-m", "benchmarks.bench", "--one", kind.__name__, side]
    with tempfile.TemporaryDirectory() as empty:
        first, *warm = [process(words, caches=empty) for _ in range(1 + FEW)]
    seconds = statistics.median(run.seconds for run in warm)
    return Alone(seconds, max(0.0, first.seconds - seconds), max(run.memory for run in warm))


def shares(hot: Hot, size: int) -> dict[str, float]:
    """Where the time of a hot function goes, by py-spy: the library of the innermost frame."""
    with tempfile.TemporaryDirectory() as folder:
        stacks = Path(folder) / "stacks.txt"
        subprocess.run(
            [
                str(PY_SPY),
                "record",
                "--native",
                "--rate",
                "200",
                "--format",
                "raw",
                "--output",
                str(stacks),
                "--",
                sys.executable,
                "-m",
                "benchmarks.growth",
                hot.name,
                str(size),
                str(PROFILED_SECONDS),
            ],
            check=True,
            capture_output=True,
            cwd=ROOT,
        )
        found: Counter[str] = Counter()
        for line in stacks.read_text(encoding="utf-8").splitlines():
            stack, _, count = line.rpartition(" ")
            if "profiled (" in stack:
                found[_kind_of(stack.rpartition(";")[2])] += int(count)
    total = sum(found.values())
    return {name: count / total for name, count in found.most_common()}


_KINDS = (
    (r"openblas|lapack|blas", "BLAS"),
    (r"numpy|scipy|pocketfft", "NumPy"),
    (r"flint|gmp|mpfr", "Arb"),
    (r"llvmlite|numba", "compiler"),
    (r"^\?|libm\.so|libc\.so|libgcc", "compiled loop"),
)


def _kind_of(frame: str) -> str:
    place = re.search(r"\(([^()]*)\)$", frame)
    library = place[1] if place else frame
    for pattern, kind in _KINDS:
        # Frames of Python sources stand with file and line, whatever package they are of.
        if not re.search(r"\.py:\d+$", library) and re.search(pattern, library):
            return kind
    return "Python"


def whole_commands(repeats: int, only: str) -> Iterator[dict[str, Any]]:
    """Commands from the shell: start, imports and answer."""
    with tempfile.TemporaryDirectory() as folder:
        m = np.arange(1_000_001)
        gamma = Path(folder) / "gamma.json"
        values = np.minimum(0.5 * m * np.log(101.0), 12.0 * np.log1p(m))
        gamma.write_text(json.dumps(values.tolist()), encoding="utf-8")
        searches = [
            f"partition --bound {objective} --n {n} --total {n} --epsilon 1e-4 --gamma {gamma}"
            for objective, n in (
                ("theorem1", 10_000),
                ("additive", 1_000_000),
                ("refined", 1_000_000),
            )
        ]
        for words in (
            "--version",
            "bound --help",
            f"bound --times {EXAMPLE} --epsilon 1e-4",
            f"report --times {EXAMPLE} --epsilon 1e-4 --out {folder}",
            *searches,
        ):
            if only.lower() not in f"ctv {words}":
                continue
            runs = [process(["-m", "ctv", *words.split()]) for _ in range(repeats)]
            shown = words.replace(str(gamma), "FILE").replace(folder, "DIR")
            yield {
                "name": f"ctv {shown}",
                "seconds": statistics.median(run.seconds for run in runs),
                "memory": max(run.memory for run in runs),
            }


def measured(*, quick: bool, only: str) -> dict[str, Any]:
    """Everything, as the JSON holds it."""
    repeats = 1 if quick else REPEATS
    results: list[Result] = []
    skipped: list[str] = []
    failed: list[str] = []
    for kind in DUELS:
        absent = missing(kind.needs)
        title = f"{kind.name} against {kind.rival}"
        if only.lower() not in title.lower():
            continue
        if absent:
            skipped.append(f"{title}: not installed: {', '.join(absent)}")
            say(f"skipped: {skipped[-1]}")
            continue
        try:
            results.append(fought(kind, quick=quick, repeats=repeats))
        except Disagreement as apart:
            failed.append(f"{title}: {apart}")
            say(f"NOT TIMED, the answers differ: {failed[-1]}")
            continue
        say(f"{title}: {results[-1].ratio:.1f} times as fast")
    machine = Machine.measured(repeats)
    functions = []
    for hot in HOT:
        if only.lower() not in hot.name.lower():
            continue
        one = grown(hot, machine, repeats=1 if quick else FEW, quick=quick)
        profile = {} if quick or not PY_SPY.exists() else shares(hot, one.sizes[-1])
        functions.append(function_row(one, profile))
        say(f"{hot.name}: n^{one.last:.2f}")
    where = where_and_when()
    return {
        "format": "ctv-bounds benchmarks 1",
        **where,
        "repeats": repeats,
        "duels": [{**asdict(row), "ratio": row.ratio, "date": where["date"]} for row in results],
        "skipped": skipped,
        "disagreements": failed,
        "machine_rates": asdict(machine),
        "growth": functions,
        "commands": [] if quick else list(whole_commands(FEW, only)),
    }


def renewed(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The old tables with the rows that were measured anew; order stays, what is new comes last."""
    found = {**old, **new}
    for table in ("duels", "growth", "commands"):
        rows = {(row["name"], row.get("peer")): row for row in [*old[table], *new[table]]}
        found[table] = list(rows.values())
    found["skipped"] = list(dict.fromkeys([*old["skipped"], *new["skipped"]]))
    return found


def function_row(one: Grown, profile: dict[str, float]) -> dict[str, Any]:
    """A hot function as JSON."""
    return {
        "name": one.hot.name,
        "n": one.sizes,
        "seconds": one.seconds,
        "documented": one.hot.exponent,
        "exponent": one.slope,
        "last_decade": one.last,
        "times_limit": one.times_limit,
        "shares": profile,
        "why": one.hot.why,
    }


def page(found: dict[str, Any]) -> str:
    """docs/benchmarks.md."""
    dates = sorted({row["date"] for row in found["duels"]}) or [found["date"]]
    where = (
        f"{' to '.join(dates[:1] + dates[1:][-1:])}, {found['machine']}, Python {found['python']}, "
        + ", ".join(
            f"{name} {found[name]}" for name in ("numpy", "scipy", "numba") if name in found
        )
    )
    lines = [
        "# Benchmarks",
        "",
        f"Written by `make bench`: {where}. The numbers are in `benchmarks/results.json`.",
        "",
        "## Against peers",
        "",
        f"Median CPU time of {found['repeats']} calls on one thread, both sides in one process,"
        " everything imported and compiled; both sides build all that they need from the same raw"
        " question. The answers are compared first, and what disagrees is not timed.",
        "",
        "| question | size | ours | peer | its time | ratio |",
        "|---|---|--:|---|--:|--:|",
    ]
    for row in found["duels"]:
        lines.append(
            f"| {row['name']} | {row['size']} | {short(row['seconds'])} | {row['peer']} |"
            f" {short(row['peer_seconds'])} | {row['ratio']:.1f} |"
        )
    lines += [f"\nLeft out: {text}." for text in found["skipped"]]
    lines += ["", "What was compared, and what is counted:", ""]
    for row in found["duels"]:
        versions = f" ({row['versions']})" if row["versions"] else ""
        lines.append(
            f"- {row['name']}, {row['peer']}{versions}: {row['agreement']}."
            f" Counted: {row['counted']}."
        )
    both = [row for row in found["duels"] if row["alone"]]
    lines += [
        "",
        "Once for each process and for each machine: CPU seconds of a process that starts, imports"
        " and answers one such question (compiled loops on disk), what the first run on a machine"
        " adds for compiling, and peak memory in MiB. Processes of both sides set the question up;"
        " that of the rounds is drawn with this package.",
        "",
        "| peer | ours: process | compiling | MiB | peer: process | compiling | MiB |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ] * bool(both)
    for row in both:
        cells = [
            f"{side['seconds']:.1f} | {side['compiling']:.1f} | {side['memory']:.0f}"
            for side in row["alone"]
        ]
        lines += [f"| {row['name']}, {row['peer']} | {' | '.join(cells)} |"]
    rates = found["machine_rates"]
    lines += [
        "",
        "## Growth",
        "",
        "Exponents of n: documented, fitted over three decades, and in the last one (small sizes"
        " are all overhead). The limit is what the counted work takes, and is left out where the"
        " number of steps depends on what is found, at the best rates of one"
        f" thread: {rates['product'] / 1e9:.0f}·10⁹ operations a second in a matrix product,"
        f" {rates['loop'] / 1e9:.1f}·10⁹ in a compiled loop,"
        f" {rates['chain'] / 1e9:.2f}·10⁹ additions that wait for each other,"
        f" {rates['logarithm'] / 1e9:.2f}·10⁹ logarithms,"
        f" {rates['traffic'] / 1e9:.0f}·10⁹ bytes. Shares of time are by the innermost frame"
        " (py-spy).",
        "",
        "| function | largest n | time | documented | all | last | × limit | where the time is |",
        "|---|--:|--:|--:|--:|--:|--:|---|",
    ]
    for row in found["growth"]:
        times = "" if row["times_limit"] is None else f"{row['times_limit']:.1f}"
        parts = ", ".join(f"{k} {100 * v:.0f} %" for k, v in row["shares"].items() if v >= 0.05)
        lines.append(
            f"| {row['name']} | {row['n'][-1]:,} | {short(row['seconds'][-1])} |"
            f" {row['documented']:g} | {row['exponent']:.2f} | {row['last_decade']:.2f} | {times} |"
            f" {parts} |"
        )
    lines += ["", *(f"- {row['name']}: {row['why']}." for row in found["growth"] if row["why"])]
    if found["commands"]:
        lines += [
            "",
            "## Whole commands",
            "",
            "From the shell, start and imports included: CPU seconds, and peak memory in MiB.",
            "",
            "| command | seconds | MiB |",
            "|---|--:|--:|",
        ]
        lines += [
            f"| `{row['name']}` | {short(row['seconds'])} | {row['memory']:.0f} |"
            for row in found["commands"]
        ]
    return "\n".join(lines) + "\n"


def short(seconds: float) -> str:
    """Three digits with a unit."""
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def say(line: str) -> None:
    """Progress, on standard error."""
    print(line, file=sys.stderr, flush=True)


def main(words: list[str] | None = None) -> int:
    """Measure and write; 1 where answers differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes")
    parser.add_argument("--only", default="", help="what has this word in its name")
    parser.add_argument("--out", type=Path, help="folder of both files; docs and benchmarks")
    parser.add_argument("--one", nargs=2, metavar=("DUEL", "SIDE"), help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    warnings.simplefilter("ignore")  # of peers
    if options.one:
        (kind,) = (kind for kind in DUELS if kind.__name__ == options.one[0])
        getattr(kind(quick=options.quick), options.one[1])()
        return 0
    found = measured(quick=options.quick, only=options.only)
    data, text = (
        (ROOT / "benchmarks", ROOT / "docs") if options.out is None else (options.out, options.out)
    )
    if options.only and (data / "results.json").exists():
        found = renewed(json.loads((data / "results.json").read_text(encoding="utf-8")), found)
    written = json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    (data / "results.json").write_text(written, encoding="utf-8")
    (text / "benchmarks.md").write_text(page(found), encoding="utf-8")
    return 1 if found["disagreements"] else 0


if __name__ == "__main__":
    sys.exit(main())
