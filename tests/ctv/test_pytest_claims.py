"""The plug-in for pytest: each claim of a ledger is a test."""

import subprocess
import sys
from pathlib import Path

CLAIMS = """[planted-below]
label = "L"
where = "here"
statement = "For x in [0, 1]: x <= 1."
for = "x in [0, 1]"
formula = "x <= 1"
because = "The end of the interval."

[planted-false]
label = "L"
where = "here"
statement = "For x in [0, 1]: x <= 1/2."
for = "x in [0, 1]"
formula = "x <= 1/2"
because = "A planted error."
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with the plug-in, whether or not it is installed as one already."""
    plugin = ("-p", "no:ctv_claims", "-p", "ctv.pytest_claims", "-p", "no:cacheprovider")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugin, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_claim_of_a_file_is_a_test(tmp_path: Path) -> None:
    (tmp_path / "mine.claims.toml").write_text(CLAIMS, encoding="utf-8")
    assert "no tests ran" in run(tmp_path).stdout
    found = run(tmp_path, "mine.claims.toml")
    assert found.returncode == 1 and "1 failed, 1 passed" in found.stdout
    assert "planted-false is REFUTED, expected PROVED: x = 1: 1 <= 1/2 fails" in found.stdout
    assert "Traceback" not in found.stdout


def test_a_ledger_is_collected_and_a_wrong_one_named(tmp_path: Path) -> None:
    (tmp_path / "paper.toml").write_text('title = "T"\nsections = ["one"]\n', encoding="utf-8")
    right = CLAIMS.partition("[planted-false]")[0]
    (tmp_path / "one.toml").write_text(right, encoding="utf-8")
    found = run(tmp_path, "--claims")
    assert found.returncode == 0 and "1 passed" in found.stdout
    (tmp_path / "one.toml").write_text(right.replace("because", "becuse"), encoding="utf-8")
    found = run(tmp_path, "--claims")
    assert found.returncode == 2
    assert "one.toml [planted-below] becuse" in found.stdout and "mean because?" in found.stdout
