"""One pass over the tree: its elements, texts and attributes as plain lists, their XPath expressions and lines."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32

import numpy as np
from lxml.etree import XPath
from lxml.etree import _Element as Element
from numpy.typing import NDArray

from dbce.kernel import compiled
from dbce.model import InputError, Limits, Page, Reason, word_lists

WORDS = word_lists("dbce.html")
HEADINGS = {f"h{level}": level for level in range(1, 7)}
# What no reader sees: thesis, stage 1, step 1. `object` stays, its fallback may be all the text, and
# `noframes`, the only text of a page of frames. For `noscript` see page.py.
DROPPED = frozenset({"script", "style", "noscript", "template", "iframe", "noembed"})
HIDERS = frozenset({"hidden", "aria-hidden", "style"})
HOLDERS = {"alt": "img", "name": "a"}  # the elements of which these attributes count
# Attributes that say what an element is for: those of ARIA, of microdata, and what builders of pages call their parts.
ROLES = frozenset({"role", "itemprop", "itemtype", "aria-label", "data-testid", "data-component"})
# Attributes of code, of formulas and of ours, of which it is told which elements have them; all begin with `data-`.
LINE_NUMBER = "data-line-number"  # the attribute by which GitHub sets numbers beside lines of code
CODE_LINE = "data-line"  # that of highlighters on the lines themselves
LANGUAGES = frozenset({"data-lang", "data-language"})
TEX_SOURCES = tuple(
    f"data-{name}" for name in "tex latex math formula equation equation-content".split()
)
RUN = "data-dbce-run"  # that of our own elements (dbce.html.mark): their text is of the element around them
DATA_ATTRIBUTES = LANGUAGES.union([LINE_NUMBER, CODE_LINE, RUN], TEX_SOURCES)
# Attributes by which a control names what it opens, beside the address of a link.
REFERENCES = WORDS["references of controls"].split()
MARK_OF_NOTE = re.compile(
    r"[\[(]?\s*(?:\d{1,3}|[a-z]|[ivx]{2,5}|[*†‡§¶#]{1,3})\s*[\])]?", re.IGNORECASE
)
LONGEST_NAME = 4_000  # characters of the classes or the id of an element, which are asked often
TEX_SCRIPT = "math/tex"  # the type of a script that is a formula
TEXT = XPath("string()", smart_strings=False)
HtmlElement: TypeAlias = Element
# The home of a text node in the tree: the `text` of an element or, if true, its `tail`.
Handle: TypeAlias = tuple[Element, bool]


class Walk(NamedTuple):
    """The content of a tree, in document order.

    A text is (index of its element, position among the element's text nodes from 1 on, index of
    the last element before it, the text itself, its handle).
    """

    tags: list[str]
    parents: list[int]
    elements: Sequence[Element]
    texts: list[tuple[int, int, int, str, Handle]]


class Attributes(NamedTuple):
    """Class, id and roles of every element, and the attributes that can hide one.

    A hider is (index of its element, its name, its value). `alts` are the texts of images, `jumps` the addresses of links to another place
    of the page, `places` the names of `<a>`, and `data` the attributes of DATA_ATTRIBUTES, each with its element, `sheets` is the text of the
    style sheets, and `has_tex` says that a script is a formula. `references` are the values of REFERENCES of all elements, dropped ones
    too, which are -1; None where they were not read.
    """

    classes: list[str]
    ids: list[str]
    roles: list[str]
    hiders: list[tuple[int, str, str]]
    alts: list[tuple[int, str]]
    jumps: list[tuple[int, str]]
    places: list[tuple[int, str]]
    data: list[tuple[int, str]]
    sheets: str
    has_tex: bool
    references: list[tuple[int, str]] | None = None

    def styles(self, word: str) -> Iterator[tuple[int, str]]:
        """Elements below the root with a `style` that has a word in it, and that."""
        below = ((i, value) for i, name, value in self.hiders if name == "style" and i > 0)
        return ((i, value) for i, value in below if word in value)

    def elements_with(self, names: Collection[str]) -> set[int]:
        """Elements below the root that have an attribute of some of DATA_ATTRIBUTES."""
        return {i for i, name in self.data if name in names and i > 0}


def walk(root: Element, limits: Limits, dropped: frozenset[str] = DROPPED) -> Walk:
    """All elements but the dropped ones, and all texts in them, empty ones too; an InputError beyond a limit."""
    elements: list[Element] = []
    tags, parents, _, texts = tree = Walk([], [], elements, [])
    # One loop over local variables, because it runs once per element. A level is its remaining
    # children, their parent's index and the number of the parent's text nodes so far.
    outer: list[tuple[Iterator[Element], int, int, Element]] = []
    children, parent, position = iter((root,)), -1, 0
    index, most, deepest = -1, limits.elements, limits.depth
    while True:
        child = next(children, None)
        if child is None:  # the level is done; go on behind its parent
            if not outer:
                return tree
            children, parent, position, child = outer.pop()
        elif isinstance(tag := child.tag, str) and tag not in dropped:  # no comment either
            index += 1
            if index >= most:
                raise InputError(Reason.TOO_MANY_ELEMENTS, f"more than {most} elements")
            if len(outer) >= deepest:
                raise InputError(Reason.TOO_DEEP, f"nested deeper than {deepest} elements")
            tags.append(tag)
            parents.append(parent)
            elements.append(child)
            text = child.text
            if text is not None:
                texts.append((index, 1, index, text, (child, False)))
            below = child[:]  # type: ignore[index]  # the stubs lack slices; one call for all of them
            if below:
                outer.append((children, parent, position, child))
                children, parent, position = iter(below), index, int(text is not None)
                continue
        tail = child.tail
        if tail is not None:
            position += 1
            texts.append((parent, position, index, tail, (child, True)))


def walk_again(root: Element, tags: Sequence[str], limits: Limits) -> Walk:
    """Walk of a page as it was read, of a scriptless one too, told by its tags; errors as of `walk`."""
    return walk(root, limits, DROPPED - {"noscript"} if "noscript" in tags else DROPPED)


def attributes(elements: Sequence[Element]) -> Attributes:
    """The attributes by which elements name, describe or hide themselves."""
    classes = [""] * len(elements)
    ids, roles = classes.copy(), classes.copy()
    hiders: list[tuple[int, str, str]] = []
    alts: list[tuple[int, str]] = []
    jumps, places, data = alts.copy(), alts.copy(), alts.copy()
    value: Any  # str, but the stubs allow for bytes
    for i, element in enumerate(elements):
        for name, value in element.items():  # one call into lxml for all of them
            if name == "class":
                classes[i] = value[:LONGEST_NAME]
            elif name == "id":
                ids[i] = value[:LONGEST_NAME]
            elif name in HIDERS:
                hiders.append((i, name, value))
            elif name in ROLES:
                roles[i] = f"{roles[i]} {value}" if roles[i] else value
            elif name == "href" and value[:1] == "#" and len(value) > 1:
                jumps.append((i, value))
            elif name in HOLDERS and element.tag == HOLDERS[name]:
                (alts if name == "alt" else places).append((i, value))
            elif name in DATA_ATTRIBUTES:
                data.append((i, name))
    sheets = "\n".join(sheet.text or "" for sheet in sheets_of(elements[0]))
    has_tex = any(map(is_tex_script, elements[0].iter("script")))
    return Attributes(classes, ids, roles, hiders, alts, jumps, places, data, sheets, has_tex)


def sheets_of(root: Element) -> Iterator[Element]:
    """Style sheets in a page; those in `<noscript>` and templates count for nothing."""
    sheets = root.iter("style")
    return (sheet for sheet in sheets if next(sheet.iterancestors(*DROPPED), None) is None)


def text_content(element: Element) -> str:
    """All text in an element; to join its `itertext` takes fifty times as long for a large one."""
    return str(TEXT(element))


def is_tex_script(script: Element) -> bool:
    return str(script.get("type", "")).lower().startswith(TEX_SCRIPT)


def is_note_mark(text: str) -> bool:
    """Return whether a text is the mark of a note: a number, a letter or a sign."""
    return MARK_OF_NOTE.fullmatch(text.strip()) is not None


def ancestors(parents: Sequence[int], element: int) -> Iterator[int]:
    """An element and those around it, from the inside out."""
    while element >= 0:
        yield element
        element = parents[element]


subtree_end = compiled.subtree_end
subtree_mask = compiled.subtree_mask
texts_within = compiled.texts_within
elements_around = compiled.ancestor_mask
enclosing_elements = compiled.enclosing
first_node = compiled.first_node
nearest_of_tags = compiled.nearest_of_tags
nodes_within = compiled.nodes_within
nodes_that_may_begin = compiled.may_begin
elements_by = compiled.places_of
elements_of_tags = compiled.elements_of_tags


def sums_below(parents: Sequence[int], numbers: Iterable[int]) -> list[int]:
    """For each element the sum of the values of it and of all below it."""
    sums = list(numbers)
    for element in range(len(sums) - 1, 0, -1):
        sums[parents[element]] += sums[element]
    return sums


# XPath expressions of a page's elements and text nodes, computed from its arrays.

NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


def xpaths(page: Page) -> list[str]:
    """One expression per text node, e.g. `/html/body/div[2]/p[1]/text()[1]`; linear time.

    Evaluated on the tree that the page was read from, each finds exactly its node. White-space-only
    text nodes count for the last number.
    """
    column, bounds = xpath_column(page, np.arange(len(page.nodes), dtype=np.int32))
    return [column[start:end].decode() for start, end in pairwise(bounds.tolist())]


def xpath_column(page: Page, nodes: NDArray[np.int32]) -> tuple[bytes, NDArray[np.int32]]:
    """The expressions of text nodes by their numbers, in UTF-8, one behind the other, and their bounds."""
    bounds = np.empty(len(nodes) + 1, np.int32)
    step_of = {tag: f"/{xpath_step(tag)}" for tag in {*page.tags}}
    steps = [*map(step_of.__getitem__, page.tags)]
    return compiled.write_paths(steps, page.parents, page.nodes, nodes, bounds), bounds


def element_xpaths(page: Page, without: Collection[int] = ()) -> list[str]:
    """One expression per element, e.g. `/html/body/div[2]`; linear time.

    The root and its only children of a name carry no number. Elements `without` children do not count, as
    if they were not there; their own expressions mean nothing.
    """
    below_root = Counter(
        tag for parent, tag in zip(page.parents, page.tags, strict=True) if parent == 0
    )
    steps = {tag: f"/{xpath_step(tag)}" for tag in {*page.tags}}
    seen: dict[tuple[int, str], int] = {}
    paths: list[str] = []
    for element, place in enumerate(zip(page.parents, page.tags, strict=True)):
        number = seen[place] = seen.get(place, 0) + (element not in without)
        parent, tag = place
        if parent > 0 or (parent == 0 and below_root[tag] > 1):
            paths.append(f"{paths[parent]}{steps[tag]}[{number}]")
        else:
            paths.append(f"{paths[0] if paths else ''}{steps[tag]}")
    return paths


@lru_cache(maxsize=1000)  # names of elements are few, those that a hostile page makes up are not
def xpath_step(tag: str) -> str:
    """The step of a path to an element; a name that XPath cannot write is compared as a text."""
    return tag if NAME.fullmatch(tag) else f"*[name()={_literal(tag)}]"


def _literal(text: str) -> str:
    """An XPath string; the language has no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = ', "\'", '.join(f"'{part}'" for part in text.split("'"))
    return f"concat({parts})"


