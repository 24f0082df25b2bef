"""`make notebook`: executes the notebooks of docs that need no cluster, and keeps what they give in their files.

A reader on a code host sees the outputs; tests compare them with those of a fresh execution.
"""

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

DOCS = Path(__file__).resolve().parents[2] / "docs"

NOTEBOOKS = tuple(DOCS / f"{name}.ipynb" for name in ("first-hour", "three-figures"))

SECONDS = 600
"""A cell that takes longer has failed."""

FORMAT: Any = nbformat  # its functions have no types


def executed(path: Path, folder: Path) -> Any:
    """A notebook with the outputs of a fresh execution in a folder, and nothing that changes by itself.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell failed.
    """
    notebook = FORMAT.read(path, as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=SECONDS, resources=resources, record_timing=False).execute()
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


def main() -> None:
    """Writes the notebooks with new outputs."""
    for notebook in NOTEBOOKS:
        FORMAT.write(executed(notebook, notebook.parent), notebook)
        print(f"{notebook} has the outputs of a fresh execution")


if __name__ == "__main__":
    main()
