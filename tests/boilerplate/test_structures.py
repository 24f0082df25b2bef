"""What people read as one thing is kept or dropped as one."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dbce.boilerplate.classify import LineValues, page_features, read_lines
from dbce.boilerplate.decide import line_values, structures, tree
from dbce.boilerplate.decide.article import LETTER_BYTES
from dbce.boilerplate.decide.structures import decide
from dbce.boilerplate.decide.tree import APART
from dbce.boilerplate.word_labels import WordLabels
from dbce.html import KIND
from dbce.kernel import compiled
from dbce.metadata import Opening, letters
from dbce.model import Page
from tests import reference
from tests.html.soup import page as parsed

SURE, LIKELY, NO, UNSURE = 0.4, 0.2, -0.4, -0.1
"""Gains of a word: of what is content beyond doubt, and likely, of what is none, of what a line alone would lose."""


def decided(
    html: str,
    gains: dict[str, float],
    *titles: str,
    hidden: str = "",
    descriptions: Sequence[str] = (),
    is_article: bool = False,
    own: Sequence[str] = (),
) -> tuple[Page, list[str], list[bool], list[int]]:
    """A page, its lines and the decision on each; each line gains what is said of its text, else it is content."""
    page = parsed(html)
    of_node, *places = (of.tolist() for of in read_lines([page]).places(0))
    texts = [""] * (of_node[-1] + 1)
    for node, line in zip(page.nodes, of_node, strict=True):
        texts[line] += node.text
    values = LineValues(
        *(page, of_node, *places),
        [gains.get(text, SURE) for text in texts],
        [float(len(text.split())) for text in texts],
        [text != hidden for text in texts],
        [text in own for text in texts],
        [False] * len(texts),
    )
    return page, texts, *decide(values, Opening(titles, tuple(descriptions), is_article))


def kept(html: str, gains: dict[str, float], *titles: str, **more: Any) -> list[str]:
    """The lines of a page that stay."""
    _, texts, stay, _ = decided(html, gains, *titles, **more)
    return [text for text, stays in zip(texts, stay, strict=True) if stays]


def units(html: str, gains: dict[str, float]) -> dict[str, tuple[str, str]]:
    """The structure that each line was decided on with: its kind, and the tag and place of its element."""
    page, texts, _, elements = decided(html, gains)

    def unit(element: int) -> tuple[str, str]:
        tag = page.tags[element]
        return KIND[page.tags[element]], f"{tag}{page.tags[:element].count(tag)}"

    of_lines = zip(texts, elements, strict=True)
    return {text: unit(element) if element >= 0 else ("", "") for text, element in of_lines}


INFOBOX = (
    "<table><tr><th>Artist</th><td>Leonardo da Vinci</td></tr>"
    "<tr><th>Year</th><td>about 1503 to 1506</td></tr></table>"
)

LIST = "<ul><li>the first thing</li><li>buy this now</li><li>the last thing</li></ul>"
FORUM = (
    "<table><tr><td>Poster</td><td>Date</td></tr><tr><td>Anna Berg</td><td>3 May 2008</td></tr>"
    "<tr><td>Otto Lind</td><td>4 May 2008</td></tr></table>"
)


@pytest.mark.parametrize(
    ("html", "shared"),
    [
        (INFOBOX, ["Artist", "Year"]),
        ("<ul><li>a post of words<br>by Anna</li><li>another<br>by Ben</li></ul>", ["by Anna"]),
        (LIST, ["buy this now"]),
        (FORUM, ["Poster", "Date"]),
        (FORUM, ["Date", "4 May 2008"]),
        (FORUM.replace("<tr><td>Anna", "<tr><th colspan=2>Crew</th></tr><tr><td>Anna"), ["Crew"]),
        ("<dl><dt>Hull<dd>oak, tarred<dt>Mast<dd>pine from Turku</dl>", ["Hull", "Mast"]),
        ("<pre><div>import sea</div><div>sea.open('a boat')</div></pre>", ["import sea"]),
        ("<blockquote><p>Mind this</p><p>It does not float.</p></blockquote>", ["Mind this"]),
        ("<address>Anna Holm<br>Quay street<br>Tarport</address>", ["Tarport"]),
        ("<p>The boat left <x-time>at nine</x-time> on the tide</p>", ["at nine"]),
    ],
)
def test_a_structure_is_whole_or_not_there_wherever_its_shared_part_stands(html, shared):
    _, texts, *_ = decided(html, {})
    assert kept(html, dict.fromkeys(shared, NO)) == texts
    assert kept(html, dict.fromkeys(texts, NO) | dict.fromkeys(shared, 0.1)) == []


@pytest.mark.parametrize(
    "inner", ["<table><tr><td>early</td><td>late</td></tr></table>", "<ul><li>early<li>late</ul>"]
)
def test_a_table_keeps_what_its_cells_hold(inner):
    rows = f"<tr><td>2021<td>31 crates<tr><td>2022<td>{'crates ' * 30}"
    html = f"<table><tr><th>Year</th><th>{inner}</th></tr>{rows}</table>"
    lines = kept(html, dict.fromkeys(("early", "late", "2022"), NO))
    assert {"Year", "early", "late", "2022", "31 crates"} <= set(lines)


def test_a_long_item_is_a_post_and_its_frame_goes():
    posts = [" ".join([word] * 30) for word in ("oars", "nets")]
    frame = "Offline"
    html = f"<ol><li>{frame}<p>{posts[0]}</p></li><li>{frame}<div>{posts[1]}</div></li></ol>"
    assert kept(html, {frame: NO}) == posts


def test_a_list_that_nobody_closed_does_not_keep_the_menus_in_it():
    article = [" ".join([word] * 50) for word in ("oars", "nets", "sails", "tides", "keels")]
    paragraphs = "".join(f"<p>{text}</p>" for text in article)
    html = f"<ul><main><ul><li>Home</li><li>Careers</li></ul>{paragraphs}</main>"
    assert kept(html, {"Home": NO, "Careers": NO}) == article


MENU = "<a href=/>Start page</a><br><a href=/n>All the tides</a>"
PROSE = "A keeper counted the boats of the harbour twice a day until the ferry came back."


@pytest.mark.parametrize(
    "html",
    [
        f"<table><tr><td>{MENU}</td><td><h1>Boats</h1><p>{PROSE}</p></td></tr></table>",
        f"<table><tr><td>{PROSE}</td><td>Partners<br>{MENU}</td></tr></table>",
        f"<table><tr><td>Quay pages<tr><td>{MENU}<td>{PROSE}<br>{PROSE}<tr><td>Mail us</table>",
        f"<table><tr><td><a>Start page</a> | <a>All the tides</a><tr><td><p>{PROSE}<p>{PROSE}</table>",
        f"<table><tr><td><ul><li>Start page<li>All the tides</ul></td><td><pre>{PROSE}</pre></td></tr></table>",
    ],
)
def test_cells_of_a_layout_are_parted_whatever_their_length(html):
    others = (
        "Start page | All the tides",
        "Start page",
        "All the tides",
        "Partners",
        "Quay pages",
        "Mail us",
    )
    found = kept(html, dict.fromkeys(others, UNSURE))
    assert PROSE in found
    assert set(found) <= {"Boats", PROSE}


def test_a_label_beside_text_in_a_table_of_one_row_makes_no_layout():
    html = f"<table><tr><td><div>Note</div></td><td>{PROSE}</td></tr></table>"
    assert kept(html, {"Note": NO}) == ["Note", PROSE]


TEXT = "<p>It does not float.</p>"


@pytest.mark.parametrize(
    ("html", "label", "stays"),
    [
        (f"<div class=x><p>Caution</p>{TEXT}</div>", "Caution", True),
        ("<aside><div><b>Note</b></div><div>It sinks in the water.</div></aside>", "Note", True),
        (f"<section><h4>Danger</h4>{TEXT}</section>", "Danger", True),
        ("<div><div>Weight</div><div>2.1 kg of it</div></div>", "Weight", True),
        ("<div><h3>open(path)</h3><p>Since 2.1</p><p>Opens it.</p></div>", "Since 2.1", True),
        ("<div><div>x = 2y + z</div><div>(1)</div></div>", "(1)", True),
        (f"<div><a href=/s>Share</a>{TEXT}</div>", "Share", False),
        (f"<div>{TEXT}<p>Share it now</p></div>", "Share it now", False),
        ("<div><p>Caution</p><p>It sinks in the water.</p><p>so buy</p></div>", "Caution", False),
        (f"<div><p>Dateline</p>{'<p>It does not float at all.</p>' * 12}</div>", "Dateline", False),
        (f"<main><p>Dateline</p>{TEXT}</main>", "Dateline", False),
    ],
)
def test_a_box_of_which_all_else_stays_keeps_its_label(html, label, stays):
    html = f"<p>{PROSE}</p>{html}<p>{PROSE}</p>"
    assert (label in kept(html, {label: NO, "so buy": NO})) is stays


@pytest.mark.parametrize(
    ("box", "before", "gain", "stays"),
    [
        ("<div class='callout tip'>{}</div>", SURE, -0.2, True),
        ("<aside class='box--Note'>{}</aside>", SURE, -0.2, True),
        *(("<div class=tip>{}</div>", *gains, False) for gains in ((SURE, -0.21), (0.3, -0.2))),
        ("<div class='callouts'>{}</div>", SURE, -0.2, False),
        ("<div class='kg-callout-card'>{}</div>", SURE, -0.2, True),
        ("<div class=comment_callout>{}</div>", SURE, -0.2, False),
        *(("<details>{}</details>", SURE, gain, gain > 0) for gain in (-0.2, 0.3)),
        ("</div><div><div class='callout'>{}</div></div><div>", SURE, -0.2, False),
    ],
)
def test_a_callout_stays_behind_text_that_is_content_beyond_doubt(box, before, gain, stays):
    callout = box.format("<b>Tip</b><p>Score it once.</p>")
    html = f"<div><p>{PROSE}</p>{callout}</div><p>send mail</p>"
    lines = kept(html, {PROSE: before, "Tip": NO, "Score it once.": gain, "send mail": NO})
    assert ("Tip" in lines, "Score it once." in lines) == (stays, stays)


POSTS = "".join(
    f"<div class='post'><div class='by'><a>poster {n}</a></div><div class='words'>They said {n}.</div></div>"
    for n in range(5)
)


@pytest.mark.parametrize("stays", [True, False])
def test_what_stands_in_the_same_place_of_posts_is_judged_together(stays):
    usual, other = (SURE, UNSURE) if stays else (UNSURE, 0.2)
    gains = {f"poster {n}": usual for n in range(5)} | {"poster 3": other}
    lines = kept(POSTS, gains)
    assert [f"poster {n}" in lines for n in range(5)] == [stays] * 5
    assert sum(line.startswith("They said") for line in lines) == 5


def test_of_repeated_siblings_one_differs_that_is_clearly_of_another_kind():
    found = kept(POSTS, {"poster 3": NO})
    assert ("poster 3" in found, "poster 2" in found) == (False, True)
    twice = "<div class=a>one</div><div class=a>two</div><div class=b>three</div>"
    assert kept(twice, {"two": UNSURE}) == ["one", "three"], "what is there twice stands alone"


def test_a_line_is_told_with_the_outermost_structure_that_was_decided_as_it():
    found = units(
        f"<h2><b>Works</b></h2>{LIST}<p>Some prose.</p><div>a line</div>", {"buy this now": NO}
    )
    assert found == {
        "Works": ("heading", "h20"),
        **dict.fromkeys(("the first thing", "buy this now", "the last thing"), ("list", "ul0")),
        "Some prose.": ("paragraph", "p0"),
        "a line": ("", ""),
    }
    layout = units(f"<table><tr><td><p>Beside</p><td>{INFOBOX}</table>", {})
    assert layout["Beside"] == ("paragraph", "p0")
    assert layout["Artist"] == ("table", "table1")


def test_a_table_that_lays_the_page_out_decides_nothing():
    menu, article = "home news sport", " ".join(["word"] * 300)
    layout = f"<table><tr><td>{menu}</td><td>{{}}</td></tr></table>"
    assert kept(layout.format(article), {menu: UNSURE}) == [article]
    nested = kept(layout.format(f"a text {INFOBOX}"), {menu: UNSURE, "Artist": UNSURE})
    assert (menu in nested, "Artist" in nested) == (False, True)
    bar = "<tr><td>" + " ".join(["<a>Sea</a>"] * 3)
    assert kept(f"<table>{bar}<tr><td>{PROSE}<td>a</table>", {}) == [PROSE, "a"]


@pytest.mark.parametrize(
    ("html", "gains", "stay"),
    [
        (  # a section of which nothing stays
            "<h2>See also</h2><p>links to others</p><h2>Works</h2><p>a text</p>",
            {"links to others": NO},
            ["Works", "a text"],
        ),
        (  # a section below it
            "<h2>Works</h2><p>all on one page</p><h3>Early</h3><p>a text</p>",
            {"all on one page": NO},
            ["Works", "Early", "a text"],
        ),
        (  # headings that follow each other, and one at the end
            "<h2>A title</h2><h2>and what it means</h2><p>a text</p><h2>Comments</h2>",
            {},
            ["A title", "and what it means", "a text"],
        ),
        (  # text below a heading that goes
            f"<h2>Notes</h2><h3>Advertisement of ours for you</h3><p>{PROSE}</p>",
            {"Advertisement of ours for you": 2 * NO},
            ["Notes", PROSE],
        ),
        (  # headings set alike, of which one goes
            "<h3>One</h3><p>kept</p><h3>Two</h3><p>lost</p><h3>Three</h3><p>kept, too</p>",
            {"lost": NO, "Two": -0.5, "One": 0.1, "Three": -structures.LEAN_OF_HEADINGS},
            ["One", "kept", "Three", "kept, too"],
        ),
        (  # the name of a list that goes
            "<h3>Features</h3><ul><li>two pockets</li><li>a strap</li></ul><p>behind it</p>",
            {"Features": UNSURE, "two pockets": NO, "a strap": NO},
            ["behind it"],
        ),
    ],
)
def test_a_heading_goes_with_the_text_of_its_section(html, gains, stay):
    assert kept(html, gains) == stay


POCKETS = "<ul><li>two pockets</li><li>a strap</li></ul>"
WEIGHTS = "<table><tr><td>weight</td><td>one pound</td></tr><tr><td>use</td></tr></table>"
NAMED = "<p>before it</p><h3>Features</h3>{}<p>send mail</p>"
METHOD = "<h2>Features</h2><p>Cook it.</p><p>send mail</p>"
TALK = "<p>The boat</p><h2>Features</h2><p>Cook it.</p><p>send mail</p><h2>Abstract</h2>"
PODS = "<h1>Features</h1><p>They hold peas.</p><p>send mail</p>"
LEAN, AGAINST = structures.LEAN_ON_SURE, structures.APART_ON_SURE


@pytest.mark.parametrize(
    ("html", "gain", "others", "stays"),
    [
        # It names a list or a table.
        (NAMED.format(POCKETS), UNSURE, {"two pockets": LIKELY}, True),
        (NAMED.format(WEIGHTS), UNSURE, {"weight": LIKELY}, True),
        (NAMED.format(POCKETS), -AGAINST - 0.01, {}, False),
        (NAMED.format("<p>Cook it.</p>"), UNSURE, {"Cook it.": LIKELY}, False),
        (NAMED.format(f"<p>Cook it.</p>{POCKETS}"), UNSURE, {"Cook it.": LIKELY}, False),
        # It stands just before text that is content beyond doubt, and fails by little.
        (METHOD, -LEAN, {}, True),
        (METHOD, -LEAN - 0.01, {}, False),
        (METHOD, -LEAN, {"Cook it.": LIKELY}, False),
        # All of its text stays.
        (TALK, -APART, {"Cook it.": LIKELY, "send mail": SURE}, True),
        (TALK, -APART - 0.01, {"Cook it.": LIKELY, "send mail": SURE}, False),
        (TALK, -AGAINST, {"send mail": SURE}, True),
        (TALK, -AGAINST - 0.01, {"send mail": SURE}, False),
        (TALK, -APART, {}, False),
        # It is the only one of the first level before text that stays.
        (PODS, -APART, {}, True),
        (f"{PODS}<h1>Jobs</h1><p>send mail</p>", -APART, {"Jobs": -APART}, True),
        (f"{PODS}<h1>Jobs</h1><p>sail</p>", -APART, {"Jobs": -APART}, False),
    ],
)
def test_a_heading_stays_with_what_it_names(html, gain, others, stays):
    assert ("Features" in kept(html, {"Features": gain, "send mail": NO} | others)) is stays


@pytest.mark.parametrize(
    ("head", "titles"),
    [
        ("<title>The ferry - Harbour News</title>", ()),
        ("<title>Harbour News</title>", ("The ferry",)),
        ("<title>The &amp;ferry</title>", ("The ferry sails again",)),
    ],
)
def test_the_headline_stays_always(head, titles):
    html = f"<head>{head}</head><h1>The <b>ferry</b></h1><p>a text</p>"
    assert kept(html, {"The ferry": -0.9}, *titles) == ["The ferry", "a text"]


def test_what_no_reader_sees_is_no_headline():
    html = "<title>The ferry</title><h1>The ferry</h1><h2>The ferry.</h2><p>a text</p>"
    gains = {"The ferry": NO, "The ferry.": NO}
    assert kept(html, gains, hidden="The ferry") == ["The ferry.", "a text"]


def noted(mark: str, note: str) -> str:
    return f"<p>It is a portrait.{mark} It hangs in Paris.</p><p>Advertise here</p><h2>Notes</h2>{note}"


WIKIPEDIA = noted(
    "<sup id=cite_ref-1><a href='#cite_note-1'><span>[</span>1<span>]</span></a></sup>",
    "<ol><li id=cite_note-1><a href='#cite_ref-1'>^</a> <span>Carrier, 2006</span></li>"
    "<li id=cite_note-2><span>Zöllner, 1993</span></li></ol>",
)
PANDOC = noted(
    "<a href='#fn1' id=fnref1><sup>1</sup></a>",
    "<section><ol><li id=fn1><p>Carrier, 2006</p></li><li><p>Zöllner, 1993</p></li></ol></section>",
)
WORD = noted(
    "<a href='#_ftn1' id=_ftnref1>[1]</a>",
    "<p><a id=_ftn1 href='#_ftnref1'>[1]</a> Carrier, 2006</p><p>Zöllner, 1993</p>",
)
ANCHOR = noted(
    "<a href='#one'><sup>1</sup></a>",
    "<p><a name=one><sup>1</sup></a> Carrier, 2006 <br> as the list says</p><p>Zöllner, 1993</p>",
)
SIGN = noted("<sup><a href='#n'>*</a></sup>", "<p id=n>Carrier, 2006</p><p>Zöllner, 1993</p>")
BOX = noted("<a href='#n'>[1]</a>", "<aside id=n>Carrier, 2006</aside><p>Zöllner, 1993</p>")
TERM = noted("<a href='#n'>[1]</a>", "<dl><dt id=n>1<dd>Carrier, 2006</dl><p>Zöllner, 1993</p>")
STYLED = noted(
    "<a href='#n' id=m>1</a>",
    "<div><a id=n href='#m'>1</a><div><p>Carrier, 2006</div></div><p>Zöllner, 1993</p>",
)
CLICK = noted("<a href='#n'>[1]</a>", "<div hidden id=n><p>Carrier, 2006</div><p>Zöllner, 1993</p>")
SHOWN = CLICK.replace("<a href='#n'>[1]</a>", "<sup data-definition=n>*</sup>")
NAMED = CLICK.replace("<a href='#n'>[1]</a>", "<b aria-describedby=n>[1]</b>")


def judged(html: str, gains: dict[bool, float]) -> tuple[bool, bool]:
    """If the note that a mark leads to stays, and the other note, by what the paragraph with the mark gains, and the rest."""
    _, texts, *_ = decided(html, {})
    lines = "".join(kept(html, {text: gains["portrait" in text] for text in texts}))
    return "Carrier" in lines, "Zöllner" in lines


@pytest.mark.parametrize(
    "html", [WIKIPEDIA, PANDOC, WORD, ANCHOR, SIGN, BOX, TERM, STYLED, CLICK, SHOWN, NAMED]
)
def test_a_note_stays_when_its_mark_stays_and_goes_when_that_goes(html):
    assert judged(html, {True: SURE, False: NO}) == (True, False)
    assert judged(html, {True: NO, False: SURE}) == (False, True)


@pytest.mark.parametrize(
    ("link", "note"),
    [
        ("<a href='#h'>1</a>", "<p id=h>Carrier, 2006</p>"),  # such as pages of results
        ("<a href='#h'>[1]</a>", f"<div id=h>Carrier, 2006 {'and so on ' * 20}</div>"),
        ("<a href='#nowhere'>[1]</a>", "<p id=h>Carrier, 2006</p>"),
        ("", "<p>Carrier, 2006 <a href='#top'>↑</a></p>"),
        (" <a href='#h' id=m>1</a>", "<p><a id=h href='#m'>1</a> Carrier, 2006</p>"),
        ("<a href='#h'>[1]</a>", f"<p id=h>{'Carrier, 2006 ' * 150}</p>"),
    ],
)
def test_what_only_looks_like_a_mark_keeps_nothing(link, note):
    assert judged(noted(link, note), {True: SURE, False: NO}) == (False, False)


@pytest.mark.parametrize("gain", [SURE, NO])
def test_a_formula_stays_between_lines_that_stay(gain):
    formulas = {r"\[x\]": NO, "$$y$$ (2)": NO}
    page = "".join(f"<div>{text}</div>" for text in ("They drew.", *formulas, "They sold."))
    assert (len(kept(page, formulas | {"They drew.": SURE, "They sold.": gain})) == 4) is (gain > 0)


def test_links_to_each_other_and_to_themselves_end():
    ring = "".join(
        f"<li id=n{n}><sup><a href='#n{(n + 1) % 50}'>{n}</a></sup> Carrier</li>" for n in range(50)
    )
    assert kept(f"<ol>{ring}</ol>", {})


STANDFIRST = "The harbour office says that no ferry goes before the storm is over."


@pytest.mark.parametrize(
    ("description", "stays"),
    [
        (STANDFIRST, True),
        (f"{STANDFIRST[:61]}...", True),
        (f"{STANDFIRST} More of it is here.", True),
        ("Harbour News, your paper from the harbour, with all that is new every day.", False),
        ("The harbour office says", False),
        ("", False),
    ],
)
def test_the_standfirst_below_the_headline_stays_always(description, stays):
    html = f"<title>The ferry</title><h1>The ferry</h1><div>By Ann</div><div>{STANDFIRST}</div><p>text</p>"
    lines = kept(html, {STANDFIRST: NO}, descriptions=(description,))
    assert (STANDFIRST in lines) == stays


def test_a_description_without_a_headline_above_it_is_no_standfirst():
    html = f"<title>The ferry</title><div>{STANDFIRST}</div><h1>The ferry</h1><p>text</p>"
    assert STANDFIRST not in kept(html, {STANDFIRST: NO}, descriptions=(STANDFIRST,))
    far = f"<title>The ferry</title><h1>The ferry</h1>{'<p>a line</p>' * 30}<div>{STANDFIRST}</div>"
    assert STANDFIRST not in kept(far, {STANDFIRST: NO}, descriptions=(STANDFIRST,))


LONG = " ".join(["The ferry crossed the strait for a hundred years, in fog and in ice."] * 5)

BESIDE = "<main><{tag}><h1>The hand ferry</h1><p>By Ann Lee</p><p>{words}</p></{tag}><{tag}>{heading}<p>It hung in the tower.</p></{tag}><p>Both stand.</p></main>"


@pytest.mark.parametrize(
    ("heading", "words", "tag", "stays"),
    [
        ("<h1>The bell</h1>", LONG, "article", False),
        ("<h2>The bell</h2>", LONG, "article", True),  # below the headline: a part of it
        ("<h1>Re: The hand ferry</h1>", LONG, "article", True),
        ("<h1>The bell</h1>", "A page of teasers.", "article", True),
        ("<h1>The bell</h1>", LONG, "div", True),
    ],
)
def test_an_article_beside_that_of_the_headline_with_a_heading_of_its_level_goes(
    heading, words, tag, stays
):
    page = BESIDE.format(heading=heading, words=words, tag=tag)
    lines = kept(page, {}, "The hand ferry | Harbour")
    other = [re.sub("<[^>]*>", "", heading), "It hung in the tower."]
    assert lines == ["The hand ferry", "By Ann Lee", words, *other * stays, "Both stand."]


ITEMS = "<p>They drew</p><ul><li>paper</li><li>glass</li></ul><p>and sold both.</p>"
ROWS = ITEMS.replace("ul>", "table>").replace("<li>", "<tr><td>").replace("</li>", "</td></tr>")
CAPTION = "<p>They drew</p><figure><figcaption>paper</figcaption></figure><p>and sold both.</p>"
BETWEEN, ALONE = structures.BETWEEN, structures.ALONE


@pytest.mark.parametrize(
    ("html", "before", "behind", "gain", "stays"),
    [
        (ITEMS, SURE, SURE, -BETWEEN + 0.05, True),
        (ITEMS, SURE, SURE, -BETWEEN - 0.05, False),
        (ITEMS, SURE, UNSURE, -BETWEEN + 0.05, False),
        (ITEMS, UNSURE, SURE, -BETWEEN + 0.05, False),
        (ITEMS, NO, NO, ALONE - 0.05, False),
        (ITEMS, NO, NO, ALONE + 0.05, True),
        (ITEMS, SURE, NO, ALONE - 0.05, True),
        (ROWS, NO, NO, ALONE - 0.05, True),
        (ROWS, NO, NO, UNSURE, False),
        (CAPTION, SURE, SURE, -BETWEEN + 0.05, True),
        (CAPTION, NO, NO, -BETWEEN + 0.05, False),
        # At an end of the page there are no two sides.
        (ITEMS.removeprefix("<p>They drew</p>"), NO, NO, ALONE - 0.05, True),
        (ITEMS.removesuffix("<p>and sold both.</p>"), NO, NO, ALONE - 0.05, True),
    ],
)
def test_lists_tables_and_captions_go_with_what_stands_on_both_sides(
    html, before, behind, gain, stays
):
    gains = dict.fromkeys(("paper", "glass"), gain)
    lines = kept(html, gains | {"They drew": before, "and sold both.": behind})
    assert ("paper" in lines) is stays


@pytest.mark.parametrize("html", [ROWS, ITEMS.replace("ul>", "pre>").replace("li>", "div>")])
@pytest.mark.parametrize(("own", "stays"), [(LIKELY, True), (0.0, False)])
def test_a_table_or_code_between_such_lines_stays_with_a_line_that_is_content(html, own, stays):
    assert ("paper" in kept(html, {"paper": -1.0, "glass": own})) is stays


def test_code_goes_with_the_text_around_it_and_its_labels():
    first, last = "They drew all of it twice", "and sold both of them then."
    html = f"<p>{first}</p><p>Go</p><pre>paper</pre><p>Go on</p><pre>glass</pre><p>{last}</p>"
    gains = {"Go": NO, "paper": NO, "glass": NO}
    assert kept(html, gains) == [first, "paper", "Go on", "glass", last]
    assert kept(html, gains | {first: LIKELY}) == [first, "Go on", last]
    table = html.replace("<pre>", "<table><tr><td><pre>").replace("</pre>", "</table>")
    assert kept(table, gains) == kept(html, gains)


@pytest.mark.parametrize(
    ("html", "gains", "stays"),
    [
        (ROWS, {"paper": -0.7}, True),
        (ITEMS, {"paper": -0.9}, False),
        (ITEMS, {"They drew": LIKELY}, False),
        (ITEMS.replace("glass", "<a>glass</a>"), {}, False),
        (f"<div>{ITEMS}".replace("<ul>", "</div><section><ul>"), {}, False),
        (ITEMS.replace("<ul>", "<h2>Labels</h2><ul>"), {"Labels": UNSURE}, True),
        (ITEMS.replace("<ul>", "<p>or</p><ul>"), {"or": NO}, False),
    ],
)
def test_a_small_structure_of_which_the_page_alone_has_a_part_goes_with_the_text_above(
    html, gains, stays
):
    behind = {"paper": NO, "glass": NO, "and sold both.": NO}
    assert ("paper" in kept(html, behind | gains, own=["glass"])) is stays
    assert "paper" not in kept(html, behind | gains)


@pytest.mark.parametrize(
    ("gains", "stays"),
    [({}, True), ({"Sources": 0.0}, False), ({"glass": 3 * NO}, False), ({"They drew": NO}, False)],
)
def test_a_small_list_goes_with_a_heading_that_is_content(gains, stays):
    page = ITEMS.replace("<ul>", "<h2>Sources</h2><ul>")
    alone = dict.fromkeys(("paper", "glass"), UNSURE) | {"and sold both.": NO}
    assert ("paper" in kept(page, alone | {"Sources": LIKELY} | gains)) is stays


@pytest.mark.parametrize(("mark", "stays"), [(SURE, True), (NO, False)])
def test_the_number_of_a_note_that_stays_stays_above_it(mark, stays):
    page = (
        "<p>Paris<a href='#n'><sup>1</sup></a></p><h5><a id=n href='#m'>(1)</a></h5><p>Carrier</p>"
    )
    assert ("(1)" in kept(page, {"Paris1": mark, "(1)": 2 * NO})) is stays


@pytest.mark.parametrize(
    ("gains", "stay"),
    [
        ((0.3, -0.2, 0.2), True),
        ((0.2, -0.3, -0.1), False),
        ([-structures.LEAN_OF_HEADINGS] * 3, True),
        ([-structures.LEAN_OF_HEADINGS - 0.01] * 3, False),
    ],
)
def test_headings_that_are_set_alike_are_judged_together(gains, stay):
    share = "<p>send mail</p>"
    page = "".join(f"<h3 class=day>Day {n}</h3><p>We sailed {n}.</p>{share}" for n in range(3))
    other = f"<h3 class=map>Map</h3><p>It is old.</p>{share}"
    of_days = {f"Day {n}": gain for n, gain in enumerate(gains)}
    below = dict.fromkeys(("It is old.", *(f"We sailed {n}." for n in range(3))), LIKELY)
    lines = kept(page + other, of_days | below | {"Map": UNSURE, "send mail": NO})
    assert [f"Day {n}" in lines for n in range(3)] == [stay] * 3
    assert "Map" not in lines


def test_lines_weigh_what_their_features_say_in_scripts_without_spaces_too():
    page = parsed("<p>two words</p><p>渡船每天早上七点从旧港出发。</p><p>Ein Satz mit Größe</p>")
    ends = np.cumsum([len(node.text.split()) for node in page.nodes]).astype(np.uint32)
    judged = WordLabels(
        np.zeros(ends[-1], np.uint8), np.full(ends[-1], 0.5), np.zeros(ends[-1], np.uint8)
    )
    lines = line_values(page, ends, judged)
    assert lines.words == page_features(page, None).lines.words.tolist() == [2, 7.5, 4]
    assert lines.gains == [0.5, 0.5, 0.5]


BELL = "The bell was cast in a pit beside the chapel two winters later."
FERRY = "The ferry has crossed the strait by hand since the bridge fell."

ONE = f"{FERRY[:-1]}, and {BELL}"
CODE = "const [crew, setCrew] = useState({ ferry: [], bell: [] });"


def test_paragraphs_in_a_row_that_stand_above_go_with_what_is_alike_around_them():
    article = f"<h2>Bell and ferry</h2><p>{FERRY}</p><p>{BELL}</p>"
    print_version = f"<div>{article}<p>Printed on Monday.</p></div>"
    assert kept(f"{article}<p>That was all.</p>{print_version}", {}) == [
        *("Bell and ferry", FERRY, BELL, "That was all.", "Printed on Monday.")
    ]


MENU = "<p>Home</p><p>News</p><p>Sport</p>"
TEXT, COMMENT = f"<p>{FERRY * 5}</p>", "<p>A comment</p>"


@pytest.mark.parametrize(
    ("beside", "gain", "is_article", "stays"),
    [
        (MENU, UNSURE + 0.2, True, False),
        (MENU, UNSURE + 0.2, False, True),  # the posts of a forum
        (MENU, SURE, True, True),  # an article goes on behind advertisements
        ("<p>Home</p>", UNSURE + 0.2, True, True),
        ("<div id=Comments>", SURE, True, False),
        ("<div id=Comments>", SURE, False, True),
        (f"{TEXT}<h3>2 Kommentare</h3>{COMMENT}", SURE, True, False),
        (f"{TEXT}<h3>Комментарии (2)</h3><div>{COMMENT}", SURE, True, False),
        (f"{TEXT}<h3>3 Kommentare</h3>{COMMENT}", SURE, True, True),
        (f"{TEXT}<h3>2 ferries</h3>{COMMENT}", SURE, True, True),
        (f"{TEXT}<h3>2 Kommentare</h3>{COMMENT}", SURE, False, True),
        (f"<p>2 comments</p>{COMMENT}{TEXT}", SURE, True, True),
        (f"{TEXT}<div><h2>Reader-Comments (12)</h2>", SURE, True, False),
    ],
)
def test_what_stands_apart_behind_an_article_goes(beside, gain, is_article, stays):
    gains = dict.fromkeys(("Home", "News", "Sport"), NO) | {"A teaser": gain}
    html = f"<title>The text</title><h1>The text</h1>{beside}<p>A teaser</p>"
    assert ("A teaser" in kept(html, gains, is_article=is_article)) is stays


def test_of_a_hidden_and_a_visible_copy_the_visible_one_stays():
    unseen = f"{FERRY[:-1]}!"
    html = f"<div><p>{unseen}</p><p>{BELL}</p></div><p>That was all.</p><p>{FERRY}</p><p>{BELL}</p>"
    assert kept(html, {}, hidden=unseen) == ["That was all.", FERRY, BELL]
    assert kept(html, {}) == [unseen, BELL, "That was all."]


@pytest.mark.parametrize(
    "below",
    [
        f"<blockquote><p>{FERRY}</p><p>{BELL}</p></blockquote>",
        f"<p>{FERRY}</p><p>No.</p><p>{BELL}</p>",
        f"<p>{BELL}</p><p>{FERRY}</p>",
        f"<p>{ONE}</p>",
        f"<div>{CODE}</div><div>{CODE}</div>",
        f"<ul><li>{FERRY}</li><li>{BELL}</li><li>a third</li></ul>",
    ],
)
def test_a_quotation_code_and_single_paragraphs_that_stand_above_stay(below):
    above = f"<p>{FERRY}</p><p>{BELL}</p><p>{ONE}</p><div>{CODE}</div><div>{CODE}</div><p>That was all.</p>"
    both = f"{above}<div>{below}</div>"
    assert len(kept(above, {})) + len(kept(below, {})) == len(kept(both, {}))


def test_what_an_author_repeats_in_one_box_stays():
    verse = f"<p>{FERRY}</p><p>{BELL}</p>"
    assert len(kept(f"<div>{verse}<p>That was all.</p>{verse}</div>", {})) == 5


CASED = "aAiI\u0130\u0131\u03a3\u03c3\u03c2ß\u1e9e_. 1\u0301\u212akжЖ…“我가"


@given(st.lists(st.text(st.sampled_from(CASED), max_size=6), max_size=20))
def test_texts_of_the_same_letters_have_one_hash(texts: list[str]) -> None:
    hashes = compiled.hash_letters(texts, LETTER_BYTES)
    assert len({*zip(map(letters, texts), hashes, strict=True)}) == len({*map(letters, texts)})


PIECES = ("</div>", "</table>", "</ul>", "</li>", "</p>", "one ", "a few words of text ")
PIECES += ("<div class=a>", "<div class=b>one</div>" * 3)
PIECES += tuple("<div> <table> <tr> <td> <th> <ul> <li> <p> <pre> <h2> <dl><dt>".split())


@given(st.lists(st.sampled_from(PIECES), min_size=1), st.integers(0, 999))
def test_structures_hold_what_stands_in_their_elements(pieces: list[str], seed: int) -> None:
    page = parsed(f"<p>{''.join(pieces)}")
    assume(page.nodes)
    places = [of.tolist() for of in read_lines([page]).places(0)]
    rng, count = np.random.default_rng(seed), len(places[2])
    values = LineValues(
        *(page, *places),
        (rng.integers(-8, 9, count) / 8).tolist(),
        [float(rng.choice([1, 20, 150])) for _ in range(count)],
        *([True] * count, (), (rng.random(count) < 0.2).tolist()),
    )
    assert tree.structures_of(values) == reference.structures(values)
    columns, every = (page.tags, page.classes, page.parents), [*range(len(page.tags))]
    found = compiled.repeated_siblings(*columns, tree.SIBLINGS, every, 3)
    assert found == reference.repeated_siblings(page, 3)
