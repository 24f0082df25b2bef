"""Bylines, which are called after an author or a date, and the authors that a page declares or shows."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise, takewhile
from unicodedata import normalize

from dbce.html import (
    NamePattern,
    ancestors,
    elements_like,
    nodes_within,
    outermost_elements,
    subtree_end,
)
from dbce.metadata.dates import MONTHS, PUBLISHED, WORDS, plain
from dbce.metadata.headline import LEVELS, SEPARATOR, SiteNames, headings
from dbce.metadata.structured_data import Candidate, Sources, letters, names_page, title_keys
from dbce.model import Page

_EDGE = r"(?:^|[\s_-])"
AUTHOR = re.compile(
    rf"{_EDGE}(?:author|byline|autor|auteur|autore)(?:[\s_-]?name)?(?:$|\s)", re.IGNORECASE
)
DATE = NamePattern(
    rf"{_EDGE}(?:(?:entry|post|article|pub|publish|publication|news|story)?[_-]?date(?:line)?|"
    r"datetime|timestamp|datum|fecha|published|pubdate|posted(?:[_-]on)?|byline|submitted|"
    r"(?:post|entry|article|asset)[_-]?meta|article[_-]?info|(?:post|entry)[_-]footer)(?:$|[\s_-])",
    "dat timestamp fecha publish posted byline submitted meta info footer",
)
YEAR = re.compile(r"(?:19|20)\d\d")
LONGEST = 160  # characters of a byline; a sentence of an article with a date is longer


def names_byline(name: str) -> bool:
    """Return whether a class or id is that of a line with the author or the date."""
    return bool(AUTHOR.search(name) or DATE.pattern.search(name))


def named_texts(page: Page, named: NamePattern) -> Iterator[tuple[int, list[str]]]:
    """The elements whose class or id fits, the outermost ones in document order, with their texts."""
    fitting = elements_like(page.classes, named) | elements_like(page.ids, named)
    outermost = outermost_elements(page, fitting) if fitting else ()
    for element in sorted(fitting):
        inside = nodes_within(page, element) if outermost[element] == element else ()
        if inside:
            yield element, [" ".join(page.nodes[n].text.split()) for n in inside]


def publication_notes(page: Page, with_digits: Sequence[int]) -> Iterator[str]:
    """Short texts with a year that tell of a publication, or stand behind a short one that does."""
    for number in with_digits:
        text, before = page.nodes[number].text, page.nodes[number - 1].text if number else ""
        if len(text) <= LONGEST and YEAR.search(text):
            if PUBLISHED.search(plain(text).lower()):
                yield text
            elif len(before) <= LONGEST and PUBLISHED.search(plain(before).lower()):
                yield f"{before} {text}"


# The authors of a page: those that it declares, or the name that stands in a byline.

DECLARED = tuple(WORDS["names of authors"].split())
CARD_FIELDS = (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2"))
"""Fields of a card for Twitter: label and value. WordPress names the author there, "Written by", in its own language."""
_BY, _AUTHOR, _LABEL, _WRITTEN = (
    "(?:" + WORDS[name].replace("\n", "|") + ")"
    for name in ("by", "author", "labels of an author", "written by")
)
BY_LABEL = re.compile(rf"\b{_BY}\s*:?\s*$", re.IGNORECASE)

CLASS = NamePattern(
    r"(?:^|[\s_-]|(?<=[a-z])(?=[A-Z]))(?i:author|byline|autor|auteur|autore|verfasser|writer)s?"
    r"(?i:[\s_-]*(?:name|link|info|url|text|title|meta|vcard|by))*(?:$|[\s_-])",
    "aut byline writer verfasser",
    re.NOFLAG,
)
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

BOX = re.compile(r"(?:card|avatar|bio)\b", re.IGNORECASE)
"""Of the classes of OTHERS those of a box on somebody, which is the author's where all boxes of authors name one person."""

