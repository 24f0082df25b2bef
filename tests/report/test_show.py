"""What the terminal says of a capture."""

from datetime import UTC, datetime

import pytest

from dbce.boilerplate.word_labels import RULES
from dbce.report.show import show

PAGE = {
    "url": "http://harbour.example/ferry",
    "fetch_time": datetime(2016, 1, 1, tzinfo=UTC),
    "status": "annotated",
    "reason": None,
    "title": None,
    "cross_bits": "11000",
    "confidence": 0.9,
    "runs_content": 1,
    "runs_boilerplate": 0,
    "runs_invalid": 0,
} | dict.fromkeys(("up", "down", "prev", "next", "variant_of"))

NODE = {"label": "content", "probability": 0.9, "bits": "10000", "node": 0, "text": "It left."}


def why(rule: str, comparisons: int, bits: str = "10000") -> str:
    """The line above a text run that a rule decided."""
    node = NODE | {"decided_by": rule, "comparisons": comparisons, "bits": bits}
    *_, said, text = show(PAGE, {}, [node])
    assert "It left." in text
    return said.strip()


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != "density"])
def test_every_rule_of_compared_pages_has_its_words(rule) -> None:
    assert why(rule, 2, "11000").startswith("content: also on up; ")
    assert why(rule, 2).startswith("content: on this page only; ")


@pytest.mark.parametrize("rule", ["density", "joint", "comment"])
def test_every_rule_of_pages_that_stand_alone_has_its_words(rule) -> None:
    assert why(rule, 0).startswith("content: no other page to compare with; ")
    with_snapshots = "content: also on prev, next, but no other page to compare with; "
    assert why(rule, 0, "10011").startswith(with_snapshots)


def test_some_rules_say_how_many_comparisons_there_are_or_what_it_is() -> None:
    assert why("majority", 3).endswith("most of 3 comparisons say so")
    for comparisons in (0, 2):
        said = "the model takes it for a comment of a user"
        assert why("comment", comparisons).endswith(said)


@pytest.mark.parametrize(
    ("year", "told"),
    [(2014, "unchanged since 20140101000000"), (2017, "as it was at 20170101000000")],
)
def test_a_revisit_says_since_when_its_page_is_the_same(year, told) -> None:
    revisit = PAGE | {"status": "skipped", "reason": "unchanged", "cross_bits": None}
    revisit["original_time"] = datetime(year, 1, 1, tzinfo=UTC)
    assert f"reason: unchanged ({told})" in show(revisit, {}, [])
    beside = PAGE | {"cross_bits": "11001", "up": "urn:up", "next": "urn:next"}
    *_, last = show(beside, {"urn:next": revisit}, [])
    assert last.endswith(f"20160101000000 ({told})")


@pytest.mark.parametrize("cross_bits", ["11000", None])
def test_a_variant_is_named_by_its_address(cross_bits) -> None:
    page = PAGE | {"cross_bits": cross_bits, "variant_of": "urn:print"}
    other = PAGE | {"url": "http://harbour.example/ferry/print"}
    told = [line.strip() for line in show(page, {"urn:print": other}, [])]
    sentence = "the same document, so not compared with it"
    at = "http://harbour.example/ferry/print  20160101000000"
    assert f"variant of {at}: {sentence}" in told
    assert f"variant of urn:print: {sentence}" in [line.strip() for line in show(page, {}, [])]
