"""The content body, and mode `dbce`: lines that look like headings, say what headings say, and stand where they stand."""

from dataclasses import replace

import pytest

from dbce.model import UsageError
from dbce.visual.headings import PageContext, body_of, element_at, headings
from dbce.visual.headings import lines as of_lines
from dbce.visual.headings.lines import LineGroups, LineOptions, Plain
from dbce.visual.headings.text_lines import lines_of
from tests.visual.headings.build import blocks, listed, outline, page

PAGE = page(
    "<div id=m><p>menu</p></div><div id=c><h1>title</h1><div><p>one</p><p>two</p></div></div>"
    "<table><tr><td>foot</td></tr></table>"
)
TEXTS = {text.text: text.node for text in PAGE.texts}


@pytest.mark.parametrize(
    ("shares", "path"),
    [
        ({"one": 1.0}, "/html/body/div[2]/div[1]/p[1]"),
        ({"one": 1.0, "two": 0.6}, "/html/body/div[2]/div[1]"),
        ({"title": 1.0, "one": 1.0, "two": 1.0}, "/html/body/div[2]"),
        ({"one": 1.0, "two": 1.0, "foot": 0.4}, "/html/body/div[2]/div[1]"),
        ({"title": 1.0, "menu": 1.0}, "/html/body"),
        ({}, "/html/body"),
    ],
)
def test_it_is_the_smallest_element_that_holds_all_content(shares, path):
    content = {TEXTS[name]: share for name, share in shares.items()}
    assert PAGE.elements[body_of(PAGE, "verdicts", content)].xpath == path


def test_it_can_be_the_whole_page_or_an_element():
    assert body_of(PAGE, "body", {}) == 0
    assert PAGE.elements[body_of(PAGE, "/html/body/div[2]", {})].attributes == {"id": "c"}
    # A first element may be numbered, and a tbody may be there or not.
    cell = element_at(PAGE, "/html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[1]")
    assert PAGE.elements[cell].tag == "td"
    with pytest.raises(UsageError, match="the page has no element /html/body/ol"):
        element_at(PAGE, "/html/body/ol")


TEXT = "Something is said here at some length, as in any paragraph of a page that has something to say. "
OTHER = "Then something else is told, which takes a while and is as plain as what was said above. "


def of(source, head=""):
    return outline(source, "dbce", head)


def test_tags_bold_lines_and_large_lines_are_headings():
    source = (
        f"<h1>Title</h1><p>{TEXT}</p><p><b>Bold</b></p><p>{OTHER}</p>"
        f"<p><font size=5>Large</font></p><p>{TEXT}</p><p><b>Row</b><br>{TEXT}</p>"
    )
    assert [line.strip() for line in of(source)] == ["Title", "Bold", "Large", "Row"]
    alone = f"<h1>Title</h1><p>{TEXT}</p><p>{OTHER}</p>"
    assert of(alone) == ["Title"]
    assert outline(alone, "heps-paper") == []


def test_what_a_browser_shows_where_no_script_runs_has_headings_too():
    shown = page(f"<section><h1><a href=/t/1>Title</a></h1><p>{TEXT}</p><p>{OTHER}</p></section>")
    elements = tuple(
        one._replace(tag="noscript") if one.tag == "section" else one for one in shown.elements
    )
    assert listed(replace(shown, elements=elements), "dbce") == ["Title"]


def test_bold_words_in_a_sentence_and_bold_sentences_are_none():
    assert of(f"<p>It is <b>very</b> plain. {TEXT}</p><p><b>{OTHER}</b></p><p>{TEXT}</p>") == []


def test_what_links_to_a_heading_or_edits_it_is_no_part_of_it():
    for link in (
        "<a href='#h'>¶</a>",
        " <a href=e>[edit]</a>",
        " <span>[<a href=e>edit</a>]</span>",
    ):
        assert of(f"<h2>History{link}</h2><p>{TEXT}</p>") == ["History"]


def test_a_heading_of_two_rows_is_one_and_a_hidden_one_is_none():
    assert of(f"<h1>One<br>and two</h1><p>{TEXT}</p>") == ["One and two"]
    assert of(f"<h2 hidden>Hidden</h2><p>{TEXT}</p><h2>Seen</h2><p>{OTHER}</p>") == ["Seen"]
    assert of("<p></p>") == []


def test_a_larger_heading_is_higher_whatever_comes_first():
    source = (
        f"<h2>One</h2><p>{TEXT}</p><h3>a</h3><p>{OTHER}</p><h2>Two</h2><p>{TEXT}</p>"
        f"<h3>b</h3><p>{OTHER}</p>"
    )
    assert of(source) == ["One", "  a", "Two", "  b"]


def test_a_block_goes_on_until_a_heading_of_its_level():
    source = "<h2>One</h2><p>first</p><h3>a</h3><p>second</p><h2>Two</h2><p>third</p>"
    assert blocks(source, "hn-dt") == ["One first a second", "a second", "Two third"]


def test_a_line_is_read_with_its_neighbours_in_a_group_of_the_template():
    one = page(f"<p class=t>Weather</p><p>{TEXT}</p>", "<style>.t{font-weight:600}</style>")
    others, alone = LineGroups(), LineGroups()
    for _ in range(3):
        of_lines.count_lines(one, 0, {}, others)
    lines = lines_of(one, 0, {})
    plain = Plain(lines)
    alone.add(lines, plain)
    of_template, of_page = (
        of_lines.features(lines, groups, plain)[0]["group"] for groups in (others, alone)
    )
    assert of_template > of_page == 0


def test_the_template_can_be_left_out_and_the_threshold_decides():
    one = page(f"<h2>One</h2><p>{TEXT}</p>")

    def count(options):
        # The groups are of a template that this page is not counted with.
        known = PageContext({}, LineGroups() if not options.template else None)
        return len(headings(one, 0, "dbce", options, known).headings)

    assert count(LineOptions(template=False)) == 1
    assert [count(LineOptions(threshold)) for threshold in (0.0, 1.0)] == [2, 0]


def table(*rows):
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


@pytest.mark.parametrize("label", ["<td><b>{}</b>", "<th>{}</th>", "<td></td><td><h3>{}</h3>"])
def test_labels_of_rows_are_none(label):
    rows = [f"{label.format(name)}<td>{OTHER}" for name in ("Height", "Weight", "Base")]
    assert of(f"<h2>Facts</h2><p>{TEXT}</p>{table(*rows)}<p>{TEXT}</p>") == ["Facts"]


def test_labels_of_columns_are_none_and_what_names_rows_is_one():
    rows = [f"<td>{name}</td><td>{OTHER}</td>" for name in ("Height", "Weight", "Base")]
    head = "<td><h3>Feature</h3></td><td><h3>What is said</h3></td>"
    across = "<td colspan=2><h3>Of the body</h3></td>"
    found = of(f"<h2>Facts</h2><p>{TEXT}</p>{table(head, across, *rows)}")
    assert [line.strip() for line in found] == ["Facts", "Of the body"]


def test_headings_in_tables_that_lay_a_page_out_stay():
    columns = "".join(f"<td><h2>{name}</h2><p>{TEXT}</p></td>" for name in ("One", "Two"))
    assert of(table(columns, columns, columns)) == ["One", "Two"] * 3
    beside = f"<td><h2>News</h2></td><td>{TEXT}</td>"
    assert of(table(beside, beside)) == ["News"] * 2, "two rows make no table of data"
