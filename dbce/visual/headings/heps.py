"""HEPS: blocks by their headings, as in the paper and in the published code (Manabe and Tajima, VLDB 2015).

The content body of HEPS has elements, texts and images; nodes that break a sentence, such as links in it, are replaced
by their texts (H 4.1). Then headings and their blocks are chosen list by list of candidates (H 4.4). A list has the
texts and images of one style, and the first nodes of their blocks.
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
"""Elements that are left out with all their descendants."""

SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:/*")


class StyleKey(NamedTuple):
    """Properties shared by nodes of one style (H 4.2).

    `path` is the tag names from the content body to the node, "" for a text; `height` is an image's.
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
    """An element, an image, or a text, perhaps joined from several.

    `texts` and `images` are the places of its parts, if it is no element with children. It ranges from
    `first` to `end` in the order of the page.
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
        """Yield the node and its descendants, in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)

    def leaves(self) -> Iterator[ContentNode]:
        """Return its texts and images, which may be headings (H 4.2), in document order."""
        return (node for node in self.subtree() if node.tag in ("", "img"))


def tree(page: RenderedPage, body: int, image_text: str) -> ContentNode:
    """Return the content body; a rendered page has no blank texts (H 4.1)."""
    nodes: dict[int, ContentNode] = {}
    ends = ends_of(page)
    span = range(page.elements[body].order, ends[body])
    items = [(element.order, place, True) for place, element in enumerate(page.elements)]
    items += ((text.order, place, False) for place, text in enumerate(page.texts))
    for order, place, is_element in sorted(items):
        if order not in span:
            continue
        parent_place = page.elements[place].parent if is_element else page.texts[place].parent
        parent = nodes.get(parent_place)
        if parent is None and place != body:
            continue  # an ancestor was left out
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
    """Return the style key of an element, or of its texts: five properties and the path."""
    style = page.styles[page.elements[element].style]
    key = (style.font_size, style.font_style, style.font_weight, style.text_decoration, style.color)
    return StyleKey((*(parent.looks.path if parent else ()), tag), *key, height)


def _text_of_image(image: Element, image_text: str) -> str:
    """Return the text of an image: its address, or the words of the address and of the alternative text."""
    address = image.attributes.get("src", "").strip()
    if image_text == "src":
        return address
    words = WORD_RUN.findall(SCHEME.sub("", address))
    return " ".join([*words, *image.attributes.get("alt", "").split()])


def without_breaking(root: ContentNode, breaking: str) -> None:
    """Replace the sentence-breaking nodes of a content body, in place.

    They are those between two sibling texts, and all of the style of one of these. Each becomes a text of
    its content, joined with adjacent texts by a space, as everywhere in the paper.
    """
    if breaking == "none":
        return
    breaking_nodes = _nodes_between_texts(root, only_internal=breaking == "internal")
    looks = {node.looks for node in breaking_nodes}
    for node in list(root.subtree()):
        if any(child.looks in looks for child in node.children):
            _replace(node, looks)


def _nodes_between_texts(root: ContentNode, *, only_internal: bool) -> Iterator[ContentNode]:
    for node in root.subtree():
        triples = zip(node.children, node.children[1:], node.children[2:], strict=False)
        for before, middle, after in triples:
            is_between = before.is_text and after.is_text and not middle.is_text
            if is_between and (middle.children or not only_internal):
                yield middle


