"""Declarations in the source of a page: metadata, what it embeds, and texts that it holds for scripts."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import chain, islice, takewhile
from typing import Any, NamedTuple

from lxml.etree import _Element as Element

from dbce.html.walk import text_content

# Metadata that a page declares, as it stands there: the raw material of dbce.metadata.

# The attributes by which a `<meta>` names its content, as pages use them.
NAMING = ("property", "name", "http-equiv")
JSON_LD = "application/ld+json"
ARTICLE = ("article", "main")
# Elements that declare metadata, or what a page embeds and asks for.
ELEMENTS = frozenset({"meta", "script", "h1", "link", "img", "input", "base", "time", "abbr"})
Declarations = defaultdict[str, list[Element]]
OTHERS = ("omment", "eview", "nswer")
"""Parts of properties whose values have authors and dates of their own."""
WANTED = frozenset(
    {"author", "dateCreated", "dateModified", "datePublished", "description", "headline"}
    | {"inLanguage", "publisher", "uploadDate", "datePosted"}
)
WHOLE = ("article", "body", "html", "main")  # called after all that the page has
OTHER_TEXTS = re.compile(
    r"(?:^|[\s_-])(?:comment(?:s|list|ary)?|kommentare?|related|similar|recent|popular)(?:$|[\s_-])",
    re.IGNORECASE,
)
MOMENTS = 100  # elements that are looked at; no article needs so many to say when it was published
# In the bytes: links are only gone through where it is found.
AUTHOR = re.compile(rb"rel=[^>]{,20}\bauthor\b")
QUOTATIONS = ("blockquote", "figure")
LINE = 100  # characters of a line with the names of several authors


class Moment(NamedTuple):
    """A `<time>`, or an `<abbr>` with a number in its title: its value, if it is that of the publication, and if an article holds it."""

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


def declarations(root: Element) -> Declarations:
    """The elements that declare something, dropped ones, too: by tags, `itemprop`, and `rel` if that names an author."""
    return group(
        (name, element)
        for element in root.iter("*")
        for name in (str(element.tag), "itemprop", "rel")
        if name in ELEMENTS
        or (name == "itemprop" and element.get(name) is not None)
        or (name == "rel" and "author" in element.get(name, ""))
    )


def group(elements: Iterable[tuple[str, Element]]) -> Declarations:
    """Elements by their names; an `<abbr>` may be a time."""
    groups = Declarations(list)
    for name, element in elements:
        groups["time" if name == "abbr" else name].append(element)
    return groups


def declared_metadata(root: Element, payload: bytes, elements: Declarations) -> DeclaredMetadata:
    """Metadata declared by the page below `root`; `payload` are the bytes it was read from.

    Properties and authors count only where the bytes name some: a page in UTF-16 has them passed over.
    """
    links = [e for e in elements["rel"] if e.tag == "a" and "author" in e.get("rel", "").split()]
    return DeclaredMetadata(
        language=root.get("lang") or root.get("xml:lang") or "",
        metas=tuple(
            (name.strip().lower(), content)
            for meta in elements["meta"]
            if (content := meta.get("content"))
            for name in filter(None, map(meta.get, NAMING))
        ),
        linked=tuple(e.text for e in elements["script"] if _type(e).startswith(JSON_LD) and e.text),
        properties=(
            *(
                _properties(elements["itemprop"])
                if elements["itemprop"] and b"itemprop" in payload
                else ()
            ),
            *(_authors(links) if links and AUTHOR.search(payload) else ()),
        ),
        times=tuple(islice(filter(None, map(_moment, elements["time"])), MOMENTS)),
        heading=next(filter(None, map(_text, elements["h1"])), ""),
    )


def _type(element: Element) -> str:
    return (element.get("type") or "").lower()


def _moment(time: Element) -> Moment | None:
    """The moment of an element; None of an abbreviation and in other texts."""
    if time.tag != "time" and not any(map(str.isdigit, time.get("title", ""))):
        return None
    around = (each for each in time.iterancestors() if each.tag not in WHOLE)
    names = ((each.get("class", "")[:LONGEST], each.get("id", "")[:LONGEST]) for each in around)
    if OTHER_TEXTS.search(" ".join(chain.from_iterable(names))):
        return None
    marks = f"{time.get('itemprop', '')} {time.get('class', '')}".lower()
    return Moment(
        time.get("datetime") or time.get("title") or _text(time),
        time.get("pubdate") is not None or "publish" in marks or "entry-date" in marks,
        next(time.iterancestors(*ARTICLE), None) is not None,
    )


def _properties(elements: Sequence[Element]) -> Iterator[tuple[str, str]]:
    """The first value of each of WANTED; what comes later is of comments and of other pages."""
    known: set[str] = set()
    for element in elements:
        for name in sorted(WANTED.intersection(element.get("itemprop", "").split()) - known):
            if not _is_of_others(element) and (value := _value(element)):
                known.add(name)
                yield name, value


def _is_of_others(element: Element) -> bool:
    """True of what is said of a comment, or of what the page is a review of."""
    around = (
        each.get("itemprop", "") for each in element.iterancestors() if "itemscope" in each.attrib
    )
    return any(part in properties for properties in around for part in OTHERS)


def _authors(links: Sequence[Element]) -> Iterator[tuple[str, str]]:
    """The text of the first link to the author, and of those to others in its line."""
    # One in a quotation or a caption names a customer or a photographer.
    outside = (link for link in links if next(link.iterancestors(*QUOTATIONS), None) is None)
    if authors := [link for link in outside if _text(link)]:
        lines = takewhile(lambda around: len(_text(around)) <= LINE, authors[0].iterancestors())
        near = {authors[0], *(link for line in lines for link in line.iter("a"))}
        names = {link.get("href"): _text(link) for link in reversed(authors) if link in near}
        yield "rel:author", "; ".join(reversed(names.values()))


def _value(element: Element) -> str:
    attribute = element.get("content") or element.get("datetime")
    if attribute:
        return attribute
    if element.get("itemscope") is not None:
        names = (e for e in element.iterdescendants() if e.get("itemprop") == "name")
        element = next(names, element)
    return element.get("content") or _text(element)


def _text(element: Element) -> str:
    return " ".join(text_content(element).split())


# Signs in the source of a page by which its quality is judged: what it embeds, asks for, and how
# it ends.

MOST_SHEETS = 16  # style sheets that are named; pages with more have them for single parts
# Pictures that are named: whether those of a page were archived shows in the first.
MOST_PICTURES = 32
LONGEST = 1000  # characters of an address; longer ones are made by scripts for one visit
# Elements from which on a source that closes neither page nor body breaks off; authors forget two or three.
LEFT_OPEN = 4
_END = re.compile(rb"</(?:body|html)\b", re.IGNORECASE)
_OPENS = re.compile(rb"<(?:div|table|section|main|article|ul)\b", re.IGNORECASE)
_CLOSES = re.compile(rb"</(?:div|table|section|main|article|ul)\b", re.IGNORECASE)


class SourceSigns(NamedTuple):
    """Signs in the source of a page.

    `style_sheets` and `pictures` are addresses as written, `base` what they are relative to, "" for the page itself.
    `passwords` are the fields that ask for one, `scripts` the elements that run. `breaks_off` says how the source ends
    without being at its end; "" where it does not, or nobody can tell.
    """

    style_sheets: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    base: str = ""
    passwords: int = 0
    scripts: int = 0
    breaks_off: str = ""


def source_signs(elements: Declarations, payload: bytes) -> SourceSigns:
    """Return the signs of a page by what it declares; `payload` are the bytes it was read from."""
    relations = ((link, (link.get("rel") or "").lower().split()) for link in elements["link"])
    sheets = (link.get("href") for link, kinds in relations if "stylesheet" in kinds)
    bases = filter(None, (base.get("href") for base in elements["base"]))
    return SourceSigns(
        style_sheets=_addresses(sheets, MOST_SHEETS),
        pictures=_addresses((picture.get("src") for picture in elements["img"]), MOST_PICTURES),
        base=next(bases, "").strip(),
        passwords=sum(_type(field) == "password" for field in elements["input"]),
        scripts=sum("json" not in _type(script) for script in elements["script"]),
        breaks_off=breaks_off(payload),
    )


def _addresses(written: Iterable[str | None], most: int) -> tuple[str, ...]:
    inside = {"data:", "blob:", "about"}
    addresses = ((address or "").strip() for address in written)
    named = (a for a in addresses if len(a) <= LONGEST and a[:5].lower() not in inside)
    return tuple(islice(dict.fromkeys(filter(None, named)), most))


def breaks_off(payload: bytes) -> str:
    """Return how a source ends in the middle: in a tag or text, in a script, or in open elements; "" if it does not.

    Many whole pages lack `</body>` and `</html>`, but those end behind a tag and close what they have opened.
    """
    source = payload.rstrip()
    # Nearly all end so: the whole is looked at last. NUL is UTF-16.
    if not source or _END.search(source[-64:]) or b"\0" in source[-64:] or _END.search(source):
        return ""
    if source.rfind(b"<") > source.rfind(b">"):
        return "in a tag"
    if not source.endswith((b">", b".", b"!", b"?")):  # an author may end with a sentence
        return "in a text"
    lower = source.lower()
    raw = (b"<script", b"</script"), (b"<!--", b"-->")
    if any(lower.rfind(start) > lower.rfind(end) for start, end in raw):
        return "in a script or a comment"
    if source.endswith(b"-->"):  # where an author says what ends there
        return ""
    left_open = len(_OPENS.findall(source)) - len(_CLOSES.findall(source))
    return f"with {left_open} elements open" if left_open >= LEFT_OPEN else ""


# Text that a page holds for its scripts alone: JSON in a `<script>`, which no reader sees.

ARTICLE_BODY = "articleBody"  # schema.org: "the actual body of the article"
# Other strings are prose by these: code has few words that are letters alone, lists of names no sentences.
PROSE_WORDS = 50  # of one string, at least
PROSE_SHARE = 0.8  # of them at least are letters alone
LARGEST = 5_000_000  # characters of a script; its values can take 30 times the memory
_TAG = re.compile(r"<[^<>]*+>")
_BLOCK_END = re.compile(r"</(?:p|div|h[1-6]|li|blockquote|tr)\s*>|<br\b[^<>]*+>", re.IGNORECASE)
_WORD = re.compile(r"[\"'(\[]*+(?:[A-Za-z'-]|[^\x00-\x7f])++[.,:;!?\"')\]]*+")
_SENTENCE_END = re.compile(r"[.!?…。؟।][^\w\s]{0,3}+(?:\s|\Z)")


@dataclass(frozen=True, slots=True)
class Island:
    """Text that scripts of a page hold: its number of words, and the text, "" of what is no `articleBody`."""

    words: int
    article: str = ""


def text_in_scripts(root: Element) -> Island | None:
    """Text in the JSON of a page, each once: `articleBody` of JSON-LD, or else prose in any JSON; None where there is none."""
    articles: dict[str, int] = {}
    prose: dict[str, int] = {}
    for script in root.iter("script"):
        kind = (script.get("type") or "").partition(";")[0].strip().lower()
        if not kind.endswith("json"):
            continue
        for name, text in _strings(_json_value(script.text or "")):
            is_article = kind == "application/ld+json" and name == ARTICLE_BODY
            if is_article and (article := _plain(text)):
                articles[article] = len(article.split())
            elif words := _words_of_prose(text):
                prose[text] = words
    texts = articles or prose
    return Island(sum(texts.values()), "\n".join(articles)) if texts else None


def _plain(text: str) -> str:
    if _TAG.search(text):
        text = unescape(_TAG.sub(" ", _BLOCK_END.sub("\n", text)))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(filter(None, lines))


def _json_value(text: str) -> Any:
    if len(text) > LARGEST:
        return None
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):  # no JSON, a number of too many digits; nested too deep
        return None


def _strings(value: Any) -> Iterator[tuple[str, str]]:
    """Every string in a JSON value with the name that it, or the list it is in, goes by."""
    waiting = [("", value)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, list):
            waiting += [(name, item) for item in value]
        elif isinstance(value, dict):
            waiting += value.items()


def _words_of_prose(text: str) -> int:
    """The number of words of a text with sentences, whatever its markup; 0 of what is none."""
    if len(text) < 2 * PROSE_WORDS:
        return 0
    text = _TAG.sub(" ", text)
    words = text.split()
    if len(words) < PROSE_WORDS or not _SENTENCE_END.search(text):
        return 0
    plain = sum(_WORD.fullmatch(word) is not None for word in words)
    return len(words) if plain >= PROSE_SHARE * len(words) else 0
