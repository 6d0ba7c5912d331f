"""Tables and sentences for people, on at most 100 columns; progress on standard error."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from math import isfinite
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from bounds.promises.registry import titles

if TYPE_CHECKING:
    from bounds.confidence.certified import Confidence
    from bounds.partitions.search import SearchResult
    from bounds.problem import Problem
    from bounds.promises.bounds import Bounds
    from bounds.promises.ladder import Step
    from bounds.promises.report import BoundReport
    from bounds.regret_itself.regret_bound import RegretBound
    from bounds.static_gain.both_sides import GainRange
    from bounds.times import EvaluationTimes

WIDTH = 100


def title(name: str) -> str:
    """What a row is called on screen and in figures, by its name in JSON."""
    return "greedy design" if name == "lower" else titles()[name]


def digits(value: float, significant: int = 4) -> str:
    """A number as a table shows it: that many digits, thousands apart.

    >>> [digits(x) for x in (0.012345, 3.14159, 1234567.8, 0.0, float("nan"))]
    ['0.01235', '3.142', '1,234,568', '0', '–']
    """
    return _rounded(value, significant, ROUND_HALF_UP)


def at_most(value: float, significant: int = 4) -> str:
    """An upper bound as a table shows it: rounded up, so that what is printed is one too.

    >>> [at_most(x) for x in (0.0123401, 3.1411, 1234567.2, 0.0, float("inf"))]
    ['0.01235', '3.142', '1,234,568', '0', '∞']
    """
    return _rounded(value, significant, ROUND_CEILING)


def at_least(value: float, significant: int = 4) -> str:
    """A lower bound as a table shows it: rounded down.

    >>> [at_least(x) for x in (0.0123499, 3.1419, 1234567.8)]
    ['0.01234', '3.141', '1,234,567']
    """
    return _rounded(value, significant, ROUND_FLOOR)


def rounding_of(step: Step) -> Callable[[float], str]:
    """How the numbers of a rung are shown: bounds outward, what was observed to the nearest."""
    if step.name == "gain_lower":
        return at_least
    return digits if step.kind == "observed" else at_most


def _rounded(value: float, significant: int, rounding: str) -> str:
    if not isfinite(value):
        return "–" if value != value else "∞"
    if value == 0:
        return "0"
    exact = Decimal(repr(float(value)))
    magnitude = exact.adjusted()
    if not -5 < magnitude < 9:
        unit = Decimal(1).scaleb(magnitude - significant + 1)
        return f"{float(exact.quantize(unit, rounding)):.{significant - 1}e}"
    places = max(0, significant - 1 - magnitude)
    return f"{exact.quantize(Decimal(1).scaleb(-places), rounding):,.{places}f}"


def setting(problem: Problem) -> str:
    """One line that names every number on which a bound depends, to read a table on its own."""
    times = problem.times
    slope = digits(problem.time_kernel.slope)
    return (
        f"{times.source}: {times.n:,} rounds in total time {digits(times.total_time)}; "
        f"{space_setting(problem)}; {problem.time_kernel.name} time kernel, ε = "
        f"{problem.epsilon:g}, slope θ = {slope}; δ = {problem.delta:g}"
    )


def space_setting(problem: Problem) -> str:
    """The part of the setting that gains without drift depend on."""
    lengthscale = problem.space_kernel.parameters.get("lengthscale")
    kernel = f"{problem.space_kernel.name} kernel"
    if lengthscale is not None:
        kernel += f" of lengthscale {lengthscale:g}"
    return f"{kernel} on {problem.domain.phrase}, σ² = {problem.noise_variance:g}"


def show_bounds(found: Bounds) -> None:
    """The answer, then every bound on γ̃_n and the regret that it allows, and which holds."""
    report, problem = found.report, found.problem
    trivial = report.gains["trivial"].value
    table = Table("bound", "side")
    for heading in ("γ̃ₙ", "gain + drift", "blocks", "× below cap", "regret"):
        table.add_column(heading, justify="right")
    table.add_column("valid")
    lower = "certified" if report.lower_certified else "yes"
    table.add_row(title("lower"), "lower", at_least(report.lower), "", "", "", "", lower)
    for name, bound in report.gains.items():
        search = bound.partition
        table.add_row(
            f"{title(name)} ◂" if name == report.best_name else title(name),
            "upper",
            at_most(bound.value),
            f"{at_most(search.gain)} + {at_most(search.drift)}" if search else "",
            str(len(search.partition)) if search else "",
            digits(trivial / bound.value, 3),
            at_most(report.regret[name]),
            "no" if not bound.valid else "certified" if bound.certified else "yes",
            style="bold" if name == report.best_name else None,
        )
    out = _console()
    _say(out, setting(problem))
    for line in answer_lines(found):
        _say(out, line)
    _say(out, "Largest information gain γ̃ₙ in nats, and the regret it allows", style="bold")
    out.print(table)
    for bound in report.gains.values():
        if not bound.valid:
            _say(out, f"{title(bound.name)} does not hold here: {bound.reason}.")
    _say(
        out,
        f"Smallest valid upper bound: {title(report.best_name)}, "
        f"{digits(trivial / report.best, 3)} times below the trivial cap and "
        f"{at_most(report.best / report.lower, 3)} times the lower bound. "
        f"The regret that it allows CTV-fixed (exploration theory, β = {at_most(report.beta)}) is "
        f"√(C₁βₙn·γ̃ₙ), with probability {1 - problem.delta:g} and for times fixed beforehand. "
        + _standing(report)
        + " "
        + _search_note(list(report.partitions.values())),
    )


def answer_lines(found: Bounds) -> list[str]:
    """The first lines of every face: the headline, the floor, what is smaller elsewhere."""
    answer = found.answer
    lines = []
    best, surely = answer.best(), answer.best(certified=True)
    asked = f"{answer.policy}, exploration {answer.exploration}"
    if best is not None:
        line = f"Regret of {asked}: at most {at_most(best.value)} {_held(best)}"
        if best.certified:
            line += ", certified."
        elif surely is None:
            line += ", floating point; no certified bound is known."
        else:
            line += f", floating point; certified: {at_most(surely.value)} ({_road(surely)})."
        lines.append(line)
    floor = answer.floor
    if floor is not None:
        mark = "simulated" if floor.simulated else "floating point"
        mark = "certified" if floor.certified else mark
        lines.append(
            f"No policy has less than {at_least(floor.value)} in the mean ({_road(floor)}, {mark})."
        )
    smaller = [
        f"{row.covers} at most {at_most(row.value)} {_held(row)}" for row in answer.others[:3]
    ]
    if smaller:
        lines.append(f"Smaller, but of others or in the mean: {'; '.join(smaller)}.")
    if found.vacuous:
        speaks = found.speaks
        if speaks is None or speaks.epsilon is None:
            when = f" ({speaks.reason})" if speaks and speaks.reason else ""
            lines.append(f"Theorem 1 says nothing here beyond the trivial cap{when}.")
        else:
            lines.append(
                "Theorem 1 says nothing for these times beyond the trivial cap; it would from "
                f"ε = {at_least(speaks.epsilon)} downward."
            )
    return lines


def _held(row: RegretBound) -> str:
    """With what probability, or in the mean, and by which road."""
    how = "in the mean" if row.kind == "mean" else f"with probability {row.level:g}"
    return f"{how} ({_road(row)})"


def _road(row: RegretBound) -> str:
    return row.name.replace("_", " ")


def _standing(report: BoundReport) -> str:
    """What the digits are worth."""
    known = [bound.certified for bound in report.gains.values() if bound.valid]
    if all(known) and report.lower_certified:
        return "Every valid bound is certified: computed in ball arithmetic, rounded outward."
    if report.gains[report.best_name].certified:
        return "The smallest bound is certified (rounded outward); rows marked yes are not."
    return "All values are floating point, not certified."


def show_partition(
    problem: Problem, best: SearchResult, rows: Sequence[tuple[str, SearchResult]]
) -> None:
    """The rows that were compared, the optimum's blocks, and what it gains."""
    table = Table("partition")
    for heading in ("value", "gain", "drift", "blocks", "longest", "× optimum"):
        table.add_column(heading, justify="right")
    for name, row in rows:
        table.add_row(
            name,
            at_most(row.value),
            at_most(row.gain),
            at_most(row.drift),
            str(len(row.partition)),
            str(max(row.partition.lengths)),
            digits(row.value / best.value) if best.value else "1",
        )
    out = _console()
    _say(out, setting(problem))
    _say(out, f"{title(best.objective)}: upper bound on γ̃ₙ in nats", style="bold")
    out.print(table)
    _say(out, f"Cuts of the optimum: {_shortened_list(best.partition.cuts)}")
    _say(out, f"{_search_note([best])} Values are floating point, not certified.")


