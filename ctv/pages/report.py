"""One problem as one self-contained HTML page, laid out like a short paper."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from matplotlib.figure import Figure

from bounds.arrays import FloatArray
from bounds.gain.bounds import Bounds
from bounds.kernels.base import half_life
from bounds.partitions.partition import Partition
from bounds.problem import Problem
from bounds.progress import Stage, unstaged
from bounds.regret.policies import policy_in_words
from bounds.regret.regret_bound import RegretBound
from bounds.symbolic.gain import OBJECTIVES, partition_bound
from ctv.figures import bounds, ladder, partition, sweep
from ctv.figures.runs import bound_vs_regret, sentences
from ctv.formulas.mathml import mathml
from ctv.outputs import write_whole
from ctv.pages.content import Content
from ctv.pages.explorer import EXPLORER_SCRIPT, EXPLORER_STYLE
from ctv.pages.findings import touching
from ctv.pages.plates import Draw, numbered
from ctv.show.axis import NumberLine
from ctv.show.glossary import WORDS
from ctv.show.plain import echo, plain, project_version
from ctv.show.rounding import at_least, at_most, counted, digits
from ctv.show.shared import (
    FLOATING,
    gain_sheet,
    lost,
    outside_proof,
    partition_sheet,
    rivals_sheet,
    road,
    title,
)
from ctv.show.sheet import Row, Sheet, numbers, prose, words
from ctv.show.shown import drift_rate, space_setting, time_setting
from ctv.values.answer import answer_lines, assumed_line
from ctv.values.experiments import stored_regret, stored_sentences
from ctv.values.line import four_numbers
from ctv.values.page import FILE_NAME
from simulation.paper.findings import Outcome


def write(content: Content, folder: Path, advance: Stage = unstaged) -> Path:
    """Write the page as `report.html` in `folder`, whole or not at all."""
    return write_whole(folder / FILE_NAME, render(content, advance).encode())


def render(content: Content, advance: Stage = unstaged) -> str:
    """The page as HTML text; the same content gives the same text."""
    return template("report.html.jinja").render(
        style=formula_style() + _file("report.css"),
        script=_file("report.js"),
        version=project_version(),
        glossary=WORDS,
        mathml=mathml,
        data_of=data_of,
        plates=numbered(
            _drawn(content), content.commands, lambda share: advance("pictures", share)
        ),
        contents=tuple(_contents(content)),
        command=content.command,
        explorer=content.explorer,
        explorer_style=EXPLORER_STYLE,
        explorer_script=EXPLORER_SCRIPT,
        json=json.dumps(plain({**echo(content.problem), **content.bounds.to_dict()})),
        durations="duration\n"
        + "".join(f"{t!r}\n" for t in content.problem.times.durations.tolist()),
        line=_line(content),
        **_first_lines(content),
        **_sections(content),
    )


def template(name: str) -> Template:
    """A template of a page: a name that it is not given is an error."""
    pages = Environment(
        loader=PackageLoader("ctv.pages", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return pages.get_template(name)


def data_of(text: str, kind: str) -> str:
    """A link to download `text`, which needs no server and no script.

    >>> data_of("a,b", "text/csv")
    'data:text/csv;charset=utf-8,a%2Cb'
    """
    return f"data:{kind};charset=utf-8,{quote(text, safe='')}"


def formula_style() -> str:
    """The style of formulas with its font inside: nothing is fetched."""
    folder = files("ctv.pages") / "formulas"
    font = b64encode((folder / "formulas.woff2").read_bytes()).decode()
    style = (folder / "formulas.css").read_text(encoding="utf-8")
    return style.replace("formulas.woff2", f"data:font/woff2;base64,{font}")


def _file(name: str) -> str:
    return (files("ctv.pages") / "templates" / name).read_text(encoding="utf-8")


def _drawn(content: Content) -> Iterator[tuple[str, str, Draw]]:
    """Key, title and picture of every figure, in the order of the page."""
    all_bounds, seen, over = content.bounds, content.simulated, content.sweep
    judged = [experiment for experiment in content.experiments if experiment.findings]
    if judged:
        first = [experiment for experiment in judged if experiment.figure == judged[0].figure]
        yield (
            "sentences",
            "What the paper says of its experiments, and what the runs say",
            _drawer(lambda wide: sentences.draw(first, wide=wide)),
        )
    regrets = () if seen is None else seen.regret[:, -1].tolist()
    every = bounds.BoundsPicture(all_bounds.answer, regrets)
    few = replace(every, brief=True)
    yield (
        "bounds",
        "Every bound on the regret",
        lambda medium: bounds.draw(every if medium == "wide" else few, wide=medium != "narrow"),
    )
    if over is not None:
        yield (
            "sweep",
            "The largest drift rate at which each bound is non-vacuous",
            _drawer(lambda wide: sweep.draw(over, wide=wide)),
        )
    results = all_bounds.report.partitions
    yield (
        "partition-figure",
        "The evaluation times and the best blocks",
        _drawer(lambda wide: partition.draw(content.problem, results, content.drifts, wide=wide)),
    )
    said = space_setting(content.problem)
    if seen is not None:
        said += f"; the mean of {_runs(content)}"
    yield (
        "ladder",
        "How loose is each step of one proof? (The ladder)",
        _drawer(lambda wide: ladder.draw(content.ladder, (), said, wide=wide)),
    )
    if seen is not None:
        yield (
            "bound-vs-regret",
            "Simulated runs under the bounds",
            _drawer(lambda wide: bound_vs_regret.draw(seen, wide=wide)),
        )


def _drawer(draw: Callable[[bool], Figure]) -> Draw:
    """What is on paper as on a wide screen."""
    return lambda medium: None if medium == "paper" else draw(medium == "wide")


def _contents(content: Content) -> Iterator[tuple[str, str]]:
    if content.experiments:
        yield "study", "What the runs of the study say"
    if content.source is not None:
        yield "prior", "Over the fitted prior"
    yield "regret", "How much regret, at most and at least"
    yield "gain", "How much can be learned"
    yield "partition", "The best partition of the rounds"
    if content.explorer:
        yield "explorer", "Partitions to move by hand"
    yield "ladder-section", "Where the proof is loose"
    if content.simulated is not None:
        yield "runs", "What happens in simulation"
    yield "findings", "Statements of the paper that concern this problem"
    yield "assumptions", "What was assumed"
    yield "again", "Make this page again"


def _first_lines(content: Content) -> dict[str, Any]:
    """Title and abstract: the numbers that the page has."""
    all_bounds, problem, answer = content.bounds, content.problem, content.bounds.answer
    report, seen, best = all_bounds.report, content.simulated, answer.best()
    trivial = report.gains["trivial"].value
    suffered = float(seen.regret[:, -1].mean()) if seen is not None else 0.0
    spread = "" if seen is None or len(seen.regret) == 1 else " on average"
    figures = ", ".join(dict.fromkeys(experiment.figure for experiment in content.experiments))
    name = problem.times.source
    return {
        "title": (
            f"The paper's experiments {figures}, and the bounds for their times"
            if figures
            else f"What theory promises for {name}"
        ),
        "setting": f"{name}: {counted(problem.n, 'round')}; {space_setting(problem)}; "
        f"{time_setting(problem)}; δ = {problem.delta:g}",
        "n": problem.n,
        "total": f"{problem.times.total_time:.4g}",
        "drift_rate": drift_rate(problem),
        "lower": at_least(report.lower),
        "upper": at_most(report.best),
        "worth": digits(trivial / report.best, 3) if trivial > 1.005 * report.best else "",
        "theorem1": _theorem1(content),
        "asked": f"{policy_in_words(answer.policy)} (exploration {answer.exploration})",
        "best": None if best is None else _said(best, at_most(best.value)),
        "floor": None
        if answer.floor is None
        else _said(answer.floor, at_least(answer.floor.value)),
        "seen": seen,
        "runs": 0 if seen is None else len(seen.regret),
        "lost": f"{digits(suffered)}{spread}",
        "gap": digits(best.value / suffered, 2) if best is not None and suffered > 0 else "",
        "why_no_runs": content.why_no_runs,
        "answer": (*answer_lines(all_bounds), *assumed_line(content.half_life)),
        "study_lines": tuple(_outcomes(content)),
    }


def _line(content: Content) -> dict[str, Any]:
    """The four numbers with their places on a logarithmic axis, in percent, and its ticks; the same
    at other drift rates, on the same axis.
    """
    line = content.line
    if line is None:
        seen = content.simulated
        average = None if seen is None else float(seen.regret[:, -1].mean())
        line = four_numbers(content.bounds, average)
    others = ((other, four_numbers(other, None)) for other in content.elsewhere)
    every = sorted([(content.bounds, line), *others], key=lambda pair: pair[0].problem.epsilon)
    whole = NumberLine(tuple(mark for _, own in every for mark in own.marks), "")
    ticks, places = whole.places()
    at = iter(places)
    lines: list[list[dict[str, Any]]] = [
        [{"name": mark.name, "shown": mark.shown, "at": next(at)} for mark in own.marks]
        for _, own in every
    ]
    drifts = [
        {"said": _drift(at_rate.problem), "sentence": own.sentence, "numbers": numbers}
        for (at_rate, own), numbers in zip(every, lines, strict=True)
    ]
    here = [at_rate is content.bounds for at_rate, _ in every].index(True)
    confidence = f"{1.0 - content.problem.delta:g}"
    return {
        "title": f"Total regret of {counted(content.problem.n, 'round')}",
        "sentence": line.sentence,
        "numbers": [
            {**number, "said": _MEANING[number["name"]].format(confidence=confidence)}
            for number in lines[here]
        ],
        "ticks": ticks,
        "drifts": drifts,
        "here": here,
        "sheet": _drift_sheet(every) if len(every) > 1 else None,
    }


def _drift(problem: Problem) -> str:
    """The drift rate in numbers and as a half-life."""
    known_for = digits(half_life(problem.epsilon))
    return f"ε = {problem.epsilon:g}, a half-life of {known_for} units of time"


def _drift_sheet(every: Sequence[tuple[Bounds, NumberLine]]) -> Sheet:
    names = ("lower bound", "proven", "printed")
    rows = []
    for at_rate, line in every:
        shown = {mark.name: mark.shown for mark in line.marks}
        cells = (shown.get(name, "") for name in names)
        rows.append(Row((f"{at_rate.problem.epsilon:g}", *cells)))
    return Sheet(
        "The same at other drift rates",
        numbers("ε", *names),
        tuple(rows),
        "Certified where the bounds at the given rate are.",
    )


_MEANING = {
    "lower bound": "no policy has a smaller expected regret",
    "simulated": "the average of simulated runs of the policy",
    "achieved": "the most that this run has, from its data",
    "proven": "the policy has at most this, with probability {confidence}",
    "printed": "what the theorem as printed allows the policy",
}


def _said(row: RegretBound, value: str) -> dict[str, Any]:
    how = "in expectation" if row.kind == "mean" else f"with probability {row.level:g}"
    return {"value": value, "how": how, "road": road(row), "certified": row.certified}


def _theorem1(content: Content) -> str:
    """What Theorem 1 as printed says here."""
    all_bounds = content.bounds
    report = all_bounds.report
    printed = report.gains["theorem1"]
    if not printed.valid:
        return f"Theorem 1 as printed does not hold here: {printed.reason}."
    if all_bounds.vacuous:
        speaks = all_bounds.speaks.epsilon
        when = "" if speaks is None else f"; it is non-vacuous for ε ≤ {at_least(speaks)}"
        return f"Theorem 1 is vacuous here: it is not below the trivial upper bound{when}."
    return (
        f"Theorem 1 as printed promises {at_most(printed.value)} nats, and through them a regret "
        f"of at most {at_most(report.regret['theorem1'])}."
    )


def _outcomes(content: Content) -> Iterator[str]:
    """How many of the paper's sentences the runs support, variant by variant."""
    for one in content.experiments:
        if one.findings:
            counts = [sum(f.outcome is outcome for f in one.findings) for outcome in Outcome]
            yield (
                f"Of {len(one.findings)} sentences on {one.figure} ({one.variant}) the runs "
                f"support {counts[0]} and contradict {counts[2]}."
            )


