"""The features of a page as one matrix, and those of the second stage."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dbce import html
from dbce.boilerplate.classify import features
from dbce.boilerplate.classify.context import CONTEXT, context_rows, log_odds
from dbce.boilerplate.classify.features import PEER_FEATURES, TIME, Features, page_features
from dbce.boilerplate.classify.lines import Lines, read_lines
from dbce.html import load
from dbce.model import CIRCLE, Annotation, Capture, Config, Cross, Limits, Page
from tests.boilerplate.builders import annotation, compared
from tests.boilerplate.classify.test_structure import TO_PROSE
from tests.html.soup import page, soup
from tests.site import snapshots

# Beyond the first and the last line there is nothing, and without prose, a heading, a title or a box to
# write in nothing to count from.
TO_HEADINGS = {"heading_level", "heading_lines", "major_lines", "from_title"}
TO_REPLIES = {"reply_share", "reply_prose_share", "reply_up", "to_reply", "from_reply"}
TO_MAIN_PART = {
    *("h1_up", "h1_behind", "main_share", "main_within", "article_share", "article_within")
}
TOLD = {name for name in features.feature_names() if name.startswith("told_")}
MAY_BE_MISSING = {
    *TO_PROSE,
    *TO_HEADINGS,
    *TO_REPLIES,
    *TO_MAIN_PART,
    *TOLD,
    *(f"{name}@{n:+d}" for name in features.WINDOW for n in (-2, -1, 1, 2)),
}


def parsed(one: Capture) -> Page:
    return load(one.payload, one.content_type, Config().limits).page


def features_of(captures: list[Capture]) -> list[Features]:
    """The features of pages that were compared with each other."""
    pages = compared(captures)
    assert all(annotation for _, annotation in pages)
    return [page_features(*one) for one in pages]


def is_evidence(name: str) -> bool:
    return name.partition("@")[0] in {*PEER_FEATURES, *TIME}


def column(of: Features, name: str) -> list[float]:
    return of.matrix[:, of.names.index(name)].tolist()


def test_there_is_a_column_for_every_name():
    for one in (*features_of(snapshots(2014)), page_features(page("x"), None)):
        assert one.names == features.feature_names()
        assert len(set(one.names)) == len(one.names)
        assert one.matrix.shape == (len(one.lines.texts), len(one.names))
        assert one.matrix.dtype == np.float32
        assert len(one.tokens.row) == len(one.prose) == len(one.matrix)


def test_without_evidence_a_page_is_as_if_it_stood_alone():
    captures = [*snapshots(2014), *snapshots(2015)]
    for one, capture in zip(features_of(captures), captures, strict=True):
        blank = features.without_evidence(one.matrix, one.names)
        alone = page_features(parsed(capture), None)
        assert np.array_equal(blank, alone.matrix, equal_nan=True)
        assert not np.array_equal(blank, one.matrix, equal_nan=True)


def test_only_the_columns_of_evidence_are_blanked():
    names = features.feature_names()
    matrix = np.random.default_rng(0).random((5, len(names)), dtype=np.float32) + 1
    same = (features.without_evidence(matrix, names) == matrix).all(axis=0)
    changed = {name for name, stays in zip(names, same, strict=True) if not stays}
    assert changed == {name for name in names if is_evidence(name)}
    assert PEER_FEATURES | set(TIME) < changed
    assert {f"{name}@mean-" for name in features.EVIDENCE_WINDOW} < changed


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
    before = np.array([0, 1 - features.DECAY, (1 - features.DECAY) * features.DECAY]) * 20
    np.testing.assert_allclose(column(found, "prose@mean-"), before, rtol=1e-5)
    assert column(found, "prose@mean+") == [0, 0, 0]


def assert_as_alone(batch: list[tuple[Page, Annotation | None]]) -> None:
    """What is found of pages together is, bit by bit, what is found of each alone."""
    together = features.batch_features(batch)
    lines, starts = together.lines, together.lines.starts
    assert len(starts) == len(batch) + 1
    for n, (start, end) in enumerate(pairwise(starts.tolist())):
        alone = page_features(*batch[n])
        assert np.array_equal(together.matrix[start:end], alone.matrix, equal_nan=True)
        assert together.tokens.line_tokens()[start:end] == alone.tokens.line_tokens()
        assert together.phrases.line_tokens()[start:end] == alone.phrases.line_tokens()
        assert together.prose[start:end].tolist() == alone.prose.tolist()
        assert lines.texts[start:end] == alone.lines.texts
        nodes = slice(*lines.node_starts[n : n + 2])
        assert (lines.of_node[nodes] - start).tolist() == alone.lines.of_node.tolist()
        assert lines.node_words[nodes].tolist() == alone.lines.node_words.tolist()


def test_pages_together_are_as_each_alone_whatever_is_known_of_them():
    pages = compared([*snapshots(2014), *snapshots(2015)])
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
    unknown = np.isnan(found.matrix).any(axis=0)
    missing = {name for name, some in zip(found.names, unknown, strict=True) if some}
    alone = {name for name in found.names if is_evidence(name) and "@mean" not in name}
    assert missing - alone <= MAY_BE_MISSING
    assert alone <= missing
    assert np.isfinite(found.prose).all()


# What the comparison says of each line.


HTML = "<p>one two <b>three four</b></p><p>five</p>"
"""Two lines; the first has two text nodes."""


def lines() -> Lines:
    return read_lines([page(HTML)])


annotation_of = partial(annotation, nodes=3)


def evidence(found: Annotation | None, name: str) -> list[float]:
    return features.page_evidence(lines(), [found])[features.EVIDENCE.index(name)].tolist()


def pair(up: str, down: str | None = None, **snapshots: str) -> Cross:
    before, after = snapshots.get("prev"), snapshots.get("next")
    return Cross("cur", up, down, before, after, 0.9, 0.8 if down else 0.0)


def test_without_other_pages_there_is_no_evidence_even_where_own_snapshots_are_known():
    alone = Cross("cur", None, None, "p", "n", 0.0, 0.0)
    found = annotation_of(alone, circle=np.full((3, len(CIRCLE)), np.nan), p="11000", n="11111")
    for known in (None, found):
        said = features.page_evidence(lines(), [known])
        assert said.shape == (len(features.EVIDENCE), 2)
        assert np.isnan(said).all()


def test_of_each_page_of_the_strongest_cross_it_is_known_what_share_of_a_line_it_has():
    found = annotation_of(pair("u", "d", prev="p"), u="11000", d="00001", p="11111")
    assert [evidence(found, role) for role in ("up", "down")] == [[0.5, 0], [0, 1]]
    found = annotation_of(pair("a"), pair("b", "c"), a="00000", b="11111", c="11111")
    assert evidence(found, "up") == [0, 0]
    assert np.isnan(evidence(found, "down")).all()
    assert evidence(found, "similarity") == pytest.approx([0.9, 0.9])


def test_votes_are_shares_of_words_and_of_crosses_of_which_an_undecided_one_counts_half():
    found = annotation_of(pair("a"), pair("b"), a="11000", b="11111")
    assert evidence(found, "votes") == [0.25, 0.5]
    # 10000 in cross 11101: not on the later snapshot, which the table leaves open.
    found = annotation_of(pair("u", "d", next="n"), u="00000", d="00000", n="00001")
    assert evidence(found, "votes") == [0.5, 1]


def test_other_pages_are_asked_all_together_and_snapshots_not():
    found = annotation_of(pair("a", "b", prev="p"), pair("b", "a"), a="11110", b="00000", p="11111")
    assert evidence(found, "shared_most") == [1, 0]
    assert evidence(found, "shared_mean") == [0.5, 0]


def test_the_circle_is_averaged_over_the_words_of_a_line():
    said = [[0, 0.5, 1, 2, 0, 0.5]] * 2 + [[1, 1, 0, 8, 1, 1]]
    found = annotation_of(pair("a"), a="00000", circle=[*said])
    assert evidence(found, "shared_by") == [0, 1]
    assert evidence(found, "place_words") == [2, 8]
    assert evidence(found, "ever_shared_by") == [0.5, 1]


def test_without_other_snapshots_time_says_nothing():
    for found in (None, annotation_of(pair("a"), a="00000")):
        said = features.time_evidence(lines(), [found])
        assert said.shape == (len(TIME), 2)
        assert np.isnan(said).all()


def test_what_stays_while_the_page_changes_is_kept_more_than_the_page():
    """Of two snapshots both have the first line's four words, none the second line's one."""
    alone = Cross("cur", None, None, "p", "n", 0.0, 0.0)
    said = [[1, np.nan, 1, 1], [1, np.nan, 1, 1], [0, np.nan, 0, 0]]
    annotations = [annotation_of(alone, history=said, p="11110", n="11110")]
    found = dict(zip(TIME, features.time_evidence(lines(), annotations), strict=True))
    assert found["kept"].tolist() == [1, 0]
    assert np.isnan(found["kept_redesign"]).all()
    assert found["page_kept"] == pytest.approx([0.8, 0.8])
    assert found["kept_more"] == pytest.approx([0.2, -0.8])


# The second stage sees answers of the first around a line, on its page alone.


NEWS = (
    "<div><p>Home</p><p>Letters</p></div>"
    "<article><h1>A ferry</h1><p>It has left the old harbour again.</p><p>At nine.</p></article>"
    "<footer>Imprint</footer>"
)
CHANCES = (0.1, 0.1, 0.9, 0.95, 0.5, 0.02)
NOTE = "<p>Back soon.</p>"


def columns(*pages: tuple[str, tuple[float, ...]]) -> dict[str, np.ndarray]:
    """The features of the lines of some pages, judged together, by name."""
    found = [html.load(text.encode(), "text/html", Limits()).page for text, _ in pages]
    chance = np.concatenate([of for _, of in pages])
    batch = features.batch_features([(page, None) for page in found])
    rows = context_rows(batch, chance, chance / 2)
    assert rows.dtype == np.float32
    return dict(zip(CONTEXT, rows.T, strict=True))


def test_a_page_sees_nothing_of_those_that_are_judged_with_it():
    chances = tuple(np.random.default_rng(1).random(6).tolist())
    alone = columns((NEWS, chances))
    others = [(NEWS, tuple(np.random.default_rng(n).random(6).tolist())) for n in range(2, 40)]
    together = columns(*others, (NEWS, chances), (NOTE, (0.2,)))
    for name, values in alone.items():
        np.testing.assert_array_equal(together[name][-7:-1], values, err_msg=name)


def test_lines_around_the_best_element_and_the_section_say_what_a_line_looks_like():
    odds = log_odds(np.array(CHANCES), 1e-4)
    found = columns((NEWS, CHANCES))
    np.testing.assert_allclose(found["odds"], odds, rtol=1e-5)
    np.testing.assert_allclose(found["odds@-1"][1:], odds[:-1], rtol=1e-5)
    np.testing.assert_allclose(found["odds@+1"][:-1], odds[1:], rtol=1e-5)
    assert (found["top_off"][2:5] == 0).all(), "the article"
    assert (found["top_off"] > 0).tolist() == [True, True, False, False, False, True]
    assert found["section_chance"][4] > 0.8
    assert found["heading_odds"][4] == pytest.approx(np.log(9), rel=1e-5)


def test_chances_beyond_belief_are_finite_odds():
    found = columns((NEWS, (0.0, 1.0, 0.0, 1.0, 0.5, 0.0)))
    assert not any(np.isinf(of).any() for of in found.values())
