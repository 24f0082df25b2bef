"""HEPS: sentences that are broken and joined, front nodes, the five conditions, and whole outlines.

The outlines are of twenty small pages, each for a rule, and were written by hand from the paper. The public code of
its authors is not at hand; where it differs from the paper, `heps-published` follows what is written of it, and an
outline of its own stands here.
"""

import pytest

from dbce.visual.headings import heps
from tests.visual.headings.build import blocks, outline, page


def leaves(source, breaking="internal", image_text="src"):
    options = heps.HepsOptions(breaking=breaking, image_text=image_text)
    root = heps.tree(page(source), 0, options.image_text)
    heps.without_breaking(root, options.breaking)
    return [leaf.content for leaf in root.leaves()]


def test_a_node_between_two_texts_and_all_that_look_like_it_are_joined_with_texts():
    assert leaves("<p>See <a href=x>the  notes</a> below.</p>") == ["See the notes below."]
    source = "<p>See <a href=x>a</a> below.</p><p><a href=y>This</a> is it.</p>"
    assert leaves(source) == ["See a below.", "This is it."]
    source = "<p>See <a href=x>a</a> below.</p><p><b>This</b> is it.</p>"
    assert leaves(source) == ["See a below.", "This", "is it."]
    assert leaves("<p>One <b>two <i>three</i> four</b> five</p>") == ["One two three four five"]


def test_br_is_not_internal_and_without_the_rule_all_stays():
    source = "<p>one<br>two</p><p><br>three<br>four</p>"
    assert leaves(source, "any") == ["one two", "three four"]
    assert leaves(source) == leaves(source, "none") == ["one", "two", "three", "four"]
    assert leaves("<p>See <b>a</b> below.</p>", "none") == ["See", "a", "below."]


def test_scripts_and_frames_are_left_out_and_hidden_texts_are_not():
    assert leaves("<p>a</p><script>var b;</script><p style='display:none'>c</p>") == ["a", "c"]


def test_a_node_of_that_style_becomes_a_text_even_if_it_stands_alone():
    root = heps.tree(page("<p>See <b>a</b> below.</p><p><b>Alone</b></p>"), 0, "src")
    heps.without_breaking(root, "internal")
    assert [leaf.looks.path for leaf in root.leaves()] == [("body", "p", "")] * 2


def test_an_image_says_its_address_or_words():
    source = '<p><img src="https://e.org/a-b.gif" alt="The  Title"></p>'
    assert leaves(source, image_text="src") == ["https://e.org/a-b.gif"]
    assert leaves(source, image_text="words") == ["e org a b gif The Title"]


FIGURE_6 = (
    "<div><b>2010</b><ul><li><b>Jul.</b> Started.</li></ul>"
    "<b>2012</b><ul><li><b>Feb.</b> Finished.</li><li><b>Mar.</b> Opened.</li>"
    "<li><b>Jul.</b> Millionth.</li></ul></div>"
)


def test_front_nodes_are_as_far_above_headings_as_no_two_meet():
    root = heps.tree(page(FIGURE_6), 0, "src")

    def fronts(*words):
        nodes = [leaf for leaf in root.leaves() if leaf.content in words]
        return [node.tag for node in heps.front_nodes(nodes, root)]

    assert fronts("2010", "2012") == ["b", "b"]
    assert fronts("Jul.", "Feb.", "Mar.") == ["li"] * 4
    assert fronts("Feb.") == ["body"]


def order(source):
    lists = heps.candidate_lists(heps.tree(page(source), 0, "src"))
    return [first.node.content for first, *_ in lists]


def test_lists_with_front_nodes_higher_up_come_first():
    source = "<ul><li><b>a</b></li><li><b>b</b></li></ul><p>c</p><p>d</p>"
    assert order(source) == ["c", "a"]


def test_of_one_depth_the_larger_font_comes_first_then_the_bolder_then_the_earlier():
    source = (
        "<p>plain</p><p>plain 2</p><h5>small</h5><h5>small 2</h5><h4>bold</h4><h4>bold 2</h4>"
        "<h2>large</h2><h2>large 2</h2><div>later</div><div>later 2</div>"
    )
    assert order(source) == ["large", "bold", "plain", "later", "small"]


