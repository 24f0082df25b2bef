"""From bytes to a page of plain values and back: the only package that imports lxml or bs4."""

from dbce.html.decode import Decoded, decode
from dbce.html.details import VERBATIM, read_details
from dbce.html.document import Document, load
from dbce.html.islands import Island, text_in_scripts
from dbce.html.mark import annotate, marked_content, number, serialise
from dbce.html.page import read_page
from dbce.html.parse import parse
from dbce.html.said import Moment, Said, read_said
from dbce.html.strip import strip
from dbce.html.walk import Handle
from dbce.html.xpath import element_xpaths, xpaths

__all__ = [
    "VERBATIM",
    "Decoded",
    "Document",
    "Handle",
    "Island",
    "Moment",
    "Said",
    "annotate",
    "decode",
    "element_xpaths",
    "load",
    "marked_content",
    "number",
    "parse",
    "read_details",
    "read_page",
    "read_said",
    "serialise",
    "strip",
    "text_in_scripts",
    "xpaths",
]
