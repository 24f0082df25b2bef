"""A capture as it lies before the people who label it: its text runs, and which of them are hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce import html
from dbce.annotate.content.spans import Mark, Span, mark_of
from dbce.archive import timestamp14
from dbce.model import DbceError, NotInRun
from dbce.output import fits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dbce.annotate.content.history import About
    from dbce.model import Page
    from dbce.view.run import Run
    from dbce.view.tables import Row


@dataclass(frozen=True, slots=True, eq=False)
class LabelSheet:
    """The text runs of a capture in document order; `hidden` says which the page does not show.

    `texts` has the text of every text node as parsed, by its XPath.
    """

    page: Row
    runs: Sequence[Row]
    texts: Mapping[str, str]
    hidden: tuple[bool, ...]

    @property
    def about(self) -> About:
        """Fields of gold that are those of the capture."""
        time = self.page["fetch_time"]
        return {
            "record_id": self.page["record_id"],
            "url": self.page["url"],
            "timestamp": timestamp14(time) if time else "",
            "site": self.page["site"],
        }

    def spans(self, places: Iterable[int], mark: Mark) -> list[Span]:
        """Return some of the runs, by their places, each with a mark."""
        return [self._span(self.runs[place], mark) for place in places]

    def hidden_spans(self) -> list[Span]:
        """Return the runs that the page does not show, which are boilerplate.

        As in the thesis, section 4.1: "All invisible elements are automatically annotated as
        boilerplate". Here an element is invisible by its attributes or the page's own style sheets.
        """
        places = (place for place, hidden in enumerate(self.hidden) if hidden)
        return self.spans(places, Mark.BOILERPLATE)

    def place(self, xpath: str, start: int) -> int | None:
        """Return the place of the run with a character of a text node."""
        for place, run in enumerate(self.runs):
            if run["xpath"] == xpath and run["start"] <= start < run["end"]:
                return place
        return None

    def _span(self, run: Row, mark: Mark) -> Span:
        start, end = run["start"], run["end"]
        text = self.texts[run["xpath"]][start:end]
        return Span(run["node"], run["xpath"], start, end, text, mark)


def marks(runs: Sequence[Row], spans: Iterable[Span]) -> list[Span | None]:
    """Return for each run of a capture what is said of it, None where nothing is."""
    by_node: dict[str, list[Span]] = {}
    for span in spans:
        by_node.setdefault(span.xpath, []).append(span)
    return [mark_of(by_node.get(run["xpath"], ()), run["start"], run["end"]) for run in runs]


def read_sheet(run: Run, page: Row) -> LabelSheet:
    """Return a judged capture to be labelled.

    Raises:
        NotInRun: it has no verdicts, or its page does not read as it did.
    """
    plain = html.strip(run.annotated(page))
    runs = run.runs(page)
    try:
        parsed = html.load(plain, "text/html; charset=utf-8", run.config.limits).page
    except DbceError as e:
        raise NotInRun(f"this capture cannot be labelled: {e}") from e
    if not fits(parsed, runs):
        raise NotInRun("this capture cannot be labelled: its page does not read as it did")
    unseen = hidden_nodes(parsed)
    texts = {row["xpath"]: parsed.nodes[row["node"]].text for row in runs}
    return LabelSheet(page, runs, texts, tuple(unseen[row["node"]] for row in runs))


def hidden_nodes(page: Page) -> list[bool]:
    """Tell for each text node whether an element that it is in hides itself."""
    hidden: list[bool] = []
    for own, parent in zip(page.hidden, page.parents, strict=True):
        hidden.append(own or (parent >= 0 and hidden[parent]))
    return [hidden[node.element] for node in page.nodes]
