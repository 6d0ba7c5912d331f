"""`ctv bound`: what the theory promises, certified unless asked otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.commands import symbolic
from ctv.commands.options import ModelOptions, TimesOptions, made_from
from ctv.commands.symbolic import SymbolicOptions
from ctv.outputs import check_file, write_whole
from ctv.show.plain import project_version
from ctv.show.rounding import at_least, at_most, digits
from ctv.show.shared import (
    gain_sheet,
    partition_sheet,
    regret_sheet,
    rivals_sheet,
    title,
)
from ctv.show.shown import Screen, Shown, setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.partitions.result import SearchResult
    from bounds.progress import Stage
    from bounds.promises.answer import Answer
    from bounds.promises.bounds import Bounds
    from bounds.regret_itself.regret_bound import RegretBound

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
    """What the theory promises for one problem, and what that amounts to.

    Attributes
    ----------
    bounds : every bound on the gain and the regret; `bounds.answer` is what they amount to
    made_from : `problem`, `version` and `seed` of the JSON
    """

    bounds: Bounds
    made_from: Mapping[str, Any]

    @property
    def answer(self) -> Answer:
        """The smallest valid bound for each policy and kind, and the floors."""
        return self.bounds.answer

    def headline(self) -> str:
        best, gain = self.answer.best(), self.answer.gain
        regret = "no bound on regret" if best is None else f"regret <= {at_most(best.value)}"
        return f"{regret}, gain <= {at_most(gain.upper)} nats, n = {self.bounds.problem.n}"

    def parts(self) -> dict[str, Any]:
        return {**self.bounds.to_dict(), **self.made_from}

    def screen(self) -> Screen:
        found, report = self.bounds, self.bounds.report
        times = report.problem.times
        about = (
            f"{times.source}: {times.n:,} rounds in total time {digits(times.total_time)}, ε = "
            f"{report.problem.epsilon:g}."
        )
        rows = (regret_sheet(found.rows),) if found.rows else ()
        rest = (
            setting(report.problem), *rows, partition_sheet(report),
            rivals_sheet(found.rivals, report), *self._confidence(), self._through_gain(),
        )  # fmt: skip
        return Screen((about, *answer_lines(found), gain_sheet(report)), rest)

    def plot(self) -> Figure:
        """The evaluation times and the best blocks of each bound."""
        from bounds.partitions.compare import block_drifts
        from ctv.figures import partition

        report = self.bounds.report
        drifts = {name: block_drifts(report.problem, r) for name, r in report.partitions.items()}
        return partition.draw(report.problem, report.partitions, drifts)

    def _through_gain(self) -> str:
        report = self.bounds.report
        trivial = report.gains["trivial"].value
        return (
            f"Smallest valid upper bound on the gain: {title(report.best_name)}, "
            f"{digits(trivial / report.best, 3)} times below the trivial cap and "
            f"{at_most(report.best / report.lower, 3)} times the lower bound. The regret that it "
            f"allows CTV-fixed (exploration theory, β = {at_most(report.beta)}) is √(C₁βₙn·γ̃ₙ), "
            f"with probability {1 - report.problem.delta:g} and for times fixed beforehand."
        )

    def _confidence(self) -> Iterator[str]:
        """β_n of each setting, and what it makes of the trivial cap."""
        found = self.bounds.confidence
        if found is None:
            return
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
        yield f"β at n = {self.bounds.problem.n:,}, certified. {'; '.join(lines)}."


def answer_lines(found: Bounds) -> Iterator[str]:
    """The first lines of every face: the headline, the floor, what is smaller elsewhere."""
    answer = found.answer
    best, surely, floor = answer.best(), answer.best(certified=True), answer.floor
    if best is not None:
        line = f"Regret of {answer.policy}, exploration {answer.exploration}: at most "
        line += f"{at_most(best.value)} {_held(best)}"
        if best.certified:
            line += ", certified."
        elif surely is None:
            line += ", floating point; no certified bound is known."
        else:
            line += f", floating point; certified: {at_most(surely.value)} ({_road(surely)})."
        yield line
    if floor is not None:
        mark = "simulated" if floor.simulated else "floating point"
        mark = "certified" if floor.certified else mark
        value = at_least(floor.value)
        yield f"No policy has less than {value} in the mean ({_road(floor)}, {mark})."
    smaller = [
        f"{row.covers} at most {at_most(row.value)} {_held(row)}" for row in answer.others[:3]
    ]
    if smaller:
        yield f"Smaller, but of others or in the mean: {'; '.join(smaller)}."
    if found.vacuous:
        speaks = found.speaks
        if speaks is None or speaks.epsilon is None:
            when = f" ({speaks.reason})" if speaks and speaks.reason else ""
            yield f"Theorem 1 says nothing here beyond the trivial cap{when}."
        else:
            yield (
                "Theorem 1 says nothing for these times beyond the trivial cap; it would from "
                f"ε = {at_least(speaks.epsilon)} downward."
            )


def _held(row: RegretBound) -> str:
    """With what probability, or in the mean, and by which road."""
    how = "in the mean" if row.kind == "mean" else f"with probability {row.level:g}"
    return f"{how} ({_road(row)})"


def _road(row: RegretBound) -> str:
    return row.name.replace("_", " ")


def terms(result: SearchResult) -> dict[str, Any]:
    """Gain, drift and blocks of a partition."""
    return {"gain": result.gain, "drift": result.drift, "blocks": len(result.partition)}


def bound(
    times: TimesOptions,
    model: ModelOptions,
    formulas: SymbolicOptions,
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
) -> Shown:
    """All bounds on information gain and regret for one sequence of evaluation times.

    Every bound is certified: its value is enclosed by ball arithmetic and rounded outward.
    """
    problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    formulas.check()
    from bounds.promises.bounds import bounds_of
    from simulation.after_run.simulated import check_simulations
    from simulation.after_run.simulated_rows import simulated_rows

    check_file(certificate, "certificate")
    if quick and certificate is not None:
        raise InvalidInput("certificate", str(certificate), "drop --quick: it certifies nothing")
    check_simulations(simulations, problem.delta)
    if quick and simulations is not None:
        raise InvalidInput("simulations", simulations, "drop --quick: it leaves such bounds out")

    def computed() -> Promises:
        found = bounds_of(problem, certify=not quick, within=within, advance=advance)
        if simulations is not None:
            told = partial(advance, "simulated runs")
            found = found.with_rows(simulated_rows(problem, runs=simulations, progress=told))
        if certificate is not None:
            from proofs_check.records import bound_certificate as files

            assert found.design is not None and found.confidence is not None
            body = files.bound_certificate(
                found.report, found.curve, found.design, found.confidence, project_version()
            )
            write_whole(certificate, files.text_of(body).encode(), "certificate")
        return Promises(found, made_from(problem, times))

    if not formulas.symbolic:
        return computed()
    written = tuple(symbolic.gain_formulas(times, symbolic.BOUNDS))
    behind = symbolic.numbers_of(problem, times)
    return symbolic.Formulas(written, formulas, behind, lambda: computed().parts())
