"""Values of attributes, repaired: written as browsers interpret them.

Values that they ignore are kept as `data-` and the name of the attribute. Addresses are written as browsers read
them (URL Standard, 4.4): the same address, as a valid URL.
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
"""Attributes of COUNTS that must be above zero; `rowspan` may be 0."""

SWITCHES = frozenset("checked defer disabled ismap multiple readonly selected".split())

WINDOWS = frozenset({"_blank", "_self", "_parent", "_top"})
"""Names of windows with a meaning, which begin with an underscore."""

MEDIA_OF_OLD = frozenset({"aural", "braille", "embossed", "handheld", "projection", "tty", "tv"})
"""Media types that match no browser."""

LABELABLE = frozenset({"button", "input", "meter", "output", "progress", "select", "textarea"})
"""Elements that a `label` may be for."""


def mend_values(
    root: DomElement, sheet: Sheet, script_words: frozenset[str], charset: str, counts: Counter[str]
) -> None:
    """Repair and count the values of a page's attributes; `script_words` are the words of its scripts."""
    field_ids = {
        field.attributes["id"]
        for field in root.elements(*LABELABLE)
        if "id" in field.attributes and field.attributes.get("type", "").lower() != "hidden"
    }
    ids: set[str] = set()
    for element in html_elements(root):
        before = dict(element.attributes)
        _mend_id(element, ids, script_words)
        _switches(element, script_words)
        _image_button(element)
        _addresses(element, charset)
        _sizes(element, sheet)
        _counts(element)
        _window(element, script_words)
        _media(element)
        _coordinates(element)
        _label(element, field_ids, script_words)
        counts["value"] += sum(element.attributes.get(name) != old for name, old in before.items())


def _mend_id(element: DomElement, ids: set[str], script_words: frozenset[str]) -> None:
    """Drop a repeated or empty id: links lead to the first element, so only scripts and sheets may need it."""
    value = element.attributes.get("id")
    if value is not None and (value in ids or not value) and value.lower() not in script_words:
        keep_as_data(element, "id")
    ids.add(value or "")


def _switches(element: DomElement, script_words: frozenset[str]) -> None:
    """Normalise boolean attributes, which are true whatever their value."""
    for name in SWITCHES & element.attributes.keys():
        value = element.attributes[name].lower()
        if value != name and value not in script_words:
            element.attributes[name] = ""


def _image_button(element: DomElement) -> None:
    """Turn the value of an image button, which is not sent, into its alternative text."""
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
        del element.attributes["action"]  # the page's own address, as by default


def _sizes(element: DomElement, sheet: Sheet) -> None:
    """Reduce sizes to digits, or turn them into rules."""
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


def _window(element: DomElement, script_words: frozenset[str]) -> None:
    """Repair a window's name: an empty one is the page's own; a leading underscore is dropped."""
    target = element.attributes.get("target")
    if target is None:
        return
    if not target:
        element.attributes["target"] = "_self"
    elif target[0] == "_" and target.lower() not in WINDOWS and target.lower() not in script_words:
        element.attributes["target"] = target.lstrip("_") or "_self"


def _media(element: DomElement) -> None:
    """Remove obsolete media types from a list."""
    raw = element.attributes.get("media", "")
    media = [medium.strip() for medium in raw.split(",")]
    current = [medium for medium in media if medium.lower() not in MEDIA_OF_OLD]
    if len(current) < len(media):
        element.attributes["media"] = ", ".join(current) or "not all"
        element.attributes.setdefault("data-media", raw)


def _coordinates(element: DomElement) -> None:
    raw = element.attributes.get("coords", "")
    if element.tag == "area" and re.fullmatch(r"[\d\s,;]+", raw):
        element.attributes["coords"] = ",".join(re.findall(r"\d+", raw))


def _label(element: DomElement, field_ids: set[str], script_words: frozenset[str]) -> None:
    """Drop the `for` of a missing field, unless the label contains a field, which it would then label."""
    target = element.attributes.get("for")
    if element.tag != "label" or target is None or target in field_ids:
        return
    if target.lower() not in script_words and not any(element.elements(*LABELABLE)):
        keep_as_data(element, "for")


SPECIAL = re.compile(r"(?i)(?:https?|ftp|file):|[^:/?#]*(?:[/?#]|$)")
"""Web addresses, or those relative to one."""

SCRIPT = re.compile(r"(?i)\s*(?:javascript|vbscript|data|about):")
PARTS = re.compile(r"^([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
NOT_ASCII = re.compile(r"[^\x00-\x7f]")
IN_PATH, IN_QUERY, IN_FRAGMENT = ' "<>`{}', ' "<>', ' "<>`'
"""Characters that the parser escapes in each part, besides controls."""

ADDRESSES = ("href", "src", "action", "cite", "data", "poster", "longdesc", "formaction")
"""Attributes that are addresses."""


def address(raw: str, charset: str = "utf-8") -> str:
    """Return an address without surrounding blanks, line ends and tabs, and with the escapes of the parser.

    Letters in the query are escaped in the page's `charset` if it is not UTF-8, since the text will be; those
    missing in the charset are sent as references (URL Standard 4.4). Scripts are unchanged. So is what the
    parser does not change, though the standard calls some of it errors (`|`, `[`, a lone `%`).
    """
    if SCRIPT.match(raw):
        return raw
    stripped = re.sub(r"[\t\n\r]", "", raw.strip("".join(map(chr, range(33)))))
    parts: list[tuple[str, str, str]] = PARTS.findall(stripped)
    ((path, query, fragment),) = parts
    if not SPECIAL.match(stripped):
        return path + _escape(query, IN_QUERY) + _escape(fragment, IN_FRAGMENT)
    host = re.match(r"(?:[A-Za-z]+:)?[/\\]{2}[^/\\]*|", path)
    start = host[0] if host else ""
    rest = _escape(path[len(start) :].replace("\\", "/"), IN_PATH)
    if not charset.lower().startswith("utf"):
        query = NOT_ASCII.sub(lambda x: quote(x[0].encode(charset, "xmlcharrefreplace")), query)
    return start + rest + _escape(query, IN_QUERY) + _escape(fragment, IN_FRAGMENT)


def _escape(part: str, letters: str) -> str:
    return re.sub(f"[\\0-\\x1f\\x7f{re.escape(letters)}]", lambda sign: quote(sign[0]), part)
