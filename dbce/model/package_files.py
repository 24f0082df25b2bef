"""Files that come with the package, beside the modules that read them."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def stored_text(package: str, file: str) -> str:
    return files(package).joinpath(file).read_text("utf-8")


def word_lists(package: str, file: str = "words.txt") -> dict[str, str]:
    """The lists in a text file, by their names, which stand in brackets above them."""
    parted = (part.strip().partition("]\n") for part in stored_text(package, file).split("\n\n"))
    return {name.lstrip("["): words for name, _, words in parted}


def stored_arrays(package: str, file: str) -> dict[str, NDArray[Any]]:
    """The arrays in a file of numpy, by their names."""
    import numpy as np  # a slow start, and most files need none

    with (
        files(package).joinpath(file).open("rb") as stream,
        np.load(stream, allow_pickle=False) as stored,
    ):
        return dict(stored)
