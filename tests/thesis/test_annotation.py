"""Stages 2 and 3: crosses, which members have the words of *cur*, the classes of words, and the merge of all buckets."""

import re
from datetime import timedelta
from itertools import permutations
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html.diff import html_annotate

from dbce.archive import parse_date
from dbce.model import BOILERPLATE as BP
from dbce.model import CONTENT as C
from dbce.model import INVALID, Config, Cross
from dbce.thesis import Entry, classification, crosses, document, merge_annotations, word_verdicts
from dbce.thesis.annotation import annotate, strength
from dbce.thesis.classification import class_of, classify, parse_body, propagate, set_class, train
from dbce.thesis.merging import merge as merge_by
from tests.site import DOC1, DOC2

SEED = 2047226289


def body(*texts: tuple[str, str]) -> str:
    """Paragraphs of a `<dbce>` each, given its bits and its text."""
    roles = ("cur", "up", "down", "prev", "next")
    return "".join(
        f'<p><dbce class="{" ".join(f"dbce-{r}" for r, bit in zip(roles, bits, strict=True) if bit == "1")}">'
        f"{text}</dbce></p>"
        for bits, text in texts
    )


def classes(html: str) -> list[str | None]:
    return [class_of(element) for element in parse_body(html).find_all("dbce")]


@pytest.mark.parametrize(
    ("classifier", "expected"),
    [("T001", ["content", "bp", "invalid"]), ("T002", ["content", "bp", "bp"])],
)
def test_patterns_class_the_elements(classifier, expected):
    html = body(("10011", "own"), ("11111", "all"), ("10100", "some"))
    assert classes(classify(html, "11111", classifier, SEED)) == expected


def test_parents_take_the_class_that_all_their_children_have():
    soup = parse_body("<div><ul><li><dbce>a</dbce></li><li><dbce>b</dbce></li></ul></div><p></p>")
    first, second = soup.find_all("dbce")
    for kinds, expected in (
        (
            ("bp", "bp"),
            {"li": ["bp", "bp"], "ul": ["bp"], "div": ["bp"], "p": [None], "body": [None]},
        ),
        (("content", "bp"), {"li": ["content", "bp"], "ul": [None], "div": [None]}),
    ):
        set_class(first, kinds[0])
        set_class(second, kinds[1])
        propagate(soup)
        found = {name: [class_of(e) for e in soup.find_all(name)] for name in expected}
        assert found == expected


def test_the_text_of_a_form_field_is_classed_too():
    html = '<form><textarea><dbce class="dbce-cur dbce-up">say &lt;b&gt;</dbce></textarea></form>'
    classed = classify(html, "11000", "T001", SEED)
    assert classes(classed) == ["bp"]
    assert "say &lt;b&gt;</dbce></textarea>" in classed
    assert classify(classed, "11000", "T001", SEED) == classed


def test_an_image_takes_its_class_with_it():
    html = '<p><dbce class="dbce-cur"><img src="x"></dbce></p>'
    assert classes(classify(html, "11000", "T001", SEED)) == ["content"]


MENU_AND_TEXT = """<ul class="b a"><li class=x><dbce>one two</dbce></li>
<li>in <a><dbce>three</dbce></a></li></ul><p><dbce>{}</dbce></p>"""
X, AB = crc32(b"x"), crc32(b"a b")

# Numbers of tags (in the order in which the page has them: <dbce>, html, body, ul, li, a, p), class, densities of links
# and of text, words, characters, tags, each of P, C and N, but C alone for the class; characters a tag (table 2.1).
OF_ONE_TWO = (
    *(0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 7, 0, 0, 0, 0, 7),  # the run: alone in its group
    *(
        0,
        5,
        5,
        X,
        0,
        0,
        0,
        2,
        1,
        1,
        0,
        2,
        1,
        0,
        7,
        5,
        0,
        1,
        2,
        7,
    ),  # its item, before one with a link
    *(
        0,
        4,
        7,
        AB,
        0,
        0,
        1 / 3,
        3,
        0,
        16,
        0,
        3,
        20,
        0,
        13,
        99,
        0,
        4,
        1,
        13 / 4,
    ),  # the list, before a paragraph
)
OF_THREE = (0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 5, 0, 0, 0, 0, 5)  # a run in a link


def test_a_text_has_twenty_features_a_layer():
    soup = parse_body(
        MENU_AND_TEXT.format("word " * 20)
    )  # sixteen words are a line of 80 characters
    elements = soup.find_all("dbce")
    for layers in (1, 2, 3):
        rows = classification.features(soup, elements, layers)
        assert rows.shape == (3, 20 * layers)
        assert rows[0].tolist() == pytest.approx(OF_ONE_TWO[: 20 * layers])
        assert rows[1, :20].tolist() == pytest.approx(OF_THREE)


