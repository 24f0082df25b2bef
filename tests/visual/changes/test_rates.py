"""How often pages change, from snapshots at irregular times, and the tables of the report on that."""

from pathlib import Path

import numpy as np
import pytest

from dbce.cli import main
from dbce.visual.changes import rate
from tests.site import story
from tests.visual.changes.build import harbour, lighthouse, run


def test_at_regular_times_the_rate_is_that_of_cho_and_garcia_molina() -> None:
    years, changed = np.full(10, 0.5), np.arange(10) < 4
    assert rate(years, changed).likeliest == pytest.approx(-np.log(1 - 0.4) / 0.5)


def test_the_interval_holds_the_true_rate_nineteen_times_of_twenty() -> None:
    random = np.random.default_rng(7)
    held = 0
    for _ in range(300):
        years = random.exponential(0.4, 40)
        found = rate(years, random.random(40) < -np.expm1(-1.5 * years))
        held += found.low <= 1.5 <= found.high
    assert 0.92 <= held / 300 <= 0.98


def test_without_a_change_the_rate_is_zero_with_an_upper_end() -> None:
    found = rate(np.array([1.0, 3.0]), np.array([False, False]))
    assert (found.likeliest, found.low) == (0, 0)
    assert found.high == pytest.approx(1.92 / 4)


def test_with_changes_alone_the_rate_has_a_lower_end_only() -> None:
    found = rate(np.array([1.0, 1.0]), np.array([True, True]))
    assert found.likeliest == found.high == np.inf
    assert 0 < found.low < 1


def test_the_report_has_changes_by_month_and_how_often_pages_change(tmp_path: Path) -> None:
    out = run(tmp_path, harbour("2014", lighthouse()), harbour("2015", lighthouse(story("lamp"))))
    assert main(["report", str(out), "--csv", str(tmp_path / "before")]) == 0
    assert not (tmp_path / "before" / "changes.csv").exists()
    assert main(["changes", str(out)]) == 0
    assert main(["report", str(out), "--csv", str(tmp_path / "after")]) == 0
    by_month = (tmp_path / "after" / "changes.csv").read_text().splitlines()
    assert (
        by_month[0] == "month,gone,equal,redesign,content,boilerplate only,not compared,important"
    )
    assert by_month[1] == "2015-01,0,4,0,1,0,0,1"
    site, changing, *others = (tmp_path / "after" / "change_rates.csv").read_text().splitlines()[1:]
    assert site.startswith("harbour.example,,5,1,2014-01-01")
    assert "lighthouse" in changing
    assert len(others) == 4
    assert "Changes of content a year" in (out / "report.html").read_text()
