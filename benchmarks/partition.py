"""Time and memory of the partition searches, whole command from the shell, and against a peer.

    python benchmarks/partition.py            medians of 5
    python benchmarks/partition.py --runs 1   a quick look

Unit gaps, ε = 10⁻⁴, σ² = 0.01, γ_m = min(½ m log 101, 12 log(1+m)) from a file. The peer is
PELT of ruptures with a custom cost (jump 1) at one constant price: the same optimum, found twice.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import ruptures

from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate, search
from bounds.problem import Problem
from bounds.times import EvaluationTimes

EPSILON = 1e-4
COMMANDS = [
    # objective, rounds, seconds allowed, GiB allowed
    ("additive", 100_000, None, None),
    ("additive", 1_000_000, 30, 1.5),
    ("refined", 100_000, 60, None),
    ("refined", 1_000_000, 120, None),
    ("theorem1", 10_000, 10, None),
    ("theorem1", 100_000, None, None),
    ("theorem1", 1_000_000, None, None),
]


def gains(n: int) -> np.ndarray:
    m = np.arange(n + 1)
    return np.minimum(0.5 * m * np.log(101), 12 * np.log1p(m))


def shell(objective: str, n: int, gamma_file: Path) -> tuple[float, float, dict]:
    """Seconds, peak GiB and the answer of one `ctv partition` command."""
    command = [
        sys.executable, "-m", "ctv", "partition", "--objective", objective, "--sequence", "uniform",
        "--n", str(n), "--total", str(n), "--epsilon", str(EPSILON), "--gamma", str(gamma_file),
        "--json",
    ]  # fmt: skip
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    assert status == 0, f"{' '.join(command)} failed"
    return seconds, usage.ru_maxrss / 2**20, json.loads(output)


def median_seconds(call: Callable[[], object], runs: int) -> float:
    seconds = []
    for _ in range(runs):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds)


class AdditiveDrift(ruptures.base.BaseCost):
    """½ M log(1 + sθ√(C/M)) of unit gaps, each block in O(1) by the closed form of C."""

    model = "additive-drift"
    min_size = 1

    def __init__(self, slope: float, noise_variance: float) -> None:
        self.factor = slope / noise_variance / np.sqrt(6.0)

    def fit(self, signal):
        self.signal = signal
        return self

    def error(self, start, end):
        # C = M²(M²−1)/6: no block that PELT looks at is longer than 1/θ, where the cap would bite.
        m = end - start
        return 0.5 * m * float(np.log1p(self.factor * (m * (m * m - 1)) ** 0.5))


def against_pelt(n: int, runs: int) -> None:
    price = 50.0
    problem = Problem(EvaluationTimes.from_durations(np.ones(n)), epsilon=EPSILON)
    prices = np.concatenate(([0.0], np.full(n, price)))
    cost = AdditiveDrift(problem.time_kernel.slope, problem.noise_variance)
    assert n <= 1 / problem.time_kernel.slope
    signal = np.zeros((n, 1))

    def peer() -> list[int]:
        return ruptures.Pelt(custom_cost=cost, jump=1, min_size=1).fit(signal).predict(pen=price)

    ours = search("additive", problem, prices)
    theirs = evaluate("additive", problem, prices, Partition((0, *peer())))
    assert abs(ours.value - theirs.value) <= 1e-9 * ours.value, (ours.value, theirs.value)
    fast = median_seconds(lambda: search("additive", problem, prices), max(5, runs))
    slow = median_seconds(peer, runs)
    print(
        f"constant price, n = {n}: ours {fast:.4f} s, ruptures PELT {slow:.2f} s, "
        f"ratio {slow / fast:.0f}, same optimum {ours.value:.6f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    against_pelt(5_000, runs)
    medians = {}
    with tempfile.TemporaryDirectory() as folder:
        for objective, n, seconds_allowed, memory_allowed in COMMANDS:
            gamma_file = Path(folder) / f"gamma-{n}.json"
            gamma_file.write_text(json.dumps(gains(n).tolist()))
            measured = [shell(objective, n, gamma_file) for _ in range(runs)]
            seconds = statistics.median(m[0] for m in measured)
            memory = max(m[1] for m in measured)
            answer = measured[0][2]
            medians[objective, n] = seconds
            limits = "" if seconds_allowed is None else f" (at most {seconds_allowed} s)"
            limits += "" if memory_allowed is None else f" (at most {memory_allowed} GiB)"
            print(
                f"{objective:9s} n = {n:9,d}: {seconds:7.2f} s, {memory:.2f} GiB{limits}, "
                f"exact {answer['exact']}, gap {answer['gap']}, value {answer['value']:.6f}",
                flush=True,
            )
    growth = medians["additive", 1_000_000] / medians["additive", 100_000]
    print(f"additive, from n = 10^5 to 10^6: {growth:.1f} times the time (at most 12)")


if __name__ == "__main__":
    main()
