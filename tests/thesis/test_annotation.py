"""Crosses, and the annotation of *cur*: which members of its cross have which of its words."""

import re
from datetime import timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from lxml.html.diff import html_annotate

from dbce.archive import parse_date
from dbce.model import Cross
from dbce.thesis import Entry, crosses
from dbce.thesis.annotation import annotate, strength
from tests.site import DOC1, DOC2

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
    assert cross is not None
    assert cross.members == ("a/2", "c/1", "c/2", "a/1", "a/3")
    assert cross.bits == "11111"
    assert (cross.similarity_up, cross.similarity_down) == (120 / 128, 110 / 128)


def test_snapshots_alone_are_no_cross():
    assert cross_of("a/1", entry("a/1", 128), entry("a/2", 128, days=1)) is None


def test_of_equally_similar_entries_the_nearest_in_time_comes_first():
    cross = cross_of("a/1", entry("a/1", 128), entry("b/1", 90, 9), entry("b/2", 90, -2))
    assert cross is not None
    assert cross.up == "b/2"


def test_a_cross_does_not_depend_on_the_order_of_its_bucket():
    bucket = [entry(name, 100 + n) for n, name in enumerate(("a/1", "b/1", "c/1", "d/1"))]
    assert set(crosses(bucket)) == set(crosses(bucket[::-1]))
    ranked = sorted(crosses(bucket), key=strength)
    assert [cross.similarity_up for cross in ranked] == sorted(
        (cross.similarity_up for cross in ranked), reverse=True
    )


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