_PIECE = r"(?:an?|eine?|une?|una)\s\w+|propos recueillis"  # "An analysis by"
INTRODUCTION = re.compile(
    r"^(?:(?:view|show|see|zeige|alle?|all|posts?|beiträge|artikel|articles?|more|mehr|stories|recipe|about|guest|the|"
    rf"{_WRITTEN}|{_PIECE})\b[\s:]*)*"
    rf"(?:\b(?:{_LABEL}\s*:\s*|(?:{_BY}|{_AUTHOR}|redaktion)(?!\w)[\s:/]*))+(?-i:(?:[a-zß-öø-ÿ]{{4,}}\s+)+(?=[^\W\d_a-zß-öø-ÿ]))?",
    re.IGNORECASE,
)
"""Words before a name, as in "Posted by" and "Alle Beiträge von"."""
BY = re.compile(
    rf"(?:(?:{_WRITTEN}|{_PIECE})\s+)?{_BY}(?!\w)\s*[:/]?\s*|(?:{_AUTHOR}|{_LABEL})\s*:\s*",
    re.IGNORECASE,
)
DATE_BEFORE = re.compile(
    rf"^.*(?:\d\W|\s[|·•])\W*(?=(?:{_WRITTEN}\s+)?{_BY}(?:\s|$))", re.IGNORECASE
)
"""What stands before a byline in its line: "4 May 2016 by", "Rivers | Written by"."""
_HAN = r"[\u3400-\u9fff々]"
_JAPANESE = r"[\u3041-\u30ff\u3400-\u9fff々]"
_CHINESE = rf"{_HAN}{{1,6}}(?:[.·‧]{_HAN}{{1,6}})+|{_HAN}{{2,4}}"
EAST_ASIAN = (
    rf"(?<!\w)(?:(?:作者|撰文|撰稿人?|通[讯訊][员員]|(?:{_HAN}{{2,4}})?[记記]者)[\s:/|]+(?![佚匿]名|{_HAN}*(?:编辑|[记記]者|手机))({_CHINESE})(?![^\W\d])"
    rf"|(?:取材[・、])?(?:文|著者|筆者|執筆者?|ライター)\s*[:/=・|]\s*"
    rf"({_JAPANESE}{{2,10}}(?:\s{_JAPANESE}{{1,6}}(?![\w:/=]))?)(?![^\W\d])"
    rf"|[記记]者({_HAN}{{2,4}})[/)]"
    r"|(?!담당|취재|사진|객원|선임|수습|전문|외신|인턴|한국)([가-힣]{2,4})\s?(?:기자|특파원)(?!\w)"
    r"|(?:^|\s)(?:글쓴이|작성자|기자명|글(?:[·ㆍ]\s?사진)?)[\s:]+([가-힣]{2,4})(?!\w))"
)
"""Name of an author in Chinese, Japanese and Korean, beside a word for one; in a text whose signs have their usual width.

It is compiled where a text may have one: that takes as long as a page."""
FIRST_EAST_ASIAN = "\u2e80"
END = re.compile(
    r"\s*[|·•@/–—:(\[<]|\s-\s|(?<!\w)\d|\s(?:updated|published|posted|on|at|am|in(?! ['’]t\b)|for|with|avec|mit|con|com|veröffentlicht|aktualisiert|follow|is a|is the)\b"  # noqa: RUF001
    r"|[\s,;.]+(?:photo\w*|fotos?|фото|kuvat?|pictures|bilder|illustrat\w+)\b"
    r"|,\s+(?:the\s+)?(?:associated press|ap|reuters|afp|dpa|bloomberg)\b"
    r"|[\s,]+(?:le|il|el|em|den|op|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?)\s+\d|,\s+(?!(?:and|und|et|y|e)\b)(?-i:[a-zß-öø-ÿąćęłńóśźżа-яёα-ώ])"
    r"|,\s+(?:[\w-]+\s+){0,3}(?:correspondent|contributor|editor|reporter|writer|journalist|columnist|redakteur|korrespondent"
    r"|journaliste|rédact|periodista|redactor|team|engineer|manager|director|analyst|professor|fellow)",
    re.IGNORECASE,
)
"""The end of a name in a byline: what follows is a date, an address or a role."""

