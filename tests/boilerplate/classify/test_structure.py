"""Where a line stands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given

from dbce.boilerplate.classify.lines import plant, read_lines
from dbce.boilerplate.classify.structure import LEVELS, TAGS, WITHIN, structure_features
from tests.html.soup import page, soup

TO_PROSE = ("after_first_long", "before_last_long", "to_next_long", "to_last_long")


def features(html: str) -> dict[str, np.ndarray]:
    pages = [page(html)]
    forest = plant(pages)
    return structure_features(forest, read_lines(pages, forest))


def words(count: int, name: str = "w") -> str:
    return " ".join(f"{name}{n}" for n in range(count))


MENU = "<nav><ul><li><a>Home</a><li><a>Letters to us</a></ul></nav>"
PROSE = f"<p>{words(20)}</p><p>{words(30)}</p><p>short one</p><p>{words(40)}</p>"
PAGE = f"{MENU}<div><article>{PROSE}</article></div><footer>Printed with care</footer>"


def on_page(name: str) -> list[float]:
    return features(PAGE)[name].tolist()


def test_the_tag_of_a_line_is_a_number_and_unknown_tags_share_one():
    assert features("<p>a</p><li>b</li><foo>c</foo><bar>d</bar>")["tag"].tolist() == [
        TAGS.index("p"),
        TAGS.index("li"),
        len(TAGS),
        len(TAGS),
    ]


def test_ancestors_are_known_by_name():
    assert on_page("in_nav") == [1, 1, 0, 0, 0, 0, 0]
    assert on_page("in_li") == [1, 1, 0, 0, 0, 0, 0]
    assert on_page("in_article") == [0, 0, 1, 1, 1, 1, 0]
    assert on_page("in_footer") == [0, 0, 0, 0, 0, 0, 1]
    assert on_page("in_table") == [0] * 7


def test_depth_counts_from_the_root():
    assert on_page("depth") == [4, 4, 4, 4, 4, 4, 2]


def test_the_elements_around_a_line_are_summed_level_by_level():
    assert on_page("up0_words") == [1, 3, 20, 30, 2, 40, 3]
    assert on_page("up1_words")[:4] == [4, 4, 92, 92]
    assert on_page("up0_link_density") == [1, 1, 0, 0, 0, 0, 0]
    assert on_page("up1_line_length")[2:6] == [23] * 4
    assert on_page("up5_words") == [99] * 7, "beyond the root it stays the root"
    assert on_page("up5_share") == [1] * 7


def test_prose_is_long_lines_without_many_links():
    prose = features(f"<p>{words(12)}</p><p><a>{words(12)}</a></p><p>{words(9)}</p>")["up0_prose"]
    assert prose.tolist() == [1, 0, 0]


def test_what_is_beside_the_bulk_of_the_prose_is_off_it():
    off = on_page("off_bulk")
    assert off[2:6] == [0] * 4
    assert min(off[0], off[1], off[6]) > 0


def test_lines_are_counted_from_the_prose():
    assert on_page("after_first_long") == [-2, -1, 0, 1, 2, 3, 4]
    assert on_page("before_last_long") == [5, 4, 3, 2, 1, 0, -1]
    assert on_page("to_next_long") == [2, 1, 0, 0, 1, 0, 99]
    assert on_page("to_last_long") == [99, 99, 0, 0, 1, 0, 1]


def test_on_a_page_without_prose_there_is_nothing_to_count_from():
    found = features(MENU)
    for name in TO_PROSE:
        assert np.isnan(found[name]).all()


def test_position_runs_from_the_first_line_to_the_last():
    assert on_page("line") == list(range(7))
    assert on_page("words_before") == pytest.approx(np.array([0, 1, 4, 24, 54, 56, 96]) / 99)
    assert on_page("page_words") == [99] * 7


def test_lines_at_one_place_of_the_template_are_counted_together():
    assert on_page("place_lines") == [2, 2, 4, 4, 4, 4, 1]
    assert on_page("place_length")[:3] == [2, 2, 23]
    assert on_page("place_links") == [1, 1, 0, 0, 0, 0, 0]


def test_a_class_makes_another_place():
    assert features("<p>a</p><p class=x>b</p><p>c</p>")["place_lines"].tolist() == [2, 1, 2]


@given(soup)
def test_every_value_is_a_number_unless_there_is_no_prose(html):
    its_page = page(f"<p>a{html}")
    assume(its_page.nodes)
    forest = plant([its_page])
    lines = read_lines([its_page], forest)
    found = structure_features(forest, lines)
    assert len([name for name in found if name.startswith("in_")]) == len(WITHIN)
    assert len([name for name in found if name.startswith("up")]) == 7 * len(LEVELS)
    for name, values in found.items():
        assert values.shape == (len(lines.texts),), name
        if name in TO_PROSE:
            assert np.isnan(values).all() or np.isfinite(values).all(), name
        else:
            assert np.isfinite(values).all(), name
