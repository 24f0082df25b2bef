"""Where each value is found, and which place wins."""

import dataclasses
import json

import pytest

from dbce.metadata import COLUMNS, NAMES, Metadata
from dbce.output.rows import PAGES
from tests.metadata.pages import json_ld, meta, og, said_by

ARTICLE = """{"@context": "https://schema.org", "@graph": [
  {"@type": "Organization", "@id": "#paper", "name": "The Paper"},
  {"@type": "WebPage", "headline": "A page", "datePublished": "2016-01-01"},
  {"@type": "Person", "@id": "#ann", "name": "Ann Ferry"},
  {"@type": ["NewsArticle"], "headline": "The last hand ferry", "description": "Of a goat",
   "author": [{"@id": "#ann"}, {"@type": "Person", "name": "Bo Rope"}], "inLanguage": "en-GB",
   "datePublished": "2016-05-01T23:30:00+02:00", "publisher": {"@id": "#paper"}}]}"""
MICRODATA = """<div itemscope itemtype="http://schema.org/Article">
  <p itemprop="comment" itemscope><b itemprop="author">Bo</b></p><h2 itemprop="headline">The last <b>hand</b> ferry</h2>
  <span itemprop="author" itemscope>By <b itemprop="name">Ann Ferry</b></span>
  <meta itemprop="datePublished" content="2016-05-01"><span itemprop="publisher">The Paper</span>
  <p itemprop="description">Of a goat</p></div>"""

BOTH = "<p>By <a rel='author nofollow' href=/a>Ann</a> and <b><a rel=author href=/b>Bo Rope</a></b></p>"


@pytest.mark.parametrize(
    ("page", "name", "value", "source"),
    [
        ({"head": og("og:title", " The\n ferry ")}, "title", "The ferry", "meta:og:title"),
        ({"body": "<h1>The <i>last</i> ferry</h1>"}, "title", "The last ferry", "h1"),
        ({"head": json_ld(ARTICLE)}, "title", "The last hand ferry", "json-ld:headline"),
        ({"body": MICRODATA}, "title", "The last hand ferry", "microdata:headline"),
        ({"head": meta("author", "Ann Ferry")}, "author", "Ann Ferry", "meta:author"),
        ({"head": meta("DC.Creator", "Ann Ferry")}, "author", "Ann Ferry", "meta:dc.creator"),
        ({"head": json_ld(ARTICLE)}, "author", "Ann Ferry; Bo Rope", "json-ld:author"),
        ({"body": BOTH}, "author", "Ann; Bo Rope", "rel:author"),
        ({"body": MICRODATA}, "author", "Ann Ferry", "microdata:author"),
        ({"body": "<p class='byline'>By Ann Ferry</p>"}, "author", "Ann Ferry", "byline"),
        (
            {"head": meta("citation_author", "A. Ferry") + meta("citation_author", "B. Rope")},
            *("author", "A. Ferry; B. Rope", "meta:citation_author"),
        ),
        ({"html": "<html lang='pt_br'>"}, "language", "pt-BR", "html:lang"),
        (
            {"head": '<meta http-equiv="Content-Language" content="de, en">'},
            *("language", "de", "meta:content-language"),
        ),
        ({"head": og("og:locale", "zh_Hant_TW")}, "language", "zh-Hant-TW", "meta:og:locale"),
        ({"head": json_ld(ARTICLE)}, "language", "en-GB", "json-ld:inLanguage"),
        ({"text": "Es braucht vier Leute und eine Ziege. " * 3}, "language", "de", "detected"),
        ({"head": og("og:site_name", "The Paper")}, "site_name", "The Paper", "meta:og:site_name"),
        ({"head": json_ld(ARTICLE)}, "site_name", "The Paper", "json-ld:publisher"),
        ({"body": MICRODATA}, "site_name", "The Paper", "microdata:publisher"),
        (
            {"head": json_ld('{"@type": "WebSite", "name": "The Paper"}')},
            *("site_name", "The Paper", "json-ld:site"),
        ),
        ({"head": meta("description", "&lt;b>x&lt;/b>")}, "description", "x", "meta:description"),
        ({"head": json_ld(ARTICLE)}, "description", "Of a goat", "json-ld:description"),
    ],
)
def test_a_value_is_found_and_says_where(page, name, value, source):
    found = said_by(**page).row()
    assert (found[name], found[f"{name}_source"]) == (value, source)


