"""Block-o-Matic, in the two forms that it has: of the thesis, and of the published code."""

from dbce.visual.segment.bom.options import MAY_2014, PaperOptions, PublishedOptions
from dbce.visual.segment.bom.paper import paper
from dbce.visual.segment.bom.published import published
from dbce.visual.segment.bom.roles import RoleOptions, with_roles

__all__ = [
    "MAY_2014",
    "PaperOptions",
    "PublishedOptions",
    "RoleOptions",
    "paper",
    "published",
    "with_roles",
]
