"""The report on an evaluation, as a person opens it."""

import re
import sys
from html.parser import HTMLParser

import pandas as pd
import pytest

from dbce.cli import main
from dbce.evaluate import page as pictures
from tests.evaluate.rows import page, run, store, truth

pytest.importorskip("matplotlib", reason="pip install 'dbce[evaluate]'")

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
DONE = {
    "config": {"method": "T002", "crosses": 4},
    "config_digest": "0123456789ab",
    "versions": {"dbce": "0.1.0"},
    "seconds": {"read": 0.5, "judge": 1.25},
}


class Markup(HTMLParser):
    """The start tags and the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """Runs `dbce evaluate --html` on two runs and returns the page."""

    def write(gold: list[dict], pages: list[dict], nodes: list[dict]) -> str:
        place = tmp_path_factory.mktemp("evaluated")
        folders = []
        for crosses in (1, 4):
            account = DONE | {"config": {"method": "T002", "crosses": crosses}}
            folder, path = store(
                place, gold, pages, nodes, name=f"crosses-{crosses}", account=account
            )
            folders.append(folder)
        target = place / "x.html"
        assert main(["evaluate", *folders, "--gold", path, "--html", str(target)]) == 0
        return target.read_text(encoding="utf-8")

    return write


@pytest.fixture(scope="module")
def of_words(evaluated) -> str:
    """The page of word scores."""
    return evaluated(WORDS, PAGES, NODES)


PAGES = [page("a", "the last ferry"), page("b", "a goat and more", url="http://b.example/")]
NODES = [
    run("a", 0, "the last ferry", "content", probability=0.9),
    run("b", 0, "a goat and more", "content", probability=0.7),
    run("b", 16, "menu", "boilerplate", probability=0.2),
]
WORDS = [truth("a", "the last ferry"), truth("b", "a calm goat", "two.example")]


def test_the_report_of_word_scores_has_all_its_parts(of_words):
    text = " ".join(" ".join(Markup(of_words).texts).split())
    for part in ("Summary", "Mean bag F1 by site", "Seconds by stage", "Reliability", "ECE"):
        assert part in text
    assert "crosses" in text, "what tells the runs apart"
    assert "missing: 1 words in 1 piece calm" in text
    assert "and more" in text


def test_the_report_of_node_scores_has_the_columns_of_the_thesis(evaluated):
    gold = [run("a", 0, "the last ferry", "content"), run("b", 0, "a goat and more", "boilerplate")]
    text = " ".join(Markup(evaluated(gold, PAGES, NODES)).texts)
    for column in ("tp", "fn", "fp", "tn", "acc", "p_bp", "r_con", "f1_con"):
        assert re.search(rf"\b{column}\b", text)
    assert "Accuracy by method" in text


def test_the_file_needs_no_other_and_no_script(of_words):
    tags = Markup(of_words).tags
    names = {name for name, _ in tags}
    assert {"svg", "style"} <= names
    assert not names & {"script", "link", "img", "iframe"}
    addresses = [a[k] for _, a in tags for k in ("href", "xlink:href", "src") if k in a]
    assert all(address.startswith("#") for address in addresses)


def test_ids_are_there_once(of_words):
    ids = [a["id"] for _, a in Markup(of_words).tags if "id" in a]
    assert len(ids) == len(set(ids))


def test_what_pages_and_gold_say_is_text_and_not_markup(evaluated):
    pages = [page("a", HOSTILE, url=HOSTILE), page("b", "x$y$z")]
    gold = [truth("a", f"x {HOSTILE}", HOSTILE), truth("b", "x", "$a_b$ & <i>")]
    markup = Markup(evaluated(gold, pages, NODES))
    assert not {name for name, _ in markup.tags} & {"script", "img", "i"}
    assert not any(key.startswith("on") for _, attrs in markup.tags for key in attrs)
    assert any("$a_b$" in text for text in markup.texts)


def test_equal_runs_give_equal_bytes(stored, tmp_path):
    folder, gold = stored(WORDS, PAGES, NODES, account=DONE)
    for name in ("one", "two"):
        assert main(["evaluate", folder, "--gold", gold, "--html", str(tmp_path / name)]) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_picture_has_no_date():
    svg = pictures.by_run("Accuracy", {"T001": 0.9}, {"T001": 0.01}).svg
    assert svg.startswith("<svg")
    assert "metadata" not in svg
    assert not re.search(r"20\d\d-\d\d-\d\d", svg)


def test_more_sites_than_can_be_read_are_the_largest_and_the_title_says_so():
    number = pictures.GROUPS + 3
    sites = [f"site{n:03}.example" for n in range(number)]
    table = pd.DataFrame({"pages": range(number), "T002": 0.9}, index=sites)
    picture = pictures.by_group("F1", table)
    assert f"the {pictures.GROUPS} of {number}" in picture.title
    assert "site042" in picture.svg
    assert "site002" not in picture.svg


def test_without_matplotlib_one_is_told_what_to_install(stored, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    folder, gold = stored(WORDS, PAGES, NODES, account=DONE)
    target = tmp_path / "x.html"
    assert main(["evaluate", folder, "--gold", gold, "--html", str(target)]) == 2
    assert "pip install 'dbce[evaluate]'" in capsys.readouterr().err
    assert main(["evaluate", folder, "--gold", gold]) == 0


def test_csv_and_parquet_hold_the_same_rows(stored, tmp_path, capsys):
    folder, gold = stored(WORDS, PAGES, NODES, account=DONE)
    csv, parquet = tmp_path / "x.csv", tmp_path / "x.parquet"
    options = ["--gold", gold, "--csv", str(csv), "--parquet", str(parquet)]
    assert main(["evaluate", folder, *options]) == 0
    stored_rows = pd.read_parquet(parquet)
    pd.testing.assert_frame_equal(pd.read_csv(csv), stored_rows, check_dtype=False)
    assert stored_rows["page"].tolist() == ["a", "b"]
    assert "two.example" in capsys.readouterr().out


def test_another_field_of_the_gold_can_be_the_group(stored, capsys):
    gold = [one | {"era": era} for one, era in zip(WORDS, ("old", "new"), strict=True)]
    folder, path = stored(gold, PAGES, NODES, account=DONE)
    assert main(["evaluate", folder, "--gold", path, "--group", "era"]) == 0
    assert "| old " in capsys.readouterr().out


def test_a_file_that_cannot_be_written_is_named(stored, tmp_path, capsys):
    folder, gold = stored(WORDS, PAGES, NODES, account=DONE)
    target = str(tmp_path / "run" / "run.json" / "x.csv")
    assert main(["evaluate", folder, "--gold", gold, "--csv", target]) == 2
    assert "cannot write" in capsys.readouterr().err
