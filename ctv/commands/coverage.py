"""`ctv coverage`: how often certificates cover the truth, and the warning that comes of it.

The bundled study, `data/coverage.json`, was written by `--out`; `ctv certify` quotes it.
"""

from __future__ import annotations

import json as json_text
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from bounds.errors import InvalidInput
from ctv.inputs import bundled_coverage
from ctv.options.named_values import listed
from ctv.options.problem import Delta, Seed, checked_seed, refuse
from ctv.outputs import check_file, write_whole
from ctv.show.plain import echo_model
from ctv.show.rounding import digits
from ctv.show.sheet import Row, Sheet, numbers, words
from ctv.show.shown import Screen, Shown
from ctv.terminal.command import pictured

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.problem import Problem
    from bounds.progress import Stage
    from simulation.after_run.coverage import Coverage

EXAMPLE = """\
>>> ctv.coverage(runs=20, rounds=5, setting="uniform", bound="rank", policy="random")
<CoverageStudy: 1 of 1 rows keep their level under the true prior>
"""

_option = partial(typer.Option, rich_help_panel="Coverage")

_MOST_ROWS = 12
_PATHS = 19
"""Of each run, where a small delta does not ask for more."""
_MOST_PATHS = 10_000
"""Of each run: more simulated runs take hours."""


@dataclass(frozen=True)
class CoverageOptions:
    """What is simulated and certified."""

    runs: Annotated[
        int, _option(help="Simulated runs of each setting and policy.", metavar="WHOLE")
    ] = 100
    rounds: Annotated[int, _option(help="Rounds of a run.", metavar="WHOLE")] = 20
    setting: Annotated[str, _option(help="Comma list of uniform and biased.", metavar="LIST")] = (
        "uniform,biased"
    )
    policy: Annotated[
        str,
        _option(help="Comma list of policies, each with its exploration.", metavar="LIST"),
    ] = "ctv-fixed theory,ctv-fixed sqrt-beta,random"
    prior: Annotated[
        str | None,
        _option(help="Comma list of what is assumed: true, 'lengthscale x 1.5', …", metavar="LIST"),
    ] = None
    bound: Annotated[
        str,
        _option(
            help="Comma list of rank, probability, probability-forward, simulation.",
            metavar="LIST",
        ),
    ] = "rank,probability,probability-forward,simulation"
    kernel: Annotated[str, _option(help="se or matern52.", metavar="KERNEL")] = "se"
    delta: Delta = 0.1
    seed: Seed = 0
    out: Annotated[Path | None, _option(help="Write the study as JSON.", metavar="FILE.json")] = (
        None
    )
    study: Annotated[
        str | None,
        _option(
            help="Show a study that comes with the project instead: fitted, certificates of logs "
            "whose prior was fitted; or stopping, what stopping rules in use state.",
            metavar="NAME",
        ),
    ] = None


def run(options: CoverageOptions, advance: Stage) -> tuple[Coverage, ...]:
    """The study that the options describe; raises InvalidInput outside their domains."""
    from simulation.after_run.coverage import PRIORS, coverage_study, small_problem
    from simulation.after_run.rank import least_paths

    if options.kernel not in ("se", "matern52"):
        raise InvalidInput("kernel", options.kernel, "use se or matern52")
    if options.rounds < 1:
        raise InvalidInput("rounds", options.rounds, "give at least 1")
    checked_seed(options.seed)
    paths = max(_PATHS, least_paths(options.delta))
    if paths > _MOST_PATHS:
        remedy = f"give at least {1.0 / _MOST_PATHS:g}: every run needs 1/delta - 1 others"
        raise InvalidInput("delta", options.delta, remedy)
    return coverage_study(
        small_problem(options.kernel, options.delta),
        runs=options.runs,
        rounds=options.rounds,
        settings=listed(options.setting),
        policies=listed(options.policy),
        priors=PRIORS if options.prior is None else listed(options.prior),
        certificates=listed(options.bound),
        paths=paths,
        seed=options.seed,
        progress=advance,
    )


