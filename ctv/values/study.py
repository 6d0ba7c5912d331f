"""What `ctv simulate` answers: regret of every policy, and every run beside the bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from bounds.arrays import FloatArray
from ctv.show.rounding import at_least, counted, digits
from ctv.show.shared import title
from ctv.show.sheet import Row, Sheet, numbers, prose, words
from ctv.show.shown import Block, Screen, Shown
from simulation.study.comparison import DEVIATIONS, POINT_TIMES, RunComparison, StudyComparison
from simulation.study.statistics import (
    Estimate,
    PairedComparison,
    PolicySummary,
    Summary,
    reference_policy,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from simulation.study.study import Study, StudySpec

_MOST_LISTED = 10
_ENOUGH_SEEDS = 20

_WITHOUT_BOUNDS = (
    "No bound stands beside these: a policy of the box plays where the grid, for which the bounds "
    "and the lower bound are computed, has no point."
)
_MEASURED = (
    "Regret is measured against the largest of f on the grid and f at the point played: at most "
    "that against the maximum over the box. Runs of one seed share f on the grid, the noise and "
    "the random rounds; off the grid f is drawn where a run asks."
)


@dataclass(frozen=True, eq=False, repr=False)
class Simulated(Shown):
    """A finished study, its statistics, and every run of it compared with the bounds.

    Attributes
    ----------
    study, over_seeds : what was run, and the statistics over seeds
    comparison : the runs against the bounds; None on the box, for which none are computed
    origin : `problem`, `version`, `seed`, `out` and what was resumed, for the JSON
    """

    format = "ctv-bounds study summary 1"

    study: Study
    over_seeds: Summary
    comparison: StudyComparison | None
    origin: Mapping[str, Any]

    @property
    def regret(self) -> dict[str, FloatArray]:
        """(seeds, rounds) cumulative regret of each policy."""
        regret = self.study.array("cumulative_regret")
        return dict(zip(self.study.trajectories, regret, strict=True))

    def headline(self) -> str:
        least = _least(self.over_seeds, self.study.spec)
        return least if self.comparison is not None else f"{least}, on the box"

    def parts(self) -> dict[str, Any]:
        return {
            **statistics(self.over_seeds, self.study.spec),
            **compared(self.comparison),
            **self.origin,
        }

    def screen(self) -> Screen:
        spec, comparison = self.study.spec, self.comparison
        regret, intervals = _policies(self.over_seeds, spec)
        if comparison is None:
            side, dimension = spec.problem.domain.box_side(), spec.problem.domain.dimension
            setting = f"{_setting(spec)}, box [0, {side:g}]^{dimension}."
            return Screen((setting, regret, _WITHOUT_BOUNDS), (*intervals, _MEASURED))
        first: list[Block] = [f"{_setting(spec)}."]
        if self.study.repaired:
            first.append(f"Damaged files, computed again: {', '.join(self.study.repaired)}.")
        first += [regret, _theory_sheet(comparison), *runs_above(comparison.runs)]
        first += self._floor(comparison)
        return Screen(tuple(first), (*intervals, _meaning(comparison)))

    def plot(self) -> Figure:
        """Regret per round over the rounds."""
        from ctv.figures.runs import regret
        from ctv.gallery.regret import regret_caption, regret_panel

        spec = self.study.spec
        title = spec.durations.name + ("" if self.comparison is not None else ", on the box")
        said = f"{regret_caption(spec)} {random_rounds(self.over_seeds, spec)}".strip()
        return regret.draw([regret_panel(self.study, title)], said)

    def _floor(self, comparison: StudyComparison) -> tuple[str, ...]:
        """The floor per own round, and who is below it by more than chance."""
        if comparison.floor is None:
            return self._protocol(comparison)
        spec = self.study.spec
        low = at_least(comparison.floor.value / spec.rounds)
        below = [policy for policy in comparison.covered if comparison.above_floor(policy) is False]
        said = f"Every policy has expected regret ≥ {low} per own round, "
        said += f"{at_least(comparison.floor.value)} in all {spec.rounds:,} (lower bound, "
        said += "certified)" if comparison.floor.certified else "floating point)"
        if below:
            said += f"; BELOW IT BY MORE THAN CHANCE: {', '.join(below)}"
        return (f"{said}.", *self._protocol(comparison))

    def _protocol(self, comparison: StudyComparison) -> tuple[str, ...]:
        """What the protocol itself costs at least, its random rounds included, beside the best."""
        protocol, initial = comparison.protocol, self.study.spec.initial
        if protocol is None:
            return ()
        from simulation.policies.registry import policy_named

        lost = {
            policy: sum(float(run.regrets.sum()) for run in runs) / len(runs)
            for policy, runs in self.study.trajectories.items()
            if not policy_named(policy).sees_objective
        }
        rounds = counted(initial, "random round")
        grade = "certified" if protocol.certified else "floating point"
        said = f"With its {rounds} every policy has ≥ {at_least(protocol.value)} in all ({grade})"
        if lost:
            best = min(lost, key=lambda policy: lost[policy])
            said += f"; {best} has {digits(lost[best])}"
            if protocol.value > 0.0:  # one point has no regret
                said += f", {digits(lost[best] / protocol.value, 3)} times that"
        return (f"{said}.",)


def _theory_sheet(comparison: StudyComparison) -> Sheet:
    """How near every policy comes to the smallest bounds, and which runs are above one."""
    setting = (
        "t(x), the experiments' setting, by Theorem C"
        if comparison.setting == POINT_TIMES
        else "times fixed beforehand, the theorem's setting"
    )
    rows = []
    for policy, covered in comparison.covered.items():
        runs = comparison.of(policy)
        closest = max(runs, key=regret_share)
        known_after = max(_share(run.regret, run.regret_bounds[DEVIATIONS]) for run in runs)
        rows.append(
            Row(
                (
                    policy,
                    digits(max(map(gain_share, runs)), 3),
                    digits(regret_share(closest), 3),
                    digits(known_after, 3),
                    title(_smallest(closest)),
                    f"{sum(bool(run.gain_above or run.regret_above) for run in runs)} of "
                    f"{len(runs)}",
                    "counts" if covered else "observed",
                )
            )
        )
    return Sheet(
        f"Theory beside practice: {setting}",
        (
            *words("policy"),
            *numbers("gain/ bound", "regret/ bound", f"regret/ {_factor(comparison)}√βₙΣσ"),
            prose("bound by"),
            *numbers("above"),
            *words("against δ"),
        ),
        tuple(rows),
        "Largest shares over the runs, of bounds in floating point, not certified.",
        (covered_or_observed(comparison),),
    )


def _factor(comparison: StudyComparison) -> str:
    return "3.067" if comparison.setting == POINT_TIMES else "2"


def _meaning(comparison: StudyComparison) -> str:
    return (
        "Theory beside practice: regret is that of the policy's own rounds. The first two "
        "shares are of the smallest bound known before a run of these times, the third of "
        f"{_factor(comparison)}√βₙΣσ, known after it (βₙ = {digits(comparison.beta)}). A bound on "
        "gain holds for every policy."
    )


def _setting(spec: StudySpec) -> str:
    """What was simulated, as a sentence without its end."""
    return (
        f"{spec.durations.name}: {spec.initial} random and {counted(spec.rounds, 'own round')}, "
        f"{counted(spec.seeds, 'seed')} from {spec.seed}, "
        + (
            "expected improvement"
            if spec.acquisition == "ei"
            else f"upper confidence bound, exploration {spec.exploration}"
        )
    )


def _least(summary: Summary, spec: StudySpec) -> str:
    best = min(summary.policies.values(), key=lambda result: result.all_rounds.mean)
    return (
        f"least regret per round {digits(best.all_rounds.mean)} by {best.policy}, "
        f"{counted(spec.seeds, 'seed')}"
    )


def _costs(policy: PolicySummary, spec: StudySpec) -> tuple[float, float]:
    """What the random rounds and the own rounds cost in the mean: together R_n."""
    own = spec.rounds * policy.own_rounds.mean
    return (spec.total_rounds * policy.all_rounds.mean - own if spec.initial else 0.0), own


def random_rounds(summary: Summary, spec: StudySpec) -> str:
    """What the random rounds cost that come first, which no policy chooses; empty without any."""
    if not spec.initial:
        return ""
    costs = [_costs(policy, spec)[0] for policy in summary.policies.values()]
    low, high = digits(min(costs)), digits(max(costs))
    many = f"The first {spec.initial:,} rounds are random and cost"
    first = "The first round is random and costs" if spec.initial == 1 else many
    cost = low if low == high else f"{low} to {high}"
    return f"{first} {cost} on average; the rest of Rₙ is that of the own rounds."


def _policies(summary: Summary, spec: StudySpec) -> tuple[Sheet, tuple[Sheet, ...]]:
    """A row a policy, the best one first; and how they differ from one of them."""
    level = f"{100 * summary.level:g} %"
    ranked = sorted(summary.policies.values(), key=lambda result: result.all_rounds.mean)
    reference = reference_policy(summary.policies)
    rows = tuple(
        Row(
            (
                result.policy,
                digits(result.all_rounds.mean),
                _interval(result.all_rounds),
                digits(result.all_rounds.sd, 3),
                *map(digits, _costs(result, spec)),
            )
        )
        for result in ranked
    )
    sheet = Sheet(
        "Rₙ/n, regret per round",
        (*words("policy"), *numbers("Rₙ/n", f"{level} interval", "sd", "Rₙ random", "Rₙ own")),
        rows,
        "Observed in simulations.",
        tuple(filter(None, (random_rounds(summary, spec),))),
    )
    if len(ranked) == 1 or not isfinite(ranked[0].all_rounds.ci_low):
        return sheet, ()
    few = (
        " For normal values it covers as often as it says, for very skewed ones of so few "
        "seeds less often (exponential ones, at 95 %, in some 89 % of cases)."
        if ranked[0].seeds < _ENOUGH_SEEDS
        else ""
    )
    differences = [
        (result.policy, _difference(summary.paired, result.policy, reference)) for result in ranked
    ]
    compared = Sheet(
        f"Rₙ/n minus that of {reference}, seed by seed",
        (*words("policy"), *numbers("difference", f"{level} interval")),
        tuple(
            Row((policy, digits(more.mean, 3), _interval(more, 3)))
            for policy, more in differences
            if more is not None
        ),
        "Observed in simulations.",
        (
            f"The difference from {reference} is on the same objective and the same noise. "
            "Each interval is at its level on its own: bootstrap over seeds, no shorter than "
            f"Student's t.{few}",
        ),
    )
    return sheet, (compared,)


def _difference(paired: tuple[PairedComparison, ...], first: str, second: str) -> Estimate | None:
    """R_n/n of `first` less that of `second`; None for a policy and itself."""
    for pair in paired:
        difference = pair.difference
        if (pair.first, pair.second) == (first, second):
            return difference
        if (pair.second, pair.first) == (first, second):
            return Estimate(
                -difference.mean, difference.sd, -difference.ci_high, -difference.ci_low
            )
    return None


def _interval(estimate: Estimate, significant: int = 4) -> str:
    if not isfinite(estimate.ci_low):
        return "–"
    return f"{digits(estimate.ci_low, significant)} … {digits(estimate.ci_high, significant)}"


def runs_above(runs: Sequence[RunComparison]) -> Iterator[str]:
    """A sentence for each of the first few runs above a bound."""
    above = [run for run in runs if run.gain_above or run.regret_above]
    for run in above[:_MOST_LISTED]:
        names = ", ".join(
            [f"gain above {_bound_name(name)}" for name in run.gain_above]
            + [f"regret above {_bound_name(name)}" for name in run.regret_above]
        )
        yield f"{run.policy} seed {run.seed}: {names}."
    if len(above) > _MOST_LISTED:
        yield f"… and {len(above) - _MOST_LISTED} more runs: --json lists all."


def gain_share(run: RunComparison) -> float:
    """Gain over the smallest bound on it."""
    return run.gain / min(run.gain_bounds.values())


def regret_share(run: RunComparison) -> float:
    """Regret over the smallest bound on it that is known before the run."""
    return _share(run.regret, run.regret_bounds[_smallest(run)])


def _smallest(run: RunComparison) -> str:
    """The name of the smallest bound on regret that follows from one on gain."""
    return min(run.gain_bounds, key=lambda name: run.regret_bounds[name])


def _share(part: float, whole: float) -> float:
    """part/whole; 0 where there is nothing of either."""
    return part / whole if whole else 0.0


def _bound_name(name: str) -> str:
    return "√βₙΣσ" if name == DEVIATIONS else title(name)


def covered_or_observed(comparison: StudyComparison) -> str:
    """Which policies the bounds on regret cover, and why the others are observations."""
    reasons = {p: reason for p, reason in comparison.observation.items() if reason}
    covered = [policy for policy in comparison.covered if policy not in reasons]
    said = ""
    if covered:
        shares = [max(comparison.share_above(policy).values()) for policy in covered]
        said = (
            f"The bounds on regret cover {', '.join(covered)}: {100 * max(shares):.3g} % of its "
            f"runs are above one, at most δ = {comparison.delta:g} expected. "
        )
    if reasons:
        where = "Elsewhere a comparison with one" if covered else "A comparison with one on regret"
        said += f"{where} is an observation: {'; '.join(dict.fromkeys(reasons.values()))}."
    return said.rstrip()


def statistics(summary: Summary, spec: StudySpec) -> dict[str, Any]:
    """Regret of each policy, and the paired comparisons, for the JSON."""
    return {
        "policies": {
            name: {
                "regret_per_round": policy.all_rounds.mean,
                "sd": policy.all_rounds.sd,
                "seeds": policy.seeds,
                "ci_low": policy.all_rounds.ci_low,
                "ci_high": policy.all_rounds.ci_high,
                "own_regret_per_round": policy.own_rounds.mean,
                "random_regret": _costs(policy, spec)[0],
                "own_regret": _costs(policy, spec)[1],
            }
            for name, policy in summary.policies.items()
        },
        "paired": [
            {
                "first": pair.first,
                "second": pair.second,
                "difference": pair.difference.mean,
                "sd": pair.difference.sd,
                "ci_low": pair.difference.ci_low,
                "ci_high": pair.difference.ci_high,
                "first_better": pair.first_better,
                "unequal": pair.unequal,
                "decided": pair.decided,
            }
            for pair in summary.paired
        ],
        "level": summary.level,
    }


def compared(comparison: StudyComparison | None) -> dict[str, Any]:
    """Where the runs of a study stand to the bounds; the same keys where nothing is compared."""
    if comparison is None:
        by_policy = ("gain_within_bound", "regret_within_bound", "above_floor")
        nothing = dict.fromkeys(("floor", "protocol_floor", "theory"))
        return {**{name: {} for name in (*by_policy, "counts_against_delta")}, **nothing}
    return {
        "gain_within_bound": {p: comparison.gain_within_bound(p) for p in comparison.covered},
        "regret_within_bound": {p: comparison.regret_within_bound(p) for p in comparison.covered},
        "above_floor": {p: comparison.above_floor(p) for p in comparison.covered},
        "floor": None if comparison.floor is None else comparison.floor.to_dict(),
        "protocol_floor": None if comparison.protocol is None else comparison.protocol.to_dict(),
        "counts_against_delta": comparison.covered,
        "theory": _theory(comparison),
    }


def _theory(comparison: StudyComparison) -> dict[str, Any]:
    """Every run beside every bound, by name; the runs above one are listed apart."""
    return {
        "setting": comparison.setting,
        "beta": comparison.beta,
        "delta": comparison.delta,
        "observation": {p: reason for p, reason in comparison.observation.items() if reason},
        "share_above": {p: comparison.share_above(p) for p in comparison.covered},
        "above": [
            {
                "policy": run.policy,
                "seed": run.seed,
                "of": quantity,
                "bound": name,
                "value": value,
                "limit": limits[name],
                "counts_against_delta": quantity == "regret" and comparison.covered[run.policy],
            }
            for run in comparison.runs
            for quantity, value, limits, names in (
                ("gain", run.gain, run.gain_bounds, run.gain_above),
                ("regret", run.regret, run.regret_bounds, run.regret_above),
            )
            for name in names
        ],
        "runs": [asdict(run) for run in comparison.runs],
    }
