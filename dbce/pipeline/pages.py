"""The whole method on plain values: captures in, annotated captures out.

    from dbce.archive import capture
    from dbce.pipeline import annotate

    pages = [capture(url, html, at="20160101000000") for url, html in my_pages]
    for page in annotate(pages):
        print(page.capture.url, page.status)
        print(page.text)

Spark runs the same functions (dbce.engine.spark). The three stages are in dbce.boilerplate: `sketch`,
`compare` and `judge`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.boilerplate import (
    DUPLICATE,
    Failed,
    Known,
    as_annotated,
    compare_all,
    judge_in_batches,
    original_of,
    repeat_of,
    repeated,
    resolve,
    revisit_of,
    sketch,
    snapshots,
)
from dbce.model import Annotation, Capture, Config, Dropped, Reason, Sketch, Stage, drop

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from dbce.boilerplate import Annotated, Made, Make, Original, Revisit


def annotate(
    captures: Iterable[Capture | Dropped], config: Config | None = None
) -> Iterator[Annotated | Dropped]:
    """Every capture with its verdicts, in the order given; what cannot be judged as Dropped.

    The captures are read twice: sketches are made first, since a page is compared with pages that
    come after it; once more where there are revisits, which may repeat what comes after them. An
    iterator that cannot be read twice is kept in memory.
    """
    return judged(captures, config or Config(), as_annotated)


def judged(
    captures: Iterable[Capture | Dropped], config: Config, make: Make[Made]
) -> Iterator[Made | Dropped]:
    """What `make` makes of every capture, as `annotate` goes through them."""
    if iter(captures) is captures:
        captures = list(captures)
    sketches, dropped = sketch_all(captures, config)
    unchanged = _resolve_revisits(captures, sketches, dropped, config)
    of = sketches.keys() if unchanged else None
    annotations: dict[str, Annotation] = {}
    failures: dict[str, str] = {}
    for one in compare_all(sketches | unchanged, config, of):
        if isinstance(one, Failed):
            failures[one.record_id] = one.detail
        else:
            annotations[one.record_id] = one
    for number, capture in enumerate(captures if failures else ()):
        if number not in dropped and isinstance(capture, Capture) and capture.record_id in failures:
            detail = failures[capture.record_id]
            dropped[number] = drop(capture, Reason.FAULT, detail, Stage.COMPARE)
    yield from judge_all(captures, dropped, annotations, config, make)


# Stage 1: a capture becomes a sketch.


def sketch_all(
    captures: Iterable[Capture | Dropped], config: Config
) -> tuple[dict[str, Sketch], dict[int, Dropped]]:
    """(sketches by record id, what has none by its place in the input)."""
    sketches: dict[str, Sketch] = {}
    dropped: dict[int, Dropped] = {}
    for number, capture in enumerate(captures):
        result = capture if isinstance(capture, Dropped) else sketch(capture, config)
        if isinstance(result, Dropped):
            dropped[number] = result
        elif isinstance(capture, Capture) and result.record_id in sketches:
            dropped[number] = drop(capture, DUPLICATE.reason, DUPLICATE.detail)
        else:
            sketches[result.record_id] = result
    return sketches, dropped


def _resolve_revisits(
    captures: Iterable[Capture | Dropped],
    sketches: Mapping[str, Sketch],
    dropped: dict[int, Dropped],
    config: Config,
) -> dict[str, Sketch]:
    """The revisits that are snapshots, by record id; puts what came of each into `dropped`."""
    places: dict[str, int] = {}
    revisits: list[Revisit] = []
    for number, one in dropped.items():
        if revisit := revisit_of(one, config.site_by):
            if revisit.record_id in sketches or revisit.record_id in places:
                dropped[number] = repeated(one, DUPLICATE)
            else:
                places[revisit.record_id] = number
                revisits.append(revisit)
    resolved = resolve(revisits, _originals(captures, dropped))
    for record_id, number in places.items():
        dropped[number] = repeated(dropped[number], repeat_of(resolved[record_id]))
    return snapshots(revisits, resolved, sketches)


def _originals(
    captures: Iterable[Capture | Dropped], dropped: Mapping[int, Dropped]
) -> Iterator[Original]:
    for number, one in enumerate(captures):
        if isinstance(one, Dropped) and one.refers_to:
            continue
        without = dropped.get(number)
        is_dropped = without is not None and without.reason is not Reason.DUPLICATE_RECORD
        if original := original_of(one, is_dropped=is_dropped):
            yield original


# Stage 3: annotations become verdicts.


def judge_all(
    captures: Iterable[Capture | Dropped],
    dropped: Mapping[int, Dropped],
    annotations: Mapping[str, Annotation],
    config: Config,
    make: Make[Made],
) -> Iterator[Made | Dropped]:
    """What `make` makes of every capture, or why it has no verdicts, in the order of the input."""

    def with_annotations() -> Iterator[Known | Dropped]:
        for number, capture in enumerate(captures):
            if number in dropped or isinstance(capture, Dropped):
                yield dropped[number]
            else:
                yield Known(capture, annotations.get(capture.record_id))

    return judge_in_batches(with_annotations(), config, make)
