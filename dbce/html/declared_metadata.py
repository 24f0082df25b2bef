"""Metadata that a page declares, as it stands there: the raw material of dbce.metadata."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

NAMING = ("property", "name", "http-equiv")
"""The attributes by which a `<meta>` names its content, as pages use them."""

JSON_LD = "application/ld+json"
ARTICLE = ("article", "main")
PROPERTIES = etree.XPath("descendant-or-self::*[@itemprop]")  # `//*` takes half as long again
WANTED = frozenset(
    {"author", "dateCreated", "dateModified", "datePublished", "description", "headline"}
    | {"inLanguage", "publisher", "uploadDate"}
)
WHOLE = ("article", "body", "html", "main")  # called after all that the page has
BESIDE = re.compile(
    r"(?:^|[\s_-])(?:comment(?:s|list|ary)?|kommentare?|related|similar|recent|popular)(?:$|[\s_-])",
    re.IGNORECASE,
)
MOMENTS = 100  # elements that are looked at; no article needs so many to say when it was published
AUTHOR = re.compile(
    rb"rel=.?author\b"
)  # in the bytes: links are only gone through where it is found


class Moment(NamedTuple):
    """A `<time>`, or an `<abbr>` that is used as one: its value, if it is that of the publication, and if an article holds it."""

    value: str
    published: bool
    in_article: bool


@dataclass(frozen=True, slots=True)
class DeclaredMetadata:
    """Metadata that a page declares, in document order; names in lower case, nothing else is changed.

    `metas` are (name, content), `linked` the texts of JSON-LD, `properties` (itemprop, value), each once,
    with the text of a link to the author as "rel:author" behind them. `language` is that of `<html>`.
    """

    language: str = ""
    metas: tuple[tuple[str, str], ...] = ()
    linked: tuple[str, ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
    times: tuple[Moment, ...] = ()
    heading: str = ""


def declared_metadata(root: Element, payload: bytes) -> DeclaredMetadata:
    """The metadata that the page below `root` declares; `payload` are the bytes it was read from.

    Elements with properties are only looked for where the bytes name some: that takes longer than all
    the rest. A page in UTF-16 has them passed over.
    """
    metas, linked, heading = [], [], ""
    times: list[Moment] = []
    for element in root.iter("meta", "script", "time", "abbr", "h1"):
        tag = element.tag
        if tag == "meta":
            content = element.get("content")
            if content:
                metas += [(name.lower(), content) for name in _names(element)]
        elif tag == "script":
            if (element.get("type") or "").lower().startswith(JSON_LD) and element.text:
                linked.append(element.text)
        elif tag == "time" or (tag == "abbr" and "publish" in element.get("class", "")):
            if len(times) < MOMENTS and not _is_beside(element):
                times.append(_moment(element))
        elif not heading:
            heading = _text(element)
    properties = [
        *(_properties(root) if b"itemprop" in payload else ()),
        *(_authors(root) if AUTHOR.search(payload) else ()),
    ]
    return DeclaredMetadata(
        language=root.get("lang") or root.get("xml:lang") or "",
        metas=tuple(metas),
        linked=tuple(linked),
        properties=tuple(properties),
        times=tuple(times),
        heading=heading,
    )


def _names(meta: Element) -> Iterator[str]:
    for attribute in NAMING:
        if value := meta.get(attribute):
            yield value.strip()


def _is_beside(time: Element) -> bool:
    """Return whether an element around it is called after comments or other pages."""
    return any(
        BESIDE.search(f"{around.get('class', '')} {around.get('id', '')}")
        for around in time.iterancestors()
        if around.tag not in WHOLE
    )


def _moment(time: Element) -> Moment:
    marks = f"{time.get('itemprop', '')} {time.get('class', '')}".lower()
    return Moment(
        time.get("datetime") or (time.tag == "abbr" and time.get("title")) or _text(time),
        time.get("pubdate") is not None or "publish" in marks or "entry-date" in marks,
        next(time.iterancestors(*ARTICLE), None) is not None,
    )


def _properties(root: Element) -> Iterator[tuple[str, str]]:
    """The first value of each of WANTED; what comes later is of comments and of other pages."""
    known: set[str] = set()
    elements: list[Element] = PROPERTIES(root)  # type: ignore[assignment]
    for element in elements:
        for name in WANTED.intersection(element.get("itemprop", "").split()) - known:
            if value := _value(element):
                known.add(name)
                yield name, value


def _authors(root: Element) -> Iterator[tuple[str, str]]:
    """The text of the first link to the author."""
    link = next((a for a in root.iter("a") if a.get("rel") == "author"), None)
    if link is not None and (name := _text(link)):
        yield "rel:author", name


def _value(element: Element) -> str:
    """The value of a property: its own attribute, the name of the item it is, or its text."""
    attribute = element.get("content") or element.get("datetime")
    if attribute:
        return attribute
    if element.get("itemscope") is not None:
        name = next((e for e in element.iterdescendants() if e.get("itemprop") == "name"), None)
        if name is not None:
            return name.get("content") or _text(name)
    return _text(element)


def _text(element: Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())
