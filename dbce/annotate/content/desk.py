"""The desk on which texts are labelled: captures as annotators see them, their progress and agreement, and its pages.

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
    """A text on which people disagree: the label of each, and how it was settled, if it was."""

    record_id: str
    page: Row | None
    piece: Piece
    opinions: Mapping[str, Mark]
    settled: Mark | None


def common_marks(first: str, second: str, pieces: Iterable[Piece]) -> Counter[tuple[Mark, Mark]]:
    """Return counts of the pairs of labels of texts that both people decided, hidden ones only if one departs from the rule."""
    counts: Counter[tuple[Mark, Mark]] = Counter()
    for piece in pieces:
        if first in piece.spans and second in piece.spans:
            a, b = piece.spans[first], piece.spans[second]
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
    hidden: tuple[bool, ...]  # of each run, whether the page does not show it

    @property
    def fields(self) -> CaptureFields:
        """Fields of gold that describe the capture."""
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
        """Return the place of the run with a character of a text node, None without one."""
        inside = (run["xpath"] == xpath and run["start"] <= start < run["end"] for run in self.runs)
        return next((place for place, is_inside in enumerate(inside) if is_inside), None)

    def _span(self, run: Row, mark: Mark) -> Span:
        start, end = run["start"], run["end"]
        text = self.texts[run["xpath"]][start:end]
        return Span(run["node"], run["xpath"], start, end, text, mark)


def marks(runs: Sequence[Row], spans: Iterable[Span]) -> list[Span | None]:
    """Return the label of each run of a capture, None where it has none."""
    spans_of = by_xpath(spans)
    return [mark_of(spans_of.get(run["xpath"], ()), run["start"], run["end"]) for run in runs]


def read_sheet(run: Run, page: Row) -> LabelSheet:
    """Return a judged capture to be labelled; NotInRun if it has no verdicts, or they do not fit its page."""
    original = html.strip(run.annotated_html(page))
    runs = run.runs(page)
    try:
        parsed = html.load(original, "text/html; charset=utf-8", run.config.limits).page
    except DbceError as e:
        raise NotInRun(f"this capture cannot be labelled: {e}") from e
    if not fits(parsed, runs):
        raise NotInRun("this capture cannot be labelled: its page does not read as it did")
    hidden = html.subtree_mask(parsed, compress(count(), parsed.hidden))
    nodes = [parsed.nodes[row["node"]] for row in runs]
    texts = {row["xpath"]: node.text for row, node in zip(runs, nodes, strict=True)}
    return LabelSheet(page, runs, texts, tuple(bool(hidden[node.element]) for node in nodes))


class LabelDesk:
    """A run, the gold that is made of it, and the captures to be labelled, in order."""

    def __init__(self, run: Run, store: AnnotationStore[LabelHistory], rows: Sequence[Row]) -> None:
        self.run = run
        self.store = store
        self.queue = TaskQueue(store.people, rows, partial(rows_of, run), self._task)
        self.sheet = lru_cache(KEPT)(lambda record_id: read_sheet(run, run.page(record_id)))
        self._left: dict[tuple[str, str], int] = {}

    def marks(self, by: str, record_id: str) -> list[Span | None]:
        """Return somebody's label of each text run; before the first, hidden ones have the label of the rule."""
        sheet = self.sheet(record_id)
        labelled = marks(sheet.runs, self._spans(by, record_id) or sheet.hidden_spans())
        self._left[by, record_id] = labelled.count(None)
        return labelled

    def label(self, by: str, sheet: LabelSheet, places: Sequence[int], mark: Mark) -> None:
        """Store somebody's label of runs of a capture; it is saved when this returns, or StoreError."""
        new, hidden = sheet.spans(places, mark), sheet.hidden_spans()
        with self.store.turn() as history:
            self.store.note(
                *history.labelling_events(by, sheet.fields, new, hidden=hidden, texts=sheet.texts)
            )

    def undo(self, by: str, record_id: str) -> Sequence[Span]:
        """Undo somebody's last labelling of a capture; return its spans, none if there was none."""
        with self.store.turn() as history:
            events, spans = history.undo_events(by, record_id)
            self.store.note(*events)
            return spans

    def review(self) -> pages.Json:
        """Return the agreement of each two people, and the texts on which people disagree: the open ones first."""
        with self.store.turn() as history:
            people = history.people()
            annotators = Counter(chain.from_iterable(people.values()))
            shared = [name for name, count in annotators.items() if count > 1]
            pieces = [(name, piece) for name in shared for piece in history.pieces(name)]
        all_pieces = [piece for _, piece in pieces]
        disputes = [self._dispute(name, piece) for name, piece in pieces if is_disputed(piece)]
        disputes.sort(key=lambda dispute: dispute.settled is not None)
        return {
            "pairs": [(*pair, common_marks(*pair, all_pieces)) for pair in combinations(people, 2)],
            "disputes": disputes,
            "open": sum(dispute.settled is None for dispute in disputes),
            "shown": SHOWN,
        }

    def _dispute(self, record_id: str, piece: Piece) -> Dispute:
        try:
            page = self.run.page(record_id)
        except NotInRun:  # gold of another run's captures
            page = None
        settled = piece.spans.get(SETTLED)
        return Dispute(record_id, page, piece, opinions(piece), settled.mark if settled else None)

    def _spans(self, by: str, record_id: str) -> Sequence[Span]:
        with self.store.turn() as history:
            return history.spans(by, record_id)

    def _task(self, by: str, row: Row) -> Task:
        """Return the task of a capture: the number of its text runs, and of those that are unlabelled."""
        left = runs = sum(row[f"runs_{label}"] for label in ("content", "boilerplate", "invalid"))
        if spans := self._spans(by, record_id := row["record_id"]):
            if (by, record_id) not in self._left:
                page_runs = self.run.runs(self.run.page(record_id))
                self._left[by, record_id] = marks(page_runs, spans).count(None)
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
    spans = desk.marks(by, record_id)
    return {"page": sheet.page, "sheet": sheet, "said": spans, "chosen": chosen}


