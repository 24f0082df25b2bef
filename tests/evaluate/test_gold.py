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
        ([{"url": "u", "text": "t", "gold_text_comments": "a"}], GoldText("u", "t", "", "a")),
        ([{"url": "u", "text": "t", "gold_text_comments": ""}], GoldText("u", "t", "", "")),
        ([{"url": "u", "text": "t", "gold_text_comments": None}], GoldText("u", "t", "")),
    ],
)
def test_text_gold_is_of_pages(gold_file, lines, gold):
    assert read_gold(gold_file(*lines)) == (gold,)


def test_scores_are_grouped_by_any_field(gold_file):
    path = gold_file({"url": "http://a.example/", "gold_text": "", "era": 2015})
    assert [one.group for one in read_gold(path, group="era")] == ["2015"]


def test_gold_with_xpaths_is_node_gold(gold_file):
    assert read_gold(gold_file(RUN)) == (
        LabelledRun("urn:uuid:1", "/html/body/p/text()[1]", 0, 5, "Hello", Label.CONTENT),
    )


def test_gold_may_be_compressed(tmp_path):
    path = tmp_path / "gold.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"url": "u", "gold_text": "t"}\n'))
    assert read_gold(str(path)) == (GoldText("u", "t", ""),)


TEXT = {"url": "u", "gold_text": "t"}


@pytest.mark.parametrize(
    ("good", "line", "complaint"),
    [
        (TEXT, "{", "not JSON"),
        (TEXT, "[1]", "not a JSON object"),
        (TEXT, {"gold_text": "of which page?"}, "no url"),
        (TEXT, {"url": "u"}, "no text"),
        (TEXT, {"url": "u", "gold_text": 5}, "gold_text is 5"),
        (TEXT, {"record_id": 7, "gold_text": "t"}, "record_id is 7"),
        (TEXT, TEXT | {"gold_text_comments": ["a"]}, "gold_text_comments is"),
        (TEXT, TEXT | {"gold_text_comments": 0}, "gold_text_comments is 0"),
        (TEXT, {"url": "u", "gold_text": None, "with": "one"}, "with is 'one'; .* a list of"),
        (RUN, RUN | {"label": "invalid"}, "label is 'invalid'"),
        (RUN, RUN | {"label": ["content"]}, "label is"),
        (RUN, RUN | {"start": 5}, "start is 5 and end 5"),
        (RUN, RUN | {"start": -1}, "start is -1"),
        (RUN, RUN | {"end": "5"}, "end is '5'"),
        (RUN, RUN | {"record_id": None}, "no record_id"),
        (RUN, RUN | {"xpath": ""}, "xpath is empty"),
    ],
)
def test_a_bad_line_is_named(gold_file, good, line, complaint):
    path = gold_file(good, "", line)
    with pytest.raises(UsageError, match=rf"gold\.jsonl, line 3: .*{complaint}"):
        read_gold(path)


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
    gold = read_gold(gold_file(TEXT | {"gold_text_comments": "First!"}))
    assert with_comments(gold, "keep") == gold, "text gold has no runs that are comments"
