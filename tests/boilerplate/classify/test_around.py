"""The kind of page, things alike, sections and repetition around a line."""

from __future__ import annotations

import numpy as np
import pytest

from dbce.boilerplate.classify.lines import Lines, plant, read_lines, text_features
from dbce.boilerplate.classify.structure import (
    headings,
    item_features,
    kind_features,
    repetition_features,
    section_features,
)
from tests.html.soup import page

UNKNOWN = pytest.approx(np.nan, nan_ok=True)


def read(*htmls: str):
    pages = [page(html) for html in htmls]
    forest = plant(pages)
    return pages, forest, read_lines(pages, forest)


def kind(*htmls: str) -> dict[str, list[float]]:
    _, forest, lines = read(*htmls)
    found = kind_features(forest, lines, lines.words)
    return {name: of.tolist() for name, of in found.items()}


def test_each_line_knows_what_its_whole_page_is_like():
    found = kind("<nav><a>Home</a></nav><p>one two three", "<ul><li>a<img><li>b")
    assert found["page_lines"] == [2, 2, 2, 2]
    assert found["page_links"] == pytest.approx([0.25, 0.25, 0, 0])
    assert found["page_furniture"] == pytest.approx([0.25, 0.25, 0, 0])
    assert found["page_length"] == [2, 2, 1, 1]
    assert found["page_longest"] == [3, 3, 1, 1]
    assert found["page_items"] == [0, 0, 1, 1]
    assert found["page_images"] == [0, 0, 0.5, 0.5]


def alike(html: str) -> dict[str, list[float]]:
    _, forest, lines = read(html)
    return {name: of.tolist() for name, of in item_features(forest, lines).items()}


def test_cards_are_alike_if_the_same_path_leads_to_them():
    cards = "<div class=card><h3>Tea</h3><p>for two</p></div>" * 3
    found = alike(f"{cards}<div class=note>buy now please</div>")
    assert found["up1_alike"] == [3] * 6 + [1]
    assert found["up1_alike_share"] == pytest.approx([9 / 12] * 6 + [1])
    assert found["up1_alike_words"] == [3] * 6 + [12]
    assert found["up0_alike"] == [3] * 6 + [1]
    assert found["up1_alike_before"] == pytest.approx([0, 0, 1 / 3, 1 / 3, 2 / 3, 2 / 3, 0])


def test_the_same_path_on_another_page_is_not_alike():
    _, forest, lines = read("<p>a<p>b", "<p>c")
    found = item_features(forest, lines)
    assert found["up0_alike"].tolist() == [2, 2, 1]
    assert found["up0_alike_before"].tolist() == [0, 0.5, 0]


def sections(html: str) -> dict[str, list[float]]:
    pages, forest, lines = read(html)
    cover = text_features(lines, [one.title for one in pages])["title_cover"]
    found = section_features(lines, *headings(forest, lines), cover)
    return {name: of.tolist() for name, of in found.items()}


def test_a_line_knows_the_heading_before_it():
    found = sections("<p>a<h2>b</h2><p>c<h4>d</h4><p>e")
    assert found["heading_level"] == [UNKNOWN, 2, 2, 4, 4]
    assert found["heading_lines"] == [UNKNOWN, 0, 1, 0, 1]
    assert found["major_lines"] == [UNKNOWN, 0, 1, 2, 3]


def test_a_line_knows_how_far_it_is_from_the_headline():
    found = sections(
        "<title>The last ferry - News</title><p>News<h1>The last ferry</h1><p>It left."
    )
    assert found["from_title"] == [-1, 0, 1]
    assert sections("<p>a<p>b")["from_title"] == [UNKNOWN] * 2


def test_lines_that_all_say_the_title_are_no_more_work_than_others(monkeypatch):
    read_of_page = Lines.page.fget
    asked = []
    monkeypatch.setattr(Lines, "page", property(lambda of: asked.append(1) or read_of_page(of)))
    reads = []
    for count in (2, 200):
        asked.clear()
        assert sections("<title>News</title>" + "<p>News" * count)["from_title"][-1] == count - 1
        reads.append(len(asked))
    assert reads[0] == reads[1]


def shared(html: str, *of_lines: float) -> dict[str, list[float]]:
    _, forest, lines = read(html)
    widely = np.array(of_lines, dtype=np.float32)
    found = repetition_features(forest, lines, widely, lines.words)
    return {name: of.tolist() for name, of in found.items()}


def test_a_line_knows_how_widely_what_is_around_it_is_shared():
    """A menu stands among what all have, a definition that eight pages have does not."""
    menu, glossary = "<ul><li>a<li>b</ul>", "<dl><dt>c<dd>d e f</dl>"
    found = shared(menu + glossary, 1, 1, 1, 0)
    assert found["up0_shared"] == [1, 1, 1, 0]
    assert found["up1_shared"] == [1, 1, 0.25, 0.25]
    assert found["page_shared"] == pytest.approx([0.5] * 4)
    assert found["page_own"] == pytest.approx([0.5] * 4)
    assert found["place_shared"] == [1, 1, 1, 0]


def test_where_nothing_was_compared_nothing_is_known_of_repetition():
    found = shared("<p>a<p>b", np.nan, np.nan)
    assert all(np.isnan(of).all() for of in found.values())
