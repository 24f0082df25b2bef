"""Blocks with roles as elements of HTML5: renamed, wrapped, wrapped together, or left.

A role that no element can have at its place is left out, with the reason.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from dbce.html import xpath_step
from dbce.visual.migrate.repairs import in_paragraph, may_hold_blocks
from dbce.visual.migrate.tree import DomElement, Node, Sheet

ROLES = frozenset({"header", "nav", "article", "aside", "footer", "section"})

HOLDERS = frozenset({"td", "th", "li", "dd", "body", "caption", "fieldset", "button"})
"""Elements that cannot or must not be wrapped: their contents are."""

ROWS = frozenset({"tr", "tbody", "thead", "tfoot"})
"""Parts of tables; the role of one with a single cell is given to that."""

FRAMED = frozenset({"header", "footer"})  # elements that must not contain each other

ABOVE_MAIN = frozenset({"html", "body", "div", "form", "center", "font"})
"""Elements allowed around `main` (HTML Standard 4.4.14); the last two will be a `div`."""

NO_BOX = "display:contents"
"""Style of added elements: without a box. Their contents are laid out as if they were not there, so no
margin, float, clearance or percentage height can change."""


class RoleOutcome(StrEnum):
    """Way in which a role was given to a block, or the reason why not."""

    RENAMED = "renamed"
    WRAPPED = "wrapped"
    TOGETHER = "wrapped-together"
    INSIDE = "wrapped-inside"
    KEPT = "kept"  # its element has a role already
    FORBIDDEN = "left-forbidden"  # HTML does not allow it there
    APART = "left-apart"  # its elements have no ancestor of their own
    NOT_FOUND = "left-not-found"  # an element that scripts made
    STYLED = "left-styled"  # the page's own rules for such elements would change its look


@dataclass(frozen=True, slots=True)
class LabelledBlock:
    """A block to be given a role: `parent` is another block's place, -1 for none; `content` is the number of words of content."""

    parent: int
    role: str
    xpaths: tuple[str, ...]
    content: float


class RoleAssignment(NamedTuple):
    """Role of one block, and the way in which it was given or not."""

    role: str
    how: RoleOutcome


