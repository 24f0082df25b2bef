"""What nobody sees, and what a site says on all of its pages, is none of an article, wherever it stands."""

import json
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dbce.archive import capture
from dbce.boilerplate.classify import LineValues, read_lines
from dbce.boilerplate.decide.asides import NEITHER, aside_lines, likely_nodes
from dbce.boilerplate.word_labels import OF_SITE as RULE
from dbce.html import load
from dbce.model import Config, Label, Page
from dbce.pipeline import annotate
from tests.html.soup import page as parsed

_STORED: dict[str, list[Any]] = json.loads(
    Path(__file__).with_name("beside.json").read_text("utf-8")
)

PARAGRAPHS = tuple(_STORED["paragraphs"])
OTHERS = tuple(map(tuple, _STORED["others"]))
"""Paragraphs of other articles of the same site."""


class Part(NamedTuple):
    """A part of a page: its HTML, a style sheet that goes with it, texts that are none of the article, texts that are."""

    name: str
    html: str
    css: str = ""
    gone: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()


CONSENT, SIGN_IN, NOTICES, BOXES, OPENED, UNSEEN = (
    tuple(Part(**of) for of in _STORED[group])
    for group in ("consent", "sign_in", "notices", "boxes", "opened", "unseen")
)


def article(
    part: Part,
    place: str,
    paragraphs: tuple[str, ...] = PARAGRAPHS,
    title: str = "The old ferry stays",
) -> str:
    """A page whose article has a part before it, in the middle of it or at the end of the body."""
    texts = [f"<p>{text}</p>" for text in paragraphs]
    if place == "middle":
        texts.insert(2, part.html)
    before, after = (part.html if place == where else "" for where in ("before", "after"))
    return (
        f"<html lang=en><head><title>{title} - Island Courier</title><style>{part.css}</style></head><body>{before}"
        "<header class=site-header><nav><ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li>"
        "<li><a href=/sport>Sport</a></li></ul></nav></header>"
        f"<main><article class=post><h1>{title}</h1><div class=post-body>{''.join(texts)}</div></article></main>"
        f"<footer class=site-footer><p>© Island Courier. <a href=/imprint>Imprint</a></p></footer>{after}</body></html>"
    )


AT = "20200101000000"
PLACES = ("before", "middle", "after")
OF_SITE = (*CONSENT, *SIGN_IN, *NOTICES, *BOXES)
NAME = attrgetter("name")

HOST = "http://island.example"


def kept(html: str, *others: str, decide: str = "auto") -> str:
    """The content of a page, given alone or with others of its site."""
    captures = [capture(f"{HOST}/{n}", page, AT) for n, page in enumerate((html, *others))]
    annotated = next(iter(annotate(captures, Config(decide=decide))))
    nodes = annotated.page.nodes
    content = [run for run in annotated.runs if run.verdict.label == Label.CONTENT]
    return "\n".join(
        "".join(nodes[node].text[run.start : run.end] for run in runs)
        for node, runs in groupby(content, key=lambda run: run.node)
    )


def others(part: Part, place: str) -> list[str]:
    return [article(part, place, texts, f"Of other things {n}") for n, texts in enumerate(OTHERS)]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("part", [*OF_SITE, *UNSEEN], ids=NAME)
def test_an_article_is_whole_without_what_is_beside_it(part, place):
    page = article(part, place)
    for content in (kept(page), kept(page, *others(part, place))):
        assert [text for text in part.gone if text in content] == []
        assert [text for text in PARAGRAPHS if text not in content] == []


@pytest.mark.parametrize("part", OPENED, ids=NAME)
def test_what_the_page_opens_for_its_readers_stays(part):
    content = kept(article(part, "middle"))
    assert [text for text in part.stays if text not in content] == []


