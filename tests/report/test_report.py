"""The report of a run, as a person opens it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from dbce.archive import capture
from dbce.model import Dropped, Origin, Reason, Stage, Status, UsageError
from dbce.report import build
from dbce.report.build import write
from dbce.report.views import short_id
from tests.report.pages import stories, story

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from dbce.model import Capture

    Run = Callable[..., Path]

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


class Markup(HTMLParser):
    """The start tags of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def values(self, name: str) -> list[str]:
        return [attrs[name] or "" for _, attrs in self.tags if name in attrs]

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]


def reported(folder: Path, **options: int) -> dict[str, str]:
    """The files of the report by their paths in it."""
    opened = write(str(folder), **options)
    assert opened == f"{folder}/report/index.html"
    root = folder / "report"
    return {
        str(path.relative_to(root)): path.read_text(encoding="utf-8")
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def page_of(files: dict[str, str], one: Capture) -> str:
    return files[f"captures/{short_id(one.record_id)}.html"]


def rejected(reason: Reason, detail: str) -> Dropped:
    return Dropped(
        status=Status.REJECTED,
        reason=reason,
        stage=Stage.READ,
        detail=detail,
        origin=Origin("part-0.warc.gz", 4711, 12),
        url=f"http://ferry.example/{HOSTILE}",
    )


def test_sites_urls_and_snapshots_stand_in_order(run: Run) -> None:
    captures = stories("ferry.example", 3)
    files = reported(run(stories("tower.example", 2), captures[::-1]))
    index = files["index.html"]
    assert re.findall(r"<h3[^>]*>(.*?)</h3>", index) == ["ferry.example", "tower.example"]
    links = [url for url in Markup(index).values("href") if url.startswith("captures/")]
    assert links[:6] == [f"captures/{short_id(one.record_id)}.html" for one in captures]


def test_every_link_of_the_report_leads_to_a_place_in_it(run: Run) -> None:
    files = reported(run(stories("ferry.example", 3), stories("tower.example", 1)))
    for name, html in files.items():
        for url in Markup(html).values("href"):
            if url == "../report.html":  # beside the folder of the pages
                continue
            path, _, anchor = url.partition("#")
            folder = "captures/" if name.startswith("captures/") else ""
            target = re.sub(r"^captures/\.\./", "", folder + path) if path else name
            assert target in files
            assert not anchor or anchor in Markup(files[target]).values("id")


def test_ids_are_unique_on_a_page(run: Run) -> None:
    for html in reported(run(stories("ferry.example", 3))).values():
        ids = Markup(html).values("id")
        assert len(ids) == len(set(ids))


def test_a_capture_shows_its_cross_and_the_way_to_its_neighbours(run: Run) -> None:
    captures = stories("ferry.example", 3)
    html = page_of(reported(run(captures)), captures[0])
    cross = html[html.index('<ul class="cross">') :]
    cross = cross[: cross.index("</ul>")]
    assert re.findall(r'class="place (\w+( empty)?)"', cross) == [
        ("up", ""),
        ("prev empty", " empty"),
        ("cur", ""),
        ("next", ""),
        ("down", ""),
    ]
    following = short_id(captures[1].record_id)
    assert f'href="{following}.html"' in cross


def test_a_capture_shows_its_runs_with_their_evidence(run: Run) -> None:
    captures = stories("ferry.example", 3)
    html = page_of(reported(run(captures)), captures[0])
    rows = re.findall(r'<tr role="row"><td.*?</tr>', html)
    menu = next(row for row in rows if ">Start<" in row)
    number = next(row for row in rows if ">0</td>" in row)
    assert 'data-dbce="boilerplate"' in menu
    assert 'data-dbce="content"' in number
    assert re.findall(r'<i class="(\w+)">(\w+)', number) == [
        ("on", "cur"),
        ("off", "up"),
        ("off", "down"),
        ("none", "prev"),
        ("on", "next"),
    ]
    assert 'title="/html/body/' in number


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("T002", "the texts were judged by their densities alone."),
        (
            "joint",
            "a model judged the texts by the page itself: their length, links, place and names.",
        ),
    ],
)
def test_a_page_judged_alone_says_so_and_by_what(run: Run, method: str, said: str) -> None:
    alone = capture("http://alone.example/", "<p>Nobody here but us</p>", at="20150101000000")
    files = reported(run([alone], method=method))
    assert said in page_of(files, alone)
    assert '<span class="single">' in files["index.html"]


def test_a_page_with_its_own_snapshots_alone_says_so(run: Run) -> None:
    snapshots = [
        capture("http://alone.example/", f"<p>Nobody here but us of {year}</p>", at=f"{year}")
        for year in (2015, 2016)
    ]
    files = reported(run(snapshots))
    html = page_of(files, snapshots[0])
    assert "the cross has its own snapshots alone" in html
    assert '<span class="single">' not in files["index.html"]


