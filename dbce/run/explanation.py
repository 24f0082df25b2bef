"""Explanation of the verdict on a text: its capture compared and judged again, from what a run has stored.

The run's own index has the sketches of all pages and its archive the annotated page, so no input
file is needed. That the page is the same, word by word, is checked.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dbce import boilerplate, html, output
from dbce.boilerplate.classify import Pushes, load_model, page_features, pushes
from dbce.html import Document
from dbce.metadata import self_description
from dbce.model import Annotation, Config, InputError, Sketch, UsageError
from dbce.output import INDEX, REVISED, Manifest, Row, index
from dbce.quality import PageKind, is_likely, kind_signs
from dbce.run.one_file import known_captures, sketch_on
from dbce.storage import Folder, Shelf


class Explanation(NamedTuple):
    """The line that a text node stands in, and what pushed it."""

    line: str
    pushes: Pushes


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
    sketch, annotation = _compare_again(folder, page, config)
    words, ends = boilerplate.word_hashes(read)
    if not (np.array_equal(words, sketch.words) and np.array_equal(ends, sketch.ends)):
        raise UsageError("the annotated page does not read as the archived one did")
    features = page_features(read, annotation, self_description(document.declared_metadata))
    line = int(features.lines.of_node[node])
    signs = kind_signs(page["url"], read, document.declared_metadata)
    model = load_model(config.model, for_forums=is_likely(PageKind.FORUM, signs))
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
    record_id, site = page["record_id"], page["site"]
    revisits = index.captures_of_sites(stores, {site}, config, index.REVISITS)
    sites = boilerplate.sites_of(revisit for _, revisit in revisits) | {site}
    with Shelf[Sketch]() as shelf:
        known = known_captures(sites, stores, config, shelf)
        originals = index.captures_of_sites(stores, sites, config, index.ORIGINALS)
        near = boilerplate.neighbourhood((), originals, known)
        if record_id not in near.pages:
            uri = stores[0].uri if stores else "the run, which has no index,"
            raise UsageError(f"{uri} does not know the capture")
        alone = replace(near, to_compare={record_id: ("", 0)})
        results = boilerplate.compare_neighbourhood(alone, config, sketch_of=sketch_on(shelf))
        annotation = next((result for _, result in results if isinstance(result, Annotation)), None)
        return shelf.take(near.pages[record_id].at), annotation


def _indexes(folder: Folder) -> Iterator[Folder]:
    """The index of a run; of a night, those of the archive up to it."""
    if folder.exists(INDEX):
        yield folder.subfolder(INDEX)
        return
    nights, _, this_night = folder.path.rstrip("/").removesuffix(f"/{REVISED}").rpartition("/")
    root = Folder(folder.fs.unstrip_protocol(nights.rpartition("/")[0]))
    if root.exists(INDEX):
        earlier = [night for night in root.subfolder("nights").entries() if night <= this_night]
        yield from output.indexes(root.subfolder(INDEX), earlier)
