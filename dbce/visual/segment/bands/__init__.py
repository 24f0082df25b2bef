"""The house's own way: a page is bands and columns; what is large in them is cut on."""

from dbce.visual.segment.bands.cut import cut
from dbce.visual.segment.bands.options import BandOptions
from dbce.visual.segment.bands.roles import named

__all__ = ["BandOptions", "cut", "named"]
