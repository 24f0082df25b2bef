"""Metadata in the JSON-LD of a page: of the first item that is an article, or else of the page's own."""

from __future__ import annotations

import json
import re
from collections import deque
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Item = Mapping[str, Any]

SITE = "WebSite"
ARTICLES = ("Article", "Posting", "Report", "Review")
"""Endings of the names of types that are the page's main thing, and say the most of it."""
OTHERS = (
    *("Book", "Course", "CreativeWork", "Dataset", "Event", "HowTo", "Movie", "Product"),
    *("Question", "Recipe", "Thesis", "VideoObject"),
)
PAGE = "Page"
LARGEST = 1_000_000  # characters of a text that is parsed
DEEPEST = 8  # lists and items that are followed to a name
MOST = 1000  # items of a page that are looked at
DATES = re.compile(r'"(date(?:Published|Created|Modified))"\s*:\s*"([^"\\]{4,40})"')
"""Parts that are still read of a text that is no JSON: many have one comma too many."""
INSIDE = ("mainEntity", "@graph")
"""Properties in which an item holds others that count; the last is looked at first."""


# Pages are judged by the batch, for which their titles are asked, and described one by one behind that.
@lru_cache(maxsize=128)
def read_linked(texts: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Property to values, in order, of the page's main item; `site` is the name of the web site.

    Of persons and organisations the names are the values. What is no JSON is passed over.
    """
    items = list(islice((item for text in texts for item in _items(parsed(text))), MOST))
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
def parsed(text: str) -> Any:
    """The value of a text of JSON-LD; of what is no JSON the dates that can still be read."""
    if len(text) > LARGEST:
        return None
    try:
        # Pages wrap scripts in a comment, and have line ends within strings.
        return json.loads(text.strip().removeprefix("<!--").removesuffix("-->"), strict=False)
    except (ValueError, RecursionError):
        return {"@type": PAGE} | dict(reversed(DATES.findall(text)))


def _items(value: Any) -> Iterator[Item]:
    """The items at the top, and those of their graphs, in order."""
    waiting = deque([value])
    while waiting:
        item = waiting.popleft()
        if isinstance(item, list):
            waiting.extendleft(reversed(item))
        elif isinstance(item, dict):
            yield item
            waiting.extendleft(item[name] for name in INSIDE if name in item)


def types_of(item: Item) -> list[str]:
    """The types of an item, without the address of their vocabulary."""
    kind = item.get("@type")
    kinds = kind if isinstance(kind, list) else [kind]
    return [name.rpartition("/")[2] for name in kinds if isinstance(name, str)]


def _rank(item: Item) -> int:
    """0 of an article, 1 of another main thing, 2 of a page, 3 of all else."""
    ranks = [3]
    for kind in types_of(item):
        if kind.endswith(ARTICLES):
            ranks.append(0)
        elif kind in OTHERS:
            ranks.append(1)
        elif kind.endswith(PAGE):
            ranks.append(2)
    return min(ranks)


def _texts(value: Any, names: Mapping[str, str], depth: int = DEEPEST) -> Iterator[str]:
    """The texts that a value is: itself, or the name of what it is or refers to."""
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, list):
        for item in value:
            yield from _texts(item, names, depth - 1)
    elif depth and isinstance(value, dict):
        reference = value.get("@id")
        name = names.get(reference) if isinstance(reference, str) else None
        yield from _texts(value.get("name", name), names, depth - 1)