# Lines: text nodes that a browser would set as one paragraph, and their places.

# Phrasing content of the HTML standard that runs along in a line, its dead relatives, and what
# stands in a line like a word. Not <br>.
INLINE = frozenset(WORDS["inline elements"].split())
BLOCKS = frozenset(WORDS["other elements"].split())
KNOWN = INLINE | BLOCKS  # what browsers do not know is inline


holders = partial(compiled.holders, inline=INLINE)
lines = partial(compiled.lines, inline=INLINE)
"""For each text node the number of its line, by the holders; one ends where another block begins or ends, and at a `<br>`."""


def outermost_elements(page: Page, chosen: Collection[int]) -> list[int]:
    """For each element the outermost chosen one, itself included; -1 where there is none."""
    return compiled.enclosing(page, chosen, outermost=True)


class NamePattern:
    """A pattern of names, as of classes, and stems in lower case, of which each that fits has one: it is quick to see that a page has none."""

    def __init__(self, pattern: str, stems: str, flags: re.RegexFlag = re.IGNORECASE) -> None:
        self.pattern = re.compile(pattern, flags)
        self.stems = tuple(stems.split())


def elements_like(names: tuple[str, ...], wanted: NamePattern) -> set[int]:
    """The elements whose class, or the like, fits."""
    likely = compiled.places_of(names, wanted.stems)
    return {n for name, places in likely.items() if wanted.pattern.search(name) for n in places}


