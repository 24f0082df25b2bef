"""Public benchmarks in the layouts of their authors."""

import gzip
import json
from pathlib import Path

import pytest

from dbce.model import UsageError
from scripts.experiments.benchmarks import markdown_text, read_benchmark
from scripts.experiments.sets import GoldFacts

URL = "http://harbour.example/ferry"
STORY = "The ferry sails at nine. It carries four people and a goat, if the goat is calm."
HTML = (
    f'<html><body><div>Menu Fares Contact</div><h1 cc-select="true">Föhr</h1>'
    f"<p cc-select='true' data-anno-uid=a1>{STORY}</p></body></html>"
)


def web_main_bench(folder: Path) -> Path:
    row = {
        "track_id": "0b7f",
        "url": URL,
        "html": HTML,
        "convert_main_content": f"# Föhr\n\n{STORY}",
        "meta": {"language": "en", "style": "Article", "level": "mid"},
    }
    path = folder / "WebMainBench.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "track_id": "1", "url": None}))
    return path


def packed(folder: Path) -> None:
    (folder / "html").mkdir()
    (folder / "html" / "0001.html.gz").write_bytes(gzip.compress(HTML.encode()))


def article_extraction(folder: Path) -> Path:
    packed(folder)
    truth = {"0001": {"articleBody": STORY, "url": URL}}
    (folder / "ground-truth.json").write_text(json.dumps(truth))
    return folder


def wcxb(folder: Path) -> Path:
    packed(folder)
    (folder / "ground-truth").mkdir()
    row = {
        "url": URL,
        "_internal": {"page_type": {"primary": "forum"}},
        "ground_truth": {"main_content": STORY},
    }
    (folder / "ground-truth" / "0001.json").write_text(json.dumps(row))
    return folder


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
    assert b"cc-select" not in first.payload
    assert b"data-anno-uid" not in first.payload
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
