"""The evaluation of a real archive from its file to its scores."""

from __future__ import annotations

import json
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from dbce.archive import expand
from dbce.evaluate import __main__ as command
from dbce.evaluate import evaluate, sets
from dbce.evaluate.archives import open_archive
from dbce.evaluate.scores import summarise
from dbce.evaluate.systems import page_scores, texts_of_method
from dbce.model import Config
from tests.data import shared
from tests.runs import whole


@pytest.mark.data
def test_a_run_scores_as_the_original_scores_its_texts(tmp_path):
    sources = expand([str(shared("cleanportaleval/cleanportaleval.warc.gz"))])
    gold = shared("cleanportaleval/cleanportaleval.gold.jsonl")
    whole(sources, tmp_path / "run", Config(method="T002"))
    ours = evaluate(str(tmp_path / "run"), str(gold)).summary.loc["all"]

    pages = pq.read_table(tmp_path / "run" / "pages", columns=["record_id", "text"]).to_pylist()
    (tmp_path / "pred").write_text("\n".join(map(json.dumps, pages)))
    options = ["--gold", str(gold), "--pred", "pred", "--json", "scores"]
    script = str(shared("../score_text.py"))
    subprocess.run([sys.executable, script, *options], cwd=tmp_path, check=True)
    theirs = json.loads((tmp_path / "scores").read_text())["pred"]["all"]

    assert ours["bag_f1_mean"] > 0.85, "bit patterns alone reach .86; less means a fault"
    assert ours["pages"] == theirs["pages"]
    for measure in ("bag", "lcs"):
        for kind in ("mean", "median", "micro"):
            found = [ours[f"{measure}_{name}_{kind}"] for name in ("p", "r", "f1")]
            assert found == pytest.approx(theirs[measure][kind], abs=5e-5)


@pytest.mark.data
def test_an_index_is_judged_as_the_file_it_lists():
    gold = shared("cleanportaleval/cleanportaleval.gold.jsonl")
    by_file, by_index = (
        open_archive(gold.with_name(f"cleanportaleval.{ending}"), gold, Config())
        for ending in ("warc.gz", "cdxj")
    )
    assert by_file.judged == by_index.judged == 71
    texts = texts_of_method(by_file, "T002", Config())
    assert texts == texts_of_method(by_index, "T002", Config())
    assert summarise(page_scores(by_file.gold, texts))["bag_f1_mean"] > 0.85


def test_absent_data_sets_are_left_out_with_a_reason(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sets, "DATA", tmp_path)
    assert command.main() == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("(set DBCE_DATA)") == len(sets.SETS)