class Roles:
    """Gives roles to the blocks of one page, in its state at construction; without `rename` all are wrapped."""

    def __init__(self, root: DomElement, sheet: Sheet, *, rename: bool) -> None:
        self._sheet = sheet
        self._elements = elements_by_path(root)
        self._can_rename = rename

    def give(self, blocks: Sequence[LabelledBlock], leave: frozenset[str]) -> list[RoleAssignment]:
        """Give all roles but those to `leave`, and `main` to the block with most content; return the assignments."""
        elements_of_blocks = [
            [self._elements[path] for path in block.xpaths]
            if self._elements.keys() >= set(block.xpaths)
            else []
            for block in blocks
        ]
        main = main_block(blocks)
        lineage: list[set[int]] = []  # the block itself and its ancestors
        for n, block in enumerate(blocks):
            lineage.append({n} | (lineage[block.parent] if block.parent >= 0 else set()))
        assignments = []
        for n, block in enumerate(blocks):
            if block.role not in ROLES:
                continue
            if block.role in leave:
                assignments.append(RoleAssignment(block.role, RoleOutcome.STYLED))
                continue
            other_elements = [
                element
                for other, elements in enumerate(elements_of_blocks)
                if other not in lineage[n] and n not in lineage[other]
                for element in elements
            ]
            how, element = self._role(block.role, elements_of_blocks[n], other_elements)
            assignments.append(RoleAssignment(block.role, how))
            if n == main and element is not None:
                assignments.append(RoleAssignment("main", self._main(element)))
        return assignments

    def _role(
        self, role: str, elements: list[DomElement], others: list[DomElement]
    ) -> tuple[RoleOutcome, DomElement | None]:
        if not elements:
            return RoleOutcome.NOT_FOUND, None
        if len(elements) == 1:
            return self._give(role, elements[0])
        parent = elements[0].parent
        if parent is not None and all(element.parent is parent for element in elements):
            places = sorted(parent.children.index(element) for element in elements)
            row = parent.children[places[0] : places[-1] + 1]
            if any(_holds(node, others) for node in row if isinstance(node, DomElement)):
                return RoleOutcome.APART, None
            if self._may_stand(role, parent, row):
                return RoleOutcome.TOGETHER, self._wrap(role, row)
        common = _lowest_common(elements)
        if common is None or common.tag in ("html", "body") or _holds(common, others):
            majority = _majority(elements)
            if len(majority) in {0, len(elements)}:
                return RoleOutcome.APART, None
            return self._role(role, majority, others)
        return self._give(role, common)

    def _give(self, role: str, element: DomElement) -> tuple[RoleOutcome, DomElement | None]:
        if element.tag in ROLES or element.tag == "main":
            return RoleOutcome.KEPT, element
        if element.tag in ROWS and len(cells := list(element.elements("td", "th"))) == 1:
            (element,) = cells
        if element.tag in HOLDERS:
            if not element.children or not self._may_stand(role, element, element.children):
                return RoleOutcome.FORBIDDEN, None
            return RoleOutcome.INSIDE, self._wrap(role, element.children)
        if element.parent is None or not self._may_stand(role, element.parent, [element]):
            return RoleOutcome.FORBIDDEN, None
        if element.tag == "div" and self._can_rename:
            element.tag = role
            return RoleOutcome.RENAMED, element
        return RoleOutcome.WRAPPED, self._wrap(role, [element])

    def _may_stand(self, role: str, parent: DomElement, row: list[Node]) -> bool:
        """Return whether HTML allows an element for a role in another, around some of its children."""
        if not may_hold_blocks(parent):
            return False
        if role not in FRAMED:
            return True
        descendants = (e for node in row if isinstance(node, DomElement) for e in node.elements())
        relatives = (parent, *parent.ancestors(), *descendants)
        return not any(element.tag in FRAMED or element.tag == "main" for element in relatives)

    def _wrap(self, role: str, row: list[Node]) -> DomElement:
        wrapper = DomElement(role)
        wrapper.wrap(row)
        self._sheet.style(wrapper, NO_BOX)
        return wrapper

    def _main(self, element: DomElement) -> RoleOutcome:
        """Wrap an element in `main`, or give it that role where HTML allows no `main`."""
        tags = [other.tag for other in element.ancestors()]
        root = [element, *element.ancestors()][-1]
        if any("main" in (other.tag, other.attributes.get("role")) for other in root.elements()):
            return RoleOutcome.KEPT
        if ABOVE_MAIN.issuperset(tags) and not in_paragraph(element.parent):
            self._wrap("main", [element])
            return RoleOutcome.WRAPPED
        is_free = (ROLES - {"section"}).isdisjoint(tags)
        if element.tag in ("article", "section") and is_free:
            element.attributes["role"] = "main"
            return RoleOutcome.RENAMED
        return RoleOutcome.FORBIDDEN


def main_block(blocks: Sequence[LabelledBlock]) -> int:
    """Return the place of the terminal block with most content; -1 if none has any."""
    parents = {block.parent for block in blocks}
    candidates = [
        n
        for n, block in enumerate(blocks)
        if n not in parents and block.role in ("article", "section") and block.content > 0
    ]
    return max(candidates, key=lambda n: (blocks[n].content, -n), default=-1)


def elements_by_path(root: DomElement) -> dict[str, DomElement]:
    """Return the elements of a page's body, or of its frames, by their paths as in `RenderedPage`."""
    by_path: dict[str, DomElement] = {}
    top = next(child for child in root if child.tag in ("body", "frameset"))
    stack = [(top, f"/html/{top.tag}")]
    while stack:
        element, path = stack.pop()
        by_path[path] = element
        counts = Counter[str]()
        for child in element:
            counts[child.tag] += 1
            stack.append((child, f"{path}/{xpath_step(child.tag)}[{counts[child.tag]}]"))
    return by_path


def _holds(element: DomElement, others: list[DomElement]) -> bool:
    ids = {id(descendant) for descendant in element.elements()}
    return any(id(other) in ids for other in others)


def _majority(elements: Sequence[DomElement]) -> list[DomElement]:
    """Return those of some elements that are siblings with more than half of all descendants, if any."""
    rows: defaultdict[int, list[DomElement]] = defaultdict(list)
    for element in elements:
        rows[id(element.parent)].append(element)
    sizes = {parent: sum(len(list(e.elements())) for e in row) for parent, row in rows.items()}
    largest = max(sizes, key=sizes.__getitem__)
    return rows[largest] if 2 * sizes[largest] > sum(sizes.values()) else []


def _lowest_common(elements: Sequence[DomElement]) -> DomElement | None:
    chains = [[element, *element.ancestors()][::-1] for element in elements]
    common = None
    for level in zip(*chains, strict=False):
        if any(ancestor is not level[0] for ancestor in level):
            break
        common = level[0]
    return common
