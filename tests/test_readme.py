"""Every command of the README runs and prints what the README shows.

Words have to agree, numbers to three digits (the last ones differ between processors); a line of
`...` stands for any number of lines. `make readme` writes the outputs anew.
"""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from proofs_check.claims import CLAIMS

# In order and in one process: later commands read what earlier ones wrote.
pytestmark = pytest.mark.xdist_group("readme")

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
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


def made_by(command: str) -> list[str]:
    """The earlier commands that write what this one reads, where it is not there yet."""
    commands = [earlier for earlier, _ in shown_commands(README)]
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
        env={**os.environ, "PATH": path, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )
    return [line.rstrip() for line in (done.stdout + done.stderr).rstrip().splitlines()]


@pytest.mark.parametrize(("command", "shown"), shown_commands(README), ids=lambda text: text[:40])
def test_command_prints_what_is_shown(command: str, shown: str) -> None:
    for earlier in made_by(command):
        output_of(earlier)
    printed = output_of(command)
    assert output_agrees(shown.rstrip().splitlines(), printed), "\n".join(printed)


def test_each_kind_of_command_is_shown() -> None:
    commands = " ".join(command for command, _ in shown_commands(README))
    kinds = (
        *("bound", "partition", "uniformity", "gain", "ladder", "verify", "simulate", "certify"),
        *("rates", "figure", "report"),
    )
    assert [kind for kind in kinds if f"ctv {kind}" not in commands] == []


def test_the_ledger_is_counted_right() -> None:
    findings = Counter(claim.finding for claim in CLAIMS if not claim.place_of)
    del findings["none"]
    (line,) = re.findall(r"^The ledger holds .*", README, re.MULTILINE)
    counts = (
        f"{len(CLAIMS)} claims",
        f"{findings.total()} of them are findings: {findings['false']} false, "
        f"{findings['missing hypothesis']} that lack a hypothesis, {findings['gap']} gaps in a "
        f"proof, {findings['slip']} slips, {findings['vacuous']} vacuous, "
        f"{findings['wrong reason']} true for another reason, "
        f"{findings['not reproduced']} not reproduced by runs.",
    )
    assert [count for count in counts if count not in line] == []


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_python_runs_alone(tmp_path: Path, block: str) -> None:
    (tmp_path / "durations.csv").write_text("duration\n2.5\n3.1\n0.7\n9\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?://|#)([^)]+)\)", README)
    assert [link for link in links if not (ROOT / link).exists()] == []


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
    """Put the present output below every command, except where `...` leaves some out."""
    text = README
    for command, shown in shown_commands(README):
        if "..." not in shown.splitlines():
            before = f"$ {command}\n" + (f"{shown}\n" if shown else "")
            text = text.replace(before, "\n".join([f"$ {command}", *output_of(command), ""]))
    (ROOT / "README.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    rewrite()
