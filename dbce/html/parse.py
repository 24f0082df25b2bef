"""From text to a tree: the one place where the HTML parser is set up.

What libxml2 would do in silence, and what happens here instead:

- without `huge_tree` it drops what follows the 255th level and texts over 10 MB: it is on;
- with it, it still stops at level 2,048 with a note in its log: TOO_DEEP;
- what follows `</html>` goes into a second `<html>` that lxml does not show (37 of 941 old
  pages have such text): it is moved into the body, where browsers put it;
- where no tag ends the head, an element of HTML5 or of its own, which it does not know, does not either: what
  stands in the head from there on is moved into the body, where browsers put it;
- `<noframes>` is raw text to it, tags and all, although that is all the text a page of frames has:
  it is parsed (browsers show neither);
- a declarative shadow root stays in its `<template>`: it is shown in its host, as in browsers;
- a place, `<a name=...>`, that is never closed holds all below it: it ends before the next block or link;
- what React sends late stays in hidden elements at the end: it is moved to where its scripts put it;
- it adds a doctype where there is none: switched off;
- NUL becomes U+FFFD inside words: removed before, and with it the other control characters, which
  no browser shows and no XPath expression can name;
- a lone surrogate becomes three U+FFFD: one, and a split pair is joined; U+FFFE and U+FFFF, which
  are no characters, become U+FFFD too.

An unterminated comment, script or style takes the rest of the page, here as in browsers. An
unterminated title does too, but browsers of its time showed such pages: see `close_title`.
"""

import re
from itertools import chain

from lxml import etree
from lxml.etree import _Element as Element

from dbce.kernel import compiled
from dbce.model import NOT_XML, InputError, Limits, Reason

CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\f\r"))
# U+FFFE and U+FFFF as UTF-8 has them.
NONCHARACTER = re.compile(rb"\xef\xbf[\xbe\xbf]")
# Attributes of a `<template>` that is a shadow root: that of the standard, and that of its drafts.
SHADOW_ROOT = ("shadowrootmode", "shadowroot")
# Elements beside custom ones that can have a shadow root (DOM Standard, 4.9).
SHADOW_HOSTS = frozenset(
    "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split()
)
NOT_SHOWN = frozenset({"link", "script", "style", "template"})
# Elements that stand in a head, those of HTML 4 too; any other ends it (HTML Standard, 13.2.6.4.4).
IN_HEAD = frozenset(
    "base basefont bgsound isindex link meta noframes noscript object script style template title".split()
)
PLACES = (b"<a name", b"<A NAME", b"<A name")  # as they are written
PLACE = re.compile(rb"<[aA]\s+[nN][aA][mM][eE]\b(?![^<>]*[hH][rR][eE][fF])[^<>]*(?<!/)>")
BEHIND_PLACE = re.compile(rb"(?i)<(?:/?a|p|h[1-6r]|[uod]l|li|d[dt]|div|pre|center|table|/?t[dr])\b")
TITLE = re.compile(r"<title\b[^<>]*>", re.IGNORECASE)
TITLE_END = re.compile(r"</title\b", re.IGNORECASE)
MOST_STREAMED = 1_000  # parts of a page that come late at most, and nodes beside one
# Scripts of React that put a part of a page into the place of a template.
STREAMED = re.compile(r'\$R[CRS]\w?\("([\w:-]*[BS]:\w+)", ?"([\w:-]*[PS]:\w+)"')


def parse(text: str, data: bytes | None = None) -> Element:
    """The `<html>` element of a document; as browsers, it adds what is missing around the text, whose UTF-8 may be there.

    Raises:
        InputError: NO_TEXT, there is no element and no text; UNPARSABLE, the parser gave up; TOO_DEEP,
            nested deeper than it can go.
    """
    data = _utf8(text) if data is None else data
    root = _tree(_close_places(_clean(data)))
    _end_head(root)
    for raw in list(root.iter("noframes", "template", "xmp")):
        if raw.tag == "template":
            _show_shadow_root(raw)
        elif raw.tag == "xmp":
            raw.tag = "pre"  # written with its text escaped it reads the same
        elif raw.text and "<" in raw.text:
            content = _tree(b"<body>" + raw.text.encode())  # a document, even if all is a comment
            raw.text = None
            _move(raw, content)
    if compiled.has_text(data, b"$R"):
        named = {element.get("id"): element for element in root.iter("*")}
        for names in STREAMED.findall(text)[:MOST_STREAMED]:
            place, part = map(named.get, sorted(names))
            if place is not None and part is not None:
                _fill(place, part)
    return root


