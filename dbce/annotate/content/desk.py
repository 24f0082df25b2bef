"""The desk on which texts are labelled: captures as they lie before people, what is left of each, how far people agree; its pages.

The requests that the pages send name captures and runs as the run does.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, combinations, compress, count
from typing import Any

from flask import Flask, Response, jsonify, request

from dbce import html
from dbce.annotate.content.history import (
    SETTLED,
    CaptureFields,
    LabelHistory,
    Mark,
    Piece,
    Span,
    by_xpath,
    mark_of,
    opinions,
)
from dbce.annotate.core import pages
from dbce.annotate.core.agreement import kappa, observed_agreement
from dbce.annotate.core.queue import KEPT, Task, TaskQueue, rows_of
from dbce.annotate.core.store import AnnotationStore
from dbce.archive import timestamp14
from dbce.model import DbceError, NotInRun
from dbce.output import Row, fits
from dbce.view.run import Run

SHOWN = 200  # disagreements on one page


@dataclass(frozen=True, slots=True)
class Dispute:
    """A text on which people disagree: what each says, and how it was settled, if it was."""

    record_id: str
    page: Row | None
    piece: Piece
    said: Mapping[str, Mark]
    settled: Mark | None


def common_marks(one: str, other: str, pieces: Iterable[Piece]) -> Counter[tuple[Mark, Mark]]:
    """Return how often two people said what of the texts that both decided, hidden ones only if one said otherwise than the rule."""
    counts: Counter[tuple[Mark, Mark]] = Counter()
    for piece in pieces:
        if one in piece.said and other in piece.said:
            a, b = piece.said[one], piece.said[other]
            if Mark.UNDECIDED not in (a.mark, b.mark) and not (a.hidden and b.hidden):
                counts[a.mark, b.mark] += 1
    return counts


def is_disputed(piece: Piece) -> bool:
    return len(set(opinions(piece).values())) > 1


@dataclass(frozen=True, slots=True, eq=False)
class LabelSheet:
    """The text runs of a capture in document order; `texts` has every text node as parsed, by its XPath."""

    page: Row
    runs: Sequence[Row]
    texts: Mapping[str, str]
    hidden: tuple[bool, ...]  # which the page does not show

    @property
    def fields(self) -> CaptureFields:
        """Fields of gold that are those of the capture."""
        time = self.page["fetch_time"]
        return {
            "record_id": self.page["record_id"],
            "url": self.page["url"],
            "timestamp": timestamp14(time) if time else "",
            "site": self.page["site"],
        }

    def spans(self, places: Iterable[int], mark: Mark) -> list[Span]:
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
        within = (run["xpath"] == xpath and run["start"] <= start < run["end"] for run in self.runs)
        return next((place for place, found in enumerate(within) if found), None)

    def _span(self, run: Row, mark: Mark) -> Span:
        start, end = run["start"], run["end"]
        text = self.texts[run["xpath"]][start:end]
        return Span(run["node"], run["xpath"], start, end, text, mark)


def marks(runs: Sequence[Row], spans: Iterable[Span]) -> list[Span | None]:
    """Return for each run of a capture what is said of it, None where nothing is."""
    of_node = by_xpath(spans)
    return [mark_of(of_node.get(run["xpath"], ()), run["start"], run["end"]) for run in runs]


def read_sheet(run: Run, page: Row) -> LabelSheet:
    """Return a judged capture to be labelled; NotInRun if it has no verdicts, or does not read as it did."""
    plain = html.strip(run.annotated_html(page))
    runs = run.runs(page)
    try:
        parsed = html.load(plain, "text/html; charset=utf-8", run.config.limits).page
    except DbceError as e:
        raise NotInRun(f"this capture cannot be labelled: {e}") from e
    if not fits(parsed, runs):
        raise NotInRun("this capture cannot be labelled: its page does not read as it did")
    unseen = html.subtree_mask(parsed, compress(count(), parsed.hidden))
    nodes = [parsed.nodes[row["node"]] for row in runs]
    texts = {row["xpath"]: node.text for row, node in zip(runs, nodes, strict=True)}
    return LabelSheet(page, runs, texts, tuple(bool(unseen[node.element]) for node in nodes))


class LabelDesk:
    """A run, the gold that is made of it, and the captures that are asked for, in order."""

    def __init__(
        self, run: Run, store: AnnotationStore[LabelHistory], asked: Sequence[Row]
    ) -> None:
        self.run = run
        self.store = store
        self.queue = TaskQueue(store.people, asked, partial(rows_of, run), self._task)
        self.sheet = lru_cache(KEPT)(lambda record_id: read_sheet(run, run.page(record_id)))
        self._left: dict[tuple[str, str], int] = {}

    def marks(self, by: str, record_id: str) -> list[Span | None]:
        """Return for each text run what somebody says of it; before that, hidden ones have what the rule will say."""
        sheet = self.sheet(record_id)
        said = marks(sheet.runs, self._spans(by, record_id) or sheet.hidden_spans())
        self._left[by, record_id] = said.count(None)
        return said

    def label(self, by: str, sheet: LabelSheet, places: Sequence[int], mark: Mark) -> None:
        """Note what somebody says of runs of a capture; it is saved when this returns, or StoreError."""
        new, hidden = sheet.spans(places, mark), sheet.hidden_spans()
        with self.store.turn() as history:
            self.store.note(
                *history.labelling_events(by, sheet.fields, new, hidden=hidden, texts=sheet.texts)
            )

    def undo(self, by: str, record_id: str) -> Sequence[Span]:
        """Take back what somebody said last of a capture; return its spans, none if nothing is left."""
        with self.store.turn() as history:
            events, spans = history.undo_events(by, record_id)
            self.store.note(*events)
            return spans

    def review(self) -> pages.Json:
        """Return how each two people agree, and the texts on which people disagree: the open ones first."""
        with self.store.turn() as history:
            people = history.people()
            spoke = Counter(chain.from_iterable(people.values()))
            of_several = [each for each, count in spoke.items() if count > 1]
            pieces = [(each, piece) for each in of_several for piece in history.pieces(each)]
        every = [piece for _, piece in pieces]
        disputes = [self._dispute(each, piece) for each, piece in pieces if is_disputed(piece)]
        disputes.sort(key=lambda one: one.settled is not None)
        return {
            "pairs": [(*both, common_marks(*both, every)) for both in combinations(people, 2)],
            "disputes": disputes,
            "open": sum(one.settled is None for one in disputes),
            "shown": SHOWN,
        }

    def _dispute(self, record_id: str, piece: Piece) -> Dispute:
        try:
            page = self.run.page(record_id)
        except NotInRun:  # gold of another run's captures
            page = None
        settled = piece.said.get(SETTLED)
        return Dispute(record_id, page, piece, opinions(piece), settled.mark if settled else None)

    def _spans(self, by: str, record_id: str) -> Sequence[Span]:
        with self.store.turn() as history:
            return history.spans(by, record_id)

    def _task(self, by: str, row: Row) -> Task:
        """Return the task of a capture: the number of its text runs, and of those that somebody has not labelled."""
        left = runs = sum(row[f"runs_{label}"] for label in ("content", "boilerplate", "invalid"))
        if spans := self._spans(by, record_id := row["record_id"]):
            if (by, record_id) not in self._left:
                of_page = self.run.runs(self.run.page(record_id))
                self._left[by, record_id] = marks(of_page, spans).count(None)
            left = self._left[by, record_id]
        return {"page": row, "is_done": not left, "runs": runs, "left": left}


KEYS = {
    Mark.CONTENT: ("c", "Content"),
    Mark.BOILERPLATE: ("b", "Boilerplate"),
    Mark.COMMENT: ("m", "Comment"),
    Mark.UNDECIDED: ("u", "Undecided"),
}
"""The key and the name of each mark."""


def add_labelling(app: Flask, desk: LabelDesk) -> None:
    pages.add_desk(app, label, desk, marks=KEYS, kappa=kappa, observed_agreement=observed_agreement)


def _page(by: str, record_id: str) -> pages.Json:
    desk: LabelDesk = pages.current_desk()
    sheet = desk.sheet(record_id)
    chosen = sheet.place(request.args.get("xpath", ""), request.args.get("start", 0, int))
    said = desk.marks(by, record_id)
    return {"page": sheet.page, "sheet": sheet, "said": said, "chosen": chosen}


label = pages.DeskPages("label", "Label", _page, lambda: pages.current_desk().review()).blueprint(
    __name__
)


@label.post("/say")
def say() -> Response:
    """Label runs of a capture: `by`, `id`, `runs` (their places), `label`."""
    desk, by, record_id, given = pages.page_request()
    sheet = desk.sheet(record_id)
    mark = _mark(given)
    places = pages.places_of(given, "runs", len(sheet.runs), "text runs")
    desk.label(by, sheet, places, mark)
    what = "1 text run is" if len(places) == 1 else f"{len(places)} text runs are"
    return _state(desk, by, record_id, f"{what} {mark}")


@label.post("/undo")
def undo() -> Response:
    """Take back what somebody said last of a capture: `by`, `id`."""
    desk, by, record_id, _ = pages.page_request()
    sheet = desk.sheet(record_id)
    undone = desk.undo(by, record_id)
    places = {sheet.place(span.xpath, span.start) for span in undone} - {None}
    what = "Last label undone" if undone else "There is nothing to undo"
    return _state(desk, by, record_id, what, undone=sorted(places, key=str))


@label.post("/settle")
def settle() -> Response:
    """Decide a text on which people disagree: `by`, `id`, `xpath`, `start`, `end`, `label`."""
    desk, by, record_id, given = pages.page_request()
    mark = _mark(given)
    place = (given.get("xpath"), given.get("start"), given.get("end"))
    with desk.store.turn() as history:
        pieces = filter(is_disputed, history.pieces(record_id))
        piece = next((p for p in pieces if (p.xpath, p.start, p.end) == place), None)
        if piece is None:
            why = "There is no disagreement on this text; reload the page."
            raise pages.FieldError("xpath", why)
        span = Span(piece.node, piece.xpath, piece.start, piece.end, piece.text, mark)
        desk.store.note(history.settling_event(by, record_id, span))
    return jsonify(settled=mark, said=f"Settled: {mark}. Saved.")


def _mark(given: Mapping[str, Any]) -> Mark:
    try:
        return Mark(str(given.get("label")))
    except ValueError as e:
        raise pages.FieldError("label", f"A label is one of {', '.join(Mark)}.") from e


def _state(desk: LabelDesk, by: str, record_id: str, what: str, **more: object) -> Response:
    """Answer what all runs of a capture are now, with a sentence for those who do not see it."""
    marks = desk.marks(by, record_id)
    left = marks.count(None)
    return jsonify(
        marks=[span and span.mark for span in marks],
        left=left,
        counts=Counter(span.mark for span in marks if span),
        said=f"{what}. {left} left." if left else f"{what}. Nothing is left on this page.",
        **more,
    )
