"""`dbce train`: labelled archives in, a model out that `dbce run` uses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from dbce.boilerplate.classify import load_model
from dbce.boilerplate.classify.model import Chances
from dbce.cli import main
from dbce.model import UsageError
from dbce.storage import FIXITY
from dbce.train.run import LabelledArchive, calibration_error, scores_by_source
from tests.site import page, story
from tests.test_cli import ended, only_sentence
from tests.training import (
    HOSTS,
    commented_pages,
    labelled_pages,
    paragraphs,
    remarks,
    write_gold,
    write_labelled,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


def train(*arguments: object) -> int:
    return ended("train", *arguments)


@pytest.fixture(scope="module")
def two_sets(tmp_path_factory) -> list[str]:
    """The options for two archives; the second counts half."""
    folder = tmp_path_factory.mktemp("sets")
    first = map(str, write_labelled(folder, "first", HOSTS[:5]))
    second = map(str, write_labelled(folder, "second", HOSTS[5:]))
    return ["--data", *first, "--data", *second, "0.5", "--folds", "2"]


@pytest.fixture(scope="module")
def trained(two_sets) -> Path:
    """A model, its held-out texts beside it."""
    out = Path(two_sets[1]).with_name("model.npz")
    texts = out.with_suffix(".jsonl")
    assert train(*two_sets, "--out", out, "--held-out", texts) == 0
    return out


def test_a_trained_model_runs_and_two_runs_give_the_same_bytes(trained, labelled, tmp_path):
    written = []
    for name in ("one", "other"):
        out = tmp_path / name
        options = ["--model", str(trained), "--master", "none", "--out", str(out)]
        assert main(["run", str(labelled[0]), *options]) == 0
        written.append(
            {
                p.name: p.read_bytes()
                for p in sorted(out.rglob("*.*"))
                if p.name not in {"run.json", "metrics.prom", FIXITY}
            }
        )
    assert written[0] == written[1]


def test_a_run_by_a_trained_model_finds_the_paragraphs(trained, labelled, tmp_path, capsys):
    options = ["--model", trained, "--master", "none", "--out", tmp_path / "out"]
    assert ended("run", labelled[0], *options) == 0
    capsys.readouterr()
    assert ended("text", tmp_path / "out") == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first["text"].splitlines()[1:] == list(paragraphs(HOSTS[0], "ferry"))
    assert ended("show", tmp_path / "out", first["url"]) == 0
    assert "the model weighs this" in capsys.readouterr().out


def test_training_twice_gives_the_same_file(two_sets, trained, tmp_path):
    assert train(*two_sets, "--out", tmp_path / "again.npz") == 0
    assert (tmp_path / "again.npz").read_bytes() == trained.read_bytes()


def test_the_card_says_how_the_model_was_made(two_sets, trained, tmp_path, capsys):
    assert train(*two_sets, "--out", tmp_path / "m.npz") == 0
    out, err = capsys.readouterr()
    card = json.loads(out)
    assert card == load_model(str(trained)).card
    assert card["data"] == {"first": 20, "second": 12}
    assert (card["sites"], card["folds"], card["lines"]) == (8, 2, 32 * 8)
    assert card["held_out_f1"].keys() == {"first", "second"}
    assert all(0 <= value <= 1 for value in card["held_out_f1"].values())
    assert card["held_out_f1_comments_kept"] == {}, "this gold tells nothing of comments"
    assert 0 <= card["expected_calibration_error"] <= 1
    assert list(card["importances"].values()) == sorted(card["importances"].values(), reverse=True)
    assert str(tmp_path) not in out, "a card travels with the package"
    assert "fold 1 of 2" in err


def test_held_out_texts_are_of_every_labelled_page(trained):
    lines = trained.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["record_id"]: row for row in map(json.loads, lines)}
    expected = [one for host in HOSTS for one, _ in labelled_pages(host)]
    assert list(rows) == [one.record_id for one in expected]
    assert paragraphs(HOSTS[0], "ferry")[0] in rows[expected[0].record_id]["text"]


@pytest.fixture(scope="module")
def reads_comments(tmp_path_factory) -> tuple[dict[str, object], list[dict[str, str]]]:
    """Card and held-out texts of a model from two archives; the gold of one tells of comments."""
    folder = tmp_path_factory.mktemp("comments")
    told = write_labelled(folder, "told", HOSTS, commented_pages)
    untold = write_labelled(folder, "untold", HOSTS)
    data = ["--data", *told, "--data", *untold, "0.5"]
    out, texts = folder / "m.npz", folder / "texts.jsonl"
    assert train(*data, "--folds", 2, "--out", out, "--held-out", texts) == 0
    rows = map(json.loads, texts.read_text(encoding="utf-8").splitlines())
    return load_model(str(out)).card, list(rows)


def test_the_card_has_scores_with_comments_where_the_gold_tells_of_them(reads_comments):
    card, _ = reads_comments
    assert card["held_out_f1"].keys() == {"told", "untold"}
    assert card["held_out_f1_comments_kept"].keys() == {"told"}
    assert card["held_out_f1"]["told"] > 0.95
    assert card["held_out_f1_comments_kept"]["told"] > 0.95
    assert card["trees_for_comments"]["max_iter"] < card["trees"]["max_iter"]


def test_held_out_texts_are_without_comments(reads_comments):
    _, rows = reads_comments
    text = rows[0]["text"]
    assert paragraphs(HOSTS[0], "ferry")[0] in text
    assert not [remark for remark in remarks(HOSTS[0], "ferry") if remark in text]


def test_gold_of_unknown_pages_is_reported_when_others_are_known(two_sets, tmp_path, capsys):
    pages = [one for host in HOSTS for one in labelled_pages(host)]
    gold = write_gold(tmp_path / "g.jsonl", [*pages, (page("unknown"), "Text.")])
    archive, _ = write_labelled(tmp_path, "all")
    out = tmp_path / "m.npz"
    assert train("--data", archive, gold, "--out", out, "--folds", 2) == 0
    assert ": 1 page not in " in capsys.readouterr().err


def without_progress(capsys) -> str:
    """The one sentence of an error, after what was said of the progress."""
    out, err = capsys.readouterr()
    assert out == ""
    *_, last = err.splitlines()
    assert "Traceback" not in err
    return last


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"--folds": "1"}, "at least 2"),
        ({"--folds": "many"}, "--folds"),
        ({"weight": "0"}, "above 0"),
        ({"weight": "-1"}, "above 0"),
        ({"weight": "nan"}, "above 0"),
        ({"weight": "inf"}, "finite"),
        ({"weight": "heavy"}, "heavy is not a number"),
        ({"--out": "/no/such/folder/m.npz"}, "cannot write /no/such/folder/m.npz"),
        ({"--out": "."}, "cannot write ."),
        ({"--held-out": "/no/such/folder/t.jsonl"}, "cannot write /no/such/folder/t.jsonl"),
        ({"--config": "/no/such.toml"}, "/no/such.toml"),
    ],
)
def test_a_wrong_option_is_one_sentence(labelled, tmp_path, capsys, changed, said):
    options = {"--out": str(tmp_path / "m.npz"), "--folds": "2"} | changed
    weight = [options.pop("weight")] if "weight" in options else []
    flat = [word for pair in options.items() for word in pair]
    assert train("--data", *labelled, *weight, *flat) == 2
    assert said in only_sentence(capsys)
    assert not (tmp_path / "m.npz").exists()


def one_class(folder: Path) -> tuple[Path, Path]:
    """Gold that says of every page that all of it is content."""
    archive, _ = write_labelled(folder, "one-class")
    pages = [one for host in HOSTS for one, _ in labelled_pages(host)]
    everything = [(one, " ".join(text_of(one))) for one in pages]
    return archive, write_gold(folder / "one-class.jsonl", everything)


def text_of(one) -> list[str]:
    from lxml import html

    return html.fromstring(one.payload).find("body").itertext()


def unknown(folder: Path) -> tuple[Path, Path]:
    archive, _ = write_labelled(folder, "unknown", HOSTS[:2])
    return archive, write_gold(folder / "unknown.jsonl", [(page("nowhere"), story("nowhere"))])


def one_site(folder: Path) -> tuple[Path, Path]:
    return write_labelled(folder, "one-site", HOSTS[:1])


def no_gold(folder: Path) -> tuple[Path, Path]:
    return write_labelled(folder, "no-gold", HOSTS[:1])[0], folder / "missing.jsonl"


def no_archive(folder: Path) -> tuple[Path, Path]:
    return folder / "missing.warc.gz", write_labelled(folder, "no-archive", HOSTS[:1])[1]


def node_gold(folder: Path) -> tuple[Path, Path]:
    archive, gold = write_labelled(folder, "nodes", HOSTS[:1])
    run = {"record_id": "x", "xpath": "/p", "start": 0, "end": 1, "text": "x", "label": "content"}
    gold.write_text(json.dumps(run))
    return archive, gold


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (one_class, "both are needed"),
        (unknown, "has text for no page of"),
        (one_site, "more sites"),
        (no_gold, "missing.jsonl"),
        (no_archive, "missing.warc.gz"),
        (node_gold, "has text for no page of"),
    ],
)
def test_data_that_cannot_be_learned_from_is_one_sentence(tmp_path, capsys, data, said):
    out = tmp_path / "m.npz"
    assert train("--data", *data(tmp_path), "--out", out, "--folds", 2) == 2
    assert said in without_progress(capsys)
    assert not out.exists()


def test_data_takes_an_archive_gold_and_perhaps_a_weight(capsys, tmp_path):
    assert LabelledArchive.from_arguments(["a", "g"]) == LabelledArchive("a", "g", 1.0)
    assert LabelledArchive.from_arguments(["a", "g", "0.4"]) == LabelledArchive("a", "g", 0.4)
    for words in (["a"], ["a", "g", "1", "x"]):
        with pytest.raises(UsageError, match="--data takes"):
            LabelledArchive.from_arguments(words)


def test_with_comments_a_page_is_scored_against_both(with_remarks):
    held = [Chances(example.share, example.comments) for example in with_remarks]
    without, kept = scores_by_source(with_remarks, held)
    assert without == kept == {"commented": [1.0] * len(with_remarks)}
    unseen = [Chances(chance.content, 0 * chance.comment) for chance in held]
    without, kept = scores_by_source(with_remarks, unseen)
    assert set(without["commented"]) == {1.0}
    assert max(kept["commented"]) < 0.9


def test_the_calibration_error_is_how_far_promises_are_from_the_truth(examples):
    def error(chance: list[NDArray[np.float64]]) -> float:
        return calibration_error(examples, [Chances(one, np.zeros_like(one)) for one in chance])

    truth = [example.share for example in examples]
    assert error(truth) == 0
    assert error([1 - share for share in truth]) == 1
    half = [np.full_like(share, 0.5) for share in truth]
    share = np.concatenate(truth).mean()
    assert error(half) == pytest.approx(abs(share - 0.5))


def test_gold_of_segments_teaches_and_is_told_apart(two_sets, tmp_path, capsys):
    """The card tells the share of the lines with segments that are right, and no F1 of pages without text."""
    archive, gold = write_labelled(tmp_path, "parts", HOSTS[:4])
    rows = [json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        first, *_ = row.pop("gold_text").splitlines()[1:]
        row |= {"gold_text": None, "with": [first], "without": ["Letters"]}
    gold.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    out, texts = tmp_path / "m.npz", tmp_path / "held.jsonl"
    added = ["--data", archive, gold, "0.5", "--out", out, "--held-out", texts]
    assert train(*two_sets, *added) == 0
    card = load_model(str(out)).card
    assert card["data"]["parts"] == len(rows)
    assert "parts" not in card["held_out_f1"]
    assert card["held_out_segments_right"]["parts"] > 0.9
    held = {row["record_id"]: row for row in map(json.loads, texts.read_text().splitlines())}
    assert all(held[row["record_id"]]["unknown"] == [] for row in rows)
