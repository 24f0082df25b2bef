"""Migration of one page to HTML5, from its text and its blocks to its new text.

Of two ways the one is taken that changes fewer matches of style sheets. Contents are counted before and after:
nothing may be lost or added.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element as Plain
from xml.etree.ElementTree import SubElement

import tinycss2
from cssselect2 import ElementWrapper, Matcher, compile_selector_list

from dbce.visual.migrate import repairs
from dbce.visual.migrate.attributes import replace_attributes, replace_for_others, replace_names
from dbce.visual.migrate.elements import replace_elements, replace_frames
from dbce.visual.migrate.quirks import Mode, compensate, mode, renew_head
from dbce.visual.migrate.roles import ROLES, LabelledBlock, RoleAssignment, RoleOutcome, Roles
from dbce.visual.migrate.tree import MARK, DomDocument, DomElement, DomText, Sheet, parse, serialise
from dbce.visual.migrate.values import address, mend_values


@dataclass(frozen=True, slots=True)
class PageLooks:
    """Facts about a page from its rendering.

    `colour` is the body's, "" if unknown; `sheets` and `scripts` are the texts of its external ones, and
    `charset` the encoding of its bytes.
    """

    colour: str = ""
    sheets: Sequence[str] = ()
    scripts: Sequence[str] = ()
    charset: str = "utf-8"


@dataclass(frozen=True, slots=True)
class MigratedPage:
    """A page as HTML5, with its changes.

    `way` is that of giving roles, "rename" or "wrap", and `changed` the number of changed matches of
    selectors by each way. `elements` and `attributes` count obsolete ones, `mended` other repairs.
    `losses` counts contents on one side only, by kind. `stable` is true if the text is parsed to the
    tree that it was written from. `styled` are roles for whose elements the page has rules of its
    own.
    """

    html: str
    mode: Mode
    way: str
    changed: Mapping[str, int]
    assignments: tuple[RoleAssignment, ...]
    elements: Counter[str]
    attributes: Counter[str]
    mended: Counter[str]
    losses: Mapping[str, int]
    stable: bool
    styled: frozenset[str]


class _Attempt(NamedTuple):
    """A page migrated in one way; `changed` is the number of changed matches of selectors."""

    page: DomDocument
    assignments: tuple[RoleAssignment, ...]
    elements: Counter[str]
    attributes: Counter[str]
    mended: Counter[str]
    changed: int


def migrate(
    html: str,
    blocks: Sequence[LabelledBlock] = (),
    looks: PageLooks | None = None,
    leave: frozenset[str] = frozenset(),
    moves: int = len(repairs.MOVES),
) -> MigratedPage:
    """Return a page as HTML5; no block gets a role to `leave`, and at most the first `moves` of `MOVES` are tried."""
    looks = looks or PageLooks()
    page = parse(html)
    selectors = selectors_of([*sheets_in(page.root), *looks.sheets])
    before = inventory(page.root, looks.charset)
    matched = selectors, matches(page.root, selectors)
    attempt = partial(_attempt, html, blocks, looks, leave, matched)
    renamed = wrapped = attempt(rename=True, moves=0)
    if any(role.how is RoleOutcome.RENAMED and role.role != "main" for role in renamed.assignments):
        wrapped = attempt(rename=False, moves=0)
    way, unmoved = "rename", renamed
    if wrapped.changed < renamed.changed:
        way, unmoved = "wrap", wrapped
    final = _with_most_moves(unmoved, partial(attempt, rename=way == "rename"), moves)
    text = serialise(final.page)
    reparsed = parse(text)
    return MigratedPage(
        html=text,
        mode=mode(page.doctype),
        way=way,
        changed={"rename": renamed.changed, "wrap": wrapped.changed},
        assignments=final.assignments,
        elements=final.elements,
        attributes=final.attributes,
        mended=final.mended,
        losses=differences(before, inventory(reparsed.root)),
        stable=serialise(reparsed) == text,
        styled=frozenset(str(item.lower_local_name) for item in selectors) & ROLES,
    )


def _with_most_moves(unmoved: _Attempt, attempt: Callable[..., _Attempt], limit: int) -> _Attempt:
    """Return the page with as many moves as possible without changing more matches of selectors."""
    for moves in range(limit, 0, -1):
        moved = attempt(moves=moves)
        if moved.mended == unmoved.mended:
            return unmoved
        text = serialise(moved.page)
        if moved.changed <= unmoved.changed and serialise(parse(text)) == text:
            return moved
    return unmoved


def _attempt(
    html: str,
    blocks: Sequence[LabelledBlock],
    looks: PageLooks,
    leave: frozenset[str],
    matched: tuple[Sequence[Any], frozenset[tuple[int, int]]],
    *,
    rename: bool,
    moves: int,
) -> _Attempt:
    page = parse(html)
    root, sheet = page.root, Sheet()
    roles = Roles(root, sheet, rename=rename)
    sheets = [*sheets_in(root), *looks.sheets]
    script_words = repairs.mentioned_words(root, looks.scripts, looks.sheets)
    compensate(root, mode(page.doctype), sheet, colour=looks.colour, sheets=sheets)
    assignments = roles.give(blocks, leave)
    elements = Counter(frame=replace_frames(root, sheet))
    attributes = replace_for_others(root, sheet)
    elements += replace_elements(root, sheet)
    attributes += replace_attributes(root, sheet)
    attributes += replace_names(root)
    renew_head(page)
    mended: Counter[str] = Counter()
    mend_values(root, sheet, script_words, looks.charset, mended)
    repairs.rename_strangers(root, sheet, script_words, mended)
    for move in repairs.MOVES[:moves]:
        move(root, sheet, mended)
    sheet.add("h1", "font-size:2em;margin-top:.67em;margin-bottom:.67em")
    next(root.elements("head")).insert(1, sheet.element())
    selectors, before = matched
    changed = len(before ^ matches(root, selectors))
    return _Attempt(page, tuple(assignments), elements, attributes, +mended, changed)


SILENT = frozenset({"script", "style", "template"})
"""Elements with invisible texts; they count as scripts, not as words."""

FIELDS = frozenset({"input", "select", "textarea", "button", "keygen", "option", "form"})
LINKS = ("href", "action", "longdesc", "cite")
PICTURES = ("src", "background", "lowsrc", "poster")
ADDED = re.compile(r'~="(\w+)"\]\)\{[^}]*url\("((?:[^"\\]|\\.)*)"\)')
"""Rule of an added sheet with a picture."""

ESCAPED = re.compile(r"\\([0-9a-f]{1,6}) ")


class Inventory(NamedTuple):
    """Contents of a page: each kind a multiset, but for words, which are in order."""

    words: tuple[str, ...]
    scripts: Counter[str]
    links: Counter[str]
    sources: Counter[str]
    fields: Counter[str]
    ids: Counter[str]
    alt: Counter[str]
    title: Counter[str]


def inventory(root: DomElement, charset: str = "utf-8") -> Inventory:
    """Return the contents of a page, before or after migration.

    Addresses are as browsers read them on a page in a `charset`. Attributes kept as `data-` count as before.
    Ids include the names of links and pictures, each once: links to these still work.
    """
    elements = list(root.elements())
    ids = Counter(value for element in elements for value in _values_of(element, "id"))
    names = {name for element in elements if (name := _name(element))}
    ids.update(names - ids.keys())
    return Inventory(
        words=tuple(
            word
            for node in root.nodes()
            if isinstance(node, DomText) and node.parent and node.parent.tag not in SILENT
            for word in node.text.split()
        ),
        scripts=Counter(
            " ".join(element.text.split())
            for element in elements
            if element.tag in SILENT and element.attributes.get(MARK) != "rules" and element.text
        ),
        links=Counter(address(value, charset) for element in elements for value in _links(element)),
        sources=_sources(root, elements, charset),
        fields=Counter(filter(None, map(_field, elements))),
        ids=ids,
        alt=Counter(value for element in elements for value in _alts(element)),
        title=Counter(value for element in elements for value in _values_of(element, "title")),
    )


def differences(before: Inventory, after: Inventory) -> dict[str, int]:
    """Return the number of things on one side only, by kind, without equal kinds.

    Equal words in another order are one difference.
    """
    counts = {}
    for name in Inventory._fields:
        old, new = getattr(before, name), getattr(after, name)
        if old == new:
            continue
        left, right = Counter(old), Counter(new)
        counts[name] = max(1, (left - right).total() + (right - left).total())
    return counts


def _name(element: DomElement) -> str:
    """Return the name of a link or a picture, "" if it could not be an id."""
    name = element.attributes.get("name") or element.attributes.get("data-name") or ""
    return name if element.tag in ("a", "img") and not any(map(str.isspace, name)) else ""


def _values_of(element: DomElement, *names: str) -> Iterator[str]:
    """Yield the values of some attributes, including those kept as `data-`."""
    for name in names:
        for key in (name, f"data-{name}"):
            if key in element.attributes:
                yield element.attributes[key]


def _alts(element: DomElement) -> list[str]:
    """Return the alternative texts of a picture, or else the value of an image button."""
    kind = element.attributes.get("type", "").strip().lower()
    is_button = element.tag == "input" and kind == "image"
    values = next(_values_of(element, "value"), "") if is_button else ""
    return list(_values_of(element, "alt")) or [values] * bool(values)


def _links(element: DomElement) -> Iterator[str]:
    """Yield the addresses that an element leads to; a form without one leads to its page."""
    for value in _values_of(element, *LINKS):
        if value or element.tag not in ("form", "isindex"):
            yield value


def _sources(root: DomElement, elements: list[DomElement], charset: str) -> Counter[str]:
    """Return addresses of embedded resources; those in added rules once for each element with the rule."""
    addresses = Counter(
        address(value, charset)
        for element in elements
        for name in (*PICTURES, *(("data",) if element.tag == "object" else ()))
        for value in _values_of(element, name)
        if name != "background" or value.strip()
    )
    rules: dict[str, str] = {}
    for style in root.elements("style"):
        if style.attributes.get(MARK) == "rules":
            rules |= dict(ADDED.findall(style.text))
    for element in elements:
        for mark in element.attributes.get(MARK, "").split():
            if mark in rules:
                picture = ESCAPED.sub(lambda code: chr(int(code[1], 16)), rules[mark])
                addresses[address(picture, charset)] += 1
    return addresses


def _field(element: DomElement) -> str | None:
    """Return a form field by its kind, name and value; None for other elements, and replacements of isindex."""
    was = element.attributes.get("data-was")
    if element.tag not in FIELDS or "isindex" in (element.attributes.get("name"), was):
        return None
    if "keygen" in (element.tag, was):
        return f"keygen {element.attributes.get('name', '')}"
    values = [next(_values_of(element, name), "") for name in ("name", "value")]
    kind = next(_values_of(element, "type"), "")
    return f"{element.tag} {kind} {values}"


SELECTORS = 5_000  # maximum selectors of a page; with more all are ignored
DEEPEST = 400  # maximum depth of elements: the library recurses a level per call

NESTING = ("media", "supports", "layer")


def selectors_of(sheets: Iterable[str]) -> list[Any]:
    """Return the compiled selectors of style sheets, also inside of at-rules; unknown ones are left out."""
    selectors: list[Any] = []
    for sheet in sheets:
        for rule in _rules(tinycss2.parse_stylesheet(sheet, skip_comments=True)):
            try:
                compiled = compile_selector_list(rule.prelude)
            except (ValueError, AttributeError, RuntimeError, SyntaxError):  # none that it knows
                continue
            selectors += [selector for selector in compiled if not selector.never_matches]
            if len(selectors) > SELECTORS:
                return []
    return selectors


def _rules(rules: Iterable[Any]) -> Iterator[Any]:
    for rule in rules:
        if rule.type == "qualified-rule":
            yield rule
        elif rule.type == "at-rule" and rule.content and rule.lower_at_keyword in NESTING:
            yield from _rules(tinycss2.parse_rule_list(rule.content, skip_comments=True))


def sheets_in(root: DomElement) -> list[str]:
    return [style.text for style in root.elements("style")]


def matches(root: DomElement, selectors: Sequence[Any]) -> frozenset[tuple[int, int]]:
    """Return pairs (selector, matching element) as places; -1 for added elements."""
    plain, numbers = _plain(root)
    if plain is None or not selectors:
        return frozenset()
    matcher = Matcher()
    for place, selector in enumerate(selectors):
        matcher.add_selector(selector, place)
    return frozenset(
        (place, numbers[id(wrapper.etree_element)])
        for wrapper in ElementWrapper.from_html_root(plain).iter_subtree()
        for _, _, _, place in matcher.match(wrapper)
    )


def _plain(root: DomElement) -> tuple[Plain | None, dict[int, int]]:
    """Return the elements as a tree of ElementTree, and their numbers; none for a page nested too deep."""
    top = Plain(root.tag, dict(root.attributes))
    numbers = {id(top): root.number}
    stack = [(root, top, 0)]
    while stack:
        element, copy, level = stack.pop()
        if level > DEEPEST:
            return None, {}
        for child in element.children:
            if isinstance(child, DomElement):
                child_copy = SubElement(copy, child.tag, dict(child.attributes))
                numbers[id(child_copy)] = child.number
                stack.append((child, child_copy, level + 1))
            elif isinstance(child, DomText) and not child.is_blank:
                copy.text = "text"  # selectors only ask whether there is any
    return top, numbers
