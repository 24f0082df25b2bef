"""Blocks with roles as elements of HTML5: renamed, wrapped, wrapped together, or left.

A role that no element can say at its place is left out, and told with the reason.
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
"""Elements that cannot be wrapped where they stand, or must not: what they hold is."""

ROWS = frozenset({"tr", "tbody", "thead", "tfoot"})
"""Parts of tables; what has but one cell is said in that."""

FRAMED = frozenset({"header", "footer"})  # elements that hold none of each other

ABOVE_MAIN = frozenset({"html", "body", "div", "form", "center", "font"})
"""Elements that may stand round `main` (HTML Standard 4.4.14); the last two will be a `div`."""

NO_BOX = "display:contents"
"""The look of an element that is added: none. What is in it is laid out as if it were not there, so no
margin, float, clearance or share of a height can change."""


class RoleOutcome(StrEnum):
    """Way in which a role was given to a block, or the reason why not."""

    RENAMED = "renamed"
    WRAPPED = "wrapped"
    TOGETHER = "wrapped-together"
    INSIDE = "wrapped-inside"
    KEPT = "kept"  # its element says a role already
    FORBIDDEN = "left-forbidden"  # HTML has no place for it there
    APART = "left-apart"  # its elements have no ancestor that holds nothing else
    NOT_FOUND = "left-not-found"  # an element that scripts made
    STYLED = "left-styled"  # the page's own rules for such elements would change how it looks


@dataclass(frozen=True, slots=True)
class LabelledBlock:
    """A block to be given a role: `parent` is another block's place, -1 of none; `content` counts words of content."""

    parent: int
    role: str
    xpaths: tuple[str, ...]
    content: float


class RoleAssignment(NamedTuple):
    """Role of one block, and the way in which it was given or not."""

    role: str
    how: RoleOutcome


class Roles:
    """Gives roles to the blocks of one page, as it is parsed when this is made; without `rename` all are wrapped."""

    def __init__(self, root: DomElement, sheet: Sheet, *, rename: bool) -> None:
        self._sheet = sheet
        self._elements = elements_by_path(root)
        self._can_rename = rename

    def give(self, blocks: Sequence[LabelledBlock], leave: frozenset[str]) -> list[RoleAssignment]:
        """Give all roles but those to `leave`, and `main` to the block with most content."""
        of_blocks = [
            [self._elements[path] for path in block.xpaths]
            if self._elements.keys() >= set(block.xpaths)
            else []
            for block in blocks
        ]
        main = main_block(blocks)
        around: list[set[int]] = []  # the block itself, and those that it is in
        for n, block in enumerate(blocks):
            around.append({n} | (around[block.parent] if block.parent >= 0 else set()))
        given = []
        for n, block in enumerate(blocks):
            if block.role not in ROLES:
                continue
            if block.role in leave:
                given.append(RoleAssignment(block.role, RoleOutcome.STYLED))
                continue
            others = [
                element
                for other, elements in enumerate(of_blocks)
                if other not in around[n] and n not in around[other]
                for element in elements
            ]
            how, element = self._role(block.role, of_blocks[n], others)
            given.append(RoleAssignment(block.role, how))
            if n == main and element is not None:
                given.append(RoleAssignment("main", self._main(element)))
        return given

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
        above = _common(elements)
        if above is None or above.tag in ("html", "body") or _holds(above, others):
            most = _most(elements)
            if len(most) in {0, len(elements)}:
                return RoleOutcome.APART, None
            return self._role(role, most, others)
        return self._give(role, above)

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
        """Return whether HTML allows an element for a role in another, round some of its children."""
        if not may_hold_blocks(parent):
            return False
        if role not in FRAMED:
            return True
        inside = (one for node in row if isinstance(node, DomElement) for one in node.elements())
        around = (parent, *parent.ancestors(), *inside)
        return not any(element.tag in FRAMED or element.tag == "main" for element in around)

    def _wrap(self, role: str, row: list[Node]) -> DomElement:
        wrapper = DomElement(role)
        wrapper.wrap(row)
        self._sheet.style(wrapper, NO_BOX)
        return wrapper

    def _main(self, element: DomElement) -> RoleOutcome:
        """Put `main` round an element, or says so by its role where HTML lets no `main` stand."""
        above = [other.tag for other in element.ancestors()]
        root = [element, *element.ancestors()][-1]
        if any("main" in (other.tag, other.attributes.get("role")) for other in root.elements()):
            return RoleOutcome.KEPT
        if ABOVE_MAIN.issuperset(above) and not in_paragraph(element.parent):
            self._wrap("main", [element])
            return RoleOutcome.WRAPPED
        is_free = (ROLES - {"section"}).isdisjoint(above)
        if element.tag in ("article", "section") and is_free:
            element.attributes["role"] = "main"
            return RoleOutcome.RENAMED
        return RoleOutcome.FORBIDDEN


def main_block(blocks: Sequence[LabelledBlock]) -> int:
    """Return the place of the block that holds no other and has most content; -1 if none has any."""
    parents = {block.parent for block in blocks}
    bare = [
        n
        for n, block in enumerate(blocks)
        if n not in parents and block.role in ("article", "section") and block.content > 0
    ]
    return max(bare, key=lambda n: (blocks[n].content, -n), default=-1)


def elements_by_path(root: DomElement) -> dict[str, DomElement]:
    """Return the elements of a page's body, or of its frames, by their paths as `RenderedPage` has them."""
    by_path: dict[str, DomElement] = {}
    top = next(child for child in root if child.tag in ("body", "frameset"))
    left = [(top, f"/html/{top.tag}")]
    while left:
        element, path = left.pop()
        by_path[path] = element
        seen = Counter[str]()
        for child in element:
            seen[child.tag] += 1
            left.append((child, f"{path}/{xpath_step(child.tag)}[{seen[child.tag]}]"))
    return by_path


def _holds(element: DomElement, others: list[DomElement]) -> bool:
    inside = {id(below) for below in element.elements()}
    return any(id(other) in inside for other in others)


def _most(elements: Sequence[DomElement]) -> list[DomElement]:
    """Return the siblings among some elements that hold more than half of what all of them hold, if any do."""
    rows: defaultdict[int, list[DomElement]] = defaultdict(list)
    for element in elements:
        rows[id(element.parent)].append(element)
    sizes = {parent: sum(len(list(e.elements())) for e in row) for parent, row in rows.items()}
    largest = max(sizes, key=sizes.__getitem__)
    return rows[largest] if 2 * sizes[largest] > sum(sizes.values()) else []


def _common(elements: Sequence[DomElement]) -> DomElement | None:
    """Return the lowest element that holds all of some."""
    chains = [[element, *element.ancestors()][::-1] for element in elements]
    common = None
    for level in zip(*chains, strict=False):
        if any(ancestor is not level[0] for ancestor in level):
            break
        common = level[0]
    return common
