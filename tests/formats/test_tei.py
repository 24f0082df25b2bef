"""TEI-XML: valid against the schema that trafilatura comes with, with elements of TEI Lite alone."""

import io
from importlib.resources import files

import pytest
from hypothesis import given, settings
from lxml import etree

from dbce.formats import FORMATS, Extract, write_pages
from tests.formats.build import extract, extract_soup
from tests.html.soup import soup

NAMESPACE = "{http://www.tei-c.org/ns/1.0}"
# As P5/Exemplars/tei_lite.odd of the TEI Consortium names them.
TEI_LITE = frozenset(
    "TEI teiCorpus text body abbr add addrLine address author bibl biblScope choice cit corr date del "
    "desc divGen editor emph expan foreign gap gloss graphic head hi index item l label lb lg list "
    "listBibl mentioned milestone name note num orig p pb ptr pubPlace publisher q ref reg relatedItem "
    "resp respStmt rs sic soCalled sp speaker stage term time title unclear authority availability "
    "catDesc catRef category change classCode classDecl creation distributor edition editionStmt "
    "editorialDecl encodingDesc extent fileDesc funder idno keywords langUsage language licence "
    "notesStmt principal profileDesc projectDesc publicationStmt refsDecl revisionDesc samplingDecl "
    "seriesStmt sourceDesc sponsor taxonomy teiHeader textClass titleStmt argument back byline closer "
    "dateline div docAuthor docDate docEdition docImprint docTitle epigraph front group imprimatur "
    "opener postscript salute signed titlePage titlePart trailer cell figure figDesc formula row table "
    "anchor seg interp interpGrp pc s w att code eg gi ident val".split()
)
SAID = {
    "title": "The <last> hand ferry",
    "title_source": "title",
    "author": "Ann Ferry; Bo Rope",
    "author_source": "meta:author",
    "date": "2016-05",
    "date_source": "url",
    "language": "de-AT",
    "language_source": "html:lang",
    "site_name": "The Paper & Co",
    "site_name_source": "meta:og:site_name",
    "description": "Of a goat",
    "description_source": "meta:description",
}
BODY = """
<p>Before</p><h2>One</h2><p>a <b>b</b> <i>c</i> <a href="/x y?a=1&amp;b=2">d</a> <code>e</code><br>f</p>
<h3>Two</h3><ul><li>a</li><li>b<ol><li>c</li></ol></li><li><h4>In an item</h4>d</li></ul><h2>Three</h2>
<blockquote><p>a</p><h5>b</h5><p>c</p></blockquote><pre>d &lt; e</pre><dl><dt>a</dt><dd>b</dd><dd>c</dd>
<dt>d</dt></dl><ol start="4"><li>a</li></ol><table><tr><th>a</th><th>b</th></tr><tr><th>c</th><td>d</td></tr></table>
<table><caption>Who <i>goes</i></caption><tr><th rowspan="2">a</th><td>b</td></tr><tr><td><ul><li>c</li></ul></td></tr></table>
<p>One <img src="g.png" alt="A goat"> two
<math alttext="x^2"><mi>x</mi></math></p>"""


# The schema is for corpora without figures and code: what of these TEI Lite has, as in TEI P5.
CLASSES = {
    '% model.listLike "list |': "table |",
    '% model.emphLike "foreign |': "code | formula |",
    '% model.global "%model.global.meta; |': "figure |",
}
FIGURES = """
<!ELEMENT table ((head | %model.global;)*, (row, (%model.global;)*)+)>
<!ATTLIST table xmlns CDATA #IMPLIED %att.global.attributes;>
<!ELEMENT row (cell, (%model.global;)*)+>
<!ATTLIST row xmlns CDATA #IMPLIED role CDATA #IMPLIED rows CDATA #IMPLIED cols CDATA #IMPLIED %att.global.attributes;>
<!ELEMENT cell %macro.specialPara;>
<!ATTLIST cell xmlns CDATA #IMPLIED role CDATA #IMPLIED rows CDATA #IMPLIED cols CDATA #IMPLIED %att.global.attributes;>
<!ELEMENT figure (%model.headLike; | %model.common; | figDesc | %model.graphicLike; | %model.global;)*>
<!ATTLIST figure xmlns CDATA #IMPLIED %att.global.attributes;>
<!ELEMENT figDesc %macro.limitedContent;>
<!ATTLIST figDesc xmlns CDATA #IMPLIED %att.global.attributes;>
<!ELEMENT formula (#PCDATA)>
<!ATTLIST formula xmlns CDATA #IMPLIED notation CDATA #IMPLIED %att.global.attributes;>
<!ELEMENT code (#PCDATA)>
<!ATTLIST code xmlns CDATA #IMPLIED lang CDATA #IMPLIED %att.global.attributes;>
"""


