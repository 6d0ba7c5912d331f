"""Every notebook runs from top to bottom; the outputs that it stores are those of the run, digit by
digit on every processor: notebooks show no digits that rounding reaches.

They run in a copy of the checkout, so that nothing that a person made is overwritten. `make
notebooks` runs them and stores what they show.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import pytest
from jupyter_client import KernelManager
from nbclient import NotebookClient

from tests.checkout import ROOT, copied

pytestmark = [pytest.mark.processor, pytest.mark.xdist_group("notebooks")]  # minutes: first

FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MOST_IMPORTS, MOST_BYTES = 3, 340_000
REMEMBERING = f"""
%reset -f
import sys
sys.path.insert(0, {str(FOLDER.parent)!r})
from tests.also import judge, remember
remembered = remember()
sys.path.pop(0)
"""
"""Before the first cell: every value of a command is kept, for its JSON and all of its screen."""


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which notebooks write as they like."""
    return copied(tmp_path_factory.mktemp("notebooks"))


@pytest.fixture(scope="module")
def kernel() -> Iterator[KernelManager]:
    """One for all notebooks, each of which begins without a name of those before it."""
    manager = KernelManager(kernel_name="python3")
    yield manager
    manager.shutdown_kernel(now=True)


@pytest.mark.usefixtures("checkout_untouched")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(checkout: Path, path: Path, kernel: KernelManager) -> None:
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    stored = [texts(cell) for cell in code]
    notebook.cells.insert(0, nbformat.v4.new_code_cell(REMEMBERING))
    notebook.cells.append(nbformat.v4.new_code_cell("judge(remembered)"))
    execute(notebook, checkout, kernel)
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


def execute(
    notebook: nbformat.NotebookNode, checkout: Path, kernel: KernelManager | None = None
) -> None:
    """Run every cell, in the folder of the notebooks of a copy of the checkout."""
    where = {"metadata": {"path": str(checkout / FOLDER.name)}}
    client = NotebookClient(
        notebook, km=kernel, timeout=300, kernel_name="python3", resources=where
    )
    try:
        client.execute()
    finally:
        if kernel is not None:
            client.kc.stop_channels()


def store() -> None:
    """Run every notebook and write it with what it shows, without the time of each cell."""
    with TemporaryDirectory() as made:
        checkout = copied(Path(made))
        for path in NOTEBOOKS:
            notebook = nbformat.read(path, as_version=4)
            execute(notebook, checkout)
            for cell in notebook.cells:
                cell.metadata.pop("execution", None)
            nbformat.write(notebook, path)


if __name__ == "__main__":
    store()