label = pages.DeskPages("label", "Label", _page, lambda: pages.current_desk().review()).blueprint(
    __name__
)


@label.post("/say")
def say() -> Response:
    """Label runs of a capture: `by`, `id`, `runs` (their places), `label`."""
    desk, by, record_id, fields = pages.page_request()
    sheet = desk.sheet(record_id)
    mark = _mark(fields)
    places = pages.places_of(fields, "runs", len(sheet.runs), "text runs")
    desk.label(by, sheet, places, mark)
    message = "1 text run is" if len(places) == 1 else f"{len(places)} text runs are"
    return _state(desk, by, record_id, f"{message} {mark}")


@label.post("/undo")
def undo() -> Response:
    """Undo somebody's last labelling of a capture: `by`, `id`."""
    desk, by, record_id, _ = pages.page_request()
    sheet = desk.sheet(record_id)
    undone = desk.undo(by, record_id)
    places = {sheet.place(span.xpath, span.start) for span in undone} - {None}
    message = "Last label undone" if undone else "There is nothing to undo"
    return _state(desk, by, record_id, message, undone=sorted(places, key=str))


@label.post("/settle")
def settle() -> Response:
    """Decide a text on which people disagree: `by`, `id`, `xpath`, `start`, `end`, `label`."""
    desk, by, record_id, fields = pages.page_request()
    mark = _mark(fields)
    place = (fields.get("xpath"), fields.get("start"), fields.get("end"))
    with desk.store.turn() as history:
        pieces = filter(is_disputed, history.pieces(record_id))
        piece = next((p for p in pieces if (p.xpath, p.start, p.end) == place), None)
        if piece is None:
            message = "There is no disagreement on this text; reload the page."
            raise pages.FieldError("xpath", message)
        span = Span(piece.node, piece.xpath, piece.start, piece.end, piece.text, mark)
        desk.store.note(history.settling_event(by, record_id, span))
    return jsonify(settled=mark, said=f"Settled: {mark}. Saved.")


def _mark(fields: Mapping[str, Any]) -> Mark:
    try:
        return Mark(str(fields.get("label")))
    except ValueError as e:
        raise pages.FieldError("label", f"A label is one of {', '.join(Mark)}.") from e


def _state(desk: LabelDesk, by: str, record_id: str, message: str, **more: object) -> Response:
    """Return the labels of all runs of a capture, with a sentence for screen readers."""
    marks = desk.marks(by, record_id)
    left = marks.count(None)
    return jsonify(
        marks=[span and span.mark for span in marks],
        left=left,
        counts=Counter(span.mark for span in marks if span),
        said=f"{message}. {left} left." if left else f"{message}. Nothing is left on this page.",
        **more,
    )
