"""Signs around a line: elements without text, the headline's element, repetition, what the page tells of itself."""

import numpy as np
import pytest

from dbce.boilerplate.classify.lines import plant, read_lines
from dbce.boilerplate.classify.signs import FAR, SIGN_FEATURES, sign_features
from dbce.metadata import DESCRIPTION_SIGNS, SelfDescription
from dbce.metadata.structured_data import as_words
from tests.html.soup import page


def are_unknown(values: list[float]) -> bool:
    return bool(np.isnan(values).all())


def signs(*htmls: str, told: list[SelfDescription | None] | None = None) -> dict[str, list[float]]:
    pages = [page(html) for html in htmls]
    forest = plant(pages)
    found = sign_features(forest, read_lines(pages, forest), told or [None] * len(pages))
    return {name: of.tolist() for name, of in found.items()}


def telling(**texts: str) -> SelfDescription:
    return SelfDescription(
        (0.0,) * len(DESCRIPTION_SIGNS), {what: as_words(text) for what, text in texts.items()}
    )


def test_all_signs_have_names():
    assert set(signs("<p>a")) == SIGN_FEATURES


def test_elements_without_text_are_counted_for_each_line_around_them():
    card = "<div><img><p>Tea for two</p><p>€ 3.20</p><button></button></div>"
    found = signs(f"<section>{card}</section><p>We sell tea by the harbour.")
    assert found["up1_images"][:2] == [1 / 2, 1 / 2]
    assert found["up1_inputs"][:2] == [1 / 2, 1 / 2]
    assert found["up1_images"][2] == pytest.approx(1 / 3)


def test_prices_and_short_lines_with_numbers_are_signs_of_shelves_and_lists():
    long = " ".join(["word"] * 40)
    found = signs(f"<div><p>€ 3.20</p><p>Tea</p></div><p>12 May 2014</p><p>{long} 7 € {long}")
    assert found["priced"] == [1, 0, 0, 0]
    assert found["up1_prices"][:2] == [1 / 2, 1 / 2]
    assert found["up1_numbers"][:2] == [1 / 2, 1 / 2]
    assert found["page_prices"] == [1 / 4] * 4
    assert found["page_numbers"] == [2 / 4] * 4


def test_lines_know_how_far_up_the_headline_is_and_which_stand_before_it():
    found = signs("<p>menu</p><article><h1>Ferry</h1><div><p>It runs.</p></div></article>")
    assert found["h1_count"] == [1, 1, 1]
    assert found["h1_up"] == [1, 0, 2]
    assert found["h1_behind"][0] < 0 == found["h1_behind"][1] < found["h1_behind"][2]
    assert signs("<div>" * 20 + "<p>deep</p>" + "</div>" * 20 + "<h1>a")["h1_up"][0] == FAR


def test_a_page_without_headline_or_main_part_has_none_to_be_beside():
    found = signs("<h2>Ferry</h2><p>It runs.")
    assert found["h1_count"] == [0, 0]
    for name in ("h1_up", "h1_behind", "main_share", "main_within", "article_within"):
        assert are_unknown(found[name])


def test_a_line_is_in_the_main_part_that_the_page_marks_by_tag_or_role():
    body = "<p>menu here</p><{0}><p>one two three four five six</p></{1}>"
    for tag, end in (("main", "main"), ("div role=main", "div")):
        found = signs(body.format(tag, end))
        assert found["main_within"] == [0, 1]
        assert found["main_share"] == [6 / 8] * 2
        assert are_unknown(found["article_share"])


def test_what_a_page_says_again_is_counted_and_what_lines_begin_with():
    found = signs("<p>Added in version 1</p><p>Added in version 1</p><p>Added in version 2</p><p>a")
    assert found["said_times"] == [2, 2, 1, 1]
    assert found["begins_alike"] == [3, 3, 3, 1]


def test_a_line_begins_in_a_text_that_the_page_tells():
    story = "The <b>old</b> ferry crosses at six. Its captain, aged 70, whistles."
    html = f"<p>{story}</p><p>Related stories from all over the harbour</p><p>Share</p>"
    found = signs(html, told=[telling(article=f"Before it. {story}", about="The captain")])
    assert found["told_article"][:2] == [1, 0]
    assert are_unknown(found["told_article"][2:]), "too short to be looked for"
    assert found["told_about"][:2] == [0, 0]
    assert found["told_article_share"] == pytest.approx([11 / 18] * 3)
    assert are_unknown(found["told_answers"])


def test_words_of_a_line_are_not_looked_for_inside_others():
    found = signs("<p>he old ferry is gone", told=[telling(article="The old ferry is gone")])
    assert found["told_article"] == [0]


def test_nothing_is_known_of_a_page_that_was_not_asked():
    found = signs("<p>The old ferry crosses at six", "<p>a", told=[None, telling()])
    asked, other = found["told_viewport"]
    assert np.isnan(asked)
    assert other == 0
    assert are_unknown(found["told_article"])
