"""Words that stand apart although no white space parts them: style and the roles of their elements do."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from string import ascii_letters, digits

from lxml.etree import _Element as Element

from dbce.html.css import DeclaringRules
from dbce.html.walk import INLINE, RUN, Attributes, ancestors, holders, lines
from dbce.kernel import compiled
from dbce.model import Page, TextNode

# Declarations that part the text of an element from that beside it, in lower case.
BOX = re.compile(
    r"display\s*:\s*(?:block|inline-(?:block|flex|grid|table)|flex|grid|table|list-item|flow-root)"
    r"|float\s*:\s*(?:left|right)|position\s*:\s*absolute"
    r"|(?:margin|padding)(?:-(?:left|right|inline(?:-start|-end)?))?\s*:[^;}]*[1-9]"
)
# Declarations that part the children of an element.
FLEX = re.compile(r"display\s*:\s*(?:inline-)?(?:flex|grid)")
BOX_CLASS = re.compile(
    r"(?<!\S)(?:(?:d-)?(?:inline-)?(?:block|flex|grid)|[mp][lrxse]-(?!0\b)\w+)(?!\S)"
)
# Classes of Tailwind and Bootstrap that mean the same.
FLEX_CLASS = re.compile(r"(?<!\S)(?:(?:d-)?(?:inline-)?(?:flex|grid)|row)(?!\S)")
PARTS = frozenset({"cell", "gridcell", "columnheader", "rowheader", "listitem"})
"""Roles of elements that are a cell or item of their own."""
EDITS = frozenset({"del", "ins"})  # what is deleted, and what stands in its place
# Names of elements, in lower case, that say something of their own, such as who wrote a text, or when.
ROLE = re.compile(
    r"author|byline|name|date|time|publish|job|role|position|title|label|value|price|count|tag|tab(?!le)|badge"
    r"|amount|(?<![a-z])(?:unit(?!ed)|type(?![a-z]))|categor|meta|user|nick|handle|location|source|section|kicker"
    r"|req(?:uired)?(?![a-z])|optional|tooltip"
)
CODE = frozenset("code kbd math pre ruby samp svg tt var".split())
# Elements whose parts make one word: signs of a program, of a formula.
CODE_CLASS = re.compile(
    r"(?<![a-z])(?:code|enlighter|highlight|hljs|pre(?!\w)|prism|sig-|syntax|token)"
)
SCRIPTS = frozenset({"sub", "sup"})
COUNTED = re.compile(r"[^\W\d_]{4}")  # begins what is counted: no suffix, as of 4th, and no unit
END, START = re.compile(r"[.!?:;,%)\]”]"), re.compile(r"[@#$€£]|\(\d+:|\(\d{4}")
LETTERS = ascii_letters + digits
EAST_ASIAN = re.compile("[\u2e80-\uabff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def space_words(page: Page, elements: Sequence[Element], attrs: Attributes) -> tuple[TextNode, ...]:
    """Text nodes of a page, those `spaced` that style or roles of elements part from the one before."""
    of_page = _Elements(page, elements, attrs)
    nodes = page.nodes
    likely = compiled.touching(
        nodes, lines(page, holders(page)), f"{LETTERS}.!?:;,%)]", f"{LETTERS}@#$("
    )
    of_code = compiled.places_among(page.tags, CODE) if likely else ()
    code_of = holders(page, of_code) if of_code else None
    parted = {}
    for number in likely:
        before, node = nodes[number - 1], nodes[number]
        code = code_of[node.element] if code_of else -1
        is_in_code = code_of and code == code_of[before.element] and page.tags[code] in CODE
        if not is_in_code and of_page.part(before, node):
            parted[number] = node._replace(spaced=True)
    return tuple(parted.get(n, node) for n, node in enumerate(nodes)) if parted else nodes


@dataclass
class _Elements:
    """The elements of a page around two texts beside each other: their style, as far as attributes and sheets of the page tell, and their roles."""

    page: Page
    elements: Sequence[Element]
    attrs: Attributes

    def part(self, before: TextNode, node: TextNode) -> bool:
        """True if two texts of a line without white space between them stand apart, and are not of code."""
        if (sides := self._sides(before, node)) is None:
            return False
        around, left, right = sides
        tags = {self.page.tags[element] for element in (*left, *right)}
        roles = {self.elements[element].get("role", "") for element in (*left, *right)}
        if "button" in tags or tags >= EDITS or not roles.isdisjoint(PARTS):
            return True
        words = before.text.split()[-1], node.text.split()[0]
        if before.text[-1].isalnum() and any(len(w) == 1 and w.isalpha() for w in words):
            # Words that are set letter by letter, but an amount and its unit.
            classes = {self.attrs.classes[side[0]] for side in (left, right) if side}
            return len(classes) == 2 and all(self._is_role(side[0]) for side in (left, right))
        # Flex boxes part their children, other boxes stand apart from what is beside them.
        return (
            self._play_roles(left, right, before.text, node.text)
            or self._fits(around, FLEX, FLEX_CLASS)
            or any(self._fits(element, BOX, BOX_CLASS) for element in (*left, *right))
        )

    def _sides(self, before: TextNode, node: TextNode) -> tuple[int, list[int], list[int]] | None:
        """The element around two texts, and those around each, from the outside in; None where they are parted already, or are of code."""
        parents = self.page.parents
        end, start = before.text[-1], node.text[0]
        begins = start.isalnum() or START.match(node.text)
        if not begins or not (end.isalnum() or END.match(end)):
            return None
        if (not end.isascii() and EAST_ASIAN.match(end)) or EAST_ASIAN.match(start):
            return None
        left, right = [before.element], [node.element]
        while left[-1] != right[-1]:
            lower = left if left[-1] > right[-1] else right
            lower.append(parents[lower[-1]])
        around = left.pop()
        right.pop()
        return None if self._are_of_code(around, left) else (around, left[::-1], right[::-1])

    def _are_of_code(self, around: int, left: Sequence[int]) -> bool:
        if any(CODE_CLASS.search(self.attrs.classes[each]) for each in (around, *left)):
            return True
        tags = (self.page.tags[each] for each in ancestors(self.page.parents, around))
        return next((tag for tag in tags if tag not in INLINE or tag in CODE), "") in CODE

    def _play_roles(
        self, left: Sequence[int], right: Sequence[int], before: str, behind: str
    ) -> bool:
        """Return whether elements beside each other say different things: two links, a name and a date."""
        sides = (left, right)
        outer = [side[0] for side in sides if side]
        outer = [element for element in outer if self.elements[element].get(RUN) is None]
        if not outer or (before.rstrip(":.,")[-1:].isdigit() and behind[0].isdigit()):
            return False
        before = before[-1]
        tags = self.page.tags
        links = [any(tags[element] == "a" for element in side) for side in sides]
        roles = [self._is_role(element) for element in outer]
        is_linked = any(links) or any(tags[element] == "code" for element in outer)
        if all(links) or (len(outer) > 1 and ((is_linked and any(roles)) or self._repeat(*outer))):
            return True
        is_label = bool(left) and before in ":]" and self._is_role(left[0])  # Anna: yes
        begins = is_label or not behind[0].islower()
        if len(outer) < 2:
            is_count = before.isdigit() and behind[1:2].islower()  # 309 Comments
            return begins and (all(roles) or is_count)
        is_script = any(tags[element] in SCRIPTS for element in outer)
        is_count = before.isdigit() and behind[0].islower() and bool(COUNTED.match(behind))
        begins = begins and (any(roles) or not before.isupper())
        return all(roles) or ((begins or is_count) and not is_script)

    def _repeat(self, left: int, right: int) -> bool:
        """Return whether there are two such beside the element around them: labels and values."""
        pair = [self.attrs.classes[left], self.attrs.classes[right]]
        around = self.elements[self.page.parents[left]]
        siblings = (each for each in (around.getprevious(), around.getnext()) if each is not None)
        names = [[child.get("class") for child in islice(each, 2)] for each in siblings]
        return all(pair) and pair[0] != pair[1] and pair in names

    def _is_role(self, element: int) -> bool:
        names = f"{self.attrs.classes[element]} {self.attrs.roles[element]}".lower()
        return self.page.tags[element] == "time" or ROLE.search(names) is not None

    def _fits(self, element: int, declared: re.Pattern[str], classes: re.Pattern[str]) -> bool:
        return (
            declared.search(self.elements[element].get("style", "").lower()) is not None
            or classes.search(self.attrs.classes[element]) is not None
            or any(map(declared.search, self._rules.fitting(self.elements[element])))
        )

    @cached_property
    def _rules(self) -> DeclaringRules:
        return DeclaringRules(self.attrs.sheets, BOX)
