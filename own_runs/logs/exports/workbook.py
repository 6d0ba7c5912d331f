"""Spreadsheets: a sheet of an .xlsx or .ods workbook as a table, read from its XML."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

from bounds.errors import InvalidInput
from bounds.limits import LARGEST_FILE
from own_runs.logs.exports.export import Export, one_of
from own_runs.logs.exports.frames import of_frame
from own_runs.logs.table import LARGEST_CELLS, Table

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_LETTERS = re.compile(r"^[A-Z]+")
_PERIOD = re.compile(r"^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$")
_WIDEST = 16_384
"""Columns of the widest sheet that a spreadsheet has."""


def of_archive(content: bytes, study: str | None, source: str) -> Export:
    """The rows of a sheet of a workbook.

    Raises InvalidInput for an archive that is none, for several sheets with cells of which none is
    named, and for what unpacks to more than `LARGEST_FILE` bytes.
    """
    try:
        with ZipFile(BytesIO(content)) as archive:
            names = archive.namelist()
            if "xl/workbook.xml" in names:
                sheets = _excel(archive, source)
            elif "content.xml" in names:
                sheets = _open_document(archive, source)
            else:
                raise InvalidInput("data", source, "this zip archive holds no workbook")
    except (BadZipFile, ElementTree.ParseError, KeyError, ValueError, RuntimeError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput("data", source, "this workbook is damaged or locked") from None
    filled = {name: rows for name, rows in sheets.items() if len(rows) > 1}
    name = one_of(list(filled), study, "sheet", source)
    header, *rows = map(tuple, filled[name])
    export = of_frame(Table(header, tuple(rows), ",", source))
    return replace(export, notes=(*export.notes, f"sheet {name}"))


def only_table(content: bytes, source: str) -> bytes | None:
    """The one CSV file of a zip archive; None where it is another archive."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            names = [n for n in archive.namelist() if not n.endswith("/") and "__MACOSX" not in n]
            if len(names) == 1 and names[0].lower().endswith((".csv", ".tsv", ".txt", ".json")):
                return _part(archive, names[0], source)
    except BadZipFile:
        raise InvalidInput("data", source, "this zip archive is damaged") from None
    return None


def _part(archive: ZipFile, name: str, source: str) -> bytes:
    with archive.open(name) as part:
        content = part.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        most = f"give at most {LARGEST_FILE // 2**20} MiB"
        raise InvalidInput("data", source, f"the file is too large: {most}")
    return content


def _tree(archive: ZipFile, name: str, source: str) -> ElementTree.Element:
    content = _part(archive, name, source)
    if b"<!ENTITY" in content:
        raise InvalidInput("data", source, "this workbook defines entities: no spreadsheet does")
    return ElementTree.fromstring(content)


def _excel(archive: ZipFile, source: str) -> dict[str, list[list[str]]]:
    book = _tree(archive, "xl/workbook.xml", source)
    targets = {
        row.get("Id"): row.get("Target", "")
        for row in _tree(archive, "xl/_rels/workbook.xml.rels", source)
    }
    shared = []
    if "xl/sharedStrings.xml" in archive.namelist():
        for item in _tree(archive, "xl/sharedStrings.xml", source):
            # Phonetic readings stand in rPh beside the text.
            parts = [item, *item.findall(f"{_MAIN}r")]
            shared.append("".join(part.findtext(f"{_MAIN}t") or "" for part in parts))
    elapsed = _durations(archive, source)
    sheets = {}
    for sheet in book.iter(f"{_MAIN}sheet"):
        target = targets.get(sheet.get(_RELATION), "")
        path = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        if "worksheets" in path and path in archive.namelist():
            rows = _excel_rows(_tree(archive, path, source), shared, elapsed, source)
            sheets[sheet.get("name", path)] = rows
    return sheets


