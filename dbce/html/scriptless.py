"""Pages whose text stands in `<noscript>`: a script would build them from data of its own.

Forums do so (Discourse, Flarum): the thread is in `<noscript>`, for search engines, and the rest of
the page is empty. A `<noscript>` with an element that is left open takes what follows into it, too.

Such a page is read as a browser without scripts shows it, every other as one with them does.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dbce.html.walk import DROPPED, walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from dbce.html.walk import Walk
    from dbce.model import Limits, TextNode

# Of 431 pages with words in `<noscript>`, 20 have their text there: 313 words and more, and at most
# 31 elsewhere. The others have 178 and more elsewhere, or a note of at most 10 inside.
FEW_WORDS = 100  # outside, at most
LEAST_WORDS = 100  # of one `<noscript>`: requests to enable JavaScript have up to 70
TIMES = 4  # as many words inside as outside, at least

NOWHERE, IN_HEAD = -1, -2


def without_scripts(root: Element, outside: Sequence[TextNode], limits: Limits) -> Walk | None:
    """The page as one reads it without scripts, if nearly all its text is in `<noscript>`.

    `outside` are the text nodes that it has with scripts. Each `<noscript>` gives its elements and
    styles; its texts only where they are more than a note.

    Raises:
        InputError: TOO_DEEP or TOO_MANY_ELEMENTS.
    """
    words = _few_words(outside)
    if words is None or next(root.iter("noscript"), None) is None:
        return None
    tree = walk(root, limits, DROPPED - {"noscript"})
    holders = _holders(tree)
    inside: Counter[int] = Counter()
    for element, _, _, text, _ in tree.texts:
        if holders[element] >= 0:
            inside[holders[element]] += len(text.split())
    notes = {holder for holder, number in inside.items() if number < LEAST_WORDS}
    in_full = sum(number for holder, number in inside.items() if holder not in notes)
    if not in_full or in_full < TIMES * words:
        return None
    return tree._replace(texts=[text for text in tree.texts if holders[text[0]] not in notes])


def _few_words(nodes: Sequence[TextNode]) -> int | None:
    """The number of words; None if they are more than a few, which is known without counting all."""
    words = 0
    for node in nodes:
        words += len(node.text.split(maxsplit=FEW_WORDS))
        if words > FEW_WORDS:
            return None
    return words


def _holders(tree: Walk) -> list[int]:
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
