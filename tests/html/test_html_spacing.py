"""Words that stand apart for readers although no white space parts them."""

import pytest

from dbce.html import holders, lines, load
from dbce.model import Limits
from tests.html.soup import annotate, page, random_runs


def text(html: str) -> str:
    """The text of a page whose texts are all in one line."""
    read = page(html)
    assert len({*lines(read, holders(read))}) == 1
    return "".join(f" {node.text}" if node.spaced else node.text for node in read.nodes).strip()


def parted(*pages: str) -> list[tuple[str, str]]:
    return [(html, "npm yarn") for html in pages]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        *parted(
            "<p><button>npm</button><button>yarn</button>",
            "<p><a href=/1>npm</a><a href=/2>yarn</a>",
            "<p><span class=tab>npm</span><span class=tab>yarn</span>",
            "<p><span style='display: block'>npm</span><span>yarn</span>",
            "<p>npm<i style='margin-left:4px'>yarn</i>",
            "<style>p > .b{display:inline-block}</style><p>npm<i class=b>yarn</i>",
            "<style>@media (min-width:1px){.x b,#y{float:left}}</style><p class=x>npm<b>yarn</b>",
            "<style>/* a{} */ .x{gap:1em;display:flex}</style><p class=x><b>npm</b><b>yarn</b>",
            "<p style='display:flex'>npm<b>yarn</b>",
            "<p class='d-flex'><b>npm</b><b>yarn</b>",
            "<p>npm<b class='ms-2'>yarn</b>",
        ),
        ("<p><a href=/>Anna Holm</a><span>3 May 2015</span>", "Anna Holm 3 May 2015"),
        (
            "<p><span class=name>Anna Holm</span><span class=job>boat builder</span>",
            "Anna Holm boat builder",
        ),
        ("<p><strong>Anna Holm</strong><span>Boat builder</span>", "Anna Holm Boat builder"),
        ("<p>Anna Holm<time>3 May</time>", "Anna Holm 3 May"),
        ("<p>309<span>Comments</span>", "309 Comments"),
        ("<p><span itemprop=author>ANNA HOLM</span><b>Boats</b>", "ANNA HOLM Boats"),
    ],
)
def test_words_are_parted_by_style_and_by_what_they_are(html: str, expected: str) -> None:
    assert text(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<p><b>W</b>ord",
        "<p><span class=title>W</span><span class=title>ord</span>",
        "<p><b style='display:inline-block'>W</b>ord",
        "<p><a href=/>boat</a>s",
        "<p>Java<i>Script</i>",
        "<p><span>wor</span><span>ds</span>",
        "<p><code><span>Foo</span><span>Bar</span></code>",
        "<p><span class='token name'>foo</span><span class='token type'>bar</span>",
        "<p>H<sub>2</sub>O",
        "<p><ruby>漢<rt>かん</rt></ruby>字",
        "<style>.x{display:block} .y i{display:block}</style><p>wor<i>ds</i>",
    ],
)
def test_parts_of_a_word_stay_together(html: str) -> None:
    assert " " not in text(html)


def test_a_page_with_marks_has_the_same_words() -> None:
    html = b"<p>Java<i>Script</i> <b>a Mac</b>Book</p>"
    document = load(html, "text/html", Limits())
    runs = random_runs(document.page, 1)
    annotated = annotate(document.root, document.page, document.handles, runs)
    nodes = load(annotated, "text/html", Limits()).page.nodes
    spaced = "".join(f" {node.text}" if node.spaced else node.text for node in nodes)
    assert spaced == "JavaScript a MacBook"
