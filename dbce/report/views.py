"""Rows of the tables as the pages of the report show them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from dbce.model import ROLES, Label, stable_id
from dbce.model.style import percent
from dbce.report.tables import share

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from dbce.output import Row

ALONE = "10000"
"""The bits of a page that was compared with no other."""

MEANINGS = {
    "cur": "this capture",
    "up": "most similar page",
    "down": "second most similar",
    "prev": "snapshot before",
    "next": "snapshot after",
}


@dataclass(frozen=True, slots=True)
class Member:
    """A place of the cross; `row` is None where it is empty, `key` where it has no page here."""

    role: str
    meaning: str
    row: Row | None
    key: str | None
    similarity: float | None


@dataclass(frozen=True, slots=True)
class Box:
    """One of the five boxes that show bits: on, off, or none (the cross has no such member)."""

    role: str
    state: str


@dataclass(frozen=True, slots=True)
class Url:
    """A page and its snapshots in the order of time; the title is that of the last one."""

    key: str
    url: str
    title: str
    snapshots: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Site:
    """A site, how many captures of it have verdicts, and the URLs that the report shows.

    `up` and `down` are the shares of its captures that have such a partner.
    """

    key: str
    name: str
    captures: int
    up: float | None
    down: float | None
    urls: tuple[Url, ...]

    @property
    def shown(self) -> int:
        """Number of its captures that the report shows."""
        return sum(len(url.snapshots) for url in self.urls)


def short_id(*parts: str) -> str:
    """Twelve hexadecimal digits for names of files and anchors: equal parts, equal id."""
    return stable_id("report", *parts).removeprefix("urn:uuid:").replace("-", "")[:12]


def site_key(row: Row) -> str:
    """The anchor of a row's site."""
    return short_id("site", row["site"])


def url_key(row: Row) -> str:
    """The anchor of a row's URL."""
    return short_id("url", row["site"], row["url_surtkey"])


def sites(
    rows: Iterable[Row], captures: Mapping[str, int], recall: Mapping[str, Mapping[str, float]]
) -> list[Site]:
    """Sites with their URLs and snapshots; the rows are sorted by site, URL and time.

    Args:
        rows: what is shown.
        captures: how many captures of a site have verdicts, shown or not.
        recall: partner recall by site, from `run.json`.
    """
    found = []
    for name, of_site in groupby(rows, lambda row: row["site"]):
        members = list(of_site)
        share_with = recall.get(name, {})
        found.append(
            Site(
                key=site_key(members[0]),
                name=name,
                captures=captures[name],
                up=share_with.get("up"),
                down=share_with.get("down"),
                urls=tuple(_urls(members)),
            )
        )
    return found


def _urls(rows: Iterable[Row]) -> Iterable[Url]:
    for _, of_url in groupby(rows, lambda row: row["url_surtkey"]):
        snapshots = tuple(of_url)
        last = snapshots[-1]
        yield Url(url_key(last), last["url"], last["title"] or last["url"], snapshots)


def member_ids(row: Row) -> list[str]:
    """The record ids of a capture's neighbours."""
    return [row[role] for role in ROLES[1:] if row[role] is not None]


def cross(page: Row, rows: Mapping[str, Row], shown: Collection[str]) -> dict[str, Member]:
    """The five places by role; `rows` holds the neighbours, `shown` the ids that have a page."""
    ids = {"cur": page["record_id"]} | {role: page[role] for role in ROLES[1:]}
    return {
        role: Member(
            role=role,
            meaning=MEANINGS[role],
            row=page if role == "cur" else rows.get(ids[role]),
            key=short_id(ids[role]) if role != "cur" and ids[role] in shown else None,
            similarity=page.get(f"similarity_{role}") if ids[role] else None,
        )
        for role in ROLES
    }


@cache
def boxes(bits: str, cross_bits: str | None) -> tuple[Box, ...]:
    """The bits of a text run, as five boxes, in a cross of these members."""
    states = {("1", "1"): "on", ("0", "1"): "off"}
    return tuple(
        Box(role, states.get((bit, member), "none"))
        for role, bit, member in zip(ROLES, bits, cross_bits or ALONE, strict=True)
    )


def labels(row: Row) -> list[tuple[str, int, float]]:
    """Return (label, its words, its share of all words) of what is content in a page or pages, and of all else."""
    content, every = row["words_content"] or 0, row["words"] or 0
    counts = {Label.CONTENT.value: content, Label.BOILERPLATE.value: every - content}
    return [(label, count, count / max(every, 1)) for label, count in counts.items()]


def content(row: Row) -> str:
    """The share of a capture's words that are content."""
    return percent(share(row))


def paragraphs(text: str | None) -> Sequence[str]:
    """The lines of a main text."""
    return (text or "").splitlines()
