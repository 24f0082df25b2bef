"""An archived page made inert: what stands in it is shown, with what the archive holds of it, and nothing in it acts.

We show archived pages in a sandboxed frame under a policy that allows no script, no form and no request; this is the layer
above, for what those two leave open: name look-ups by `<link rel=dns-prefetch>`, links that lead to an empty frame, broken
pictures, hundreds of stops for the tabulator key. It is written anew from what a parser saw, so that no odd spelling gets
through. Style sheets, pictures and fonts are found in the archive by address and nearest time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from html import escape, unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, urljoin

import tinycss2

from dbce.archive import read_resource_at, surt
from dbce.model import InputError, NotInRun, Reason
from dbce.output import INDEX
from dbce.view.run import Run

# With all they hold; the method does not read these either, bar a <noscript> that carries verdicts.
# <style> stays: pages look like pages.
GONE = frozenset({"script", "noscript", "template", "iframe"})
# They lead elsewhere and hold nothing.
DROPPED = frozenset(
    {"base", "embed", "fencedframe", "frame", "link", "meta", "param", "portal", "source", "track"}
)
# What they hold is shown where they do not work, and it may carry verdicts.
RENAMED = {"applet": "span", "audio": "span", "object": "span", "video": "span"}
RENAMED |= {"frameset": "div", "noframes": "div", "noscript": "span"}
RAW = frozenset({"script", "style"})  # elements whose text `dbce.html` does not escape

URLS = frozenset(
    {"action", "archive", "attributionsrc", "background", "cite", "classid", "code", "codebase"}
    | {"data", "dynsrc", "formaction", "href", "icon", "imagesrcset", "longdesc", "lowsrc"}
    | {"manifest", "ping", "poster", "profile", "src", "srcset", "usemap", "xlink:href"}
)
# They take the focus, a key or a window of the viewer, or (`name`) the names of a document's methods.
INTRUSIVE = frozenset("accesskey autofocus autoplay name srcdoc tabindex target".split())
LINKS = frozenset({"a", "area"})
PICTURES = frozenset({"img", "input"})
NAME = re.compile(r"""[^\s<>"'=/`&]+""")
PLAIN = re.compile(r"[a-z][a-z0-9]*")
MARK = ' data-dbce="'
TAG_START = re.compile(r"<(?=[A-Za-z/!?])")

REMOVED_TEXT = "data-dbce-was"
"""Our attribute of an element that is empty on the page: words that stood there on an earlier one, shown as its text."""

LINK_STYLE = "<style>a{color:#00e;text-decoration:underline}</style>"
"""Links without an address look like links; first in the document, so that the page's own wins."""

_BOX = (
    '<svg xmlns="http://www.w3.org/2000/svg"><style>rect{fill:#f3f3f3;stroke:#bbb;stroke-dasharray:4 3}'
    "text{font:11px sans-serif;fill:#666;text-anchor:middle;dominant-baseline:central}"
    "@media (max-width:105px),(max-height:15px){text{display:none}}</style>"
    '<rect width="100%" height="100%"/><text x="50%" y="50%">not in the archive</text></svg>'
)
LOST = "not in the archive"
LOST_PICTURE = f"data:image/svg+xml,{quote(_BOX)}"
"""What stands where a picture stood that the archive does not have: a quiet box of the same size."""


def inert(html: str, resources: ArchivedResources | None = None) -> str:
    """Return the document without scripts, handlers, frames, plug-ins and addresses; text, style and `resources` stay.

    `html` is as `dbce.html.annotated_html` wrote it: balanced, attributes quoted.
    """
    # Text with verdicts may stand in the page's <noscript>.
    parts = html.split("<noscript")[1:]
    is_scriptless = any(MARK in part.partition("</noscript")[0] for part in parts)
    writer = _Writer(resources, GONE - {"noscript"} if is_scriptless else GONE)
    writer.feed(html)
    writer.close()
    return "".join(writer.parts)


