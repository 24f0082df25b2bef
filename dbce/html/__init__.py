"""From bytes to a page of plain values and back: the only package that imports lxml or bs4."""

from dbce.html.decode import Decoded, decode
from dbce.html.document import Document, load
from dbce.html.islands import Island, text_in_scripts
from dbce.html.mark import annotate, number, serialise
from dbce.html.page import read_page
from dbce.html.parse import parse
from dbce.html.strip import strip
from dbce.html.walk import Handle
from dbce.html.xpath import element_xpaths, xpaths

__all__ = [
    "Decoded",
    "Document",
    "Handle",
    "Island",
    "annotate",
    "decode",
    "element_xpaths",
    "load",
    "number",
    "parse",
    "read_page",
    "serialise",
    "strip",
    "text_in_scripts",
    "xpaths",
]
