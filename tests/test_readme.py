"""Every command of the README and of the recipes runs and prints what is shown.

They run in a copy of the checkout, so that nothing that a person made is overwritten. Words and
digits have to agree, on every processor (`make test-processors`): nothing that is shown hangs on
the last bit of a number. Only what is drawn or fitted may be off by one unit of its last shown
digit, where rounding carries it over an edge. A line of `...` stands for any number of lines. The
dearest command is run by `make test-processors` alone. `make readme` writes the outputs and counts
anew.
"""

import re
import shlex
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import ctv
from bounds.gain.bounds import upper_bounds
from bounds.problem import Problem
from bounds.progress import unstaged
from bounds.static_gain.both_sides import gain_curve
from ctv import read_times
from own_runs.certificates.studies import bundled_coverage, covered_of
from proofs_check.language.claim import AGAINST, APART
from proofs_check.ledgers import CLAIMS
from simulation.after_run.coverage import binomial_interval
from simulation.study.under_bounds import simulated_runs
from tests import also
from tests.checkout import ROOT, copied

# In order and in one process: later commands read what earlier ones wrote.
pytestmark = [pytest.mark.xdist_group("readme"), pytest.mark.usefixtures("checkout_untouched")]

README, RECIPES = "README.md", "docs/recipes.md"
PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in (README, RECIPES)}
LEDGER = (ROOT / "LEDGER.md").read_text(encoding="utf-8")
MOST_WORDS, MOST_LINES = 880, 4
"""Of the README, and of what it shows of an output."""

NUMBER = re.compile(r"-?\d[\d,]*\.?\d*(?:e[-+]?\d+)?")
DRAWN = ("ctv simulate", "ctv certify")
"""How commands begin whose numbers are floating-point averages and quantiles of draws."""


def shown_commands(text: str) -> list[tuple[str, str]]:
    """(command, output) of every line that starts with `$` in a console block."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.splitlines()
            length = 1 + next(i for i, line in enumerate(lines) if not line.endswith("\\"))
            found.append(("\n".join(lines[:length]), "\n".join(lines[length:])))
    return found


def agree(shown: str, printed: str, units: int = 0) -> bool:
    """Whether two lines have the same words and numbers.

    `units` of the last shown digit may lie between numbers with a decimal point; counts agree.
    """
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", printed).split():
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed), strict=True)
    return all(a == b or _near(a, b, units) for a, b in pairs)


def _near(shown: str, printed: str, units: int) -> bool:
    if not units or "." not in shown + printed:
        return False
    a, b = (Decimal(number.replace(",", "")) for number in (shown, printed))
    # 1.000 beside 0.9998: of the coarser of the two.
    last = max(a.as_tuple().exponent, b.as_tuple().exponent)
    return abs(a - b) <= units * Decimal(1).scaleb(last)


def output_agrees(shown: list[str], printed: list[str], units: int = 0) -> bool:
    """Line by line, where a line `...` may stand for any lines."""
    if not shown:
        return not printed
    rest = shown[1:]
    if shown[0].strip() == "...":
        return any(output_agrees(rest, printed[i:], units) for i in range(len(printed) + 1))
    if not printed or not agree(shown[0], printed[0], units):
        return False
    return output_agrees(rest, printed[1:], units)


def made_by(page: str, command: str, folder: Path) -> list[str]:
    """The earlier commands of a page that write what this one reads, if it is not in the folder."""
    commands = [earlier for earlier, _ in shown_commands(PAGES[page])]
    before = commands[: commands.index(command)]
    read = [word for word in command.split() if word.startswith("out/")]
    missing = [word for word in read if not (folder / word).exists()]
    return [earlier for earlier in before if any(word in earlier.split() for word in missing)]


def output_of(command: str, folder: Path, others: Path | None = None) -> list[str]:
    """What a command prints on both channels, run in that copy of the checkout.

    `others` is a folder for what the same words print with `--json` and with `--all`.
    """
    name, *words = shlex.split(command.replace("\\\n", " "))
    assert name == "ctv"
    printed = also.forked(words, folder, others)
    return [line.rstrip() for line in printed.rstrip().splitlines()]


EXAMPLES = [(name, *pair) for name, text in PAGES.items() for pair in shown_commands(text)]


def marks_of(command: str) -> list[pytest.MarkDecorator]:
    """Those that draw, or search among symmetric points, run as other processors too."""
    if command == "ctv verify out/bound.json":  # two million cells: 14 s
        return [pytest.mark.slow]
    return [pytest.mark.processor] if command.startswith((*DRAWN, "ctv gain")) else []


COMMANDS = [
    pytest.param(command, id=command[:60], marks=marks_of(command))
    for command in dict.fromkeys(command for _, command, _ in EXAMPLES)
]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which commands write as they like."""
    return copied(tmp_path_factory.mktemp("readme"))