class _Writer(HTMLParser):
    def __init__(self, resources: ArchivedResources | None, gone_in_body: frozenset[str]) -> None:
        super().__init__(convert_charrefs=False)
        self._resources = resources
        self._left_out, self._gone_in_body = GONE, gone_in_body
        self.parts: list[str] = []
        self._gone: list[str] = []  # open elements that are left out, the outermost first

    def set_cdata_mode(self, elem: str, **modes: bool) -> None:
        # Newer versions of the parser take other elements for raw text too.
        if elem in RAW:
            super().set_cdata_mode(elem, **modes)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self._left_out = self._gone_in_body
        if tag in self._left_out:
            self._gone.append(tag)
        elif tag == "link" and self._resources:
            self._write(_link_to_sheet(dict(attrs), self._resources))
        elif _is_shown(tag):
            attributes = _harmless(tag, attrs, self._resources)
            self._write(f"<{_shown_tag(tag)}{''.join(attributes)}>")
            self._write(escape(dict(attrs).get(REMOVED_TEXT) or ""))
            if tag == "head":
                self._write(LINK_STYLE)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # HTML has no such tags: <script/> opens a script. In drawings it spares the end tag.
        self.handle_starttag(tag, attrs)
        if tag not in self._left_out:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._left_out:
            if tag in self._gone:
                del self._gone[self._gone.index(tag) :]
        elif _is_shown(tag):
            self._write(f"</{_shown_tag(tag)}>")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style":
            self._write(_sheet(self._resources.css(data) if self._resources else data))
        else:
            self._write(data.replace("<", "&lt;"))

    def handle_entityref(self, name: str) -> None:
        self._write(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._write(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        # Without its doctype a page is laid out by other rules.
        self._write(f"<!{escape(decl, quote=False)}>")

    def _write(self, html: str) -> None:
        if not self._gone:
            self.parts.append(html)


def _harmless(
    tag: str, attributes: Iterable[tuple[str, str | None]], resources: ArchivedResources | None
) -> Iterator[str]:
    lost = tag == "img" and resources is not None
    alternative: str | None = None
    for name, raw in attributes:
        value = raw or ""
        if name.startswith("on") or name in INTRUSIVE or not NAME.fullmatch(name):
            continue
        # A picture within the page and a part of a drawing stay here.
        if name in URLS and (tag in LINKS or not value.startswith(("data:image/", "#"))):
            is_picture = (name == "src" and tag in PICTURES) or name == "background"
            address = resources and is_picture and resources.picture(value)
            if not address:
                continue
            value = address
        if name == "style" and resources:
            value = resources.css(value)
        lost = lost and name != "src"
        if tag == "img" and name == "alt":
            alternative = value
        else:
            yield f' {name}="{escape(value)}"'
    if lost:
        alternative = f"{LOST}: {alternative}" if alternative else LOST
        yield f' src="{LOST_PICTURE}" data-dbce-missing=""'
    if alternative is not None:
        yield f' alt="{escape(alternative)}"'


def _link_to_sheet(attributes: Mapping[str, str | None], resources: ArchivedResources) -> str:
    """A `<link>` to a style sheet that is there; "" for any other."""
    relations = (attributes.get("rel") or "").lower().split()
    if "stylesheet" not in relations or "alternate" in relations:
        return ""
    sheet = resources.sheet(attributes.get("href") or "")
    media = escape(attributes.get("media") or "all")
    return f'<link rel="stylesheet" href="{escape(sheet)}" media="{media}">' if sheet else ""


def _sheet(css: str) -> str:
    """A style sheet in which nothing starts a tag; inside a drawing browsers would look for one."""
    return TAG_START.sub(r"\\3c ", css.replace("<!--", ""))


def _shown_tag(tag: str) -> str:
    """An element's name in the inert page; without scripts a custom element is a mere span."""
    return RENAMED.get(tag, tag if PLAIN.fullmatch(tag) else "span")


def _is_shown(tag: str) -> bool:
    return tag not in DROPPED and NAME.fullmatch(tag) is not None


Address = Callable[[str], str | None]

NOWHERE = "data:,"  # an empty picture, for what the archive does not have

LONGEST = 500_000
"""Characters of a style sheet that is shown; longer ones cost seconds and are left out."""

_TAKE_STRINGS = frozenset({"url", "src", "image", "image-set", "-webkit-image-set"})
"""Functions in which a string is an address."""


def rewritten(css: str, address: Address) -> str:
    """A style sheet with the addresses that `address` gives, which need no escapes; where it gives None, nothing is shown."""
    if len(css) > LONGEST:
        return ""
    try:
        tokens = tinycss2.parse_component_value_list(css)
        return str(tinycss2.serialize(_rewritten(tokens, address, strings=False)))
    except (ValueError, RecursionError):  # a number of thousands of digits, or nested as deep
        return ""


def _rewritten(tokens: Iterable[Any], address: Address, *, strings: bool) -> list[Any]:
    done: list[Any] = []
    importing = False
    for token in tokens:
        if token.type == "url":
            done += _local_tokens(token.value, address, 'url("{}")')
        elif token.type == "string" and (strings or importing):
            done += _local_tokens(token.value, address, '"{}"')
        else:
            for name in ("content", "arguments"):
                if isinstance(held := getattr(token, name, None), list):
                    takes = token.type == "function" and token.lower_name in _TAKE_STRINGS
                    setattr(token, name, _rewritten(held, address, strings=takes))
            done.append(token)
        if token.type not in {"whitespace", "comment"}:
            importing = token.type == "at-keyword" and token.lower_value == "import"
    return done


def _local_tokens(archived_address: str, address: Address, form: str) -> list[Any]:
    return tinycss2.parse_component_value_list(form.format(address(archived_address) or NOWHERE))


ROUTE = "/resource"

SHOWN = re.compile(
    r"text/css|image/[a-z0-9.+-]+|font/[a-z0-9.+-]+|application/(?:x-)?font-[a-z0-9.+-]+"
    r"|application/vnd\.ms-fontobject"
)
"""Media types that are shown; nothing else of an archive is ever served."""

_NAME = "resources"
_SELECT = f"""
    SELECT record_id, url, surt, timestamp, name, "offset", detail AS media FROM "{INDEX}"
    WHERE reason = '{Reason.NOT_HTML}' AND regexp_full_match(detail, '{SHOWN.pattern}')
"""  # noqa: S608 - our own names

# Whatever may be an address in a page; what is none is in no archive.
_REFERRED = re.compile(
    r"""(?:href|src|background)="([^"]+)"|url\(\s*["']?([^"')]+)""", re.IGNORECASE
)
_BASE = re.compile(r"""<base\b[^<>]*?\bhref="([^"]+)\"""", re.IGNORECASE)


class ArchivedResources:
    """Archived resources of the addresses that a page refers to, nearest in time; others it does not have."""

    def __init__(self, run: Run, base: str, time: datetime | None, referred: Iterable[str]) -> None:
        self._base = base
        self._known = nearest(run, {_key(base, address) for address in referred}, time)

    def picture(self, url: str) -> str | None:
        return self._address_of(url, "image/")

    def sheet(self, url: str) -> str | None:
        return self._address_of(url, "text/css")

    def css(self, css: str) -> str:
        return rewritten(css, partial(self._address_of, kind=""))

    def _address_of(self, url: str, kind: str) -> str | None:
        if kind != "text/css" and url.startswith("data:image/"):
            return None if '"' in url or "\\" in url else url
        record_id, media = self._known.get(_key(self._base, url), ("", ""))
        return f"{ROUTE}?id={quote(record_id)}" if record_id and media.startswith(kind) else None


def archived_resources(run: Run, url: str, time: datetime | None, html: str) -> ArchivedResources:
    referred = (_plain(attribute or in_css) for attribute, in_css in _REFERRED.findall(html))
    return ArchivedResources(run, _base(url, html), time, referred)


def _base(url: str, html: str) -> str:
    """Return the address that relative addresses in a page at `url` start from."""
    tag = _BASE.search(html)
    with suppress(ValueError):  # "http://[" is no address, and browsers pass it over
        return urljoin(url, _plain(tag[1])) if tag else url
    return url


def _plain(value: str) -> str:
    """An address as it stands in HTML, without its escapes and quotes."""
    return unescape(value).strip("\"' ")


def nearest(run: Run, keys: Iterable[str], time: datetime | None) -> Mapping[str, tuple[str, str]]:
    """Return (record id, media type) of the resource nearest in time, by sort key of its URL."""
    if not run.tables.has_index or not run.places:
        return {}
    run.tables.keep(_NAME, _SELECT)
    rows = run.tables.rows(
        f"SELECT surt, arg_min(record_id, abs(epoch(timestamp) - epoch($time))) AS record_id, "  # noqa: S608 - bound
        f"arg_min(media, abs(epoch(timestamp) - epoch($time))) AS media "
        f"FROM {_NAME} WHERE list_contains($keys, surt) GROUP BY surt",
        {"keys": sorted(keys), "time": time},
    )
    return {row["surt"]: (row["record_id"], row["media"]) for row in rows}


def resource_of(run: Run, record_id: str) -> tuple[bytes, str]:
    """A resource and its media type, its own references made ours; NotInRun if there is none that can be read."""
    row = None
    if run.tables.has_index:
        run.tables.keep(_NAME, _SELECT)
        row = run.tables.row(f"SELECT * FROM {_NAME} WHERE record_id = ?", [record_id])  # noqa: S608 - bound
    place = run.places.get(row["name"]) if row else None
    if row is None or place is None:
        raise NotInRun(f"the archive has no style sheet or picture {record_id}")
    try:
        declared, payload = read_resource_at(place, row["offset"], record_id, run.config.limits)
    except InputError as e:
        raise NotInRun(str(e)) from e
    media = declared.partition(";")[0].strip().lower()
    if not SHOWN.fullmatch(media):
        raise NotInRun(f"{record_id} is {media or 'of no type'}, which is not shown")
    if media != "text/css":
        return payload, media
    charset = re.search(r"charset=[\"']?([\w-]+)", declared)
    css = _decode(payload, charset[1] if charset else "utf-8")
    referred: list[str] = []
    rewritten(css, referred.append)
    known = ArchivedResources(run, row["url"], row["timestamp"], referred)
    return known.css(css).encode(), "text/css; charset=utf-8"


def _decode(payload: bytes, charset: str) -> str:
    try:
        return payload.decode(charset, "replace")
    except LookupError:
        return payload.decode("utf-8", "replace")


def _key(base: str, url: str) -> str:
    try:
        return surt(urljoin(base, url.strip()))
    except ValueError:  # "http://[" is none
        return ""
