"""Methods, peers, the ceiling and the thesis on the same pages, and the sets that they are asked on."""

import gzip
import json
from pathlib import Path

import pytest

from dbce.archive import capture
from dbce.evaluate.scores import page_table, score_page, summarise
from dbce.html import decode
from dbce.model import Capture, Config, Cross, Reason, UsageError
from scripts.experiments import charsets, merging, sets, systems
from scripts.experiments.benchmarks import markdown_text, read_benchmark
from scripts.experiments.oracle import CLASSIFIERS, _cause, compare
from scripts.experiments.peers import PEERS, extract, plain
from scripts.experiments.sets import GoldFacts
from tests.data import shared
from tests.experiments.build import gold_of, open_set, write_set
from tests.site import TOPICS, page, revisit, snapshots, story

# Methods, peers and the ceiling


@pytest.fixture
def archive(tmp_path):
    """Four pages of a site, two of them with gold, and one with gold that is empty."""
    pages = [page(topic) for topic in TOPICS]
    lines = [gold_of(one, record_id=f"<{one.record_id}>", language="en") for one in pages[:2]]
    return open_set(tmp_path, pages, [*lines, gold_of(pages[2], gold_text="")])


def scores(*f1_of_ten: int):
    """Pages of a site that have so many of ten words of their gold."""
    gold = "abcdefghij"
    table = page_table([score_page(" ".join(gold), " ".join(gold[:n])) for n in f1_of_ten])
    return table.assign(group="s")


def test_revisits_are_snapshots_as_in_a_run_and_are_not_judged(tmp_path):
    ferry, *others = map(page, TOPICS)
    again = revisit(ferry, "20990101", "urn:again", WARC_Refers_To=ferry.record_id)
    archive = open_set(tmp_path, [ferry, *others], [gold_of(ferry)], again)
    assert archive.annotations.keys() == {one.record_id for one in (ferry, *others)}
    assert archive.annotations[ferry.record_id].crosses[0].next == "urn:again"
    assert archive.judged == 4
    assert [one.reason for one in archive.dropped.values()] == [Reason.UNCHANGED]
    assert len(systems.texts_of_method(archive, "T002", Config())) == 4


def test_some_pages_of_an_archive_are_judged_as_among_all(archive):
    every = systems.texts_of_method(archive, "T002", Config())
    one = archive.gold[1].page
    some = sets.select_pages(archive, {one})
    assert systems.texts_of_method(some, "T002", Config()) == {one: every[one]}


def test_captures_of_a_url_are_counted_those_without_verdicts_not(tmp_path):
    old, new = (page("ferry", f"{year}0101000000") for year in (2014, 2015))
    silent = capture(old.url, "<html><body></body></html>", "20160101000000")
    found = open_set(tmp_path, [old, new, silent, page("maps")], [gold_of(old)])
    assert sets.snapshots(found) == {old.record_id: 2, new.record_id: 2, page("maps").record_id: 1}


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
    archive = open_set(tmp_path, [one], [gold_of(one, gold_text="a b c d e f g h i")])
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
    code = "<pre>row(\n  north)</pre>"
    long = "船工们在清晨把山羊带过河去，天气很好。" * 8
    ferry = page("ferry", html=f"<figure>{menu}<br>{long}</figure>{code}")
    archive = open_set(tmp_path, [ferry], [gold_of(ferry, gold_text=long)])
    gains = {ferry.record_id: sets.Gains([*[-0.5] * 4, 0.5, 0.5], [])}
    kept = f"{menu}\n{long}\nrow(\n  north)".replace("<br>", "\n")
    assert systems.texts_of_gains(archive, gains) == {ferry.record_id: kept}


# Peers


