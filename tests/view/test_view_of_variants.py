"""A page that is also there under another URL: the page of the capture names it."""

from pathlib import Path

from dbce.archive import expand
from dbce.model import Config
from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.run import open_view
from tests.runs import whole
from tests.site import article, page, stored, story
from tests.view.visitor import let_in


def test_the_variant_of_a_page_is_linked(tmp_path: Path) -> None:
    text = article("ferry", *(story(f"ferry{part}") for part in range(4)))
    own, moved, other = page("ferry", html=text), page("2016/ferry", html=text), page("goat")
    (tmp_path / "x.warc.gz").write_bytes(stored(own, moved, other))
    whole(expand([str(tmp_path / "x.warc.gz")]), tmp_path / "out", Config())
    run = open_view(str(tmp_path / "out"), {})
    client = let_in(create_app(run, Guard()))
    told = client.get("/capture", query_string={"id": own.record_id}).text
    assert f">{moved.url}</a>" in told
    assert "which was left out, is" in told
    assert "which was left out, is" not in client.get(f"/capture?id={other.record_id}").text
    older = run.page(own.record_id) | {}
    del older["variant_of"]
    assert run.variant(older) is None, "a run of an older dbce has no such column"
    run.tables.close()