def _sections(content: Content) -> dict[str, Any]:
    """Sentences and tables of the sections."""
    all_bounds, problem = content.bounds, content.problem
    report = all_bounds.report
    known = [name for name in report.gains if name in OBJECTIVES]
    return {
        "spread": None if content.source is None else content.source.sheet(),
        "spread_text": "" if content.source is None else content.source.sentence(),
        "study": tuple(_study(content)),
        "study_text": "The study's own runs, each policy on the same objectives and the same "
        "noise, seed by seed. " + " ".join(_outcomes(content)),
        "beta": at_most(report.beta),
        "gain_text": (
            f"The smallest bound is {title(report.best_name)}, "
            f"{at_most(report.best / report.lower, 3)} times the lower bound."
            if report.lower > 0
            else ""
        ),
        "gain_sheet": gain_sheet(report),
        "why_no_sweep": content.why_no_sweep,
        "formulas": [
            (title(name), formula.latex, formula.conditions)
            for name in known
            for formula in [partition_bound(name)]
        ],
        "rests": Sheet(
            "What the bounds on the gain rest on",
            (*words("bound"), prose("from"), prose("needs")),
            tuple(
                Row((title(name), f"{bound.source}.", f"{bound.hypotheses}."))
                for name, bound in report.gains.items()
            ),
            "",
        ),
        "static_gain": _static_gain(content),
        "published": rivals_sheet(all_bounds.rivals, report),
        "times_text": _times(problem),
        "uniformity": digits(content.uniformity),
        "apart": _apart(content),
        "partitions": partition_sheet(report),
        "all_cuts": [(title(name), _cuts(r.partition)) for name, r in report.partitions.items()],
        "ladder_text": " ".join((lost(content.ladder), *outside_proof(content.ladder))),
        "runs_text": _runs_text(content),
        "runs_sheet": None if content.simulated is None else _runs_sheet(content),
        "certificates": _certificates(content) if content.certified else None,
        "findings": tuple(touching(problem, of_a_study=bool(content.experiments))),
        "assumptions": tuple(_assumptions(content)),
        "problem_sheet": _problem(problem),
    }


