"""From occurrence bits to labels."""

from dbce.classify.density import density_labels
from dbce.classify.patterns import PATTERNS, bit_string, element_bits, pattern_labels
from dbce.classify.propagation import propagate

__all__ = [
    "PATTERNS",
    "bit_string",
    "density_labels",
    "element_bits",
    "pattern_labels",
    "propagate",
]
