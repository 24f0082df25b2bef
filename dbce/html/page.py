"""From the tree to plain values."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from lxml.etree import _Element as Element

from dbce.html.exclusions import Elements, hidden, words_of
from dbce.html.spacing import space_words
from dbce.html.walk import DROPPED, Attributes, Handle, Walk, attributes, subtree_end, walk
from dbce.model import InputError, Limits, Page, Reason, TextNode

# Pages whose text stands in `<noscript>`: a script would build them from data of its own.
#
# Forums do so (Discourse, Flarum): the thread is in `<noscript>`, for search engines, and the
# rest of the page is empty. A `<noscript>` with an element that is left open takes what follows
# into it, too.
#
# Such a page is read as a browser without scripts shows it, every other as one with them does.

# Of 431 pages with words in `<noscript>`, 20 have their text there: 313 words and more, and at most
# 31 elsewhere. The others have 178 and more elsewhere, or a note of at most 10 inside.
FEW_WORDS = 100  # outside, at most
LEAST_WORDS = 100  # of one `<noscript>`: requests to enable JavaScript have up to 70
TIMES = 4  # as many words inside as outside, at least
LONGEST_TITLE = 10_000  # characters; more is a page in the wrong place
NOWHERE, IN_HEAD = -1, -2


def without_scripts(root: Element, outside: Sequence[TextNode], limits: Limits) -> Walk | None:
    """The page as one reads it without scripts, if nearly all its text is in `<noscript>`.

    `outside` are the text nodes that it has with scripts. Each `<noscript>` gives its elements;
    its texts only where they are more than a note. Errors are those of `walk`.
    """
    words = words_of(outside, FEW_WORDS)
    if words > FEW_WORDS or next(root.iter("noscript"), None) is None:
        return None
    tree = walk(root, limits, DROPPED - {"noscript"})
    holders = _noscript_holders(tree)
    inside: Counter[int] = Counter()
    for element, _, _, text, _ in tree.texts:
        if holders[element] >= 0:
            inside[holders[element]] += len(text.split())
    notes = {holder for holder, number in inside.items() if number < LEAST_WORDS}
    in_full = sum(number for holder, number in inside.items() if holder not in notes)
    if not in_full or in_full < TIMES * words:
        return None
    return tree._replace(texts=[text for text in tree.texts if holders[text[0]] not in notes])


def _noscript_holders(tree: Walk) -> list[int]:
    """The outermost `<noscript>` of the body that each element is or is in."""
    holders: list[int] = []
    for i, (tag, parent) in enumerate(zip(tree.tags, tree.parents, strict=True)):
        holder = holders[parent] if parent >= 0 else NOWHERE
        if holder == NOWHERE and tag == "noscript":
            holder = i
        elif tag == "head" and parent == 0:
            holder = IN_HEAD
        holders.append(holder)
    return holders


# Steps of the paths to all elements, of some seven bytes each: many elements are not as deep as few may be.
STEPS = 20_000_000
FEW_ELEMENTS = 10_000  # elements that have fewer steps whatever their depth


def read_page(root: Element, limits: Limits) -> tuple[Page, tuple[Handle, ...]]:
    """The page below `root` (its `<html>`) and the handle of each of its text nodes.

    Text in `<head>` is no text node. A frameset page has no `<body>`: its `<noframes>` counts; so
    does `<noscript>` where it holds nearly all the text.

    Raises:
        InputError: TOO_DEEP, TOO_MANY_ELEMENTS, TOO_MANY_TEXTS or TOO_MANY_WORDS.
    """
    tree = walk(root, limits)
    nodes, handles = _text_nodes(tree)
    if (scriptless := without_scripts(root, nodes, limits)) is not None:
        tree = scriptless
        nodes, handles = _text_nodes(tree)
    size = sum(len(node.text) + 1 for node in nodes)
    return page_of(tree, attributes(tree.elements), nodes, size, limits), tuple(handles)


def page_of(
    tree: Walk, attrs: Attributes, nodes: Sequence[TextNode], size: int, limits: Limits
) -> Page:
    """The page of a tree's elements, their attributes and its text nodes, which have so many characters at most; an InputError beyond a limit."""
    if len(nodes) > limits.texts:
        raise InputError(Reason.TOO_MANY_TEXTS, f"{len(nodes)} texts, the limit is {limits.texts}")
    # A word takes two characters with its gap: most pages need no counting.
    if size > 2 * limits.words and words_of(nodes, limits.words) > limits.words:
        raise InputError(Reason.TOO_MANY_WORDS, f"more than {limits.words} words")
    _check_paths(tree.parents)
    _name_places(attrs)
    page = Page(
        tags=tuple(tree.tags),
        parents=tuple(tree.parents),
        classes=tuple(attrs.classes),
        ids=tuple(attrs.ids),
        roles=tuple(attrs.roles),
        hidden=hidden(tree.tags, attrs),
        nodes=tuple(nodes),
        title=_title(tree.elements[0]),
        jumps=tuple((link, address[1:]) for link, address in attrs.jumps),
    )
    elements = Elements(page, tree.elements, attrs)
    unseen = elements.unseen(), elements.fallbacks(), elements.icons(), elements.link_controls()
    return replace(
        page,
        nodes=space_words(page, tree.elements, attrs),
        jumps=tuple(elements.jumps()),
        unseen=frozenset(chain.from_iterable(unseen)),
        of_site=frozenset(elements.of_site()),
    )


def _name_places(attrs: Attributes) -> None:
    """Give links that are places of the page by their old attribute `name` that as their id, where another leads there."""
    wanted = {address[1:] for _, address in attrs.jumps}.difference(attrs.ids)
    for index, name in attrs.places:
        if name in wanted and not attrs.ids[index]:
            attrs.ids[index] = name


def _text_nodes(tree: Walk) -> tuple[list[TextNode], list[Handle]]:
    """The text nodes outside of `<head>` and their handles; white space alone is none, but parts those beside it."""
    places = zip(tree.tags, tree.parents, strict=True)
    head = next((i for i, place in enumerate(places) if place == ("head", 0)), -1)
    end = subtree_end(tuple(tree.parents), head) if head >= 0 else -1
    nodes, handles = [], []
    spaced = False
    for element, position, after, text, handle in tree.texts:
        if text.isspace():
            spaced = True
        elif text:
            if not head <= element < end:
                nodes.append(TextNode(element, position, after, spaced, text))
                handles.append(handle)
            spaced = False
    return nodes, handles


def _check_paths(parents: Sequence[int]) -> None:
    if len(parents) <= FEW_ELEMENTS:
        return
    depths: list[int] = []
    for parent in parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    if (steps := sum(depths)) > STEPS:
        paths = f"the paths to its {len(parents)} elements"
        raise InputError(Reason.TOO_DEEP, f"{paths} have {steps} steps, the limit is {STEPS}")


def _title(root: Element) -> str:
    """The document's title, its white space collapsed; tag soup has it in the body at times."""
    # A path for `findtext` takes several times as long.
    parts = (part for tag in ("head", "body") for part in root.iterchildren(tag))
    titles = (title for part in parts for title in part.iterchildren("title"))
    text = " ".join(next((title.text or "" for title in titles), "").split())
    return text if len(text) <= LONGEST_TITLE else ""