def show_uniformity(times: EvaluationTimes, cap: float, value: float, rounds: str) -> None:
    """C and the distance between rounds that it amounts to."""
    table = Table()
    for heading in ("rounds", "span", "cap 1/ε²", "C", "√(C/rounds²)"):
        table.add_column(heading, justify="right")
    root = value**0.5 / times.n
    table.add_row(rounds, digits(times.span), digits(cap), digits(value), digits(root))
    out = _console()
    _say(out, "Uniformity C = Σ_j Σ_k min(cap, (τ_j − τ_k)²)", style="bold")
    out.print(table)
    reach = "which no cap limits" if not isfinite(cap) else f"of at most 1/ε = {digits(cap**0.5)}"
    _say(
        out,
        f"Two rounds are {digits(root)} apart in the root mean square, {reach}: the larger C, "
        "the more drift a block of these rounds pays for.",
    )


def show_gains(problem: Problem, found: GainRange) -> None:
    """γ_m from both sides at some m."""
    table = Table()
    for heading in ("m", "lower", "upper", "upper/lower", "cap ½m·log(1+1/σ²)"):
        table.add_column(heading, justify="right")
    table.add_column("upper bound by")
    ratios = found.upper / found.lower
    for i, m in enumerate(found.m):
        above = (at_most(float(value)) for value in (found.upper[i], ratios[i], found.cap[i]))
        lower = at_least(float(found.lower[i]))
        table.add_row(f"{m:,}", lower, *above, found.upper_names[i])
    out = _console()
    _say(out, space_setting(problem))
    _say(out, "Largest information gain γₘ without drift, in nats", style="bold")
    out.print(table)
    widest = int(ratios.argmax())
    known = all(found.certified)
    certified = "Certified on both sides" if known else "Floating point, not certified on both"
    _say(
        out,
        f"γₘ is known within {100 * (ratios[widest] - 1):.2g} % for these m "
        f"(widest at m = {found.m[widest]:,}). {certified}.",
    )