def _study(content: Content) -> Iterator[tuple[str, Sheet]]:
    """The tables of the paper's experiments: sentences of each figure, regret of each variant."""
    for figure in dict.fromkeys(one.figure for one in content.experiments):
        variants = [one for one in content.experiments if one.figure == figure]
        if any(one.findings for one in variants):
            yield f"sentences-{figure}", stored_sentences(variants)
        for one in variants:
            yield f"regret-{figure}-{one.variant}", stored_regret(one)


def _static_gain(content: Content) -> Sheet:
    gains = content.gains
    rows = tuple(
        Row(
            (
                f"{m:,}",
                at_least(float(low)),
                at_most(float(high)),
                at_most(float(high / low)) if low > 0 else "–",
                at_most(float(cap)),
            )
        )
        for m, low, high, cap in zip(gains.m, gains.lower, gains.upper, gains.cap, strict=True)
    )
    heads = numbers("m", "lower", "upper", "upper/lower", "trivial ½m·log(1+1/σ²)")
    return Sheet("γₘ of the grid, in nats", heads, rows, FLOATING)


def _times(problem: Problem) -> str:
    low, middle, high = np.quantile(problem.times.durations, (0.0, 0.5, 1.0))
    none = int(np.sum(problem.times.durations == 0))
    zero = f", {none:,} of them 0" if none else ""
    return f"Durations are from {digits(low)} to {digits(high)}, median {digits(middle)}{zero}."


