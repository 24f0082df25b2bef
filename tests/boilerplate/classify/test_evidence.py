"""What the comparison says of each line."""

from __future__ import annotations

import numpy as np
import pytest

from dbce.boilerplate.classify.features import EVIDENCE, TIME, evidence_features, time_features
from dbce.boilerplate.classify.lines import Lines, plant, read_lines
from dbce.model import CIRCLE, HISTORY, Annotation, Cross
from tests.html.soup import page

HTML = "<p>one two <b>three four</b></p><p>five</p>"
"""Two lines; the first has two text nodes."""


def lines() -> Lines:
    pages = [page(HTML)]
    return read_lines(pages, plant(pages))


def annotation(
    *crosses: Cross, circle: object = None, history: object = None, **shared: str
) -> Annotation:
    masks = {name: np.array(list(mask)) == "1" for name, mask in shared.items()}
    said = np.zeros((3, len(CIRCLE)), np.float32) if circle is None else np.float32(circle)
    through_time = np.full((3, len(HISTORY)), np.nan) if history is None else np.array(history)
    return Annotation("cur", crosses, masks, said, through_time.astype(np.float32))


def evidence(found: Annotation | None, name: str) -> list[float]:
    return evidence_features(lines(), [found])[name].tolist()


def pair(up: str, down: str | None = None, **snapshots: str) -> Cross:
    before, after = snapshots.get("prev"), snapshots.get("next")
    return Cross("cur", up, down, before, after, 0.9, 0.8 if down else 0.0)


def test_a_page_alone_has_no_evidence():
    found = evidence_features(lines(), [None])
    assert tuple(found) == EVIDENCE
    assert all(np.isnan(values).all() for values in found.values())


def test_what_own_snapshots_have_is_no_evidence_without_other_pages():
    alone = Cross("cur", None, None, "p", "n", 0.0, 0.0)
    found = annotation(alone, circle=np.full((3, len(CIRCLE)), np.nan), p="11000", n="11111")
    assert all(np.isnan(evidence(found, name)).all() for name in EVIDENCE)


def test_of_each_other_page_it_is_known_what_share_of_a_line_it_has():
    found = annotation(pair("u", "d", prev="p"), u="11000", d="00001", p="11111")
    assert evidence(found, "up") == [0.5, 0]
    assert evidence(found, "down") == [0, 1]


def test_having_snapshots_is_no_evidence_of_its_own():
    assert not {"prev", "next"} & set(EVIDENCE)


def test_only_the_strongest_cross_has_roles():
    found = annotation(pair("a"), pair("b", "c"), a="00000", b="11111", c="11111")
    assert evidence(found, "up") == [0, 0]
    assert np.isnan(evidence(found, "down")).all()
    assert evidence(found, "similarity") == pytest.approx([0.9, 0.9])


def test_votes_are_shares_of_words_and_of_crosses():
    found = annotation(pair("a"), pair("b"), a="11000", b="11111")
    assert evidence(found, "votes") == [0.25, 0.5]


def test_an_undecided_vote_counts_half():
    # 10000 in cross 11101: not on the later snapshot, which the table leaves open.
    found = annotation(pair("u", "d", next="n"), u="00000", d="00000", n="00001")
    assert evidence(found, "votes") == [0.5, 1]


def test_other_pages_are_asked_all_together_and_snapshots_not():
    found = annotation(pair("a", "b", prev="p"), pair("b", "a"), a="11110", b="00000", p="11111")
    assert evidence(found, "shared_most") == [1, 0]
    assert evidence(found, "shared_mean") == [0.5, 0]


def test_the_circle_is_averaged_over_the_words_of_a_line():
    said = [[0, 0.5, 1, 2, 0, 0.5]] * 2 + [[1, 1, 0, 8, 1, 1]]
    found = annotation(pair("a"), a="00000", circle=[*said])
    assert evidence(found, "shared_by") == [0, 1]
    assert evidence(found, "place_words") == [2, 8]
    assert evidence(found, "ever_shared_by") == [0.5, 1]


def test_what_the_circle_cannot_say_counts_for_nothing():
    nothing, something = [0, 0, *[np.nan] * 3, 0], [0, 1, 1, 6, 0, 0]
    found = annotation(pair("a"), a="00000", circle=[nothing, something, nothing])
    assert evidence(found, "place_words")[0] == 6
    assert np.isnan(evidence(found, "place_words")[1])
    assert evidence(found, "place_on") == [0.5, 0]


def through_time(found: Annotation | None) -> dict[str, list[float]]:
    return {name: of.tolist() for name, of in time_features(lines(), [found]).items()}


def test_without_other_snapshots_time_says_nothing():
    for found in (None, annotation(pair("a"), a="00000")):
        said = through_time(found)
        assert tuple(said) == TIME
        assert all(np.isnan(of).all() for of in said.values())


def test_what_stays_while_the_page_changes_is_kept_more_than_the_page():
    """Of two snapshots both have the first line's four words, none the second line's one."""
    alone = Cross("cur", None, None, "p", "n", 0.0, 0.0)
    said = [[1, np.nan, 1, 1], [1, np.nan, 1, 1], [0, np.nan, 0, 0]]
    found = through_time(annotation(alone, history=said, p="11110", n="11110"))
    assert found["kept"] == [1, 0]
    assert np.isnan(found["kept_redesign"]).all()
    assert found["page_kept"] == pytest.approx([0.8, 0.8])
    assert found["kept_more"] == pytest.approx([0.2, -0.8])
