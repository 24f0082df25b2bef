"""Where readers may write."""

from __future__ import annotations

import numpy as np

from dbce.boilerplate.classify.lines import plant, read_lines
from dbce.boilerplate.classify.structure import reply_features
from tests.html.soup import page

ARTICLE = "<div><p>the whole long article of ten words and more of them</p><p>and its end</p></div>"
BOX = "<form><label>Your turn</label><textarea>say it</textarea></form>"
COMMENTS = f"<div><p>first comment</p><p>second</p>{BOX}</div>"
FOOT = "<footer>all rights</footer>"


def features(*htmls: str) -> dict[str, list[float]]:
    pages = [page(html) for html in htmls]
    forest = plant(pages)
    lines = read_lines(pages, forest)
    prose = np.where(lines.words > 9, lines.words, 0)
    found = reply_features(forest, lines, prose)
    assert {values.dtype for values in found.values()} == {np.dtype(np.float32)}
    return {name: values.tolist() for name, values in found.items()}


def test_comments_stand_with_the_box_and_the_article_apart_from_it():
    found = features(ARTICLE + COMMENTS + FOOT)
    assert found["reply_prose_share"] == [1, 1, 0, 0, 0, 0, 1]
    np.testing.assert_allclose(found["reply_share"][2:4], [7 / 23, 7 / 23], rtol=1e-6)
    assert found["reply_up"] == [2, 2, 1, 1, 0, 0, 1]


def test_in_a_forum_the_box_stands_with_most_of_the_page():
    found = features(f"<main>{ARTICLE}{BOX}</main>{FOOT}")
    assert found["reply_prose_share"][:2] == [1, 1]
    assert found["reply_share"][0] > 0.85


def test_lines_are_counted_to_the_next_box_and_from_the_last():
    nan = float("nan")
    found = features(ARTICLE + COMMENTS + FOOT)
    np.testing.assert_equal(found["to_reply"], [5, 4, 3, 2, 1, nan, nan])
    np.testing.assert_equal(found["from_reply"][:5], [nan] * 5)
    assert found["from_reply"][6] == 1


def test_a_page_without_a_box_says_nothing_and_changes_no_other():
    for values in features(ARTICLE).values():
        assert np.isnan(values).all()
    alone, between = features(COMMENTS), features(ARTICLE, COMMENTS, ARTICLE)
    for name, values in alone.items():
        np.testing.assert_equal(between[name], [np.nan] * 2 + values + [np.nan] * 2)
