"""The links of an annotated page, with the verdict on their texts."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from dbce import html
from dbce.formats.content import NO_LIMITS
from dbce.formats.leaves import in_one_line
from dbce.formats.part import mean_probability
from dbce.formats.places import absolute, base_of
from dbce.html import enclosing_elements
from dbce.model import Label


class PageLink(NamedTuple):
    """A link: its target, its text, its `rel`, and the label and probability of its text, None where it has none."""

    target: str
    text: str
    rel: str | None
    label: Label | None
    probability: float | None


def page_links(annotated: bytes, url: str) -> Iterator[PageLink]:
    """Yield the links of an annotated page (`a` and `area`) in document order, but those that lead nowhere or run a script."""
    document = html.load(annotated, "text/html; charset=utf-8", NO_LIMITS)
    page, elements = document.page, document.elements
    likely = sorted(html.elements_of_tags(page, "a", "area", "base"))
    hrefs = {n: {"href": href} for n in likely if (href := elements[n].get("href"))}
    base = base_of(page, hrefs, url)
    nearest = enclosing_elements(page, hrefs)
    texts = defaultdict(list)
    for number, node in enumerate(page.nodes):
        texts[nearest[node.element]].append((number, node))
    marks = html.marks(document.handles)
    for element, attributes in hrefs.items():
        target = absolute(base, attributes["href"])
        if page.tags[element] == "base" or not target:
            continue
        words = "".join(" " * node.spaced + node.text for _, node in texts[element])
        rel = " ".join((elements[element].get("rel") or "").lower().split())
        labels: Counter[Label] = Counter()
        for number, node in texts[element]:
            label = Label.CONTENT if marks[number].is_content else Label.BOILERPLATE
            labels[label] += len(node.text)
        weighted = ((len(node.text), marks[n].probability) for n, node in texts[element])
        yield PageLink(
            target,
            in_one_line(words),
            rel or None,
            max(labels, key=labels.__getitem__) if labels else None,
            mean_probability(weighted),
        )
