"""Every notebook runs from top to bottom; outputs that are stored are those of the run."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    stored = [texts(cell) for cell in code]
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}
    ).execute()
    found = [texts(cell) for cell in code]
    assert any(cell.outputs for cell in code)
    assert not any(stored) or stored == found, "run the notebook again and store it"


def texts(cell) -> str:
    """What a cell printed and what its value looks like as text; pictures are left out."""
    parts = (o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs)
    return "".join(parts)