def _durations(archive: ZipFile, source: str) -> set[str]:
    """The styles of cells that show hours, minutes or seconds and no date."""
    if "xl/styles.xml" not in archive.namelist():
        return set()
    tree = _tree(archive, "xl/styles.xml", source)
    codes = {
        row.get("numFmtId", ""): re.sub(r'"[^"]*"|\\.', "", row.get("formatCode", "")).lower()
        for row in tree.iter(f"{_MAIN}numFmt")
    }
    timed = {key for key, code in codes.items() if re.search("[hs]", code)}
    dated = {key for key, code in codes.items() if re.search("[yd]", code)}
    own = (timed - dated) | {"18", "19", "20", "21", "45", "46", "47"}
    cells = tree.find(f"{_MAIN}cellXfs")
    return {
        str(place)
        for place, row in enumerate([] if cells is None else cells)
        if row.get("numFmtId") in own
    }


def _excel_rows(
    tree: ElementTree.Element, shared: list[str], elapsed: set[str], source: str
) -> list[list[str]]:
    rows: list[list[str]] = []
    count = 0
    for line in tree.iter(f"{_MAIN}row"):
        cells: dict[int, str] = {}
        for place, cell in enumerate(line.findall(f"{_MAIN}c")):
            letters = _LETTERS.match(cell.get("r", ""))
            column = _column(letters[0]) if letters else place
            kind, value = cell.get("t", "n"), cell.findtext(f"{_MAIN}v") or ""
            if kind == "s":
                value = shared[int(value)] if value.isdigit() and int(value) < len(shared) else ""
            elif kind == "inlineStr":
                value = "".join(part.text or "" for part in cell.iter(f"{_MAIN}t"))
            elif kind == "e":
                value = ""  # #DIV/0! and its like: nothing was observed
            elif kind == "n" and value and cell.get("s") in elapsed:
                value = f"{float(value) * 86400.0!r} s"  # kept as a share of a day
            if value and column < _WIDEST:
                cells[column] = value
        count += len(cells)
        _refuse_large(count, source)
        rows.append([cells.get(i, "") for i in range(max(cells, default=-1) + 1)])
    return _even(rows)


def _column(letters: str) -> int:
    """The place of a column from its letters.

    >>> _column("A"), _column("AB")
    (0, 27)
    """
    place = 0
    for letter in letters:
        place = 26 * place + ord(letter) - 64
    return place - 1


def _open_document(archive: ZipFile, source: str) -> dict[str, list[list[str]]]:
    sheets = {}
    for sheet in _tree(archive, "content.xml", source).iter(f"{_TABLE}table"):
        rows: list[list[str]] = []
        count = 0
        for line in sheet.iter(f"{_TABLE}table-row"):
            row: list[str] = []
            for cell in line:
                if not cell.tag.startswith(_TABLE):
                    continue
                times = int(cell.get(f"{_TABLE}number-columns-repeated", "1"))
                value = _open_cell(cell)
                row += [value] * (min(times, _WIDEST) if value else min(times, 256))
            while row and not row[-1]:
                row.pop()
            times = int(line.get(f"{_TABLE}number-rows-repeated", "1")) if row else 1
            count += len(row) * times
            _refuse_large(count, source)
            rows += [row] * times
        sheets[sheet.get(f"{_TABLE}name", "")] = _even(rows)
    return sheets


def _open_cell(cell: ElementTree.Element) -> str:
    for name in ("value", "date-value"):
        value = cell.get(_OFFICE + name)
        if value is not None:
            return value
    period = _PERIOD.match(cell.get(_OFFICE + "time-value", ""))
    if period:
        hours, minutes, rest = (float(part or 0.0) for part in period.groups())
        return f"{3600.0 * hours + 60.0 * minutes + rest!r} s"
    return "\n".join("".join(part.itertext()) for part in cell.findall(f"{_TEXT}p"))


def _refuse_large(cells: int, source: str) -> None:
    if cells > LARGEST_CELLS:
        remedy = f"it has more than {LARGEST_CELLS} cells: give fewer rows"
        raise InvalidInput("data", source, remedy)


def _even(rows: list[list[str]]) -> list[list[str]]:
    """Rows that are not blank, all as long as the first."""
    filled = [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]
    if not filled:
        return []
    width = max(len(row) for row in filled)
    return [row + [""] * (width - len(row)) for row in filled]
