"""HEPS: blocks by their headings, as published and as printed (Manabe and Tajima, VLDB 2015).

The content body as HEPS sees it has elements, texts and images; nodes that break a sentence, such as links in it, are
replaced by their texts (H 4.1). Then it goes list after list of candidates: which are headings, and the blocks that
they name (H 4.4). A list has the texts and images of one style, and the first nodes of their blocks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile
from typing import Literal, NamedTuple

from dbce.model import WORD_RUN
from dbce.visual import Element, RenderedPage
from dbce.visual.headings.hierarchy import BODY, HeadedBlock, Heading, ends_of
from dbce.visual.segment import Options

SKIPPED = frozenset("iframe noscript script style template".split())
"""Elements that are left out with all that is in them."""

SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:/*")


class StyleKey(NamedTuple):
    """Properties that are equal among nodes of one style (H 4.2).

    `path` is the names from the content body to the node, "" that of a text; `height` is an image's.
    """

    path: tuple[str, ...]
    font_size: float
    font_style: str
    font_weight: int
    text_decoration: str
    color: str
    height: float | None


@dataclass(slots=True, eq=False)
class ContentNode:
    """An element, an image, or a text, which may be joined of several.

    `texts` and `images` are the places of what it is made of, if it is no element that holds others.
    It stands from `first` to `end` in the order of the page.
    """

    tag: str
    looks: StyleKey
    first: int
    end: int
    content: str = ""
    texts: tuple[int, ...] = ()
    images: tuple[int, ...] = ()
    parent: ContentNode | None = None
    children: list[ContentNode] = field(default_factory=list)

    @property
    def is_text(self) -> bool:
        return self.tag == ""

    def subtree(self) -> Iterator[ContentNode]:
        """Itself and all below it, in document order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def leaves(self) -> Iterator[ContentNode]:
        """Texts and images in it, which may be headings (H 4.2), in document order."""
        return (node for node in self.subtree() if node.tag in ("", "img"))


def tree(page: RenderedPage, body: int, image_text: str) -> ContentNode:
    """Return the content body; blank texts are gone already (H 4.1), for a rendered page has none."""
    nodes: dict[int, ContentNode] = {}
    ends = ends_of(page)
    inside = range(page.elements[body].order, ends[body])
    items = [(element.order, place, True) for place, element in enumerate(page.elements)]
    items += ((text.order, place, False) for place, text in enumerate(page.texts))
    for order, place, is_element in sorted(items):
        if order not in inside:
            continue
        above = page.elements[place].parent if is_element else page.texts[place].parent
        parent = nodes.get(above)
        if parent is None and place != body:
            continue  # what is above it was left out
        if not is_element:
            node = _text(page, place, parent)
        elif page.elements[place].tag in SKIPPED:
            continue
        else:
            nodes[place] = node = _element(page, place, parent, image_text, ends[place])
        if parent is not None:
            parent.children.append(node)
    return nodes[body]


def _element(
    page: RenderedPage, place: int, parent: ContentNode | None, image_text: str, end: int
) -> ContentNode:
    element = page.elements[place]
    is_image = element.tag == "img"
    height = element.rect.h if is_image and element.rect else None
    looks = _looks(page, place, element.tag, parent, height)
    node = ContentNode(element.tag, looks, element.order, end, parent=parent)
    if is_image:
        node.images = (place,)
        node.content = _text_of_image(element, image_text)
    return node


def _text(page: RenderedPage, place: int, parent: ContentNode | None) -> ContentNode:
    text = page.texts[place]
    looks = _looks(page, text.parent, "", parent, None)
    content = " ".join(text.text.split())
    return ContentNode("", looks, text.order, text.order + 1, content, (place,), parent=parent)


def _looks(
    page: RenderedPage, element: int, tag: str, parent: ContentNode | None, height: float | None
) -> StyleKey:
    """Return a key with the five properties of an element, which are those of its texts, too."""
    style = page.styles[page.elements[element].style]
    own = (style.font_size, style.font_style, style.font_weight, style.text_decoration, style.color)
    return StyleKey((*(parent.looks.path if parent else ()), tag), *own, height)


def _text_of_image(image: Element, image_text: str) -> str:
    """Return the text of an image: its address, or the words of the address and of the alternative text."""
    address = image.attributes.get("src", "").strip()
    if image_text == "src":
        return address
    words = WORD_RUN.findall(SCHEME.sub("", address))
    return " ".join([*words, *image.attributes.get("alt", "").split()])


