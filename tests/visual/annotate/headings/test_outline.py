"""What a heading is made of, and how what is said of a page changes."""

import json

import pytest

from dbce.model import UsageError
from dbce.visual.annotate.headings.history import digest, line_of, outline_of, read_outlines
from dbce.visual.headings import GoldHeading
from tests.visual.annotate.headings.said import heading, says


def test_a_digest_does_not_mind_white_space():
    assert digest(" The\n ferry ") == digest("The ferry") != digest("Theferry")
    assert digest("") == "da39a3ee5e6b"  # of the SHA-1 of nothing


def test_a_heading_takes_its_texts_from_others():
    outline = says("Anna", heading(1, 2), heading(5))
    changed = outline.with_heading(heading(2, 3, level=1))
    assert [h.nodes for h in changed.headings] == [(5,), (2, 3)]
    assert changed.heading_of(3).level == 1
    assert changed.heading_of(1) is None
    assert says("Anna", heading(1, 2), heading(5)).without_parts([2, 9]).headings == (heading(5),)


def test_a_line_of_gold_says_all_but_the_text():
    picture = GoldHeading((), ("/html/body/img[1]",), 1, True, digest("A ferry"))
    outline = says("Anna", heading(4, end=9), picture)
    line = json.loads(json.dumps(line_of(outline)))
    assert outline_of(line) == outline
    assert "end" not in line["headings"][1]
    assert line["headings"][0]["end"] == 9


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{}", "no heading gold"),
        ('{"headings": [{"nodes": [1]}]}', "no heading gold"),
        ('{"headings": [1]}', "no heading gold"),
        ("[]", "not a JSON object"),
        ("1", "not a JSON object"),
        ("no", "not JSON"),
    ],
)
def test_a_line_that_is_no_gold_is_told(tmp_path, line, sentence):
    path = tmp_path / "gold.jsonl"
    path.write_text(f"{json.dumps(line_of(says('Anna')))}\n{line}\n")
    with pytest.raises(UsageError, match=rf"gold\.jsonl, line 2: {sentence}"):
        read_outlines(path)
