"""Texts in pipelines of others: datatrove and datasets themselves read them, without a network."""

import json
from pathlib import Path

import pytest

from tests.acceptance.conftest import environment
from tests.runs import ended, page_rows, process

pytestmark = [pytest.mark.tools, pytest.mark.slow, pytest.mark.nightly]

OF_RUNS = {"confidence", "expected_f1", "kind", "kind_probability"}
"""Columns that only a run works out."""


@pytest.fixture(scope="module")
def told(sample, sample_run, tmp_path_factory) -> dict:
    """What both make of the sample, once."""
    folder = tmp_path_factory.mktemp("corpora")
    python = environment("corpora") / "bin" / "python"
    for form in ("datatrove", "huggingface"):
        assert ended("export", sample_run, "--to", form, "--out", folder / "exported" / form) == 0
    script = Path(__file__).with_name("with_corpora.py")
    given = sample, folder / "exported", folder / "out"
    process(python, script, *given, HF_HUB_OFFLINE="1", HF_HOME=str(folder))
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


def test_pages_that_datatrove_has_are_compared_and_datasets_opens_a_corpus(told, texts):
    assert [one["text"] for one in told["extracted"]] == [text for text in told["by_api"] if text]
    assert told["extracted"]
    columns = told["columns"]
    assert dict(zip(columns["id"], columns["text"], strict=True)) == texts