PARAGRAPHS = [
    f"In the year {n} of the flood it took four people and a goat to move the ferry over the "
    "river, and they did so because there was no bridge and because the goat was calm enough "
    "for the journey, as all of those who were there have told us again and again since then."
    for n in range(5)
]
PAGE = (
    "<html><head><title>The last hand ferry</title></head><body>"
    '<ul class="nav"><li><a href="/">Home</a></li><li><a href="/b">Letters</a></li></ul>'
    f"<article><h1>The last hand ferry</h1>{''.join(f'<p>{text}</p>' for text in PARAGRAPHS)}</article>"
    '<div class="footer"><a href="/c">Imprint</a></div></body></html>'
)


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_finds_the_story_and_not_the_menu(name: str):
    module, peer = PEERS[name]
    pytest.importorskip(module, reason="pip install 'dbce[peers]'")
    text = extract(peer, PAGE, "en")
    assert [one in " ".join(text.split()) for one in PARAGRAPHS] == [True] * 5
    assert "Letters" not in text


def test_html_becomes_text_as_a_browser_would_break_it():
    assert plain("<p>W<b>or</b>d <i>and</i> <i>more</i></p>\n<p>next<br>line</p>") == (
        "Word and more\nnext\nline"
    )


# The thesis: to the letter, and its table


def test_words_of_another_label_are_counted_by_their_cause():
    found = compare([*snapshots(2015), *snapshots(2016)])
    assert sum(found.words.values()) > 0
    assert {cause for cause in found.words if cause.startswith("same bits")}
    for name in ("T001", "T002"):  # equal bits, equal patterns
        assert found.others["same bits"][name] == 0
    assert all(found.others[cause].keys() == set(CLASSIFIERS) for cause in found.words)


def test_the_first_member_that_differs_is_the_cause():
    cross = Cross("cur", "a", "b", None, None, 0.9, 0.8)
    others = {
        "": cross,
        "up: a less similar one": Cross("cur", "c", "b", None, None, 0.7, 0.7),
        "up: an equally similar one": Cross("cur", "b", "a", None, None, 0.9, 0.8),
        "down: one less in the fast way": Cross("cur", "a", None, None, None, 0.9, 0.0),
        "prev: one more in the fast way": Cross("cur", "a", "b", "d", None, 0.9, 0.8),
    }
    assert [_cause(cross, other) for other in others.values()] == [*others]


def test_all_ways_are_counted_on_the_same_words(tmp_path):
    captures = [*snapshots(2015), *snapshots(2016), page("alone")]
    paths = write_set(tmp_path, captures, map(gold_of, captures[:2]))
    counts = merging.count_words(*paths, Config(method="T002"))
    ways = [f"{name}, {by}" for name in merging.CLASSIFIERS for by in merging.MERGES]
    assert list(counts) == [merging.DEFAULT, *ways]
    sizes = {sum(cells[cell] for cell in merging.CELLS) for cells in counts.values()}
    assert len(sizes) == 1
    content = {cells["tp"] + cells["fn"] + cells["invalid_con"] for cells in counts.values()}
    assert len(content) == 1
    assert min(content) >= sum(len(story(topic).split()) for topic in TOPICS[:2])
    assert all(counts[f"{name}, strongest"]["conflicts"] == 0 for name in merging.CLASSIFIERS)


# Sets


@pytest.mark.data
def test_an_index_is_judged_as_the_file_it_lists():
    gold = shared("cleanportaleval/cleanportaleval.gold.jsonl")
    by_file, by_index = (
        sets.open_archive(gold.with_name(f"cleanportaleval.{ending}"), gold, Config())
        for ending in ("warc.gz", "cdxj")
    )
    assert by_file.judged == by_index.judged == 71
    texts = systems.texts_of_method(by_file, "T002", Config())
    assert texts == systems.texts_of_method(by_index, "T002", Config())
    assert summarise(systems.page_scores(by_file.gold, texts))["bag_f1_mean"] > 0.85


# Public benchmarks in the layouts of their authors


URL = "http://harbour.example/ferry"
STORY = "The ferry sails at nine. It carries four people and a goat, if the goat is calm."
HTML = (
    f'<html><body><div>Menu Fares Contact</div><h1 cc-select="true">Föhr</h1>'
    f"<p cc-select='true' data-anno-uid=a1>{STORY}</p></body></html>"
)


def web_main_bench(folder: Path) -> Path:
    about = {"language": "en", "style": "Article", "level": "mid"}
    row = {"track_id": "0b7f", "url": URL, "html": HTML, "meta": about}
    row["convert_main_content"] = f"# Föhr\n\n{STORY}"
    path = folder / "WebMainBench.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "track_id": "1", "url": None}))
    return path


