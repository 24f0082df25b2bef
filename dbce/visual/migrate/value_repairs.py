"""Values of attributes that HTML does not allow, written as what browsers take them for.

What browsers read nothing from is kept as `data-` and the name of the attribute. Addresses are written as browsers
read them (URL Standard, 4.4): the same address, without what is no URL.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from dbce.visual.migrate.nonstandard import of_html, put_by
from dbce.visual.migrate.sheet import length

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

    from dbce.visual.migrate.sheet import Sheet
    from dbce.visual.migrate.tree import DomElement

SIZED = frozenset({"img", "iframe", "embed", "object", "video"})
"""Elements whose size is in pixels."""

COUNTS: Mapping[str, frozenset[str]] = {
    "textarea": frozenset({"cols", "rows", "maxlength"}),
    "input": frozenset({"size", "maxlength"}),
    "select": frozenset({"size"}),
    "td": frozenset({"colspan", "rowspan"}),
    "th": frozenset({"colspan", "rowspan"}),
    "col": frozenset({"span"}),
    "colgroup": frozenset({"span"}),
}
"""Attributes that are whole numbers."""

NOT_ZERO = frozenset({"cols", "rows", "size", "colspan", "span"})
"""Attributes of COUNTS that HTML asks to be above zero; `rowspan` may be 0."""

WINDOWS = frozenset({"_blank", "_self", "_parent", "_top"})
"""Names of windows that begin with a line and mean something."""

MEDIA_OF_OLD = frozenset({"aural", "braille", "embossed", "handheld", "projection", "tty", "tv"})
"""Kinds of device that no browser says it is."""

LABELABLE = frozenset({"button", "input", "meter", "output", "progress", "select", "textarea"})
"""Elements that a `label` may be for."""


def mend_values(
    root: DomElement, sheet: Sheet, spoken: frozenset[str], charset: str, counts: Counter[str]
) -> None:
    """Mends the values of a page's attributes, and counts those that were; `spoken` are its scripts' words.

    Queries of addresses are written in the page's `charset`, as browsers send them.
    """
    named = {
        field.attributes["id"]
        for field in root.elements(*LABELABLE)
        if "id" in field.attributes and field.attributes.get("type", "").lower() != "hidden"
    }
    for element in of_html(root):
        before = dict(element.attributes)
        _addresses(element, charset)
        _sizes(element, sheet)
        _counts(element)
        _window(element, spoken)
        _media(element)
        _coordinates(element)
        _label(element, named, spoken)
        counts["value"] += sum(
            element.attributes.get(name) != value for name, value in before.items()
        )


def _addresses(element: DomElement, charset: str) -> None:
    for name in ADDRESSES:
        if name in element.attributes:
            element.attributes[name] = address(element.attributes[name], charset)
    if element.tag == "form" and element.attributes.get("action") == "":
        del element.attributes["action"]  # which is the page's own address, as without


def _sizes(element: DomElement, sheet: Sheet) -> None:
    """A size that is more than digits: without what stands behind them, or as a rule."""
    if element.tag not in SIZED:
        return
    for name in ("width", "height"):
        raw = element.attributes.get(name)
        if raw is None or re.fullmatch(r"\d+", raw):
            continue
        size = length(raw)
        if size is None:
            put_by(element, name)
        elif re.fullmatch(r"\d+px", size):
            element.attributes[name] = size.removesuffix("px")
        else:
            del element.attributes[name]
            sheet.style(element, f"{name}:{size}")


def _counts(element: DomElement) -> None:
    for name in sorted(COUNTS.get(element.tag, ())):
        raw = element.attributes.get(name)
        if raw is None:
            continue
        number = re.match(r"\s*\+?([0-9]+)", raw)
        if number is None or (name in NOT_ZERO and not number[1].strip("0")):
            put_by(element, name)
        else:
            element.attributes[name] = number[1]
    tab = element.attributes.get("tabindex")
    if tab is not None and not re.fullmatch(r"-?\d+", tab):
        put_by(element, "tabindex")


def _window(element: DomElement, spoken: frozenset[str]) -> None:
    """A window's name: none is the page's own; one that begins with a line does so no more."""
    target = element.attributes.get("target")
    if target is None:
        return
    if not target:
        element.attributes["target"] = "_self"
    elif target[0] == "_" and target.lower() not in WINDOWS and target.lower() not in spoken:
        element.attributes["target"] = target.lstrip("_") or "_self"


def _media(element: DomElement) -> None:
    """A list of media without those that no device is."""
    raw = element.attributes.get("media")
    if raw is None:
        return
    media = [medium.strip() for medium in raw.split(",")]
    left = [medium for medium in media if medium.lower() not in MEDIA_OF_OLD]
    if len(left) < len(media):
        element.attributes["media"] = ", ".join(left) or "not all"
        element.attributes.setdefault("data-media", raw)


def _coordinates(element: DomElement) -> None:
    raw = element.attributes.get("coords")
    if element.tag == "area" and raw is not None and re.fullmatch(r"[\d\s,;]+", raw):
        element.attributes["coords"] = ",".join(re.findall(r"\d+", raw))


def _label(element: DomElement, named: set[str], spoken: frozenset[str]) -> None:
    """A label for a field that is not there; one that holds another would be that one's without it."""
    target = element.attributes.get("for")
    if element.tag != "label" or target is None or target in named:
        return
    if target.lower() not in spoken and not any(element.elements(*LABELABLE)):
        put_by(element, "for")


