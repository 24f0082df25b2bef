"""The shared data sets, found and compared."""

import pytest

from dbce.evaluate.scores import summarise
from dbce.model import Config
from scripts.experiments.sets import open_archive
from scripts.experiments.systems import page_scores, texts_of_method
from tests.data import shared


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
