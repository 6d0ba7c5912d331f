"""One problem as one self-contained HTML page: bounds, partitions, figures, runs, assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from bounds.arrays import FloatArray
from bounds.partitions.partition import Partition
from bounds.problem import Problem
from bounds.promises.bounds import Bounds
from bounds.promises.ladder import TITLES as RUNGS
from bounds.promises.ladder import Ladder
from bounds.promises.report import BoundReport
from bounds.regret_itself.regret_bound import RegretBound
from bounds.rivals import Rival
from bounds.static_gain.both_sides import GainRange
from bounds.symbolic.gain import OBJECTIVES, partition_bound
from ctv.figures import bound_vs_regret, canvas, certificates, gain, ladder, partition
from ctv.outputs import write_whole
from ctv.show.mathml import mathml
from ctv.show.plain import echo, project_version
from ctv.show.rounding import at_least, at_most, digits
from ctv.show.shared import (
    CERTIFIED,
    FLOATING,
    gain_sheet,
    partition_sheet,
    rivals_sheet,
    title,
)
from ctv.show.sheet import Row, Sheet, numbers, prose, words
from ctv.values.answer import answer_lines
from ctv.values.experiments import stored_regret, stored_sentences
from ctv.values.prior_spread import fixed_line, spread_sheet
from simulation.paper.stored import StoredExperiment
from simulation.prior.problems import PriorSpread
from simulation.study.under_bounds import RegretUnderBounds

FILE_NAME = "report.html"


@dataclass(frozen=True, eq=False)
class Content:
    """Everything the page shows, already computed.

    Attributes
    ----------
    report, rivals : the bounds of the problem, and the published ones
    uniformity, cap : C of all rounds and its cap 1/ε²
    gains : γ_m from both sides
    drifts : drift of each block, by objective, in nats
    seen : runs of CTV-fixed at the same evaluation times, with the bounds over the rounds
    command : the command line that makes this page again
    certified : the first rounds of some of these runs, certified
    ladder, beside : the factor lost at each step for these runs, and bounds of another kind
    found : the bounds with their answer, of which the first lines speak
    experiments : the paper's experiments as they were run, where their folder was given
    spread : over the priors of a fit, of which the problem is one
    """

    report: BoundReport
    rivals: Sequence[Rival]
    uniformity: float
    cap: float
    gains: GainRange
    drifts: Mapping[str, FloatArray]
    seen: RegretUnderBounds
    command: str
    certified: certificates.CertificatesPicture
    ladder: Ladder
    beside: tuple[RegretBound, ...]
    found: Bounds
    experiments: Sequence[StoredExperiment] = ()
    spread: PriorSpread | None = None

    @property
    def problem(self) -> Problem:
        return self.report.problem


def write(content: Content, folder: Path) -> Path:
    """Write the page as `report.html` in `folder`, whole or not at all."""
    return write_whole(folder / FILE_NAME, render(content).encode())


def render(content: Content) -> str:
    """The page as HTML text; the same content gives the same text."""
    style = (files("ctv.data") / "report.css").read_text(encoding="utf-8")
    title = f"Bounds for {content.problem.times.source}"
    sections = "\n".join(
        (
            _summary(content),
            *_over_prior(content.spread),
            _section("Problem", _problem(content.problem)),
            _section("Evaluation times", _times(content)),
            _section("Information gain without drift", _gains(content)),
            _section("Bounds", _bounds(content.report)),
            _section("Published bounds", _published(content)),
            _section("Best partitions", _partitions(content)),
            _section("Simulated runs under the bounds", _runs(content)),
            _section("Where the bound loses", _ladder(content)),
            *_experiments(content.experiments),
            _section("How much regret a run had", _certificates(content)),
            _section("What was assumed", _assumptions(content)),
            _section("Make this page again", _again(content.command)),
        )
    )
    return (
        "<!doctype html>\n"
        f'<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>\n"
        f"{sections}\n</main>\n</body>\n</html>\n"
    )


def _summary(content: Content) -> str:
    report, problem = content.report, content.problem
    trivial = report.gains["trivial"].value
    mean = float(content.seen.regret[:, -1].mean())
    cards = (
        (
            f"{at_least(report.lower)} … {at_most(report.best)}",
            f"nats: the largest information gain γ̃<sub>n</sub> of {problem.n} rounds",
        ),
        (
            f"{digits(trivial / report.best, 3)} ×",
            f"below the trivial cap, by {escape(title(report.best_name))}",
        ),
        (
            f"≤ {at_most(_headline(content))}",
            f"regret of CTV-fixed with probability {1 - problem.delta:g}; "
            f"{digits(mean)} in the mean of {len(content.seen.regret)} simulated runs",
        ),
    )
    items = "".join(
        f"<div><strong>{number}</strong><span>{text}</span></div>" for number, text in cards
    )
    said = "".join(f"<p>{escape(line)}</p>" for line in answer_lines(content.found))
    return f'<div class="cards">{items}</div>{said}'


def _over_prior(spread: PriorSpread | None) -> Iterable[str]:
    """How far the bounds spread over the priors of a fit; nothing where the model is given."""
    if spread is not None:
        said = f"<p>{escape(fixed_line(spread))}</p>"
        yield _section("Over the fitted prior", f"{spread_sheet(spread).html()}{said}")


def _headline(content: Content) -> float:
    """The smallest bound for CTV-fixed, by any road."""
    best = content.found.answer.best()
    return float("inf") if best is None else best.value


def _problem(problem: Problem) -> str:
    notes = {
        "epsilon": "forgetting rate ε",
        "noise_variance": "variance σ² of one observation",
        "grid": "points per axis; gains and runs are over this grid",
        "delta": "bounds on regret hold with probability 1 − δ",
        "total_time": "τ_n, in the unit of the durations",
    }
    values = {
        **echo(problem),
        "domain": problem.domain.phrase,
        "slope": problem.time_kernel.slope,
    }
    notes["slope"] = "θ, the smallest with 1 − k_time(τ, τ′) ≤ θ|τ − τ′|"
    rows = tuple(
        Row((name.replace("_", " "), "–" if value is None else _cell(value), notes.get(name, "")))
        for name, value in values.items()
    )
    return Sheet("", (*words(""), *numbers(""), prose("")), rows, "").html()


def _times(content: Content) -> str:
    durations = content.problem.times.durations
    low, middle, high = np.quantile(durations, (0.0, 0.5, 1.0))
    root = content.uniformity**0.5 / content.problem.n
    cap = "no cap, as ε = 0" if np.isinf(content.cap) else f"cap 1/ε² = {digits(content.cap)}"
    return (
        f"<p>Durations from {digits(low)} to {digits(high)}, median {digits(middle)}; "
        f"{int(np.sum(durations == 0))} of them 0. "
        f"Uniformity C = {digits(content.uniformity)} ({cap}): two rounds are {digits(root)} apart "
        "in the root mean square. The larger C, the more drift a block pays for.</p>"
    )


def _gains(content: Content) -> str:
    found = content.gains
    shown = np.unique(np.linspace(0, len(found.m) - 1, min(8, len(found.m))).astype(int))
    rows = tuple(
        Row(
            (
                f"{found.m[i]:,}",
                at_least(float(found.lower[i])),
                at_most(float(found.upper[i])),
                at_most(float(found.upper[i] / found.lower[i])),
                at_most(float(found.cap[i])),
            )
        )
        for i in shown
    )
    heads = numbers("m", "lower", "upper", "upper/lower", "cap ½m·log(1+1/σ²)")
    standing = CERTIFIED if all(found.certified) else "Not certified on both sides."
    table = Sheet("", heads, rows, standing).html()
    picture = _picture(gain.draw(found, "Over the grid"), "γ_m from both sides over m")
    return (
        "<p>γ<sub>m</sub>, the most that m observations can tell about a function that stands "
        "still, in nats. The lower side is a design; every bound below uses the upper side.</p>"
        f"{table}{picture}"
    )


def _bounds(report: BoundReport) -> str:
    sources = tuple(
        Row((title(name), f"{bound.source}.", f"{bound.hypotheses}."))
        for name, bound in report.gains.items()
    )
    rests = Sheet(
        "What they rest on", (*words("bound"), prose("from"), prose("needs")), sources, ""
    )
    return (
        f"{gain_sheet(report).html()}"
        "<p>Regret is √(C₁β<sub>n</sub>n·γ̃<sub>n</sub>) with C₁ = 8/log(1+1/σ²) and "
        f"β<sub>n</sub> = {at_most(report.beta)} of the finite grid.</p>"
        f"{_formulas(report)}{rests.html()}"
    )


def _formulas(report: BoundReport) -> str:
    """The bounds that have a formula, typeset from the symbolic ones."""
    rows = "".join(
        f'<h3>{escape(title(name))}</h3><div class="wide">{mathml(found.latex)}</div>'
        + "".join(f"<p>{escape(line)}</p>" for line in found.conditions)
        for name in report.gains
        if name in OBJECTIVES
        for found in [partition_bound(name)]
    )
    return f"<details><summary>As formulas</summary>{rows}</details>"


def _published(content: Content) -> str:
    return rivals_sheet(content.rivals, content.report).html()


def _partitions(content: Content) -> str:
    report = content.report
    cuts = "".join(
        f"<details><summary>Cuts of {escape(title(name))}</summary>"
        f"<p class=cuts>{_cuts(found.partition)}</p></details>"
        for name, found in report.partitions.items()
    )
    picture = _picture(
        partition.draw(content.problem, report.partitions, content.drifts),
        "Evaluation times and the best blocks of each bound",
    )
    return f"{partition_sheet(report).html()}{picture}{cuts}"


def _cuts(found: Partition) -> str:
    if max(found.lengths) == 1:
        return "Every round is a block of its own."
    return " ".join(map(str, found.cuts))


def _ladder(content: Content) -> str:
    found = content.ladder
    loosest = found.loosest
    picture = _picture(
        ladder.draw(found, content.beside, "The runs above, rung by rung their mean"),
        "The ladder from regret to the trivial cap",
    )
    return (
        "<p>From what the runs suffered to what the theorem says, every step of the proof costs a "
        f"factor. Most is lost at “{escape(RUNGS[loosest.name])}”, "
        f"{digits(loosest.factor or 0.0, 3)}. The marks are bounds on the regret itself that need "
        f"no information gain, or inflate the noise in it.</p>{picture}"
    )


def _runs(content: Content) -> str:
    seen, report = content.seen, content.report
    regret, gained = seen.regret[:, -1], seen.gain[:, -1]
    rows = (
        Row(("cumulative regret", *_spread(regret), at_most(_headline(content)))),
        Row(("information gain, nats", *_spread(gained), at_most(report.best))),
    )
    heads = (*words(""), *numbers("smallest", "mean", "largest", "best bound"))
    best = content.found.answer.best()
    known = report.gains[report.best_name].certified and best is not None and best.certified
    standing = "The bound is certified, the runs are floating point." if known else FLOATING
    table = Sheet("", heads, rows, standing).html()
    above = int(np.sum(regret > _headline(content)))
    standing = (
        f"This policy is the one that the bounds cover: {above} of {len(regret)} runs ended above "
        f"the bound on regret, of which at most a share δ = {content.problem.delta:g} may."
        if seen.counted
        else "The bounds do not cover this policy: the comparison is an observation."
    )
    picture = _picture(bound_vs_regret.draw(seen), "Simulated regret and gain under the bounds")
    return (
        f"<p>{escape(seen.policy)}, {len(regret)} runs on objectives drawn from the prior, at the "
        f"evaluation times above. {standing}</p>"
        f"{table}{picture}"
    )


def _experiments(found: Sequence[StoredExperiment]) -> Iterable[str]:
    """A section for each experiment of the paper; nothing where none was given."""
    for figure in dict.fromkeys(one.figure for one in found):
        variants = [one for one in found if one.figure == figure]
        regrets = "".join(stored_regret(one).html() for one in variants)
        judged = any(one.findings for one in variants)
        sentences = stored_sentences(variants).html() if judged else ""
        yield _section(f"The paper's experiments: {figure}", f"{sentences}{regrets}")


def _certificates(content: Content) -> str:
    """Certificates of runs after they ended, beside what was known before."""
    seen = content.certified
    truth = float(np.mean(seen.regrets))
    titles = {
        "rank": f"rank, probability {seen.level:g}",
        "expected": "telescoped, its mean",
        "probability": f"telescoped, probability {seen.level:g}",
    }
    means = {name: float(np.mean(values)) for name, values in seen.certificates.items()}
    rows = [Row(("true regret", digits(truth), "1"))]
    rows += [Row((titles[k], at_most(v), _times_truth(v, truth))) for k, v in means.items()]
    rows += [
        Row((f"before the run: {name}", digits(value), _times_truth(value, truth)))
        for name, value in seen.bounds.items()
    ]
    heads = (*words("bound"), *numbers("mean", "× true regret"))
    table = Sheet("", heads, tuple(rows), FLOATING).html()
    picture = _picture(certificates.draw(seen), "Certificates against true regret, run by run")
    return (
        f"<p>{escape(seen.setting)}; {escape(seen.policy)}; means of {len(seen.regrets)} runs. "
        "Certificates are computed from what a run leaves: points, times, observed values. They "
        "hold for any policy under the true prior; <code>ctv certify</code> makes them for your "
        "own data.</p>"
        f"{table}{picture}"
    )


def _times_truth(bound: float, truth: float) -> str:
    """How many times the true regret; a dash where a run had none."""
    return at_most(bound / truth, 3) if truth > 0 else "–"


def _assumptions(content: Content) -> str:
    items = [
        "The objective is a Gaussian process whose covariance is the space kernel times the time "
        "kernel given above; the policy knows both, and the noise is Gaussian.",
        "The evaluation times are fixed before the first round and do not depend on the chosen "
        "points: the setting of the theorem. Where t depends on the point, as in experiments, "
        "these bounds do not hold as they stand: Theorem C has a larger β and a larger constant.",
        "Gains, β and runs are over the finite grid, not over the continuous box.",
        "Values called certified are rounded outward from ball arithmetic. All others, those of "
        "runs and figures among them, are computed in floating point and are no enclosures.",
    ]
    items += [
        f"{title(bound.name)} is left out of the comparison: {bound.reason}."
        for bound in content.report.gains.values()
        if not bound.valid
    ]
    return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"


def _again(command: str) -> str:
    return f"<pre>{escape(command)}</pre><p>ctv-bounds {escape(project_version())}</p>"


def _spread(values: FloatArray) -> tuple[str, str, str]:
    return digits(float(values.min())), digits(float(values.mean())), digits(float(values.max()))


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _section(title: str, body: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n{body}\n</section>"


def _picture(figure: Figure, description: str) -> str:
    return f"<figure>{canvas.as_image(figure, description)}</figure>"
