"""Write what the preprint inserts: verdicts of the ledger, tables and figures, each by the code.

`python docs/make_preprint.py` writes docs/preprint/generated; `make preprint` does so and compiles
docs/preprint/preprint.tex. Verdicts are derived as `ctv verify` derives them.
Nothing in these files is typed.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import ceil, floor, log10, sqrt
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from bounds.domain import Arms, Grid
from bounds.pattern import Waits
from bounds.problem import Problem
from bounds.rates.least import LEAST_EXPONENTS, LeastExponent, matern_exponents
from bounds.regret.ingredients.first_looks import FirstLooks, mean_length
from bounds.regret.ingredients.schedules.increments import least_ceiling
from bounds.regret.lower.rank import floor_after, protocol_floor
from bounds.regret.maximum.maximum import least_maximum
from bounds.sequences import Scaling, derived_regimes, smooth_regimes
from bounds.smooth.order import greedy_order, least_order
from bounds.times import EvaluationTimes
from ctv.figures.canvas import COLOURS, frame, label_ends
from ctv.inputs import read_times
from proofs_check.language.claim import Claim
from proofs_check.ledgers import CLAIMS
from proofs_check.records.ledger import Row
from proofs_check.records.verify import verify
from simulation.before_run.schedule import schedule_bound
from simulation.policies.readings import Readings
from simulation.runs.run import simulate
from simulation.world.evaluation_time import in_order

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "preprint" / "generated"
LISTED = (
    "theorem-r",
    "lemma-sf",
    "theorem-r-plus",
    "theorem-n",
    "theorem-i3",
    "greedy-blocks",
    "control-form",
    "lemma-h",
    "lemma-2s",
    "lemma-q",
    "protocol",
)
"""Anchors of docs/theory.md whose claims the appendix lists, in its order."""

_LETTERS = {
    "Ψ₁": r"$\Psi_1$",
    "Ψ": r"$\Psi$",
    "Π": r"$\Pi$",
    "Γ": r"$\Gamma$",
    "γ": r"$\gamma$",
    "ε": r"$\varepsilon$",
    "σ": r"$\sigma$",
    "ν": r"$\nu$",
    "∂²": r"$\partial^2$",
    "²": r"$^2$",
    "₀": r"$_0$",
    "°": r"$^\circ$",
    "√": r"$\surd$",
    "–": "--",
    "_e": r"$_e$",
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "±": r"$\pm$",
}
_SOURCES = {"prover": "kernel", "exact": "exact", "search": "search", "outline": ""}


def words(row: Row) -> str:
    """A verdict as the preprint has it: what was found, what reached it, and what that assumes."""
    source = _SOURCES.get(row.by, row.by)
    said = f"{str(row.verdict).lower().replace('_', ' ')}{f', {source}' if source else ''}"
    assumed = row.to_json()["assumes"]
    return f"{said}, given {', '.join(assumed)}" if assumed else said


def named_claims() -> tuple[str, ...]:
    """The ids that the text names, in its order."""
    text = (FOLDER.parent / "preprint.tex").read_text(encoding="utf-8")
    return tuple(dict.fromkeys(re.findall(r"\\claim\{([a-z0-9-]+)\}", text)))


def listed_claims() -> tuple[Claim, ...]:
    """The claims of the listed anchors, anchor by anchor."""
    where = [f"docs/theory.md#{anchor}" for anchor in LISTED]
    return tuple(claim for place in where for claim in CLAIMS if claim.where == place)


@cache
def ledger() -> Mapping[str, Row]:
    """The rows of the claims that the text names or lists, derived now: some 20 s."""
    asked = dict.fromkeys((*named_claims(), *(claim.id for claim in listed_claims())))
    return {row.claim.id: row for row in verify(list(asked), "fast").rows}


def escaped(text: str) -> str:
    """Text as LaTeX; raises ValueError for a letter that is not known."""
    for special in "&%#_$":
        text = text.replace(special, f"\\{special}")
    for letter, code in _LETTERS.items():
        text = text.replace(letter.replace("_", r"\_"), code)
    strange = {letter for letter in text if ord(letter) > 0xFF}
    if strange:
        raise ValueError(f"no LaTeX for {strange} in {text!r}")
    return text


def verdicts() -> str:
    """A command for each claim that the text names: what the ledger says of it."""
    rows = (
        rf"\setverdict{{{name}}}{{{escaped(words(ledger()[name]))}}}" for name in named_claims()
    )
    return "\n".join(rows) + "\n"


def claims() -> str:
    """A row for each claim of the listed anchors."""
    rows = (
        (
            rf"\texttt{{{claim.id.removeprefix('theory-')}}}",
            escaped(claim.label),
            escaped(words(ledger()[claim.id])),
        )
        for claim in listed_claims()
    )
    return "".join(" & ".join(row) + " \\\\\n" for row in rows)


def counted() -> tuple[int, int]:
    """Claims of the whole ledger, and those that the kernel decides, by the table of LEDGER.md."""
    text = (ROOT / "LEDGER.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [A-Z_]+ \| (\w+) \| (\d+) \|", text, re.MULTILINE)
    assert rows, "LEDGER.md has no table of verdicts"
    every = sum(int(count) for _, count in rows)
    return every, sum(int(count) for by, count in rows if by == "prover")


def table(columns: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with rules above, below and under its head."""
    lines = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(head) + r" \\",
        r"\midrule",
    ]
    lines += [" & ".join(row) + r" \\" for row in rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def exponents() -> str:
    """What is known of the exponent of ε a round, both sides."""
    every: list[LeastExponent] = [
        *LEAST_EXPONENTS,
        matern_exponents(Fraction(5, 2), 1),
        matern_exponents(Fraction(7, 2), 1),
    ]
    rows = (
        (
            escaped(one.where.replace("Matern", "Matérn").replace("nu =", "ν =")),
            f"${one.ceiling}$",
            f"${one.floor}$",
            escaped(one.reached_by.partition(":")[0]),  # without its constants
            escaped(one.held_by),
        )
        for one in every
    )
    wide = r">{\raggedright}p{33mm}cc>{\raggedright}p{48mm}>{\raggedright\arraybackslash}p{30mm}"
    head = ("domain and kernel", "reached", "least", "reached by", "no policy beats it")
    return table(wide, head, rows)


def families() -> str:
    """Exponents of n at a total drift of order one (κ = 0), by family of times."""
    shown = (
        ("unit steps", Scaling("uniform")),
        (r"$t_i=2^i$", Scaling("geometric", ratio=2)),
        (r"$t_i=i^{-6/5}$", Scaling("power", power="-6/5")),
        (r"$t_i=i^{-2}$", Scaling("power", power=-2)),
        (r"$\sqrt n$ bursts", Scaling("bursts", bursts="1/2")),
        (r"gaps of tail $1/2$", Scaling("pareto", tail="1/2")),
        (r"period $\sqrt n$", Scaling("periodic", period="1/2")),
    )
    rows = (
        (
            name,
            f"${smooth_regimes(scaling).exponent(0)}$",
            f"${derived_regimes(scaling, 0, 'refined').exponent(0)}$",
            f"${derived_regimes(scaling, 0, 'theorem1').exponent(0)}$",
        )
        for name, scaling in shown
    )
    return table("lccc", ("times", "least regret", "Theorem A", "printed theorem"), rows)


def sequences(n: int = 600) -> Mapping[str, np.ndarray]:
    """Durations whose patterns differ and whose lengths agree."""
    unit = np.ones(n)
    bursts = np.full(n, 0.1)
    bursts[30::30] = 300.0
    growing = np.concatenate([[1.0], 1.02 ** np.arange(n - 1)])
    gap = np.ones(n)
    gap[n // 2] = 1e6
    return {"unit": unit, "at once": 0.0 * unit, "bursts": bursts, "growing": growing, "gap": gap}


ORDERS = (
    ("unit", 1e-2, 1.0),
    ("at once", 1e-2, 1.0),
    ("bursts", 1e-2, 1.0),
    ("unit", 1e-3, 0.01),
    ("bursts", 1e-3, 0.01),
    ("growing", 1e-3, 0.01),
    ("gap", 1e-3, 0.01),
)
"""Times, ε and σ² of the table of orders."""


def order_rows() -> list[tuple[str, float, float, float, float, int, float, float]]:
    """Times, ε, σ², Π, Ψ, its blocks, Ψ₁ and the factor of the greedy blocks, of each case."""
    known, found = sequences(), []
    for name, epsilon, noise in ORDERS:
        times = EvaluationTimes.from_durations(known[name])
        problem = Problem(times, epsilon=epsilon, noise_variance=noise)
        best, one = least_order(problem), least_order(problem, "smooth-1")
        waits = Waits.of(times, problem.time_kernel, noise)
        factor = greedy_order(problem).value / best.value
        blocks = len(best.partition)
        found.append((name, epsilon, noise, waits.total, best.value, blocks, one.value, factor))
    return found


def orders() -> str:
    """Π, Ψ and Ψ₁ of some sequences of 600 rounds."""
    rows = (
        (
            name,
            rf"$10^{{{round(log10(epsilon))}}}$",
            f"{noise:g}",
            f"{shares:.2f}",
            f"{psi:.2f}",
            str(blocks),
            f"{one:.2f}",
            f"{factor:.3f}",
        )
        for name, epsilon, noise, shares, psi, blocks, one, factor in order_rows()
    )
    head = ("times", r"$\varepsilon$", r"$\sigma^2$", r"$\Pi$", r"$\Psi$", "blocks", r"$\Psi_1$")
    return table("lrrrrrrr", (*head, r"greedy$/\Psi$"), rows)


def ceilings() -> str:
    """Lemma SF a round over m*, its Theorem X and the simulated loss of the same schedule."""
    rows = []
    cases = (
        ("line, 41", Grid(1, 1.0, 41), 1e-2, 1.0, 12),
        ("line, 41", Grid(1, 1.0, 41), 1e-3, 1.0, 12),
        ("line, 41", Grid(1, 1.0, 41), 1e-4, 1.0, 12),
        ("line, 41", Grid(1, 1.0, 41), 1e-4, 0.01, 12),
        (r"square, $8\times8$", Grid(2, 1.0, 8), 1e-4, 0.01, 12),
        ("5 arms", Arms(5), 1e-3, 0.01, 100),
    )
    for name, domain, epsilon, noise, runs in cases:
        times = EvaluationTimes.from_durations(np.ones(400))
        problem = Problem(times, epsilon=epsilon, noise_variance=noise, domain=domain)
        found = least_ceiling(problem)
        exact = schedule_bound(problem, found.schedule, draws=2_000)
        mean = exact.maximum.mean
        setup = replace(Readings(), schedule=found.schedule)
        lost = [
            simulate(
                problem,
                in_order(times, 400),
                "block-schedule",
                seed=seed,
                initial=0,
                rounds=400,
                readings=setup,
            ).regrets.sum()
            for seed in range(runs)
        ]
        error = np.std(lost, ddof=1) / sqrt(runs)
        rows.append(
            (
                name,
                rf"$10^{{{round(log10(epsilon))}}}$",
                f"{noise:g}",
                str(len(found.schedule.rounds)),
                f"{_up(found.value / 400)}",
                f"{exact.estimate / (400 * mean):.3f}",
                rf"${np.mean(lost) / (400 * mean):.3f}\pm{error / (400 * mean):.3f}$",
                f"{found.value * mean / np.mean(lost):.2f}",
            )
        )
    head = (
        "domain",
        r"$\varepsilon$",
        r"$\sigma^2$",
        "looks",
        "Lemma SF",
        "Theorem X",
        "simulated",
    )
    return table("lrrrrrrr", (*head, "ratio"), rows)


def _up(value: float) -> str:
    return f"{ceil(1_000 * value) / 1_000:.3f}"


def _down(value: float) -> str:
    return f"{floor(1_000 * value) / 1_000:.3f}"


def example() -> Problem:
    """The bundled problem: 240 measured durations, ε = 10⁻⁴."""
    return Problem(read_times(ROOT / "ctv/data/gradient_boosting_digits.csv"), epsilon=1e-4)


def start_up() -> str:
    """E max of the posterior mean after i known looks by each bound, without drift, σ² = 0.01."""
    problem = Problem(EvaluationTimes.from_durations(np.zeros(12)))
    shape = FirstLooks.of(problem)
    assert shape is not None  # of a squared exponential
    rows: list[tuple[str, ...]] = []
    length = [float(mean_length(i)) for i in range(7)]
    rows.append(("full information", *(f"{_up(length[i])}" for i in range(1, 7))))
    halves = [0.5 * (length[i] + length[i - 1]) for i in range(1, 7)]
    rows.append(("Lemma H", *(f"{_up(value)}" for value in halves)))
    sharper = [halves[0], *(float(shape.earned(i, i, 0.0)) for i in range(2, 7))]
    rows.append(("Lemma 2S, enclosed", *(f"{_up(value)}" for value in sharper)))
    return table("lrrrrrr", ("known looks", *(str(i) for i in range(1, 7))), rows)


def numbers() -> str:
    """Numbers of the text: m*, the floors of the bundled problem and of the paper's protocol."""
    problem = example()
    least = least_maximum(problem)
    whole = floor_after(problem, 0)
    behind = protocol_floor(problem, 30)
    assert whole is not None and behind is not None  # the time kernel is Markov
    assert least.certified and whole.certified and behind.certified
    every, by_kernel = counted()
    return "".join(
        rf"\newcommand{{\{name}}}{{{value}}}" + "\n"
        for name, value in (
            ("leastmaximum", _down(least.value)),
            ("bundledfloor", _down(whole.value)),
            ("protocolfloor", f"{floor(10 * behind.value) / 10:.1f}"),
            ("claimscounted", str(every)),
            ("kernelcounted", str(by_kernel)),
        )
    )


def order_figure() -> Figure:
    """Ψ and Π a round against ε, for unit steps and for bursts of equal total time."""
    n, epsilons = 4_000, np.geomspace(1e-6, 1e-1, 16)
    unit, bursts = np.ones(n), np.zeros(n)
    bursts[::200] = 200.0
    curves: dict[str, list[float]] = {}
    for name, waits in (("unit steps", unit), ("bursts of 200", bursts)):
        times = EvaluationTimes.from_durations(waits)
        for epsilon in epsilons:
            problem = Problem(times, epsilon=float(epsilon), noise_variance=1.0)
            psi = least_order(problem).value / n
            shares = Waits.of(times, problem.time_kernel, 1.0).total / n
            curves.setdefault(rf"$\Psi/n$, {name}", []).append(psi)
            curves.setdefault(rf"$\Pi/n$, {name}", []).append(shares)
    colours = ("#0072b2", "#d55e00", "#56b4e9", "#e69f00")
    with frame(5.6, 3.2) as figure:
        axes = figure.add_subplot()
        ends = []
        for colour, (name, values) in zip(colours, curves.items(), strict=True):
            style = "-" if "unit" in name else "--"
            axes.loglog(epsilons, values, color=colour, linestyle=style, linewidth=1.3)
            ends.append((values[-1], name, colour))
        for slope, anchor in ((1 / 3, 0.9), (1 / 2, 0.35)):
            axes.loglog(epsilons[4:12], anchor * epsilons[4:12] ** slope, ":", color="#9a9a9a")
        axes.set_xlabel(r"$\varepsilon$")
        axes.set_xlim(epsilons[0], epsilons[-1])
        label_ends(axes, ends)
    return figure


def blocks_figure() -> Figure:
    """The drift inside the blocks of Ψ and of greedy ones, for a sequence with bursts and a gap."""
    waits = np.concatenate([np.ones(120), np.tile([0.02] * 39 + [60.0], 4), np.full(120, 3.0)])
    problem = Problem(EvaluationTimes.from_durations(waits), epsilon=1e-3, noise_variance=1.0)
    with frame(5.6, 2.4) as figure:
        axes = figure.add_subplot()
        tau = problem.times.times
        axes.plot(np.arange(1, len(waits) + 1), tau, color=COLOURS["run"], linewidth=1.0)
        for height, name, found, colour in (
            (0.06, "optimum", least_order(problem), "#0072b2"),
            (0.12, "greedy", greedy_order(problem), "#d55e00"),
        ):
            cuts = np.array(found.partition.cuts[1:-1]) + 0.5
            axes.plot(cuts, np.full(len(cuts), height * tau[-1]), "|", color=colour, markersize=9)
            axes.text(len(waits) * 1.01, height * tau[-1], name, color=colour, va="center")
        axes.set_xlabel("round")
        axes.set_ylabel(r"time $\tau$")
        axes.set_xlim(0, len(waits))
    return figure


def regret_figure() -> Figure:
    """Regret a round against ε, from the stored table of benchmarks/smooth_regret.py."""
    sys.path.insert(0, str(ROOT))
    from benchmarks.smooth_regret import picture

    return picture(json.loads((ROOT / "benchmarks/smooth_regret.json").read_text("utf-8")))


FILES: Mapping[str, Callable[[], str]] = {
    "verdicts.tex": verdicts,
    "claims.tex": claims,
    "exponents.tex": exponents,
    "families.tex": families,
    "orders.tex": orders,
    "ceilings.tex": ceilings,
    "start_up.tex": start_up,
    "numbers.tex": numbers,
}
FIGURES: Mapping[str, Callable[[], Figure]] = {
    "order.pdf": order_figure,
    "blocks.pdf": blocks_figure,
    "regret.pdf": regret_figure,
}


def main(names: Sequence[str] = ()) -> None:
    """Write the files of these names; all without any."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        if not names or name in names:
            (FOLDER / name).write_text(text(), encoding="utf-8")
    for name, drawn in FIGURES.items():
        if not names or name in names:
            # Without a date the same figure is the same file.
            drawn().savefig(FOLDER / name, metadata={"CreationDate": None})


if __name__ == "__main__":
    main(sys.argv[1:])
