"""Headings, and the blocks that they name: HEPS as published, and a method of our own."""

from dbce.visual.headings.gold import (
    GoldHeading,
    GoldPage,
    gold_heading,
    read_bodies,
    read_heading_gold,
)
from dbce.visual.headings.hierarchy import (
    HeadedBlock,
    Heading,
    body_of,
    by_level,
    element_at,
    path_without_tbody,
)
from dbce.visual.headings.job import HEADINGS, TABLES, HeadingSettings, HeadingsJob
from dbce.visual.headings.lines import PageContext
from dbce.visual.headings.pages import from_sheets, heading_levels, outline_of, pages_of
from dbce.visual.headings.registry import METHODS, headings, options_of
