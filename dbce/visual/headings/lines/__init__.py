"""Mode `dbce`: which lines of a page are headings, by what they look like, say, and stand before."""

from dbce.visual.headings.lines.decide import WEIGHTS, LineOptions, by_lines, counted
from dbce.visual.headings.lines.features import FEATURES, GROUPS, LineGroups, Plain, features
from dbce.visual.headings.lines.line import TextLine, lines_of

__all__ = [
    "FEATURES",
    "GROUPS",
    "WEIGHTS",
    "LineGroups",
    "LineOptions",
    "Plain",
    "TextLine",
    "by_lines",
    "counted",
    "features",
    "lines_of",
]
