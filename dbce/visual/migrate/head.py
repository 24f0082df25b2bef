"""Declarations of a page before its body: one doctype, one charset, no XML; and the layout mode that a doctype gives."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from dbce.visual.migrate.tree import DomElement, parse

if TYPE_CHECKING:
    from dbce.visual.migrate.tree import DomDocument


class Mode(StrEnum):
    """Mode in which browsers lay a page out (Quirks Mode Standard, HTML Standard 13.2.6.4.1)."""

    QUIRKS = "quirks"
    LIMITED = "limited-quirks"
    STANDARD = "no-quirks"


TRANSITIONAL = ("-//w3c//dtd xhtml 1.0 frameset//", "-//w3c//dtd xhtml 1.0 transitional//")
"""Public identifiers of limited quirks; those below only where there is a system identifier, too."""

TRANSITIONAL_HTML = ("-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//")
"""Public identifiers of limited quirks with a system identifier; without one they mean quirks."""


def mode(doctype: str) -> Mode:
    """The mode that a doctype asks for.

    Quirks are what the parser takes for them: there alone a table may stand in a paragraph.
    """
    root = parse(f"{doctype}<p><table>").root
    if any(table.parent and table.parent.tag == "p" for table in root.elements("table")):
        return Mode.QUIRKS
    lowered = doctype.lower()
    if any(f'"{name}' in lowered for name in (*TRANSITIONAL, *TRANSITIONAL_HTML)):
        return Mode.LIMITED
    return Mode.STANDARD


DOCTYPE = "<!DOCTYPE html>"

STATES = frozenset(
    "default-style refresh x-ua-compatible content-security-policy content-type".split()
)
"""Values that `http-equiv` may still have; any other one is a `name` now."""


OF_CHARSET = frozenset({"charset", "http-equiv", "content", "name", "scheme", "lang", "xml:lang"})
"""Attributes that a `meta` for the charset may have so that it can be taken away."""


def renew_head(page: DomDocument) -> None:
    """Gives a page the doctype, the charset and the language that HTML asks for."""
    page.doctype = DOCTYPE
    page.before = [comment for comment in page.before if not comment.text.startswith("?xml")]
    root = page.root
    _language(root)
    head = root.find("head")
    if head is None:
        head = DomElement("head")
        root.insert(0, head)
    for meta in list(root.elements("meta")):
        _meta(meta, root)
    head.insert(0, DomElement("meta", {"charset": "utf-8"}))


def _language(root: DomElement) -> None:
    for element in root.elements():
        attributes = element.attributes
        spoken = attributes.pop("xml:lang", None)
        if spoken:
            attributes.setdefault("lang", spoken.replace("_", "-"))
    for name in [name for name in root.attributes if name.startswith("xmlns")]:
        value = root.attributes.pop(name)
        if ":" in name:
            root.attributes[f"data-{name.replace(':', '-')}"] = value


def _meta(meta: DomElement, root: DomElement) -> None:
    state = meta.attributes.get("http-equiv", "").strip().lower()
    if "charset" in meta.attributes or state == "content-type":
        if meta.parent is not None and meta.attributes.keys() <= OF_CHARSET:
            meta.parent.children.remove(meta)
        for name in ("charset", "http-equiv", "content"):
            meta.attributes.pop(name, None)  # if it stays for what else it says
        return
    if state == "content-language":
        first = meta.attributes.get("content", "").split(",")[0].strip()
        if first and " " not in first:
            root.attributes.setdefault("lang", first)
    is_edge = meta.attributes.get("content", "").strip().lower() == "ie=edge"
    is_known = state in STATES and (state != "x-ua-compatible" or is_edge)
    if state and not is_known and "name" not in meta.attributes:
        meta.attributes["name"] = meta.attributes.pop("http-equiv")
