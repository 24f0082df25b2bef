"""Code as a page shows it: its text with white space, its language, and what is set beside it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Any

from lxml import etree

from dbce.html.lines import INLINE
from dbce.html.walk import DROPPED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from lxml.etree import _Element as Element

    from dbce.model import Page

VERBATIM = frozenset({"pre", "listing", "xmp", "plaintext"})
"""Elements whose white space counts."""

# As highlighters name them: Pygments, Rouge, Chroma, Prism, highlight.js, SyntaxHighlighter, GitHub.
GUTTERS = frozenset(
    "gutter linenos linenodiv lineno line-number line-numbers line-numbers-rows linenumber linenumbers "
    "linenr rouge-gutter ln lnt hljs-ln-numbers hljs-ln-n blob-num crayon-nums crayon-num code-line-number "
    "react-syntax-highlighter-line-number".split()
)
LINE_NUMBERS = re.compile(r"[\s\d.:|]*")
NUMBER = "data-line-number"
"""The attribute by which GitHub sets numbers beside lines."""

COPY_BUTTONS = frozenset(
    "copybtn copy-btn btn-copy copy-button copybutton button-copy clipboard-copy btn-clipboard code-copy "
    "copy-code copy-code-button copy-to-clipboard copy-to-clipboard-button zeroclipboard-container".split()
)
COPY = re.compile(
    r"\W*(copy|copied)(\W+(code|snippet|text|link|to clipboard|copied))?\W*", re.IGNORECASE
)

_NAME = (
    r"(?!(?:default|none|nohighlight|plain|wrapper|table|container|block|box)\b)([\w+#][\w+#-]*)"
)
LANGUAGE = re.compile(
    r"(?:^|\s)(?:(?:language|lang|brush)-?:?\s*|(?:highlight-(?:source-|text-)?)|(?:sourceCode|hljs)\s+)"
    + _NAME
)
LANGUAGES = ("data-lang", "data-language")
"""Attributes that name a programming language."""

AROUND = 8
"""Elements around code, at most, that may name its language: so many are around code in a table."""


def set_beside(page: Page, elements: Sequence[Element], written: str | None) -> frozenset[int]:
    """The elements that are line numbers of code or buttons to copy it, by index.

    `written` is the page in HTML, where it is known.
    """
    beside = _of_classes(page, GUTTERS)
    # To look into the tree costs five times as much as to look into what is written.
    may_be_numbered = bool(elements) and (written is None or NUMBER in written)
    if numbered := _numbered(elements[0]) if may_be_numbered else ():
        beside |= {n for n, element in enumerate(elements) if element in numbered}
    buttons = _of_classes(page, COPY_BUTTONS)
    buttons |= {n for n, tag in enumerate(page.tags) if tag == "button"}
    if not beside and not buttons:
        return frozenset()
    within: list[int] = []
    for element, parent in enumerate(page.parents):
        chosen = element in beside or element in buttons
        within.append(element if chosen else within[parent] if parent >= 0 else -1)
    texts: dict[int, list[str]] = defaultdict(list)
    for node in page.nodes:
        texts[within[node.element]].append(node.text)
    return frozenset(
        element
        for element in beside | buttons
        if (LINE_NUMBERS if element in beside else COPY).fullmatch("".join(texts[element]))
    )


def verbatim_text(element: Element, left_out: Collection[Element]) -> str:
    """The text of an element with its white space; what is set on a line of its own stands on one."""
    pieces: list[str] = []
    last, dropped, breaks = "\n", 0, False
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        begins = event == "start"
        text = (node.text if begins else node.tail if node is not element else "") or ""
        if node.tag in DROPPED or node in left_out:
            dropped += 1 if begins else -1
        elif node.tag == "br":
            text = f"\n{text}" if begins else text
        elif _is_block(node) and node is not element and not dropped and not last.endswith("\n"):
            text = f"\n{text}"
        breaks = breaks or _is_code_line(node)
        if text and not dropped:
            if breaks and not last.endswith("\n") and not text.startswith("\n"):
                text = f"\n{text}"
            pieces.append(text)
            last, breaks = text, False
    return "".join(pieces)


def languages_of(page: Page, elements: Sequence[Element]) -> dict[int, str]:
    """The programming language that outermost code, what is in it or what is around it names; "" if none is.

    By the index of the element in the page.
    """
    of_code = [index for index, tag in enumerate(page.tags) if tag in VERBATIM]
    held = Counter(around for index in of_code for around in _up_from(page, index))
    return {
        index: _language_of(page, elements, index, held)
        for index in of_code
        if not any(
            page.tags[around] in VERBATIM for around in _up_from(page, index) if around != index
        )
    }


def _up_from(page: Page, index: int) -> Iterator[int]:
    while index >= 0:
        yield index
        index = page.parents[index]


def _language_of(
    page: Page, elements: Sequence[Element], index: int, held: Mapping[int, int]
) -> str:
    """The same of one element; `held` is how many elements of VERBATIM each has, itself included."""
    inside = elements[index].find("code")
    for near in (elements[index], inside) if inside is not None else (elements[index],):
        if language := _named(near):
            return language
    for around in islice(_up_from(page, index), 1, AROUND + 1):
        # Line numbers may stand in a second one; what holds more does not speak of this alone.
        if held[around] > held[index] + 1:
            return ""
        near = elements[around]
        if "highlight" in str(near.get("class", "")) and (language := _named(near)):
            return language
    return ""


def _named(element: Element) -> str:
    for name in LANGUAGES:
        if re.fullmatch(r"[\w+#-]+", value := str(element.get(name, ""))):
            return value
    match = LANGUAGE.search(str(element.get("class", "")))
    return match[1] if match else ""


def _numbered(root: Element) -> frozenset[Element]:
    # All elements of a page in one call: an iterator of Python costs more than all else here.
    numbered: Any = root.xpath(f".//*[@{NUMBER}]")
    return frozenset(numbered)


def _of_classes(page: Page, names: frozenset[str]) -> set[int]:
    """The elements that have one of some classes."""
    different = set(page.classes)
    if names.isdisjoint(" ".join(different).lower().split()):  # as in most pages
        return set()
    classes = {own for own in different if not names.isdisjoint(own.lower().split())}
    return {n for n, own in enumerate(page.classes) if own in classes}


def _is_code_line(element: Element) -> bool:
    """Return whether an element is a line of code by its name: highlighters set such spans as blocks, some without a line break.

    TextMate's names call a comment of one line so.
    """
    if element.tag != "span":
        return False
    names = str(element.get("class", "")).lower()
    return (
        "line" in names
        and "comment" not in names
        and any(name == "line" or name.endswith("-line") for name in names.split())
    )


def _is_block(element: Element) -> bool:
    return isinstance(element.tag, str) and element.tag not in INLINE
