"""`ctv certify`: bounds on the regret of finished runs, one's own or simulated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bounds.errors import InvalidInput
from ctv.commands.certify_log import UnknownPrior, certified_log
from ctv.commands.log_options import LogOptions
from ctv.commands.options import Given, ModelOptions, checked_workers
from ctv.outputs import check_file, write_whole
from ctv.show.plain import project_version
from ctv.show.rounding import digits

if TYPE_CHECKING:
    from bounds.problem import Problem
    from bounds.progress import Stage
    from ctv.show.shown import Shown
    from simulation.after_run.observed import Observed
    from simulation.after_run.simulated import SimulationCertificate
    from simulation.runs.run import Trajectory

_option = partial(typer.Option, rich_help_panel="Certificates")
_data = partial(typer.Option, rich_help_panel="Your own data")

Target = Annotated[
    Path | None,
    typer.Argument(
        help="Folder of a study (--out of ctv simulate), or one of its .npz files; a log of your "
        "own is read as by --data, with --fit where nothing is said of the prior.",
        metavar="RUN_OR_STUDY",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class DataOptions:
    """A run of one's own: points, durations and observed values."""

    data: Annotated[
        Path | None, _data(help="CSV with columns for x, duration and y.", metavar="FILE.csv")
    ] = None
    inputs: Annotated[
        str | None,
        _data(help="Columns of x (default x1,x2,…; x in one dimension).", metavar="LIST"),
    ] = None
    y_column: Annotated[str, _data(help="Column of the observed values.", metavar="NAME")] = "y"
    column: Annotated[
        str | None,
        _data(
            help="Column of times (default duration, duration_seconds, t or tau).", metavar="NAME"
        ),
    ] = None
    cumulative: Annotated[
        bool, _data("--cumulative", help="The named column holds tau, not durations.")
    ] = False


@dataclass(frozen=True)
class CertifyOptions:
    """Which certificates, and of which rounds."""

    certificates: Annotated[
        str,
        _option(
            help="Comma list of rank, expected, probability, expected-forward and "
            "probability-forward.",
            metavar="LIST",
        ),
    ] = "rank,expected,probability"
    paths: Annotated[
        int, _option(help="Posterior paths S of rank, from 1/δ − 1 to 1000000.", metavar="WHOLE")
    ] = 99
    seed: Annotated[
        int, _option(help="Of the posterior paths and the simulations.", metavar="WHOLE")
    ] = 0
    own: Annotated[
        bool,
        _option("--own", help="Only the policy's own rounds; all data count as before."),
    ] = False
    runs: Annotated[
        int | None, _option(help="Of a study, the first so many of each policy.", metavar="WHOLE")
    ] = None
    simulations: Annotated[
        int | None,
        _option(
            help="Of a study: simulate so many more runs of each policy, for the simulation "
            "certificate, which needs no data.",
            metavar="WHOLE",
        ),
    ] = None
    workers: Annotated[int, _option(help="Processes of --simulations.", metavar="WHOLE")] = 1
    certificate: Annotated[
        Path | None,
        _option(help="Of one run: write what is needed to check rank again.", metavar="FILE"),
    ] = None


Cell = tuple[str, "Observed", float | None, slice, int]


def _own_data(
    data: DataOptions, model: ModelOptions, options: CertifyOptions, given: Given
) -> tuple[Problem, list[Cell]]:
    from bounds.reading import read_text
    from ctv.inputs import read_columns, read_times
    from simulation.after_run.observed import Observed

    assert data.data is not None
    for name in ("own", "runs", "simulations", "workers"):
        if name in given.names:
            value = getattr(options, name)
            raise InvalidInput(name, value, "drop it: it needs the folder of a study")
    file = read_text(data.data, "data")  # once: it may be a pipe
    times = read_times(file, data.column, cumulative=data.cumulative)
    if times.n < 2:
        raise InvalidInput("data", f"{times.n} row", "give at least two rows")
    if model.noise_variance == 0.0:
        tied = next((i for i in range(1, times.n) if times.durations[i] == 0.0), None)
        where = "" if tied is None else f"rows {tied} and {tied + 1} have the same time; "
        raise InvalidInput("noise-variance", 0.0, f"{where}give a positive number")
    problem = model.problem(times)
    dimension = model.dimension
    default = "x" if dimension == 1 else ",".join(f"x{i + 1}" for i in range(dimension))
    columns = [name.strip() for name in (data.inputs or default).split(",")]
    if len(columns) != dimension:
        raise InvalidInput("inputs", ",".join(columns), f"name {dimension}, as --dimension says")
    table = read_columns(file, [*columns, data.y_column])
    observed = Observed.of_data(problem, table[:, :-1], table[:, -1])
    return problem, [(file.name, observed, None, slice(None), options.seed)]