@pytest.fixture(scope="module")
def schema() -> etree.DTD:
    pytest.importorskip("trafilatura", reason="pip install 'dbce[peers]'")
    corpus = files("trafilatura").joinpath("data/tei_corpus.dtd").read_text(encoding="utf-8")
    for start, member in CLASSES.items():
        assert start in corpus
        corpus = corpus.replace(start, f"{start} {member}")
    return etree.DTD(io.StringIO(corpus + FIGURES))


def tei(page: Extract) -> etree._Element:
    return etree.fromstring(FORMATS["tei"].alone(page).encode())


def texts(root: etree._Element, path: str) -> list[str]:
    steps = "/".join(f"{NAMESPACE}{step}" for step in path.split("/"))
    return ["".join(found.itertext()) for found in root.iterfind(f".//{steps}")]


def check(schema: etree.DTD, root: etree._Element) -> None:
    assert schema.validate(root), schema.error_log.filter_from_errors()
    names = {element.tag.removeprefix(NAMESPACE) for element in root.iter(etree.Element)}
    assert names <= TEI_LITE, names - TEI_LITE


def test_pages_with_everything_and_nothing_are_valid_alone_and_as_a_corpus(schema):
    pages = [extract(BODY, "http://a.example/", images=True, **SAID), extract("")]
    for page in pages:
        check(schema, tei(page))
    root = etree.fromstring("".join(write_pages(pages, FORMATS["tei"])).encode())
    check(schema, root)
    assert root.tag == f"{NAMESPACE}teiCorpus"
    assert len(root.findall(f"{NAMESPACE}TEI")) == 2


@settings(max_examples=100)
@given(soup)
def test_whatever_the_page_it_is_valid(schema, body):
    check(schema, tei(extract_soup(body, "http://a.example/", images=True)))


def test_headings_make_divisions_within_each_other():
    root = tei(extract(BODY))
    divisions = root.findall(f"{NAMESPACE}text/{NAMESPACE}body/{NAMESPACE}div")
    heads = [[head.text for head in div.iter(f"{NAMESPACE}head")] for div in divisions]
    assert heads == [["One", "Two"], ["Three", "Who "]]
    assert texts(root, "item/p/hi") == ["In an item"]


def test_the_header_says_what_the_page_says_and_where_it_was_found():
    root = tei(extract(BODY, "http://a.example/", **SAID))
    assert texts(root, "titleStmt/title") == ["The <last> hand ferry"]
    assert texts(root, "titleStmt/author") == ["Ann Ferry", "Bo Rope"]
    assert texts(root, "publicationStmt/publisher") == ["The Paper & Co"]
    assert root.find(f".//{NAMESPACE}publicationStmt/{NAMESPACE}date").get("when") == "2016-05"
    assert root.find(f".//{NAMESPACE}language").get("ident") == "de-AT"
    assert root.find(f".//{NAMESPACE}bibl/{NAMESPACE}ref").get("target") == "http://a.example/"
    notes = {(note.get("type"), note.get("n")): note.text for note in root.iter(f"{NAMESPACE}note")}
    assert notes["description", None] == "Of a goat"
    assert notes["captured", None] == "2016-06-01"
    sources = {n: text for (kind, n), text in notes.items() if kind == "source"}
    assert sources == {k.removesuffix("_source"): v for k, v in SAID.items() if "_source" in k}


@pytest.mark.parametrize(
    ("body", "written"),
    [
        # Items have the numbers that are not their places.
        ("<ol><li>One</li><li value=5>two</li></ol>", '<item>One</item><item n="5">two</item>'),
        # A term with blocks in it is one line.
        (
            "<dl><dt><ul><li>One</li><li><b>Two</b></li></ul></dt><dd>Said</dd></dl>",
            '<label>One <hi rend="bold">Two</hi></label><item>Said</item>',
        ),
    ],
)
def test_items_have_their_numbers_and_terms_are_lines(body, written) -> None:
    assert written in FORMATS["tei"].alone(extract(body))