def test_a_page_that_says_nothing_has_nothing_and_an_article_is_believed_before_its_page():
    assert said_by() == Metadata()
    assert said_by(json_ld(ARTICLE)).date == "2016-05-01"


@pytest.mark.parametrize(
    ("head", "name", "winner"),
    [
        ("<title>Ferry | The Paper</title>" + og("og:title", "Ferry"), "title", "meta:og:title"),
        (meta("author", "The Paper") + json_ld(ARTICLE), "author", "json-ld:author"),
        (meta("date", "2015") + og("pubdate", "2016"), "date", "meta:pubdate"),
        (og("og:description", "b") + meta("description", "a"), "description", "meta:description"),
        (og("og:locale", "en_US") + meta("language", "de"), "language", "meta:language"),
    ],
)
def test_the_place_that_is_trusted_more_wins(head, name, winner):
    assert said_by(head).row()[f"{name}_source"] == winner


@pytest.mark.parametrize("address", ["https://www.facebook.com/ann", "@ann", "www.paper.example"])
def test_an_address_is_no_name(address):
    assert said_by(og("article:author", address)).author is None
    assert said_by(og("article:author", address) + meta("byl", "Ann Ferry")).author == "Ann Ferry"


@pytest.mark.parametrize("lang", ["", "english", "und", "x-default", "{{lang}}", "e"])
def test_what_is_no_language_is_passed_over(lang):
    assert said_by(html=f"<html lang='{lang}'>").language is None


ODD_ITEM = '{"@type": 3, "@id": [], "author": {"@id": {}}}'


@pytest.mark.parametrize("text", ["{", "[[[" * 100_000, "null", '"text"', "12", ODD_ITEM])
def test_json_that_is_no_description_is_passed_over(text):
    assert said_by(json_ld(text) + meta("author", "Ann Ferry")).author == "Ann Ferry"


REFERRING = '{"@graph": [{"@type": "Article", "author": {"@id": "#a"}}, {"@id": "#a", "name": {"@id": "#a"}}]}'
HALF = r'{"@type": "Article", "headline": "Ferry \ud83d", "author": "\ud83d\udea2"}'
COMMENTED = '<!-- {"@type": "Article", "headline": "The\nferry"} -->'


@pytest.mark.parametrize(
    ("linked", "title", "author"),
    [
        (REFERRING, None, None),  # persons that refer to each other end
        (HALF, "Ferry \ufffd", "🚢"),  # half a character can be written
        (COMMENTED, "The ferry", None),
        ('//<![CDATA[\n{"@type": "Article", //\n"creator": "Al Oy", /* */};\n//]]>', None, "Al Oy"),
    ],
)
def test_json_of_any_form_is_read(linked, title, author):
    found = said_by(json_ld(linked))
    assert (found.title, found.author) == (title, author)


@pytest.mark.parametrize("name", NAMES)
def test_a_value_that_is_a_whole_page_is_passed_over(name):
    page = "ferry " * 200_000
    head = f"<title>{page}</title>" + json_ld(json.dumps({"@type": "Article", "headline": page}))
    for attribute in ("og:title", "author", "date", "language", "og:site_name", "description"):
        head += meta(attribute, page) + og(attribute, page)
    assert said_by(head, f"<h1>{page}</h1>", html=f'<html lang="{page}">').row()[name] is None


def test_every_value_has_its_source_beside_it_in_the_table():
    assert tuple(field.name for field in dataclasses.fields(Metadata)) == COLUMNS
    assert [name for name in COLUMNS if not name.endswith("_source")] == list(NAMES)
    first = PAGES.names.index("title")
    assert tuple(PAGES.names[first : first + len(COLUMNS)]) == COLUMNS


SITE = og("og:site_name", "The Paper")


