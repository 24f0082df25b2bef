"""The kind of a page: what it is for, told by what it is made of and what it names its parts.

The kinds that people gave to pages are learned: a multinomial logistic regression on the signs that `kind_signs` takes, whose
weights are in `kinds.npz` (`python -m scripts.experiments.page_kinds` makes and measures them). An error and a form are told by rules,
since no open set has pages of theirs.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from math import log1p
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dbce.archive import split_url
from dbce.html import DeclaredMetadata, elements_of_tags, enclosing_elements
from dbce.kernel import compiled
from dbce.model import Page, stored_arrays
from dbce.quality import phrases
from dbce.quality.damage import SHORT, Damage, DamageKind

FILE = "kinds.npz"
SPREAD = 4.0  # standard deviations from the mean beyond which a count says no more

OF_A_RULE = 0.95
"""Probability of a kind that a rule tells: about the precision of the damage it goes by (docs/quality.md)."""


class PageKind(StrEnum):
    ARTICLE = "article"  # a text to read from beginning to end: news, an essay, a post, a recipe
    DOCUMENTATION = "documentation"  # how something is used: manuals, references, courses
    FORUM = "forum"  # a question or topic and what several people say of it
    PRODUCT = "product"  # one thing to buy
    SERVICE = "service"  # what somebody offers: landing pages, companies of themselves
    LIST = "list"  # many things side by side: a shop's shelf, a catalogue
    HUB = "hub"  # ways to other pages: a start page, an index of articles, a directory
    FORM = "form"  # fields to fill in
    ERROR = "error"  # an error or maintenance page in the place of one


class KindOfPage(NamedTuple):
    """The likeliest kind of a page, and its probability, 0 to 1."""

    kind: PageKind
    probability: float


LIKELY = 0.5
"""Probability from which on a page is judged as one of a kind: of forums there are more from .4 on, but old pages, too."""

COUNTED = (
    *("img", "input", "button", "select", "textarea", "form", "li", "td", "time", "article"),
    *("section", "h1", "h2", "h3", "pre", "code", "a", "nav", "aside", "iframe", "video", "dl"),
    *("blockquote", "table", "p"),
)
"""Elements that are counted, as such and for each text."""

PARAGRAPH = 120  # characters from which on a text is prose rather than a name, a link or a button
BUTTON = 30  # characters at most of a name of the page's own, such as that of a button or a column
SLUG = 12  # characters of a path's last part from which on it names a page, no place of the site
STEPS = 6  # parts of a path, and hyphens of its last, that are counted at most

FIELDS = frozenset({"input", "select", "textarea"})

LEAST_FIELDS = 4  # fields of a form at least that a page is for
FORM_NAME_LENGTH = 60  # characters of a title or heading that are looked at for the name of a form

_TYPE = re.compile(r'"@type"\s*:\s*"([A-Za-z]+)"')
_NAME = re.compile(r"[a-z]{2,}")


@dataclass(frozen=True, eq=False)
class KindSigns:
    counts: tuple[float, ...]  # the numbers that COUNTS names
    # By their signs: parts of classes and ids (`#price`), of the address (`.docs`, `/forum`), short texts (`:reply`),
    # and types that the page declares (`@Product`; others are without a sign).
    names: dict[str, list[str]]
    asks: bool  # it has a form that address, title or headline name

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """The probability of each kind of the model."""
        return kind_model().probabilities(self)

    def declares(self, kind: str) -> bool:
        """Return whether the page declares this type of schema.org in JSON-LD."""
        return kind in self.names["@"]


COUNTS = (
    *("characters", "texts", "mean", "prose", "paragraphs", "prose_share", "longest", "money"),
    *("questions", "depth", "last", "hyphens", "digits", "query", "linked", "times"),
    *COUNTED,
    *(f"{tag}_each" for tag in COUNTED),
)
"""Names of the numbers of `KindSigns.counts`."""


def kind_signs(url: str, page: Page, declared: DeclaredMetadata) -> KindSigns:
    *sums, short_texts = compiled.sum_texts(page.nodes, PARAGRAPH, BUTTON)
    address = split_url(url)
    host = address.hostname or ""
    steps = [step for step in address.path.split("/") if step]
    last = steps[-1] if steps else ""
    tags = Counter(page.tags)
    counted = [tags.get(tag, 0) for tag in COUNTED]
    each = 1 / max(1, len(page.nodes))
    counts = (
        *_text_counts(len(page.nodes), sums),
        min(len(steps), STEPS),
        log1p(len(last)),
        min(last.count("-"), STEPS),
        log1p(sum(map(str.isdigit, last))),
        float(bool(address.query)),
        log1p(len(declared.linked)),
        log1p(len(declared.times)),
        *map(log1p, counted),
        *(number * each for number in counted),
    )
    written = " ".join({*page.classes, *page.ids}).lower()
    places = "/".join(steps if len(last) < SLUG else steps[:-1]).lower()
    names = {
        "#": written.replace("-", " ").replace("_", " ").split(),
        ".": host.split(".")[:-1],
        "/": _NAME.findall(places),
        ":": short_texts,
        "@": [kind for linked in declared.linked for kind in _TYPE.findall(linked)],
        "": [*_declared_types(declared)],
    }
    names_of_page = (
        " ".join(_NAME.findall(last.lower())),
        page.title[:FORM_NAME_LENGTH],
        declared.heading[:FORM_NAME_LENGTH],
    )
    asks = _has_form(page, tags) and any(map(phrases.FORMS.search, names_of_page))
    return KindSigns(counts, names, asks)


def _text_counts(number: int, sums: Sequence[int]) -> tuple[float, ...]:
    characters, longest, prose, paragraphs, money, questions = sums
    every = max(1, characters)
    sizes = every, number, every / max(1, number), prose, paragraphs
    return *map(log1p, sizes), prose / every, *map(log1p, (longest, money, questions))


def _declared_types(declared: DeclaredMetadata) -> Iterator[str]:
    """Yield what the page declares itself to be, by Open Graph and the program that made it."""
    for name, content in declared.metas:
        if name in {"og:type", "generator"}:
            yield f"{name}={' '.join(_NAME.findall(content.lower())[:2])}"
        elif name.startswith(("article:", "product:")):
            yield name


def _has_form(page: Page, tags: Mapping[str, int]) -> bool:
    """Return whether a form has LEAST_FIELDS fields, by the number of elements of each tag."""
    if "form" not in tags or sum(tags.get(tag, 0) for tag in FIELDS) < LEAST_FIELDS:
        return False
    form_of = enclosing_elements(page, elements_of_tags(page, "form"))
    counts = Counter(form_of[n] for n in elements_of_tags(page, *FIELDS) if form_of[n] >= 0)
    return any(count >= LEAST_FIELDS for count in counts.values())


@dataclass(frozen=True, slots=True, eq=False)
class KindModel:
    """A multinomial logistic regression on the signs of a page."""

    kinds: tuple[PageKind, ...]
    means: NDArray[np.float64]  # of the counts in training, shape (counts,), like deviations
    deviations: NDArray[np.float64]
    weights: NDArray[np.float64]  # of counts, shape (counts, kinds)
    intercepts: NDArray[np.float64]  # shape (kinds,)
    of_names: NDArray[np.float64]  # weights of known names, shape (names, kinds)
    row: dict[str, dict[str, int]]  # of each name in these, by its sign

    def probabilities(self, signs: KindSigns) -> NDArray[np.float64]:
        """Return the probability of each kind, of shape (kinds,)."""
        scales, chances = (self.means, self.deviations, self.weights), self.intercepts.copy()
        of_signs = signs.counts, signs.names
        compiled.kind_chances(*of_signs, scales, self.row, self.of_names, SPREAD, chances)
        return chances


@cache
def kind_model() -> KindModel:
    arrays = stored_arrays("dbce.quality", FILE)
    return KindModel(
        kinds=tuple(map(PageKind, arrays.pop("kinds").tolist())),
        of_names=arrays.pop("of_names").astype(np.float64),
        row=rows_by_sign(arrays.pop("names").tolist()),
        **arrays,
    )


def rows_by_sign(names: Sequence[str]) -> dict[str, dict[str, int]]:
    """The place of each name in a row of them, by its sign and what stands behind that."""
    places: dict[str, dict[str, int]] = {}
    for place, name in enumerate(names):
        sign = "" if name[0].isalpha() else name[0]
        places.setdefault(sign, {})[name.removeprefix(sign)] = place
    return places


def is_likely(kind: PageKind, signs: KindSigns) -> bool:
    """Return whether a page is of a kind, by its signs; False if none were taken."""
    return bool(signs.counts and signs.chances[kind_model().kinds.index(kind)] >= LIKELY)


def kind_of_page(signs: KindSigns, damage: Damage | None, content_words: int) -> KindOfPage:
    """Return the kind of a page with so many words of main text, and with this damage if any."""
    if damage is not None and damage.kind in {DamageKind.ERROR, DamageKind.MAINTENANCE}:
        return KindOfPage(PageKind.ERROR, OF_A_RULE)
    if signs.asks and content_words <= SHORT:
        return KindOfPage(PageKind.FORM, OF_A_RULE)
    likeliest = int(signs.chances.argmax())
    return KindOfPage(kind_model().kinds[likeliest], round(float(signs.chances[likeliest]), 4))
