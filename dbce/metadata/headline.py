"""The headline of a page: the heading that one of its titles names."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LEAST = 4
"""Characters of a heading, spaces and signs left out, that can name a page."""

_WORDS = re.compile(r"\w+")


def title_keys(titles: Iterable[str]) -> list[str]:
    """The letters and digits of titles, as `names_page` wants them; entities that were quoted twice are read."""
    return [key for title in titles if (key := letters(unescape(title)))]


def names_page(heading: str, keys: Sequence[str]) -> bool:
    """Return whether a title begins with a heading, or is that for the most part; `keys` are those of the titles."""
    own = letters(heading)
    return len(own) >= LEAST and any(
        own in key and (key.startswith(own) or 2 * len(own) >= len(key)) for key in keys
    )


def letters(text: str) -> str:
    """The letters and digits of a text alone, in lower case."""
    return "".join(_WORDS.findall(text.lower())).replace("_", "")
