"""Signs of a capture by which its quality is judged: plain values, made of a parsed page and its main text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, count
from typing import TYPE_CHECKING

from dbce.html import SourceSigns, end_of, within
from dbce.model import count_words, words_of

if TYPE_CHECKING:
    from dbce.html import Canonical, Document
    from dbce.model import Page

MOUNTS = frozenset(
    {"root", "app", "__next", "__nuxt", "___gatsby", "app-root", "app-container", "app-mount"}
    | {
        "react-root",
        "react-app",
        "reactroot",
        "main-app",
        "application",
        "ember-app",
        "svelte",
        "q-app",
    }
)
"""Ids of elements that scripts fill with a page, in lower case."""


@dataclass(frozen=True)
class PageSigns:
    """Signs of a capture.

    `text` is its main text, `texts` all that a reader sees, `headings` those of the first two levels. `certainty` is the
    mean over the main text of the probability that it is content.
    `is_unfilled` says that an element is empty that scripts fill with the page; `truncated` how the record breaks off.
    """

    url: str
    title: str
    text: str
    texts: tuple[str, ...]
    headings: tuple[str, ...] = ()
    is_unfilled: bool = False
    truncated: str = ""
    source: SourceSigns = SourceSigns()  # noqa: RUF009 - a value
    certainty: float = 1.0

    @cached_property
    def shown(self) -> str:
        """All that a reader sees, one text a line."""
        return "\n".join(" ".join(text.split()) for text in self.texts)

    @cached_property
    def content_words(self) -> int:
        """The number of words of the main text."""
        return count_words(self.text)

    @property
    def expected_words(self) -> int:
        """The number of words of content that may be expected of the main text: each counts with its probability."""
        return round(self.certainty * self.content_words)

    @cached_property
    def words(self) -> int:
        """The number of words that a reader sees; at least those of the main text."""
        return max(count_words("\n".join(self.texts)), self.content_words)

    @property
    def content_share(self) -> float:
        """The share of the words that are main text, 0 to 1."""
        return self.content_words / max(1, self.words)

    @cached_property
    def counts(self) -> Counter[str]:
        """The words of the main text, and how often each occurs."""
        return Counter(words_of(self.text.lower()))


def page_signs(
    url: str,
    document: Document | Canonical,
    text: str,
    truncated: str = "",
    certainty: float = 1.0,
) -> PageSigns:
    """Return the signs of a page.

    `text` is its main text, `certainty` the mean probability of that, `truncated` how its record breaks off, if it does.
    """
    page = document.page
    is_hidden = within(page.parents, {*compress(count(), page.hidden), *page.unseen})
    headings = (element for element, tag in enumerate(page.tags) if tag in {"h1", "h2"})
    is_heading = within(page.parents, headings)
    nodes = [node for node in page.nodes if not is_hidden[node.element]]
    return PageSigns(
        url=url,
        title=page.title,
        text=text,
        texts=tuple(node.text for node in nodes),
        headings=tuple(" ".join(n.text.split()) for n in nodes if is_heading[n.element]),
        is_unfilled=_is_unfilled(page),
        truncated=truncated,
        source=document.source,
        certainty=certainty,
    )


def _is_unfilled(page: Page) -> bool:
    """Return whether an element is empty that scripts fill with a page."""
    mounts = [element for element, name in enumerate(page.ids) if name and name.lower() in MOUNTS]
    for element in mounts:
        end = end_of(page.parents, element)
        if not any(element <= node.element < end for node in page.nodes):
            return True
    return False
