"""How good segmentations are: against blocks that people drew, by all measures of the field."""

from dbce.visual.measure.atoms import Atoms, area, members
from dbce.visual.measure.bcubed import BCubed, bcubed
from dbce.visual.measure.command import (
    Wanted,
    convention,
    main_report,
    require_templates,
    write_text,
)
from dbce.visual.measure.correspondence import (
    CONVENTIONS,
    Convention,
    Correspondence,
    Counts,
    Tolerances,
    corresponding,
)
from dbce.visual.measure.evaluation import Asked, Evaluation, evaluate
from dbce.visual.measure.flat import Flat
from dbce.visual.measure.gold import (
    block_fields,
    block_gold_objects,
    blocks_of,
    fields_of,
    page_of,
    read_block_gold,
    write_block_gold,
)
from dbce.visual.measure.halves import Half, half
from dbce.visual.measure.importance import importances
from dbce.visual.measure.kreuzer import ROLES
from dbce.visual.measure.locate import has_area, located, union
from dbce.visual.measure.marked import MarkedBlock, MarkedPage
from dbce.visual.measure.normalise import NormalBlock, normalise
from dbce.visual.measure.on_page import Contents, contents, flat_on_page
from dbce.visual.measure.scores import Scores, score
from dbce.visual.measure.tables import Table, tables

__all__ = [
    "CONVENTIONS",
    "ROLES",
    "Asked",
    "Atoms",
    "BCubed",
    "Contents",
    "Convention",
    "Correspondence",
    "Counts",
    "Evaluation",
    "Flat",
    "Half",
    "MarkedBlock",
    "MarkedPage",
    "NormalBlock",
    "Scores",
    "Table",
    "Tolerances",
    "Wanted",
    "area",
    "bcubed",
    "block_fields",
    "block_gold_objects",
    "blocks_of",
    "contents",
    "convention",
    "corresponding",
    "evaluate",
    "fields_of",
    "flat_on_page",
    "half",
    "has_area",
    "importances",
    "located",
    "main_report",
    "members",
    "normalise",
    "page_of",
    "read_block_gold",
    "require_templates",
    "score",
    "tables",
    "union",
    "write_block_gold",
    "write_text",
]
