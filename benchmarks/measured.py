"""How a call is timed, what the machine can do at best, and whole processes."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import packages_distributions, version
from pathlib import Path
from platform import machine, python_version, system
from time import process_time
from timeit import Timer

import numpy as np
from numba import njit
from threadpoolctl import threadpool_limits

REPEATS = 5
ROOT = Path(__file__).resolve().parent.parent
_LEAST_SECONDS = 0.02  # of a repetition; shorter calls are repeated within it


def median_seconds(call: Callable[[], object], repeats: int = REPEATS) -> float:
    """Median CPU seconds of a call, one BLAS thread, after one call that is not counted.

    CPU time and not the clock's: on one thread they are the same, and other work of the machine
    counts for nobody.
    """
    timer = Timer(call, timer=process_time)
    with threadpool_limits(1):
        once = timer.timeit(1)
        number = max(1, round(_LEAST_SECONDS / max(once, 1e-7)))
        return statistics.median(timer.repeat(repeats, number)) / number


@dataclass(frozen=True)
class Process:
    """CPU seconds and peak memory in MiB of one process from its start to its end."""

    seconds: float
    memory: float


# A child begins with the peak memory of its parent, so a small process starts the one measured.
_STARTER = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


def process(words: list[str], caches: str | None = None) -> Process:
    """Run Python with these arguments; `caches` is a folder for compiled loops in place of ours."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    if caches is not None:
        environment["NUMBA_CACHE_DIR"] = caches
    told = subprocess.run(
        [sys.executable, "-S", "-c", _STARTER, sys.executable, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=environment,
    ).stdout.split()
    if told[0] != "0":
        raise RuntimeError(f"failed: python {' '.join(words)}")
    return Process(float(told[1]), float(told[2]))


def where_and_when() -> dict[str, str]:
    """Date, machine and versions."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{models[0] if models else machine()}, {os.cpu_count()} cores, {system()}",
        "python": python_version(),
        **{name: found for name in ("numpy", "scipy", "numba") if (found := version_of(name))},
    }


def version_of(package: str) -> str | None:
    """Of an installed package, by the name of its import; None where there is none."""
    found = packages_distributions().get(package)
    return version(found[0]) if found else None


@njit(cache=True)  # type: ignore[untyped-decorator]
def _in_a_row(values: np.ndarray, rounds: int) -> float:
    """Additions and products that can overlap: what a compiled loop does at best without SIMD."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for _ in range(rounds):
        for i in range(0, len(values), 4):
            a += values[i] * values[i]
            b += values[i + 1] * values[i + 1]
            c += values[i + 2] * values[i + 2]
            d += values[i + 3] * values[i + 3]
    return a + b + c + d


@njit(cache=True)  # type: ignore[untyped-decorator]
def _one_by_one(values: np.ndarray, rounds: int) -> float:
    """Additions each of which waits for the one before: what an exact running sum is made of."""
    total = 0.0
    for _ in range(rounds):
        for i in range(len(values)):
            total += values[i]
    return total


@dataclass(frozen=True)
class Machine:
    """What one thread of this machine does at best, in units a second.

    Attributes
    ----------
    product : multiplications and additions of a matrix product
    loop : the same in a compiled loop, numbers in the cache
    chain : additions that wait for the one before
    traffic : bytes read or written, of an array larger than every cache
    logarithm : logarithms of NumPy
    """

    product: float
    loop: float
    chain: float
    traffic: float
    logarithm: float

    @classmethod
    def measured(cls, repeats: int = REPEATS) -> Machine:
        square = np.random.default_rng(0).random((600, 600))
        few, many = np.ones(2_000), np.ones(20_000_000)
        target = np.empty_like(many)
        _in_a_row(few, 1)
        _one_by_one(few, 1)
        return cls(
            product=2 * 600**3 / median_seconds(lambda: square @ square, repeats),
            loop=2 * 2_000 * 1_000 / median_seconds(lambda: _in_a_row(few, 1_000), repeats),
            chain=2_000 * 1_000 / median_seconds(lambda: _one_by_one(few, 1_000), repeats),
            traffic=2 * many.nbytes / median_seconds(lambda: np.copyto(target, many), repeats),
            logarithm=2_000 / median_seconds(lambda: np.log1p(few), repeats),
        )
