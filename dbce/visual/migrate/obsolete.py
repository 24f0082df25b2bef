"""Obsolete attributes that name, link and describe, and those that HTML knows no more; and what is left of all obsolete."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dbce.visual.migrate.attributes import look_of
from dbce.visual.migrate.elements import CHANGES
from dbce.visual.migrate.tables import LINKS, OF_TABLES
from dbce.visual.migrate.tree import DomElement

if TYPE_CHECKING:
    from collections.abc import Mapping

DATA: Mapping[str, frozenset[str]] = {
    "a": frozenset("charset coords shape methods rev urn datafld datasrc".split()),
    "area": frozenset({"nohref", "hreflang", "type"}),
    "body": frozenset({"bgproperties"}),
    "button": frozenset({"datafld", "dataformatas", "datasrc"}),
    "col": frozenset({"char", "charoff"}),
    "embed": frozenset({"name", "hspace", "vspace"}),
    "form": frozenset({"accept"}),
    "head": frozenset({"profile"}),
    "html": frozenset({"version", "manifest"}),
    "iframe": frozenset(
        "allowtransparency datafld datasrc framespacing hspace longdesc marginheight marginwidth "
        "scrolling vspace".split()
    ),
    "img": frozenset({"lowsrc", "datafld", "datasrc"}),
    "input": frozenset({"datafld", "dataformatas", "datasrc", "ismap", "usemap"}),
    "li": frozenset({"compact"}),
    "link": frozenset({"charset", "methods", "rev", "target", "urn"}),
    "menu": frozenset({"type"}),
    "meta": frozenset({"scheme"}),
    "object": frozenset(
        "archive classid code codebase codetype datafld dataformatas datasrc declare standby".split()
    ),
    "option": frozenset({"name", "dataformatas", "datasrc"}),
    "param": frozenset({"type", "valuetype", "datafld"}),
    "pre": frozenset({"width"}),
    "script": frozenset({"charset", "event", "for"}),
    "select": frozenset({"datafld", "dataformatas", "datasrc"}),
    "table": frozenset(
        "bordercolordark bordercolorlight dataformatas datapagesize datasrc layout".split()
    ),
    "td": frozenset({"abbr", "axis", "char", "charoff", "scope"}),
    "th": frozenset({"axis", "char", "charoff"}),
    "tr": frozenset({"char", "charoff"}),
    "textarea": frozenset({"datafld", "datasrc"}),
}
"""Obsolete attributes that say nothing of the look: each is kept as `data-` and its name."""

DESCRIBED: Mapping[str, tuple[str, ...]] = {
    "a": ("name",),
    "img": ("name", "longdesc"),
    "script": ("language",),
    "table": ("summary",),
}
"""Those that something else stands for."""

JAVASCRIPT = ("javascript", "jscript", "ecmascript", "livescript")
"""Beginnings of the names of JavaScript; scripts in it need no `type`, as it is the default."""


def replace_names(root: DomElement) -> Counter[str]:
    """Replaces all such attributes of a page; how many there were of each."""
    counts: Counter[str] = Counter()
    ids = {holder.attributes["id"] for holder in root.elements() if "id" in holder.attributes}
    for element in list(root.elements()):
        for name in sorted(DATA.get(element.tag, ())):
            if name in element.attributes:
                element.attributes[f"data-{name}"] = element.attributes.pop(name)
                counts[name] += 1
        if element.tag in ("a", "img") and "name" in element.attributes:
            _name(element, ids)
            counts["name"] += 1
        if element.tag == "script" and "language" in element.attributes:
            _language(element)
            counts["language"] += 1
        if element.tag == "table" and "summary" in element.attributes:
            _summary(element)
            counts["summary"] += 1
        if element.tag == "img" and "longdesc" in element.attributes:
            _description(element)
            counts["longdesc"] += 1
    return counts


def _name(element: DomElement, ids: set[str]) -> None:
    """A name becomes the id; else that of an empty link before it, if nothing else has it."""
    name = element.attributes.pop("name")
    own = element.attributes.get("id")
    if name in ids or not name or any(letter.isspace() for letter in name):
        if name != own:
            element.attributes["data-name"] = name
        return
    ids.add(name)
    if own is None:
        element.attributes["id"] = name
    elif element.parent is not None:
        in_link = any(above.tag == "a" for above in element.ancestors())
        anchor = DomElement("span" if in_link else "a", {"id": name})
        element.parent.insert(element.parent.children.index(element), anchor)


def _language(script: DomElement) -> None:
    language = script.attributes.pop("language").strip().lower()
    if language and not language.startswith(JAVASCRIPT):
        script.attributes.setdefault("type", f"text/{language}")


def _summary(table: DomElement) -> None:
    summary = table.attributes.pop("summary")
    if summary.strip():
        table.attributes.setdefault("aria-description", summary)


def _description(image: DomElement) -> None:
    """A link that is not shown, behind the picture, or behind the link that the picture is in."""
    link = DomElement("a", {"href": image.attributes.pop("longdesc"), "hidden": ""})
    behind = image
    for above in image.ancestors():
        if above.tag == "a":
            behind = above
    if behind.parent is not None:
        behind.parent.insert(behind.parent.children.index(behind) + 1, link)


FRAMES = ("frame", "frameset")


def obsolete_in(root: DomElement) -> set[str]:
    """The obsolete elements and attributes of a page, by name: `font`, `td@bgcolor`."""
    names = set()
    for element in root.elements():
        tag = element.tag
        if tag in CHANGES or tag in FRAMES:
            names.add(tag)
        names.update(f"{tag}@{name}" for name in element.attributes if _is_obsolete(tag, name))
    return names


def _is_obsolete(tag: str, name: str) -> bool:
    return (
        look_of(tag, name) is not None
        or name in DATA.get(tag, ())
        or name in DESCRIBED.get(tag, ())
        or (tag == "table" and name in OF_TABLES)
        or (tag == "body" and name in LINKS)
    )
