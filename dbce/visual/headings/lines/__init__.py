"""Mode `dbce`: which lines of a page are headings, by what they look like, say, and stand before."""

from dbce.visual.headings.lines.decide import WEIGHTS, LineOptions, by_lines, counted
from dbce.visual.headings.lines.features import FEATURES, GROUPS, Groups, Plain, features
from dbce.visual.headings.lines.line import Line, lines_of

__all__ = [
    "FEATURES",
    "GROUPS",
    "WEIGHTS",
    "Groups",
    "Line",
    "LineOptions",
    "Plain",
    "by_lines",
    "counted",
    "features",
    "lines_of",
]
