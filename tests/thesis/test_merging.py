"""The reduce stage: annotations of several buckets become one, and one becomes verdicts and a document."""

from itertools import permutations

import pytest

from dbce.model import BOILERPLATE as BP
from dbce.model import CONTENT as C
from dbce.model import INVALID, Config, Cross
from dbce.thesis import document, merge_annotations, word_verdicts
from dbce.thesis.merging import merge as merge_by

CONFIG = Config()


def merge(bodies: list[str], by: str = "forest") -> str:
    return merge_by(bodies, CONFIG.seed, by)


def element(kind: str, text: str, roles: str = "dbce-cur") -> str:
    return f'<dbce class="{roles} dbce-class-{kind}">{text}</dbce>'


def verdicts(body: str, *words: str) -> list[tuple[int, str]]:
    return [(one.label, one.rule) for one in word_verdicts(words, body)]


def test_equal_classes_are_inherited_and_invalid_is_none():
    bodies = [
        f"<p>{element('content', 'a ')}{element('invalid', 'b ')}{element('invalid', 'c')}</p>",
        f"<p>{element('content', 'a ')}{element('bp', 'b ')}{element('invalid', 'c')}</p>",
    ]
    body = merge(bodies)
    assert verdicts(body, "a", "b", "c") == [(C, "pattern"), (BP, "pattern"), (INVALID, "pattern")]


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
    known = "".join(
        f"<p>{element('content', 'word ' * 60)}</p><ul>{element('bp', 'menu')}</ul>"
        for _ in "123456"
    )
    disputed = f"<p>{element('{}', 'text ' * 60)}</p><ul>{element('{}', 'home')}</ul>"
    bodies = [known + disputed.format(*kinds) for kinds in (("bp", "bp"), ("content", "content"))]
    last = verdicts(merge(bodies), *(["word"] * 60 + ["menu"]) * 6, *["text"] * 60, "home")
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


def test_a_verdict_has_bits_and_the_share_of_votes():
    bodies = [f"<p>{element('content', 'a&amp;b', 'dbce-cur dbce-prev')}</p>"] * 2
    (verdict,) = word_verdicts(["a&b"], merge(bodies))
    assert (verdict.bits, verdict.probability) == (0b10010, 0.83)


def test_words_that_the_body_lacks_are_left_open():
    body = merge([f"<p>{element('content', 'a b')}</p>"])
    assert [label for label, _ in verdicts(body, "a", "x", "b")] == [C, INVALID, C]


def test_the_document_has_the_head_of_its_page():
    page = '<html><head><title>t</title></head><body id="x"><p>old</p></body></html>'
    html = document(page, "<p>new</p>")
    assert html.startswith("<html><head><title>t</title><style>dbce.")
    assert html.endswith('</style></head><body id="x"><p>new</p></body></html>')
    assert "<title>t</title><body>" not in document("<title>t</title>", "new")


def test_a_form_field_of_the_document_has_no_marks():
    html = document(
        "", f"<textarea rows=2>{element('bp', 'say it')}</textarea>{element('bp', 'x')}"
    )
    assert "<textarea rows=2>say it</textarea><dbce" in html
