"""Where a line stands, and what is around it."""

import numpy as np
import pytest

from dbce.boilerplate.classify import structure
from dbce.boilerplate.classify.formulas import WORDS, Axis, load, where
from dbce.boilerplate.classify.lines import TITLE_COVER, Lines, read_lines, text_arrays
from dbce.boilerplate.classify.signs import FAR, sign_arrays, sign_features
from dbce.metadata import DESCRIPTION_SIGNS, SelfDescription
from dbce.metadata.structured_data import as_words
from tests.boilerplate.builders import columns
from tests.html.soup import page

TO_PROSE = ("after_first_long", "before_last_long", "to_next_long", "to_last_long")


def read(*htmls: str) -> Lines:
    return read_lines([page(html) for html in htmls])


def features(html: str) -> dict[str, np.ndarray]:
    return of_structure(read(html))


def of_structure(lines: Lines) -> dict[str, np.ndarray]:
    places = structure.same_places(lines)
    return columns(structure.structure_features(), lines, same_place=places)


def words(count: int, name: str = "w") -> str:
    return " ".join(f"{name}{n}" for n in range(count))


MENU = "<nav><ul><li><a>Home</a><li><a>Letters to us</a></ul></nav>"
PROSE = f"<p>{words(20)}</p><p>{words(30)}</p><p>short one</p><p>{words(40)}</p>"
PAGE = f"{MENU}<div><article>{PROSE}</article></div><footer>Printed with care</footer>"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("tag", [structure.TAGS.index(of) for of in ("li", "li", *["p"] * 4, "footer")]),
        ("in_nav", [1, 1, 0, 0, 0, 0, 0]),
        ("in_li", [1, 1, 0, 0, 0, 0, 0]),
        ("in_article", [0, 0, 1, 1, 1, 1, 0]),
        ("in_footer", [0, 0, 0, 0, 0, 0, 1]),
        ("in_table", [0] * 7),
        ("depth", [4, 4, 4, 4, 4, 4, 2]),
        ("up0_words", [1, 3, 20, 30, 2, 40, 3]),
        ("up1_words", [4, 4, 92, 92, 92, 92, 99]),
        ("up0_link_density", [1, 1, 0, 0, 0, 0, 0]),
        ("up1_line_length", [2, 2, 23, 23, 23, 23, 99 / 7]),
        ("up5_words", [99] * 7),  # beyond the root it stays the root
        ("up5_share", [1] * 7),
        ("after_first_long", [-2, -1, 0, 1, 2, 3, 4]),
        ("before_last_long", [5, 4, 3, 2, 1, 0, -1]),
        ("to_next_long", [2, 1, 0, 0, 1, 0, 99]),
        ("to_last_long", [99, 99, 0, 0, 1, 0, 1]),
        ("line", list(range(7))),
        ("words_before", [n / 99 for n in (0, 1, 4, 24, 54, 56, 96)]),
        ("page_words", [99] * 7),
        ("place_lines", [2, 2, 4, 4, 4, 4, 1]),
        ("place_length", [2, 2, 23, 23, 23, 23, 3]),
        ("place_links", [1, 1, 0, 0, 0, 0, 0]),
    ],
)
def test_a_line_knows_where_it_stands_on_the_page(name, values):
    assert features(PAGE)[name] == pytest.approx(values)


def test_prose_is_long_lines_without_many_links_and_what_is_beside_its_bulk_is_off_it():
    prose = features(f"<p>{words(12)}</p><p><a>{words(12)}</a></p><p>{words(9)}</p>")["up0_prose"]
    assert prose.tolist() == [1, 0, 0]
    off = features(PAGE)["off_bulk"].tolist()
    assert off[2:6] == [0] * 4
    assert min(off[0], off[1], off[6]) > 0
    without = features(MENU)
    assert all(np.isnan(without[name]).all() for name in TO_PROSE)


def test_unknown_tags_share_a_number_and_a_class_makes_another_place():
    assert features("<foo>c</foo><bar>d</bar>")["tag"].tolist() == [len(structure.TAGS)] * 2
    assert features("<p>a</p><p class=x>b</p><p>c</p>")["place_lines"].tolist() == [2, 1, 2]


# The kind of page, things alike, sections and repetition around a line.


UNKNOWN = pytest.approx(np.nan, nan_ok=True)


