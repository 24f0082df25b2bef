"""From bytes to a page of plain values and back: the only package that imports lxml or bs4."""

from dbce.html.decode import Decoded, decode
from dbce.html.details import (
    SIGNS,
    VERBATIM,
    Formula,
    Markup,
    read_attributes,
    read_details,
    read_markup,
    sign_links,
)
from dbce.html.document import (
    Canonical,
    Charset,
    DeclaredMetadata,
    Document,
    Island,
    Moment,
    SourceSigns,
    declared_metadata,
    load,
    source_signs,
    text_in_scripts,
)
from dbce.html.fonts import ComputedStyle, computed_styles
from dbce.html.mark import (
    LabelledLink,
    Mark,
    Pieces,
    annotate,
    marked,
    marked_content,
    marks,
    number,
    pieces,
    references,
    serialise,
    strip,
)
from dbce.html.page import read_page
from dbce.html.parse import parse
from dbce.html.skeleton import KIND, STYLE, Skeleton, skeleton
from dbce.html.walk import (
    INLINE,
    Handle,
    around,
    element_xpaths,
    end_of,
    holders,
    lines,
    place,
    places,
    step,
    within,
    xpaths,
)
