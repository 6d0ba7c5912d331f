"""Sentences and tables about bounds that several screens and the report have."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import inf
from typing import TYPE_CHECKING

from ctv.show.rounding import at_least, at_most, digits
from ctv.show.sheet import Row, Sheet, numbers, prose, words

if TYPE_CHECKING:
    from bounds.gain.ladder import Ladder, Step
    from bounds.gain.report import BoundReport
    from bounds.partitions.result import SearchResult
    from bounds.regret.regret_bound import RegretBound
    from bounds.rivals.rival import Rival

FLOATING = "Floating point, not certified."
CERTIFIED = "Certified: computed in interval arithmetic, rounded outward."


def title(name: str) -> str:
    """What a row is called on screen and in figures, by its name in JSON."""
    from bounds.gain.registry import GAIN_BOUNDS

    return "lower bound (greedy)" if name == "lower" else GAIN_BOUNDS.titles()[name]


def road(row: RegretBound) -> str:
    """By which road a bound on the regret came: what every face calls it."""
    # A published bound is called by where it was published, which ends its source.
    published = re.search(r"n·γ̂\), (.* \d{4}\b.*)", row.source)
    named = road_named(row.name)
    return short_source(published[1]) if published and named == row.name else named


def road_named(name: str) -> str:
    """The same by its name in JSON alone."""
    from bounds.gain.registry import GAIN_BOUNDS
    from bounds.regret.registry import REGRET_BOUNDS

    known = GAIN_BOUNDS.titles() | REGRET_BOUNDS.titles()
    return known.get(name, name.replace("_", " "))


def rounding_of(step: Step) -> Callable[[float], str]:
    """How the numbers of a step are shown: bounds outward, what was observed to the nearest."""
    if step.name == "gain_lower":
        return at_least
    return digits if step.kind == "observed" else at_most


def lost(ladder: Ladder) -> str:
    """What one proof loses from its first step to its last, and where most."""
    from bounds.gain.ladder import TITLES

    first, last, loosest = ladder.steps[0], ladder.steps[-1], ladder.loosest
    total = "∞" if ladder.total is None else digits(ladder.total)
    return (
        f"From «{TITLES[first.name]}» to «{TITLES[last.name]}» the steps of the proof are loose by "
        f"a factor {total} in all; the loosest step is «{TITLES[loosest.name]}», "
        f"{digits(loosest.factor or 0.0)}."
    )


def outside_proof(ladder: Ladder) -> tuple[str, ...]:
    """What is no step of the proof: the lower bound, the design, the best of other methods."""
    lines = []
    floor, design, other = ladder.floor, ladder.gain_lower, ladder.other
    if floor is not None:
        lines.append(
            f"Lower bound: no policy has an expected regret below {at_least(floor.value)} "
            f"({road(floor)}{', certified' if floor.certified else ''})."
        )
    if design is not None and design.gain is not None:
        lines.append(
            f"γ̃ₙ is at least {at_least(design.gain)} nats (a design"
            f"{', certified' if design.certified else ''}), so that no bound through γ̃ₙ is below "
            f"{at_least(design.value)}."
        )
    if other is not None:
        level = f" with probability {other.level:g}" if other.level is not None else ""
        lines.append(
            f"Another method: {other.covers} has a regret of at most {at_most(other.value)}{level} "
            f"({road(other)}{', certified' if other.certified else ''})."
        )
    return tuple(lines)


def gain_sheet(report: BoundReport) -> Sheet:
    """Every bound on γ̃_n and on the regret through it, the smallest valid one standing out."""
    trivial = report.gains["trivial"].value
    lower = "yes" if report.lower_certified else "no"
    rows = [Row((f"≥ {title('lower')}", at_least(report.lower), "", "", "yes", lower))]
    for name, bound in report.gains.items():
        rows.append(
            Row(
                (
                    f"≤ {title(name)}",
                    at_most(bound.value),
                    digits(trivial / bound.value, 3) if 0.0 < bound.value < inf else "–",
                    at_most(report.regret[name]),
                    "yes" if bound.valid else "no",
                    "yes" if bound.certified else "no",
                ),
                emphasised=name == report.best_name,
                faint=not bound.valid,
            )
        )
    notes = [
        f"{title(bound.name)} does not hold here: {bound.reason}."
        for bound in report.gains.values()
        if not bound.valid
    ]
    return Sheet(
        "Maximum information gain γ̃ₙ in nats, and the regret bound through it",
        (
            *words("bound"),
            *numbers("γ̃ₙ", "× below trivial", "regret"),
            *words("valid", "certified"),
        ),
        tuple(rows),
        standing(report),
        tuple(notes),
    )


def standing(report: BoundReport) -> str:
    """What the digits of the bounds are worth."""
    valid = [bound.certified for bound in report.gains.values() if bound.valid]
    if all(valid) and report.lower_certified:
        return "Every valid bound is certified (interval arithmetic, rounded outward)."
    if report.gains[report.best_name].certified:
        return "The smallest bound is certified (rounded outward); rows with no are not."
    return "All values are floating point, not certified."


def partition_sheet(report: BoundReport) -> Sheet:
    """The best partition of each objective: gain, drift, blocks, and how exact the search was."""
    rows = tuple(
        Row(
            (
                title(name),
                at_most(report.gains[name].value),
                at_most(result.gain),
                at_most(result.drift),
                f"{len(result.partition):,}",
                f"{min(result.partition.lengths):,} … {max(result.partition.lengths):,}",
                "exact" if result.exact else f"within {at_most(100 * result.gap, 2)} %",
            ),
            emphasised=name == report.best_name,
        )
        for name, result in report.partitions.items()
    )
    certified = all(report.gains[name].certified for name in report.partitions)
    return Sheet(
        "Best partitions",
        (
            *words("objective"),
            *numbers("γ̃ₙ ≤", "gain", "drift", "blocks", "rounds in one"),
            *words("search"),
        ),
        rows,
        "The bounds are certified; gain and drift are floating point." if certified else FLOATING,
        (search_note(list(report.partitions.values())),),
    )


def search_note(results: Sequence[SearchResult]) -> str:
    """Whether a partition with a smaller value may exist."""
    inexact = [r for r in results if not r.exact]
    if not inexact:
        return "The search was exact: no partition gives a smaller value."
    return " ".join(
        f"The {r.objective} search stopped within {at_most(100 * r.gap, 2)} % of the optimum."
        for r in inexact
    )


def rivals_sheet(rows: Sequence[Rival], report: BoundReport) -> Sheet:
    """The published bounds, those that do not apply stepping back."""
    return Sheet(
        "Published bounds",
        (
            *words("bound"),
            *numbers("gain", "regret", "expected regret"),
            *words("applies"),
            prose("why, or what was chosen"),
        ),
        tuple(
            Row(_rival(row), faint=not row.applies, in_mean=row.regret_kind == "mean")
            for row in rows
        ),
        "Floating point, not certified, except where the trivial upper bound gives the value.",
        (_against_ours(rows, report),),
    )


def _rival(row: Rival) -> tuple[str, ...]:
    form = "" if row.form == "printed" else f", {row.form}"
    # The reason ends with what the box rests on.
    regret = "–" if row.regret is None else at_most(row.regret)
    box = "" if row.regret_box is None else f", regret {at_most(row.regret_box)}"
    return (
        f"{short_source(row.source)}{form}",
        "–" if row.gain is None else at_most(row.gain),
        *(("", regret) if row.regret_kind == "mean" else (regret, "")),
        "yes" if row.applies else "no",
        row.reason + box,
    )


def short_source(source: str) -> str:
    """A source without its arXiv number.

    >>> short_source("Imamura et al. 2020 (2003.04691)")
    'Imamura et al. 2020'
    """
    return re.sub(r" \(\d{4}\.\d{4,5}\)", "", source)


def _against_ours(rows: Sequence[Rival], report: BoundReport) -> str:
    """Who is best where the hypotheses hold, and what the regrets are."""
    able = [row for row in rows if row.applies and row.gain is not None]
    smallest = "No published bound on γ̃ₙ has all its hypotheses here."
    if able:
        first = min(able, key=lambda row: row.gain or 0.0)
        ratio = (first.gain or 0.0) / report.best if report.best else 1.0
        smallest = (
            f"Smallest of those that apply: {short_source(first.source)}, {digits(ratio)} times "
            f"the {title(report.best_name)}."
        )
    return (
        f"{smallest} Regret on the grid, with probability {1 - report.problem.delta:g}; expected "
        "regret, which one run may exceed, in a column of its own; these are bounds for the "
        "policies of their authors."
    )


EXPECTED = "A bound on the expected regret does not bound the regret of a single run."


def regret_sheet(rows: Sequence[RegretBound]) -> Sheet:
    """Bounds on the regret itself, each with the policy that it covers; those on means apart."""
    return Sheet(
        "Bounds on the regret itself, known before a run (fixed times)",
        (
            *words("bound"),
            *numbers("regret", "with probability", "expected regret"),
            prose("policy"),
            *words("holds for", "certified"),
        ),
        tuple(map(_regret_row, rows)),
        "Rows with yes are certified (rounded outward), the others floating point.",
        (EXPECTED,) if any(row.kind == "mean" for row in rows) else (),
    )


def _regret_row(row: RegretBound) -> Row:
    lower, mean = row.direction == "lower", row.kind == "mean"
    value = (at_least if lower else at_most)(row.value)
    of = ("", "", value) if mean else (value, f"{row.level:g}", "")
    cells = (f"{'≥' if lower else '≤'} {road(row)}", *of, row.covers, row.rounds)
    return Row((*cells, "yes" if row.certified else "no"), in_mean=mean)
