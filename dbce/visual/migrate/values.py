"""Values of attributes, mended: written as what browsers take them for.

What they read nothing from is kept as `data-` and the name of the attribute. Addresses are written as browsers read
them (URL Standard, 4.4): the same address, without what is no URL.
"""

import re
from collections import Counter
from collections.abc import Mapping
from urllib.parse import quote

from dbce.visual.migrate.repairs import html_elements, keep_as_data
from dbce.visual.migrate.tree import DomElement, Sheet, length

SIZED = frozenset({"img", "iframe", "embed", "object", "video"})  # elements whose size is in pixels

COUNTS: Mapping[str, tuple[str, ...]] = {
    "textarea": ("cols", "maxlength", "rows"),
    "input": ("maxlength", "size"),
    "select": ("size",),
    **dict.fromkeys(("td", "th"), ("colspan", "rowspan")),
    **dict.fromkeys(("col", "colgroup"), ("span",)),
}
"""Attributes that are whole numbers."""

NOT_ZERO = frozenset({"cols", "rows", "size", "colspan", "span"})
"""Attributes of COUNTS that HTML asks to be above zero; `rowspan` may be 0."""

SWITCHES = frozenset("checked defer disabled ismap multiple readonly selected".split())

WINDOWS = frozenset({"_blank", "_self", "_parent", "_top"})
"""Names of windows that begin with a line and mean something."""

MEDIA_OF_OLD = frozenset({"aural", "braille", "embossed", "handheld", "projection", "tty", "tv"})
"""Kinds of device that no browser says it is."""

LABELABLE = frozenset({"button", "input", "meter", "output", "progress", "select", "textarea"})
"""Elements that a `label` may be for."""


def mend_values(
    root: DomElement, sheet: Sheet, spoken: frozenset[str], charset: str, counts: Counter[str]
) -> None:
    """Mend the values of a page's attributes, and count those that were; `spoken` are its scripts' words."""
    named = {
        field.attributes["id"]
        for field in root.elements(*LABELABLE)
        if "id" in field.attributes and field.attributes.get("type", "").lower() != "hidden"
    }
    ids: set[str] = set()
    for element in html_elements(root):
        before = dict(element.attributes)
        _own_id(element, ids, spoken)
        _switches(element, spoken)
        _image_button(element)
        _addresses(element, charset)
        _sizes(element, sheet)
        _counts(element)
        _window(element, spoken)
        _media(element)
        _coordinates(element)
        _label(element, named, spoken)
        counts["value"] += sum(element.attributes.get(name) != old for name, old in before.items())


def _own_id(element: DomElement, ids: set[str], spoken: frozenset[str]) -> None:
    """An id of an earlier element, or none at all: links lead to that one, so only scripts and sheets need it."""
    own = element.attributes.get("id")
    if own is not None and (own in ids or not own) and own.lower() not in spoken:
        keep_as_data(element, "id")
    ids.add(own or "")


def _switches(element: DomElement, spoken: frozenset[str]) -> None:
    """Attributes that are on by being there, whatever is written in them."""
    for name in SWITCHES & element.attributes.keys():
        value = element.attributes[name].lower()
        if value != name and value not in spoken:
            element.attributes[name] = ""


def _image_button(element: DomElement) -> None:
    """A button with a picture sends no value; browsers show it in the place of the picture, as they do `alt`."""
    kind = element.attributes.get("type", "").strip().lower()
    if element.tag == "input" and kind == "image" and "value" in element.attributes:
        if element.attributes["value"]:
            element.attributes.setdefault("alt", element.attributes["value"])
        keep_as_data(element, "value")


def _addresses(element: DomElement, charset: str) -> None:
    for name in ADDRESSES:
        if name in element.attributes:
            element.attributes[name] = address(element.attributes[name], charset)
    if element.tag == "form" and element.attributes.get("action") == "":
        del element.attributes["action"]  # which is the page's own address, as without


