"""Days of publication and languages beside their gold."""

import pytest

from scripts.experiments.metadata_scores import gold_day, score
from tests.experiments.build import write_set
from tests.site import TOPICS, page


@pytest.fixture
def paths(tmp_path):
    """An archive of four pages, which say nothing of their day, and their gold."""
    pages = [page(topic) for topic in TOPICS[:4]]
    days = ["2016-05-01T10:00:00", "2016-5-1", "soon", None]
    facts = [
        {
            "record_id": f"<{one.record_id}>",
            "gold_text": "Es braucht vier Leute und eine Ziege, um die Fähre zu ziehen. " * 3,
            "language": "de",
            "metadata": {"date": day, "title": "Another headline", "authors": ["Anna Holm"]},
        }
        for one, day in zip(pages, days, strict=True)
    ]
    return write_set(tmp_path, pages, facts)


def test_pages_are_counted_by_answer(paths):
    answers = score(*paths)
    assert answers["date"].total() == 2, "of two pages the gold has a day"
    assert answers["language"].total() == 4
    assert answers["title"] == {"wrong": 4}
    assert answers["author"] == {"unknown": 4}


@pytest.mark.parametrize("written", ["2016-05-01 23:10:00+00:00", "2016-5-1 7:30"])
def test_a_gold_day_is_read_however_exact_its_time_is(written):
    assert gold_day({"metadata": {"date": written}}) == "2016-05-01"