def without_breaking(root: ContentNode, breaking: str) -> None:
    """Replace the sentence-breaking nodes of a content body, in place.

    They are those between two sibling texts, and all that look like one of these. Each becomes a text of
    its content, joined with the texts beside it, by a space, as texts are everywhere in the paper.
    """
    if breaking == "none":
        return
    found = _nodes_between_texts(root, only_internal=breaking == "internal")
    looks = {node.looks for node in found}
    for node in list(root.subtree()):
        if any(child.looks in looks for child in node.children):
            _replace(node, looks)


def _nodes_between_texts(root: ContentNode, *, only_internal: bool) -> Iterator[ContentNode]:
    for node in root.subtree():
        beside = zip(node.children, node.children[1:], node.children[2:], strict=False)
        for before, middle, after in beside:
            is_between = before.is_text and after.is_text and not middle.is_text
            if is_between and (middle.children or not only_internal):
                yield middle


def _replace(parent: ContentNode, looks: set[StyleKey]) -> None:
    """Join texts and breaking nodes that stand in a row with at least one of the latter."""
    children: list[ContentNode] = []
    for joins, row in groupby(parent.children, lambda node: node.is_text or node.looks in looks):
        nodes = list(row)
        if not joins or all(node.is_text for node in nodes):
            children += nodes
            continue
        leaves = [leaf for node in nodes for leaf in node.leaves()]
        if leaves:  # a lone br has none
            children.append(_merged_text(parent, nodes, leaves))
    parent.children = children


def _merged_text(
    parent: ContentNode, nodes: Sequence[ContentNode], leaves: Sequence[ContentNode]
) -> ContentNode:
    return ContentNode(
        tag="",
        looks=parent.looks._replace(path=(*parent.looks.path, ""), height=None),
        first=nodes[0].first,
        end=nodes[-1].end,
        content=" ".join(leaf.content for leaf in leaves if leaf.content),
        texts=tuple(text for leaf in leaves for text in leaf.texts),
        images=tuple(image for leaf in leaves for image in leaf.images),
        parent=parent,
    )


Breaking = Literal["internal", "any", "none"]
ImageText = Literal["src", "words"]


@dataclass(frozen=True, slots=True)
class HepsOptions(Options):
    """Options of one list of candidates after the other; the defaults are the paper's (table 1).

    `breaking` says what breaks a sentence: `internal` nodes between two texts, `any` node (so br and img
    too), or `none`, for the ablation. `image_text` is what an image says: `src`, its address, or `words`
    of its address and its alternative text. `theta_1` to `theta_5` are the shares of a list that may
    fulfil the five conditions, `t` how many times as long as its heading a block must be, and `at_least`
    makes a share of exactly θ too many. With `sibling` off the third condition counts for nothing.
    """

    breaking: Breaking = "internal"
    image_text: ImageText = "src"
    theta_1: float = 0.1
    theta_2: float = 0.2
    theta_3: float = 0.7
    theta_4: float = 0.6
    theta_5: float = 0.3
    t: float = 1.5
    at_least: bool = False
    sibling: bool = True


@dataclass(frozen=True, slots=True)
class HepsPublishedOptions(HepsOptions):
    """Options with the values of the public code, 1.0.4, which were fitted to all of the data."""

    breaking: Breaking = "any"
    image_text: ImageText = "words"
    theta_2: float = 0.5
    theta_3: float = 0.9
    theta_4: float = 0.4
    at_least: bool = True


class Candidate(NamedTuple):
    """A text or an image, and its front node, with which its block would begin."""

    node: ContentNode
    front: ContentNode


def candidate_lists(root: ContentNode) -> list[list[Candidate]]:
    """Return those of each style in document order, the presumed higher levels first (H 4.2 and 4.3)."""
    lists: dict[StyleKey, list[ContentNode]] = {}
    for leaf in root.leaves():
        lists.setdefault(leaf.looks, []).append(leaf)
    candidates = [list(map(Candidate, nodes, front_nodes(nodes, root))) for nodes in lists.values()]
    return sorted(candidates, key=_significance)


def front_nodes(nodes: list[ContentNode], root: ContentNode) -> list[ContentNode]:
    """Return the first nodes of the blocks of some headings: as far above them as no two meet (H 4.3.1)."""
    if len(nodes) == 1:
        return [root]
    while True:
        parents = [node.parent for node in nodes if node.parent is not None]
        if len(set(map(id, parents))) < len(nodes):
            return nodes
        nodes = parents


def _significance(candidates: Sequence[Candidate]) -> tuple[int, float, int, int]:
    first, front = candidates[0]
    return len(front.looks.path), -first.looks.font_size, -first.looks.font_weight, first.first


