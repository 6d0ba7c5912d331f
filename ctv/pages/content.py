"""Everything on the page of one problem, computed by the packages."""

from __future__ import annotations

from collections.abc import Sequence

from bounds.partitions.uniformity import cap_of, uniformity
from bounds.problem import Problem
from bounds.progress import Stage
from bounds.promises.bounds import bounds_of
from bounds.static_gain.both_sides import certified_gains_at
from ctv.gallery.certificates import certified_runs
from ctv.gallery.problem import drifts, ladder_of_runs, spread_rounds
from ctv.pages.report import Content
from simulation.before_run.rows import quick_ceilings
from simulation.paper.stored import StoredExperiment
from simulation.study.under_bounds import runs_under_bounds


def report_content(
    problem: Problem,
    seeds: range,
    command: str,
    advance: Stage,
    experiments: Sequence[StoredExperiment] = (),
) -> Content:
    """Everything on the page of one problem, and the paper's experiments where they were run."""
    found = bounds_of(problem, advance=advance)
    found = found.with_rows(tuple(one.row() for one in quick_ceilings(problem)))
    cap = cap_of(problem.epsilon)
    return Content(
        report=found.report,
        rivals=found.rivals,
        uniformity=uniformity(problem.times, cap),
        cap=cap,
        gains=certified_gains_at(problem, spread_rounds(problem.n), advance),
        drifts=drifts(problem, found),
        seen=runs_under_bounds(found, seeds, "theory", advance),
        command=command,
        certified=certified_runs(problem, seeds[:3], "theory", advance, longest=60),
        ladder=ladder_of_runs(problem, found, seeds, "theory", advance),
        beside=found.rows,
        found=found,
        experiments=experiments,
    )
