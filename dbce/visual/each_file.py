"""Work on the files of rendered pages, wherever it is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Each = Callable[[Sequence[str], Callable[[str], None]], None]
"""Does the work on every file of a list, by name; when it returns, all is done."""


def in_turn(files: Sequence[str], work: Callable[[str], None]) -> None:
    """One file after another, here."""
    for file in files:
        work(file)
