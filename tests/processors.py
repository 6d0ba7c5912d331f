"""Processors that this one can be asked to be: the kernels that numpy and OpenBLAS choose by it.

    python -m tests.processors [PYTEST OPTIONS]

runs the tests marked `processor` as each of two others (`make test-processors`). Only those whose
instructions this processor has can be played; the compiled loops round the same on all of them.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import numpy as np

NEEDS = {
    "Haswell": ("X86_V3", "AVX2"),
    "SkylakeX": ("X86_V4", "AVX512_SKX"),
    "Zen": ("X86_V3", "AVX2"),
    "Prescott": (),
}
"""The core types of OpenBLAS that are tried, and the names that numpy has had for what each needs;
one of them is enough, and Prescott needs what every 64-bit processor of its kind has."""

_WIDER = ("X86_V4", "AVX512")
"""How the instructions begin that Haswell and Zen lack."""
_AS_OTHERS = ("Haswell", "Prescott", "SkylakeX")
"""In the order in which they are chosen to be run as: far from each other first."""


def found() -> list[str]:
    """What numpy chooses its kernels by, as far as this processor has it."""
    return list(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))


def playable() -> list[str]:
    """The core types that this processor can be asked to be; none where it is of another kind."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return []
    return [core for core, needs in NEEDS.items() if not needs or {*needs} & {*found()}]


def environment(core: str, threads: int) -> dict[str, str]:
    """The variables under which BLAS and numpy compute as on such a processor."""
    lacking = [
        name
        for name in found()
        if core == "Prescott" or (core in ("Haswell", "Zen") and name.startswith(_WIDER))
    ]
    return {
        **os.environ,
        "OPENBLAS_CORETYPE": core,
        "OPENBLAS_NUM_THREADS": str(threads),
        "NPY_DISABLE_CPU_FEATURES": ",".join(lacking),
    }


def main() -> None:
    """Run the marked tests as two others, one after the other; exit 1 if any of them fails."""
    own = own_core()
    others = [core for core in _AS_OTHERS if core in playable() and core != own][:2]
    for threads, core in enumerate(others, start=1):
        print(f"as {core}, BLAS threads: {threads}", flush=True)
        command = [sys.executable, "-m", "pytest", "-m", "processor", *sys.argv[1:]]
        done = subprocess.run(command, env=environment(core, threads), check=False)
        if done.returncode:
            sys.exit(1)


def own_core() -> str:
    """The core type that OpenBLAS takes this processor for, empty where there is no OpenBLAS."""
    from threadpoolctl import threadpool_info

    return next(
        (str(one["architecture"]) for one in threadpool_info() if "architecture" in one), ""
    )


if __name__ == "__main__":
    main()