OFF = {f"theta_{n}": "1" for n in (1, 2, 4, 5)} | {"theta_3": "0.99"}
"""No share is above 1: no condition drops a list but those whose members all stand alone."""


def of(source, **options):
    return outline(source, **OFF | options)


LONG = "that is said at some length below its name"
THREE = ["More", "More", "Less"]


def test_1_front_nodes_that_hold_accepted_headings_drop_the_list_or_their_candidates():
    # The texts of i meet where the blocks of h2 begin: the front node of each holds an h2.
    source = f"<div><h2>One</h2><i>{LONG} a</i></div><div><h2>Two</h2><i>{LONG} b</i></div>"
    assert of(source, theta_1="0") == of(source) == ["One", "Two"]


def test_2_blocks_without_more_than_their_heading_drop_the_list_or_their_candidates():
    source = f"<h2>One</h2><h2>Two</h2><h2>Three</h2><p>{LONG}</p>"
    assert of(source, theta_2="0.6") == []
    assert of(source, theta_2="0.7") == ["Three"]


def test_3_candidates_without_another_in_their_block_drop_the_list():
    source = (
        f"<h2>One</h2><h3>1a</h3><p>{LONG}</p><h2>Two</h2><p>{LONG}</p>"
        f"<h2>Three</h2><h3>3a</h3><p>{LONG}</p>"
    )
    found = ["One", "  1a", "Two", "Three", "  3a"]
    assert of(source, theta_3="0.9", theta_5="0") == ["One", "Two", "Three"]
    assert of(source, theta_3="0.9", theta_5="0", sibling="no") == found


def test_4_candidates_with_the_same_content_as_a_sibling_drop_the_list():
    source = "".join(f"<h2>{name}</h2><p>{LONG} {n}</p>" for n, name in enumerate(THREE))
    assert of(source, theta_4="0.6", theta_5="0") == []
    assert of(source, theta_4="0.7", theta_5="0") == THREE


def test_5_blocks_that_are_short_beside_their_headings_drop_the_list():
    # "Four" and "Four word": 4 characters, and 9 with the heading and a space: 2.25 times.
    source = "<h2>Four</h2><p>word</p><h2>Five</h2><p>word</p>"
    assert of(source, t="2.3", theta_5="0") == []
    assert of(source, t="2.2", theta_5="0") == ["Four", "Five"]


def test_a_share_of_exactly_theta_is_too_much_only_where_that_is_asked_for():
    half = f"<h2>One</h2><h2>Two</h2><p>{LONG}</p>"
    assert of(half, theta_2="0.5") == ["Two"]
    assert of(half, theta_2="0.5", at_least="yes") == []


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

ONE_TWO = ["One", "Two"]
JUL_AUG = ["  Jul", "  Aug"]
BOXED = f"<div><h2>One</h2><p>{A}</p></div><div><h2>Two</h2><p>{B}</p></div>"
MONTHS = (
    f"<h2>One</h2><h3>Jul</h3><p>{A}</p><h3>Aug</h3><p>{B}</p>"
    f"<h2>Two</h2><h3>Jul</h3><p>{C}</p><h3>Aug</h3><p>{A} {C}</p>"
)
SMALLER = (
    f"<h2>One</h2><h3>a</h3><p>{A}</p><h3>b</h3><p>{B}</p>"
    f"<h2>Two</h2><h3>c</h3><p>{C}</p><h3>d</h3><p>{A}</p>"
)
RED = "<h2 style='color:red'>"
UNSTYLED = f"<p>{A}</p><p>{B}</p><p>{C}</p>"
BLANK = f"<h2>One</h2>\n \n<p>{A}</p>&nbsp;<h2>Two</h2>\t<p>{B}</p>"
IMAGES = f"<img src=one.gif><p>{A}</p><img src=two.gif><p>{B}</p>"
ITEMS = f"<ul><li><b>One</b><i>{A}</i></li><li><b>Two</b><i>{B}</i></li></ul>"
MORE = f"<h2>More</h2><p>{A}</p><h2>More</h2><p>{B}</p><h2>More</h2><p>{C}</p>"
TOO_LONG = "<h2>A name that is long</h2><p>short</p><h2>Another that is long</h2><p>brief</p>"
LAST = f"{FLAT}<h2>Three</h2><p>{C}</p><h2>Four</h2><p>{A}</p><h2>Five</h2>"