def show_confidence(problem: Problem, found: Confidence) -> None:
    """β_n of each setting, certified, and what it makes of the trivial cap."""
    out = _console()
    lines = [f"finite domain, fixed times: {at_most(found.finite_domain)}"]
    if found.box is not None:
        lines.append(
            f"whole box, fixed times: {at_most(found.box.beta)} (a = {at_most(found.box.a)}, b = "
            f"{at_most(found.box.b)}; cap {at_most(found.box.trivial_regret)})"
        )
    if found.point_times is not None:
        one = found.point_times
        lines.append(
            f"times t(x) of at most {digits(one.longest)} (Theorem C): {at_most(one.beta)} "
            f"(C₁ × {at_most(one.constant_factor)}; cap {at_most(one.trivial_regret)})"
        )
    lines += [f"{name.replace('_', ' ')}: {why}" for name, why in found.reasons.items()]
    _say(out, f"β at n = {problem.n:,}, certified. " + "; ".join(lines) + ".")


def show_beside(rows: Sequence[RegretBound]) -> None:
    """Bounds on the regret itself, each with the policy that it covers."""
    table = Table("beside the chain", "side")
    table.add_column("regret", justify="right")
    for heading in ("of", "policy", "holds for"):
        table.add_column(heading)
    for row in rows:
        table.add_row(
            row.name.replace("_", " "),
            row.direction,
            at_least(row.value) if row.direction == "lower" else at_most(row.value),
            "E Rₙ" if row.kind == "mean" else f"Rₙ, probability {row.level:g}",
            row.covers,
            row.rounds,
        )
    out = _console()
    _say(out, "Bounds on the regret itself, known before a run (fixed times)", style="bold")
    out.print(table)


def say(line: str) -> None:
    """One line on standard output."""
    print(line)


@contextmanager
def progress(task: str) -> Iterator[Callable[[str, float], None]]:
    """A bar on standard error, if that is a terminal; gone when the work is done.

    Yields what to call with the name of the stage and the share of it that is done.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        line = bar.add_task(task, total=None)

        def report(stage: str, share: float) -> None:
            bar.update(line, description=f"{task}: {stage}", total=1.0, completed=share)

        yield report


def _say(out: Console, text: str, style: str = "") -> None:
    """A sentence, wrapped at the width of the tables."""
    out.print(Text("\n".join(wrap(text, out.width)), style=style))


def _console() -> Console:
    return Console(width=min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns), highlight=False)


def _search_note(results: Sequence[SearchResult]) -> str:
    inexact = [r for r in results if not r.exact]
    if not inexact:
        return "The search was exact: no partition gives a smaller value."
    return " ".join(
        f"The {r.objective} search stopped within {100 * r.gap:.2g} % of the optimum."
        for r in inexact
    )


def _shortened_list(values: Sequence[int], shown: int = 24) -> str:
    if len(values) <= shown:
        return " ".join(map(str, values))
    half = shown // 2
    left_out = len(values) - shown
    head, tail = " ".join(map(str, values[:half])), " ".join(map(str, values[-half:]))
    return f"{head} … ({left_out} more) … {tail}"
