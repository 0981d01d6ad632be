"""Notebooks: they run from the first cell to the last, and print what they show. WSE_BLESS=1 writes what they print."""
import json
import os

import pytest
from conftest import ROOT

pytestmark = pytest.mark.notebooks

FOLDER = ROOT / "scripts" / "python" / "notebooks"
NAMES = ["first-program", "chain-and-tree", "cg-by-launches", "reading-a-report"]
MOST_BYTES = 100_000


def texts(notebook):
    """What each cell prints and gives, without pictures."""
    shown = []
    for cell in notebook.cells:
        outputs = cell.get("outputs", [])
        assert not any(output.output_type == "error" for output in outputs), outputs
        shown.append("".join(output.text for output in outputs if output.output_type == "stream"))
        shown += [output.data["text/plain"] for output in outputs if "data" in output]
    return shown


def join_streams(cell):
    """What a cell prints may come in several pieces."""
    streams = [output for output in cell.get("outputs", []) if output.output_type == "stream"]
    for output in streams[1:]:
        streams[0].text += output.text
        cell.outputs.remove(output)


def test_all_are_there():
    assert sorted(NAMES) == sorted(file.stem for file in FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("name", NAMES)
def test_runs(name, monkeypatch, tmp_path):
    import nbformat  # the other tests do without
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", str(ROOT / "scripts" / "python"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    file = FOLDER / f"{name}.ipynb"
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    shown = texts(notebook)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    if os.environ.get("WSE_BLESS") == "1":
        for cell in notebook.cells:
            cell.metadata.clear()  # it has the times of the run
            join_streams(cell)
        file.write_text(json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
        return
    assert texts(notebook) == shown
    assert file.stat().st_size < MOST_BYTES
