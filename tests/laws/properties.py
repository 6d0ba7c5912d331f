"""`make properties`: 10,000 problems on two processes, and the tightest place of every inequality.

python -m tests.laws.properties --problems 10000 --processes 2
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import NamedTuple

import joblib

from bounds.numerics.threads import one_blas_thread
from simulation.laws.drawn import cases
from simulation.laws.formula_laws import order_statistic
from simulation.laws.looked_at import Looked
from simulation.laws.policy_laws import hold
from simulation.laws.sameness import SAMENESS_LAWS

BATCH = 100
"""Problems of one search: hypothesis varies what it has drawn, so that many searches see more."""

_COMPARED = 20
"""One problem in so many is compared with itself in other units, labels and studies."""

COMPARED = (*SAMENESS_LAWS, order_statistic)
"""Laws of a problem that play it more than once."""


class Batch(NamedTuple):
    """What one search showed, and what it found to be false (empty where nothing)."""

    looked: Looked
    broken: list[str]
    compared: int
    seconds: float


def batch(number: int, examples: int) -> Batch:
    """The laws over one search, seeded by its number."""
    begun = time.process_time()
    looked, broken = Looked(fresh=2**33 + number * 2**20), []
    shorter = max(examples // _COMPARED, 1)
    laws = [(looked.at, cases(), examples)]
    laws += [(law, cases(longest=10, largest=20), shorter) for law in COMPARED]
    with one_blas_thread():
        for law, drawn, count in laws:
            try:
                hold(law, drawn, count, seed=number)
            except AssertionError as error:
                broken.append(f"{law.__name__}: {error}")
    spent = time.process_time() - begun
    return Batch(looked, broken, shorter * len(COMPARED), spent)


def merged(batches: list[Batch]) -> Looked:
    """All batches as one; a seed counts once, in the order of the batches."""
    whole = Looked()
    for one in batches:
        whole.cases += one.looked.cases
        for name, place in one.looked.tightest.at.items():
            whole.tightest.take(name, one.looked.tightest.seen[name], place)
        whole.runs.take(one.looked.runs)
    return whole


def main() -> int:
    """Draw, hold, print; 1 where something is false."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--problems", type=int, default=10_000)
    reader.add_argument("--processes", type=int, default=2)
    reader.add_argument("--seed", type=int, default=0, help="of the first search")
    given = reader.parse_args()
    start = time.monotonic()
    count = -(-given.problems // BATCH)
    tasks = [
        joblib.delayed(batch)(given.seed + k, min(BATCH, given.problems)) for k in range(count)
    ]
    batches = []
    found = joblib.Parallel(n_jobs=given.processes, return_as="generator", batch_size=1)(tasks)
    for done, one in enumerate(found, start=1):
        batches.append(one)
        spent = time.monotonic() - start
        sys.stderr.write(f"\r{done}/{count} searches, {spent:.0f} s")
    whole = merged(batches)
    broken = [text for one in batches for text in one.broken]
    try:
        whole.runs.require()
    except AssertionError as error:
        broken.append(str(error))
    spent = time.monotonic() - start
    compared = sum(one.compared for one in batches)
    seconds = sum(one.seconds for one in batches)
    lines = [*whole.tightest.lines(), *whole.runs.lines()]
    counted = f"{whole.cases} problems, {compared} comparisons, {spent:.0f} s"
    lines.append(f"{counted}, {seconds:.0f} s of processor")
    lines += [f"FALSE: {text}" for text in broken]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