def _sizes(element: DomElement, sheet: Sheet) -> None:
    """A size that is more than digits: without what stands behind them, or as a rule."""
    for name in ("width", "height") if element.tag in SIZED else ():
        raw = element.attributes.get(name)
        if raw is None or re.fullmatch(r"\d+", raw):
            continue
        size = length(raw)
        if size is None:
            keep_as_data(element, name)
        elif re.fullmatch(r"\d+px", size):
            element.attributes[name] = size.removesuffix("px")
        else:
            del element.attributes[name]
            sheet.style(element, f"{name}:{size}")


def _counts(element: DomElement) -> None:
    for name in COUNTS.get(element.tag, ()):
        raw = element.attributes.get(name)
        if raw is None:
            continue
        number = re.match(r"\s*\+?([0-9]+)", raw)
        if number is None or (name in NOT_ZERO and not number[1].strip("0")):
            keep_as_data(element, name)
        else:
            element.attributes[name] = number[1]
    tab = element.attributes.get("tabindex")
    if tab is not None and not re.fullmatch(r"-?\d+", tab):
        keep_as_data(element, "tabindex")


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
    raw = element.attributes.get("media", "")
    media = [medium.strip() for medium in raw.split(",")]
    left = [medium for medium in media if medium.lower() not in MEDIA_OF_OLD]
    if len(left) < len(media):
        element.attributes["media"] = ", ".join(left) or "not all"
        element.attributes.setdefault("data-media", raw)


def _coordinates(element: DomElement) -> None:
    raw = element.attributes.get("coords", "")
    if element.tag == "area" and re.fullmatch(r"[\d\s,;]+", raw):
        element.attributes["coords"] = ",".join(re.findall(r"\d+", raw))


def _label(element: DomElement, named: set[str], spoken: frozenset[str]) -> None:
    """A label for a field that is not there; one that holds another would be that one's without it."""
    target = element.attributes.get("for")
    if element.tag != "label" or target is None or target in named:
        return
    if target.lower() not in spoken and not any(element.elements(*LABELABLE)):
        keep_as_data(element, "for")


SPECIAL = re.compile(r"(?i)(?:https?|ftp|file):|[^:/?#]*(?:[/?#]|$)")
"""Addresses of the web, or those that are relative to one."""

SCRIPT = re.compile(r"(?i)\s*(?:javascript|vbscript|data|about):")
PARTS = re.compile(r"^([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
NOT_ASCII = re.compile(r"[^\x00-\x7f]")
IN_PATH, IN_QUERY, IN_FRAGMENT = ' "<>`{}', ' "<>', ' "<>`'
"""Characters that the parser encodes in each part, besides controls."""

ADDRESSES = ("href", "src", "action", "cite", "data", "poster", "longdesc", "formaction")
"""Attributes that are addresses."""


def address(raw: str, charset: str = "utf-8") -> str:
    """Return an address without blanks around it, line ends and tabs, and with escapes where the parser puts them.

    Letters in the query are escaped in the page's `charset` if it is not UTF-8, for the text will be; what
    the charset has not is sent as a reference (URL Standard 4.4). Scripts stay as they are. What the parser leaves as it is stays too, though the standard calls some of
    it errors (`|`, `[`, a `%` alone).
    """
    if SCRIPT.match(raw):
        return raw
    plain = re.sub(r"[\t\n\r]", "", raw.strip("".join(map(chr, range(33)))))
    parts: list[tuple[str, str, str]] = PARTS.findall(plain)
    ((path, query, fragment),) = parts
    if not SPECIAL.match(plain):
        return path + _escape(query, IN_QUERY) + _escape(fragment, IN_FRAGMENT)
    host = re.match(r"(?:[A-Za-z]+:)?[/\\]{2}[^/\\]*|", path)
    start = host[0] if host else ""
    rest = _escape(path[len(start) :].replace("\\", "/"), IN_PATH)
    if not charset.lower().startswith("utf"):
        query = NOT_ASCII.sub(lambda x: quote(x[0].encode(charset, "xmlcharrefreplace")), query)
    return start + rest + _escape(query, IN_QUERY) + _escape(fragment, IN_FRAGMENT)


def _escape(part: str, letters: str) -> str:
    return re.sub(f"[\\0-\\x1f\\x7f{re.escape(letters)}]", lambda sign: quote(sign[0]), part)
