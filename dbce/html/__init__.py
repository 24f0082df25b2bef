"""From bytes to a page of plain values and back: the only package that imports lxml or bs4."""

from dbce.html.code import VERBATIM
from dbce.html.declared_metadata import DeclaredMetadata, Moment, declared_metadata
from dbce.html.decode import Decoded, decode
from dbce.html.details import (
    SIGNS,
    Markup,
    read_attributes,
    read_details,
    read_markup,
    sign_links,
)
from dbce.html.document import Canonical, Charset, Document, load
from dbce.html.font_values import ComputedStyle
from dbce.html.fonts import computed_styles
from dbce.html.formulas import Formula
from dbce.html.islands import Island, text_in_scripts
from dbce.html.lines import INLINE, around, holders, lines, place, places
from dbce.html.mark import (
    Mark,
    annotate,
    marked,
    marked_content,
    marks,
    number,
    serialise,
    strip,
)
from dbce.html.page import read_page
from dbce.html.parse import parse
from dbce.html.pieces import Pieces, pieces
from dbce.html.references import LabelledLink, references
from dbce.html.skeleton import KIND, STYLE, Skeleton, skeleton
from dbce.html.source_signs import SourceSigns, source_signs
from dbce.html.walk import Handle, end_of, within
from dbce.html.xpath import element_xpaths, step, xpaths

__all__ = [
    "INLINE",
    "KIND",
    "SIGNS",
    "STYLE",
    "VERBATIM",
    "Canonical",
    "Charset",
    "ComputedStyle",
    "DeclaredMetadata",
    "Decoded",
    "Document",
    "Formula",
    "Handle",
    "Island",
    "LabelledLink",
    "Mark",
    "Markup",
    "Moment",
    "Pieces",
    "Skeleton",
    "SourceSigns",
    "annotate",
    "around",
    "computed_styles",
    "declared_metadata",
    "decode",
    "element_xpaths",
    "end_of",
    "holders",
    "lines",
    "load",
    "marked",
    "marked_content",
    "marks",
    "number",
    "parse",
    "pieces",
    "place",
    "places",
    "read_attributes",
    "read_details",
    "read_markup",
    "read_page",
    "references",
    "serialise",
    "sign_links",
    "skeleton",
    "source_signs",
    "step",
    "strip",
    "text_in_scripts",
    "within",
    "xpaths",
]