class HeadingBlock(NamedTuple):
    """A heading, and the block from its front node on."""

    node: ContentNode
    first: int
    end: int


def heps(
    page: RenderedPage, body: int, options: HepsOptions, *_: object
) -> tuple[HeadedBlock, ...]:
    """Return the blocks of a content body with their headings.

    Source: T. Manabe, K. Tajima, Extracting Logical Hierarchical Structure of HTML Documents Based on
    Headings, VLDB 2015, section 4.
    """
    root = tree(page, body, options.image_text)
    without_breaking(root, options.breaking)
    accepted: list[HeadingBlock] = []
    for candidates in candidate_lists(root):
        tried = list(_try(root, candidates, accepted, options.t))
        if not _is_dropped([fails for _, fails in tried], options):
            accepted += (heading for heading, fails in tried if not any(fails[:2]))
    return _hierarchy(root, accepted)


def _try(
    root: ContentNode, candidates: Sequence[Candidate], accepted: Sequence[HeadingBlock], t: float
) -> Iterator[tuple[HeadingBlock, tuple[bool, ...]]]:
    """Yield each candidate with the block that it would have, and which of the five conditions it fulfils."""
    headings = [piece.node.first for piece in accepted]
    around = [_innermost(front, accepted, root) for _, front in candidates]
    fronts = {id(front) for _, front in candidates}
    siblings = Counter(around)
    alike = Counter(zip(around, (node.content for node, _ in candidates), strict=True))
    for (node, front), outer in zip(candidates, around, strict=True):
        nodes = _block(front, fronts, headings, outer)
        leaves = [leaf for piece in nodes for leaf in piece.leaves()]
        length = len(" ".join(leaf.content for leaf in leaves))
        fails = (
            any(front.first <= heading < front.end for heading in headings),
            all(leaf is node for leaf in leaves),
            siblings[outer] == 1,
            alike[outer, node.content] > 1,
            length < t * len(node.content),
        )
        yield HeadingBlock(node, front.first, nodes[-1].end), fails


def _innermost(
    front: ContentNode, accepted: Sequence[HeadingBlock], root: ContentNode
) -> tuple[int, int]:
    """First and end of the smallest block so far that a front node is in."""
    blocks = ((heading.first, heading.end) for heading in accepted)
    around = (block for block in blocks if block[0] <= front.first < block[1])
    return min(around, key=lambda block: block[1] - block[0], default=(root.first, root.end))


def _block(
    front: ContentNode, fronts: set[int], headings: Sequence[int], around: tuple[int, int]
) -> list[ContentNode]:
    """Return the nodes of a block: from the front node over its siblings until one is not of it (H 4.4.1)."""
    siblings = front.parent.children if front.parent else [front]

    def belongs(sibling: ContentNode) -> bool:
        return (
            id(sibling) not in fronts
            and not any(sibling.first <= heading < sibling.end for heading in headings)
            and around[0] <= sibling.first < around[1]
        )

    # Nodes are equal to themselves alone.
    return [front, *takewhile(belongs, siblings[siblings.index(front) + 1 :])]


def _is_dropped(fails: Sequence[tuple[bool, ...]], options: HepsOptions) -> bool:
    """Return whether too many candidates of a list fulfil a condition (H 4.4.2)."""
    thetas = (getattr(options, f"theta_{number}") for number in range(1, 6))
    for number, theta in enumerate(thetas):
        if number == 2 and not options.sibling:
            continue
        # Versions differ on a share of exactly θ: the paper keeps such a list, the public code drops it.
        share = sum(of_one[number] for of_one in fails) / len(fails)
        if share > theta or (options.at_least and share == theta):
            return True
    return False


def _hierarchy(root: ContentNode, accepted: Sequence[HeadingBlock]) -> tuple[HeadedBlock, ...]:
    """Return the tree of blocks: the parent of each is the innermost around its first node."""
    blocks = [HeadedBlock(-1, BODY, root.first, root.end)]
    open_blocks = [0]
    for node, first, end in sorted(accepted, key=lambda heading: (heading.first, -heading.end)):
        while open_blocks[1:] and blocks[open_blocks[-1]].end <= first:
            open_blocks.pop()
        parent = open_blocks[-1]
        heading = Heading(node.texts, node.images, blocks[parent].heading.level + 1)
        open_blocks.append(len(blocks))
        blocks.append(HeadedBlock(parent, heading, first, end))
    return tuple(blocks)