def test_vectors_of_both_classes_teach_nothing():
    rows = np.array([[n % 3, 0] for n in range(9)], dtype=np.float64)
    kinds = ["content" if n % 3 == 0 else "bp" for n in range(9)]
    model = train(rows, kinds, "T006", SEED)
    assert model.predict([[0, 0]]).tolist() == [True]
    assert train(rows, ["bp", *kinds[1:]], "T006", SEED) is None  # no content is left
    assert train(rows[:4], kinds[:4], "T006", SEED) is None  # too few


@pytest.mark.parametrize("classifier", ["T003", "T004", "T005", "T006"])
def test_what_patterns_leave_open_is_learned_from_the_rest(classifier):
    long, short = "word " * 60, "menu"
    known = [("10011", long), ("11111", short)] * 6
    html = classify(body(*known, ("10100", long), ("10101", short)), "11111", classifier, SEED)
    assert classes(html)[-2:] == ["content", "bp"]
    assert "dbce-by-reclassified" in html
    few = body(("10011", "own"), ("10100", "some"))
    assert classes(classify(few, "11111", classifier, SEED)) == ["content", "invalid"]


def test_an_element_that_loses_its_class_loses_its_attribute():
    element = parse_body("<p>text</p>").find("p")
    set_class(element, "bp")
    assert str(element) == '<p class="dbce-class-bp">text</p>'
    set_class(element, None)
    assert str(element) == "<p>text</p>"


NOW = parse_date("2016-09-21T00:00:00Z")


def entry(name: str, equal: int, days: int = 0) -> Entry:
    """The entry `URL/number` of which so many of 128 values of the signature are those of all others."""
    signature = np.zeros(128, np.uint32)
    signature[equal:] = sum(map(ord, name))
    surt = name.partition("/")[0]
    return Entry(name, "site", surt, NOW + timedelta(days), signature)


def cross_of(name: str, *bucket: Entry) -> Cross | None:
    return next((cross for cross in crosses(bucket) if cross.cur == name), None)


def test_up_and_down_are_the_most_similar_of_other_paths_and_snapshots_stand_beside():
    bucket = [
        *(entry("a/1", 128, days=1), entry("a/2", 128, days=2), entry("a/3", 128, days=3)),
        *(entry("b/1", 100), entry("c/1", 120), entry("c/2", 110)),
    ]
    cross = cross_of("a/2", *bucket)
    assert cross.members == ("a/2", "c/1", "c/2", "a/1", "a/3")
    assert cross.bits == "11111"
    assert (cross.similarity_up, cross.similarity_down) == (120 / 128, 110 / 128)
    assert cross_of("a/2", *bucket[:3]) is None, "snapshots alone are no cross"
    equal = entry("b/1", 90, 9), entry("b/2", 90, -2)
    assert cross_of("a/1", entry("a/1", 128), *equal).up == "b/2", "the nearest in time"


def test_a_cross_does_not_depend_on_the_order_of_its_bucket():
    bucket = [entry(name, 100 + n) for n, name in enumerate(("a/1", "b/1", "c/1", "d/1"))]
    assert set(crosses(bucket)) == set(crosses(bucket[::-1]))
    similar = [cross.similarity_up for cross in sorted(crosses(bucket), key=strength)]
    assert similar == sorted(similar, reverse=True)


def annotated(cur: str, **others: str) -> str:
    names = [role if role in others else None for role in ("up", "down", "prev", "next")]
    return annotate({"cur": cur, **others}, Cross("cur", *names, 0.0, 0.0))


def test_the_example_of_listing_2_10():
    assert re.findall(r'<dbce class="([^"]*)">([^<]*)<', annotated(DOC1, up=DOC2)) == [
        ("dbce-cur dbce-up", "Buy More"),
        ("dbce-cur dbce-up", "New Cars"),
        ("dbce-cur", "Definition of Boilerplate"),
        ("dbce-cur dbce-up", "2016 - Example Inc. All rights reserved"),
    ]


def test_a_word_keeps_all_members_that_have_it():
    text = "<p>{} the quick brown fox jumps</p>".format
    body = annotated(text("one"), up=text("two"), down="<p>none of that</p>", next=text("one"))
    assert body == (
        '<p><dbce class="dbce-cur dbce-next">one</dbce> '
        '<dbce class="dbce-cur dbce-up dbce-next">the quick brown fox jumps</dbce></p>'
    )


WORDS = st.lists(st.sampled_from(["a", "b", "c", "<i>d</i>", "<br>", "<img src=x>"]), max_size=30)


