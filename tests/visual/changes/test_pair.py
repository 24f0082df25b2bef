"""`dbce changes DIR --pair URL TIME TIME`."""

import re
from pathlib import Path

import pytest

from dbce.cli import main
from tests.site import page, revisit, stored, story
from tests.visual.changes.build import OTHER_MENU, finished, harbour, lighthouse
from tests.visual.changes.rendered import laid_out, write_looks

URL = "http://harbour.example/lighthouse"
PAGES = [
    harbour("2013", lighthouse()),
    harbour("2014", lighthouse(story("lamp"))),
    harbour("2016", lighthouse(menu=OTHER_MENU)),
]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on three snapshots of a page, a revisit of the second, and a page with one snapshot."""
    archive = stored(page("ferry", "20130101000000"), *PAGES)
    archive += revisit(
        PAGES[1], "20180101", "urn:x:again", WARC_Refers_To=f"<{PAGES[1].record_id}>"
    )
    return finished(tmp_path_factory.mktemp("pair"), archive)


def asked(out: Path, capsys: pytest.CaptureFixture, *pair: str) -> list[str]:
    capsys.readouterr()
    assert main(["changes", str(out), "--pair", *pair]) == 0
    return capsys.readouterr().out.splitlines()


def counts(lines: list[str], what: str) -> list[int]:
    (line,) = (line for line in lines if line.startswith(f"{what}  "))
    return [int(word) for word in line.removeprefix(what).split()]


def test_snapshots_that_do_not_follow_each_other_are_compared(out, capsys):
    lines = asked(out, capsys, URL, "2013", "20160630")
    assert lines[:2] == [URL, "from 2013-01-01 00:00:00 to 2016-01-01 00:00:00"]
    assert lines[2] == "boilerplate only"
    assert counts(lines, "words of content")[:2] == [0, 0]
    assert counts(lines, "words of boilerplate")[:2] == [len(OTHER_MENU[-1].split()), 0]
    assert counts(lines, "links") == [1, 0, 3]
    assert "damage: none found" in lines
    assert not (out / "changes").exists()


def test_the_earlier_one_is_the_older_whichever_is_named_first(out, capsys):
    lines = asked(out, capsys, URL, "2014", "2013")
    assert lines == asked(out, capsys, URL, "2013", "2014")
    assert counts(lines, "words of content")[:2] == [30, 0]
    assert lines[2] == "content; important"


def test_a_revisit_has_the_text_of_what_it_repeats(out, capsys):
    with_original = asked(out, capsys, URL, "2013", "2014")
    with_revisit = asked(out, capsys, URL, "2013", "2018")
    assert with_revisit[2:] == with_original[2:]
    assert asked(out, capsys, URL, "2014", "2018")[2] == "equal"


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        ((URL, "2013", "20130501"), "of 4 snapshots of .* is the nearest to both times"),
        (("http://harbour.example/ferry", "2013", "2018"), "has one snapshot, of 2013-01-01"),
        (("http://harbour.example/tower", "2013", "2018"), "holds no page http://harbour.ex"),
        ((URL, "soon", "2018"), "--pair soon is not a time"),
    ],
)
def test_what_is_no_pair_is_said_in_a_sentence(out, capsys, pair, sentence):
    capsys.readouterr()
    assert main(["changes", str(out), "--pair", *pair]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert re.search(sentence, said)


@pytest.mark.parametrize("in_pieces", [False, True])
def test_pictures_are_told_where_both_were_rendered(tmp_path, capsys, *, in_pieces):
    pytest.importorskip("skimage", reason="pip install 'dbce[render]'")
    out = finished(tmp_path, stored(page("ferry", "20130101000000"), *PAGES))
    looks = [laid_out(one, "a story", "the end of the story") for one in PAGES]
    write_looks(out, looks, in_pieces=in_pieces)
    lines = asked(out, capsys, URL, "2013", "2016", "--mode", "image")
    assert "pictures: SSIM 1.00, 100.0% of pixels changed, height 800 to 800 px" in lines
    assert counts(lines, "blocks as rendered") == [0, 0, 0, 2]
