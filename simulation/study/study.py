"""A study: every policy on every seed, in parallel, resumable, the same bits however it is run.

A cell is one run (policy, seed). With a folder each finished cell is a file of its own, written
whole or not at all, so that a study which was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from bounds.arrays import FloatArray
from bounds.domain import domain_data
from bounds.encoding import spelled
from bounds.errors import InvalidInput
from bounds.kernels import Kernel, kernel_data
from bounds.numerics.threads import one_blas_thread
from bounds.problem import Problem
from simulation.model.covariance import Factor, space_factor
from simulation.policies.acquisition import ACQUISITIONS, EXPLORATIONS
from simulation.policies.readings import Readings
from simulation.policies.registry import policies, policy_named
from simulation.policies.tuned import check_policy, require_tunable, tuned_by_hand
from simulation.runs.run import Trajectory, simulate
from simulation.study.folder import StudyFolder, digest
from simulation.study.manifest import LARGEST_SEEDS
from simulation.study.workers import Key, check_workers, computed
from simulation.world.environment import check_times
from simulation.world.evaluation_time import EvaluationTime, biased, constant, in_order, regressed

Progress = Callable[[int, int, str], None]
Cell = tuple[str, int]

HELD_OUT = 3
"""Seeds on which cross-validation tries every candidate."""

SETTINGS = ("uniform", "biased", "csv")

LARGEST_ROUNDS = 10_000_000
"""Random rounds, or rounds of the policy, in the longest run accepted."""

_FORMAT = 1
"""Raised when the same specification would give other numbers than before."""


@dataclass(frozen=True, eq=False)
class StudySpec:
    """Everything that the results of a study depend on.

    Attributes
    ----------
    problem : kernels, noise, domain, δ; its evaluation times matter for the setting `csv` alone
    setting : `uniform` (every evaluation lasts `evaluation_time`), `biased` (the paper's t(x)) or
        `csv` (the problem's durations in order, or, with `inputs`, t(x) by regression on them)
    policies : names, see `simulation.policies.registry.policies`
    seeds, seed : the cells have the seeds `seed`, …, `seed` + `seeds` − 1
    initial, rounds : random rounds at the start, and the policy's own after them
    acquisition, exploration : see `simulation.policies.acquisition`
    model_kernel : the space kernel that policies assume; by default the objective's
    readings : the choices that the paper leaves open
    evaluation_time : ≥ 0, of the uniform setting
    inputs : (m, d) points at which the m durations of the problem were measured, for t(x)
    box : whether points are anywhere in the box of the grid; regret is then measured against the
        larger of f at the point played and of f on the grid, and no bound of the grid covers it

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
    box: bool = False

    def __post_init__(self) -> None:
        _require_one_of("setting", self.setting, SETTINGS)
        _require_one_of("acquisition", self.acquisition, ACQUISITIONS)
        _require_one_of("exploration", self.exploration, EXPLORATIONS)
        if not self.policies:
            raise InvalidInput("policies", "none", "name at least one policy")
        if len(set(self.policies)) < len(self.policies):
            raise InvalidInput("policies", ",".join(self.policies), "name each policy once")
        for name, least in (("seeds", 1), ("seed", 0), ("initial", 0), ("rounds", 0)):
            if getattr(self, name) < least:
                raise InvalidInput(
                    name, getattr(self, name), f"give a whole number of at least {least}"
                )
        for name, most in (
            ("seeds", LARGEST_SEEDS),
            ("initial", LARGEST_ROUNDS),
            ("rounds", LARGEST_ROUNDS),
        ):
            if getattr(self, name) > most:
                raise InvalidInput(name, getattr(self, name), f"give at most {most}")
        if self.total_rounds < 1:
            raise InvalidInput("rounds", self.rounds, "ask for at least one round in all")
        if self.inputs is not None and self.setting != "csv":
            raise InvalidInput("inputs", "given", "inputs belong to the setting csv")
        # Everything else about times shows when they are made; better now than in a worker.
        check_times(self.durations, self.problem.time_kernel)
        assumed = self.model_kernel or self.problem.space_kernel
        require_tunable(self.readings, assumed, self.problem.time_kernel)
        for name in self.policies:
            check_policy(name, self.durations, self.readings)
        if self.box:
            self._check_box()

    def _check_box(self) -> None:
        """Refuse what a study on the grid may have and one on the box has not."""
        self.problem.domain.box_side()
        self.problem.domain.cube()
        for name in self.policies:
            if not policy_named(name).on_box:
                known = ", ".join(each for each, made in policies().items() if made.on_box)
                raise InvalidInput("policies", name, f"the policies on the box are {known}")
        if self.initial < 1:
            raise InvalidInput("initial", self.initial, "give at least 1 on the box")
        if self.exploration == "theory":
            raise InvalidInput("exploration", "theory", "use beta or sqrt-beta on the box")
        if self.inputs is not None:
            raise InvalidInput("inputs", "given", "drop it: on the box times are in order, or t(x)")
        if self.readings.tune != "none":
            remedy = "drop it: on the box policies take their hyperparameters from the problem"
            raise InvalidInput("tune", self.readings.tune, remedy)

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

    def played(self, policy: str, seed: int, factor: Factor | None = None) -> Trajectory:
        """One run; `factor` as `simulation.runs.run.simulate` takes it."""
        return simulate(
            self.problem,
            self.durations,
            policy,
            seed=seed,
            initial=self.initial,
            rounds=self.rounds,
            acquisition=self.acquisition,
            exploration=self.exploration,
            model_kernel=self.model_kernel,
            readings=self.readings,
            factor=factor,
            box=self.box,
        )

    def identity(self) -> dict[str, object]:
        """What makes two studies the same: everything but how they are run.

        Raises InvalidInput for a kernel that cannot be written so that it can be read again.
        """
        problem = self.problem
        measured: list[str] | None = None
        if self.setting == "csv":
            arrays = [problem.times.durations, np.zeros(0) if self.inputs is None else self.inputs]
            measured = [digest(np.ascontiguousarray(a, dtype=float).tobytes()) for a in arrays]
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
            "space_kernel": spelled(kernel_data(problem.space_kernel)),
            "time_kernel": spelled(kernel_data(problem.time_kernel)),
            "model_kernel": spelled(kernel_data(self.model_kernel or problem.space_kernel)),
            "readings": repr(self.readings),
            "epsilon": problem.epsilon,
            "noise_variance": problem.noise_variance,
            "domain": spelled(domain_data(problem.domain)),
            "delta": problem.delta,
            **({"box": True} if self.box else {}),
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
    backend: str = "loky",
) -> Study:
    """Run every cell of the study, or what a folder lacks of it.

    Parameters
    ----------
    spec : StudySpec
    out : folder for the cells; one that holds another study is refused, nothing being written
    workers : processes; the results do not depend on it
    progress : called as progress(done, total, message) after every cell
    backend : `loky`, processes of this machine, or `dask`, the workers of the Dask client that is
        current (the extra `cluster`); a folder must be one that they share

    Raises InvalidInput for a folder of another study or one that cannot be written, StudyFailed if
    the worker of a cell dies twice. What was finished before stays in the folder.
    """
    check_workers(workers, backend)
    if spec.box and out is not None:
        raise InvalidInput("out", str(out), "drop it: runs on the box are not kept")
    cells = [(policy, seed) for seed in spec.all_seeds for policy in spec.policies]
    folder = None if out is None else _opened(spec, out)
    report = progress or (lambda done, total, message: None)
    stored, repaired = _stored([_Job(*cell, spec, folder) for cell in cells])
    resumed = len(stored)
    if resumed or repaired:
        said = f"{resumed} finished cells read" + (
            f"; damaged, computed again: {', '.join(repaired)}" if repaired else ""
        )
        report(resumed, len(cells), said)

    def told(message: str) -> None:
        report(len(stored), len(cells), message)

    def finish(jobs: list[_Job], runs: dict[Key, Trajectory], who: str) -> None:
        missing = {job.key: job for job in jobs if job.key not in runs}
        with one_blas_thread():  # one factor for all runs, with the same bits everywhere
            factor = space_factor(spec.problem)
        for key, run in computed(missing, _run, factor, workers, backend, told):
            runs[key] = run
            told(f"{who}{key[0]} seed {key[1]}")

    if len(stored) < len(cells):
        settled = _settled(spec, out, finish)
        jobs = [_Job(*cell, replace(spec, readings=settled[cell[0]]), folder) for cell in cells]
        finish(jobs, stored, "")
    return Study(
        spec,
        {p: tuple(stored[p, seed, 0] for seed in spec.all_seeds) for p in spec.policies},
        resumed,
        tuple(repaired),
    )


@dataclass(frozen=True, eq=False)
class _Job:
    """One run to be made: its cell, what it is made from, and where it is kept."""

    policy: str
    seed: int
    spec: StudySpec
    folder: StudyFolder | None
    candidate: int = 0

    @property
    def key(self) -> Key:
        return self.policy, self.seed, self.candidate


def _settled(
    spec: StudySpec,
    out: Path | None,
    finish: Callable[[list[_Job], dict[Key, Trajectory], str], None],
) -> dict[str, Readings]:
    """What every policy assumes: by cross-validation that with the least regret on held-out seeds.

    The seeds are those after the study's own, so that nothing by which a policy is judged has
    chosen for it. Each candidate is a study of its own, below the folder if there is one.
    """
    settled = dict.fromkeys(spec.policies, spec.readings)
    if spec.readings.tune != "cross-validation":
        return settled
    jobs: list[_Job] = []
    tried = tuned_by_hand(spec.model_kernel or spec.problem.space_kernel, spec.problem)
    for policy in spec.policies:
        if not policy_named(policy).has_model:
            continue
        for place, own in enumerate(tried):
            held_out = replace(
                spec,
                policies=(policy,),
                seed=spec.seed + spec.seeds,
                seeds=HELD_OUT,
                readings=replace(spec.readings, tune="none", assumed=own),
            )
            folder = None
            if out is not None:
                folder = _opened(held_out, out / "held-out" / f"{policy}-{place}")
            jobs += [_Job(policy, seed, held_out, folder, place) for seed in held_out.all_seeds]
    runs, _ = _stored(jobs)
    finish(jobs, runs, "held-out seeds: ")
    seeds = range(spec.all_seeds.stop, spec.all_seeds.stop + HELD_OUT)
    for policy in {job.policy for job in jobs}:
        regrets = [
            np.mean([runs[policy, seed, place].own_regret_per_round for seed in seeds])
            for place in range(len(tried))
        ]
        settled[policy] = replace(spec.readings, assumed=tried[int(np.argmin(regrets))])
    return settled


def _stored(jobs: list[_Job]) -> tuple[dict[Key, Trajectory], list[str]]:
    """The runs that their folders hold, and the names of files that are damaged."""
    stored: dict[Key, Trajectory] = {}
    repaired: list[str] = []
    for job in jobs:
        if job.folder is None:
            continue
        run, damaged = job.folder.read(job.policy, job.seed)
        if run is not None:
            stored[job.key] = run
        if damaged:
            repaired.append(job.folder.path(job.policy, job.seed).name)
    return stored, repaired


def _opened(spec: StudySpec, out: Path) -> StudyFolder:
    return StudyFolder.opened(out, spec.identity(), spec.problem.domain.size)


def _run(job: _Job, factor: Factor) -> Trajectory:
    run = job.spec.played(job.policy, job.seed, factor)
    if job.folder is not None:
        job.folder.write(run)
    return run


def _require_one_of(field: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidInput(field, value, f"use {', '.join(allowed)}")