@pytest.mark.parametrize("command", COMMANDS)
def test_command_prints_what_is_shown(checkout: Path, command: str, tmp_path: Path) -> None:
    shown = [(page, output) for page, line, output in EXAMPLES if line == command]
    for earlier in made_by(shown[0][0], command, checkout):
        output_of(earlier, checkout)
    printed = output_of(command, checkout, tmp_path)
    units = 1 if command.startswith(DRAWN) else 0
    for page, output in shown:
        same = output_agrees(output.rstrip().splitlines(), printed, units)
        assert same, "\n".join([page, *printed])
    also.judged(tmp_path, printed)


def other_commands(text: str) -> list[str]:
    """The commands of blocks for a shell; those that work on the runs of all figures take hours."""
    blocks = "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)).replace("\\\n", "")
    return [line for line in re.findall(r"^ctv .*", blocks, re.MULTILINE) if " runs" not in line]


@pytest.mark.parametrize(
    "command",
    [
        *other_commands(PAGES[RECIPES]),
        "ctv coverage --study fitted",
        "ctv coverage --study stopping",
    ],
    ids=lambda line: line[:60],
)
def test_other_commands_have_a_json_and_a_whole_screen(
    checkout: Path, command: str, tmp_path: Path
) -> None:
    printed = output_of(command, checkout, tmp_path)
    also.judged(tmp_path, printed)
    assert len(list(tmp_path.iterdir())) == len(also.ALSO), printed


def test_each_kind_of_command_is_shown() -> None:
    commands = " ".join(command for _, command, _ in EXAMPLES)
    kinds = (
        *("bound", "partition", "uniformity", "gain", "ladder", "verify", "simulate", "certify"),
        *("rates", "figure", "report"),
    )
    assert [kind for kind in kinds if f"ctv {kind}" not in commands] == []


def test_the_readme_is_short() -> None:
    text = PAGES[README]
    assert len(text.split()) <= MOST_WORDS
    shown = shown_commands(text)
    assert len(shown) == text.count("\n*") == 7  # a command for each question
    for _, output in shown:
        assert len(output.rstrip().splitlines()) <= MOST_LINES + 1  # and a line of `...`


def test_the_first_screen_says_what_the_commands_say() -> None:
    (line,) = re.findall(r"^240 real model fits: .*", PAGES[README], re.MULTILINE)
    found = re.search(
        r"regret of ([\d,]+) .* proven here (\d+)\..* of (\d+), and of (\d+) .* below (\d+)\.",
        line,
    )
    assert found is not None
    printed, proven, lost, lighter, least = [float(n.replace(",", "")) for n in found.groups()]
    times = read_times(ROOT / "ctv/data/gradient_boosting_digits.csv")
    problem = Problem(times, epsilon=1e-4)
    for shown, exploration in ((lost, "theory"), (lighter, "sqrt-beta")):
        runs = simulated_runs(problem, range(8), exploration, unstaged)
        assert {run.initial for run in runs} == {0}  # from round 1 on
        assert shown == round(sum(float(run.cumulative_regret[-1]) for run in runs) / len(runs))
    report = upper_bounds(problem, gain_curve(problem))
    assert printed == pytest.approx(report.regret["theorem1"], abs=1.0)
    answer = dict(shown_commands(PAGES[README]))[
        "ctv bound --times ctv/data/gradient_boosting_digits.csv --epsilon 1e-4"
    ]
    assert f"≤ {proven:.0f}." in answer and f"expected regret ≥ {least:.0f}." in answer


def test_the_hero_picture_is_of_what_is_said_below_it() -> None:
    (line,) = re.findall(r"^A measured Hyperband search: .*", PAGES[README], re.MULTILINE)
    printed, proven, least = re.search(
        r"regret of ([\d,]+) .* proven here (\d+); .* below ([\d.]+)\.$", line
    ).groups()
    model = {"epsilon": 0.04, "dimension": 1, "lengthscale": 1.0, "noise_variance": 0.1}
    found = ctv.bound(ROOT / "ctv/data/hyperband_digits.csv", **model)
    assert float(proven) == round(found.value)
    assert float(least) == pytest.approx(found.floor.value, abs=0.05)
    allowed = found.to_dict()["regret"]["theorem1"]
    assert float(printed.replace(",", "")) == pytest.approx(allowed, abs=1.0)
    parts = ctv.partition(ROOT / "ctv/data/hyperband_digits.csv", **model, compare="equal:35")
    ratio = dict(parts.rows)["equal:35"].value / parts.value
    assert "1.25 times" in line and 1.25 <= ratio < 1.26
    brackets = {40, 57, 65, 69, 109, 126, 134, 138, 178, 195, 203, 207}
    assert brackets >= set(parts.cuts[1:])


