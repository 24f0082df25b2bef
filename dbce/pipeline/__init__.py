"""The whole method on lists of pages, without archives or folders."""

from dbce.boilerplate import Annotated
from dbce.pipeline.extraction import ArchivedPages, Extracted, extract, extract_all, extracts
from dbce.pipeline.pages import ComparedCaptures, annotate, compare_all, judge_all, sketch_all