def _tree(data: bytes) -> Element:
    parser = etree.HTMLParser(  # type: ignore[call-arg]  # the stubs lack default_doctype
        huge_tree=True, encoding="utf-8", default_doctype=False, collect_ids=False
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as e:  # libxml2 before 2.14 says so of an empty document
        raise InputError(Reason.NO_TEXT, f"the parser finds no document: {e.msg}") from e
    if root is None:
        raise InputError(Reason.NO_TEXT, "the parser finds no document")
    last = parser.error_log.last_error
    if last is not None and last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        reason = Reason.TOO_DEEP if "depth" in last.message else Reason.UNPARSABLE
        raise InputError(reason, f"the parser gave up: {last.message}")
    if hidden := [e for e in root.itersiblings() if isinstance(e.tag, str)]:
        _show(root, hidden)
    return root


def _end_head(root: Element) -> None:
    """Moves what stands in the head from the first element on that ends it to the body's beginning."""
    head, body = (next(root.iterchildren(tag), None) for tag in ("head", "body"))
    inside = () if head is None else head.iterchildren("*")
    first = next((child for child in inside if child.tag not in IN_HEAD), None)
    if first is None:
        return
    body = etree.SubElement(root, "body") if body is None else body
    behind = _take_nodes(body)
    _append(body, first, *first.itersiblings(), *behind)


def _close_places(data: bytes) -> bytes:
    def end_place(place: re.Match[bytes]) -> bytes:
        behind = BEHIND_PLACE.search(data, place.end())
        is_open = behind is not None and behind[0].lower() != b"</a"
        return place[0] + b"</a>" * is_open

    has_places = any(compiled.has_text(data, place) for place in PLACES)  # as few have
    return PLACE.sub(end_place, data) if has_places else data


def close_title(text: str) -> str | None:
    """The text with its unterminated `<title>` closed before the next tag; None where it is not so.

    Ten of 621 old news pages never close their title and would have no text at all.
    """
    start = TITLE.search(text)
    if start is None or TITLE_END.search(text, start.end()):
        return None
    end = text.find("<", start.end())
    return None if end < 0 else f"{text[:end]}</title>{text[end:]}"


def _show(root: Element, hidden: list[Element]) -> None:
    """Moves what stands behind the body, and then what is hidden, to the body's end."""
    body = root.find("body")
    if body is None:
        body = etree.SubElement(root, "body")
    _append_text(body, body.tail)
    body.tail = None
    for stray in [*body.itersiblings(), *hidden]:
        _move(body, stray)


def _show_shadow_root(template: Element) -> None:
    """Puts the nodes of a shadow root into its host, and those of the host into its slots, as browsers show them.

    Nodes without a slot, the fallback of a filled slot and the style sheets of the root stay in the template.
    """
    host = template.getparent()
    if host is None or not _is_shadow_root(template, host):
        return
    for name in SHADOW_ROOT:
        template.attrib.pop(name, "")
    root_nodes = _take_nodes(template)
    host_nodes = [node for node in _take_nodes(host) if node is not template]
    for node in root_nodes:
        is_shown = isinstance(node, str) or node.tag not in NOT_SHOWN
        _append(host if is_shown else template, node)
    slots: dict[str, Element] = {}
    for slot in host.iter("slot"):
        if next(slot.iterancestors("template"), None) is None:  # else it is of a root inside
            slots.setdefault(slot.get("name", ""), slot)
    filled = {_slot(node) for node in host_nodes}
    fallbacks = [_take_nodes(slot) for name, slot in slots.items() if name in filled]
    for node in host_nodes:
        _append(slots.get(_slot(node), template), node)
    _append(template, *chain.from_iterable(fallbacks))
    host.append(template)


def _fill(place: Element, part: Element) -> None:
    """Puts what a part of a page holds before the template of its place; what is shown there until then goes into that."""
    host = place.getparent()
    if host is None or len(host) > MOST_STREAMED or part in place.iterancestors():
        return
    nodes = _take_nodes(host)
    start = nodes.index(place) + 1
    ends = (n for n, node in enumerate(nodes) if n >= start and getattr(node, "text", "") == "/$")
    end = next(ends, start) if "B:" in place.get("id", "") else start
    _append(host, *nodes[: start - 1], *_take_nodes(part), place, *nodes[end:])
    _append(place, *nodes[start:end])


def _is_shadow_root(template: Element, host: Element) -> bool:
    is_root = any(name in template.attrib for name in SHADOW_ROOT)
    is_host = host.tag in SHADOW_HOSTS or "-" in host.tag
    return is_root and is_host and next(template.iterancestors("template"), None) is None


def _slot(node: Element | str) -> str:
    return "" if isinstance(node, str) else node.get("slot", "")


def _take_nodes(parent: Element) -> list[Element | str]:
    nodes: list[Element | str] = [parent.text or ""]
    parent.text = None
    for child in list(parent):
        nodes += [child, child.tail or ""]
        child.tail = None
        parent.remove(child)
    return [node for node in nodes if not isinstance(node, str) or node]


def _append(parent: Element, *nodes: Element | str) -> None:
    for node in nodes:
        if isinstance(node, str):
            _append_text(parent, node)
        else:
            parent.append(node)


def _move(body: Element, stray: Element) -> None:
    """Moves an element and its tail; of a second html, head or body only what it holds."""
    if stray.tag not in {"html", "head", "body"}:
        body.append(stray)
        return
    _append_text(body, stray.text)
    for child in list(stray):
        _move(body, child)
    _append_text(body, stray.tail)
    body.append(stray)  # only a parent can take it out of the document
    body.remove(stray)


def _append_text(parent: Element, text: str | None) -> None:
    if not text:
        return
    if len(parent):
        parent[-1].tail = _settable((parent[-1].tail or "") + text)
    else:
        parent.text = _settable((parent.text or "") + text)


def _settable(text: str) -> str | None:
    """Without what lxml refuses; only a character reference can have brought it in."""
    return NOT_XML.sub("", text) or None


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # lone surrogates
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _clean(data: bytes) -> bytes:
    if b"\xef" in data:  # one byte is found in a tenth of the time of two
        data = NONCHARACTER.sub(b"\xef\xbf\xbd", data)
    return data.translate(None, CONTROLS) if compiled.has_control(data) else data


# The parser makes a hundred times the memory of a tag of three letters, before anybody can count
# elements; and it compares every attribute of an element with every other.
ATTRIBUTES = 10_000  # of one element: a tenth of a second
SHORT = 100_000  # characters of a page that is not looked at: 25,000 attributes, a second
_NO_MARKUP = re.compile(
    r"<(script|style|textarea|title)\b[^>]*+>.*?(?:</\1|\Z)|<!--.*?(?:-->|\Z)",
    re.IGNORECASE | re.DOTALL,
)


def check_size(text: str, limits: Limits, data: bytes | None = None) -> None:
    """An InputError if there are too many tags and comments, or attributes of one element."""
    opened = text.count("<") if len(text) > limits.elements else 0
    if opened > limits.elements:  # else end tags need no counting, which takes three times as long
        opened -= text.count("</")
    if opened > limits.elements:
        detail = f"{opened} tags and comments, the limit is {limits.elements}"
        raise InputError(Reason.TOO_MANY_ELEMENTS, detail)
    is_likely = len(text) > SHORT and _has_too_many_attributes(text, data)
    if is_likely and _has_too_many_attributes(_NO_MARKUP.sub("", text)):
        detail = f"an element with more than {ATTRIBUTES} attributes"
        raise InputError(Reason.TOO_MANY_ELEMENTS, detail)


def _has_too_many_attributes(text: str, data: bytes | None = None) -> bool:
    return compiled.has_tag_of(data or text.encode("utf-8", "surrogatepass"), ATTRIBUTES)
