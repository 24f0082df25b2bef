"""Explanation of the verdict on a text: its capture compared and judged again, from what a run has stored.

The run's own index has the sketches of all pages and its archive the annotated page, so no input
file is needed. That the page is the same, word by word, is checked.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import NamedTuple

import numpy as np

from dbce import boilerplate, html, output
from dbce.boilerplate.classify import Pushes, load_model, page_features, pushes
from dbce.html import Document
from dbce.metadata import self_description
from dbce.model import Annotation, Config, InputError, Sketch, UsageError
from dbce.output import INDEX, REVISED, Manifest, Row, index
from dbce.quality import is_of_forum, kind_signs
from dbce.storage import Folder

_PLACED = ("record_id", "site", "surt", "timestamp")


class Explanation(NamedTuple):
    """The line that a text node stands in, and what pushed it."""

    line: str
    pushes: Pushes


@dataclass(frozen=True, slots=True)
class _Thin:
    """Page as cutting a site into blocks needs it, with its place."""

    place: boilerplate.Place
    record_id: str
    site: str
    surt: str
    timestamp: datetime


def explain(folder: Folder, manifest: Manifest, page: Row, node: int) -> Explanation:
    """Explain the verdict on the line of a text node; `page` is the capture's row of `pages`.

    Raises:
        UsageError: the run does not have what it takes; the sentence says what.
    """
    home = output.home_of(folder, page)
    if home is not folder:
        folder, manifest = output.open_run(home.uri)
    config = output.config_of(manifest)
    if config.method != "joint":
        raise UsageError(f"the method {config.method} weighs no features: the bits decide")
    document = _document(folder, page, config)
    read = document.page
    own, annotation = _compare_again(folder, page, config)
    words, ends = boilerplate.word_hashes(read)
    if not (np.array_equal(words, own.words) and np.array_equal(ends, own.ends)):
        raise UsageError("the annotated page does not read as the archived one did")
    features = page_features(read, annotation, self_description(document.declared_metadata))
    line = int(features.lines.of_node[node])
    of_forum = is_of_forum(kind_signs(page["url"], read, document.declared_metadata))
    model = load_model(config.model, for_forums=of_forum)
    return Explanation(features.lines.texts[line], pushes(model, features, line))


def _document(folder: Folder, page: Row, config: Config) -> Document:
    stripped = html.strip(output.annotated_page(folder, page))
    try:
        return html.load(stripped, "text/html; charset=utf-8", config.limits)
    except InputError as e:
        raise UsageError(f"the annotated page cannot be read again: {e.detail}") from e


def _compare_again(folder: Folder, page: Row, config: Config) -> tuple[Sketch, Annotation | None]:
    """The capture's sketch, and what comparing it with its block finds again."""
    stores = list(_indexes(folder))
    for store in stores:
        index.check_recipe(store, config)
    own = page["record_id"]
    near = _neighbourhood(stores, page["site"], config)
    if own not in near.pages:
        uri = stores[0].uri if stores else "the run, which has no index,"
        raise UsageError(f"{uri} does not know the capture")
    captures: list[_Thin | boilerplate.Revisit] = list(near.pages.values())
    captures += [revisit for revisit, _ in near.snapshots.values()]
    blocks = (
        {one.record_id for one in block} for block in boilerplate.all_blocks(captures, config)
    )
    block = next(ids for ids in blocks if own in ids)
    pages = [near.pages[one] for one in block & near.pages.keys()]
    joining = [near.snapshots[one] for one in block & near.snapshots.keys()]
    sketches = _sketches(stores, [*pages, *(repeated for _, repeated in joining)], config)
    compared = [sketches[one.record_id] for one in pages]
    compared += [boilerplate.snapshot(revisit, sketches[one.record_id]) for revisit, one in joining]
    return sketches[own], next(boilerplate.compare_block(compared, config, of={own}), None)


def _neighbourhood(
    stores: Sequence[Folder], site: str, config: Config
) -> boilerplate.Neighbourhood[_Thin]:
    """The captures of a site and what their revisits refer to, with no more of pages than cutting into blocks needs."""
    revisits = list(index.captures_of_sites(stores, {site}, config, index.REVISITS))
    sites = boilerplate.sites_of(one for _, one in revisits) | {site}
    found = index.captures_of_sites(stores, sites, config, index.ORIGINALS)
    pages = (
        (place := index.place_in(row), _Thin(place, *(row[name] for name in _PLACED)))
        for store in stores
        for row in index.rows_of_sites(store, sites, config, [*index.PLACE, *_PLACED])
    )
    return boilerplate.neighbourhood((), found, chain(pages, revisits))


def _sketches(
    stores: Sequence[Folder], pages: Collection[_Thin], config: Config
) -> dict[str, Sketch]:
    places, sites = {one.place for one in pages}, {one.site for one in pages}
    known = index.captures_of_sites(stores, sites, config, index.SKETCHES)
    return {one.record_id: one for place, one in known if place in places}


def _indexes(folder: Folder) -> Iterator[Folder]:
    """The index of a run; of a night, those of the archive up to it."""
    if folder.exists(INDEX):
        yield folder.subfolder(INDEX)
        return
    nights, _, own = folder.path.rstrip("/").removesuffix(f"/{REVISED}").rpartition("/")
    root = Folder(folder.fs.unstrip_protocol(nights.rpartition("/")[0]))
    if root.exists(INDEX):
        earlier = [night for night in root.subfolder("nights").entries() if night <= own]
        yield from output.indexes(root.subfolder(INDEX), earlier)
