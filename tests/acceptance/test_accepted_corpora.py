"""Texts in pipelines of others: datatrove and datasets themselves read them, without a network."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from dbce.cli import main
from tests.acceptance.conftest import ROOT, environment
from tests.runs import page_rows

pytestmark = [pytest.mark.tools, pytest.mark.slow, pytest.mark.nightly]

OF_RUNS = {"confidence", "expected_f1", "kind", "kind_probability"}
"""Columns that only a run works out."""


@pytest.fixture(scope="module")
def told(sample, sample_run, tmp_path_factory) -> dict:
    """What both make of the sample, once."""
    folder = tmp_path_factory.mktemp("corpora")
    python = environment("corpora") / "bin" / "python"
    for form in ("datatrove", "huggingface"):
        words = ["export", str(sample_run), "--to", form, "--out", str(folder / "exported" / form)]
        assert main(words) == 0
    run = subprocess.run(
        [
            python,
            Path(__file__).with_name("with_corpora.py"),
            sample,
            folder / "exported",
            folder / "out",
        ],
        env=os.environ | {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads((folder / "out" / "told.json").read_text())


@pytest.fixture(scope="module")
def texts(sample_run) -> dict[str, str]:
    """The texts of the run."""
    rows = page_rows(sample_run)
    return {row["record_id"]: row["text"] for row in rows if row["text"]}


def test_datatrove_gets_the_same_documents_from_archives_and_from_an_export(told, texts):
    read, again = ({one["id"]: one for one in told[name]} for name in ("read", "again"))
    assert {i: one["text"] for i, one in read.items()} == texts
    assert read.keys() == again.keys()
    for i, one in read.items():
        ours = {k: v for k, v in again[i]["metadata"].items() if k not in {*OF_RUNS, "file_path"}}
        assert ours == {k: v for k, v in one["metadata"].items() if k not in OF_RUNS}


def test_pages_that_datatrove_has_are_compared_with_each_other(told):
    assert [one["text"] for one in told["extracted"]] == [text for text in told["by_api"] if text]
    assert told["extracted"]


def test_datasets_opens_a_corpus_by_its_card(told, texts):
    columns = told["columns"]
    assert dict(zip(columns["id"], columns["text"], strict=True)) == texts
