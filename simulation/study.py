"""A study: every policy on every seed, in parallel, resumable, the same bits however it is run.

A cell is one run (policy, seed). With a folder each finished cell is a file of its own, written
whole or not at all, so that a study which was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from os import fsync, getpid
from pathlib import Path

import joblib
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from bounds.errors import CtvBoundsError, InvalidInput
from bounds.kernels import Kernel
from bounds.problem import Problem
from simulation.acquisition import ACQUISITIONS, EXPLORATIONS
from simulation.covariance import Factor, GridCovariance
from simulation.evaluation_time import EvaluationTime, biased, constant, in_order, regressed
from simulation.policies import check_policy
from simulation.readings import Readings
from simulation.run import Trajectory, simulate

FloatArray = NDArray[np.float64]
Progress = Callable[[int, int, str], None]

SETTINGS = ("uniform", "biased", "csv")

_FORMAT = 1
"""Raised when the same specification would give other numbers than before."""

_MANIFEST = "study.json"


class StudyFailed(CtvBoundsError, RuntimeError):
    """A cell could not be finished, its worker having died twice."""


@dataclass(frozen=True, eq=False)
class StudySpec:
    """Everything that the results of a study depend on.

    Attributes
    ----------
    problem : kernels, noise, domain, δ; its evaluation times matter for the setting `csv` alone
    setting : `uniform` (every evaluation lasts `evaluation_time`), `biased` (the paper's t(x)) or
        `csv` (the problem's durations in order, or, with `inputs`, t(x) by regression on them)
    policies : names, see `simulation.policies.POLICIES`
    seeds, seed : the cells have the seeds `seed`, …, `seed` + `seeds` − 1
    initial, rounds : random rounds at the start, and the policy's own after them
    acquisition, exploration : see `simulation.acquisition`
    model_kernel : the space kernel that policies assume; by default the objective's
    readings : the choices that the paper leaves open
    evaluation_time : ≥ 0, of the uniform setting
    inputs : (m, d) points at which the m durations of the problem were measured, for t(x)

    Raises InvalidInput at construction for everything that can be seen to be wrong.
    """

    problem: Problem
    setting: str = "uniform"
    policies: tuple[str, ...] = ("ctv-fixed", "random")
    seeds: int = 30
    seed: int = 0
    initial: int = 30
    rounds: int = 100
    acquisition: str = "ucb"
    exploration: str = "beta"
    model_kernel: Kernel | None = None
    readings: Readings = field(default_factory=Readings)
    evaluation_time: float = 3.0
    inputs: FloatArray | None = None

    def __post_init__(self) -> None:
        _require_one_of("setting", self.setting, SETTINGS)
        _require_one_of("acquisition", self.acquisition, ACQUISITIONS)
        _require_one_of("exploration", self.exploration, EXPLORATIONS)
        if not self.policies:
            raise InvalidInput("policies", "none", "name at least one policy")
        for name in self.policies:
            check_policy(name)
        if len(set(self.policies)) < len(self.policies):
            raise InvalidInput("policies", ",".join(self.policies), "name each policy once")
        for name, least in (("seeds", 1), ("seed", 0), ("initial", 0), ("rounds", 0)):
            if getattr(self, name) < least:
                raise InvalidInput(
                    name, getattr(self, name), f"give a whole number of at least {least}"
                )
        if self.total_rounds < 1:
            raise InvalidInput("rounds", self.rounds, "ask for at least one round in all")
        if self.inputs is not None and self.setting != "csv":
            raise InvalidInput("inputs", "given", "inputs belong to the setting csv")
        if self.setting == "csv" and self.inputs is None:
            in_order(self.problem.times, self.total_rounds)

    @property
    def total_rounds(self) -> int:
        """n: initial rounds and the policy's own."""
        return self.initial + self.rounds

    @cached_property
    def durations(self) -> EvaluationTime:
        """How long a round takes in this setting."""
        if self.setting == "uniform":
            return constant(self.evaluation_time, self.total_rounds)
        if self.setting == "biased":
            return biased(self.problem.domain)
        if self.inputs is None:
            return in_order(self.problem.times, self.total_rounds)
        return regressed(self.problem.domain, self.inputs, self.problem.times.durations)

    @property
    def all_seeds(self) -> range:
        """The seeds of the cells."""
        return range(self.seed, self.seed + self.seeds)

    def identity(self) -> dict[str, object]:
        """What makes two studies the same: everything but how they are run."""
        problem = self.problem
        measured: list[str] | None = None
        if self.setting == "csv":
            arrays = [problem.times.durations, np.zeros(0) if self.inputs is None else self.inputs]
            measured = [_digest(np.ascontiguousarray(a, dtype=float).tobytes()) for a in arrays]
        return {
            "format": _FORMAT,
            "setting": self.setting,
            "evaluation_time": self.evaluation_time if self.setting == "uniform" else None,
            "measured": measured,
            "policies": list(self.policies),
            "seeds": self.seeds,
            "seed": self.seed,
            "initial": self.initial,
            "rounds": self.rounds,
            "acquisition": self.acquisition,
            "exploration": self.exploration,
            "space_kernel": repr(problem.space_kernel),
            "time_kernel": repr(problem.time_kernel),
            "model_kernel": repr(self.model_kernel or problem.space_kernel),
            "readings": repr(self.readings),
            "epsilon": problem.epsilon,
            "noise_variance": problem.noise_variance,
            "domain": repr(problem.domain),
            "delta": problem.delta,
        }


@dataclass(frozen=True, eq=False)
class Study:
    """The finished study.

    Attributes
    ----------
    spec : StudySpec
    trajectories : policy ↦ runs, in the order of the seeds
    resumed : cells that were read from the folder
    repaired : files of cells that were damaged and computed again
    """

    spec: StudySpec
    trajectories: dict[str, tuple[Trajectory, ...]]
    resumed: int = 0
    repaired: tuple[str, ...] = ()

    def array(self, name: str) -> FloatArray:
        """(policies, seeds, rounds) of one array of `Trajectory`, e.g. `cumulative_regret`."""
        return np.array(
            [[getattr(run, name) for run in runs] for runs in self.trajectories.values()]
        )


def run_study(
    spec: StudySpec,
    out: Path | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Study:
    """Run every cell of the study, or what a folder lacks of it.

    Parameters
    ----------
    spec : StudySpec
    out : folder for the cells; one that holds another study is refused, nothing being written
    workers : processes; the results do not depend on it
    progress : called as progress(done, total, message) after every cell

    Raises InvalidInput for a folder of another study, StudyFailed if a worker dies twice.
    """
    if workers < 1:
        raise InvalidInput("workers", workers, "give a whole number of at least 1")
    cells = [(policy, seed) for seed in spec.all_seeds for policy in spec.policies]
    folder = None if out is None else _Folder.opened(out, spec)
    found: dict[tuple[str, int], Trajectory] = {}
    repaired: list[str] = []
    if folder is not None:
        for cell in cells:
            run, damaged = folder.read(*cell)
            if run is not None:
                found[cell] = run
            if damaged:
                repaired.append(folder.path(*cell).name)
    resumed = len(found)
    report = progress or _silent
    if resumed or repaired:
        said = f"{resumed} finished cells read" + (
            f"; damaged, computed again: {', '.join(repaired)}" if repaired else ""
        )
        report(resumed, len(cells), said)
    for attempt in (1, 2):
        missing = [cell for cell in cells if cell not in found]
        if not missing:
            break
        try:
            for cell, run in _computed(spec, missing, folder, workers):
                found[cell] = run
                report(len(found), len(cells), f"{cell[0]} seed {cell[1]}")
        except joblib.externals.loky.process_executor.TerminatedWorkerError:
            lost = [f"{cell[0]} seed {cell[1]}" for cell in cells if cell not in found]
            if attempt == 2:
                raise StudyFailed(f"a worker died twice; unfinished: {', '.join(lost)}") from None
            report(len(found), len(cells), "a worker died: the cells it had are run again")
    return Study(
        spec,
        {p: tuple(found[p, seed] for seed in spec.all_seeds) for p in spec.policies},
        resumed,
        tuple(repaired),
    )


def _computed(
    spec: StudySpec, cells: list[tuple[str, int]], folder: _Folder | None, workers: int
) -> Iterator[tuple[tuple[str, int], Trajectory]]:
    """The runs of these cells, as they are finished."""
    with threadpool_limits(1, user_api="blas"):
        factor = GridCovariance(spec.problem.space_kernel, spec.problem.domain).factor()
    if workers == 1:
        for cell in cells:
            yield _run_cell(spec, cell, factor, folder)
        return
    parallel = joblib.Parallel(n_jobs=workers, return_as="generator_unordered", batch_size=1)
    yield from parallel(joblib.delayed(_run_cell)(spec, cell, factor, folder) for cell in cells)


def _run_cell(
    spec: StudySpec, cell: tuple[str, int], factor: Factor, folder: _Folder | None
) -> tuple[tuple[str, int], Trajectory]:
    policy, seed = cell
    # One BLAS thread: the same order of summation, hence the same bits, in every process.
    with threadpool_limits(1, user_api="blas"):
        run = simulate(
            spec.problem,
            spec.durations,
            policy,
            seed=seed,
            initial=spec.initial,
            rounds=spec.rounds,
            acquisition=spec.acquisition,
            exploration=spec.exploration,
            model_kernel=spec.model_kernel,
            readings=spec.readings,
            factor=factor,
        )
    if folder is not None:
        folder.write(run)
    return cell, run


@dataclass(frozen=True)
class _Folder:
    """The cells of one study on disk."""

    root: Path
    key: str
    rounds: int

    @classmethod
    def opened(cls, root: Path, spec: StudySpec) -> _Folder:
        """Create the folder or check that it is this study's."""
        identity = spec.identity()
        key = _digest(json.dumps(identity, sort_keys=True).encode())
        folder = cls(root, key, spec.total_rounds)
        manifest = root / _MANIFEST
        try:
            root.mkdir(parents=True, exist_ok=True)
            if manifest.exists():
                held = json.loads(manifest.read_text(encoding="utf-8"))
                if held.get("key") != folder.key:
                    old = held.get("study", {})
                    changed = [k for k, v in identity.items() if old.get(k) != v]
                    raise InvalidInput(
                        "out",
                        str(root),
                        f"holds another study (other {', '.join(changed)}): choose another folder",
                    )
            elif any(root.iterdir()):
                raise InvalidInput(
                    "out", str(root), "is not empty and holds no study: choose another folder"
                )
            else:
                text = json.dumps({"key": folder.key, "study": identity}, indent=1)
                _write_whole(manifest, text.encode())
        except InvalidInput:
            raise
        except (ValueError, AttributeError):
            raise InvalidInput(
                "out", str(manifest), "cannot be read as a study: choose another folder"
            ) from None
        except OSError as error:
            raise InvalidInput("out", str(root), f"cannot be used ({error.strerror})") from None
        return folder

    def path(self, policy: str, seed: int) -> Path:
        return self.root / f"{policy}-{seed}.npz"

    def read(self, policy: str, seed: int) -> tuple[Trajectory | None, bool]:
        """The run and False; None and whether there was a file, but a damaged one."""
        path = self.path(policy, seed)
        if not path.exists():
            return None, False
        try:
            with zipfile.ZipFile(path) as archive:
                if archive.testzip() is not None:
                    return None, True
            with np.load(path, allow_pickle=False) as stored:
                values = {f.name: stored[f.name] for f in fields(Trajectory)}
                key = str(stored["key"])
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
            return None, True
        scalars = {"policy": str, "seed": int, "initial": int, "noise_variance": float}
        run = Trajectory(**{k: scalars[k](v) if k in scalars else v for k, v in values.items()})
        whole = key == self.key and (run.policy, run.seed) == (policy, seed)
        arrays = (v for k, v in values.items() if k not in scalars)
        if not whole or any(v.shape != (self.rounds,) for v in arrays):
            return None, True
        return run, False

    def write(self, run: Trajectory) -> None:
        """Write the cell, whole or not at all."""
        path = self.path(run.policy, run.seed)
        temporary = path.with_name(f".{path.name}.{getpid()}.tmp")
        try:
            with temporary.open("wb") as file:
                values = {f.name: getattr(run, f.name) for f in fields(Trajectory)}
                np.savez(file, key=np.array(self.key), **values)
                file.flush()
                fsync(file.fileno())
            temporary.replace(path)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise InvalidInput(
                "out", str(path), f"cannot be written ({error.strerror}); earlier cells are intact"
            ) from None


def _write_whole(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{getpid()}.tmp")
    temporary.write_bytes(content)
    temporary.replace(path)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _silent(done: int, total: int, message: str) -> None:
    """The default of a study that nobody watches."""


def _require_one_of(field: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidInput(field, value, f"use {', '.join(allowed)}")