@pytest.mark.parametrize(
    ("part", "decide", "rule"),
    [
        (CONSENT[1], "auto", "of-site"),
        (UNSEEN[0], "auto", "unseen"),
        (UNSEEN[0], "lines", "joint"),  # which knows no asides
    ],
)
def test_a_verdict_names_the_rule(part, decide, rule):
    pages = [capture(HOST, article(part, "middle"), AT)]
    (annotated,) = annotate(pages, Config(decide=decide))
    texts = [
        (annotated.page.nodes[run.node].text, run.verdict.decided_by) for run in annotated.runs
    ]
    assert {by for text, by in texts if any(gone in text for gone in part.gone)} == {rule}


@pytest.mark.parametrize(
    "hiding",
    ["<body style='visibility:hidden'>", "<body style='opacity:0'>", "<body><div hidden>"],
)
def test_a_page_that_a_script_will_show_keeps_its_text(hiding):
    page = article(Part("none", ""), "before").replace("<body>", hiding)
    assert [text for text in PARAGRAPHS if text not in kept(page)] == []


@pytest.mark.parametrize(
    "around",
    [
        "<div class='cookie-recipe'>{}</div>",
        "<div class='paywall'>{}</div>",
        "<form method=post action=/page.aspx><input type=password>{}</form>",
        "<div role=dialog><article>{}</article></div>",
        "{}<p>Ministers <a href=/r>reject</a> what was said on consent: nobody had asked the people of the island.</p>",
        "{}<div><p>Cookies are baked on Monday.</p></div><p><a href=/ok>Accept</a></p>",
        "<div class='alert alert-warning' role=alert>{}</div>",
    ],
)
def test_names_and_forms_around_an_article_are_none_of_a_site_s_boxes(around):
    page = loaded(around.format("".join(f"<p>{text}</p>" for text in PARAGRAPHS)))
    assert page.of_site == frozenset()


def loaded(html: str) -> Page:
    return load(html.encode(), "text/html", Config().limits).page


@pytest.mark.parametrize(
    ("html", "unseen"),
    [
        ("<p hidden>x</p>", 1),
        ("<p hidden=until-found>x</p>", 0),
        ("<p id=x hidden>x</p><div><p><a href=#x>the rest</a></div>", 0),
        ("<div id=x style='display:none'>x</div><div><img onclick=\"show('x')\"></div>", 0),
        ("<p aria-hidden=true>x</p>", 0),
        ("<div><div><div><p hidden>x</p></div></div></div><h3 aria-expanded=false>y</h3>", 1),
        ("<h3 aria-expanded=false>y</h3><!-- c --><div><p hidden>x</p></div>", 0),
        ("<h3 class=question>y</h3><div><p hidden>x</p></div><!-- c -->", 0),
    ],
)
def test_what_hides_itself_and_is_opened_elsewhere_is_no_aside(html, unseen):
    assert len(loaded(html).unseen) == unseen


def test_a_page_to_sign_in_keeps_its_form():
    login = next(part for part in SIGN_IN if part.name == "login")
    page = article(login, "middle", paragraphs=())
    assert "Please enter the name and the password" in kept(page)


def test_a_heading_stays_above_a_dialog_with_a_heading_of_its_own():
    modal = next(part for part in SIGN_IN if part.name == "modal")
    above = modal._replace(html="<h2>How the vote went</h2>" + modal.html)
    content = kept(article(above, "middle")).split("\n")
    assert "How the vote went" in content
    assert "Welcome back, dear reader" not in content


def aside_rules(page: Page) -> list[int]:
    """The rule of each line of a page on which all is content."""
    lines = read_lines([page])
    places, sizes = (of.tolist() for of in lines.places(0)), lines.words.tolist()
    values = LineValues(page, *places, *([0.4] * len(sizes), sizes, [True] * len(sizes)))
    return aside_lines(values, likely_nodes(page)[0])


def test_line_numbers_of_code_go_and_what_has_letters_stays():
    page = parsed("<p>The ferry<div class=gutter><p>1</p><p>2 b</p></div><p>3</p>")
    assert [rule != NEITHER for rule in aside_rules(page)] == [False, True, False, False]


