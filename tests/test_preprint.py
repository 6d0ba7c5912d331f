"""The preprint: its verdicts and tables are what the ledger and the code say; it compiles."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest

from ctv.cli import main
from proofs_check.ledgers import CLAIMS

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "preprint"
TEXT = (FOLDER / "preprint.tex").read_text(encoding="utf-8")
ORACLES = {
    ("unit", 1e-2, 1.0): (62.2257, 186.669839, 25, 186.6698),
    ("at once", 1e-2, 1.0): (6.9750, 24.494897, 1, 24.4949),
    ("bursts", 1e-2, 1.0): (81.4463, 118.202527, 20, 118.2025),
    ("unit", 1e-3, 0.01): (3.2258, 19.053043, 28, 26.3497),
    ("bursts", 1e-3, 0.01): (6.9859, 11.824031, 20, 20.8696),
    ("growing", 1e-3, 0.01): (282.0554, 51.985564, 439, 348.9549),
    ("gap", 1e-3, 0.01): (4.2341, 19.053043, 28, 26.3886),
}
"""Π, Ψ, its blocks and Ψ₁ as two programs had them."""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = util.spec_from_file_location("make_preprint", ROOT / "docs" / "make_preprint.py")
    module = util.module_from_spec(spec)
    sys.modules["make_preprint"] = module
    spec.loader.exec_module(module)
    return module


def generated(name: str) -> str:
    return (FOLDER / "generated" / name).read_text(encoding="utf-8")


def test_every_theorem_has_claims_of_the_ledger(script) -> None:
    known = {claim.id for claim in CLAIMS}
    assert set(script.named_claims()) <= known
    kinds = "theorem|lemma|corollary"
    statements = re.findall(rf"\\begin{{({kinds})}}(.*?)\\end{{(?:{kinds})}}", TEXT, re.DOTALL)
    assert len(statements) > 15
    for kind, body in statements:
        assert r"\claim{" in body, f"a {kind} without a claim: {body[:60]}"


@pytest.mark.parametrize(
    "name", ["verdicts.tex", "claims.tex", "exponents.tex", "families.tex", "start_up.tex"]
)
def test_what_is_inserted_is_what_the_code_says(script, name) -> None:
    assert generated(name) == script.FILES[name]()


def test_a_verdict_is_what_the_command_says(capsys) -> None:
    """By the command, of a proved claim, an outline, a refuted one and one with an assumption."""
    names = ("theory-n-filter", "theory-n", "theory-n-inner", "theory-joint-certificate")
    with pytest.raises(SystemExit, match="0"):
        main(["verify", *names, "--json"])
    rows = json.loads(capsys.readouterr().out)["claims"]
    assert {row["id"] for row in rows} == set(names)
    for row in rows:
        said = generated("verdicts.tex").split(rf"\setverdict{{{row['id']}}}{{")[1].split("}\n")[0]
        assert said.startswith(row["verdict"].lower())
        assert all(one in said.replace("\\", "") for one in row["assumes"])


def test_counts_are_those_of_the_ledgers_page(script) -> None:
    every, by_kernel = script.counted()
    assert every > by_kernel > 400
    assert rf"\newcommand{{\claimscounted}}{{{every}}}" in generated("numbers.tex")
    assert rf"\newcommand{{\kernelcounted}}{{{by_kernel}}}" in generated("numbers.tex")


def test_orders_are_those_of_two_programs(script) -> None:
    for name, epsilon, noise, shares, psi, blocks, one, factor in script.order_rows():
        wanted = ORACLES[name, epsilon, noise]
        assert (shares, psi, blocks, one) == pytest.approx(wanted, abs=6e-5)
        assert 1.0 <= factor <= 4.0
        assert f"{psi:.2f}" in generated("orders.tex")


def test_ceilings_are_within_two_of_what_their_schedule_loses() -> None:
    rows = [line.split("&") for line in generated("ceilings.tex").splitlines() if "&" in line][1:]
    assert len(rows) >= 6
    for row in rows:
        ceiling, exact, mean, error = map(float, re.findall(r"\d\.\d{3}", "&".join(row[4:7])))
        assert mean - 4 * error <= exact <= ceiling
        assert float(row[7].strip().rstrip("\\ ")) <= 2.0


def test_only_what_is_cited_is_listed_and_the_reverse() -> None:
    cited = {key for keys in re.findall(r"\\cite\{([^}]*)\}", TEXT) for key in keys.split(",")}
    listed = set(re.findall(r"\\bibitem\{(\w+)\}", TEXT))
    assert cited == listed
    related = (ROOT / "docs" / "related.md").read_text(encoding="utf-8")
    for entry in re.findall(r"arXiv:(\d{4}\.\d{5})", TEXT):
        assert entry in related, f"{entry} is cited, and the page on related work does not know it"


def test_letters_without_latex_are_refused(script) -> None:
    with pytest.raises(ValueError, match="no LaTeX"):
        script.escaped("ℵ")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_it_compiles_within_its_length(tmp_path) -> None:
    command = ["pdflatex", "-halt-on-error", "-interaction=batchmode"]
    for _ in range(3):
        subprocess.run(
            [*command, f"-output-directory={tmp_path}", "preprint.tex"],
            cwd=FOLDER,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    log = (tmp_path / "preprint.log").read_text(encoding="latin-1").replace("\n", "")
    assert "undefined" not in log.lower().replace("undefined control", "")
    pages = int(re.search(r"Output written on .*?\((\d+) pages?", log)[1])
    assert 15 <= pages <= 25
