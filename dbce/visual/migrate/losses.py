"""Contents of a page, counted before and after: nothing of them may be lost, and nothing come in."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from dbce.visual.migrate.sheet import MARK
from dbce.visual.migrate.tree import DomElement, DomText
from dbce.visual.migrate.value_repairs import address

if TYPE_CHECKING:
    from collections.abc import Iterator

SILENT = frozenset({"script", "style", "template"})
"""Elements whose texts no reader sees; they count as scripts, not as words."""

FIELDS = frozenset({"input", "select", "textarea", "button", "keygen", "option", "form"})
LINKS = ("href", "action", "longdesc", "cite")
PICTURES = ("src", "background", "lowsrc", "poster")
ADDED = re.compile(r'~="(\w+)"\]\)\{[^}]*url\("((?:[^"\\]|\\.)*)"\)')
"""A rule of an added sheet that names a picture."""


class Inventory(NamedTuple):
    """Contents of a page: each kind a multiset, but its words, which are in their order."""

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

    Addresses are as browsers read them on a page in a `charset`. What was put by as `data-` counts as it
    did. Ids are those and the names of links and pictures, each once: what leads there still does.
    """
    elements = list(root.elements())
    ids = Counter(element.attributes["id"] for element in elements if "id" in element.attributes)
    names = {name for element in elements if (name := _name(element))}
    ids.update(names - ids.keys())
    return Inventory(
        words=tuple(word for text in _texts(root) for word in text.split()),
        scripts=Counter(
            " ".join(child.text.split())
            for element in elements
            if element.tag in SILENT and element.attributes.get(MARK) != "rules"
            for child in element.children
            if isinstance(child, DomText)
        ),
        links=Counter(address(value, charset) for element in elements for value in _links(element)),
        sources=_sources(root, elements, charset),
        fields=Counter(filter(None, map(_field, elements))),
        ids=ids,
        alt=Counter(value for element in elements for value in _values_of(element, "alt")),
        title=Counter(value for element in elements for value in _values_of(element, "title")),
    )


def differences(before: Inventory, after: Inventory) -> dict[str, int]:
    """Number of things of each kind that are on one side alone, without those kinds that are equal.

    Words that are all there, but in another order, are one difference.
    """
    counts = {}
    for name in Inventory._fields:
        old, new = getattr(before, name), getattr(after, name)
        if old == new:
            continue
        left, right = Counter(old), Counter(new)
        counts[name] = max(1, (left - right).total() + (right - left).total())
    return counts


def _texts(root: DomElement) -> Iterator[str]:
    for node in root.nodes():
        if isinstance(node, DomText) and node.parent is not None and node.parent.tag not in SILENT:
            yield node.text


def _name(element: DomElement) -> str:
    """The name of a link or a picture, if it is one that could be an id."""
    name = element.attributes.get("name") or element.attributes.get("data-name") or ""
    return name if element.tag in ("a", "img") and not any(map(str.isspace, name)) else ""


def _values_of(element: DomElement, *names: str) -> Iterator[str]:
    """The values of some attributes, those too that were put by as `data-`."""
    for name in names:
        for key in (name, f"data-{name}"):
            if key in element.attributes:
                yield element.attributes[key]


def _links(element: DomElement) -> Iterator[str]:
    """The addresses that an element leads to; a form without one leads to its page."""
    for value in _values_of(element, *LINKS):
        if value or element.tag not in ("form", "isindex"):
            yield value


def _sources(root: DomElement, elements: list[DomElement], charset: str) -> Counter[str]:
    """Addresses of what is shown; those of added rules once for each element that has the rule."""
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
            text = "".join(child.text for child in style.children if isinstance(child, DomText))
            rules |= dict(ADDED.findall(text))
    for element in elements:
        for mark in element.attributes.get(MARK, "").split():
            if mark in rules:
                addresses[address(_unquoted(rules[mark]), charset)] += 1
    return addresses


def _unquoted(css: str) -> str:
    return re.sub(r"\\([0-9a-f]{1,6}) ", lambda code: chr(int(code[1], 16)), css)


def _field(element: DomElement) -> str | None:
    """A form field by its kind, name and value; None of what is none, and of what stands for isindex."""
    was = element.attributes.get("data-was")
    if element.tag not in FIELDS or "isindex" in (element.attributes.get("name"), was):
        return None
    if "keygen" in (element.tag, was):
        return f"keygen {element.attributes.get('name', '')}"
    values = [next(_values_of(element, name), "") for name in ("name", "value")]
    kind = next(_values_of(element, "type"), "")
    return f"{element.tag} {kind} {values}"
