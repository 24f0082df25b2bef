"""The kind of page and the texts that a page tells of itself outside of its text, in its structured data.

JSON-LD by schema.org names the body of an article, the answers of a page of questions, what is said of a product, and also
what is said of authors and of the site itself. Open Graph names the kind of a page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from html import unescape
from typing import TYPE_CHECKING, Any, NamedTuple

from dbce.metadata.linked import parsed, types_of
from dbce.metadata.opening import DESCRIPTIONS, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dbce.html import DeclaredMetadata

    Texts = Mapping[str, str]

GROUPS = {
    "product": ("Product", "ProductGroup", "Offer", "AggregateOffer", "Vehicle", "Book"),
    "article": (
        *("Article", "NewsArticle", "BlogPosting", "TechArticle", "Report", "HowTo", "Recipe"),
        "ScholarlyArticle",
    ),
    "list": ("ItemList", "CollectionPage", "SearchResultsPage", "OfferCatalog", "Blog"),
    "forum": ("DiscussionForumPosting", "QAPage", "Question", "Answer", "Comment"),
    "service": (
        *("Service", "FAQPage", "LocalBusiness", "ProfessionalService", "Organization"),
        "SoftwareApplication",
    ),
    "site": ("WebSite", "WebPage", "BreadcrumbList"),
}
"""Types of schema.org that pages of one kind have."""

SIGNS = (
    *("og_article", "og_product", "og_website", "og_price", "viewport"),
    *(f"ld_{group}" for group in GROUPS),
)
"""Names of the signs of `Told`: what Open Graph calls the page, if it names a price, if it is made for telephones, and
which groups of types its JSON-LD has."""

ARTICLE, ANSWERS, PRODUCT, ABOUT, REVIEWS, DESCRIPTION = (
    *("article", "answers", "product", "about", "reviews", "description"),
)

TEXTS = (ARTICLE, ANSWERS, PRODUCT, ABOUT, REVIEWS, DESCRIPTION)
"""The things that texts are told of: the article, questions and answers and posts, goods and events, authors and the site and
pictures, opinions of others; and the description of the page itself."""

DESCRIBED = frozenset(
    {*("Product", "ProductGroup", "Recipe", "Event", "JobPosting", "Book", "SoftwareApplication")}
)
OTHERS = frozenset(
    {*("Person", "Organization", "WebSite", "NewsMediaOrganization", "Brand", "ImageObject")}
    | {*("Corporation", "LocalBusiness")}
)
"""Types whose descriptions are of the page's own thing, and of another."""

OPINIONS = frozenset({"Comment", "Review"})

LEAST = 5
"""Words of a text that tells something."""

LEAST_OF_ARTICLE = 100
"""Words of all bodies of articles together: what is shorter is a summary."""

MOST = 2000
"""Values of a page that are looked at."""

_TAG = re.compile(r"<[^<>]*+>")


class Told(NamedTuple):
    """The things that a page tells of itself: `signs` are the numbers SIGNS, `texts` the words of texts by what they are of.

    Words are in lower case, each between spaces, as `as_words` gives them.
    """

    signs: tuple[float, ...]
    texts: Texts


def told(declared: DeclaredMetadata) -> Told:
    """The things that a page tells of itself in `<meta>` and JSON-LD."""
    metas = dict(declared.metas)
    kind = metas.get("og:type", "").lower()
    found: defaultdict[str, list[str]] = defaultdict(list)
    types: set[str] = set()
    for name, key, text in _of_items(declared.linked):
        types.add(name)
        if (what := _what(name, key)) and text.count(" ") + 1 >= LEAST:
            found[what].append(text)
    found[DESCRIPTION] = [metas[name] for name in DESCRIPTIONS if name in metas]
    signs = (
        *(kind == "article", "product" in kind, kind == "website"),
        any(name.startswith(("product:", "og:price")) for name in metas),
        "viewport" in metas,
        *(not types.isdisjoint(names) for names in GROUPS.values()),
    )
    texts = {what: as_words(" \n ".join(of)) for what, of in found.items() if of}
    if texts.get(ARTICLE, "").count(" ") <= LEAST_OF_ARTICLE:
        texts.pop(ARTICLE, None)
    return Told(tuple(map(float, signs)), texts)


def as_words(text: str) -> str:
    """The words of a text, whatever its markup, in lower case and each between spaces."""
    return f" {' '.join(WORDS.findall(_TAG.sub(' ', unescape(text)).lower()))} "


def _of_items(linked: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """(type, property, text) of the items in JSON-LD, at whatever depth."""
    waiting: list[tuple[str, str, Any]] = [("", "", parsed(text)) for text in reversed(linked)]
    for _ in range(MOST):
        if not waiting:
            return
        kind, key, value = waiting.pop()
        if isinstance(value, str):
            yield kind, key, value
        elif isinstance(value, list):
            waiting += [(kind, key, one) for one in reversed(value)]
        elif isinstance(value, dict):
            own = (types_of(value) or [kind])[0]
            waiting += [(own, name, one) for name, one in reversed(value.items())]


def _what(kind: str, key: str) -> str | None:
    """The thing that the text of a property of an item is of, one of TEXTS; None of others."""
    if key == "articleBody":
        return ARTICLE
    if key == "reviewBody" or (key == "text" and kind in OPINIONS):
        return REVIEWS
    if key == "text":
        return ANSWERS
    if key == "caption" or (key == "description" and kind in OTHERS):
        return ABOUT
    return PRODUCT if key == "description" and kind in DESCRIBED else None
