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

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from dbce import boilerplate
from dbce.archive import RecordIds
from dbce.html import Document
from dbce.model import Annotation, Capture, Config, Reject, Repeat, Sketch, Stage, UsageError, drop

Keep = Callable[[int, Capture, Document], None]

ALL = ""  # the one file that all captures count as being of, where none is read


def annotate(
    captures: Iterable[Capture | Reject], config: Config | None = None
) -> Iterator[boilerplate.Annotated | Reject]:
    """Every capture with its verdicts, in the order given; what cannot be judged as Reject.

    The captures are read twice: sketches are made first, since a page is compared with pages that come after it; once
    more where there are revisits, which may repeat what comes after them, and where a record is there twice. An
    iterator that cannot be read twice is kept in memory.
    """
    config = config or Config()
    if iter(captures) is captures:
        captures = list(captures)
    captures = OwnIds(captures)
    results = compare_all(captures, sketch_all(captures, config), config)
    yield from judge_all(captures, results, config, boilerplate.as_annotated)


class OwnIds:
    """Captures, of which those that share a record id have ids of their own, whenever they are gone through."""

    def __init__(self, captures: Iterable[Capture | Reject]) -> None:
        self._captures = captures

    def __iter__(self) -> Iterator[Capture | Reject]:
        ids = RecordIds()
        for one in self._captures:
            own = one.record_id and ids.id_of(one.record_id, one.url, one.timestamp, one.digest)
            yield one if own == one.record_id else replace(one, record_id=own)


class SketchedCaptures(NamedTuple):
    """Captures after stage 1, by their numbers in the input."""

    sketches: dict[int, Sketch]
    dropped: dict[int, Reject]  # all others


def sketch_all(
    captures: Iterable[Capture | Reject], config: Config, keep: Keep | None = None
) -> SketchedCaptures:
    """Return the sketches of stage 1; `keep` takes each capture that has one, its number and document, to use up."""
    if config.is_literal:
        raise UsageError("the method thesis is for dbce run and jobs/annotate.py; choose another")
    results = SketchedCaptures({}, {})
    for number, capture in enumerate(captures):
        if isinstance(capture, Reject):
            results.dropped[number] = capture
            continue
        result = boilerplate.sketch_parsed(capture, config)
        if isinstance(result, Reject):
            results.dropped[number] = result
            continue
        results.sketches[number], document = result
        if keep is not None:
            keep(number, capture, document)
    return results


class ComparedCaptures(NamedTuple):
    """Captures after stage 2; a page without annotation is judged by itself."""

    annotations: dict[str, Annotation]  # by record id
    dropped: dict[int, Reject]  # those that are not judged, and why, by number


def compare_all(
    captures: Iterable[Capture | Reject],
    sketched: SketchedCaptures,
    config: Config,
) -> ComparedCaptures:
    """Return the results of comparing all captures."""
    new: list[tuple[boilerplate.Place, Sketch | boilerplate.Revisit]] = [
        ((ALL, number), page) for number, page in sketched.sketches.items()
    ]
    for number, dropped in sketched.dropped.items():
        if revisit := boilerplate.revisit_of(dropped, config.site_by):
            new.append(((ALL, number), revisit))
    near = boilerplate.neighbourhood(new, _originals(captures, sketched.sketches))
    repeats = {number: repeat for (_, number), repeat in near.repeats.items()}
    annotations = {}
    for (_, number), result in boilerplate.compare_neighbourhood(near, config):
        if isinstance(result, Repeat):
            repeats[number] = result
        else:
            annotations[result.record_id] = result
    return ComparedCaptures(annotations, _with_repeats(captures, sketched.dropped, repeats))


def _originals(
    captures: Iterable[Capture | Reject], sketches: Collection[int]
) -> Iterator[boilerplate.Original]:
    for number, one in enumerate(captures):
        if isinstance(one, Reject) and one.refers_to:
            continue
        if original := boilerplate.original_of(one, is_dropped=number not in sketches):
            yield original


def _with_repeats(
    captures: Iterable[Capture | Reject],
    dropped: Mapping[int, Reject],
    repeats: Mapping[int, Repeat],
) -> dict[int, Reject]:
    """Return what is dropped, with repeats and captures that cannot be compared; reads such pages again."""
    results = {
        number: boilerplate.with_repeat(one, repeats[number]) if number in repeats else one
        for number, one in dropped.items()
    }
    pages = repeats.keys() - dropped.keys()
    for number, capture in enumerate(captures if pages else ()):
        if number in pages and isinstance(capture, Capture):
            repeat = repeats[number]
            results[number] = drop(capture, repeat.reason, repeat.detail, Stage.COMPARE)
    return results


def judge_all(
    captures: Iterable[Capture | Reject | boilerplate.JudgeInput | None],
    compared: ComparedCaptures,
    config: Config,
    make: boilerplate.Make[boilerplate.Made],
) -> Iterator[boilerplate.Made | Reject]:
    """Yield the result of `make` for every capture, or why it has no verdicts, in input order.

    Captures come with what they were parsed to, or are parsed here; those that were dropped may be None.
    """

    def with_annotations() -> Iterator[boilerplate.JudgeInput | Reject]:
        for number, one in enumerate(captures):
            known = boilerplate.JudgeInput(one, None) if isinstance(one, Capture) else one
            if number in compared.dropped or not isinstance(known, boilerplate.JudgeInput):
                yield compared.dropped[number]
            else:
                yield known._replace(found=compared.annotations.get(known.capture.record_id))

    return boilerplate.judge_in_batches(with_annotations(), config, make)
