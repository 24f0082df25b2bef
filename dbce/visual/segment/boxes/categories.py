"""HTML5 content categories, and which elements can be blocks (Sanoja 2015, appendix A and 2.3).

The sets are those of table A.1; elements that it lacks are placed as `docs/segmentation.md` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FLOW = "flow"
SECTIONING = "sectioning"
HEADING = "heading"
PHRASING = "phrasing"
EMBEDDED = "embedded"
INTERACTIVE = "interactive"
FORM = "form-associated"

_SECTIONING = frozenset("article aside nav section".split())
_HEADING = frozenset("h1 h2 h3 h4 h5 h6".split())
_EMBEDDED = frozenset("applet audio canvas embed iframe img math object picture svg video".split())
_INTERACTIVE = frozenset(
    "a button embed iframe isindex keygen label optgroup option select textarea".split()
)
_FORM = frozenset(
    "button fieldset input isindex keygen label object output select textarea img".split()
)
# Below "wbr": names of HTML 4 and older, and those that HTML got after 2014.
_PHRASING = _EMBEDDED | frozenset(
    "a abbr area audio b bdi bdo br button canvas cite code data datalist del dfn em embed i iframe "
    "img input ins kbd keygen label map mark math meter noscript object output progress q ruby s samp "
    "script select slot small span strong style sub sup svg template textarea time u var video wbr "
    "acronym big blink font isindex nobr optgroup option rb rp rt rtc source strike track tt".split()
)
_WHEN_GIVEN = {
    "audio": "controls",
    "video": "controls",
    "img": "usemap",
    "object": "usemap",
}
"""Elements that are interactive if they have an attribute."""


def is_interactive(tag: str, attributes: Mapping[str, str]) -> bool:
    """Return whether an element is interactive content; some are under a condition."""
    if tag == "input":
        return attributes.get("type", "").lower() != "hidden"
    return tag in _INTERACTIVE or _WHEN_GIVEN.get(tag) in attributes


def can_be_block(tag: str) -> bool:
    """Condition C: none of text, phrasing, embedded, interactive, form-associated (2.3)."""
    return tag not in _PHRASING and tag not in _FORM


def category(tag: str, attributes: Mapping[str, str]) -> str:
    """The category that a block of this element alone has: the smallest that says most of it."""
    if tag in _SECTIONING:
        return SECTIONING
    if tag in _HEADING:
        return HEADING
    if tag in _EMBEDDED:
        return EMBEDDED
    if is_interactive(tag, attributes):
        return INTERACTIVE
    return PHRASING if tag in _PHRASING else FLOW


def smallest_common(first: str, second: str) -> str:
    """The smallest category that holds both (2.3, fig. 2.4)."""
    if first == second:
        return first
    return PHRASING if {first, second} <= {PHRASING, EMBEDDED, INTERACTIVE} else FLOW
