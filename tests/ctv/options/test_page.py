"""docs/options.md says every option with a sentence; an old name answers with the new one."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

import pytest

import ctv as facade
from ctv.terminal.renamed import RENAMED

ROOT = Path(__file__).resolve().parents[3]
MADE = runpy.run_path(str(ROOT / "docs" / "make_options.py"))
MOST_OPTIONS = 102
WRITTEN = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
"""Where people read of options, beside the page that is made of them."""


def test_the_page_is_what_the_program_has() -> None:
    page = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
    assert page == MADE["page"](), "run python docs/make_options.py"


def test_every_option_has_a_sentence() -> None:
    rows = list(MADE["rows"]())
    assert [option for option, sentence, _ in rows if "." not in sentence] == []
    assert len({option.split()[0].strip("`") for option, _, _ in rows}) <= MOST_OPTIONS


def spoken(flag: str, prose: str) -> bool:
    return re.search(rf"{flag}(?![\w-])", prose) is not None


def test_every_option_stands_in_a_sentence_that_people_read() -> None:
    prose = "\n".join(
        page.read_text(encoding="utf-8") for page in WRITTEN if page.name != "options.md"
    )
    flags = {option.split()[0].strip("`") for option, _, _ in MADE["rows"]()}
    flags = {flag for flag in flags if flag.startswith("--")}
    assert 55 <= len(flags) <= 62
    assert [one for flag in flags for one in flag.split("/") if not spoken(one, prose)] == []


@pytest.mark.parametrize("old", sorted(RENAMED))
def test_an_old_name_answers_with_the_new_one(ctv, old: str) -> None:
    option = f"--{old}"
    found = ctv("verify", option, "1")
    assert found.is_one_line_about(f"option = {option}: {RENAMED[old]}"[:60])
    if old not in ("data", "durations"):  # in Python other words for times
        with pytest.raises(TypeError, match="no option"):
            facade.verify(**{old.replace("-", "_"): 1})


def test_what_is_written_now_is_taken(ctv) -> None:
    for option, new in RENAMED.items():
        if "--sequence" in new and option not in ("contrast", "durations"):
            words = new.split("--sequence ")[1].replace("VALUE", "2")
            assert ctv("uniformity", "--sequence", words, "--n", "9").code == 0
        if "--readings" in new and "VALUE" not in new:
            assert new.endswith(("yes", "no"))


def test_the_stub_of_the_package_is_current_and_names_the_class_of_every_answer() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_stub.py"))
    stub = made["STUB"].read_text(encoding="utf-8")
    assert stub == made["page"](), "run python docs/make_stub.py"
    answers = {}
    for one in ast.parse(stub).body:
        if isinstance(one, ast.FunctionDef):
            answers[one.name] = ast.unparse(one.returns)
    assert set(answers) == set(dir(facade)) - set(facade._ELSEWHERE)
    assert not {"Any", "Shown"} & set(answers.values())