def _replace(parent: ContentNode, looks: set[StyleKey]) -> None:
    """Join runs of siblings that are texts or breaking nodes, with at least one of the latter."""
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
    """Options of HEPS; the defaults are the paper's (table 1).

    `breaking` are the nodes that break a sentence: `internal` nodes between two texts, `any` node (so br
    and img too), or `none`, for the ablation. `image_text` is the text of an image: `src`, its address, or
    `words` of its address and its alternative text. `theta_1` to `theta_5` are the maximum shares of a list
    that fulfil the five conditions, `t` is the minimum length of a block as a multiple of its heading's,
    and `at_least` makes a share of exactly θ too many. Without `sibling` the third condition is ignored.
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
    """Options with the values of the public code, 1.0.4, which were fitted to all the data."""

    breaking: Breaking = "any"
    image_text: ImageText = "words"
    theta_2: float = 0.5
    theta_3: float = 0.9
    theta_4: float = 0.4
    at_least: bool = True


class Candidate(NamedTuple):
    """A text or an image, and its front node, the first of its block."""

    node: ContentNode
    front: ContentNode


def candidate_lists(root: ContentNode) -> list[list[Candidate]]:
    """Return the candidates of each style in document order, the presumed higher levels first (H 4.2 and 4.3)."""
    lists: dict[StyleKey, list[ContentNode]] = {}
    for leaf in root.leaves():
        lists.setdefault(leaf.looks, []).append(leaf)
    candidates = [list(map(Candidate, nodes, front_nodes(nodes, root))) for nodes in lists.values()]
    return sorted(candidates, key=_significance)


def front_nodes(nodes: list[ContentNode], root: ContentNode) -> list[ContentNode]:
    """Return the first nodes of the blocks of some headings: their highest ancestors that are distinct (H 4.3.1)."""
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
        results = list(_try(root, candidates, accepted, options.t))
        if not _is_dropped([fails for _, fails in results], options):
            accepted += (heading for heading, fails in results if not any(fails[:2]))
    return _hierarchy(root, accepted)


def _try(
    root: ContentNode, candidates: Sequence[Candidate], accepted: Sequence[HeadingBlock], t: float
) -> Iterator[tuple[HeadingBlock, tuple[bool, ...]]]:
    """Yield each candidate with its block, and for each of the five conditions whether it fulfils it."""
    headings = [piece.node.first for piece in accepted]
    outer_blocks = [_innermost(front, accepted, root) for _, front in candidates]
    fronts = {id(front) for _, front in candidates}
    siblings = Counter(outer_blocks)
    repeated = Counter(zip(outer_blocks, (node.content for node, _ in candidates), strict=True))
    for (node, front), outer in zip(candidates, outer_blocks, strict=True):
        nodes = _block(front, fronts, headings, outer)
        leaves = [leaf for piece in nodes for leaf in piece.leaves()]
        length = len(" ".join(leaf.content for leaf in leaves))
        fails = (
            any(front.first <= heading < front.end for heading in headings),
            all(leaf is node for leaf in leaves),
            siblings[outer] == 1,
            repeated[outer, node.content] > 1,
            length < t * len(node.content),
        )
        yield HeadingBlock(node, front.first, nodes[-1].end), fails


def _innermost(
    front: ContentNode, accepted: Sequence[HeadingBlock], root: ContentNode
) -> tuple[int, int]:
    """Return first and end of the smallest accepted block around a front node."""
    blocks = ((heading.first, heading.end) for heading in accepted)
    enclosing = (block for block in blocks if block[0] <= front.first < block[1])
    return min(enclosing, key=lambda block: block[1] - block[0], default=(root.first, root.end))


def _block(
    front: ContentNode, fronts: set[int], headings: Sequence[int], outer: tuple[int, int]
) -> list[ContentNode]:
    """Return the nodes of a block: the front node and its siblings up to the first that does not belong (H 4.4.1)."""
    siblings = front.parent.children if front.parent else [front]

    def belongs(sibling: ContentNode) -> bool:
        return (
            id(sibling) not in fronts
            and not any(sibling.first <= heading < sibling.end for heading in headings)
            and outer[0] <= sibling.first < outer[1]
        )

    # Nodes compare by identity.
    return [front, *takewhile(belongs, siblings[siblings.index(front) + 1 :])]


def _is_dropped(fails: Sequence[tuple[bool, ...]], options: HepsOptions) -> bool:
    """Return whether too many candidates of a list fulfil a condition (H 4.4.2)."""
    thetas = (getattr(options, f"theta_{number}") for number in range(1, 6))
    for number, theta in enumerate(thetas):
        if number == 2 and not options.sibling:
            continue
        # Versions differ on a share of exactly θ: the paper keeps such a list, the public code drops it.
        share = sum(conditions[number] for conditions in fails) / len(fails)
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