@pytest.mark.parametrize(
    ("head", "body", "title", "source"),
    [
        ("<title>News - Ferry at dawn - Any Site</title>", "<h1>Ferry at dawn</h1>", "Ferry at dawn", "title"),
        (f"<title>The Paper: Ferry \u2013 The Paper</title>{SITE}", "<p>a</p>", "Ferry", "title"),
        ("<title>paper.example: Ferry :: paper</title>", "<p>a</p>", "paper.example: Ferry", "title"),
        ("<title>Ferry | The goats of the market</title>", "<p>a</p>", "Ferry | The goats of the market", "title"),
        (og("og:title", "The Paper") + SITE + "<title>Ferry</title>", "<p>a</p>", "Ferry", "title"),
        (og("og:title", "{{page.title}}") + "<title>Ferry</title>", "<p>a</p>", "Ferry", "title"),
        (og("og:title", "Ferry: what it costs"), "<h1>What the ferry costs</h1>", "What the ferry costs", "h1"),
        (og("og:title", "The ferry at dawn"), "<h1>Opinion: The ferry at dawn</h1>", "The ferry at dawn", "meta:og:title"),
        (og("og:title", "The ferry at\u2026"), "<h1>The ferry at dawn</h1>", "The ferry at dawn", "h1"),
        (f"<title>The Paper</title>{SITE}", "<h1>The Paper</h1><h1>Ferry</h1>", "Ferry", "h1"),
        ("<title>[[+longtitle]]</title>", "<h1>Ferry</h1>", "Ferry", "h1"),
        ("<title>Welcome to the island</title>", "<h1>Ferry</h1>", "Ferry", "h1"),
        ("<title>[F-1] Ferry at dawn - Island</title>", "<h1>Island</h1><h1>Ferry at dawn</h1>", "Ferry at dawn", "h1"),
        ("<title>The ferry - The Isle</title>", "<h1>The Isle</h1><h2>The ferry</h2>", "The ferry", "title"),
        ("<title>Island diary: The ferry</title>", "<h2>Archive</h2><h3>The ferry</h3>", "The ferry", "h1"),
        ("<title>Any Site | The «old» ferry</title>", "<a>Any site</a><b>The «old» ferry</b>", "The «old» ferry", "title"),
        ("<title>The ferry sails | Any Site</title>", "<h1><b>Boats</b>The ferry sails</h1>", "The ferry sails", "title"),
        (f"<title>News | The Paper | Ferry</title>{SITE}", "<h2>\u200fFerry</h2><h3>News</h3>", "Ferry", "title"),
        ("<title>Any Site: Old ferry</title>", "<b>Old ferry</b>", "Old ferry", "title"),
        ("<title>Any site » Ferry</title>", "<h1>Any site</h1><h2>Ferry</h2>", "Ferry", "title"),
        ("<title>Any site: Ferry</title>", "<h1>Any site</h1><h3>Ferry</h3>", "Ferry", "h1"), ("<title>FerryAtDawn - Any site</title>", "<h1>Ferry at dawn</h1>", "Ferry at dawn", "h1"),
        ("<title>isle:ferry_at_dawn [Any site]</title>", "<h1>Ferry at dawn</h1>", "Ferry at dawn", "h1"),
        ("<title>Any site: Ferry</title>", "<h1>Ferry</h1><h3>Any site</h3>", "Ferry", "h1"),
        (og("og:title", "Ferry?") + "<title>boats - Ferry? - Any site</title>", "<h1>Ferry?</h1><h1>Boats</h1>", "Ferry?", "meta:og:title"),
        ("<title>Ferry | Any site</title>", "<h2>Any site</h2><h1>Ferry #</h1><h2>Isles</h2><h3>Any site</h3>", "Ferry", "title"),
        ("<title>渡口的老船工_社会_罗河网</title>", "<h1>渡口的老船工</h1>", "渡口的老船工", "title"),
        ("<title>Été au port | Any site</title>", "<h1>ETE AU PORT</h1>", "Été au port", "title"),
        ("<title>Microsoft Word - a.doc</title>", "<h1></h1><h2>Ferry</h2>", "Ferry", "h1"),
        (og("og:title", "The Paper") + SITE + "<title>Home</title>", "<h1>Ferry</h1>", "Ferry", "h1"),
        ("<title>Ferry - News - The Paper</title>", "<h1>The Paper</h1><h2>Latest</h2><h2>Ferry</h2>", "Ferry", "title"),
        (f"<title>The Paper</title>{SITE}", "<p>a</p>", "The Paper", "title"),
        (
            "<title>Ferry - Lexicon</title>" + json_ld('{"@type": "Article", "name": "Ferry", "headline": "boat across a river"}'),
            *("<h1>Ferry</h1>", "Ferry", "json-ld:name"),
        ),
    ],
)  # fmt: skip
def test_headline(head: str, body: str, title: str, source: str) -> None:
    metadata = said_by(head, body)
    assert (metadata.title, metadata.title_source) == (title, source)


def test_values_of_a_template_that_was_not_filled_are_passed_over() -> None:
    head = og("og:site_name", "{{site.name}}") + og("og:description", ". .")
    metadata = said_by(f"<meta name='application-name' content='The Paper'>{head}")
    assert (metadata.site_name, metadata.description) == ("The Paper", None)