@given(WORDS, WORDS)
def test_with_one_other_version_it_is_html_annotate(cur, other):
    def mark(text: str, version: str) -> str:
        return f'<dbce class="dbce-{version}">{text}</dbce>' if text else ""

    own, theirs = (f"<div>{' '.join(words)}</div>" for words in (cur, other))
    expected = html_annotate([(theirs, "cur dbce-up"), (own, "cur")], mark)
    assert annotated(own, up=theirs) == expected


CONFIG = Config()


def merge(bodies: list[str], by: str = "forest") -> str:
    return merge_by(bodies, CONFIG.seed, by)


def element(kind: str, text: str, roles: str = "dbce-cur") -> str:
    return f'<dbce class="{roles} dbce-class-{kind}">{text}</dbce>'


def verdicts(body: str, *words: str) -> list[tuple[int, str]]:
    return [(one.label, one.rule) for one in word_verdicts(words, body)]


def test_equal_classes_are_inherited_and_invalid_is_none():
    given = (("content", "invalid", "invalid"), ("content", "bp", "invalid"))
    bodies = [f"<p>{''.join(map(element, kinds, ('a ', 'b ', 'c')))}</p>" for kinds in given]
    found = verdicts(merge(bodies), "a", "b", "c")
    assert found == [(C, "pattern"), (BP, "pattern"), (INVALID, "pattern")]


def test_elements_are_parted_where_one_of_the_annotations_parts_them():
    bodies = [
        f"<p>{element('bp', 'a b c')}</p>",
        f"<p>{element('bp', 'a', 'dbce-cur dbce-up')} {element('content', 'b c')}</p>",
        f"<p>{element('bp', 'a b ')}{element('bp', 'c')}</p>",
    ]
    body = merge(bodies)
    assert body.count("<dbce") == 3
    assert [label for label, _ in verdicts(body, "a", "b", "c")] == [BP, BP, BP]


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (["content", "bp", "bp"], (BP, "majority")),
        (["bp", "content", "content"], (C, "majority")),
        (["content", "bp"], (C, "strongest-cross")),
        (["invalid", "bp", "content"], (BP, "strongest-cross")),
    ],
)
def test_where_too_few_teach_a_forest_the_majority_decides_conflicts(kinds, expected):
    bodies = [f"<p>{element(kind, 'a')}</p>" for kind in kinds]
    assert verdicts(merge(bodies), "a") == [expected]
    assert verdicts(merge(bodies, "inherit"), "a")[0][0] == INVALID


def test_a_forest_that_the_undisputed_elements_teach_decides_conflicts():
    pair = "<p>{}</p><ul>{}</ul>".format
    known = pair(element("content", "word " * 60), element("bp", "menu")) * 6
    bodies = [
        known + pair(element(kind, "text " * 60), element(kind, "home"))
        for kind in ("bp", "content")
    ]
    words = (["word"] * 60 + ["menu"]) * 6 + ["text"] * 60 + ["home"]
    last = verdicts(merge(bodies), *words)
    assert last[-2:] == [(C, "forest"), (BP, "forest")]
    assert {rule for _, rule in last[:-61]} == {"pattern"}


def test_a_merge_depends_on_neither_order_nor_repetition():
    given = [
        (Cross("cur", f"up{n}", None, None, None, n / 4, 0.0), f"<p>{element(kind, 'a b')}</p>")
        for n, kind in enumerate(("bp", "content", "content"))
    ]
    bodies = {merge_annotations([*order, order[0]], CONFIG).body for order in permutations(given)}
    assert len(bodies) == 1
    annotation = merge_annotations(given, CONFIG)
    assert [cross.up for cross in annotation.crosses] == ["up2", "up1", "up0"]
    alone = merge_annotations(given, Config(merge="strongest"))
    assert [cross.up for cross in alone.crosses] == ["up2"]


def test_a_verdict_has_bits_and_the_share_of_votes_and_words_that_the_body_lacks_are_left_open():
    bodies = [f"<p>{element('content', 'a&amp;b c', 'dbce-cur dbce-prev')}</p>"] * 2
    found = word_verdicts(["a&b", "x", "c"], merge(bodies))
    assert (found[0].bits, found[0].probability) == (0b10010, 0.83)
    assert [verdict.label for verdict in found] == [C, INVALID, C]


def test_the_document_has_the_head_of_its_page_and_no_marks_in_form_fields():
    page = '<html><head><title>t</title></head><body id="x"><p>old</p></body></html>'
    html = document(page, "<p>new</p>")
    assert html.startswith("<html><head><title>t</title><style>dbce.")
    assert html.endswith('</style></head><body id="x"><p>new</p></body></html>')
    assert "<title>t</title><body>" not in document("<title>t</title>", "new")
    field = f"<textarea rows=2>{element('bp', 'say it')}</textarea>{element('bp', 'x')}"
    assert "<textarea rows=2>say it</textarea><dbce" in document("", field)
