"""`make bench`: the quick mode measures and writes, and refuses to time what disagrees."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from jsonschema import validate

from benchmarks import bench, measured
from benchmarks.duels import DUELS, Disagreement, Pelt, UniformityDuel
from benchmarks.growth import HOT
from benchmarks.measured import Machine, median_seconds, process

pytestmark = pytest.mark.filterwarnings("ignore")  # of peers


def test_quick_mode_writes_a_page_of_what_it_measured(tmp_path: Path) -> None:
    assert bench.main(["--quick", "--only", "uniformity", "--out", str(tmp_path)]) == 0
    found = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert [row["name"] for row in found["duels"]] == ["uniformity C"]
    assert [row["name"] for row in found["growth"]] == ["uniformity C"]
    text = (tmp_path / "benchmarks.md").read_text(encoding="utf-8")
    assert found["date"] in text and found["machine"] in text
    # What is measured alone replaces its own row; the others stay.
    assert bench.main(["--quick", "--only", "knots", "--out", str(tmp_path)]) == 0
    found = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert [row["name"] for row in found["growth"]] == ["uniformity C", "γ̃_n, knots"]
    assert [row["name"] for row in found["duels"]] == ["uniformity C"]


@pytest.mark.parametrize("kind", DUELS, ids=lambda kind: kind.__name__)
def test_both_sides_answer_the_same(kind) -> None:
    for name in kind.needs:
        pytest.importorskip(name)
    duel = kind(quick=True)
    assert duel.compare(duel.ours(), duel.peer())


def test_a_wrong_answer_is_refused() -> None:
    duel = UniformityDuel(quick=True)
    with pytest.raises(Disagreement, match="theirs"):
        duel.compare(duel.ours(), duel.peer() * (1 + 1e-9))
    partition = Pelt(quick=True)
    with pytest.raises(Disagreement, match="theirs"):
        partition.compare(partition.ours(), [10, partition.n])


def test_what_disagrees_is_not_timed(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(UniformityDuel, "peer", lambda self: 1.0)
    assert bench.main(["--quick", "--only", "uniformity c against", "--out", str(tmp_path)]) == 1
    found = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert found["duels"] == [] and len(found["disagreements"]) == 1
    assert "NOT TIMED" in capsys.readouterr().err


def test_a_peer_that_is_absent_is_left_out_with_a_message(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(UniformityDuel, "needs", ("no_such_package",))
    assert bench.main(["--quick", "--only", "uniformity c against", "--out", str(tmp_path)]) == 0
    assert "not installed: no_such_package" in capsys.readouterr().err
    assert "Left out" in (tmp_path / "benchmarks.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("hot", HOT, ids=lambda hot: hot.name)
def test_every_hot_function_is_called_at_its_smallest_size(hot) -> None:
    first, largest = hot.sizes
    assert largest == 1_000 * first
    found = hot.make(first)()
    if hot.work is not None:
        assert set(hot.work(first, found)) <= set(Machine.__dataclass_fields__)


def test_seconds_are_of_cpu_time_and_of_one_call(monkeypatch) -> None:
    assert measured.process_time is time.process_time
    spent = 0.0

    def call() -> None:
        nonlocal spent
        spent += 0.25

    monkeypatch.setattr(measured, "process_time", lambda: spent)
    assert median_seconds(call) == 0.25


def test_a_process_is_measured_on_its_own() -> None:
    held = bytearray(300 * 2**20)  # of this process, not of the child
    found = process(["-c", "held = bytearray(50 * 2**20)"])
    assert len(held) and 50 < found.memory < 150 and 0 < found.seconds < 10
    with pytest.raises(RuntimeError, match="failed"):
        process(["-c", "raise SystemExit(3)"])


def test_the_page_is_that_of_the_stored_results() -> None:
    stored = json.loads((bench.ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))
    page = (bench.ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert page == bench.page(stored)
    assert stored["disagreements"] == []
    schema = json.loads((bench.ROOT / "docs" / "formats.schema.json").read_text(encoding="utf-8"))
    validate(stored, {**schema, "oneOf": [{"$ref": "#/$defs/benchmarks"}]})


def test_frames_are_named_by_what_they_are() -> None:
    assert bench._kind_of("dgemv_n (libscipy_openblas64_-32a4b2a6.so)") == "BLAS"
    assert bench._kind_of("x (numpy/_core/_multiarray_umath.cpython-311.so)") == "NumPy"
    assert bench._kind_of("arb_mul (libflint.so)") == "Arb"
    assert bench._kind_of("? (?)") == "compiled loop"
    assert bench._kind_of("row (numpy/lib/_stride_tricks_impl.py:387)") == "Python"