def packed(folder: Path, truth: str, row: dict[str, object]) -> Path:
    """A folder with the page, and what is told of it in a file."""
    (folder / "html").mkdir()
    (folder / "html" / "0001.html.gz").write_bytes(gzip.compress(HTML.encode()))
    (folder / truth).parent.mkdir(exist_ok=True)
    (folder / truth).write_text(json.dumps(row))
    return folder


def article_extraction(folder: Path) -> Path:
    return packed(folder, "ground-truth.json", {"0001": {"articleBody": STORY, "url": URL}})


def wcxb(folder: Path) -> Path:
    about = {"page_type": {"primary": "forum"}}
    row = {"url": URL, "_internal": about, "ground_truth": {"main_content": STORY}}
    return packed(folder, "ground-truth/0001.json", row)


@pytest.mark.parametrize(
    ("layout", "facts", "text"),
    [
        (web_main_bench, GoldFacts(URL, "Article", "en"), f"# Föhr\n\n{STORY}"),
        (article_extraction, GoldFacts(URL, "article", ""), STORY),
        (wcxb, GoldFacts(URL, "forum", ""), STORY),
    ],
)
def test_a_benchmark_is_read_as_its_authors_publish_it(tmp_path, layout, facts, text):
    found = read_benchmark(layout(tmp_path))
    page, gold = found.captures[0], found.gold[0]
    assert page.record_id == gold.page
    assert (page.url, found.about[gold.page], gold.text) == (URL, facts, text)
    assert "Föhr" in page.payload.decode()


def test_the_answer_is_not_left_in_the_page_and_pages_without_url_are_not_of_one_site(tmp_path):
    first, second = read_benchmark(web_main_bench(tmp_path)).captures
    assert [part in first.payload for part in (b"cc-select", b"data-anno-uid")] == [False, False]
    assert STORY.encode() in first.payload
    assert second.url == "https://1.invalid/"


def test_gold_in_markdown_is_what_readers_see():
    markdown = 'A [ferry](http://a.example/x_(y) "to Föhr") and ![goat](g.png) go\\.\n\n[1]: http://a.example/\n'
    assert markdown_text(markdown).split() == "A [ferry] and ![goat] go. ]".split()


@pytest.mark.parametrize("line", ["{}", '{"html": "x"}', "no JSON"])
def test_what_is_no_benchmark_is_one_sentence(tmp_path, line):
    path = tmp_path / "x.jsonl"
    path.write_text(line)
    for wrong in (path, tmp_path):
        with pytest.raises(UsageError):
            read_benchmark(wrong)


# Charsets that nobody names


CYRILLIC = (
    '<?xml version="1.0" encoding="koi8-r"?><html><meta charset="koi8-r"><p>Первый снег.</p></html>'
)


def test_declarations_are_taken_away() -> None:
    text = charsets.without_declaration(CYRILLIC.encode("koi8-r"), "text/html")
    assert "koi8-r" not in text
    assert "Первый снег." in text


def test_a_text_is_written_in_what_can_hold_it() -> None:
    written = dict(charsets.encodings("Первый снег"))
    assert {"cp1251", "koi8-r", "gb18030", "euc_jp"} <= written.keys()
    assert written.keys().isdisjoint({"cp1252", "cp1253"})


@pytest.mark.data
@pytest.mark.slow
def test_news_of_twenty_languages_come_back_from_every_charset() -> None:
    shared("fundus/fundus.warc.gz")
    right = [
        decode(payload, "").text == page.text
        for page in charsets.pages(("fundus",))
        for _, payload in charsets.encodings(page.text)
    ]
    assert len(right) > 500
    assert sum(right) >= 0.99 * len(right)


@pytest.mark.data
def test_chinese_pages_that_name_no_charset_are_chinese() -> None:
    archive = shared("chinese/chinese.warc.gz")
    for one in sets.captures_of(str(archive), Config()):
        assert isinstance(one, Capture)
        assert "的" in decode(one.payload, one.content_type).text
