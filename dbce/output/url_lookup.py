"""Captures of a URL that somebody typed, and what was probably meant where a run does not have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow.compute as pc
from rapidfuzz import fuzz, process

from dbce.archive import surt
from dbce.model import UsageError
from dbce.output.read import find_snapshots
from dbce.output.schemas import PAGES
from dbce.output.whole_tables import WholeTable

if TYPE_CHECKING:
    from dbce.output.rows import Row
    from dbce.storage import Folder

NEAREST = 3
"""URLs that are proposed."""

MOST = 1_000_000
"""URLs that are looked at: some hundred MB."""

NEAR = 75
"""Similarity of the sort keys, 0 to 100, from which on a URL may be meant."""


def snapshots_of(folder: Folder, url: str) -> list[Row]:
    """Return the captures of a URL, the earliest first, as `find_snapshots` does.

    Raises:
        UsageError: there is none; the message names the URLs that are most like it.
    """
    rows = find_snapshots(folder, surt(url))
    if not rows:
        raise no_such_url(folder, url)
    return rows


def no_such_url(folder: Folder, url: str) -> UsageError:
    """Return the error that a run does not have a URL; it names what was probably meant."""
    nearest = nearest_urls(folder, url)
    if not nearest:
        meant = f"dbce list {folder.uri} lists its URLs"
    elif len(nearest) == 1:
        meant = f"did you mean {nearest[0]}?"
    else:
        meant = f"did you mean {', '.join(nearest[:-1])} or {nearest[-1]}?"
    return UsageError(f"{folder.uri} holds no page {url}; {meant}")


def nearest_urls(folder: Folder, url: str) -> list[str]:
    """Return the URLs of a run whose sort keys are most like that of a URL, the most alike first.

    One that is the same with a scheme in front is the only one. URLs of the same site come before all others.
    """
    key = surt(url if "://" in url else f"http://{url}")
    of_site = pc.starts_with(pc.field("url_surtkey"), key.partition(")")[0])
    for where in (of_site, None):
        urls = _urls(folder, where)
        if key in urls:
            return [urls[key]]
        near = process.extract(
            key, sorted(urls), scorer=fuzz.ratio, limit=NEAREST, score_cutoff=NEAR
        )
        if near:
            return [urls[name] for name, *_ in near]
    return []


def _urls(folder: Folder, where: pc.Expression | None) -> dict[str, str]:
    """Return the URLs of a run by their sort keys, MOST at most."""
    urls: dict[str, str] = {}
    pages = WholeTable(folder, "pages/*.parquet", PAGES)
    for batch in pages.batches(["url_surtkey", "url"], where):
        urls |= dict(zip(*(column.to_pylist() for column in batch.columns), strict=True))
        if len(urls) > MOST:
            break
    return urls