def _apart(content: Content) -> str:
    root = content.uniformity**0.5 / content.problem.n
    most = "" if np.isinf(content.cap) else f" (capped at 1/ε = {digits(content.cap**0.5)})"
    return f"the RMS distance between evaluations in time is {digits(root)}{most}"


def _runs(content: Content) -> str:
    count = 0 if content.simulated is None else len(content.simulated.regret)
    return "one run" if count == 1 else f"{count} runs"


def _runs_text(content: Content) -> str:
    seen, best = content.simulated, content.bounds.answer.best()
    if seen is None or best is None:
        return ""
    regret = seen.regret[:, -1]
    above = int(np.sum(regret > best.value))
    return (
        f"{_runs(content).capitalize()} of {policy_in_words(seen.policy)} on objectives drawn from "
        "the prior, at the evaluation times above, without random first rounds: the policy and the "
        f"setting that the bounds cover. {above or 'None'} of them ended above the bound on "
        f"regret, as a share of at most δ = {content.problem.delta:g} may."
    )


def _runs_sheet(content: Content) -> Sheet:
    seen, report = content.simulated, content.bounds.report
    assert seen is not None
    best = content.bounds.answer.best()
    rows = (
        Row(
            (
                "cumulative regret",
                *_spread(seen.regret[:, -1]),
                "–" if best is None else at_most(best.value),
            )
        ),
        Row(("information gain, nats", *_spread(seen.gain[:, -1]), at_most(report.best))),
    )
    heads = (*words(""), *numbers("smallest", "mean", "largest", "best bound"))
    surely = report.gains[report.best_name].certified
    known = surely and best is not None and best.certified
    standing = "The bounds are certified, the runs are floating point." if known else FLOATING
    return Sheet("Simulated runs beside the bounds", heads, rows, standing)