def elements_of_classes(page: Page, names: frozenset[str]) -> set[int]:
    """The elements that have one of some classes, which are in lower case."""
    likely = compiled.places_of(page.classes, tuple(names), whole=True).items()
    return {n for name, at in likely if not names.isdisjoint(name.lower().split()) for n in at}


def tables_with_headers(page: Page) -> set[int]:
    """The tables that have headers or a caption."""
    headers = elements_of_tags(page, "th", "caption")
    return {nearest_of_tags(page, header, {"table"}) for header in headers} - {-1}


def template_hash(tag: str, classes: str, above: int) -> int:
    """The place of an element whose parent is at the place `above`; that above a root is 0."""
    # A CRC goes on where that of the path above ended: no path is ever put together.
    step = f"{tag}.{classes}/" if classes else f"{tag}/"
    return crc32(step.encode("utf-8", "replace"), above)


def with_inline_elements(
    page: Page, beside_texts: Collection[int] = (), set_inline: Collection[int] = ()
) -> Page:
    """The page, elements unknown to browsers and those `set_inline` between texts of a paragraph, or in elements `beside_texts`, as `<span>`: browsers set them inline."""
    unknown = {*compiled.places_among(page.tags, KNOWN, among=False), *set_inline}
    if not unknown:  # as of most pages
        return page
    with_text = {node.element for node in page.nodes}.union(beside_texts)
    if with_text.isdisjoint(page.parents[n] for n in unknown):  # as drawings
        return page
    are_blocks = (tag not in INLINE and n not in unknown for n, tag in enumerate(page.tags))
    holds_block = sums_below(page.parents, are_blocks)
    tags, classes = list(page.tags), list(page.classes)
    for n in sorted(unknown):
        above = page.parents[n]
        is_inline = above in with_text or (above in unknown and tags[above] == "span")
        if is_inline and not holds_block[n]:
            if "footnote" in tags[n]:  # else it may hold words of the sentence
                classes[n] = f"{tags[n]} {classes[n]}"
            tags[n] = "span"
    return replace(page, tags=tuple(tags), classes=tuple(classes))
