"""The report on an evaluation, as a person opens it."""

import re
from collections.abc import Callable

import lxml.html
import pandas as pd
import pytest

from dbce.cli import main
from tests.evaluate.conftest import page, run, store, truth
from tests.markup import Markup

pytest.importorskip("jinja2", reason="pip install 'dbce[report]'")

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
DONE = {
    "config": {"method": "T002", "crosses": 4},
    "config_digest": "0123456789ab",
    "versions": {"dbce": "0.1.0"},
    "seconds": {"read": 0.5, "judge": 1.25},
}


def text_of(html: str) -> str:
    """The text of a page, its white space normalised."""
    return " ".join(" ".join(lxml.html.fromstring(html).itertext()).split())


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """Runs `dbce evaluate --html` on two runs and returns the page."""

    def write(gold: list[dict], pages: list[dict], nodes: list[dict]) -> str:
        place = tmp_path_factory.mktemp("evaluated")
        folders = []
        for n in (1, 4):
            account = DONE | {"config": {"method": "T002", "crosses": n}}
            folder, path = store(place, gold, pages, nodes, name=f"crosses-{n}", account=account)
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
    text = text_of(of_words)
    for part in ("Summary", "Mean bag F1 by site", "Seconds by stage", "Reliability", "ECE"):
        assert part in text
    assert "crosses" in text, "what tells the runs apart"
    assert "missing: 1 words in 1 piece calm" in text
    assert "and more" in text


def test_the_report_of_node_scores_has_the_columns_of_the_thesis(evaluated):
    gold = [run("a", 0, "the last ferry", "content"), run("b", 0, "a goat and more", "boilerplate")]
    text = text_of(evaluated(gold, PAGES, NODES))
    for column in ("tp", "fn", "fp", "tn", "acc", "p_bp", "r_con", "f1_con"):
        assert re.search(rf"\b{column}\b", text)
    assert "expected calibration error" in text


def test_the_file_needs_no_other_and_no_script_and_ids_are_there_once(of_words):
    markup = Markup(of_words)
    names = {name for name, _ in markup.tags}
    assert {"svg", "style"} <= names
    assert not names & {"script", "link", "img", "iframe"}
    assert all(to.startswith("#") for to in markup.values("href", "xlink:href", "src"))
    ids = markup.values("id")
    assert len(ids) == len(set(ids))


def test_what_pages_and_gold_say_is_text_and_not_markup(evaluated):
    pages = [page("a", HOSTILE, url=HOSTILE), page("b", "x$y$z")]
    gold = [truth("a", f"x {HOSTILE}", HOSTILE), truth("b", "x", "$a_b$ & <i>")]
    html = evaluated(gold, pages, NODES)
    tags = Markup(html).tags
    assert not {name for name, _ in tags} & {"script", "img", "i"}
    assert not any(key.startswith("on") for _, attrs in tags for key in attrs)
    assert "$a_b$" in text_of(html)


@pytest.fixture
def called(stored) -> Callable[..., int]:
    """The exit code of `dbce evaluate` on a run, by its options."""
    folder, gold = stored(WORDS, PAGES, NODES, account=DONE)
    return lambda *options: main(["evaluate", folder, "--gold", gold, *map(str, options)])


def test_equal_runs_give_equal_bytes(called, tmp_path):
    for name in ("one", "two"):
        assert called("--html", tmp_path / name) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_csv_and_parquet_hold_the_same_rows(called, tmp_path, capsys):
    csv, parquet = tmp_path / "x.csv", tmp_path / "x.parquet"
    assert called("--csv", csv, "--parquet", parquet) == 0
    stored_rows = pd.read_parquet(parquet)
    pd.testing.assert_frame_equal(pd.read_csv(csv), stored_rows, check_dtype=False)
    assert stored_rows["page"].tolist() == ["a", "b"]
    assert "two.example" in capsys.readouterr().out


def test_another_field_of_the_gold_can_be_the_group(stored, capsys):
    gold = [one | {"era": era} for one, era in zip(WORDS, ("old", "new"), strict=True)]
    folder, path = stored(gold, PAGES, NODES, account=DONE)
    assert main(["evaluate", folder, "--gold", path, "--group", "era"]) == 0
    assert "| old " in capsys.readouterr().out


def test_a_file_that_cannot_be_written_is_named(called, tmp_path, capsys):
    assert called("--csv", tmp_path / "run" / "run.json" / "x.csv") == 2
    assert "cannot write" in capsys.readouterr().err