def _certificates(content: Content) -> Sheet:
    rows = tuple(
        Row(
            (
                run.label,
                digits(run.regret or 0.0),
                at_most(one.value),
                "–" if one.ratio is None else at_most(one.ratio, 3),
                f"{one.level:g}",
            )
        )
        for run in content.certified
        for one in run.certificates
    )
    heads = (*words("run"), *numbers("true regret", "rank certificate", "ratio", "level"))
    return Sheet("Certificates of the first of these runs", heads, rows, FLOATING)


def _assumptions(content: Content) -> Iterator[str]:
    yield (
        "The objective is a Gaussian process whose covariance is the space kernel times the time "
        "kernel given here; the policy knows both, and the noise is Gaussian."
    )
    yield (
        "The evaluation times are fixed before the first round and do not depend on the chosen "
        "points: the setting of the theorem. Where t depends on the point, as in experiments, "
        "these bounds do not hold as they stand: Theorem C has a larger β and a larger constant."
    )
    yield "Gains, β and runs are over the finite grid, not over the continuous box."
    yield (
        "Values called certified are rounded outward in interval arithmetic. All others, those of "
        "runs and figures among them, are computed in floating point and are no enclosures."
    )
    for bound in content.bounds.report.gains.values():
        if not bound.valid:
            yield f"{title(bound.name)} is left out of the comparison: {bound.reason}."


def _problem(problem: Problem) -> Sheet:
    notes = {
        "epsilon": "forgetting rate ε",
        "noise_variance": "variance σ² of one observation",
        "grid": "points per axis; gains and runs are over this grid",
        "delta": "bounds on regret hold with probability 1 − δ",
        "total_time": "τ_n, in the unit of the durations",
        "slope": "θ, the smallest with 1 − k_time(τ, τ′) ≤ θ|τ − τ′|",
    }
    values = {
        **echo(problem),
        "domain": problem.domain.phrase,
        "slope": problem.time_kernel.slope,
    }
    rows = tuple(
        Row((name.replace("_", " "), _cell(value), notes.get(name, "")))
        for name, value in values.items()
        if value is not None
    )
    return Sheet("The problem", (*words(""), *numbers(""), prose("")), rows, "")


def _cuts(blocks: Partition, most: int = 400) -> str:
    cuts = [str(cut) for cut in blocks.cuts]
    if len(cuts) <= most:
        return " ".join(cuts)
    return f"{' '.join(cuts[:most])} … ({len(cuts):,} in all; ctv partition --json has them)"


def _spread(values: FloatArray) -> tuple[str, str, str]:
    return digits(float(values.min())), digits(float(values.mean())), digits(float(values.max()))


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
