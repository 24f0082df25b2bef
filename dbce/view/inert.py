"""An archived page made inert: what stands in it is shown, and nothing in it acts.

We show archived pages in a sandboxed frame under a policy that allows no script, no form
and no request; this is the layer above, for what those two leave open: name look-ups by
`<link rel=dns-prefetch>`, links that lead to an empty frame, broken pictures, hundreds of stops for
the tabulator key. It is written anew from what a parser saw, so that no odd spelling gets through.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from html.parser import HTMLParser
from urllib.parse import quote

from dbce.view.resources import ArchivedResources

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
INTRUSIVE = frozenset(
    {"accesskey", "autofocus", "autoplay", "name", "srcdoc", "tabindex", "target"}
)
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
    for name, found in attributes:
        value = found or ""
        if name.startswith("on") or name in INTRUSIVE or not NAME.fullmatch(name):
            continue
        if name in URLS and not _stays_here(tag, value):
            is_picture = (name == "src" and tag in PICTURES) or name == "background"
            shown = resources and is_picture and resources.picture(value)
            if not shown:
                continue
            value = shown
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


def _stays_here(tag: str, url: str) -> bool:
    """Return whether an address is a picture within the page or a part of a drawing."""
    return tag not in LINKS and url.startswith(("data:image/", "#"))
