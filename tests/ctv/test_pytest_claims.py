"""The plug-in for pytest: each claim of a ledger is a test."""

import pytest

# numpy, which it brings, is loaded once in a process: before the copies of sys.modules below.
import proofs_check.records.verify  # noqa: F401

pytest_plugins = ["pytester"]

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


def run(pytester: pytest.Pytester, *words: str) -> tuple[int, str]:
    """Run pytest with the plug-in, whether or not it is installed as one already."""
    plugin = ("-p", "no:ctv_claims", "-p", "ctv.pytest_claims", "-p", "no:cacheprovider")
    done = pytester.runpytest_inprocess("-q", *plugin, *words)
    return int(done.ret), done.stdout.str()


def test_each_claim_of_a_file_is_a_test(pytester: pytest.Pytester) -> None:
    (pytester.path / "mine.claims.toml").write_text(CLAIMS, encoding="utf-8")
    assert "no tests ran" in run(pytester)[1]
    code, said = run(pytester, "mine.claims.toml")
    assert code == 1 and "1 failed, 1 passed" in said
    assert "planted-false is REFUTED, expected PROVED: x = 1: 1 <= 1/2 fails" in said
    assert "Traceback" not in said


def test_a_ledger_is_collected_and_a_wrong_one_named(pytester: pytest.Pytester) -> None:
    (pytester.path / "paper.toml").write_text('title = "T"\nsections = ["one"]\n', encoding="utf-8")
    right, ledger = CLAIMS.partition("[planted-false]")[0], pytester.path / "one.toml"
    ledger.write_text(right, encoding="utf-8")
    code, said = run(pytester, "--claims")
    assert code == 0 and "1 passed" in said
    ledger.write_text(right.replace("because", "becuse"), encoding="utf-8")
    code, said = run(pytester, "--claims")
    assert code == 2
    assert "one.toml [planted-below] becuse" in said and "mean because?" in said
