"""The text runs of a page, from the rows of `nodes` that they were written to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import Label, TextRun, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.model import Page
    from dbce.output.rows import Row


def text_runs(rows: Sequence[Row]) -> tuple[TextRun, ...]:
    """The runs of rows, without their structures."""
    return tuple(
        TextRun(
            row["node"],
            row["start"],
            row["end"],
            Verdict(
                Label(row["label"]),
                row["probability"],
                row["bits"],
                row["comparisons"],
                row["decided_by"],
            ),
        )
        for row in rows
    )


def fits(page: Page, rows: Sequence[Row]) -> bool:
    """Return whether the text runs of a capture are those of a page."""
    nodes = page.nodes
    return len({row["node"] for row in rows}) == len(nodes) and all(
        " ".join(nodes[row["node"]].text[row["start"] : row["end"]].split()) == row["text"]
        for row in rows
    )
