"""`dbce train`: labelled archives in, a model out that `dbce run` uses; whole sites are held out."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from lxml import html
from numpy.typing import NDArray
from scipy.special import expit

from dbce.boilerplate.classify import Chances, load_model, model
from dbce.boilerplate.classify.model import calibrate, chances
from dbce.model import UsageError
from dbce.train import run as module
from dbce.train.examples import Example
from dbce.train.fit import LINES, draw_lines, part
from dbce.train.run import LabelledArchive, add_second, fit_scales, held_out_votes, scores_by_source
from tests import training
from tests.runs import ended, refusal
from tests.site import page, story
from tests.training import HOSTS, labelled_pages, paragraphs, write_gold, write_labelled


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
    assert card["expected_calibration_error_of_words"].keys() == {"first", "second"}
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
    told = write_labelled(folder, "told", HOSTS, training.commented_pages)
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
    assert not [remark for remark in training.remarks(HOSTS[0], "ferry") if remark in text]


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
    assert said in refusal(capsys, "train", "--data", *labelled, *weight, *flat)
    assert not (tmp_path / "m.npz").exists()


def one_class(folder: Path) -> tuple[Path, Path]:
    """Gold that says of every page that all of it is content."""
    archive, _ = write_labelled(folder, "a")
    pages = [one for host in HOSTS for one, _ in labelled_pages(host)]
    texts = [html.fromstring(one.payload).find("body").itertext() for one in pages]
    everything = [(one, " ".join(of)) for one, of in zip(pages, texts, strict=True)]
    return archive, write_gold(folder / "one-class.jsonl", everything)


def of_no_page(folder: Path) -> tuple[Path, Path]:
    archive, _ = write_labelled(folder, "a", HOSTS[:2])
    return archive, write_gold(folder / "unknown.jsonl", [(page("nowhere"), story("nowhere"))])


def node_gold(folder: Path) -> tuple[Path, Path]:
    archive, gold = write_labelled(folder, "a", HOSTS[:1])
    run = {"record_id": "x", "xpath": "/p", "start": 0, "end": 1, "text": "x", "label": "content"}
    gold.write_text(json.dumps(run))
    return archive, gold


def one_site(folder: Path) -> tuple[Path, Path]:
    return write_labelled(folder, "a", HOSTS[:1])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (one_class, "both are needed"),
        (of_no_page, "has text for no page of"),
        (one_site, "more sites"),
        (lambda folder: (one_site(folder)[0], folder / "missing.jsonl"), "missing.jsonl"),
        (lambda folder: (folder / "missing.warc.gz", one_site(folder)[1]), "missing.warc.gz"),
        (node_gold, "has text for no page of"),
    ],
)
def test_data_that_cannot_be_learned_from_is_one_sentence(tmp_path, capsys, data, said):
    out = tmp_path / "m.npz"
    assert train("--data", *data(tmp_path), "--out", out, "--folds", 2) == 2
    printed, err = capsys.readouterr()
    assert printed == ""
    assert said in err.splitlines()[-1], "after what was said of the progress"
    assert "Traceback" not in err
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


def test_gold_of_segments_teaches_and_is_told_apart(two_sets, tmp_path):
    """The card tells the share of the lines with segments that are right, and no F1 of pages without text."""
    archive, gold = write_labelled(tmp_path, "parts", HOSTS[:4])
    rows = [json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        first, *_ = row.pop("gold_text").splitlines()[1:]
        row |= {"gold_text": None, "with": [first], "without": ["Letters"]}
    gold.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    out, texts = tmp_path / "m.npz", tmp_path / "held.jsonl"
    added = ["--data", archive, gold, "0.5", "--out", out, "--held-out", texts]
    assert train(*two_sets, *added) == 0
    card = load_model(str(out)).card
    assert card["data"]["parts"] == len(rows)
    assert "parts" not in card["held_out_f1"]
    assert card["held_out_segments_right"]["parts"] > 0.9
    held = {row["record_id"]: row for row in map(json.loads, texts.read_text().splitlines())}
    assert all(held[row["record_id"]]["unknown"] == [] for row in rows)


# Whole sites are held out.


Votes = NDArray[np.float64]

FOLDS = 3


def silent(_: str) -> None: ...


@pytest.fixture
def spied(tiny, monkeypatch) -> list[set[str]]:
    """The sites that each fit was given; fitting itself is left out."""
    learned: list[set[str]] = []

    def fit(examples, seed, trees):
        learned.append({example.site for example in examples})
        return tiny

    monkeypatch.setattr(module, "fit", fit)
    return learned


def test_no_site_is_judged_by_a_model_that_saw_it(spied, examples, monkeypatch):
    judged: dict[int, set[str]] = {}
    by_features = {id(example.features): example.site for example in examples}

    def watched(page, weights):
        judged.setdefault(len(spied), set()).add(by_features[id(page)])
        return model.score_lines(page, weights)

    monkeypatch.setattr(module.classify, "score_lines", watched)
    held_out_votes(examples, FOLDS, 1, silent)
    assert len(spied) == len(judged) > 1
    assert all(not seen & tested for seen, tested in zip(spied, judged.values(), strict=True))
    every = {example.site for example in examples}
    assert sorted(site for tested in judged.values() for site in tested) == sorted(every)


def test_sites_that_fall_into_one_part_cannot_be_held_out(examples):
    with pytest.raises(UsageError, match="more sites"):
        held_out_votes([e for e in examples if e.site == examples[0].site], FOLDS, 1, silent)


def scored(example: Example, content: float, comment: float) -> NDArray[np.float64]:
    """What trees say that are so sure of what the gold has of content and of comments."""
    truths = (example.share, content), (example.comments, comment)
    return np.column_stack([np.where(truth > 0.5, sure, -sure) for truth, sure in truths])


def drawn_pages(examples: list[Example], lines: int = 4000) -> tuple[list[Example], list[Votes]]:
    """Pages whose lines are content as often as the log-odds say that come with them."""
    rng = np.random.default_rng(1)
    odds = [rng.normal(size=lines) * 1.5 for _ in examples]
    shares = [(rng.random(lines) < expit(of)).astype(float) for of in odds]
    unknown, weight = np.full(lines, np.nan), np.ones(lines)
    pages = [
        replace(e, share=share, comments=unknown, weight=weight)
        for e, share in zip(examples, shares, strict=True)
    ]
    return pages, [np.column_stack([o, np.zeros(lines)]) for o in odds]


def test_calibration_takes_back_what_was_too_sure(tiny, examples):
    """Scores that are three times what the truth bears out are divided by three."""
    pages, odds = drawn_pages(examples[:4])
    too_sure = [3 * found for found in odds]
    found = np.concatenate([calibrate(tiny, one).content for one in odds])
    model = fit_scales(tiny, pages, too_sure)
    again = np.concatenate([calibrate(model, one).content for one in too_sure])
    np.testing.assert_allclose(again, found, atol=0.03)
    assert model.comment_scale == (1, 0), "nothing is known of comments"


def test_comments_are_calibrated_on_the_lines_of_which_the_gold_tells(tiny, examples):
    pages, odds = drawn_pages(examples[:4])
    is_known = np.arange(len(pages[0].share)) < 2000
    known = [replace(e, comments=np.where(is_known, e.share, np.nan)) for e in pages]
    votes = [np.column_stack([-o[:, 0], 3 * o[:, 0]]) for o in odds]
    for one in votes:
        one[2000:, 1] = 50  # what is said of the others does not count
    slope, intercept = fit_scales(tiny, known, votes).comment_scale
    assert slope == pytest.approx(1 / 3, rel=0.1)
    assert intercept == pytest.approx(0, abs=0.1)


def test_what_is_likely_a_comment_is_less_likely_content(reader, with_remarks):
    """Trees that find comments content, and know them for comments, are put right."""
    confused = [scored(example, 2, 6) for example in with_remarks]
    for example, found in zip(with_remarks, confused, strict=True):
        found[example.comments > 0.5, 0] = 2
    model = fit_scales(reader, with_remarks, confused)
    _, of_no_comment, _ = model.blend
    assert of_no_comment > 0
    for example, found in zip(with_remarks, confused, strict=True):
        content, comment = calibrate(model, found)
        assert np.array_equal(content > 0.5, example.share > 0.5)
        assert np.array_equal(comment > 0.5, example.comments > 0.5)


def test_pages_that_count_less_are_left_out_of_calibration(reader, with_remarks):
    votes = [scored(example, 2, 2) for example in with_remarks]
    most, least = with_remarks[:16], [replace(e, trust=0.4) for e in with_remarks[16:]]
    misleading = [-one for one in votes[16:]]
    one, other = (
        fit_scales(reader, most + more, votes[:16] + its_votes)
        for more, its_votes in (([], []), (least, misleading))
    )
    assert (one.blend, one.comment_scale) == (other.blend, other.comment_scale)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_comments_of_one_class_are_left_as_they_come(reader, with_remarks, share):
    votes = [scored(example, 2, 2) for example in with_remarks]
    pages = [replace(e, comments=np.full_like(e.share, share)) for e in with_remarks]
    assert fit_scales(reader, pages, votes).comment_scale == (1, 0)


# The second stage learns from pages of other sites, by answers that others gave.


@pytest.fixture
def held(reader, with_remarks):
    return [chances(reader, example.features) for example in with_remarks]


def test_no_page_is_judged_by_a_second_stage_that_saw_its_site(
    reader, with_remarks, held, monkeypatch
):
    grown: list[set[int]] = []
    pages = zip(with_remarks, held, strict=True)
    rows_of_pages = [module.classify.context_rows(e.features, *of) for e, of in pages]
    # Pages of the invented sites look alike: a number that is the page's own tells them apart.
    for number, rows in enumerate(rows_of_pages):
        rows[:, 0] = number

    def grow(rows, truth, weight, *_):
        seen = [(its_rows[:, None] == rows).all(axis=2).any() for its_rows in rows_of_pages]
        grown.append(
            {part(e.site, FOLDS) for e, is_in in zip(with_remarks, seen, strict=True) if is_in}
        )
        return reader.plain

    def no_votes(_, first, __):
        return np.zeros((len(first[0]), 2))

    given = iter(rows_of_pages)
    monkeypatch.setattr(module.classify, "context_rows", lambda *_: next(given))
    monkeypatch.setattr(module, "grow", grow)
    monkeypatch.setattr(module.classify, "second_votes", no_votes)
    add_second(reader, with_remarks, held, folds=FOLDS, seed=1, progress=silent)
    every = {part(example.site, FOLDS) for example in with_remarks}
    assert len(every) > 1
    assert grown == [*(every - {fold} for fold in sorted(every)), every]


def test_lines_without_weight_are_not_drawn_and_the_others_weigh_as_much_as_all():
    weight = np.tile([0.0, 1.0, 2.0], LINES)
    chosen, drawn_weight = draw_lines([len(weight)], weight, 1)
    assert len(chosen) == LINES
    assert (weight[chosen] > 0).all()
    assert drawn_weight.sum() == pytest.approx(weight.sum(), rel=0.1)