def findings_counted() -> str:
    """The findings of the ledger in words, kind by kind."""
    found = Counter(claim.finding for claim in CLAIMS if not claim.place_of)
    return (
        f"{sum(found[kind] for kind in AGAINST)} findings count against one of them: "
        f"{found['false']} false, {found['missing hypothesis']} that lack a hypothesis, "
        f"{found['gap']} with a gap in the proof, {found['vacuous']} vacuous. Apart stand "
        f"{found['slip']} slips, {found['wrong reason']} true for another reason, "
        f"{found['scope']} about less than the title, {found['ill-posed']} ill-posed, "
        f"{found['not reproduced']} not reproduced by runs."
    )


def coverage_counted() -> str:
    """How often certificates with a fitted prior hold, by the bundled studies."""

    def share(quantity: str, method: str, study: str = "drawn") -> str:
        covered, runs = covered_of(quantity, method, study)
        low, high = binomial_interval(covered, runs)
        return (
            f"{covered} of {runs} ({100 * covered / runs:.1f} %, {100 * low:.1f} to "
            f"{100 * high:.1f} at 95 %)"
        )

    simple = {
        name: next(
            row
            for row in rows
            if (row.setting, row.quantity, row.method) == (None, "simple", "mixture")
        )
        for name, rows in bundled_coverage().items()
        if any(row.quantity == "simple" for row in rows)
    }
    short = [
        f"at {name.split()[1]} rounds in {share('simple', 'mixture', name)}"
        for name, row in simple.items()
        if row.high < row.level
    ]
    covered, runs = covered_of("simple", "mixture", "drawn")
    if binomial_interval(covered, runs)[1] < 0.9:
        short.append("over all lengths together")
    less = (
        f" **The weighted set covers simple regret less often than it says, {' and '.join(short)}: "
        "the whole interval lies below 90 %.**"
    )
    return (
        "In the bundled studies of simulated logs of 30, 60, 130 and 300 rounds, nominal 90 %, the "
        f"weighted set covered the cumulative regret of {share('cumulative', 'mixture')}, the best "
        f"prior of it put in for the truth {share('cumulative', 'plugged in')}, the true prior "
        f"{share('cumulative', 'true prior')}. Of simple regret, on which `--stop-below` rests, "
        f"they covered {share('simple', 'mixture')}, {share('simple', 'plugged in')} and "
        f"{share('simple', 'true prior')}.{less if short else ''} Where the first draws said stop "
        f"it covered {share('stopped', 'mixture')}. On logs of real fits it covered "
        f"{share('cumulative', 'mixture', 'real')} and {share('simple', 'mixture', 'real')}"
    )


def standing() -> dict[str, int]:
    """How many claims stand on what, by the ledger as it was written."""
    rows = re.findall(r"^\| ([A-Z_]+) \| (\w+) \| (\d+) \|", LEDGER, re.MULTILINE)
    kinds = Counter({(verdict, by): int(count) for verdict, by, count in rows})
    surely = ("exact", "enclosure", "search")
    proved = ("PROVED", "PROVED_ON_BOX", "PROVED_UP_TO", "REFUTED")
    balls = sum(kinds[verdict, by] for verdict in proved for by in surely)
    kernel = sum(count for (_, by), count in kinds.items() if by == "prover")
    return {
        "floating point": kinds["SUPPORTED", "search"],
        "exact numbers and balls": balls,
        "a certificate, re-checked": balls + kernel,
        "the kernel of Coq": kernel,
        "outlines": sum(count for (_, by), count in kinds.items() if by == "outline"),
        "nothing": sum(count for (v, _), count in kinds.items() if v == "UNDECIDED"),
    }


