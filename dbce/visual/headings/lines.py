"""Mode `dbce`: headings among the lines of a page, by their style, wording and following lines; and their levels.

The probability of a line to be a heading is that of a logistic regression on its features, whose weights are beside it.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, zip_longest
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dbce.model import stored_text
from dbce.visual import RenderedPage
from dbce.visual.headings.hierarchy import HeadedBlock, Heading, by_level, with_nested_levels
from dbce.visual.headings.text_lines import CELLS, ROLE, FontLooks, TextLine, lines_of
from dbce.visual.segment import Options

Key = tuple[int, FontLooks, bool]
"""Place and style of a line, and whether most of it is bold."""

NUMBERED = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2})*[.):]?|[IVX]{1,4}[.):]|[A-Z][.)]|§+ ?\d+\S*|"
    r"(?:chapter|section|part|step|appendix|article|kapitel|teil|第)\s?\S+)\s",
    re.IGNORECASE,
)
DATED = re.compile(
    r"\b(?:19|20)\d\d\b|\d{1,2}[:.]\d\d\b|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\bago\b", re.IGNORECASE
)
BY = re.compile(r"(?:by|posted|published|written|von|par|por|source|photo|tags?)\b", re.IGNORECASE)

LONG = 100  # characters that few headings exceed

BESIDE = frozenset("nav aside footer form button select label address".split())
"""Elements without text on the page's own topic."""

ITEMS = frozenset({"li", "dd"})
CAPTIONS = frozenset({"figcaption", "caption", "legend", "summary"})


class LineGroup(NamedTuple):
    """Sums over the lines of one style and place, on one page or on all of a template."""

    lines: float
    same: float
    period: float
    long: float
    plain: float
    content: float


GROUPS = pa.schema(
    [
        ("template", pa.string()),
        ("place", pa.int64()),
        ("font_size", pa.float64()),
        ("bold", pa.bool_()),
        ("italic", pa.bool_()),
        ("color", pa.string()),
        ("strong", pa.bool_()),
        *((name, pa.float64()) for name in LineGroup._fields),
    ]
)
"""Row of a group of a template, between the stages of a job."""


class LineGroups:
    """The groups of the lines of one page, or of all pages of a template."""

    def __init__(self) -> None:
        self._sums: dict[Key, LineGroup] = {}

    def add(self, lines: Sequence[TextLine], plain: Plain) -> None:
        for line, following in zip_longest(lines, lines[1:]):
            counts = LineGroup(
                lines=1,
                same=following is not None and key(following) == key(line),
                period=line.wording.endswith((".", ";")),
                long=len(line.wording) > LONG,
                plain=following is not None and plain.is_plain(following),
                content=1.0 if line.content is None else line.content,
            )
            self._add(key(line), counts)

    def rows(self) -> Iterator[dict[str, Any]]:
        for (place, looks, strong), group in self._sums.items():
            yield {"place": place, "strong": strong} | looks._asdict() | group._asdict()

    def take(self, row: Mapping[str, Any]) -> None:
        """Add a row of GROUPS, of other pages of the template."""
        looks = FontLooks(*(row[name] for name in FontLooks._fields))
        counts = LineGroup(*(row[name] for name in LineGroup._fields))
        self._add((row["place"], looks, row["strong"]), counts)

    def _add(self, group_key: Key, counts: LineGroup) -> None:
        sums = self._sums.get(group_key, LineGroup(0, 0, 0, 0, 0, 0.0))
        self._sums[group_key] = LineGroup(*map(sum, zip(sums, counts, strict=True)))

    def group_of(self, line: TextLine) -> LineGroup:
        return self._sums[key(line)]


