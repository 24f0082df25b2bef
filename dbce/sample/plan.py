"""The whole of the sample: its files, their crawls, and what each fetches in which order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from dbce.sample import extras, sites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.sample.fetch import Fetch

_PAUSE = timedelta(seconds=37)  # between two fetches


@dataclass(frozen=True, slots=True)
class Deposit:
    """One WARC file: its name, the WARC version its software wrote, the crawls it holds."""

    name: str
    version: str
    crawls: tuple[int, ...]


DEPOSITS = (
    Deposit("sample-2013.warc.gz", "WARC/1.0", (0, 1)),
    Deposit("sample-2017.warc.gz", "WARC/1.1", (2, 3, 4)),
)


def fetches(crawl: int) -> tuple[Fetch, ...]:
    """What a crawl fetches, by time."""
    planned = chain(extras.before(crawl), *map(extras.recorded, _mixed(crawl)))
    timed = (replace(fetch, later=fetch.later + n * _PAUSE) for n, fetch in enumerate(planned))
    return tuple(sorted(timed, key=lambda fetch: fetch.later))


def _mixed(crawl: int) -> Iterator[Fetch]:
    """The sites' pages in turn, as a crawler with one queue a host leaves them."""
    queues = [queue(crawl) for queue in (sites.articles, sites.dishes, sites.essays, sites.small)]
    return (fetch for turn in zip_longest(*queues) for fetch in turn if fetch is not None)
