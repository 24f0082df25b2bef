"""The features of a page as one matrix."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from dbce.archive import capture
from dbce.boilerplate.classify.features import (
    DECAY,
    EVIDENCE_WINDOW,
    OF_OTHERS,
    TIME,
    WINDOW,
    Features,
    batch_features,
    feature_names,
    page_features,
    without_evidence,
)
from dbce.boilerplate.compare import compare
from dbce.html import load
from dbce.model import Config
from dbce.pipeline import sketch_all
from tests.boilerplate.classify.test_structure import TO_PROSE
from tests.html.soup import page, soup
from tests.site import TOPICS, article, snapshots

if TYPE_CHECKING:
    from dbce.model import Annotation, Capture, Page

# Beyond the first and the last line there is nothing, and without prose, a heading, a title or a box to
# write in nothing to count from.
TO_HEADINGS = {"heading_level", "heading_lines", "major_lines", "from_title"}
TO_REPLIES = {"reply_share", "reply_prose_share", "reply_up", "to_reply", "from_reply"}
TO_MAIN_PART = {
    *("h1_up", "h1_behind", "main_share", "main_within", "article_share", "article_within")
}
TOLD = {name for name in feature_names() if name.startswith("told_")}
MAY_BE_MISSING = {
    *TO_PROSE,
    *TO_HEADINGS,
    *TO_REPLIES,
    *TO_MAIN_PART,
    *TOLD,
    *(f"{name}@{n:+d}" for name in WINDOW for n in (-2, -1, 1, 2)),
}


def parsed(one: Capture) -> Page:
    return load(one.payload, one.content_type, Config().limits).page


def compared(captures: list[Capture]) -> list[Features]:
    """The features of pages that were compared with each other."""
    sketches, _ = sketch_all(captures, Config())
    found = {a.record_id: a for a in compare(sketches.values(), Config())}
    assert len(found) == len(captures)
    return [page_features(parsed(one), found[one.record_id]) for one in captures]


def is_evidence(name: str) -> bool:
    return name.partition("@")[0] in {*OF_OTHERS, *TIME}


def column(features: Features, name: str) -> list[float]:
    return features.matrix[:, features.names.index(name)].tolist()


def test_there_is_a_column_for_every_name():
    for one in (*compared(snapshots(2014)), page_features(page("x"), None)):
        assert one.names == feature_names()
        assert len(set(one.names)) == len(one.names)
        assert one.matrix.shape == (len(one.lines.texts), len(one.names))
        assert one.matrix.dtype == np.float32
        assert len(one.tokens.row) == len(one.prose) == len(one.matrix)


def test_without_evidence_a_page_is_as_if_it_stood_alone():
    for one, of_alone in zip(
        compared([*snapshots(2014), *snapshots(2015)]),
        [page_features(parsed(c), None) for c in [*snapshots(2014), *snapshots(2015)]],
        strict=True,
    ):
        blank = without_evidence(one.matrix, one.names)
        assert np.array_equal(blank, of_alone.matrix, equal_nan=True)
        assert not np.array_equal(blank, one.matrix, equal_nan=True)


def test_only_the_columns_of_evidence_are_blanked():
    names = feature_names()
    matrix = np.random.default_rng(0).random((5, len(names)), dtype=np.float32) + 1
    blank = without_evidence(matrix, names)
    changed = {
        name for name, same in zip(names, (blank == matrix).all(axis=0), strict=True) if not same
    }
    assert changed == {name for name in names if is_evidence(name)}
    assert OF_OTHERS | set(TIME) < changed
    assert {f"{name}@mean-" for name in EVIDENCE_WINDOW} < changed


def test_other_pages_change_nothing_but_the_evidence():
    own = [n for n, name in enumerate(feature_names()) if not is_evidence(name)]
    first, *_ = snapshots(2014)
    others = [
        capture(f"http://harbour.example/{topic}", article(topic, "Something else."), "2014")
        for topic in TOPICS[1:]
    ]
    one, other = compared(snapshots(2014))[0], compared([first, *others])[0]
    assert np.array_equal(one.matrix[:, own], other.matrix[:, own], equal_nan=True)
    assert not np.array_equal(one.matrix, other.matrix, equal_nan=True)
    assert one.tokens.of_lines() == other.tokens.of_lines()
    assert one.prose.tolist() == other.prose.tolist()


THREE = "<p>one</p><h2>two words</h2><p>three more words</p>"


def test_a_window_is_what_the_neighbours_have():
    found = page_features(page(THREE), None)
    assert column(found, "words") == [1, 2, 3]
    assert column(found, "words@+1")[:2] == [2, 3]
    assert column(found, "words@-2")[2:] == [1]
    assert np.isnan(column(found, "words@+1")[2])
    assert np.isnan(column(found, "words@-1")[0])


def test_a_running_mean_leaves_the_line_out_and_forgets():
    prose = " ".join("w" * 20)
    found = page_features(page(f"<p>{prose}</p><p>a</p><p>b</p>"), None)
    before = np.array([0, 1 - DECAY, (1 - DECAY) * DECAY]) * 20
    np.testing.assert_allclose(column(found, "prose@mean-"), before, rtol=1e-5)
    assert column(found, "prose@mean+") == [0, 0, 0]


def assert_as_alone(batch: list[tuple[Page, Annotation | None]]) -> None:
    """What is found of pages together is, bit by bit, what is found of each alone."""
    together = batch_features(batch)
    lines, starts = together.lines, together.lines.starts
    assert len(starts) == len(batch) + 1
    for n, (start, end) in enumerate(pairwise(starts.tolist())):
        alone = page_features(*batch[n])
        assert np.array_equal(together.matrix[start:end], alone.matrix, equal_nan=True)
        assert together.tokens.of_lines()[start:end] == alone.tokens.of_lines()
        assert together.phrases.of_lines()[start:end] == alone.phrases.of_lines()
        assert together.prose[start:end].tolist() == alone.prose.tolist()
        assert lines.texts[start:end] == alone.lines.texts
        nodes = slice(*lines.node_starts[n : n + 2])
        assert (lines.of_node[nodes] - start).tolist() == alone.lines.of_node.tolist()
        assert lines.node_words[nodes].tolist() == alone.lines.node_words.tolist()


def test_pages_together_are_as_each_alone_whatever_is_known_of_them():
    captures = [*snapshots(2014), *snapshots(2015)]
    sketches, _ = sketch_all(captures, Config())
    found = {a.record_id: a for a in compare(sketches.values(), Config())}
    pages = [(parsed(one), found[one.record_id]) for one in captures]
    assert_as_alone([*pages, (page(THREE), None), (page("x"), None), *pages[::-1]])


WORDS = "The goat ate one third, 0.3 of it. "


@given(st.lists(st.tuples(soup, st.integers(0, 9), st.booleans()), min_size=1, max_size=3))
def test_any_pages_together_are_as_each_alone(parts):
    htmls = [
        f"<title>{WORDS}</title><p id=p{n}>a <a>{WORDS * linked}</a>{WORDS * n}</p>{html}"
        for html, n, linked in parts
    ]
    assert_as_alone([(page(html), None) for html in htmls])


@given(soup)
def test_of_any_page_only_what_is_said_to_be_missing_is_missing(html):
    its_page = page(f"<p>a{html}")
    assume(its_page.nodes)
    found = page_features(its_page, None)
    assert not np.isinf(found.matrix).any()
    missing = {
        name
        for name, some in zip(found.names, np.isnan(found.matrix).any(axis=0), strict=True)
        if some
    }
    alone = {name for name in found.names if is_evidence(name) and "@mean" not in name}
    assert missing - alone <= MAY_BE_MISSING
    assert alone <= missing
    assert np.isfinite(found.prose).all()
