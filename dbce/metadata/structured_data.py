"""Data that a page declares of itself outside of its text: in `<meta>`, JSON-LD and microdata."""

import json
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from html import unescape
from itertools import chain, islice
from typing import Any, NamedTuple
from unicodedata import normalize

from dbce.html import DeclaredMetadata
from dbce.model import WORD_RUN, Page

# JSON-LD: of the first item that is an article, or else of the page's own.

Item = Mapping[str, Any]

SITE = "WebSite"
ARTICLES = ("Article", "Posting", "Report", "Review")  # endings of types that say most of a page
OTHER_THINGS = frozenset(
    "Book Course CreativeWork Dataset Event HowTo Movie Product Question Recipe Thesis VideoObject".split()
)
PAGE = "Page"
LONGEST = 10_000  # characters of a value; more is a page in the wrong place
LARGEST = 1_000_000  # characters of a text that is parsed
DEEPEST = 8  # lists and items that are followed to a name
MOST_ITEMS = 1000  # items of a page that are looked at
DATES = re.compile(r'"(date(?:Published|Created|Modified))"\s*:\s*"([^"\\]{4,40})"')
"""Parts that are still read of a text that is no JSON."""
DECODER = json.JSONDecoder(strict=False)
OPENING_SIGN = re.compile(r"\{|(?<![!A])\[")  # of a value, not of CDATA
COMMENT = re.compile(
    r"^[ \t]*//.*|(?<=[,{}\[\]])[ \t]*//[^\"\n]{0,300}$|/\*[^\"]{0,300}?\*/", re.MULTILINE
)
SPARE_COMMA = re.compile(r",(?=\s*[}\]])")
NESTING_PROPERTIES = ("mainEntity", "@graph")  # hold other items that count; the last comes first