def test_dropped_captures_are_listed_with_their_reasons(run: Run) -> None:
    lines = [rejected(Reason.DAMAGED, "the member does not inflate")]
    empty = capture("http://ferry.example/empty", "<p> </p>", at="20150101000000")
    index = reported(run([*stories("ferry.example", 2), *lines, empty]))["index.html"]
    assert "rejected: damaged" in index
    assert "the member does not inflate" in index
    assert "part-0.warc.gz at 4711" in index
    assert "skipped: no-text" in index
    assert "http://ferry.example/empty" in index


def test_a_run_without_verdicts_has_a_report_too(run: Run) -> None:
    index = reported(run([rejected(Reason.NOT_AN_ARCHIVE, "empty")]))["index.html"]
    assert "No capture of this run has verdicts." in index


def test_markup_in_titles_and_addresses_is_text(run: Run) -> None:
    one = story(
        f"http://ferry.example/{HOSTILE}",
        "text",
        "20150101000000",
        title=HOSTILE.replace("<", "&lt;"),
    )
    files = reported(run([one, *stories("ferry.example", 2), rejected(Reason.DAMAGED, HOSTILE)]))
    for html in files.values():
        assert "<script>alert(1)" not in html
        markup = Markup(html)
        assert not markup.attributes("img")
        assert not markup.values("onerror")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in files["index.html"]


def test_an_archived_page_is_shown_in_a_frame_that_lets_nothing_out(run: Run) -> None:
    extra = (
        "<script>alert(1)</script><img src='http://evil.example/x' onerror='alert(1)'>"
        "<p>&quot;&gt;&lt;/iframe&gt;&lt;script&gt;alert(2)&lt;/script&gt;</p>"
        "<a href='javascript:alert(3)'>x</a><p title='\"></iframe><script>alert(4)</script>'>y</p>"
    )
    one = story("http://ferry.example/x", "text", "20150101000000", extra=extra)
    html = page_of(reported(run([one, *stories("ferry.example", 2)])), one)
    markup = Markup(html)
    [frame] = markup.attributes("iframe")
    assert frame["sandbox"] == ""
    assert "src" not in frame
    assert not markup.attributes("script")
    policy = next(m["content"] for m in markup.attributes("meta") if "http-equiv" in m)
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    assert "script-src" not in policy
    archived = Markup(frame["srcdoc"] or "")
    assert not archived.attributes("script")
    assert not {"onerror", "src", "href"} & {n for _, attrs in archived.tags for n in attrs}
    assert "content" in archived.values("data-dbce")


def test_the_report_fetches_nothing(run: Run) -> None:
    for html in reported(run(stories("ferry.example", 2))).values():
        markup = Markup(html)
        assert not markup.attributes("link")
        assert not markup.values("src")
        assert "url(" not in html
        assert "@import" not in html


def test_only_the_own_script_may_run_on_the_overview(run: Run) -> None:
    index = reported(run(stories("ferry.example", 2)))["index.html"]
    [script] = re.findall(r"<script>(.*?)</script>", index, re.DOTALL)
    digest = re.findall(r"script-src 'sha256-([^']+)'", index)
    assert digest == [sha256(script)]


def sha256(text: str) -> str:
    import base64
    import hashlib

    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_a_large_run_is_shown_in_part_and_says_so(run: Run) -> None:
    folder = run(stories("ferry.example", 4), stories("tower.example", 1))
    files = reported(folder, limit=5)
    assert len(files) == 1 + 5
    assert "shows 5 of 10 judged captures" in files["index.html"]
    assert "8 captures (3 shown)" in files["index.html"]
    assert "shows 5" not in reported(folder, limit=10)["index.html"]


def test_long_tables_and_huge_pages_are_cut_and_say_so(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "RUNS", 2)
    monkeypatch.setattr(build, "EMBEDDED", 100)
    captures = stories("ferry.example", 2)
    html = page_of(reported(run(captures)), captures[0])
    assert len(re.findall(r'<tr role="row"><td', html)) == 2
    assert "The first 2 of " in html
    assert "too large to be shown" in html
    assert not Markup(html).attributes("iframe")


def test_equal_runs_give_equal_reports(run: Run) -> None:
    captures = stories("ferry.example", 3)
    first = reported(run(captures, name="a"))
    assert first == reported(run(captures, name="b"))


def test_a_report_takes_the_place_of_an_earlier_one(run: Run) -> None:
    folder = run(stories("ferry.example", 3))
    reported(folder)
    assert len(reported(folder, limit=2)) == 1 + 2


def test_a_folder_without_a_finished_run_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no finished run"):
        write(str(tmp_path))
    assert not list(tmp_path.iterdir())
