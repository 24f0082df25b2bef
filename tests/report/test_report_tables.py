"""What the report shows of a large run, and how it finds it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from dbce.report.tables import RunTables, first_of_each, judged, shown, summaries
from dbce.storage.folder import Folder
from tests.report.pages import stories

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_every_site_is_shown_before_any_is_shown_in_full() -> None:
    assert first_of_each(["a", "a", "a", "a", "b", "c", "c"], 5) == [0, 1, 4, 5, 6]


@given(st.lists(st.sampled_from("abc")).map(sorted), st.integers(1, 20))
def test_of_each_site_the_first_are_shown_and_shares_are_even(sites: list[str], limit: int) -> None:
    places = first_of_each(sites, limit)
    assert len(places) == min(limit, len(sites))
    taken, there = Counter(sites[p] for p in places), Counter(sites)
    for site in there:
        start = sites.index(site)
        assert [p for p in places if sites[p] == site] == [*range(start, start + taken[site])]
        if taken[site] < there[site]:
            assert max(taken.values()) <= taken[site] + 1


def test_captures_come_with_their_own_runs_and_page(run: Callable[..., Path]) -> None:
    folder = Folder(str(run(stories("ferry.example", 3), stories("tower.example", 2))))
    wanted = frozenset(judged(summaries(RunTables(folder)))["record_id"].to_pylist()[1::3])
    found = {capture.page["record_id"]: capture for capture in shown(folder, wanted)}
    assert found.keys() == wanted
    for capture in found.values():
        assert {row["record_id"] for row in capture.nodes} == {capture.page["record_id"]}
        number = capture.page["url"][-1]
        assert any(number in row["text"].split() for row in capture.nodes)
        assert f">{number} " in capture.html.decode()
