"""`open_log`: the log in a file, a folder, a database or on standard input, whoever wrote it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bounds.errors import InvalidInput
from bounds.limits import LARGEST_FILE
from bounds.reading import Text, read_text
from own_runs.logs.exports import mlflow, optuna
from own_runs.logs.exports.documents import is_json, is_manifest, of_text
from own_runs.logs.exports.export import Export
from own_runs.logs.exports.folders import of_folder
from own_runs.logs.exports.frames import of_frame
from own_runs.logs.exports.workbook import of_archive, only_table
from own_runs.logs.table import table_of

_SQLITE, _ZIP, _PARQUET = b"SQLite format 3\x00", b"PK\x03\x04", b"PAR1"
_PICKLE = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")


def open_log(path: Path | str | Text, study: str | None = None) -> Export:
    """What a log says before its columns are chosen. O(size).

    Parameters
    ----------
    path : a table of text, JSON or lines of it, a workbook, an archive with one table, a database
        of Optuna or MLflow (`sqlite:///FILE` names it too), a folder that a tuner wrote; `-` is
        standard input
    study : the study, experiment or sheet, where there are several

    Raises InvalidInput for what is none of these, with what it is and what would help.
    """
    if isinstance(path, Text):
        return _of_text(path, study, None)
    shown = str(path)
    if "://" in shown or shown.startswith("sqlite:/"):  # a path has lost one of the strokes
        path = _database_file(shown)
    file = Path(path)
    if shown != "-" and file.is_dir():
        return of_folder(file, study)
    start = _first_bytes(file) if shown != "-" else b""
    if start.startswith(_SQLITE):
        return _of_database(file, study)
    if start.startswith(_ZIP):
        return _of_archive(file, study)
    if start.startswith(_PICKLE):
        remedy = (
            "a pickle runs whatever it holds, so none is opened: write a table, or for "
            "scikit-optimize JSON of x_iters, func_vals and space, the list of names"
        )
        raise InvalidInput("data", str(file), remedy)
    if ".tfevents." in file.name:
        remedy = "TensorBoard's events are not opened: save the table of its HParams page as CSV"
        raise InvalidInput("data", str(file), remedy)
    if start.startswith(_PARQUET):
        return _of_parquet(file)
    return _of_text(read_text(path, "data"), study, file.parent)


def _database_file(shown: str) -> Path:
    """The file that `sqlite:///FILE` names; other addresses are refused."""
    kind, _, rest = shown.partition(":")
    if not kind.startswith("sqlite"):
        remedy = (
            "databases behind an address are not opened here: write the study's "
            "trials_dataframe() to a CSV file, or copy it into sqlite:///FILE"
        )
        raise InvalidInput("data", shown, remedy)
    rest = rest.split("?", 1)[0]
    name = rest[3:] if rest.startswith("///") else rest.lstrip("/")
    return Path("/" + name.lstrip("/")) if not Path(name).exists() and name else Path(name)


def _first_bytes(file: Path) -> bytes:
    """The beginning of a regular file; empty for pipes, which give their bytes once only."""
    try:
        if not file.is_file():
            return b""
        with file.open("rb") as stream:
            return stream.read(16)
    except (OSError, ValueError):
        return b""


def _of_database(file: Path, study: str | None) -> Export:
    try:
        address = f"{file.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=5.0)) as database:
            tables = {
                name
                for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
            }
            if {"studies", "trials", "trial_params"} <= tables:
                return optuna.of_database(database, study, file.name)
            if {"runs", "params", "latest_metrics", "experiments"} <= tables:
                return mlflow.of_database(database, study, file.name)
    except sqlite3.Error as error:
        raise InvalidInput("data", str(file), f"this database cannot be read ({error})") from None
    remedy = "this database is neither Optuna's nor MLflow's: write its table to a CSV file"
    raise InvalidInput("data", str(file), remedy)


def _of_archive(file: Path, study: str | None) -> Export:
    if file.stat().st_size > LARGEST_FILE:
        most = f"give at most {LARGEST_FILE // 2**20} MiB"
        raise InvalidInput("data", str(file), f"the file is too large: {most}")
    content = file.read_bytes()
    inner = only_table(content, file.name)
    if inner is not None:
        try:
            return _of_text(Text(file.name, inner.decode("utf-8-sig")), study, None)
        except UnicodeDecodeError:
            raise InvalidInput("data", file.name, "its table is not text in UTF-8") from None
    return of_archive(content, study, file.name)


def _of_parquet(file: Path) -> Export:
    try:
        from pandas import read_parquet
    except ImportError:
        remedy = "this is a Parquet file: install pandas and pyarrow, or save it as text (CSV)"
        raise InvalidInput("data", str(file), remedy) from None
    try:
        text = read_parquet(file).to_csv(index=False)
    except Exception as error:  # whatever an engine that may be missing raises
        shown = str(error).split("\n")[0][:60]
        raise InvalidInput("data", str(file), f"it cannot be read ({shown})") from None
    return of_frame(table_of(text, file.name))


def _of_text(text: Text, study: str | None, beside: Path | None) -> Export:
    if is_json(text.text) or is_manifest(text.text):
        return of_text(text.text, study, text.name, beside)
    return of_frame(table_of(text.text, text.name))
