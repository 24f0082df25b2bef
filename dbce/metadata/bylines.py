"""Bylines, which are called after an author or a date, and the authors that a page declares or shows."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, takewhile

from dbce.html import ancestors, elements_like, outermost_elements
from dbce.metadata.dates import MONTHS, PUBLISHED
from dbce.metadata.headline import headings
from dbce.metadata.structured_data import Candidate, Sources
from dbce.model import Page

_EDGE = r"(?:^|[\s_-])"
AUTHOR = re.compile(
    rf"{_EDGE}(?:author|byline|autor|auteur|autore)(?:[\s_-]?name)?(?:$|\s)", re.IGNORECASE
)
DATE = re.compile(
    rf"{_EDGE}(?:(?:entry|post|article|pub|publish|publication|news|story)?[_-]?date(?:line)?|"
    r"datetime|timestamp|datum|fecha|published|pubdate|posted(?:[_-]on)?|byline|submitted|"
    r"(?:post|entry|article|asset)[_-]?meta|article[_-]?info|(?:post|entry)[_-]footer)(?:$|[\s_-])",
    re.IGNORECASE,
)
# In lower case, of what fits the pattern above each name holds one of these at least.
DATE_PARTS = tuple("dat timestamp fecha publish posted byline submitted meta info footer".split())
YEAR = re.compile(r"(?:19|20)\d\d")
LONGEST = 160  # characters of a byline; a sentence of an article with a date is longer


def names_byline(name: str) -> bool:
    """Return whether a class or id is that of a line with the author or the date."""
    return bool(AUTHOR.search(name) or DATE.search(name))


def named_texts(
    page: Page, named: re.Pattern[str], parts: Sequence[str]
) -> Iterator[tuple[int, list[str]]]:
    """The elements whose class or id fits, the outermost ones in document order, with their texts.

    `parts` are in lower case, one of them in each name that fits: most names are not asked one by one.
    """
    fitting = elements_like(page.classes, named, parts) | elements_like(page.ids, named, parts)
    if not fitting:
        return
    outermost = outermost_elements(page, fitting)
    texts: dict[int, list[str]] = {}
    for node in page.nodes:
        if (holder := outermost[node.element]) >= 0 and node.text.strip():
            texts.setdefault(holder, []).append(" ".join(node.text.split()))
    yield from texts.items()


def publication_notes(page: Page) -> Iterator[str]:
    """Short texts with a year that tell of a publication, or stand behind one that does."""
    before = ""
    for node in page.nodes:
        text = node.text
        if len(text) > LONGEST:
            before = ""
            continue
        if ("19" in text or "20" in text) and YEAR.search(text):
            if PUBLISHED.search(text):
                yield text
            elif PUBLISHED.search(before):
                yield f"{before} {text}"
        before = text


# The authors of a page: those that it declares, or the name that stands in a byline.

DECLARED = (
    *("author", "article:author", "citation_author", "dc.creator", "dcterms.creator", "byl"),
    *("parsely-author", "sailthru.author", "og:article:author"),
)

CLASS = re.compile(
    r"(?:^|[\s_-]|(?<=[a-z])(?=[A-Z]))(?i:author|byline|autor|auteur|autore|verfasser|writer)s?"
    r"(?i:[\s_-]*(?:name|link|info|url|text|title|meta|vcard|by))*(?:$|[\s_-])"
)
CLASS_PARTS = ("aut", "byline", "writer", "verfasser")
USER = re.compile(r"(?:^|\s)(?:author|fn|vcard)(?:$|\s)")
"""Classes of elements with a name alone, which may be that of a user, in lower case."""

OTHERS = re.compile(
    r"comment|kommentar|repl(?:y|ies)|respond|testimonial|review|quote|related|recommend|teaser|"
    r"popular|promo|card|avatar|bio\b|share|social|sidebar|footer",
    re.IGNORECASE,
)
"""Classes and ids of elements with names of other people: commenters, customers, authors of other articles."""
OTHERS_TAGS = frozenset({"blockquote", "figure", "figcaption", "aside", "form", "footer", "nav"})
ABOVE = 8  # elements up from a byline, itself included, whose names can tell that it is of others
BELOW = 12  # text nodes from the headline on among which a line "By NAME" is looked for

_BY = r"(?:by|von|vom|par|por|di|da|door|av|af)"
INTRODUCTION = re.compile(
    r"^(?:(?:view|show|see|zeige|alle?|all|posts?|beiträge|artikel|articles?|more|mehr|erstellt|geschrieben|"
    r"verfasst|written|posted|published|submitted|story|stories|words|text|recipe|interview|about|the)\b[\s:]*)*"
    rf"(?:\b(?:{_BY}|autor(?:in|en)?|authors?|text|redaktion)\b[\s:]*)+",
    re.IGNORECASE,
)
"""Words before a name, as in "Posted by" and "Alle Beiträge von"."""
BY = re.compile(rf"(?:(?:written|posted|story|text|submitted)\s+)?{_BY}\b\s*:?\s*", re.IGNORECASE)
END = re.compile(
    r"\s*[|·•@/–—:(\[]|\s-\s|(?<!\w)\d|\s(?:updated|published|posted|on|am|veröffentlicht|aktualisiert|follow|is a|is the)\b"  # noqa: RUF001
    r"|[\s,]+(?:le|il|el|em|den|op)\s+\d"
    r"|,\s+(?:[\w-]+\s+){0,3}(?:correspondent|contributor|editor|reporter|writer|journalist|columnist|redakteur|korrespondent"
    r"|journaliste|rédact|periodista|redactor)",
    re.IGNORECASE,
)
"""The end of a name in a byline: what follows is a date, an address or a role."""

NO_NAME = re.compile(
    r"\bsaid\b|erforderlich|required|anonym|^unknown$|subscribe|newsletter|follow|archive|kommentar|comment|"
    r"profile|see full|read more|^(?:on|in|at|from|published|updated|posted)\b",
    re.IGNORECASE,
)
PARTICLES = frozenset("von van de der den di da la le und and y et e & bin al".split())
AND = re.compile(r"\s*(?:,|(?:, )?and|und|&|y|et|e|\+|/)\s*", re.IGNORECASE)
NAME_SEPARATOR = re.compile(r",\s+(?=.*\s(?:and|und|et|y|e)\s)|,?\s(?:and|und|et|y|e)\s")
NAME = re.compile(r"[^\W\d_][^\d@|/:]{1,59}")
NAME_WORDS = 6
FURTHER_NAME = re.compile(r"[^\W\d_a-z]\S*(?: \S+){0,3}")  # the name of one of several
EMPTY = frozenset({"null", "none", "undefined", "admin", "author", "unknown"})
MAIL = re.compile(r"\s*[<(]?\S+@\S+[>)]?\s*")
MAIL_ADDRESS = re.compile(r"[<(]?[\w.+-]+(?:@| at )[\w-]+(?:\.[\w-]+)+[>)]?")
"""An address as mails and their archives show it."""


def authors(sources: Sources) -> Iterator[Candidate]:
    """The names of a page's authors, parted by "; ", the most trusted first, with their sources."""
    if "author" in sources.json_ld:
        yield "; ".join(sources.json_ld["author"]), "json-ld:author"
    for name in DECLARED:
        if name in sources.metas:
            yield "; ".join(sources.metas[name]), f"meta:{name}"
    yield from sources.microdata_values("author", "rel:author")
    yield from ((name, "byline") for name in _bylines(sources.page))


