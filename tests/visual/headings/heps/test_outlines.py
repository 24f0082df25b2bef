"""Twenty small pages, each for a rule of HEPS, with outlines that were written by hand from the paper.

The public code of its authors is not at hand; where it differs from the paper, `heps-published` follows
what is written of it, and an outline of its own stands here.
"""

from __future__ import annotations

import pytest

from tests.visual.headings.build import blocks, outline

A = "Something is said here at some length."
B = "Then something else is told, which takes a while."
C = "At the end there are words of another kind."

FLAT = f"<h2>One</h2><p>{A}</p><h2>Two</h2><p>{B}</p>"
NESTED = (
    f"<h2>Overview</h2><p>{A}</p><h2>Information</h2><dl><dt>Holidays</dt><dd>{B}</dd>"
    f"<dt>Hours</dt><dd>{C}</dd></dl><h2>History</h2><p>{A} {B}</p>"
)
BOLD = f"<p><b>One</b></p><p>{A}</p><p><b>Two</b></p><p>{B}</p>"
TWO_ROWS = f"<h2>One<br>first</h2><p>{A}</p><h2>Two<br>second</h2><p>{B}</p>"
ROWS = f"<p><b>One</b><br>{A}<br>{B}</p><p><b>Two</b><br>{C}<br>{A}</p>"
LINKS = f"<h2>One</h2><p>{A} <a href=x>More</a> {B}</p><h2>Two</h2><p><a href=y>Less</a> {C}</p>"

PAGES = {
    "tags_of_one_style_are_one_list": (FLAT, ["One", "Two"]),
    "a_lower_list_cuts_the_blocks_of_a_higher_one": (
        NESTED,
        ["Overview", "Information", "  Holidays", "  Hours", "History"],
    ),
    "bold_lines_are_headings_as_well_as_tags": (BOLD, ["One", "Two"]),
    "a_list_of_one_is_none": (f"<h1>Title</h1><p>{A}</p><div>{B}</div>", []),
    "a_title_over_a_list_is_none_but_the_list_is": (
        f"<h1>Title</h1>{FLAT}",
        ["One", "Two"],
    ),
    "links_within_sentences_are_none": (LINKS, ["One", "Two"]),
    "names_before_br_are_headings": (ROWS, ["One", "Two"]),
    "headings_in_boxes_take_the_boxes_with_them": (
        f"<div><h2>One</h2><p>{A}</p></div><div><h2>Two</h2><p>{B}</p></div>",
        ["One", "Two"],
    ),
    "items_of_a_list_have_their_names": (
        f"<ul><li><b>One</b><i>{A}</i></li><li><b>Two</b><i>{B}</i></li></ul>",
        ["One", "Two"],
    ),
    "images_of_one_height_are_headings": (
        f"<img src=one.gif><p>{A}</p><img src=two.gif><p>{B}</p>",
        ["<one.gif>", "<two.gif>"],
    ),
    "the_same_words_again_and_again_are_none": (
        f"<h2>More</h2><p>{A}</p><h2>More</h2><p>{B}</p><h2>More</h2><p>{C}</p>",
        [],
    ),
    "the_same_words_in_other_blocks_are": (
        (
            f"<h2>One</h2><h3>Jul</h3><p>{A}</p><h3>Aug</h3><p>{B}</p>"
            f"<h2>Two</h2><h3>Jul</h3><p>{C}</p><h3>Aug</h3><p>{A} {C}</p>"
        ),
        ["One", "  Jul", "  Aug", "Two", "  Jul", "  Aug"],
    ),
    "headings_as_long_as_their_blocks_are_none": (
        "<h2>A name that is long</h2><p>short</p><h2>Another that is long</h2><p>brief</p>",
        [],
    ),
    "headings_above_nothing_are_none": ("<h2>One</h2><h2>Two</h2><h2>Three</h2>", []),
    "one_heading_above_nothing_among_many_goes_alone": (
        f"{FLAT}<h2>Three</h2><p>{C}</p><h2>Four</h2><p>{A}</p><h2>Five</h2>",
        ["One", "Two", "Three", "Four"],
    ),
    "headings_of_another_color_are_another_list_in_the_last_block_of_the_first": (
        f"{FLAT}<h2 style='color:red'>Red</h2><p>{A}</p><h2 style='color:red'>Rot</h2><p>{C}</p>",
        ["One", "Two", "  Red", "  Rot"],
    ),
    "a_smaller_font_at_the_same_depth_is_lower": (
        (
            f"<h2>One</h2><h3>a</h3><p>{A}</p><h3>b</h3><p>{B}</p><h2>Two</h2><h3>c</h3><p>{C}</p>"
            f"<h3>d</h3><p>{A}</p>"
        ),
        ["One", "  a", "  b", "Two", "  c", "  d"],
    ),
    "text_without_any_style_has_no_headings": (f"<p>{A}</p><p>{B}</p><p>{C}</p>", []),
    "blank_texts_are_no_texts": (
        f"<h2>One</h2>\n \n<p>{A}</p>&nbsp;<h2>Two</h2>\t<p>{B}</p>",
        ["One", "Two"],
    ),
    "italic_and_underlined_lines_are_lists_too": (
        f"<p><i>One</i></p><p>{A}</p><p><i>Two</i></p><p>{B}</p>",
        ["One", "Two"],
    ),
}
"""By what each shows: the page, and the outline as the paper has it."""


@pytest.mark.parametrize("name", PAGES)
def test_outlines_of_the_paper(name: str) -> None:
    source, expected = PAGES[name]
    assert outline(source) == expected


def test_the_code_joins_the_rows_of_a_heading_and_the_paper_does_not() -> None:
    assert outline(TWO_ROWS) == []
    assert outline(TWO_ROWS, "heps-published") == ["One first", "Two second"]


def test_the_code_takes_a_quarter_of_empty_blocks_and_the_paper_only_a_fifth() -> None:
    source = f"<h2>Zero</h2>{FLAT}<h2>Three</h2><p>{C}</p>"
    assert outline(source) == []
    assert outline(source, "heps-published") == ["One", "Two", "Three"]


def test_without_the_third_condition_a_list_of_one_names_the_whole_body() -> None:
    assert outline(f"<h1>Title</h1><p>{A}</p><p>{B}</p>", sibling="no") == ["Title"]


def test_a_block_ends_before_the_next_front_node() -> None:
    assert blocks(FLAT) == [f"One {A}", f"Two {B}"]


def test_a_block_ends_where_the_one_around_it_ends_and_before_a_higher_heading() -> None:
    assert blocks(NESTED) == [
        f"Overview {A}",
        f"Information Holidays {B} Hours {C}",
        f"Holidays {B}",
        f"Hours {C}",
        f"History {A} {B}",
    ]


def test_a_block_ends_with_its_last_sibling() -> None:
    source = f"<div><h2>One</h2><p>{A}</p></div><div><h2>Two</h2><p>{B}</p></div><p>{C}</p>"
    assert blocks(source) == [f"One {A}", f"Two {B} {C}"]