NO_NAME = re.compile(
    r"\bsaid\b|erforderlich|required|anonym|^unknown$|subscribe|newsletter|follow|archive|kommentar|comment|"
    r"profile|see full|read more|\bago\b|^(?:on|in|at|from|published|updated|posted|contributor)\b|(?-i:\sby)$",
    re.IGNORECASE,
)
PARTICLES = frozenset("von van de der den di da la le und and y et e & bin al".split())
AND = re.compile(r"\s*(?:,|(?:, )?and|und|&|y|et|e|\+|/)\s*", re.IGNORECASE)
NAME_SEPARATOR = re.compile(
    r",(?=\S)|,\s+(?=.*\s(?:and|und|et|y|e|&)\s)|,?\s(?:and|und|et|y|e|&)\s"
)
NAME = re.compile(r"[^\W\d_][^\d@|/:]{1,59}")
NAME_WORDS = 6
DASHES = "\N{EM DASH}\N{EN DASH}-|·• "  # before a byline
NAME_SIGNS = " ,;.*\u200e\u200f"  # beside a name, also the marks of direction
MOST = 500  # characters of a text that begins with a name and may tell of it
# One word behind a name of several.
PLACE = re.compile(r"^([^,]+\s[^,]+),\s+(?![JS]r\b|I+\b)[^\s,]+$")
FURTHER_NAME = re.compile(r"[^\W\d_a-z]\S*(?: \S+){0,3}")  # the name of one of several
EMPTY = frozenset(WORDS["no authors"].splitlines())
MAIL = re.compile(r"\s*[<(]?\S+(?:@|_at_)\S+[>)]?\s*")
MAIL_ADDRESS = re.compile(r"[<(]?[\w.+-]+(?:@| at )(?:x{4,}|[\w-]+(?:\.[\w-]+)+)[>)]?")
"""An address as mails and their archives show it, also with its host crossed out."""
ADDRESSED = re.compile(rf"\s[<(]{MAIL_ADDRESS.pattern[5:-5]}[>)]$")  # a name before it


def authors(sources: Sources, site: SiteNames) -> Iterator[Candidate]:
    """The names of a page's authors, parted by "; ", the most trusted first, with their sources; the site only if no person is named."""
    title_end = SEPARATOR.split(sources.page.title)[1:][-1:]
    of_site = tuple({*site.declared, site.host, *map(letters, title_end)} - {""})
    names = _names(sources)
    for candidate in names:
        if letters(candidate[0]) in of_site:
            others = list(names)
            full = (each for each in others if _is_full(each[0]))
            yield from (each for each in full if not letters(each[0]).startswith(of_site))
            yield from (candidate, *others)
        else:
            yield candidate


def _names(sources: Sources) -> Iterator[Candidate]:
    for name in ("author", "creator"):
        if name in sources.json_ld:
            yield "; ".join(sources.json_ld[name]), f"json-ld:{name}"
    for name in DECLARED:
        if name in sources.metas:
            yield "; ".join(sources.metas[name]), f"meta:{name}"
    yield from sources.microdata_values("author", "rel:author")
    for label, name in CARD_FIELDS:
        if BY_LABEL.search(sources.metas.get(label, [""])[0]) and name in sources.metas:
            yield sources.metas[name][0], f"meta:{name}"
    yield from ((name, "byline") for name in _bylines(sources.page))


def clean_author(text: str) -> str:
    """A declared name without words before it and an address behind it; "" of what is no name."""
    if text.lower() in EMPTY:
        return ""
    name = MAIL.sub("", INTRODUCTION.sub("", text).partition(" | ")[0] or text).strip('() "“”')
    several = NAME_SEPARATOR.split(name)
    return "; ".join(several) if all(map(_is_full, several)) else name


def _bylines(page: Page) -> Iterator[str]:
    of_boxes: list[str] = []
    for element, texts in named_texts(page, CLASS):
        inside = page.classes[element : subtree_end(page.parents, element)]
        names = _leading_names(texts, is_user=any(map(USER.search, inside)))
        if not names or _is_of_others(page, element, but=BOX):
            continue
        if _is_of_others(page, element):
            of_boxes.append(names.removeprefix("About "))
        elif len(" ".join(texts)) <= LONGEST:
            yield names
    yield from _names_below_headline(page)
    if len({*of_boxes}) == 1:
        yield of_boxes[0]
    # At last what blogs say below the text.
    for element, texts in named_texts(page, DATE):
        is_byline = len(line := " ".join(texts)) <= LONGEST and BY.match(line)
        name = _name(line) if is_byline and not _is_of_others(page, element) else None
        if name and _is_full(name):
            yield name


