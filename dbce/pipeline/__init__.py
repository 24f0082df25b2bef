"""The whole method on lists of pages, without archives or folders."""

from dbce.boilerplate import (
    Annotated,
    Known,
    as_annotated,
    judge,
    judge_in_batches,
    metadata_of,
)
from dbce.html import Charset
from dbce.pipeline.archived import ArchivedPages
from dbce.pipeline.extraction import NO_TIME, Extracted, extract, extract_all, extracts
from dbce.pipeline.pages import annotate, compare_all, judge_all, judged, sketch_all

__all__ = [
    "NO_TIME",
    "Annotated",
    "ArchivedPages",
    "Charset",
    "Extracted",
    "Known",
    "annotate",
    "as_annotated",
    "compare_all",
    "extract",
    "extract_all",
    "extracts",
    "judge",
    "judge_all",
    "judge_in_batches",
    "judged",
    "metadata_of",
    "sketch_all",
]
