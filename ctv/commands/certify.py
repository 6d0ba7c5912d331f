"""`ctv certify`: bounds on the regret of finished runs, one's own or simulated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bounds.errors import InvalidInput
from ctv.options.certificates import CertifyOptions
from ctv.options.named_values import named_as
from ctv.options.problem import Given, ModelOptions, checked_workers
from ctv.options.sources import CertificateSources
from ctv.outputs import check_file, write_whole
from ctv.show.plain import project_version
from ctv.show.rounding import digits
from ctv.terminal.command import pictured

if TYPE_CHECKING:
    from bounds.problem import Problem
    from bounds.progress import Stage
    from ctv.show.shown import Shown
    from ctv.values.certificates import Certificates
    from simulation.after_run.observed import Observed
    from simulation.after_run.simulated import SimulationCertificate
    from simulation.runs.run import Trajectory

EXAMPLE = """\
>>> study = ctv.simulate([1.0] * 9, domain="arms:3", seeds=1, policy=["ctv-fixed"], out="runs")
>>> certificates = ctv.certify("runs")
"""

Target = Annotated[
    Path | None,
    typer.Argument(
        help="Folder of a study (--out of ctv simulate), or one of its .npz files; or a log of "
        "your own: points, times and observed values, a row a round. Its prior is fitted (of one "
        "--kernel where it is given), unless other options of the model say it.",
        metavar="RUN_OR_STUDY",
        show_default=False,
    ),
]


Cell = tuple[str, "Observed", float | None, slice, int]


def _study(
    target: Path,
    asked: float | None,
    options: CertifyOptions,
    advance: Stage,
    names: tuple[str, ...],
) -> tuple[Problem, list[Cell], dict[str, SimulationCertificate], float, str, str]:
    """The same of a study, with its simulated runs, the δ of its certificates and what it lacks."""
    from simulation.after_run.observed import Observed
    from simulation.after_run.rank import rank_of
    from simulation.after_run.simulated import check_simulations, simulation_certificate
    from simulation.policies.registry import policy_named
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
        rank_of(options.draws, delta)
    blind = tuple(run for run in study.runs if not policy_named(run.policy).sees_objective)
    if not blind:
        raise InvalidInput(
            "policy",
            study.runs[0].policy,
            "it saw f itself, on which no certificate can condition",
        )
    chosen = list(_first_of_each(blind, options.runs))
    rounds = slice(chosen[0].initial, None) if options.own else slice(None)
    if options.own and chosen[0].initial >= chosen[0].n:
        raise InvalidInput("rounds", "own", "the policy has no rounds of its own here")
    simulated = {}
    with named_as({"simulations": "bound"}):
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
    played = policies_of(study.identity)
    unseeing = [policy for policy in played if not policy_named(policy).sees_objective]
    return problem, cells, simulated, delta, study.lacking(unseeing), _random(chosen, options.own)


def _random(runs: Sequence[Trajectory], own: bool) -> str:
    """What the random rounds at the beginning cost, where they are part of what is bounded."""
    initial = runs[0].initial
    if own or not initial:
        return ""
    cost = sum(float(run.regrets[:initial].sum()) for run in runs) / len(runs)
    many = f"first {initial:,} rounds are" if initial > 1 else "first round is"
    return (
        f"The {many} random and account for {digits(cost)} of the true regret on average. "
        "--rounds own bounds the regret of the other rounds."
    )


def _first_of_each(runs: tuple[Trajectory, ...], most: int | None) -> Iterator[Trajectory]:
    counts: dict[str, int] = {}
    for run in runs:
        counts[run.policy] = counts.get(run.policy, 0) + 1
        if most is None or counts[run.policy] <= most:
            yield run


@pictured
def certify(
    options: CertifyOptions,
    model: ModelOptions,
    given: Given,
    others: CertificateSources,
    data: Target = None,
    *,
    advance: Stage,
) -> Shown:
    """How much regret has a finished run suffered? Certificates, each with its level.

    The runs are simulated (the folder of a study) or your own data. The prior is that of the
    options, or the study's own; where nothing says it, or with --prior FILE, it is not known,
    and every posterior path draws one.
    """
    for other in others:
        if other.takes(data, given):
            return other.certified(data, options, model, given, advance)  # type: ignore[no-any-return]
    if data is None:
        remedy = "give the folder of a study, or a log"
        raise InvalidInput("RUN_OR_STUDY", "nothing", remedy)
    if not data.exists():
        raise InvalidInput("RUN_OR_STUDY", str(data), "there is no such file or folder")
    names = options.checked(given)
    given.refuse("drop it: a study knows its own", model, *others, kept=("delta",))
    if "workers" in given.names and options.simulations is None:
        raise InvalidInput("workers", options.workers, "drop it: it needs simulation:RUNS")
    asked = model.delta if "delta" in given.names else None
    problem, cells, simulated, delta, *said = _study(data, asked, options, advance, names)
    lacking, random = said
    certificates = certified_cells(problem, cells, options, names, delta, advance)
    return replace(
        certificates,
        policies=simulated,
        warnings=tuple(w for w in (lacking, *certificates.warnings) if w),
        random=random,
    )


def certified_cells(
    problem: Problem,
    cells: Sequence[Cell],
    options: CertifyOptions,
    names: tuple[str, ...],
    delta: float,
    advance: Stage,
) -> Certificates:
    """The certificates of these names of every run, and what speaks against relying on them."""
    from ctv.commands.coverage import prior_warning
    from ctv.values.certificates import Certificates
    from simulation.after_run.certificates import certify
    from simulation.model.covariance import space_factor

    if options.certificate is not None:
        check_file(options.certificate, "certificate")
        if len(cells) != 1 or "rank" not in names or cells[0][3] != slice(None):
            remedy = "drop it: it holds the certificate rank of all rounds of one run"
            raise InvalidInput("certificate", str(options.certificate), remedy)
    runs = []
    factor = None
    for done, (label, observed, regret, rounds, seed) in enumerate(cells):
        if factor is None and not len(observed.extra):
            factor = space_factor(observed.problem)

        def progress(name: str, share: float, label: str = label, done: int = done) -> None:
            place = (done + (names.index(name) + share) / len(names)) / len(cells)
            advance(f"{name} of {label}", place)

        runs.append(
            certify(
                observed,
                label,
                regret=regret,
                names=names,
                paths=options.draws,
                delta=delta,
                seed=seed,
                rounds=rounds,
                factor=factor,
                progress=progress,
            )
        )
    drawn = [
        certificate.drawn for certificate in runs[0].certificates if certificate.drawn is not None
    ]
    if options.certificate is not None:
        from proofs_check.records.log_certificate import log_certificate

        observed = replace(cells[0][1], problem=replace(cells[0][1].problem, delta=delta))
        body = log_certificate(observed, drawn[0], project_version())
        text = json.dumps(body, ensure_ascii=False, allow_nan=False) + "\n"
        write_whole(options.certificate, text.encode(), "certificate")
    doubtful = [run.label for run in runs if run.doubtful]
    warnings = [prior_warning(names, problem)]
    if doubtful and len(doubtful) > max(1, len(runs) // 20) - (len(runs) == 1):
        shown = ", ".join(doubtful[:3]) + (" …" if len(doubtful) > 3 else "")
        least = min(run.fit for run in runs)
        warnings.insert(
            0,
            f"the observations of {shown} do not fit the prior (p = {least:.2g}): do not rely on "
            "these certificates",
        )
    return Certificates(problem, tuple(runs), {}, options.seed, tuple(w for w in warnings if w), "")
