"""Whole commands from the shell: seconds (median of five) and peak memory.

    python benchmarks/shell.py            the figures below
    python benchmarks/shell.py bound      those whose name contains a word

The γ list is min(½m·log 101, 12·log(1+m)); gaps are 1, ε = 10⁻⁴, σ² = 0.01.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

REPEATS = 5
ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "ctv" / "data" / "gradient_boosting_digits.csv"


def partition(objective: str, n: int, gamma: Path) -> list[str]:
    """A search over n rounds a unit of time apart."""
    return (
        f"partition --objective {objective} --n {n} --total {n} --epsilon 1e-4 "
        f"--gamma {gamma} --json"
    ).split()


def measured(words: list[str]) -> tuple[float, float]:
    """Seconds and peak memory in MiB of one command, its start included."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "ctv", *words], stdout=subprocess.DEVNULL, cwd=ROOT
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed: ctv {' '.join(words)}")
    return seconds, usage.ru_maxrss / 1024


def main() -> None:
    """Measure and print every figure whose name holds the word given."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    with tempfile.TemporaryDirectory() as folder:
        gamma = Path(folder) / "gamma.json"
        m = np.arange(1_000_001)
        values = np.minimum(0.5 * m * np.log(101.0), 12.0 * np.log1p(m))
        gamma.write_text(json.dumps(values.tolist()), encoding="utf-8")
        cases = {
            "version": ["--version"],
            "help of bound": ["bound", "--help"],
            "bound, bundled times": ["bound", "--times", str(EXAMPLE), "--json"],
            "report, bundled times": ["report", "--times", str(EXAMPLE), "--out", folder, "--json"],
            "theorem1, n = 10,000": partition("theorem1", 10_000, gamma),
            "additive, n = 100,000": partition("additive", 100_000, gamma),
            "additive, n = 1,000,000": partition("additive", 1_000_000, gamma),
            "refined, n = 100,000": partition("refined", 100_000, gamma),
            "refined, n = 1,000,000": partition("refined", 1_000_000, gamma),
        }
        print(f"{'command':28} {'seconds':>8} {'MiB':>6}   median of {REPEATS}")
        for name, words in cases.items():
            if word in name:
                runs = [measured(words) for _ in range(REPEATS)]
                seconds, memory = (statistics.median(column) for column in zip(*runs, strict=True))
                print(f"{name:28} {seconds:8.2f} {memory:6.0f}", flush=True)


if __name__ == "__main__":
    main()
