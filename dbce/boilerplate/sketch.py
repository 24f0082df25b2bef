"""Stage 1: a capture becomes a sketch, all that comparing needs to know of it."""

from dataclasses import replace

import numpy as np

from dbce import html
from dbce.archive import site
from dbce.boilerplate.signature import signature
from dbce.html import INLINE, Document, Island
from dbce.kernel import compiled
from dbce.model import (
    Capture,
    Config,
    Hashes,
    InputError,
    Page,
    Reason,
    Reject,
    Sketch,
    Stage,
    StoredText,
    TextSource,
    drop,
    reject_fault,
)
from dbce.quality import CUT_BEFORE_TEXT


def sketch(capture: Capture, config: Config) -> Sketch | Reject:
    sketched = sketch_parsed(capture, config)
    return sketched if isinstance(sketched, Reject) else sketched[0]


def sketch_parsed(capture: Capture, config: Config) -> tuple[Sketch, Document] | Reject:
    """Sketch of a capture and its parsed document, or the reason why there is none."""
    try:
        return _sketch(capture, config)
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of this page
        return reject_fault(capture, e, Stage.PARSE)


def _sketch(capture: Capture, config: Config) -> tuple[Sketch, Document] | Reject:
    try:
        document = html.load(capture.payload, capture.content_type, config.limits, to_judge=True)
    except InputError as e:
        if e.reason is Reason.NO_TEXT:
            return _without_text(capture, None)
        return drop(capture, e.reason, e.detail)
    page = document.page
    words, ends = word_hashes(page)
    if not len(words):
        island = html.text_in_scripts(document.root)
        return _without_text(capture, island, document.source.breaks_off)
    result = Sketch(
        record_id=capture.record_id,
        site=site(capture.url, config.site_by),
        surt=capture.surt,
        timestamp=capture.timestamp,
        signature=signature(page, config.signature, config.num_perm, config.seed),
        words=words,
        ends=ends,
        places=node_places(page),
    )
    return result, document


def _without_text(capture: Capture, island: Island | None, breaks_off: str = "") -> Reject:
    """Reject of a capture without text; one that breaks off may have had some, and so may a page that does."""
    if capture.truncated:
        return drop(capture, Reason.TRUNCATED, f"{capture.truncated}: no text of the page is there")
    if island:
        kind = "an articleBody" if island.article else "prose"
        detail = f"the page holds no text, its scripts' data {island.words} words of {kind}"
        dropped = drop(capture, Reason.TEXT_IN_SCRIPT, detail)
        stored = StoredText(TextSource.JSON_LD, island.article) if island.article else None
        return replace(dropped, stored=stored)
    if breaks_off:
        return drop(capture, Reason.NO_TEXT, f"{CUT_BEFORE_TEXT}, {breaks_off}")
    return drop(capture, Reason.NO_TEXT, "the page holds no text")


def word_hashes(page: Page) -> tuple[Hashes, Hashes]:
    """(hash of every word of all text nodes, end of each node among them); words as in lxml.html.diff."""
    texts = [node.text for node in page.nodes]
    # A word takes two characters with its gap.
    hashes = np.empty(sum(map(len, texts)) // 2 + len(texts), np.uint32)
    ends = np.empty(len(texts), np.uint32)
    return hashes[: compiled.hash_words(texts, hashes, ends)].copy(), ends


def node_places(page: Page) -> Hashes:
    """Place in the template of each text node: that of the element that sets its line."""
    elements = [node.element for node in page.nodes]
    hashes = np.empty(len(page.tags), np.uint32)
    holding = np.empty(len(page.tags), np.int32)
    compiled.hash_places(page.tags, page.classes, page.parents, INLINE, hashes, holding)
    of_nodes: Hashes = hashes[holding[elements]]
    return of_nodes
