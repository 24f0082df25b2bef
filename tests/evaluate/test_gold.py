"""Gold files: two kinds, told apart by their fields; a bad line is named."""

import gzip
import json

import pytest

from dbce.evaluate.gold import GoldText, LabelledRun, Segments, read_gold, with_comments
from dbce.model import Label, UsageError

CON, BP = Label.CONTENT, Label.BOILERPLATE
RUN = {
    "record_id": "<urn:uuid:1>",
    "xpath": "/html/body/p/text()[1]",
    "start": 0,
    "end": 5,
    "text": "Hello",
    "label": "content",
}


@pytest.fixture
def gold_file(tmp_path):
    def write(*lines: object) -> str:
        path = tmp_path / "gold.jsonl"
        path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines))
        return str(path)

    return write


@pytest.mark.parametrize(
    ("lines", "gold"),
    [
        (
            [{"record_id": "<urn:uuid:1>", "url": "u", "gold_text": "One"}],
            GoldText("urn:uuid:1", "One", ""),
        ),
        ([{"url": "u", "text": "Two", "site": "b"}, ""], GoldText("u", "Two", "b")),
        ([{"url": "u", "gold_text": "a"}, {"url": "u", "gold_text": "b"}], GoldText("u", "b", "")),
        ([{"url": "u", "gold_text": None}], GoldText("u", "", "")),
        (
            [{"url": "u", "gold_text": None, "with": ["one", "two"], "without": ["three"]}],
            GoldText("u", "", "", segments=Segments(("one", "two"), ("three",))),
        ),
        ([{"url": "u", "gold_text": "t", "with": ["t"]}], GoldText("u", "t", "")),
    ],
)
def test_text_gold_is_of_pages(gold_file, lines, gold):
    assert read_gold(gold_file(*lines)) == (gold,)


def test_scores_are_grouped_by_any_field(gold_file):
    path = gold_file({"url": "http://a.example/", "gold_text": "", "era": 2015})
    assert [one.group for one in read_gold(path, group="era")] == ["2015"]


def test_segments_are_strings(gold_file):
    with pytest.raises(UsageError, match="line 1: with is 'one'; it must be a list of strings"):
        read_gold(gold_file({"url": "u", "gold_text": None, "with": "one"}))


@pytest.mark.parametrize(
    ("told", "comments"),
    [
        ({"gold_text_comments": "First!"}, "First!"),
        ({"gold_text_comments": ""}, ""),
        ({"gold_text_comments": None}, None),
        ({}, None),
    ],
)
def test_gold_may_tell_the_comments_of_users(gold_file, told, comments):
    path = gold_file({"url": "u", "gold_text": "t"} | told)
    assert read_gold(path) == (GoldText("u", "t", "", comments),)


def test_gold_with_xpaths_is_node_gold(gold_file):
    assert read_gold(gold_file(RUN)) == (
        LabelledRun("urn:uuid:1", "/html/body/p/text()[1]", 0, 5, "Hello", Label.CONTENT),
    )


def test_gold_may_be_compressed(tmp_path):
    path = tmp_path / "gold.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"url": "u", "gold_text": "t"}\n'))
    assert read_gold(str(path)) == (GoldText("u", "t", ""),)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ({"gold_text": "of which page?"}, "no url"),
        ({"url": "u"}, "no text"),
        ({"url": "u", "gold_text": 5}, "gold_text is 5"),
        ({"record_id": 7, "gold_text": "t"}, "record_id is 7"),
        ({"url": "u", "gold_text": "t", "gold_text_comments": ["a"]}, "gold_text_comments is"),
        ({"url": "u", "gold_text": "t", "gold_text_comments": 0}, "gold_text_comments is 0"),
    ],
)
def test_a_bad_line_of_text_gold_is_named(gold_file, line, complaint):
    path = gold_file({"url": "u", "gold_text": "t"}, "", line)
    with pytest.raises(UsageError, match=rf"gold\.jsonl, line 3: .*{complaint}"):
        read_gold(path)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"label": "invalid"}, "label is 'invalid'"),
        ({"label": ["content"]}, "label is"),
        ({"start": 5}, "start is 5 and end 5"),
        ({"start": -1}, "start is -1"),
        ({"end": "5"}, "end is '5'"),
        ({"record_id": None}, "no record_id"),
        ({"xpath": ""}, "xpath is empty"),
    ],
)
def test_a_bad_line_of_node_gold_is_named(gold_file, change, complaint):
    with pytest.raises(UsageError, match=rf"gold\.jsonl, line 2: .*{complaint}"):
        read_gold(gold_file(RUN, RUN | change))


def test_a_file_without_gold_is_refused(gold_file, tmp_path):
    with pytest.raises(UsageError, match="holds no gold"):
        read_gold(gold_file(" "))
    with pytest.raises(UsageError, match="cannot read the gold"):
        read_gold(str(tmp_path / "missing.jsonl"))
    (tmp_path / "latin").write_bytes(b'{"url": "u", "text": "\xe4"}')
    with pytest.raises(UsageError, match="not UTF-8"):
        read_gold(str(tmp_path / "latin"))


def test_a_comment_is_boilerplate_but_to_a_run_that_keeps_comments(gold_file):
    gold = read_gold(gold_file(RUN, RUN | {"start": 5, "end": 9, "label": "comment"}))
    assert [(one.label, one.comment) for one in gold] == [(CON, False), (BP, True)]
    assert with_comments(gold, "drop") == gold
    assert [one.label for one in with_comments(gold, "keep")] == [CON, CON]


def test_text_gold_has_no_runs_that_are_comments(gold_file):
    gold = read_gold(gold_file({"url": "u", "gold_text": "t", "gold_text_comments": "First!"}))
    assert with_comments(gold, "keep") == gold
