"""Tables that pandas wrote: two rows of names, cells that are objects, grids of scikit-learn."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import replace

from own_runs.logs.exports.export import Export, cell_of, flattened
from own_runs.logs.table import Table
from own_runs.logs.tools import tool_of

_UNNAMED = re.compile(r"^Unnamed: \d+(_level_\d+)?$")
_NO_LITERAL = re.compile(r"(?<![\w'\"])(nan|-?inf)(?![\w'\"])")
_NUMPY = re.compile(r"\bnp\.\w+\(([^()]*)\)")


def of_frame(table: Table) -> Export:
    """A table of text as pandas or a program wrote it, its columns under their own names."""
    table, notes = _one_row_of_names(table)
    table = _objects_apart(table)
    tool = tool_of(table.header)
    if tool.name == "scikit-learn":
        table, more = _with_durations(table)
        notes = (*notes, *more)
    return Export(table, tool, tool.direction, notes=notes)


def _one_row_of_names(table: Table) -> tuple[Table, tuple[str, ...]]:
    """Names of two rows joined by `_`, as `trials_dataframe(multi_index=True)` needs."""
    if not table.rows or len(set(table.header)) == len(table.header):
        return table, ()
    second = table.rows[0]
    repeated = {name for name in table.header if name and table.header.count(name) > 1}
    below = [cell for name, cell in zip(table.header, second, strict=True) if name in repeated]
    others = [cell for name, cell in zip(table.header, second, strict=True) if name not in repeated]
    if not all(below) or any(cell and not _UNNAMED.match(cell) for cell in others):
        return table, ()
    header = tuple(
        f"{name}_{cell}" if name in repeated else name
        for name, cell in zip(table.header, second, strict=True)
    )
    rows = table.rows[1:]
    if rows and not any(rows[0][1:]):
        rows = rows[1:]  # the name of the index has a row of its own
    return replace(table, header=header, rows=rows), ("names of columns stand in two rows",)


def _objects_apart(table: Table) -> Table:
    """Columns whose cells are objects, as `str(dict)` or JSON writes them, by their names."""
    pairs: list[tuple[str, tuple[str, ...]]] = []
    changed = False
    for place, name in enumerate(table.header):
        cells = tuple(row[place] for row in table.rows)
        objects = None if name == "params" else _objects(cells)
        if objects is None:
            pairs.append((name, cells))
            continue
        changed = True
        keys = dict.fromkeys(key for row in objects for key in row)
        pairs += [
            (f"{name}.{key}", tuple(cell_of(row.get(key)) for row in objects)) for key in keys
        ]
    if not changed:
        return table
    columns = [cells for _, cells in pairs]
    rows = tuple(zip(*columns, strict=True)) if table.rows else ()
    return replace(table, header=tuple(name for name, _ in pairs), rows=rows)


def _objects(cells: tuple[str, ...]) -> list[Mapping[str, object]] | None:
    if not any(cells) or any(cell and not (cell[0] == "{" and cell[-1] == "}") for cell in cells):
        return None
    objects: list[Mapping[str, object]] = []
    for cell in cells:
        value = _object(cell) if cell else {}
        if value is None:
            return None
        objects.append(flattened(value))
    return objects


def _object(cell: str) -> Mapping[str, object] | None:
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        try:
            value = ast.literal_eval(_NO_LITERAL.sub("None", _NUMPY.sub(r"\1", cell)))
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return None
    return value if isinstance(value, Mapping) else None


def _with_durations(table: Table) -> tuple[Table, tuple[str, ...]]:
    """The time of each candidate of a search of scikit-learn over all its splits."""
    splits = {name.split("_", 1)[0] for name in table.header if re.match(r"^split\d+_test_", name)}
    folds = max(len(splits), 1)
    places = [
        table.header.index(name)
        for name in ("mean_fit_time", "mean_score_time")
        if name in table.header
    ]
    rows = []
    for row in table.rows:
        try:
            took = repr(folds * sum(float(row[place]) for place in places))
        except ValueError:
            took = ""
        rows.append((*row, took))
    notes = (
        f"each candidate took the mean times of its fits and scores, {folds} splits",
        "large values are good, as scores of scikit-learn are",
    )
    header = (*table.header, "duration_seconds")
    return replace(table, header=header, rows=tuple(rows)), notes
