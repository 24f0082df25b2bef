"""VIPS: pages cut along visible separators, from the top down."""

from dbce.visual.segment.vips.structure import VipsOptions, vips

__all__ = ["VipsOptions", "vips"]
