"""The evaluation of a real archive from its file to its scores."""

import json
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from dbce.archive import expand
from dbce.model import Config
from tests.data import shared
from tests.evaluate.rows import evaluate
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
