"""Every command of the README and of the recipes runs and prints what is shown.

Words have to agree, numbers to three digits (the last ones differ between processors); a line of
`...` stands for any number of lines. `make readme` writes the outputs and counts anew.
"""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bounds.problem import Problem
from bounds.progress import unstaged
from bounds.promises.bounds import upper_bounds
from bounds.static_gain.both_sides import gain_curve
from ctv import read_times
from ctv.gallery.runs import simulated_runs
from proofs_check.claims import CLAIMS

# In order and in one process: later commands read what earlier ones wrote.
pytestmark = pytest.mark.xdist_group("readme")

ROOT = Path(__file__).resolve().parent.parent
README, RECIPES = "README.md", "docs/recipes.md"
PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in (README, RECIPES)}
LEDGER = (ROOT / "LEDGER.md").read_text(encoding="utf-8")
MOST_WORDS, MOST_LINES = 800, 4
"""Of the README, and of what it shows of an output."""

NUMBER = re.compile(r"-?\d[\d,]*\.?\d*(?:e[-+]?\d+)?")


def shown_commands(text: str) -> list[tuple[str, str]]:
    """(command, output) of every line that starts with `$` in a console block."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.splitlines()
            length = 1 + next(i for i, line in enumerate(lines) if not line.endswith("\\"))
            found.append(("\n".join(lines[:length]), "\n".join(lines[length:])))
    return found


def agree(shown: str, printed: str) -> bool:
    """Whether two lines have the same words, and the same numbers to three digits."""
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", printed).split():
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed), strict=True)
    values = [(float(a.replace(",", "")), float(b.replace(",", ""))) for a, b in pairs]
    return all(abs(a - b) <= 2e-3 * max(abs(a), abs(b)) for a, b in values)


def output_agrees(shown: list[str], printed: list[str]) -> bool:
    """Line by line, where a line `...` may stand for any lines."""
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(output_agrees(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and agree(shown[0], printed[0]) and output_agrees(shown[1:], printed[1:])


def made_by(page: str, command: str) -> list[str]:
    """The earlier commands of a page that write what this one reads, where it is not there yet."""
    commands = [earlier for earlier, _ in shown_commands(PAGES[page])]
    before = commands[: commands.index(command)]
    read = [word for word in command.split() if word.startswith("out/")]
    missing = [word for word in read if not (ROOT / word).exists()]
    return [earlier for earlier in before if any(word in earlier.split() for word in missing)]


def output_of(command: str) -> list[str]:
    """What a command prints on both channels, run in the root of the project."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        # As where the proof assistant has not run: a receipt of this machine changes no page.
        env={**os.environ, "PATH": path, "COLUMNS": "80", "CTV_RECEIPTS": os.devnull},
        capture_output=True,
        text=True,
        check=False,
    )
    return [line.rstrip() for line in (done.stdout + done.stderr).rstrip().splitlines()]


EXAMPLES = [(name, *pair) for name, text in PAGES.items() for pair in shown_commands(text)]


@pytest.mark.parametrize(
    "command", dict.fromkeys(command for _, command, _ in EXAMPLES), ids=lambda line: line[:60]
)
def test_command_prints_what_is_shown(command: str) -> None:
    shown = [(page, output) for page, line, output in EXAMPLES if line == command]
    for earlier in made_by(shown[0][0], command):
        output_of(earlier)
    printed = output_of(command)
    for page, output in shown:
        assert output_agrees(output.rstrip().splitlines(), printed), "\n".join([page, *printed])


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
    assert len(shown) == text.count("\n*") == 6  # a command for each question
    for _, output in shown:
        assert len(output.rstrip().splitlines()) <= MOST_LINES + 1  # and a line of `...`


def test_the_first_screen_says_what_the_commands_say() -> None:
    (line,) = re.findall(r"^240 real model fits: .*", PAGES[README], re.MULTILINE)
    printed, proven, lost, least = [
        float(number.replace(",", "")) for number in re.findall(r"[\d,]*\d", line)[1:5]
    ]
    times = read_times(ROOT / "ctv/data/gradient_boosting_digits.csv")
    problem = Problem(times, epsilon=1e-4)
    runs = simulated_runs(problem, range(8), "theory", unstaged)
    assert lost == round(sum(float(run.cumulative_regret[-1]) for run in runs) / len(runs))
    report = upper_bounds(problem, gain_curve(problem))
    assert printed == pytest.approx(report.regret["theorem1"], abs=1.0)
    answer = dict(shown_commands(PAGES[README]))[
        "ctv bound --times ctv/data/gradient_boosting_digits.csv --epsilon 1e-4"
    ]
    assert f"at most {proven:.0f}." in answer and f"less than {least:.0f}." in answer


def findings_counted() -> str:
    """The findings of the ledger in words, kind by kind."""
    found = Counter(claim.finding for claim in CLAIMS if not claim.place_of)
    del found["none"]
    return (
        f"{found.total()} of them are findings: {found['false']} false, "
        f"{found['missing hypothesis']} that lack a hypothesis, {found['gap']} gaps in a "
        f"proof, {found['slip']} slips, {found['vacuous']} vacuous, "
        f"{found['wrong reason']} true for another reason, "
        f"{found['not reproduced']} not reproduced by runs."
    )


def standing() -> dict[str, int]:
    """How many claims stand on what, by the ledger as it was written."""
    rows = re.findall(r"\| ([A-Z_]+) by (\w+)[^|]*\|", LEDGER.split("## All claims")[1])
    kinds = Counter((verdict, by) for verdict, by in rows)
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
    text = re.sub(r"another \d+ outlines", f"another {found['outlines']} outlines", text)
    text = re.sub(r"of \d+ claims runs", f"of {found['nothing']} claims runs", text)
    total = findings_counted().split()[0]
    return re.sub(r"; \d+ of the paper's and", f"; {total} of the paper's and", text)


def test_the_ledger_is_counted_right() -> None:
    assert counted(PAGES[README]) == PAGES[README], "run make readme"
    assert sum(standing().values()) - standing()["a certificate, re-checked"] >= 0.95 * len(CLAIMS)
    (line,) = re.findall(r"^The ledger holds .*", PAGES[RECIPES], re.MULTILINE)
    assert f"{len(CLAIMS)} claims" in line
    assert findings_counted() in line


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
        (["a 1.000"], ["a 1.001"], True),
        (["a 1.000"], ["a 1.1"], False),
        (["a 1"], ["b 1"], False),
        (["a", "...", "c"], ["a", "b", "b", "c"], True),
        (["a", "...", "c"], ["a", "b"], False),
        (["a"], ["a", "b"], False),
    ],
)
def test_comparison_can_fail(shown: list[str], printed: list[str], same: bool) -> None:
    assert output_agrees(shown, printed) is same


def rewrite() -> None:
    """Put the present output below every command, and the present counts in their places.

    In the README of a long output the first lines; elsewhere what leaves lines out stays.
    """
    for name, before in PAGES.items():
        text = before
        for command, shown in shown_commands(text):
            lines = shown.rstrip().splitlines()
            if name == RECIPES and "..." in lines:
                continue
            for earlier in made_by(name, command):
                output_of(earlier)
            printed = output_of(command)
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
    rewrite()