def counted(text: str) -> str:
    """The README with the counts of the ledger."""
    found = standing()
    for name, count in found.items():
        text = re.sub(rf"(\| {re.escape(name)} \|[^|]*\|) \d+ \|", rf"\1 {count} |", text)
    text = re.sub(r"\d+ further proofs", f"{found['outlines']} further proofs", text)
    text = re.sub(r"\d+ claims are undecided", f"{found['nothing']} claims are undecided", text)
    kinds = Counter(claim.finding for claim in CLAIMS if not claim.place_of)
    total, slips = sum(kinds[kind] for kind in AGAINST), kinds["slip"]
    text = re.sub(r"; \d+ of the paper's and", f"; {total} of the paper's and", text)
    return re.sub(r"besides \d+ slips", f"besides {slips} slips", text)


def test_the_ledger_is_counted_right() -> None:
    assert counted(PAGES[README]) == PAGES[README], "run make readme"
    assert sum(standing().values()) - standing()["a certificate, re-checked"] >= 0.95 * len(CLAIMS)
    (line,) = re.findall(r"^The ledger holds .*", PAGES[RECIPES], re.MULTILINE)
    assert f"{len(CLAIMS)} claims" in line
    assert findings_counted() in line


def test_the_coverage_of_fitted_priors_is_counted_right() -> None:
    assert f"{coverage_counted()} (`ctv coverage --study fitted`)." in PAGES[RECIPES]
    for quantity in ("cumulative", "simple"):
        held, logs = covered_of(quantity, "mixture", "real")
        assert held / logs >= 0.9 and binomial_interval(held, logs)[0] > 0.88


def test_a_reader_finds_the_same_counts_in_the_ledger() -> None:
    """In the table of counts and in the README."""
    section = LEDGER.split("## Findings\n")[1].split("## Errata")[0]
    found = Counter(claim.finding for claim in CLAIMS if not claim.place_of)
    again = Counter(claim.finding for claim in CLAIMS if claim.place_of)
    total = sum(found[kind] for kind in AGAINST)
    assert f"| **against the statement or its proof** | **{total}** |" in section
    (first,) = re.findall(r"^240 real model fits: .*", PAGES[README], re.MULTILINE)
    assert f"; {total} of the paper's and its rivals'" in first
    assert f"besides {found['slip']} slips" in first
    for kind in (*AGAINST, *APART):
        assert f"| {kind} | {found[kind]} | {again[kind]} |" in section


@pytest.mark.parametrize(
    "block", re.findall(r"```python\n(.*?)```", "".join(PAGES.values()), re.DOTALL)
)
def test_python_runs_alone(tmp_path: Path, block: str) -> None:
    (tmp_path / "durations.csv").write_text("duration\n2.5\n3.1\n0.7\n9\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (["a 1.000"], ["a 1.000"], True),
        (["a 1.000"], ["a 1.001"], False),
        (["a 1"], ["b 1"], False),
        (["a", "...", "c"], ["a", "b", "b", "c"], True),
        (["a", "...", "c"], ["a", "b"], False),
        (["a"], ["a", "b"], False),
    ],
)
def test_comparison_can_fail(shown: list[str], printed: list[str], same: bool) -> None:
    assert output_agrees(shown, printed) is same


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a 1.000 of 6", "a 1.001 of 6", True),
        ("a 1,234.5", "a 1,234.4", True),
        ("a 1.000", "a 0.9998", True),
        ("a 1.0e-05", "a 1.1e-05", True),
        ("a 1.000", "a 1.002", False),
        ("a 6 of 7", "a 5 of 7", False),
        ("a 19.17", "a 19.38", False),
    ],
)
def test_what_is_drawn_may_be_off_by_its_last_digit(shown: str, printed: str, same: bool) -> None:
    assert agree(shown, printed, 1) is same


def rewrite(folder: Path) -> None:
    """Put the present output below every command, and the present counts in their places.

    The commands run in that copy of the checkout.

    In the README of a long output the first lines; elsewhere what leaves lines out stays.
    """
    for name, before in PAGES.items():
        text = before
        for command, shown in shown_commands(text):
            lines = shown.rstrip().splitlines()
            if name == RECIPES and "..." in lines:
                continue
            for earlier in made_by(name, command, folder):
                output_of(earlier, folder)
            printed = output_of(command, folder)
            if name == README and len(printed) > MOST_LINES:
                printed = [*printed[:MOST_LINES], "..."]
            old = f"$ {command}\n" + (f"{shown}\n" if shown else "")
            text = text.replace(old, "\n".join([f"$ {command}", *printed, ""]))
        if name == README:
            text = counted(text)
        else:
            text = re.sub(r"\d+ claims, in our", f"{len(CLAIMS)} claims, in our", text)
            text = re.sub(r"\d+ of them are findings: [^.]*\.", findings_counted(), text)
        (ROOT / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        rewrite(copied(Path(made)))