@pytest.mark.parametrize(
    ("line", "goes"),
    [
        *((line, True) for line in ("Photo: Ann Lee", "© Ann Lee / Agency", "(Foto: Agentur)")),
        *(("Click to enlarge", True), ("Bild vergrößern", True)),
        ("The ferry at the quay", False),
        ("Photo of the ferry at the quay", False),
        ("Photo: Ann Lee took it when the ferry came back in June", False),
    ],
)
def test_a_caption_stays_without_its_credit(line, goes):
    article = f"<p>{'The ferry goes at noon. ' * 30}</p>"
    figure = f"<figure><img><figcaption><p>In 1961</p><p>{line}</p></figcaption></figure>"
    of_line = RULE if goes else NEITHER
    assert aside_rules(parsed(article + figure)) == [NEITHER, NEITHER, of_line]
    assert aside_rules(parsed(f"{article}<p>{line}</p>")) == [NEITHER, NEITHER], "no picture"


@pytest.mark.parametrize(("note", "goes"), _STORED["notes on rights"])
def test_a_footer_that_a_note_on_rights_begins_goes_also_below_next_to_nothing(note, goes):
    first, *rules = aside_rules(parsed(f"<p>The ferry goes at noon{note}"))
    assert (first, set(rules)) == (NEITHER, {RULE if goes else NEITHER})


@pytest.mark.parametrize(
    ("line", "goes"),
    [
        *((line, True) for line in ("Read more »", "Add to Cart", "Loading…", "Post views: 1,204")),
        *((line, True) for line in ("2 likes · 1 comment", "Was this page helpful?")),
        *((line, False) for line in ("Read more about the ferry", "3 boats", "Compare boats")),
        ("12 comments came from the ferry", False),
    ],
)
def test_a_line_that_is_the_label_of_a_control_goes_alone(line, goes):
    paragraphs = [f"<p>{text}</p>" for text in PARAGRAPHS]
    listed = f"<ul><li>The ferry goes at noon<p>{line}</p></li><li>The goats stay</li></ul>"
    text = kept("".join(["<h1>Ferry</h1>", *paragraphs, listed, *paragraphs[::-1]]))
    assert ("goats stay" in text, line in text) == (True, not goes)


CONTENTS = "<ul><li><a href=#k>1. Get the key</a><ul><li><a href=#s>Ask</a></ul><li><a href=#t>2. Turn it</a></ul>"
GUIDE = f"<p>{PARAGRAPHS[0]}</p>{CONTENTS}<h2 id=k>1. Get the key</h2><p id=s>{PARAGRAPHS[1]}</p><h2 id=t>2. Turn it</h2><p>{PARAGRAPHS[2]}</p>"


@pytest.mark.parametrize(
    ("html", "goes"),
    [
        (GUIDE, True),
        (GUIDE.replace("<a href=#s>Ask</a>", "Ask"), False),
        (GUIDE.replace("h2", "p"), False),
        (GUIDE.replace("href=#", "href=/"), False),
        (GUIDE.replace("<ul>", "").replace("<li>", "<br>").replace("</ul>", ""), True),
    ],
)
def test_a_list_of_links_to_headings_of_the_page_is_its_contents(html, goes):
    page = parsed(html)
    texts = [node.text for node in page.nodes]  # each a line
    found = {text for text, rule in zip(texts, aside_rules(page), strict=True) if rule == RULE}
    assert found == ({"1. Get the key", "Ask", "2. Turn it"} if goes else set())


@pytest.mark.parametrize(("sign", "goes"), [("|", True), ("and", False)])
def test_a_line_of_links_to_headings_is_their_contents(sign, goes):
    bar = f" {sign} ".join(["<a href=#a>A</a>", "<a href=#c>C</a>", "D", "<a href=#e>E</a>"])
    sections = [f"<h2 id={name}>{name.upper()}</h2><p>{PARAGRAPHS[0]}" for name in "ace"]
    assert aside_rules(parsed(f"<p>{bar}</p>{''.join(sections)}"))[0] == (RULE if goes else NEITHER)