def kind(*htmls: str) -> dict[str, list[float]]:
    lines = read(*htmls)
    found = columns(structure.kind_features(WORDS), lines)
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
    return {
        name: of.tolist() for name, of in columns(structure.item_features(), read(html)).items()
    }


def test_cards_are_alike_if_the_same_path_leads_to_them():
    cards = "<div class=card><h3>Tea</h3><p>for two</p></div>" * 3
    found = alike(f"{cards}<div class=note>buy now please</div>")
    assert found["up1_alike"] == [3] * 6 + [1]
    assert found["up1_alike_share"] == pytest.approx([9 / 12] * 6 + [1])
    assert found["up1_alike_words"] == [3] * 6 + [12]
    assert found["up0_alike"] == [3] * 6 + [1]
    assert found["up1_alike_before"] == pytest.approx([0, 0, 1 / 3, 1 / 3, 2 / 3, 2 / 3, 0])


def test_the_same_path_on_another_page_is_not_alike():
    found = columns(structure.item_features(), read("<p>a<p>b", "<p>c"))
    assert found["up0_alike"].tolist() == [2, 2, 1]
    assert found["up0_alike_before"].tolist() == [0, 0.5, 0]


def sections(html: str) -> dict[str, list[float]]:
    lines = read(html)
    arrays = text_arrays(lines, [page(html).title])
    found = columns(structure.section_features(TITLE_COVER), lines, **arrays)
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


def shared(html: str, *of_lines: float) -> dict[str, list[float]]:
    lines = read(html)
    widely = np.array(of_lines, dtype=np.float32)
    formulas = structure.repetition_features(load("shared", Axis.LINES), WORDS)
    found = columns(formulas, lines, shared=widely)
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


# Where readers may write.


ARTICLE = "<div><p>the whole long article of ten words and more of them</p><p>and its end</p></div>"
BOX = "<form><label>Your turn</label><textarea>say it</textarea></form>"
COMMENTS = f"<div><p>first comment</p><p>second</p>{BOX}</div>"
FOOT = "<footer>all rights</footer>"


def replies(*htmls: str) -> dict[str, list[float]]:
    lines = read(*htmls)
    prose = where(WORDS > 9, WORDS, 0)
    found = columns(structure.reply_features(prose), lines)
    return {name: values.tolist() for name, values in found.items()}


def test_comments_stand_with_the_box_and_the_article_apart_from_it():
    found = replies(ARTICLE + COMMENTS + FOOT)
    assert found["reply_prose_share"] == [1, 1, 0, 0, 0, 0, 1]
    np.testing.assert_allclose(found["reply_share"][2:4], [7 / 23, 7 / 23], rtol=1e-6)
    assert found["reply_up"] == [2, 2, 1, 1, 0, 0, 1]


def test_in_a_forum_the_box_stands_with_most_of_the_page():
    found = replies(f"<main>{ARTICLE}{BOX}</main>{FOOT}")
    assert found["reply_prose_share"][:2] == [1, 1]
    assert found["reply_share"][0] > 0.85


def test_lines_are_counted_to_the_next_box_and_from_the_last():
    nan = float("nan")
    found = replies(ARTICLE + COMMENTS + FOOT)
    np.testing.assert_equal(found["to_reply"], [5, 4, 3, 2, 1, nan, nan])
    np.testing.assert_equal(found["from_reply"][:5], [nan] * 5)
    assert found["from_reply"][6] == 1


def test_a_page_without_a_box_says_nothing_and_changes_no_other():
    for values in replies(ARTICLE).values():
        assert np.isnan(values).all()
    alone, between = replies(COMMENTS), replies(ARTICLE, COMMENTS, ARTICLE)
    for name, values in alone.items():
        np.testing.assert_equal(between[name], [np.nan] * 2 + values + [np.nan] * 2)


# Signs around a line that are no text of it, repetition, what the page tells of itself.


def are_unknown(values: list[float]) -> bool:
    return bool(np.isnan(values).all())


def signs(*htmls: str, told: list[SelfDescription | None] | None = None) -> dict[str, list[float]]:
    lines = read(*htmls)
    found = columns(sign_features(), lines, **sign_arrays(lines, told or [None] * len(htmls)))
    return {name: of.tolist() for name, of in found.items()}


def telling(**texts: str) -> SelfDescription:
    return SelfDescription(
        (0.0,) * len(DESCRIPTION_SIGNS), {what: as_words(text) for what, text in texts.items()}
    )


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