# Pages are judged by the batch, for which their titles are asked, and described one by one behind that.
@lru_cache(maxsize=128)
def read_linked(texts: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Property to values, in order, of the page's main item; `site` is the name of the web site.

    Of persons and organisations the names are the values. What is no JSON is passed over.
    """
    items = [*islice(chain.from_iterable(map(_items, map(parse_json_ld, texts))), MOST_ITEMS)]
    names = {
        item["@id"]: item["name"]
        for item in items
        if isinstance(item.get("@id"), str) and isinstance(item.get("name"), str)
    }
    properties: dict[str, tuple[str, ...]] = {}
    for item in sorted((each for each in items if _rank(each) < 3), key=_rank):
        for name, value in item.items():
            if name not in properties and (values := tuple(_texts(value, names))):
                properties[name] = values
    sites = [item.get("name") for item in items if SITE in types_of(item)]
    return properties | {"site": tuple(_texts(sites, names))}


# A page is asked for its titles and, right behind that, for what else it tells.
@lru_cache(maxsize=16)
def parse_json_ld(text: str) -> Any:
    """The value of a text of JSON-LD; of what is no JSON the dates that can still be read."""
    if len(text) > LARGEST:
        return None
    # Pages wrap scripts in comments, and have line ends within strings, or more behind the value.
    for spare in (None, COMMENT, SPARE_COMMA):
        text = spare.sub("", text) if spare else text
        opening = OPENING_SIGN.search(text)
        with suppress(ValueError, RecursionError):
            return DECODER.raw_decode(text, opening.start() if opening else 0)[0]
    return {"@type": PAGE} | dict(reversed(DATES.findall(text)))


def _items(value: Any) -> Iterator[Item]:
    waiting = deque([value])
    while waiting:
        item = waiting.popleft()
        if isinstance(item, list):
            waiting.extendleft(reversed(item))
        elif isinstance(item, dict):
            yield item
            waiting.extendleft(item[name] for name in NESTING_PROPERTIES if name in item)


def types_of(item: Item) -> list[str]:
    kind = item.get("@type")
    kinds = kind if isinstance(kind, list) else [kind]
    return [name.rpartition("/")[2] for name in kinds if isinstance(name, str)]


def _rank(item: Item) -> int:
    """0 of an article, 1 of another main thing, 2 of a page, 3 of all else."""
    types = types_of(item)
    if any(kind.endswith(ARTICLES) for kind in types):
        return 0
    if not OTHER_THINGS.isdisjoint(types):
        return 1
    return 2 if any(kind.endswith(PAGE) for kind in types) else 3


def _texts(value: Any, names: Mapping[str, str], depth: int = DEEPEST) -> Iterator[str]:
    """Texts of a value: itself, or the name of its item or of the one it refers to."""
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, list):
        for item in value:
            yield from _texts(item, names, depth - 1)
    elif depth and isinstance(value, dict):
        reference = value.get("@id")
        name = names.get(reference) if isinstance(reference, str) else None
        parts = (value.get("givenName"), value.get("familyName"))
        of_parts = " ".join(part for part in parts if isinstance(part, str))
        yield from _texts(value.get("name", name) or of_parts or None, names, depth - 1)


Candidate = tuple[str, str]  # a value and its source


@dataclass(frozen=True)
class Declarations:
    declared: DeclaredMetadata

    @cached_property
    def json_ld(self) -> dict[str, tuple[str, ...]]:
        return read_linked(self.declared.linked)

    @cached_property
    def metas(self) -> dict[str, list[str]]:
        contents: dict[str, list[str]] = {}
        for name, content in self.declared.metas:
            # Names of Dublin Core are written with a colon, too.
            contents.setdefault(name.replace("dc:", "dc."), []).append(content)
        return contents

    def candidates(
        self, metas: Sequence[str], *properties: str, trusted: int | None = None
    ) -> Iterator[Candidate]:
        """Values in `<meta>`, JSON-LD and microdata; those of the first `trusted` metas, or of all, before JSON-LD."""
        for n in filter(self.metas.__contains__, metas[:trusted]):
            yield from _short(self.metas[n][:1], f"meta:{n}")
        for n in filter(self.json_ld.__contains__, properties):
            yield from _short(self.json_ld[n][:1], f"json-ld:{n}")
        if trusted is not None:
            yield from self.candidates(metas[trusted:])
        yield from self.microdata_values(*properties)

    def microdata_values(self, *names: str) -> Iterator[Candidate]:
        properties = dict(self.declared.properties)
        for name in names:
            if name in properties:
                yield from _short([properties[name]], name if ":" in name else f"microdata:{name}")


def _short(values: Iterable[str], source: str) -> Iterator[Candidate]:
    return ((value, source) for value in values if len(value) <= LONGEST)


@dataclass(frozen=True)
class Sources(Declarations):
    page: Page
    url: str
    captured: datetime
    text: str


UNFILLED = re.compile(r"[{$<\[](?:(?<=\{)[{%]|(?<=\$)\{|(?<=<)%|(?<=\[)\[[+*$])")
"""What stands in a value of which a template was not filled."""

PLACEHOLDER = re.compile(
    r"%\w+%|[\s.,;:_|/*?-]*"
    r"|(?:untitled(?:[- ](?:document|page|\d+))?|unbenanntes dokument|document sans (?:nom|titre)|documento sin título|無題ドキュメント|no title"
    r"|new page(?: \d+)?|document|title|microsoft word - .*|\S+\.(?:docx?|html?|php|aspx?)|undefined|loading\W*|just a moment\W*)",
    re.IGNORECASE,
)
"""A value that a template or an editor begins pages with, or that is nothing but punctuation."""
# Of words in a value; other elements are what it is about.
MARKUP = re.compile(r"<(a|b|em|i|p|small|span|strong|su[bp]|u)\b[^<>]*>.{0,500}</\1>", re.DOTALL)


def one_line(text: str) -> str:
    """A value in one line without markup and marks of direction at its ends, "" if it says nothing; some are quoted twice."""
    text = unescape(text)
    line = " ".join((_TAG.sub("", text) if MARKUP.search(text) else text).split())
    is_empty = PLACEHOLDER.fullmatch(line) or UNFILLED.search(line)
    return "" if is_empty else line.strip("\u200e\u200f ")


# Names of `<meta>`, the most trusted first.
SITES = (
    *("og:site_name", "application-name", "dc.publisher", "dcterms.publisher", "publisher"),
    "apple-mobile-web-app-title",
)

TITLES = ("og:title", "twitter:title", "citation_title", "dc.title", "dcterms.title", "title")
DESCRIPTIONS = tuple(
    "description og:description twitter:description dc.description dcterms.description".split()
)

SHORTEST = 4  # characters of a heading, spaces and signs left out, that can name a page


class Opening(NamedTuple):
    """Titles that a page declares beside its `<title>`, and descriptions, one of which may be its standfirst; whether an article follows, and nothing else."""

    titles: Sequence[str] = ()
    descriptions: Sequence[str] = ()
    is_article: bool = False


def declared_opening(declared: DeclaredMetadata) -> Opening:
    """Declared titles and descriptions: in `<meta>`, JSON-LD and microdata."""
    its_descriptions = [text for text, _ in descriptions(Declarations(declared)) if text]
    return Opening(declared_titles(declared), its_descriptions)


def declared_titles(declared: DeclaredMetadata) -> list[str]:
    return [title for title, _ in titles(Declarations(declared))]


def titles(sources: Declarations) -> Iterator[Candidate]:
    return sources.candidates(TITLES, "headline", trusted=1)


def descriptions(sources: Declarations) -> Iterator[Candidate]:
    return sources.candidates(DESCRIPTIONS, "description")


def title_keys(titles: Iterable[str]) -> list[str]:
    """The letters and digits of titles, as `names_page` wants them; entities that were quoted twice are read."""
    return [key for title in titles if (key := letters(unescape(title)))]


def names_page(heading: str, keys: Sequence[str]) -> bool:
    """Return whether a title begins with a heading, or is that for the most part; `keys` are those of the titles."""
    plain = letters(heading)
    return len(plain) >= SHORTEST and any(
        plain in key and (key.startswith(plain) or 2 * len(plain) >= len(key)) for key in keys
    )


def letters(text: str) -> str:
    """The letters and digits of a text alone, in lower case and without accents, which capitals often lack."""
    if text.isascii():  # as most
        return text.lower().encode().translate(None, _NO_LETTERS).decode()
    return "".join(filter(str.isalnum, normalize("NFD", text.lower())))


_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalnum())


# JSON-LD by schema.org names the body of an article, the answers of a page of questions, what is
# said of a product, and also what is said of authors and of the site itself. Open Graph names the
# kind of a page.

# Types of schema.org that pages of one kind have.
GROUPS = {
    group: tuple(types.split())
    for group, types in {
        "product": "Product ProductGroup Offer AggregateOffer Vehicle Book",
        "article": "Article NewsArticle BlogPosting TechArticle Report HowTo Recipe ScholarlyArticle",
        "list": "ItemList CollectionPage SearchResultsPage OfferCatalog Blog",
        "forum": "DiscussionForumPosting QAPage Question Answer Comment",
        "service": "Service FAQPage LocalBusiness ProfessionalService Organization SoftwareApplication",
        "site": "WebSite WebPage BreadcrumbList",
    }.items()
}

DESCRIPTION_SIGNS = (
    *("og_article", "og_product", "og_website", "og_price", "viewport"),
    *(f"ld_{group}" for group in GROUPS),
)
"""Names of the signs of `SelfDescription`: what Open Graph calls the page, if it names a price, if it is made for telephones, and
which groups of types its JSON-LD has."""

DESCRIPTION_SUBJECTS = ("article", "answers", "product", "about", "reviews", "description")
ARTICLE, ANSWERS, PRODUCT, ABOUT, REVIEWS, DESCRIPTION = DESCRIPTION_SUBJECTS
"""Subjects of texts: the article, questions and answers and posts, goods and events, authors and the site and
pictures, opinions of others; and the description of the page itself."""

# Types whose descriptions are of the page's own thing, and of another.
OWN_THINGS = frozenset(
    "Product ProductGroup Recipe Event JobPosting Book SoftwareApplication".split()
)
OTHER_SUBJECTS = frozenset(
    "Person Organization WebSite NewsMediaOrganization Brand ImageObject Corporation LocalBusiness".split()
)
OPINIONS = frozenset({"Comment", "Review"})
FEWEST_WORDS = 5  # words of a text that tells something
LEAST_OF_ARTICLE = 100  # words of all bodies of articles together: what is shorter is a summary
MOST_VALUES = 2000  # values of a page that are looked at

_TAG = re.compile(r"<[^<>]*+>")


class SelfDescription(NamedTuple):
    """Description of a page by itself."""

    signs: tuple[float, ...]  # the numbers of DESCRIPTION_SIGNS
    texts: Mapping[str, str]  # words by subject, in lower case and each between spaces (`as_words`)


def self_description(declared: DeclaredMetadata) -> SelfDescription:
    metas = dict(declared.metas)
    kind = metas.get("og:type", "").lower()
    by_kind: defaultdict[str, list[str]] = defaultdict(list)
    types: set[str] = set()
    for name, key, text in _item_texts(declared.linked):
        types.add(name)
        if (what := _subject(name, key)) and text.count(" ") + 1 >= FEWEST_WORDS:
            by_kind[what].append(text)
    by_kind[DESCRIPTION] = [metas[name] for name in DESCRIPTIONS if name in metas]
    signs = (
        *(kind == "article", "product" in kind, kind == "website"),
        any(name.startswith(("product:", "og:price")) for name in metas),
        "viewport" in metas,
        *(not types.isdisjoint(names) for names in GROUPS.values()),
    )
    texts = {what: as_words(" \n ".join(of)) for what, of in by_kind.items() if of}
    if texts.get(ARTICLE, "").count(" ") <= LEAST_OF_ARTICLE:
        texts.pop(ARTICLE, None)
    return SelfDescription(tuple(map(float, signs)), texts)


def as_words(text: str) -> str:
    """The words of a text, whatever its markup, in lower case and each between spaces."""
    return f" {' '.join(WORD_RUN.findall(_TAG.sub(' ', unescape(text)).lower()))} "


def _item_texts(linked: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    waiting = [("", "", parse_json_ld(text)) for text in reversed(linked)]
    for _ in range(MOST_VALUES):
        if not waiting:
            return
        kind, key, value = waiting.pop()
        if isinstance(value, str):
            yield kind, key, value
        elif isinstance(value, list):
            waiting += [(kind, key, item) for item in reversed(value)]
        elif isinstance(value, dict):
            kind_of_value = (types_of(value) or [kind])[0]
            waiting += [(kind_of_value, name, item) for name, item in reversed(value.items())]


def _subject(kind: str, key: str) -> str | None:
    """Subject of the text of a property of an item, one of DESCRIPTION_SUBJECTS; None of others."""
    if key == "articleBody":
        return ARTICLE
    if key == "reviewBody" or (key == "text" and kind in OPINIONS):
        return REVIEWS
    if key == "text":
        return ANSWERS
    if key == "caption" or (key == "description" and kind in OTHER_SUBJECTS):
        return ABOUT
    return PRODUCT if key == "description" and kind in OWN_THINGS else None