class Plain:
    """Predominant style of the text of a content body."""

    def __init__(self, lines: Sequence[TextLine]) -> None:
        sizes, colors, bold = (defaultdict[Any, float](float) for _ in range(3))
        for line in lines:
            # Links count only where there is no other text.
            length = len(line.wording) * (1 - line.linked) + 1e-6
            sizes[line.looks.font_size] += length
            colors[line.looks.color] += length
            bold[line.looks.bold] += length
        # The first of equals.
        self.size: float = max(sizes, key=sizes.__getitem__, default=16.0)
        self.color: str = max(colors, key=colors.__getitem__, default="")
        self.bold: bool = max(bold, key=bold.__getitem__, default=False)
        self.largest: float = max(sizes, default=16.0)

    def is_plain(self, line: TextLine) -> bool:
        return (
            line.looks.font_size <= self.size * 1.02
            and line.looks.bold <= self.bold
            and not line.around.level
        )


def key(line: TextLine) -> Key:
    """Return the key of a line's group: its place on the page, its style, and whether most of it is bold."""
    return line.around.place, line.looks, line.bold > 0.5


Values = dict[str, float]


def features(lines: Sequence[TextLine], groups: LineGroups, plain: Plain) -> list[Values]:
    """Return the features of each line by name."""
    rows = []
    repeated = Counter(line.wording for line in lines)
    for previous, line, following in zip((None, *lines), lines, (*lines[1:], None), strict=False):
        values = {
            **_by_tag(line),
            **_by_looks(line, plain),
            **_by_words(line, repeated[line.wording]),
            **_by_place(line),
            **_by_neighbours(line, previous, following, plain),
            **_by_group(groups.group_of(line)),
        }
        rows.append(values)
    return rows


def _by_tag(line: TextLine) -> Values:
    level, tags = line.around.level, line.around.tags
    return {
        **{f"h{n}": level == n for n in range(1, 5)},
        "h5_6": level in (5, 6),
        "role": level == ROLE,
        "dt": "dt" in tags,
        "th": "th" in tags,
        "caption": not CAPTIONS.isdisjoint(tags),
    }


def _by_looks(line: TextLine, plain: Plain) -> Values:
    ratio = math.log2(max(line.looks.font_size, 1) / max(plain.size, 1))
    letters = [sign for sign in line.wording if sign.isalpha()]
    return {
        "larger": min(max(ratio, 0), 1.5),
        "smaller": ratio < -0.02,
        "bold": line.bold > 0.9,
        "bolder": line.bold > 0.9 and not plain.bold,
        "italic": line.looks.italic,
        "underlined": line.underlined > 0.9,
        "color": line.looks.color != plain.color and line.linked < 0.5,
        "capitals": len(letters) > 3 and all(sign.isupper() for sign in letters),
        "plain": plain.is_plain(line) and line.underlined < 0.5 and not line.looks.italic,
    }


def _by_words(line: TextLine, times: int) -> Values:
    wording = line.wording
    return {
        "length": math.log2(1 + len(wording)) / 7,
        "long": len(wording) > LONG,
        "period": wording.endswith((".", ";", "…", "。", "!")),
        "comma": wording.endswith(","),
        "colon": wording.endswith((":", "\uff1a")),
        "question": wording.endswith(("?", "\uff1f")),
        "lower": wording[:1].islower(),
        "wordless": not any(sign.isalpha() for sign in wording),
        "numbered": NUMBERED.match(wording) is not None,
        "dated": DATED.search(wording) is not None,
        "by": BY.match(wording) is not None,
        "linked": line.linked,
        "all_link": line.linked > 0.95,
        "image": not line.texts,
        "repeated": times > 1,
    }


def _by_place(line: TextLine) -> Values:
    tags = line.around.tags
    return {
        "item": not ITEMS.isdisjoint(tags),
        "cell": not CELLS.isdisjoint(tags),
        "beside": not BESIDE.isdisjoint(tags),
        "pre": "pre" in tags,
        "quote": "blockquote" in tags,
        "alone": line.alone,
        "content": 0.5 if line.content is None else line.content,
        "told": line.content is not None,
    }


