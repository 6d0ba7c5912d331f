"""`ctv bound`: what the theory promises, certified unless asked otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.commands.options import ModelOptions, TimesOptions, made_from
from ctv.outputs import check_file, write_whole
from ctv.show.plain import project_version
from ctv.show.rounding import at_most, digits
from ctv.show.shared import (
    TITLES,
    gain_sheet,
    partition_sheet,
    regret_sheet,
    rivals_sheet,
    search_note,
)
from ctv.show.shown import Screen, Shown, setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.arrays import Stage
    from bounds.confidence.certified import Confidence
    from bounds.partitions.search import SearchResult
    from bounds.promises.report import BoundReport
    from bounds.regret_itself.regret_bound import RegretBound
    from bounds.rivals import Rival

Within = Annotated[
    float | None,
    typer.Option(help="Refuse, with an estimate, to certify what takes longer.", metavar="SECONDS"),
]
Simulations = Annotated[
    int | None,
    typer.Option(
        help="Simulate so many runs of CTV-fixed too, for the simulation certificate beside the "
        "chain.",
        metavar="WHOLE",
    ),
]
Quick = Annotated[
    bool,
    typer.Option("--quick", help="Floating point only: nothing is certified, some seconds less."),
]


@dataclass(frozen=True, eq=False, repr=False)
class Promises(Shown):
    """Every bound for one problem: on the gain, through it on the regret, and on regret itself.

    Attributes
    ----------
    report, rivals : the bounds of this project and the published ones
    beside : bounds on regret itself; none in floating point
    confidence : β_n of each setting, certified
    made_from : `problem`, `version` and `seed` of the JSON
    """

    report: BoundReport
    rivals: tuple[Rival, ...]
    beside: tuple[RegretBound, ...]
    confidence: Confidence
    made_from: Mapping[str, Any]

    def headline(self) -> str:
        return (
            f"regret <= {at_most(self.report.regret['best'])}, gain <= "
            f"{at_most(self.report.best)} nats by {TITLES[self.report.best_name]}, "
            f"n = {self.report.problem.n}"
        )

    def parts(self) -> dict[str, Any]:
        report, problem = self.report, self.report.problem
        theorem1 = report.gains["theorem1"]
        gain = {name: bound.value for name, bound in report.gains.items()}
        return {
            "n": problem.n,
            "total_time": problem.times.total_time,
            "epsilon": problem.epsilon,
            "slope": problem.time_kernel.slope,
            "gain": {
                "lower": report.lower, **gain, "best": report.best, "best_name": report.best_name,
            },
            "partition": {name: r.partition.cuts for name, r in report.partitions.items()},
            "beta": report.beta,
            "regret": report.regret,
            "theorem1_valid": theorem1.valid,
            **({} if theorem1.valid else {"reason": theorem1.reason}),
            "rivals": [asdict(row) for row in self.rivals],
            "beside": [vars(row) for row in self.beside],
            "confidence": asdict(self.confidence),
            "terms": {
                name: {**terms(result), "exact": result.exact, "gap": result.gap}
                for name, result in report.partitions.items()
            },
            "certified": {
                "lower": report.lower_certified,
                **{name: bound.certified for name, bound in report.gains.items()},
            },
            **self.made_from,
        }  # fmt: skip

    def screen(self) -> Screen:
        report = self.report
        rest = (partition_sheet(report), rivals_sheet(self.rivals, report), self._confidence())
        beside = (regret_sheet(self.beside),) if self.beside else ()
        return Screen(
            (self._answer(), gain_sheet(report)), (setting(report.problem), *beside, *rest)
        )

    def plot(self) -> Figure:
        """The evaluation times and the best blocks of each bound."""
        from ctv.figures import partition
        from ctv.pipeline import block_drifts

        found = self.report.partitions
        drifts = {name: block_drifts(self.report.problem, one) for name, one in found.items()}
        return partition.draw(self.report.problem, found, drifts)

    def _answer(self) -> str:
        report = self.report
        problem, times = report.problem, report.problem.times
        trivial = report.gains["trivial"].value
        return (
            f"{times.source}, {times.n:,} rounds in total time {digits(times.total_time)}, ε = "
            f"{problem.epsilon:g}: the regret of CTV-fixed (exploration theory, β = "
            f"{at_most(report.beta)}) is at most {at_most(report.regret['best'])} with probability "
            f"{1 - problem.delta:g}, for evaluation times fixed beforehand. It follows from the "
            f"smallest valid bound on the gain, {TITLES[report.best_name]}, "
            f"{digits(trivial / report.best, 3)} times below the trivial cap and "
            f"{at_most(report.best / report.lower, 3)} times the lower bound. "
            f"{search_note(list(report.partitions.values()))}"
        )

    def _confidence(self) -> str:
        """β_n of each setting, and what it makes of the trivial cap."""
        found = self.confidence
        lines = [f"finite domain, fixed times: {at_most(found.finite_domain)}"]
        if found.box is not None:
            lines.append(
                f"whole box, fixed times: {at_most(found.box.beta)} (a = {at_most(found.box.a)}, "
                f"b = {at_most(found.box.b)}; cap {at_most(found.box.trivial_regret)})"
            )
        if found.point_times is not None:
            one = found.point_times
            lines.append(
                f"times t(x) of at most {digits(one.longest)} (Theorem C): {at_most(one.beta)} "
                f"(C₁ × {at_most(one.constant_factor)}; cap {at_most(one.trivial_regret)})"
            )
        lines += [f"{name.replace('_', ' ')}: {why}" for name, why in found.reasons.items()]
        return f"β at n = {self.report.problem.n:,}, certified. {'; '.join(lines)}."


def terms(result: SearchResult) -> dict[str, Any]:
    """Gain, drift and blocks of a partition."""
    return {"gain": result.gain, "drift": result.drift, "blocks": len(result.partition)}


def bound(
    times: TimesOptions,
    model: ModelOptions,
    quick: Quick = False,
    within: Within = None,
    certificate: Annotated[
        Path | None,
        typer.Option(
            help="Write what is needed to check the bounds again (ctv verify --recheck FILE).",
            metavar="FILE",
        ),
    ] = None,
    simulations: Simulations = None,
    *,
    advance: Stage,
) -> Promises:
    """All bounds on information gain and regret for one sequence of evaluation times.

    Every bound is certified: its value is enclosed by ball arithmetic and rounded outward.
    """
    problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from bounds.confidence.certified import certified_confidence
    from ctv.pipeline import bounds_of, certified, check_simulations, rows_beside

    check_file(certificate, "certificate")
    if quick and certificate is not None:
        raise InvalidInput("certificate", str(certificate), "drop --quick: it certifies nothing")
    check_simulations(simulations, problem.delta)
    if quick and simulations is not None:
        raise InvalidInput("simulations", simulations, "drop --quick: it leaves such bounds out")
    beside: tuple[RegretBound, ...] = ()
    found = bounds_of(problem, advance)
    if not quick:
        found = certified(found, advance, within)
        beside = rows_beside(problem, found.report, advance, simulations)
    confidence = certified_confidence(problem)
    if certificate is not None:
        from proofs_check import bound_certificate as files

        assert found.design is not None
        body = files.bound_certificate(
            found.report, found.curve, found.design, confidence, project_version()
        )
        write_whole(certificate, files.text_of(body).encode(), "certificate")
    return Promises(found.report, found.rivals, beside, confidence, made_from(problem, times))
