"""Why a text has its verdict: its capture compared and judged again, from what a run has stored.

The run's own index has the sketches of all pages and its archive the annotated page, so no input
file is needed. That the page is the same, word by word, is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce import html
from dbce.boilerplate import all_blocks, compare_block, resolve, sites_of, snapshot, word_hashes
from dbce.boilerplate.classify import load_model, page_features, pushes
from dbce.model import InputError, UsageError
from dbce.output import INDEX, annotated_page, config_of
from dbce.output.index import indexes, known_originals, known_revisits, rows_of_sites, sketch_of
from dbce.storage import Folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from dbce.boilerplate import Revisit
    from dbce.boilerplate.classify import Pushes
    from dbce.model import Annotation, Config, Page, Sketch
    from dbce.output import Manifest
    from dbce.output.index import Row

_PLACED = ["record_id", "surt", "timestamp"]
_SKETCHED = ["record_id", "site", "surt", "timestamp", "signature", "words", "ends", "places"]


class Explained(NamedTuple):
    """The line that a text node stands in, and what pushed it."""

    line: str
    pushes: Pushes


class _Place(NamedTuple):
    """What cutting a site into blocks needs to know of a capture."""

    record_id: str
    site: str
    surt: str
    timestamp: datetime


def explain(folder: Folder, manifest: Manifest, page: Row, node: int) -> Explained:
    """Why the line of a text node was judged as it was; `page` is the capture's row of `pages`.

    Raises:
        UsageError: the run does not have what it takes; the sentence says what.
    """
    config = config_of(manifest)
    if config.method != "joint":
        raise UsageError(f"the method {config.method} weighs no features: the bits decide")
    read = _page(folder, page, config)
    own, annotation = _compared(folder, page, config)
    words, ends = word_hashes(read)
    if not (np.array_equal(words, own.words) and np.array_equal(ends, own.ends)):
        raise UsageError("the annotated page does not read as the archived one did")
    features = page_features(read, annotation)
    line = int(features.lines.of_node[node])
    return Explained(features.lines.texts[line], pushes(load_model(config.model), features, line))


def _page(folder: Folder, page: Row, config: Config) -> Page:
    """The page as it was judged."""
    stripped = html.strip(annotated_page(folder, page))
    try:
        return html.load(stripped, "text/html; charset=utf-8", config.limits).page
    except InputError as e:
        raise UsageError(f"the annotated page cannot be read again: {e.detail}") from e


def _compared(folder: Folder, page: Row, config: Config) -> tuple[Sketch, Annotation | None]:
    """The capture's sketch, and what comparing it with its block finds again."""
    stores = list(_indexes(folder))
    revisits, repeats = _resolved(stores, page, config)
    block = _block(stores, page, config, [revisits[one] for one in repeats])
    here = [revisits[one] for one in block.keys() & repeats.keys()]
    wanted = block.keys() | {repeats[one.record_id] for one in here}
    sites = {place.site for place in block.values()} | sites_of(revisits.values())
    sketches: dict[str, Sketch] = {}
    for store in stores:
        for row in rows_of_sites(store, sites, config, _SKETCHED):
            if row["record_id"] in wanted:
                sketches.setdefault(row["record_id"], sketch_of(row))
    compared = {one: sketches[one] for one in block.keys() & sketches.keys()}
    for one in here:
        compared[one.record_id] = snapshot(one, sketches[repeats[one.record_id]])
    own = page["record_id"]
    return sketches[own], next(compare_block(compared.values(), config, of={own}), None)


def _resolved(
    stores: list[Folder], page: Row, config: Config
) -> tuple[dict[str, Revisit], dict[str, str]]:
    """The revisits of the page's site, and what each that is a snapshot repeats, by record id.

    What has the same digest is looked for there and on the sites that they refer to, and no further.
    """
    revisits = known_revisits(stores, {page["site"]}, config)
    sites = sites_of(revisits.values())
    captures = (one for store in stores for one in known_originals(store, sites, config))
    found = resolve(revisits.values(), captures)
    repeats = {
        record_id: original.record_id
        for record_id, (_, original) in found.items()
        if original and not original.is_dropped
    }
    return revisits, repeats


def _block(
    stores: list[Folder], page: Row, config: Config, revisits: Iterable[Revisit]
) -> dict[str, _Place]:
    """The captures that this one was compared among, itself included, by record id."""
    placed: dict[str, _Place] = {}
    for store in stores:
        for row in rows_of_sites(store, {page["site"]}, config, _PLACED):
            place = _Place(row["record_id"], row["site"], row["surt"], row["timestamp"])
            placed.setdefault(place.record_id, place)
    if page["record_id"] not in placed:
        raise UsageError(f"{_uri(stores)} does not know the capture")
    for one in revisits:
        placed.setdefault(one.record_id, _Place(one.record_id, one.site, one.surt, one.timestamp))
    blocks = all_blocks(placed.values(), config)
    block = next(b for b in blocks if any(one.record_id == page["record_id"] for one in b))
    return {one.record_id: one for one in block}


def _uri(stores: list[Folder]) -> str:
    return stores[0].uri if stores else "the run, which has no index,"


def _indexes(folder: Folder) -> Iterator[Folder]:
    """The index of a run; of a night, those of the archive up to it."""
    if folder.exists(INDEX):
        yield folder.within(INDEX)
        return
    nights, _, own = folder.path.rstrip("/").rpartition("/")
    root = Folder(folder.fs.unstrip_protocol(nights.rpartition("/")[0]))
    if root.exists(INDEX):
        earlier = [night for night in root.within("nights").entries() if night <= own]
        yield from indexes(root.within(INDEX), earlier)