SPECIAL = re.compile(r"(?i)(?:https?|ftp|file):|[^:/?#]*(?:[/?#]|$)")
"""Addresses of the web, or those that are relative to one."""

SCRIPT = re.compile(r"(?i)\s*(?:javascript|vbscript|data|about):")
PARTS = re.compile(r"([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
IN_PATH, IN_QUERY, IN_FRAGMENT = ' "<>`{}', ' "<>', ' "<>`'
"""Characters that the parser encodes in each part, besides controls."""


ADDRESSES = ("href", "src", "action", "cite", "data", "poster", "longdesc", "formaction")
"""Attributes that are addresses."""


def address(raw: str, charset: str = "utf-8") -> str:
    """An address without blanks around it, line ends and tabs, and with escapes where the parser puts them.

    Letters in the query are escaped in the page's `charset` if it is not UTF-8, for the text will be.

    Scripts stay as they are. What the parser leaves as it is stays too, though the standard calls some of
    it errors (`|`, `[`, a `%` alone).
    """
    if SCRIPT.match(raw):
        return raw
    plain = re.sub(r"[\t\n\r]", "", raw.strip("".join(map(chr, range(33)))))
    parts = PARTS.fullmatch(plain)
    if parts is None:
        return raw
    path, query, fragment = (part or "" for part in parts.groups())
    if not SPECIAL.match(plain):
        return path + _escaped(query, IN_QUERY) + _escaped(fragment, IN_FRAGMENT)
    host = re.match(r"(?:[A-Za-z]+:)?[/\\]{2}[^/\\]*|", path)
    start = host[0] if host else ""
    rest = _escaped(path[len(start) :].replace("\\", "/"), IN_PATH)
    return start + rest + _query(query, charset) + _escaped(fragment, IN_FRAGMENT)


def _query(query: str, charset: str) -> str:
    """A query as browsers send it; what the charset has not is sent as a reference (URL Standard 4.4)."""
    if not query.isascii() and not charset.lower().startswith("utf"):
        pieces = (
            letter if letter.isascii() else quote(letter.encode(charset, "xmlcharrefreplace"))
            for letter in query
        )
        query = "".join(pieces)
    return _escaped(query, IN_QUERY)


def _escaped(part: str, letters: str) -> str:
    return re.sub(f"[\\0-\\x1f\\x7f{re.escape(letters)}]", lambda sign: quote(sign[0]), part)
