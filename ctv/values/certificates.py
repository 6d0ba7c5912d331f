"""What `ctv certify` answers: bounds on the regret that runs have suffered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bounds.numerics.rounding import at_least
from ctv.show.plain import echo_model, picked
from ctv.show.rounding import at_most, counted, digits, known
from ctv.show.sheet import Row, Sheet, numbers, prose
from ctv.show.shown import Screen, Shown, space_setting, time_setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.problem import Problem
    from simulation.after_run.certificates import Certificate, CertifiedRun
    from simulation.after_run.simulated import SimulationCertificate

_MOST_ROWS = 12
_TITLES = {
    "rank": "rank",
    "expected": "expected",
    "probability": "probability",
    "expected-forward": "expected, looking forward",
    "probability-forward": "probability, looking forward",
}


@dataclass(frozen=True, eq=False, repr=False)
class Certificates(Shown):
    """Bounds on the regret of finished runs.

    Attributes
    ----------
    problem : with the times of the first run
    runs : in the order of the study
    policies : policy ↦ its simulation certificate; empty without simulation:RUNS
    seed : of the draws
    warnings : what speaks against relying on the certificates
    random : what the random rounds cost, in a sentence; empty where none are bounded
    """

    format = "ctv-bounds certificates of runs 1"

    problem: Problem
    runs: tuple[CertifiedRun, ...]
    policies: dict[str, SimulationCertificate]
    seed: int
    warnings: tuple[str, ...] = ()
    random: str = ""

    def headline(self) -> str:
        certificates = self.runs[0].certificates
        one = next((one for one in certificates if one.kind == "probability"), certificates[0])
        what = "regret" if one.kind == "probability" else "conditional mean of the regret"
        more = f" and {len(self.runs) - 1} more runs" if len(self.runs) > 1 else ""
        return f"{what} of {self.runs[0].label} <= {at_most(one.value)} by {one.name}{more}"

    def parts(self) -> dict[str, Any]:
        rows = [{"run": run.label, **_row(one)} for run in self.runs for one in run.certificates]
        for policy, one in self.policies.items():
            shared = {
                "run": policy,
                "seconds": one.seconds,
                "simulations": len(one.regrets),
                "certified": False,
            }
            rows.append(
                {
                    **shared,
                    "name": "simulation",
                    "kind": "probability",
                    "value": one.value,
                    "level": one.level,
                    "ratio": self._mean_ratio(policy, one.value),
                    "reused_level": one.reused_level,
                }
            )
            if one.expectation is not None:
                rows.append(
                    {
                        **shared,
                        "name": "simulation-expectation",
                        "kind": "mean",
                        "value": one.expectation,
                        "level": 1.0 - one.alpha,
                        "ratio": self._mean_ratio(policy, one.expectation),
                    }
                )
        return {
            "certificates": rows,
            "runs": [
                {
                    "run": run.label,
                    "rounds": run.rounds,
                    "regret": run.regret,
                    "prior_fit": run.fit,
                    "doubtful": run.doubtful,
                }
                for run in self.runs
            ],
            "warnings": self.warnings,
            "problem": {"times": self.problem.times.source, **echo_model(self.problem)},
            "seed": self.seed,
        }

    def screen(self) -> Screen:
        """Every certificate of a few runs, or their means over many."""
        many = len(self.runs) * len(self.runs[0].certificates) > _MOST_ROWS
        setting = (
            f"{counted(self.runs[0].rounds, 'round')}; {space_setting(self.problem)}; "
            f"{time_setting(self.problem)}."
        )
        if many:
            return Screen((setting, self._means()), (self._each(),))
        return Screen((setting, self._each()))

    def plot(self) -> Figure:
        """The certificates against the true regret, where that is known."""
        from ctv.figures.runs import certificates

        regrets = [run.regret for run in self.runs if run.regret is not None]
        if len(regrets) < len(self.runs):
            raise NotImplementedError("a picture needs the true regret, which a study has")
        values = {
            one.name: [run.certificates[i].value for run in self.runs]
            for i, one in enumerate(self.runs[0].certificates)
        }
        level = next((c.level for c in self.runs[0].certificates if c.level is not None), 0.0)
        policies = ", ".join(dict.fromkeys(map(_policy, self.runs)))
        return certificates.draw(
            certificates.CertificatesPicture(
                regrets, values, {}, policies, level, space_setting(self.problem), False
            )
        )

    def _notes(self) -> tuple[str, ...]:
        names = [one.name for one in self.runs[0].certificates]
        lines = [self.random] if self.random else []
        if "rank" in names or "probability" in names:
            lines.append("With a level: the regret of this run is below it with that probability.")
        if any(one.kind == "mean" for one in self.runs[0].certificates) or self.policies:
            lines.append(
                "Mean at most: a bound on the mean of the regret given the data, or, simulated, on "
                "its expectation; the regret itself may be larger."
            )
        if any(name.endswith("forward") for name in names):
            lines.append(
                "Looking forward: each round from the data before it, on average over runs."
            )
        lines.append("For any times and any policy that sees f through its observations alone.")
        if self.policies:
            lines.append(
                "Simulated: of a run to come of this policy, on average over the simulations; its "
                "expectation with probability 0.95 over them."
            )
        lines.append("All rest on the prior being the true one.")
        return tuple(lines)

    def _each(self) -> Sheet:
        rows = [
            Row(
                (
                    run.label if i == 0 else "",
                    _TITLES[one.name],
                    *_sided(one.value, one.level),
                    known(run.regret),
                    "" if one.level is None else known(one.ratio),
                ),
                in_mean=one.level is None,
            )
            for run in self.runs
            for i, one in enumerate(run.certificates)
        ]
        return Sheet(
            "Certificates of finished runs: upper bounds on regret",
            (
                prose("run"),
                prose("certificate"),
                *numbers("regret at most", "level", "mean at most", "true regret", "ratio"),
            ),
            (*rows, *self._simulated(1)),
            "Floating point, not certified.",
            self._notes(),
        )

    def _means(self) -> Sheet:
        rows = []
        for policy in dict.fromkeys(map(_policy, self.runs)):
            runs = [run for run in self.runs if _policy(run) == policy]
            for i, one in enumerate(runs[0].certificates):
                values = [run.certificates[i].value for run in runs]
                regrets = [run.regret for run in runs if run.regret is not None]
                mean, truth = sum(values) / len(values), sum(regrets) / max(len(regrets), 1)
                held = sum(v >= r for v, r in zip(values, regrets, strict=False))
                rows.append(
                    Row(
                        (
                            f"{policy} ({len(runs)})" if i == 0 else "",
                            _TITLES[one.name],
                            *_sided(mean, one.level),
                            digits(truth),
                            digits(mean / truth) if truth > 0 and one.level is not None else "",
                            "" if one.level is None else f"{held} of {len(runs)}",
                        ),
                        in_mean=one.level is None,
                    )
                )
        return Sheet(
            "Certificates of finished runs: upper bounds on regret, averaged over runs",
            (
                prose("runs"),
                prose("certificate"),
                *numbers("regret at most", "level", "mean at most", "true regret", "ratio", "held"),
            ),
            (*rows, *self._simulated(2)),
            "Floating point, not certified.",
            self._notes(),
        )

    def _simulated(self, blanks: int) -> Iterator[Row]:
        blank = ("",) * blanks
        for policy, one in self.policies.items():
            count = f"{len(one.regrets)} simulated"
            truth = known(self._mean_regret(policy))
            yield Row((policy, count, *_sided(one.value, one.level), truth, *blank))
            if one.expectation is not None:
                cells = ("", "the same, expectation", *_sided(one.expectation, None), truth)
                yield Row((*cells, *blank), in_mean=True)

    def _mean_regret(self, policy: str) -> float | None:
        regrets = [run.regret for run in self.runs if _policy(run) == policy]
        told = [regret for regret in regrets if regret is not None]
        return sum(told) / len(told) if told else None

    def _mean_ratio(self, policy: str, value: float) -> float | None:
        mean = self._mean_regret(policy)
        return value / mean if mean else None


def _row(one: Certificate) -> dict[str, Any]:
    return picked(one, "name", "kind", "value", "level", "ratio", "seconds", "certified")


def _sided(value: float, level: float | None) -> tuple[str, str, str]:
    """Three cells: the regret at most and its level, or what its mean is at most."""
    return ("", "", at_most(value)) if level is None else (at_most(value), at_least(level, 3), "")


def _policy(run: CertifiedRun) -> str:
    return run.label.rpartition("-")[0] or run.label