def _study(
    target: Path,
    asked: float | None,
    options: CertifyOptions,
    advance: Stage,
    names: tuple[str, ...],
) -> tuple[Problem, list[Cell], dict[str, SimulationCertificate], float, str, str]:
    """The same of a study, with its simulated runs, the δ of its certificates and what it lacks."""
    from simulation.after_run.certificates import SEEING
    from simulation.after_run.observed import Observed
    from simulation.after_run.rank import rank_of
    from simulation.after_run.simulated import check_simulations, simulation_certificate
    from simulation.study.manifest import policies_of
    from simulation.study.stored import stored_runs, stored_spec

    if options.runs is not None and options.runs < 1:
        raise InvalidInput("runs", options.runs, "give a whole number of at least 1")
    study = stored_runs(target)
    problem = study.problem
    delta = problem.delta if asked is None else asked
    if not 0.0 < delta < 1.0:
        raise InvalidInput("delta", delta, "give a probability in (0, 1)")
    if "rank" in names:
        rank_of(options.paths, delta)
    blind = tuple(run for run in study.runs if run.policy not in SEEING)
    if not blind:
        raise InvalidInput(
            "policies",
            study.runs[0].policy,
            "it saw f itself, on which no certificate can condition",
        )
    chosen = list(_first_of_each(blind, options.runs))
    rounds = slice(chosen[0].initial, None) if options.own else slice(None)
    if options.own and chosen[0].initial >= chosen[0].n:
        raise InvalidInput("own", "set", "the policy has no rounds of its own here")
    simulated = {}
    check_simulations(options.simulations, delta)
    if options.simulations is not None:
        checked_workers(options.workers)
        for run in {run.policy: run for run in chosen}.values():
            label = f"simulated runs of {run.policy}"
            simulated[run.policy] = simulation_certificate(
                stored_spec(study, run),
                run.policy,
                runs=options.simulations,
                delta=delta,
                seed=options.seed,
                rounds=rounds,
                workers=options.workers,
                progress=lambda share, label=label: advance(label, share),  # type: ignore[misc]
            )
    cells: list[Cell] = [
        (
            f"{run.policy}-{run.seed}",
            Observed.of_run(problem, run),
            float(run.regrets[rounds].sum()),
            rounds,
            # Draws of its own for every run, so that shares over runs mean what they say.
            options.seed + run.seed,
        )
        for run in chosen
    ]
    seen = [policy for policy in policies_of(study.identity) if policy not in SEEING]
    return problem, cells, simulated, delta, study.lacking(seen), _random(chosen, options.own)


def _random(runs: Sequence[Trajectory], own: bool) -> str:
    """What the random rounds at the beginning cost, where they are part of what is bounded."""
    initial = runs[0].initial
    if own or not initial:
        return ""
    cost = sum(float(run.regrets[:initial].sum()) for run in runs) / len(runs)
    many = f"first {initial:,} rounds are" if initial > 1 else "first round is"
    return (
        f"The {many} random: in the mean {digits(cost)} of the true regret is theirs. --own bounds "
        "that of the other rounds."
    )


def _first_of_each(runs: tuple[Trajectory, ...], most: int | None) -> Iterator[Trajectory]:
    counts: dict[str, int] = {}
    for run in runs:
        counts[run.policy] = counts.get(run.policy, 0) + 1
        if most is None or counts[run.policy] <= most:
            yield run


