"""Attributes of elements that the plain page does not keep, and its formats need."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple
from urllib.parse import quote

from lxml.etree import _Element as Element

from dbce.html.code import read_code
from dbce.html.css import white_space
from dbce.html.formulas import Formula
from dbce.html.walk import (
    HEADINGS,
    INLINE,
    KNOWN,
    RUN,
    WORDS,
    Attributes,
    elements_by,
    elements_of_tags,
    first_node,
    nearest_of_tags,
    nodes_that_may_begin,
    nodes_within,
    subtree_end,
    tables_with_headers,
)
from dbce.model import Page

# The attributes of some elements of a page, by their index.
Details = Mapping[int, Mapping[str, str]]

# Attributes to read, by element.
WANTED = {
    "a": ("href",),
    "base": ("href",),
    "img": ("src", "alt"),
    "li": ("value", "data-list"),
    "ol": ("start", "reversed", "style"),
    "table": ("role",),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan"),
}
SET_INLINE = re.compile(r"display\s*:\s*inline(?:-block)?\s*(?:[;!]|$)", re.IGNORECASE)
RAISED = re.compile(r"vertical-align\s*:\s*(super|sub)\b", re.IGNORECASE)
# Attributes with the address of an image that a script loads when it is seen.
LOADED_LATER = ("data-src", "data-lazy-src", "data-original", "data-srcset", "srcset")
HEADING_ELEMENTS = 64  # of a heading by its role that are looked at
BOX_LEVELS = 3  # elements from a check box up to its item at most
# Classes of pictures that stand for signs, in the software of blogs and forums.
SIGN_CLASSES = frozenset(WORDS["pictures of signs"].split())
# Categories of the characters of an emoji, with what changes or joins them.
EMOJI_KINDS = frozenset({"So", "Sk", "Cf", "Mn", "Me"})
LONGEST_SIGN = 20  # characters: `:stuck_out_tongue:`
FILE_NAME = re.compile(r"\.\w{3,4}$")
# Text of a link that is only the address of the place where it stands, or leads back to where one was.
ANCHOR_SIGNS = re.compile(
    r"[\s¶#§◆⚓🔗∞☍⛓⎘❡^↩↪↑⇑⤴⮌⏎↵⬆↥\ue000-\uf8ff\N{ZERO WIDTH SPACE}\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}]*"
)
AROUND_ANCHORS = " \t\n\r\v\f\x1c\x1d\x1e\x1f#^"  # those that are ASCII
LINKS = frozenset({"href", "src"})
# Signs that libxml2 leaves as they stand in a link that it writes (`htmlAttrDumpOutput`), beside letters and digits.
NOT_ESCAPED = "\"#$%&+,/:;<=>?@[\\]^`{|}!*'()"
PLAIN_LINK = re.compile(r"[!-~]*")


class Markup(NamedTuple):
    """The attributes of some elements of a page, as `read_details` gives them, and its formulas."""

    details: Details
    formulas: list[Formula]


def read_details(
    page: Page, elements: Sequence[Element], attrs: Attributes, *, to_format: bool = True
) -> Details:
    """The attributes of WANTED, by the index of the element in the page; those that there are.

    Of an outermost element of VERBATIM its `text`, as it stands there: white space alone is no text node;
    and the programming `language` that it is in. What is set beside code, line numbers and buttons to
    copy it, is not in the text and has `beside`, "". A picture that stands for a sign has it as `sign`, a
    heading by its role its level as `heading`. Unless it is
    `to_format` its content, attributes are those of `sign_links` alone.
    """
    wanted = enumerate(page.tags) if to_format else ((link, "a") for link in sign_links(page))
    details: dict[int, Mapping[str, str]] = {
        index: _attributes(elements[index], WANTED[tag]) for index, tag in wanted if tag in WANTED
    }
    boxes = ((n, _check_box(page, elements, n)) for n in sorted(elements_of_tags(page, "input")))
    spaces = white_space(page, elements, attrs)
    inline = [n for n, style in attrs.styles("display") if SET_INLINE.search(style)]
    # Spans that annotated pages have around their texts, where some elements beside texts may be inline.
    runs = attrs.elements_with({RUN}) if inline or not KNOWN.issuperset(page.tags) else ()
    preformatted = [index for index, value in spaces.items() if value == "pre"]
    for index, more in chain(
        ((index, {"checked": box}) for index, box in boxes if box),
        ((index, {"raised": tag}) for index, tag in _raised_elements(page, attrs)),
        ((index, {"white-space": value}) for index, value in spaces.items()),
        read_code(page, elements, attrs, preformatted).items(),
        _headings_by_role(page, elements) if to_format else (),
        _signs(page, elements, attrs.alts),
        ((index, {"inline": ""}) for index in inline if page.tags[index] in ("div", "p")),
        ((index, {"run": ""}) for index in sorted(runs) if page.tags[index] == "span"),
    ):
        details[index] = {**details.get(index, {}), **more}
    return details


def _headings_by_role(
    page: Page, elements: Sequence[Element]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Elements of one line that are headings by their role, of the second level if they name none (WAI-ARIA 1.2, 5.4)."""
    for role, indices in elements_by(page.roles).items():
        for index in indices if "heading" in role else ():
            end = min(subtree_end(page.parents, index), index + HEADING_ELEMENTS)
            is_line = INLINE.issuperset(page.tags[index + 1 : end])  # forums give it to whole posts
            if is_line and elements[index].get("role") == "heading":
                level = elements[index].get("aria-level", "").strip()
                yield index, {"heading": level if f"h{level}" in HEADINGS else "2"}


