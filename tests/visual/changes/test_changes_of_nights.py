"""The captures of a night against the last known ones."""

from pathlib import Path

import pyarrow.parquet as pq

from tests.nights import Archive
from tests.site import page, snapshots, stored, story
from tests.visual.changes.build import harbour, lighthouse


def test_a_night_is_compared_with_the_last_capture_before_it(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    old, same, new = (
        harbour(year, html)
        for year, html in zip(
            ("2013", "2014", "2015"),
            (lighthouse(story("oil")), lighthouse(), lighthouse(story("lamp"))),
            strict=True,
        )
    )
    archive.bring("1.warc.gz", stored(*snapshots(2013), old))
    assert archive.call("--changes") == 0
    archive.bring("2.warc.gz", stored(*snapshots(2014), same))
    assert archive.call() == 0
    archive.bring("3.warc.gz", stored(*snapshots(2015), new, page("wholly new", "20150101000000")))
    assert archive.call("--changes") == 0
    first, second, third = map(archive.outputs, archive.nights())
    assert pq.read_table(first / "changes" / "part-0000.parquet").num_rows == 0
    assert not (second / "changes").exists()
    rows = pq.read_table(third / "changes" / "part-0000.parquet").to_pylist()
    assert [row["class"] for row in rows].count("equal") == 4
    (changed,) = (row for row in rows if row["class"] != "equal")
    assert (changed["record_id"], changed["before"]) == (new.record_id, same.record_id)
    assert changed["content_added"] + changed["boilerplate_added"] == 30
    assert not (third / "changes" / "work").exists()
