"""The notebook runs from its first cell to its last, and shows what it says."""

from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.project_files import ROOT


def html(cell: Any) -> str:
    return "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)


def printed(cell: Any) -> str:
    return "".join(
        output.get("text", "") for output in cell.outputs if output.output_type == "stream"
    )


@pytest.mark.timeout(300)
def test_the_notebook_runs_and_everything_shows_itself() -> None:
    notebook = nbformat.read(ROOT / "quickstart.ipynb", as_version=4)
    assert [cell.get("outputs", []) for cell in notebook.cells if cell.get("outputs")] == []
    resources = {"metadata": {"path": str(ROOT)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    catalog, client, first, session, ledger, figure, whole, function = code

    assert "110 tools" in html(catalog)
    assert client.outputs == []
    assert "TurnEnded" in html(first)
    assert "answered:" in html(first)
    assert "Session notebook" in html(session)
    assert "discovered" in html(session)
    assert "every tool up front" in html(ledger)
    assert "1.1" in html(ledger)
    assert "2.1" in html(ledger)
    assert "application/vnd.plotly.v1+json" in figure.outputs[0].data
    assert "1.1" in html(whole)
    assert "21 °C in Seoul" in printed(function)
    assert "get_temperature" in html(function)
    assert [o for cell in code for o in cell.outputs if o.get("name") == "stderr"] == []
