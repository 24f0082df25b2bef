"""A history of a text as a page for people: one self-contained HTML file, which needs no other."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from dbce.history.alignment import CODE
from dbce.history.wording import shortened
from dbce.history.written import stretches_of, summary_of, told, units_in_words
from dbce.model.style import environment, own_file
from dbce.quality import meaning

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.history.alignment import PassageKind, TextUnit
    from dbce.history.through_time import Passage, TextHistory, TextStep

MANY = 12
"""Units that came, or went, one after another from which on they are folded."""


class PassageRun(NamedTuple):
    """Passages of one kind one after another; `is_long` says that they are shown when somebody opens them."""

    kind: PassageKind
    passages: tuple[Passage, ...]

    @property
    def is_long(self) -> bool:
        """Return whether there are too many to be read at a glance."""
        return len(self.passages) >= MANY

    @property
    def in_words(self) -> str:
        """The passages in numbers."""
        return f"{units_in_words(passage.unit for passage in self.passages)} {self.kind}"


def passage_runs(step: TextStep) -> Iterator[PassageRun]:
    """Yield the passages of a capture by kind, in order; none where nothing changed."""
    if step.changes:
        for kind, group in groupby(step.passages, key=lambda passage: passage.kind):
            yield PassageRun(kind, tuple(group))


def texts_in_words(text: Sequence[TextUnit]) -> str:
    """Return a text in numbers."""
    return units_in_words(unit.kind for unit in text)


filters = {
    "meaning": meaning,
    "passage_runs": passage_runs,
    "shortened": shortened,
    "stretches": lambda history: list(stretches_of(history)),
    "summary": summary_of,
    "texts_in_words": texts_in_words,
    "told": told,
}
"""Filters of the template `passages.html`, by name."""


def as_html(history: TextHistory) -> str:
    """Return a history as one HTML document.

    Raises:
        MissingExtra: the library for pages is not installed.
    """
    found = environment("dbce.history", own_file("dbce.history", "history.css"))
    found.filters |= filters
    found.globals["code"] = CODE
    return found.get_template("history.html").render(history=history)
