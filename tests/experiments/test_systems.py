"""Methods, peers and the ceiling on the same pages."""

import pytest

from dbce.archive import capture
from dbce.evaluate.scores import page_table, score_page
from dbce.model import Config, Reason
from scripts.experiments import sets, systems
from scripts.experiments.sets import select_pages, snapshots
from tests.experiments.build import open_set
from tests.site import TOPICS, page, revisit, story


@pytest.fixture
def archive(tmp_path):
    """Four pages of a site, two of them with gold, and one with gold that is empty."""
    pages = [page(topic) for topic in TOPICS]
    lines = [
        {"record_id": f"<{one.record_id}>", "gold_text": story(topic), "language": "en"}
        for one, topic in zip(pages[:2], TOPICS, strict=False)
    ]
    lines.append({"record_id": pages[2].record_id, "gold_text": ""})
    return open_set(tmp_path, pages, lines)


def scores(*f1_of_ten: int, sites: str = ""):
    """Pages that have so many of ten words of their gold, and a letter for the site of each."""
    gold = " ".join("abcdefghij")
    table = page_table([score_page(gold, " ".join("abcdefghij"[:n])) for n in f1_of_ten])
    return table.assign(group=list(sites or "s" * len(f1_of_ten)))


def test_revisits_are_snapshots_as_in_a_run_and_are_not_judged(tmp_path):
    ferry, *others = map(page, TOPICS)
    again = revisit(ferry, "20990101", "urn:again", WARC_Refers_To=ferry.record_id)
    gold = {"record_id": ferry.record_id, "gold_text": "x"}
    archive = open_set(tmp_path, [ferry, *others], [gold], again)
    assert archive.annotations.keys() == {one.record_id for one in (ferry, *others)}
    assert archive.annotations[ferry.record_id].crosses[0].next == "urn:again"
    assert archive.judged == 4
    assert [one.reason for one in archive.dropped.values()] == [Reason.UNCHANGED]
    assert len(systems.texts_of_method(archive, "T002", Config())) == 4


def test_some_pages_of_an_archive_are_judged_as_among_all(archive):
    every = systems.texts_of_method(archive, "T002", Config())
    one = archive.gold[1].page
    assert systems.texts_of_method(select_pages(archive, {one}), "T002", Config()) == {
        one: every[one]
    }


def test_captures_of_a_url_are_counted_those_without_verdicts_not(tmp_path):
    old, new = (page("ferry", f"{year}0101000000") for year in (2014, 2015))
    silent = capture(old.url, "<html><body></body></html>", "20160101000000")
    gold = {"record_id": old.record_id, "gold_text": "x"}
    found = open_set(tmp_path, [old, new, silent, page("maps")], [gold])
    assert snapshots(found) == {old.record_id: 2, new.record_id: 2, page("maps").record_id: 1}


def test_a_peer_reads_the_decoded_pages_that_have_gold(archive):
    seen = []

    def peer(html: str, language: str) -> str:
        seen.append((html, language))
        if "clocks0" in html:
            raise ValueError
        return "text"

    texts = systems.texts_of_peer(archive.captures, archive.about, peer)
    assert [texts[one.page] for one in archive.gold] == ["text", "", "text"]
    assert [language for _, language in seen] == ["en", "en", ""]
    assert seen[0][0].startswith("<html>")


def test_the_oracle_keeps_lines_with_more_than_half_of_their_words_in_the_gold(tmp_path):
    html = "<p>a b c d</p><p>e f x y</p><p>g h i z</p><p>q q q</p>"
    one = capture("http://x.example/", html, "20160101000000")
    gold = {"record_id": one.record_id, "gold_text": "a b c d e f g h i"}
    archive = open_set(tmp_path, [one], [gold])
    texts = systems.texts_of_oracle(archive, Config())
    assert texts == {one.record_id: "a b c d\ng h i z"}
    f1 = systems.page_scores(archive.gold, texts)["bag_f1"].item()
    assert f1 == pytest.approx(2 * 7 / (9 + 8)), "seven words of nine, and eight found"


def test_the_difference_is_paired_page_by_page():
    ours, theirs = scores(10, 10, 10), scores(10, 10, 0)
    mean, error = systems.difference(ours, theirs)
    assert (mean, error) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert systems.difference(ours, ours) == (0, 0)


def test_lines_of_scripts_without_spaces_weigh_as_the_model_has_them(tmp_path):
    menu = "Home<br>News<br>Ferries<br>Goats"
    long = "船工们在清晨把山羊带过河去，天气很好。" * 8
    ferry = page("ferry", html=f"<ul><li>{menu}<br>{long}</ul>")
    archive = open_set(tmp_path, [ferry], [{"record_id": ferry.record_id, "gold_text": long}])
    gains = {ferry.record_id: sets.Gains([*[-0.5] * 4, 0.5], [])}
    assert systems.texts_of_gains(archive, gains) == {
        ferry.record_id: f"{menu}\n{long}".replace("<br>", "\n")
    }
