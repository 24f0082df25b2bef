"""From bytes to a page of plain values and back: the only package that imports lxml or bs4."""

from dbce.html.code import GUTTERS, VERBATIM
from dbce.html.css import keeps_lines, legacy_font_size
from dbce.html.declarations import (
    DeclaredMetadata,
    Island,
    Moment,
    SourceSigns,
    text_in_scripts,
)
from dbce.html.decode import Charset, DecodedText, decode
from dbce.html.details import ANCHOR_SIGNS, Details, Markup, read_details, sign_links
from dbce.html.document import Canonical, Document, Use, load
from dbce.html.formulas import RAW_TEX, TEX_BEGINS, TEX_HEADS, Formula
from dbce.html.mark import (
    Mark,
    RunPart,
    allows_spans,
    annotated_html,
    content_nodes,
    marks,
    number_runs,
    pieces,
    strip,
)
from dbce.html.page import read_page
from dbce.html.parse import parse
from dbce.html.skeleton import KIND, NAME, Skeleton, skeleton
from dbce.html.walk import (
    HEADINGS,
    INLINE,
    HtmlElement,
    NamePattern,
    ancestors,
    element_xpaths,
    elements_around,
    elements_by,
    elements_like,
    elements_of_classes,
    elements_of_tags,
    enclosing_elements,
    first_node,
    holders,
    is_note_mark,
    lines,
    nearest_of_tags,
    nodes_that_may_begin,
    nodes_within,
    outermost_elements,
    sheets_of,
    subtree_end,
    subtree_mask,
    sums_below,
    tables_with_headers,
    template_hash,
    texts_within,
    walk_again,
    with_inline_elements,
    xpath_column,
    xpath_step,
    xpaths,
)
