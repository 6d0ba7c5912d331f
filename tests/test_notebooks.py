"""Every notebook runs from top to bottom; the outputs that it stores are those of the run, digit by
digit on every processor: notebooks show no digits that rounding reaches.

`make notebooks` runs them and stores what they show.
"""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.processor

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MOST_IMPORTS, MOST_BYTES = 3, 300_000


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    stored = [texts(cell) for cell in code]
    execute(notebook)
    found = [texts(cell) for cell in code]
    assert stored == found, "run make notebooks"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_light_and_shows_what_it_does(path: Path) -> None:
    assert path.stat().st_size <= MOST_BYTES
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert sum(bool(cell.outputs) for cell in code) >= 0.5 * len(code)
    source = "\n".join(cell.source for cell in code)
    assert len(re.findall(r"^(?:import|from) ", source, re.MULTILINE)) <= MOST_IMPORTS
    assert "setattr" not in source


def texts(cell) -> str:
    """What a cell printed and what its value looks like as text; pictures are left out."""
    parts = (o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs)
    return "".join(parts)


def execute(notebook: nbformat.NotebookNode) -> None:
    """Run every cell, in the folder of the notebooks."""
    where = {"metadata": {"path": str(FOLDER)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=where).execute()


def store() -> None:
    """Run every notebook and write it with what it shows, without the time of each cell."""
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        execute(notebook)
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
        nbformat.write(notebook, path)


if __name__ == "__main__":
    store()
