"""`ctv simulate --experiment tuned`: stored runs with tuned hyperparameters, and what they say.

Beside them stand the authors' own published runs, read off their notebook, whose objectives are
not published.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.arrays import FloatArray
from bounds.times import EvaluationTimes
from ctv.show.rounding import at_least, digits
from ctv.show.sheet import Row, Sheet, numbers, words
from ctv.show.shown import Screen, Shown
from simulation.paper.experiment_results import ExperimentResults
from simulation.paper.experiments import ExperimentOptions, figure_1
from simulation.paper.findings import Finding, Outcome, judged
from simulation.paper.sentences import SENTENCES
from simulation.paper.tuned_results import (
    FIGURE_1,
    PUBLISHED_ENDS,
    PUBLISHED_SOURCE,
    TunedStudy,
    tuned_findings,
)
from simulation.study.comparison import protocol_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHORT = {Outcome.SUPPORTED: "yes", Outcome.NOT_SUPPORTED: "–", Outcome.CONTRADICTED: "no"}


_HOW = {"none": "fixed", "likelihood": "fit", "posterior": "draws", "cross-validation": "CV"}
_WEIGHT = {"beta": "β", "sqrt-beta": "√β", "beta/16": "β/16", "released": "released"}
_MEANING = (
    "fixed: hyperparameters of the objective; fit, draws: refitted to each run by likelihood, or "
    "drawn given it; CV: the best of a grid on held-out seeds. β, √β, β/16: the weight of σ; "
    "released: the policies as the authors' released code plays them."
)
_SETTINGS = {
    "se-length-1": "SE, t = 1",
    "matern-length-1": "Matérn, t = 1",
    "se-length-3": "SE, t = 3",
}
_LINES = {
    "gp-ucb": "weight 0.8 log 400",
    "tv": "that weight, time left free",
    "ctv": "weight t·0.8 log 4n",
    "ctv-simple": "weight t·0.8 log 4n",
}
"""What the released code does in place of the text."""


def _protocol(study: str) -> str:
    """A lower bound on R₃₀₀/300 of every policy behind the random rounds of such a study."""
    spec = figure_1(ExperimentOptions(initial=5, rounds=295))["se-uniform"]
    times = EvaluationTimes.from_durations([spec.evaluation_time] * spec.total_rounds)
    problem = replace(spec.problem, times=times)
    protocol = protocol_of(problem, spec.initial, moving=study != "se-uniform")
    assert protocol is not None  # every one of these studies begins with random rounds
    least = at_least(protocol.value / spec.total_rounds)
    return f"Every policy has an expected R₃₀₀/300 ≥ {least} here (certified)."


def _label(tune: str, weight: str) -> str:
    return f"{_HOW[tune]} {_WEIGHT[weight]}"


@dataclass(frozen=True, eq=False, repr=False)
class TunedExperiments(Shown):
    """The paper's experiments with tuned hyperparameters, beside those with the objective's own.

    Attributes
    ----------
    studies : the tuned ones
    fixed : Figures 1 and 2 with the objective's own hyperparameters
    """

    format = "ctv-bounds tuned summary 1"

    studies: tuple[TunedStudy, ...]
    fixed: ExperimentResults

    def headline(self) -> str:
        (one,) = (
            s for s in self._long("se-uniform") if (s.tune, s.weight) == ("likelihood", "beta")
        )
        ends = {policy: float(values[:, -1].mean()) for policy, values in one.regrets.items()}
        return (
            f"refitted by likelihood, 300 rounds, equal times: GP-UCB ends at "
            f"{digits(ends['gp-ucb'], 3)}, TV {digits(ends['tv'], 3)}, CTV {digits(ends['ctv'], 3)}"
        )

    def parts(self) -> dict[str, Any]:
        studies = [
            {
                "horizon": one.horizon,
                "tune": one.tune,
                "weight": one.weight,
                "study": one.study,
                "seeds": len(one.seeds),
                "rounds": list(one.rounds),
                "mean": {
                    name: values.mean(axis=0).tolist() for name, values in one.regrets.items()
                },
            }
            for one in self.studies
        ]
        judged_by = self._judged()
        sentences = [
            {
                "id": asked.id,
                "verdicts": {label: _verdict(rows, asked.id) for label, rows in judged_by.items()},
            }
            for asked in SENTENCES
            if asked.figure == "figure-1"
        ]
        return {
            "studies": studies,
            "sentences": sentences,
            "published": PUBLISHED_ENDS,
            "problem": {"experiment": "tuned"},
        }

    def plot(self) -> Figure:
        """R_n/n over the rounds at equal times, fitted and fixed, a panel a weight."""
        from ctv.figures.runs.tuned import draw

        return draw(self._long("se-uniform"))

    def screen(self) -> Screen:
        shown = (self._ends("se-uniform"), self._released(), self._sentences())
        return Screen(shown, (self._ends("se-biased"),))

    def _released(self) -> Sheet:
        """Which line of the released code makes which curve."""
        studies = {
            one.study: one
            for one in self.studies
            if (one.horizon, one.tune) == ("released", "none") and one.study in _SETTINGS
        }
        rows = []
        for name, line in _LINES.items():
            for policy, does in ((name, "as in the text"), (f"{name}-as-released", line)):
                ends = [studies[study].regrets[policy][:, -1] for study in _SETTINGS]
                rows.append(Row((name, does, *map(mean_and_error, ends))))
        apart = []
        for study, setting in _SETTINGS.items():
            runs = studies[study].regrets
            more = mean_and_error(runs["tv-as-released"] - runs["tv"])
            apart.append(f"{more} ({setting})")
        return Sheet(
            "R₃₀₀/300 by the released code and by the text: 10 random rounds and 290",
            (*words("policy", "what it plays"), *numbers(*_SETTINGS.values())),
            tuple(rows),
            "Observed in simulations.",
            (
                f"Means over {len(next(iter(studies.values())).seeds)} seeds ± standard error, "
                "hyperparameters of the objective. TV as released maximises over the times of the "
                "first eleven rounds too, because the line that sets its next time is commented "
                f"out. TV as released minus TV, run by run: {', '.join(apart)}.",
            ),
        )

    def _long(self, study: str) -> list[TunedStudy]:
        return [s for s in self.studies if (s.horizon, s.study) == ("published", study)]

    def _ends(self, study: str) -> Sheet:
        """R_n/n at n = 300, a row a way of tuning."""
        rows = []
        for one in self._long(study):
            cells = [mean_and_error(values[:, -1]) for values in one.regrets.values()]
            rows.append(Row((_label(one.tune, one.weight), *cells)))
        published = PUBLISHED_ENDS[study]
        rows.append(Row(("published", *(digits(published[policy], 3) for policy in published))))
        settings = {"se-uniform": "equal times of 3", "se-biased": "times t(x)"}
        return Sheet(
            f"R₃₀₀/300, squared exponential, {settings[study]}: 5 random rounds and 295",
            (*words("hyperparameters"), *numbers(*published)),
            tuple(rows),
            "Observed in simulations.",
            (
                f"Means over {len(self._long(study)[0].seeds)} seeds ± standard error. {_MEANING} "
                f"published: the authors' runs ({PUBLISHED_SOURCE}), objectives unknown. "
                f"{_protocol(study)}",
            ),
        )

    def _judged(self) -> dict[str, tuple[Finding, ...]]:
        """The verdicts by hyperparameters and weight."""
        verdicts = {_label("none", w): judged(regrets) for w, regrets in self.fixed.regrets.items()}
        for tune, weight in FIGURE_1:
            # One setting alone decides no sentence.
            if rows := tuned_findings(self.studies, tune, weight):
                verdicts[_label(tune, weight)] = rows
        return verdicts

    def _sentences(self) -> Sheet:
        judged_by = self._judged()
        rows = [
            Row((asked.id, *(_verdict(rows, asked.id) for rows in judged_by.values())))
            for asked in SENTENCES
            if asked.figure == "figure-1"
        ]
        counts = {rows[0].seeds for rows in judged_by.values() if rows}
        return Sheet(
            "The sentences about Figure 1 (30 random rounds and 100)",
            (*words("sentence"), *words(*judged_by)),
            tuple(rows),
            "Paired intervals over seeds at 95 %.",
            (
                f"yes: supported; no: contradicted; –: neither; empty: not judged, for want of "
                f"runs with Matérn-5/2 or of CTV-fixed, which the released code lacks. {_MEANING} "
                f"Seeds: {', '.join(map(str, sorted(counts, reverse=True)))} (fixed, tuned).",
            ),
        )


def mean_and_error(ends: FloatArray) -> str:
    """The mean of the last column of runs, a row a seed, and its standard error."""
    last = ends if ends.ndim == 1 else ends[:, -1]
    return f"{np.mean(last):.2f} ± {np.std(last, ddof=1) / np.sqrt(len(last)):.2f}"


def _verdict(findings: tuple[Finding, ...], sentence: str) -> str:
    """Empty where not all of its studies were run."""
    return next((_SHORT[one.outcome] for one in findings if one.sentence.id == sentence), "")
