"""Headings, and the blocks that they name: HEPS as published, and a method of our own."""

from dbce.visual.headings.blocks import (
    HeadedBlock,
    Heading,
    Hierarchy,
    body_of,
    by_level,
    element_at,
    path_without_tbody,
)
from dbce.visual.headings.gold import (
    GoldHeading,
    GoldPage,
    gold_heading,
    read_bodies,
    read_heading_gold,
)
from dbce.visual.headings.job import TABLES, HeadingsAccount, HeadingSettings, HeadingsJob
from dbce.visual.headings.pages import HeadingPages, pages_of
from dbce.visual.headings.registry import DEFAULT, METHODS, PageContext, headings, options_of
from dbce.visual.headings.schema import HEADINGS, heading_rows
from dbce.visual.headings.sheets import from_sheets, heading_levels, outline_of

__all__ = [
    "DEFAULT",
    "HEADINGS",
    "METHODS",
    "TABLES",
    "GoldHeading",
    "GoldPage",
    "HeadedBlock",
    "Heading",
    "HeadingPages",
    "HeadingSettings",
    "HeadingsAccount",
    "HeadingsJob",
    "Hierarchy",
    "PageContext",
    "body_of",
    "by_level",
    "element_at",
    "from_sheets",
    "gold_heading",
    "heading_levels",
    "heading_rows",
    "headings",
    "options_of",
    "outline_of",
    "pages_of",
    "path_without_tbody",
    "read_bodies",
    "read_heading_gold",
]
