"""The bundled Hyperband search: as its script makes one, and its brackets are the best blocks."""

import csv
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ctv
from ctv.inputs import bundled_search, read_times

ROOT = Path(__file__).resolve().parents[2]
ROWS = list(csv.DictReader(bundled_search().read_text(encoding="utf-8").splitlines()))
BRACKET = np.array([int(row["bracket"]) for row in ROWS])
BETWEEN = tuple(int(i) + 1 for i in np.flatnonzero(np.diff(BRACKET)))
MODEL: dict[str, Any] = {"dimension": 1, "lengthscale": 1.0, "noise_variance": 0.1, "epsilon": 0.04}


def script() -> Any:
    pytest.importorskip("sklearn")
    spec = spec_from_file_location("record_hyperband", ROOT / "benchmarks" / "record_hyperband.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_what_its_script_records() -> None:
    made = script()
    stages, expected = [int(row["stages"]) for row in ROWS], []
    for _ in range(made.LOOPS):
        for count, resource in made.brackets():
            while count and resource <= made.LARGEST:
                expected += [resource] * count
                count, resource = count // made.FACTOR, resource * made.FACTOR
    assert stages == expected
    assert tuple(ROWS[0]) == made.COLUMNS


def test_its_clock_runs_forward_with_pauses_between_brackets() -> None:
    start, end = (np.array([float(row[name]) for row in ROWS]) for name in ("start", "end"))
    assert np.all(start <= end) and np.all(end[:-1] <= start[1:])
    pauses = start[1:] - end[:-1]
    between = np.isin(np.arange(1, len(ROWS)), BETWEEN)
    assert pauses[between].min() > 100.0 * pauses[~between].max()
    assert np.array_equal(read_times(bundled_search()).times, end)


def test_the_best_blocks_are_the_brackets() -> None:
    """All but the two with the shortest pause between them; no equal blocks come near."""
    equal = [f"equal:{length}" for length in range(1, len(ROWS) + 1)]
    found = ctv.partition(bundled_search(), **MODEL, bound="refined", compare=equal)
    start, end = (np.array([float(row[name]) for row in ROWS]) for name in ("start", "end"))
    shortest = min(BETWEEN, key=lambda i: start[i] - end[i - 1])
    assert set(found.cuts[1:-1]) == set(BETWEEN) - {shortest}
    assert len(found.blocks) == 11
    best_equal = min(row.value for name, row in found.rows if name != "best")
    assert 1.25 < best_equal / found.value < 1.27
