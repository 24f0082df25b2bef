"""The house's own way: a page is bands, its tallest band is gone into, what is large in it is cut on."""

from dbce.visual.segment.bands.cut import BandOptions, cut
from dbce.visual.segment.bands.roles import named

__all__ = ["BandOptions", "cut", "named"]