@dataclass(frozen=True, eq=False, repr=False)
class CoverageStudy(Shown):
    """How often each certificate covered the truth.

    Attributes
    ----------
    rows : a cell each of setting, policy, assumed prior and certificate
    origin : `problem`, `version` and `seed` of the JSON
    """

    format = "ctv-bounds coverage 1"

    rows: tuple[Coverage, ...]
    origin: Mapping[str, Any]

    def headline(self) -> str:
        true = [row for row in self.rows if row.prior == "true"]
        kept = sum(not row.broken for row in true)
        return f"{kept} of {len(true)} rows keep their level under the true prior"

    def exit_code(self) -> int:
        return int(any(row.broken for row in self.rows if row.prior == "true"))

    def parts(self) -> dict[str, Any]:
        from simulation.after_run.coverage import CONFIDENCE, broken_below

        return {
            "coverage": [{**asdict(row), "p_value": row.p_value} for row in self.rows],
            "interval": CONFIDENCE,
            "broken_below": broken_below(self.rows),
            **self.origin,
        }

    def screen(self) -> Screen:
        """What was kept, then a table for each setting and policy."""
        from simulation.after_run.coverage import FALSE_ALARM

        true = [row for row in self.rows if row.prior == "true"]
        text = ""
        if true:
            kept = sum(not row.broken for row in true)
            text += f"Under the true prior {kept} of {len(true)} rows keep their level. "
        if len(self.rows) > len(true):
            short = sum(row.prior != "true" and row.broken for row in self.rows)
            text += f"Under wrong ones {short} of {len(self.rows) - len(true)} do not. "
        text += (
            "Marked ◂: too small for the level, exact one-sided binomial p-value below "
            f"{FALSE_ALARM} / {max(len(true), 1)}, the rows under the true prior."
        )
        meaning = (
            "covered: share of runs whose regret is at most the certificate (of the intervals, "
            "each at 95 % by itself, a few miss the level by chance). doubted: share of runs whose "
            "observations spoke against the assumed prior at 1 %."
        )
        groups = dict.fromkeys((row.setting, row.policy) for row in self.rows)
        tables = [
            _sheet(
                f"{setting} times, {policy}",
                [row for row in self.rows if (row.setting, row.policy) == (setting, policy)],
            )
            for setting, policy in groups
        ]
        first = tables[0].shortened(_MOST_ROWS)
        rest = tables[1:] if first is tables[0] else tables
        return Screen((text, first), (*rest, meaning))

    def plot(self) -> Figure:
        """Shares of runs that were covered, with intervals."""
        from ctv.figures.runs import coverage

        return coverage.draw(self.rows)


def _sheet(title: str, rows: Sequence[Coverage]) -> Sheet:
    before, lines = "", []
    for row in rows:
        cells = (
            "" if row.prior == before else row.prior,
            row.certificate,
            f"{row.level:.3g}",
            f"{row.covered / row.runs:.2f}",
            # The mark behind the interval keeps its place where there is none.
            f"{row.low:.2f} … {row.high:.2f}{' ◂' if row.broken else ''}",
            digits(row.ratio, 3),
            f"{row.doubted:.2f}",
        )
        lines.append(Row(cells, emphasised=row.broken))
        before = row.prior
    return Sheet(
        title,
        (
            *words("prior assumed", "certificate"),
            *numbers("level", "covered"),
            *words("95 % interval"),
            *numbers("ratio", "doubted"),
        ),
        tuple(lines),
        "Shares of simulated runs; floating point, not certified.",
    )


@pictured
def coverage(options: CoverageOptions, *, advance: Stage) -> Shown:
    """How often do certificates cover the truth, also when the assumed prior is wrong?

    Small simulated problems (6×6 points, lengthscale 0.3, ε = 0.02, σ² = 0.01). The 95 % intervals
    are for each row by itself. A row is marked where the exact one-sided binomial p-value of its
    level is below 0.001 divided by the number of rows under the true prior; exit 1 where one of
    those is, which happens once in 1000 studies at most if all levels hold.
    """
    if options.study is not None:
        return _bundled(options)
    check_file(options.out)
    from simulation.after_run.coverage import small_problem

    rows = run(options, advance)
    model = echo_model(small_problem(options.kernel, options.delta))
    origin = {"problem": {"rounds": options.rounds, **model}, "seed": options.seed}
    study = CoverageStudy(rows, origin)
    if options.out is not None:
        write_whole(options.out, json_text.dumps(study.to_dict(), indent=1).encode())
    return study


def _bundled(options: CoverageOptions) -> Shown:
    """A stored study; InvalidInput for an unknown one and for options of a new one."""
    from ctv import extensions

    refuse(options, "drop it, or drop --study", kept=("study",))
    name = options.study or ""
    known = extensions.names("studies")
    if name not in known:
        raise InvalidInput("study", name, f"use {', '.join(known)}")
    return cast(Shown, extensions.load("studies", name)())


def prior_warning(names: Sequence[str], problem: Problem) -> str:
    """What the bundled study says of a wrong prior, for the certificates shown; one sentence."""
    rows = [row for row in bundled_coverage() if row.certificate in names and row.prior != "true"]
    if not rows:
        return ""
    worst = min(rows, key=lambda row: row.covered / row.runs)
    share = 100.0 * worst.covered / worst.runs
    return (
        f"levels hold under the true prior only: with the wrong one ({worst.prior}) "
        f"{worst.certificate} covered {share:.0f} % instead of {100 * worst.level:.0f} % of runs "
        f"({worst.policy}, {worst.setting} times; ctv figure coverage)"
    )
