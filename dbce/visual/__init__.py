"""The second wing: pages as people see them, rendered from the archive and segmented into blocks."""

from typing import TYPE_CHECKING

from dbce.model import lazily
from dbce.visual.model import (
    KEPT,
    Block,
    Element,
    Rect,
    RenderedPage,
    Segmentation,
    Style,
    Text,
    has_area,
    union,
)

if TYPE_CHECKING:
    from dbce.visual.verdicts import contents, is_judged, rows_with, tables_beside

PARTS = {
    "COMMANDS": "dbce.visual.commands.declarations",
    "DESKS": "dbce.visual.annotate.desks",
    "add_rendered": "dbce.visual.view.layers",
    "ask_for_changes": "dbce.visual.changes.job",
    "change_tables": "dbce.visual.changes.rates",
    "find_changes_of_night": "dbce.visual.changes.job",
    "heading_levels": "dbce.visual.headings",
    "nights_without_changes": "dbce.visual.changes.job",
    "outline_of": "dbce.visual.headings",
    "told_account": "dbce.visual.commands.changes",
}
"""Names that the core may import through `dbce.wing`, and the module of each."""

# Readers of folders import archives, which a single page should not wait for.
__getattr__ = lazily(__name__)