def _by_neighbours(
    line: TextLine, before: TextLine | None, after: TextLine | None, plain: Plain
) -> Values:
    ratio = 0.0 if after is None else math.log2((1 + len(after.wording)) / (1 + len(line.wording)))
    return {
        "next_longer": min(max(ratio, -2), 4) / 4,
        "next_plain": after is not None and plain.is_plain(after),
        "next_none": after is None,
        "next_same": after is not None and key(after) == key(line),
        "before_same": before is not None and key(before) == key(line),
        "first": before is None,
        "largest": line.looks.font_size >= plain.largest > plain.size,
    }


def _by_group(group: LineGroup) -> Values:
    lines, *counts = group
    names = (f"group_{name}" for name in LineGroup._fields[1:])
    shares = (count / lines for count in counts)
    return {"group": math.log2(lines) / 5, **dict(zip(names, shares, strict=True))}


class PageContext(NamedTuple):
    """Information on a page from elsewhere; all optional.

    `content` is the share of each text node that is content, by its number in `nodes`; `groups` are those
    of the lines of all pages of its template, including this one.
    """

    content: Mapping[int, float] = {}
    groups: LineGroups | None = None


@dataclass(frozen=True, slots=True)
class LineOptions(Options):
    """Options of mode `dbce`: minimum probability of a heading, and whether pages of the template are used."""

    threshold: float = 0.5
    template: bool = True


def by_lines(
    page: RenderedPage, body: int, options: LineOptions, context: PageContext
) -> tuple[HeadedBlock, ...]:
    lines = lines_of(page, body, context.content)
    plain = Plain(lines)
    groups = context.groups
    if groups is None or not options.template:
        groups = LineGroups()
        groups.add(lines, plain)
    likely = chances(features(lines, groups, plain)) >= options.threshold
    heading_lines = [line for line in compress(lines, likely) if not line.label]
    ranked = zip(heading_lines, _ranks(heading_lines), strict=True)
    headings = (Heading(line.texts, line.images, rank) for line, rank in ranked)
    return with_nested_levels(by_level(page, body, headings))


def count_lines(
    page: RenderedPage, body: int, content: Mapping[int, float], groups: LineGroups
) -> None:
    lines = lines_of(page, body, content)
    groups.add(lines, Plain(lines))


def _ranks(lines: Sequence[TextLine]) -> list[int]:
    """Return the rank of each heading: 1 for the most prominent (H 3.2, assumptions 3 and 4).

    Headings with tags rank by these; another is as high as the highest tag whose headings are not larger,
    and below all if there is none. Ties are broken by size, weight and capitals.
    """
    sizes: dict[int, float] = {}
    for line in lines:
        if line.around.level:
            size = sizes.get(line.around.level, line.looks.font_size)
            sizes[line.around.level] = min(size, line.looks.font_size)
    prominences = [_prominence(line, sizes) for line in lines]
    ranks = {prominence: n for n, prominence in enumerate(sorted(set(prominences)), 1)}
    return [ranks[prominence] for prominence in prominences]


def _prominence(line: TextLine, sizes: Mapping[int, float]) -> tuple[float, ...]:
    size = line.looks.font_size
    not_larger = (level for level, smallest in sorted(sizes.items()) if smallest <= size)
    level = line.around.level or next(not_larger, ROLE + 1)
    return level, -round(size), -round(line.bold), not line.wording.isupper()


WEIGHTS = "line-weights.json"


@lru_cache(maxsize=1)
def weights() -> tuple[Mapping[str, float], float]:
    """Return the weight of each feature, and the intercept (docs/headings.md has the training data)."""
    stored = json.loads(stored_text("dbce.visual.headings", WEIGHTS))
    return stored["weights"], float(stored["intercept"])


def chances(rows: Sequence[Values]) -> NDArray[np.float64]:
    table, intercept = weights()
    matrix = np.array([[row[name] for name in table] for row in rows], np.float64)
    logits: NDArray[np.float64] = matrix.reshape(-1, len(table)) @ np.array([*table.values()])
    logits += intercept
    return 1 / (1 + np.exp(-logits))