def certify(
    data: DataOptions,
    options: CertifyOptions,
    model: ModelOptions,
    given: Given,
    log: LogOptions,
    unknown: UnknownPrior,
    target: Target = None,
    *,
    advance: Stage,
) -> Shown:
    """How much regret has a finished run suffered? Certificates, each with its level.

    Of simulated runs (the folder of a study) or of your own data, under the prior that the options
    describe; of a study the prior is its own; with --fit, --prior FILE or --hyperprior FILE it is
    not known, and every posterior path has one of its own.
    """
    if target is not None and target.is_file() and target.suffix != ".npz":
        if data.data is not None:
            raise InvalidInput("data", str(data.data), "drop it: the log came first")
        data, target = replace(data, data=target), None
        said = {field.name for group in (model, data) for field in fields(group)} - {"delta"}
        if not (unknown.asked or given.names & said):
            unknown = replace(unknown, fit=True)  # nothing was said of the prior
    unknown.check(data.data, model, given)
    if unknown.asked and target is None:
        assert data.data is not None
        given.refuse_for_log(data, options)
        return certified_log(
            data.data,
            log,
            unknown,
            model,
            given,
            paths=options.paths,
            seed=options.seed,
            advance=advance,
        )
    given.refuse_without_fit(log)
    from ctv.commands.coverage import prior_warning
    from ctv.values.certificates import Certificates
    from simulation.after_run.certificates import certify, checked_names, grid_factor
    from simulation.after_run.rank import rank_of

    names = checked_names([name.strip() for name in options.certificates.split(",")])
    if (target is None) == (data.data is None):
        both = "nothing" if target is None else "a study and --data"
        raise InvalidInput("RUN_OR_STUDY", both, "give the folder of a study, or --data FILE.csv")
    if options.seed < 0:
        raise InvalidInput("seed", options.seed, "give a whole number of at least 0")
    if "paths" in given.names and "rank" not in names:
        raise InvalidInput("paths", options.paths, "drop it: of these certificates none draws any")
    if target is None:
        delta = model.delta
        if "rank" in names:
            rank_of(options.paths, delta)
        problem, cells = _own_data(data, model, options, given)
        simulated: dict[str, SimulationCertificate] = {}
        lacking = random = ""
    else:
        given.refuse_for_study(data, model, kept=("delta",))
        if "workers" in given.names and options.simulations is None:
            raise InvalidInput("workers", options.workers, "drop it: it needs --simulations")
        asked = model.delta if "delta" in given.names else None
        found_in = _study(target, asked, options, advance, names)
        problem, cells, simulated, delta, lacking, random = found_in
    if options.certificate is not None:
        check_file(options.certificate, "certificate")
        if len(cells) != 1 or "rank" not in names or cells[0][3] != slice(None):
            remedy = "drop it: it holds the certificate rank of all rounds of one run"
            raise InvalidInput("certificate", str(options.certificate), remedy)
    found = []
    factor = None
    for done, (label, observed, regret, rounds, seed) in enumerate(cells):
        if factor is None and not len(observed.extra):
            factor = grid_factor(observed)

        def told(name: str, share: float, label: str = label, done: int = done) -> None:
            place = (done + (names.index(name) + share) / len(names)) / len(cells)
            advance(f"{name} of {label}", place)

        found.append(
            certify(
                observed,
                label,
                regret=regret,
                names=names,
                paths=options.paths,
                delta=delta,
                seed=seed,
                rounds=rounds,
                factor=factor,
                progress=told,
            )
        )
    drawn = [one.drawn for one in found[0].certificates if one.drawn is not None]
    if options.certificate is not None:
        from proofs_check.records.log_certificate import log_certificate

        observed = replace(cells[0][1], problem=replace(cells[0][1].problem, delta=delta))
        body = log_certificate(observed, drawn[0], project_version())
        text = json.dumps(body, ensure_ascii=False, allow_nan=False) + "\n"
        write_whole(options.certificate, text.encode(), "certificate")
    doubtful = [run.label for run in found if run.doubtful]
    warnings = [lacking, prior_warning(names, problem)]
    if doubtful and len(doubtful) > max(1, len(found) // 20) - (len(found) == 1):
        shown = ", ".join(doubtful[:3]) + (" …" if len(doubtful) > 3 else "")
        least = min(run.fit for run in found)
        warnings.insert(
            0,
            f"the observations of {shown} do not fit the prior (p = {least:.2g}): do not rely on "
            "these certificates",
        )
    return Certificates(
        problem, tuple(found), simulated, options.seed, tuple(w for w in warnings if w), random
    )
