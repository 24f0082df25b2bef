"""Headings, and the blocks that they introduce: HEPS as published, and a method of our own."""

from dbce.visual.headings.gold import (
    GoldHeading,
    GoldPage,
    digest,
    gold_heading,
    read_bodies,
    read_heading_gold,
)
from dbce.visual.headings.hierarchy import (
    Heading,
    body_of,
    by_level,
    element_at,
    path_without_tbody,
)
from dbce.visual.headings.job import HEADINGS, TABLES, HeadingSettings, HeadingsJob, pages_of
from dbce.visual.headings.lines import PageContext
from dbce.visual.headings.registry import METHODS, heading_levels, headings, options_of, outline_of
from dbce.visual.headings.sheets import from_sheets
from dbce.visual.headings.text_lines import BOLD