def clean_author(text: str) -> str:
    """A declared name without words before it and an address behind it; "" of what is no name."""
    if text.lower() in EMPTY:
        return ""
    name = INTRODUCTION.sub("", text).partition(" | ")[0]
    return MAIL.sub("", name).strip("() ") or name or text


def _bylines(page: Page) -> Iterator[str]:
    for element, texts in named_texts(page, CLASS, CLASS_PARTS):
        if len(" ".join(texts)) <= LONGEST and not _is_of_others(page, element):
            is_user = USER.search(page.classes[element]) is not None
            if names := _leading_names(texts, is_user=is_user):
                yield names
    yield from _names_below_headline(page)


def _is_of_others(page: Page, element: int) -> bool:
    near = takewhile(lambda n: page.tags[n] != "body", ancestors(page.parents, element))
    return any(
        page.tags[n] in OTHERS_TAGS or OTHERS.search(f"{page.classes[n]} {page.ids[n]}")
        for n in islice(near, ABOVE)
    )


def _leading_names(texts: Sequence[str], *, is_user: bool) -> str:
    """The names at the beginning of a byline, joined by "; "; "" if it has none."""
    names: list[str] = []
    for place, text in enumerate(texts):
        if name := _name(text, is_user=is_user):
            names.append(name)
            if not AND.fullmatch(texts[place + 1] if place + 1 < len(texts) else ""):
                break
        elif names and not AND.fullmatch(text):
            break
    return "; ".join(names)


def _name(text: str, *, is_user: bool = False) -> str | None:
    name = END.split(INTRODUCTION.sub("", " ".join(text.split())), maxsplit=1)[0].strip(" ,;.*")
    if not NAME.fullmatch(name) or NO_NAME.search(name):
        return None
    first, *others = NAME_SEPARATOR.split(name)
    if len(first.split()) > NAME_WORDS or not all(map(FURTHER_NAME.fullmatch, others)):
        return None
    if (name.islower() and not is_user) or name.split()[0].lower() in MONTHS:
        return None
    return name


def _names_below_headline(page: Page) -> Iterator[str]:
    """Names behind "By" in a line of its own, or before an address, in the texts from the headline on."""
    start = next((first for first, _ in headings(page, ("h1",))), None)
    if start is None:
        return
    texts = [" ".join(node.text.split()) for node in page.nodes[start : start + BELOW]]
    for text, following in pairwise([*texts, ""]):
        is_byline = BY.match(text) and len(text) <= LONGEST // 2
        if BY.fullmatch(text):
            name = _name(following)
        else:
            name = _name(text) if is_byline or MAIL_ADDRESS.fullmatch(following) else None
        words = name.replace(",", " ").split() if name else []
        if name and len(words) > 1 and all(w[0].isupper() or w in PARTICLES for w in words):
            yield name