def _is_of_others(page: Page, element: int, but: re.Pattern[str] | None = None) -> bool:
    """Return whether an element is of other people by its names and those around it, `but` for some names."""
    near = takewhile(lambda n: page.tags[n] != "body", ancestors(page.parents, element))
    names = ((n, f"{page.classes[n]} {page.ids[n]}") for n in islice(near, ABOVE))
    return any(
        page.tags[n] in OTHERS_TAGS or OTHERS.search(but.sub("", name) if but else name)
        for n, name in names
    )


def _leading_names(texts: Sequence[str], *, is_user: bool) -> str:
    """The names at the beginning of a byline, joined by "; "; "" if it has none."""
    names: list[str] = []
    labels = takewhile(lambda text: text.endswith(":"), texts)
    for text, following in pairwise([*texts[len([*labels]) :], ""]):
        if name := _name(text, is_user=is_user):
            names.append(name)
            if not AND.fullmatch(following):
                break
        elif names and not AND.fullmatch(text):
            break
    return "; ".join(names)


def _name(text: str, *, is_user: bool = False) -> str | None:
    if east_asian := _east_asian_name(text):
        return east_asian
    begins = normalize("NFC", " ".join(text.split())[:MOST])
    name = END.split(INTRODUCTION.sub("", begins), maxsplit=1)[0].strip(NAME_SIGNS)
    name = PLACE.sub(r"\1", name)
    if not NAME.fullmatch(name) or NO_NAME.search(name):
        return None
    first, *others = NAME_SEPARATOR.split(name)
    if len(first.split()) > NAME_WORDS or not all(map(FURTHER_NAME.fullmatch, others)):
        return None
    is_month = name.split()[0].lower() in MONTHS and not _is_full(name)  # and no Jan or June
    if is_month or (name.islower() and (" " in name or not is_user)):
        return None
    return name


def _east_asian_name(text: str) -> str | None:
    if text.isascii() or max(text) < FIRST_EAST_ASIAN:
        return None
    match = re.search(EAST_ASIAN, normalize("NFKC", text))
    return match and next(filter(None, match.groups()))


def _names_below_headline(page: Page) -> Iterator[str]:
    """Names behind "By" in a line of its own, or before an address, in the texts from the headline on; where there is no heading, that has the title."""
    starts = (first for level in LEVELS for first, _ in headings(page, (level,)))
    keys = title_keys([page.title])
    titles = (n for n, node in enumerate(page.nodes) if names_page(node.text, keys))
    start = next(chain(starts, titles), len(page.nodes))
    nodes = page.nodes[start : start + BELOW]
    near = (normalize("NFC", " ".join(node.text.split())) for node in nodes)
    # The pattern takes long where signs alone follow each other.
    texts = [(DATE_BEFORE.sub("", t) if len(t) <= LONGEST else t).lstrip(DASHES) for t in near]
    for number, text in enumerate(texts, start=1):
        following = "".join(texts[number : number + 1])
        is_short = len(text) <= LONGEST // 2
        line = f"{text}{following}" if text.endswith(("\N{FULLWIDTH COLON}", ":")) else text
        if is_short and (name := _east_asian_name(line)):
            yield name
            continue
        if BY.fullmatch(text):
            name = _name(following) and _leading_names(texts[number:], is_user=False)
        else:
            is_byline = is_short and BY.match(text)
            address = following.lstrip("<(") or "".join(texts[number : number + 2])
            is_mail = ADDRESSED.search(text) or MAIL_ADDRESS.fullmatch(address)
            is_from = texts[number - 2 : number - 1] == ["From"]  # the label of a mail's sender
            name_part = text.lstrip(": ") if is_from else text
            name = _name(name_part) if is_byline or is_mail else None
        if name and _is_full(name):
            yield name


def _is_full(name: str) -> bool:
    """Return whether a name has several words, none but particles in small letters, or is Chinese."""
    words = name.replace(",", " ").split()
    is_name = (w[0].isalpha() > w[0].islower() or w in PARTICLES for w in words)
    if len(words) > 1 and all(is_name):
        return True
    return not name.isascii() and re.fullmatch(_CHINESE, name) is not None
