"""Changes in the report, where `dbce changes` was called."""

from pathlib import Path

from dbce.cli import main
from tests.site import story
from tests.visual.changes.build import harbour, lighthouse, run


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