def _raised_elements(page: Page, attrs: Attributes) -> Iterator[tuple[int, str]]:
    """Elements that their style raises or lowers, each with the element that does so: `sup` or `sub`."""
    for index, style in attrs.styles("vertical-align"):
        if page.tags[index] in INLINE and (match := RAISED.search(style)):
            yield index, "sup" if match[1] == "super" else "sub"


def _check_box(page: Page, elements: Sequence[Element], index: int) -> str:
    """`[x]` or `[ ]` of a check box that begins an item; "" of all other fields, and of those that open or close what a style sheet shows."""
    box = elements[index]
    is_switch = box.get("id") is not None and box.get("disabled") is None
    if box.get("type", "").lower() != "checkbox" or is_switch:
        return ""
    item = nearest_of_tags(page, index, {"li"}, BOX_LEVELS + 1)
    begins = first_node(page.nodes, item)
    if item < 0 or begins == len(page.nodes) or page.nodes[begins].after < index:
        return ""
    return "[x]" if box.get("checked") is not None else "[ ]"


def _image_address(element: Element) -> str:
    address = element.get("src", "")
    if address and not address.startswith("data:"):
        return address
    later = next(filter(None, map(element.get, LOADED_LATER)), "").strip()
    above = element.getparent()
    around = element.getnext(), None if above is None else above.getnext()
    for near in around if not later else ():
        image = near.find(".//img") if near is not None and near.tag == "noscript" else None
        later = later or ("" if image is None else image.get("src", ""))
    return later.split()[0].rstrip(",") if later else address


def _signs(
    page: Page, elements: Sequence[Element], alts: Sequence[tuple[int, str]]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Pictures that stand for signs: emoji, those that software of blogs and forums calls so, initials of words, and all that a cell of a table with headers has, no link."""
    headed = tables_with_headers(page)
    for index, alternative in alts:
        sign = alternative.strip()
        if not 0 < len(sign) <= LONGEST_SIGN:
            continue
        behind = elements[index].getnext()
        inner = behind.itertext() if behind is not None and behind.tag in INLINE else ()
        text = str(elements[index].tail or next(iter(inner), ""))
        begins_word = text[:1].islower() and len(sign) == 1 and sign.isalpha()
        is_called = not SIGN_CLASSES.isdisjoint(page.classes[index].lower().split())
        is_emoji = {"So"} <= set(map(unicodedata.category, sign)) <= EMOJI_KINDS
        cell = nearest_of_tags(page, index, {"a", "td", "th"}) if headed else -1
        is_alone = cell >= 0 and page.tags[cell] != "a" and not nodes_within(page, cell)
        is_alone = is_alone and nearest_of_tags(page, cell, {"table"}) in headed
        if is_called or is_emoji or begins_word or (is_alone and not FILE_NAME.search(sign)):
            yield index, {"sign": sign}


def _attributes(element: Element, names: Sequence[str]) -> Mapping[str, str]:
    absolute = {}
    for name in names:
        value = _image_address(element) if name == "src" else element.get(name)
        if value is not None:
            is_plain = name not in LINKS or PLAIN_LINK.fullmatch(value)  # as nearly all are
            absolute[name] = value if is_plain else quote(value.lstrip(" \t\n\r"), NOT_ESCAPED)
    return absolute


def sign_links(page: Page) -> set[int]:
    """Links around texts of signs alone, which may be addresses of the place where they stand."""
    texts = (page.nodes[n] for n in nodes_that_may_begin(page, (), AROUND_ANCHORS))
    likely = (node for node in texts if not node.text[-1:].isalnum())
    elements = {node.element for node in likely if ANCHOR_SIGNS.fullmatch(node.text)}
    return {nearest_of_tags(page, element, {"a"}) for element in elements} - {-1}
