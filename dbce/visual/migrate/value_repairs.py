"""Values of attributes that HTML does not allow, written as what browsers take them for.

What browsers read nothing from is kept as `data-` and the name of the attribute.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.visual.migrate.addresses import ADDRESSES, address
from dbce.visual.migrate.nonstandard import of_html, put_by
from dbce.visual.migrate.values import length

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

    from dbce.visual.migrate.sheet import Sheet
    from dbce.visual.migrate.tree import Element

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
    root: Element, sheet: Sheet, spoken: frozenset[str], charset: str, found: Counter[str]
) -> None:
    """Mends the values of a page's attributes, and counts those that were; `spoken` are its scripts' words.

    Queries of addresses are written in the page's `charset`, as browsers send them.
    """
    named = {
        one.attributes["id"]
        for one in root.elements(*LABELABLE)
        if "id" in one.attributes and one.attributes.get("type", "").lower() != "hidden"
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
        found["value"] += sum(element.attributes.get(name) != said for name, said in before.items())


def _addresses(element: Element, charset: str) -> None:
    for name in ADDRESSES:
        if name in element.attributes:
            element.attributes[name] = address(element.attributes[name], charset)
    if element.tag == "form" and element.attributes.get("action") == "":
        del element.attributes["action"]  # which is the page's own address, as without


def _sizes(element: Element, sheet: Sheet) -> None:
    """A size that is more than digits: without what stands behind them, or as a rule."""
    if element.tag not in SIZED:
        return
    for name in ("width", "height"):
        said = element.attributes.get(name)
        if said is None or re.fullmatch(r"\d+", said):
            continue
        size = length(said)
        if size is None:
            put_by(element, name)
        elif re.fullmatch(r"\d+px", size):
            element.attributes[name] = size.removesuffix("px")
        else:
            del element.attributes[name]
            sheet.style(element, f"{name}:{size}")


def _counts(element: Element) -> None:
    for name in COUNTS.get(element.tag, ()):
        said = element.attributes.get(name)
        if said is None:
            continue
        number = re.match(r"\s*\+?([0-9]+)", said)
        if number is None or (name in NOT_ZERO and not number[1].strip("0")):
            put_by(element, name)
        else:
            element.attributes[name] = number[1]
    tab = element.attributes.get("tabindex")
    if tab is not None and not re.fullmatch(r"-?\d+", tab):
        put_by(element, "tabindex")


def _window(element: Element, spoken: frozenset[str]) -> None:
    """A window's name: none is the page's own; one that begins with a line does so no more."""
    target = element.attributes.get("target")
    if target is None:
        return
    if not target:
        element.attributes["target"] = "_self"
    elif target[0] == "_" and target.lower() not in WINDOWS and target.lower() not in spoken:
        element.attributes["target"] = target.lstrip("_") or "_self"


def _media(element: Element) -> None:
    """A list of media without those that no device is."""
    said = element.attributes.get("media")
    if said is None:
        return
    media = [one.strip() for one in said.split(",")]
    left = [one for one in media if one.lower() not in MEDIA_OF_OLD]
    if len(left) < len(media):
        element.attributes["media"] = ", ".join(left) or "not all"
        element.attributes.setdefault("data-media", said)


def _coordinates(element: Element) -> None:
    said = element.attributes.get("coords")
    if element.tag == "area" and said is not None and re.fullmatch(r"[\d\s,;]+", said):
        element.attributes["coords"] = ",".join(re.findall(r"\d+", said))


def _label(element: Element, named: set[str], spoken: frozenset[str]) -> None:
    """A label for a field that is not there; one that holds another would be that one's without it."""
    target = element.attributes.get("for")
    if element.tag != "label" or target is None or target in named:
        return
    if target.lower() not in spoken and not any(element.elements(*LABELABLE)):
        put_by(element, "for")