PAGES = {
    "tags_of_one_style_are_one_list": (FLAT, ONE_TWO),
    "a_lower_list_cuts_the_blocks_of_a_higher_one": (
        NESTED,
        ["Overview", "Information", "  Holidays", "  Hours", "History"],
    ),
    "bold_lines_are_headings_as_well_as_tags": (BOLD, ONE_TWO),
    "a_list_of_one_is_none": (f"<h1>Title</h1><p>{A}</p><div>{B}</div>", []),
    "a_title_over_a_list_is_none_but_the_list_is": (f"<h1>Title</h1>{FLAT}", ONE_TWO),
    "links_within_sentences_are_none": (LINKS, ONE_TWO),
    "names_before_br_are_headings": (ROWS, ONE_TWO),
    "headings_in_boxes_take_the_boxes_with_them": (BOXED, ONE_TWO),
    "items_of_a_list_have_their_names": (ITEMS, ONE_TWO),
    "images_of_one_height_are_headings": (IMAGES, ["<one.gif>", "<two.gif>"]),
    "the_same_words_again_and_again_are_none": (MORE, []),
    "the_same_words_in_other_blocks_are": (MONTHS, ["One", *JUL_AUG, "Two", *JUL_AUG]),
    "headings_as_long_as_their_blocks_are_none": (TOO_LONG, []),
    "headings_above_nothing_are_none": ("<h2>One</h2><h2>Two</h2><h2>Three</h2>", []),
    "one_heading_above_nothing_among_many_goes_alone": (LAST, ["One", "Two", "Three", "Four"]),
    "headings_of_another_color_are_another_list_in_the_last_block_of_the_first": (
        f"{FLAT}{RED}Red</h2><p>{A}</p>{RED}Rot</h2><p>{C}</p>",
        ["One", "Two", "  Red", "  Rot"],
    ),
    "a_smaller_font_is_lower": (SMALLER, ["One", "  a", "  b", "Two", "  c", "  d"]),
    "text_without_any_style_has_no_headings": (UNSTYLED, []),
    "blank_texts_are_no_texts": (BLANK, ONE_TWO),
    "italic_and_underlined_lines_are_lists_too": (BOLD.replace("b>", "i>"), ONE_TWO),
}
"""By what each shows: the page, and the outline as the paper has it."""


@pytest.mark.parametrize("name", PAGES)
def test_outlines_of_the_paper(name):
    source, expected = PAGES[name]
    assert outline(source) == expected


def test_the_code_joins_the_rows_of_a_heading_and_the_paper_does_not():
    assert outline(TWO_ROWS) == []
    assert outline(TWO_ROWS, "heps-published") == ["One first", "Two second"]


def test_the_code_takes_a_quarter_of_empty_blocks_and_the_paper_only_a_fifth():
    source = f"<h2>Zero</h2>{FLAT}<h2>Three</h2><p>{C}</p>"
    assert outline(source) == []
    assert outline(source, "heps-published") == ["One", "Two", "Three"]


def test_without_the_third_condition_a_list_of_one_names_the_whole_body():
    assert outline(f"<h1>Title</h1><p>{A}</p><p>{B}</p>", sibling="no") == ["Title"]


def test_a_block_ends_before_the_next_front_node():
    assert blocks(FLAT) == [f"One {A}", f"Two {B}"]


def test_a_block_ends_where_the_one_around_it_ends_and_before_a_higher_heading():
    assert blocks(NESTED) == [
        f"Overview {A}",
        f"Information Holidays {B} Hours {C}",
        f"Holidays {B}",
        f"Hours {C}",
        f"History {A} {B}",
    ]


def test_a_block_ends_with_its_last_sibling():
    assert blocks(f"{BOXED}<p>{C}</p>") == [f"One {A}", f"Two {B} {C}"]
