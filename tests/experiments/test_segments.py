"""Segments are looked for by their words, one after another."""

import pytest

from dbce.evaluate.gold import Segments
from scripts.experiments.segments import score

TEXT = "The ferry left at nine.\n渡船已经离开"


def test_a_segment_is_there_when_its_words_follow_each_other():
    found = score(Segments(("ferry LEFT", "left nine", "船已"), ("ferry", "tea")), TEXT)
    assert found.recall == pytest.approx(2 / 3)
    assert found.absent == pytest.approx(1 / 2)
    assert found.accuracy == pytest.approx(3 / 5)
    assert found.words == 11
