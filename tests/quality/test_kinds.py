"""The kind of a page, by what it is made of."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce import html
from dbce.boilerplate import page_evidence
from dbce.kernel import compiled
from dbce.model import Config, Limits, TextNode
from dbce.quality import Damage, DamageKind, KindSigns, PageKind, kind_of_page, kind_signs
from dbce.quality.kinds import COUNTS, kind_model
from tests import reference

LINE = "The ferry leaves at seven, and who misses it waits for the next one on the bench by the harbour wall."
STORY = "".join(f"<p>{LINE * 3}</p>" for _ in range(9))

ARTICLE = f"""<html><head><meta property="og:type" content="article"><meta property="article:published_time" content="2024-05-04">
<script type="application/ld+json">{{"@type": "NewsArticle"}}</script></head>
<body><article><h1>The last hand ferry</h1><p class="byline">By Ines Marlow</p>{STORY}</article></body></html>"""

PRODUCT = """<html><head><meta property="og:type" content="product"><meta property="product:price:amount" content="12">
<script type="application/ld+json">{"@type": "Product", "offers": {"@type": "Offer"}}</script></head>
<body><div class="product"><h1>Ferry bell</h1><span class="price">$12.00</span><button>Add to cart</button>
<div class="product-description"><p>Brass, with a rope of hemp.</p></div><p>In stock</p></div></body></html>"""

POST = (
    '<div class="post topic-post"><img class="avatar"><a class="username">{0}</a><a>#{2}</a><time class="date">4 May</time>'
    "<p>{1}</p><a>Reply</a><a>Quote</a></div>"
)

FORUM = (
    '<html><body><div class="forums"><a>Forums</a><a>Log in</a><a>Register</a></div><div class="posts topic">'
    "<h1>How does the bell ring in fog?</h1>"
    + "".join(
        POST.format(name, LINE, number)
        for number, name in enumerate(("ines", "olaf", "marlow", "tove", "jens", "anke") * 3)
    )
    + "<form><textarea></textarea></form></div></body></html>"
)


def signs(source: str, url: str = "http://harbour.example/2024/the-last-hand-ferry") -> KindSigns:
    document = html.load(source.encode(), "text/html; charset=utf-8", Limits())
    return kind_signs(url, document.page, document.declared_metadata)


@pytest.mark.parametrize(
    ("source", "url", "kind"),
    [
        (ARTICLE, "http://harbour.example/2024/the-last-hand-ferry-of-the-lohe", PageKind.ARTICLE),
        (PRODUCT, "http://shop.example/products/ferry-bell", PageKind.PRODUCT),
        (FORUM, "http://community.harbour.example/t/how-does-the-bell-ring/17", PageKind.FORUM),
    ],
)
def test_an_article_a_product_and_a_thread_are_told(source: str, url: str, kind: PageKind) -> None:
    likeliest = kind_of_page(signs(source, url), None, 200)
    assert likeliest.kind is kind
    assert likeliest.probability > 0.5


def test_what_stands_apart_may_go_from_articles_that_are_no_recipes() -> None:
    def is_article(source: str, **settings: str) -> bool:
        page, config = html.load(source.encode(), "text/html", Limits()), Config(**settings)
        url = "http://harbour.example/2024/the-last-hand-ferry-of-the-lohe"
        return page_evidence(url, page, None, config).opening.is_article

    assert is_article(ARTICLE)
    assert not is_article(ARTICLE, comments="keep")
    assert not is_article(ARTICLE.replace("NewsArticle", "Recipe"))
    assert not is_article(FORUM)


def test_a_page_for_its_form_is_one() -> None:
    fields = "".join(f"<label>Field {n}<input></label>" for n in range(9))
    form = f"<form>{fields}</form>"
    for contact in (
        signs(f"<h1>Contact us</h1>{form}"),
        signs(form, "http://harbour.example/de/kontakt.html"),
        signs(f"<title>Anmeldung zum Sommerfest</title>{form}"),
    ):
        assert kind_of_page(contact, None, 20).kind is PageKind.FORM
        assert kind_of_page(contact, None, 900).kind is not PageKind.FORM


def test_a_page_with_a_box_for_comments_is_no_form() -> None:
    box = "<form><input><input><input><input><textarea></textarea></form>"
    for source in (f"<h1>Nook</h1><p>x</p>{box}", "<h1>Contact us</h1><form><input></form>"):
        assert kind_of_page(signs(source), None, 9).kind is not PageKind.FORM


def test_an_error_in_the_place_of_a_page_is_one() -> None:
    page = signs(ARTICLE)
    for damage in (DamageKind.ERROR, DamageKind.MAINTENANCE):
        assert kind_of_page(page, Damage(damage, "not found"), 5).kind is PageKind.ERROR
    assert kind_of_page(page, Damage(DamageKind.CHARSET, "Ã¼"), 500).kind is PageKind.ARTICLE


def test_the_probabilities_of_kinds_are_those_of_the_weights_in_whatever_order() -> None:
    model = kind_model()
    assert set(model.kinds) == {*PageKind} - {PageKind.FORM, PageKind.ERROR}
    for page in map(signs, (ARTICLE, PRODUCT, FORUM)):
        chances = model.probabilities(page)
        assert chances == pytest.approx(reference.kind_chances(model, page))
        turned = replace(page, names={sign: own[::-1] for sign, own in page.names.items()})
        assert model.probabilities(turned).tolist() == chances.tolist()
    assert len(model.means) == len(COUNTS) == len(signs("<p>x</p>").counts)


@pytest.mark.parametrize("url", ["", "http://[broken/x", "urn:x", "http://a.example/%ff?q"])
@pytest.mark.parametrize("source", ["<p>x", "<form>" * 300 + "<input>x", "<p>\ud7ff$?\u0301</p>"])
def test_odd_pages_and_addresses_have_a_kind(url: str, source: str) -> None:
    assert 0 < kind_of_page(signs(source, url), None, 1).probability <= 1


@given(st.lists(st.text("aÉ ?$¢£¥€₨₹\U0001f4b0", max_size=9)))
def test_the_texts_of_a_page_come_to_what_each_does(texts: list[str]) -> None:
    nodes = tuple(TextNode(0, 1, 0, False, text) for text in texts)
    assert [*compiled.sum_texts(nodes, 5, 3)] == reference.sum_texts(texts, 5, 3)
