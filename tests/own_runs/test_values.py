"""The page on logs: its tables are the stored studies, its ten lines run."""

import re
import runpy
from pathlib import Path

import ctv

PAGE = Path(__file__).resolve().parents[2] / "docs" / "logs.md"


def test_tables_are_those_of_the_stored_studies():
    made = runpy.run_path(str(PAGE.with_name("make_logs.py")))["page"]()
    assert made == PAGE.read_text(encoding="utf-8"), "run python docs/make_logs.py"
    assert made.count("\n| ") > 25


def test_ten_lines_certify_a_log(monkeypatch, tmp_path):
    text = PAGE.read_text(encoding="utf-8")
    first, second, *_ = re.findall(r"```python\n(.*?)```", text, re.S)
    # Fewer paths and draws than the default say the same more coarsely.
    monkeypatch.setattr(ctv, "certify", lambda **kw: real(**kw, draws=19))
    names: dict = {}
    exec(first, names)
    assert "cumulative regret" in names["found"].headline()
    assert names["then"].to_dict()["points"]
    monkeypatch.chdir(tmp_path)
    exec(second, names)
    assert names["shared"].to_dict()["candidates"] != names["fitted"].to_dict()["candidates"]


real = ctv.certify
