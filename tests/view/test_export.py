"""The view as files that open from disk."""

import re
from posixpath import dirname, join, normpath

import pytest

from dbce.model import UsageError
from dbce.view.export import NOWHERE, export
from tests.browser import suits_everybody
from tests.markup import Markup
from tests.view.harbour import EVIL_TITLE, TOPICS, YEARS

CAPTURES = (len(TOPICS) + 1) * len(YEARS)  # with verdicts, the hostile page among them

Files = dict[str, bytes]


def files_in(folder) -> Files:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(files)}


def pages_of(files: Files) -> dict[str, str]:
    return {name: data.decode() for name, data in files.items() if name.endswith(".html")}


def captures_of(files: Files) -> dict[str, str]:
    return {n: html for n, html in pages_of(files).items() if n.startswith("pages/capture-")}


def page_with(files: Files, text: str) -> str:
    """The first page of a capture with a text that no other has."""
    return next(html for html in captures_of(files).values() if text in html)


def style_of(place, name: str) -> str:
    """The value of a style property of an element, as it is computed."""
    value: str = place.evaluate("(e, name) => getComputedStyle(e)[name]", name)
    return value


def framed(html: str) -> str:
    """The archived page in the page of a capture."""
    (frame,) = Markup(html).attributes("iframe")
    return frame["srcdoc"] or ""


@pytest.fixture(scope="module")
def folder(run, tmp_path_factory):
    made = tmp_path_factory.mktemp("export") / "pages"
    assert export(run, str(made)) == f"{made}/index.html"
    return made


@pytest.fixture(scope="module")
def exported(folder) -> Files:
    return files_in(folder)


def test_every_link_leads_to_a_file_of_the_export(exported) -> None:
    for name, html in pages_of(exported).items():
        urls = Markup(html).values("href", "src")
        frames = [frame["srcdoc"] or "" for frame in Markup(html).attributes("iframe")]
        urls += [url for frame in frames for url in Markup(frame).values("href", "src")]
        for url in urls:
            if not url.startswith(("#", "data:")):
                assert normpath(join(dirname(name), url)) in exported, (name, url)


def test_every_file_is_led_to_from_the_overview(exported) -> None:
    found, to_do = {"index.html"}, ["index.html"]
    while to_do:
        name = to_do.pop()
        if not name.endswith((".html", ".css")):
            continue
        html = exported[name].decode()
        own = re.findall(r'(?:href=|src=|url\(|@import )"([^"#]+)"', html.replace("&quot;", '"'))
        new = {normpath(join(dirname(name), url)) for url in own} & exported.keys() - found
        found |= new
        to_do += new
    assert found == exported.keys()


def test_every_capture_has_a_page_with_its_verdicts_its_text_and_the_way_to_its_neighbours(
    exported,
) -> None:
    assert len(captures_of(exported)) == CAPTURES
    html = page_with(exported, "Ferry in the old town")
    archived = framed(html)
    assert '<html data-dbce-show="verdicts"' in archived
    assert {"content", "boilerplate"} <= set(Markup(archived).values("data-dbce"))
    assert re.search(r'<a href="capture-\w+.html">most similar page</a>', html)
    assert "ferry0 is told of here" in html[html.index('id="text"') :]
    assert 'id="text" class="prose" hidden' not in html


def test_a_page_has_unique_ids_nothing_that_a_server_has_to_answer_and_no_markup_of_others(
    exported,
) -> None:
    for html in pages_of(exported).values():
        markup = Markup(html)
        ids = markup.values("id")
        assert len(ids) == len(set(ids))
        assert not {"script", "form", "input", "dialog", "fieldset"} & {t for t, _ in markup.tags}
        assert not re.search("Click or tap|CSV", html)
        assert EVIL_TITLE not in html
        assert not markup.values("onerror")


def test_no_script_of_an_archived_page_may_run_and_nothing_may_be_fetched(exported) -> None:
    for html in pages_of(exported).values():
        markup = Markup(html)
        (policy,) = [m["content"] for m in markup.attributes("meta") if "http-equiv" in m]
        assert policy.startswith("default-src 'none';")
        assert not re.search(r"script-src|https?:", policy)
        for frame in markup.attributes("iframe"):
            assert frame["sandbox"] == "allow-same-origin"
            assert "src" not in frame
            archived = Markup(frame["srcdoc"])
            assert not archived.attributes("script")
            assert not [n for _, attrs in archived.tags for n in attrs if n.startswith("on")]
            assert "evil.example" not in frame["srcdoc"]


def test_style_sheets_and_pictures_of_the_archive_are_files(exported) -> None:
    sheets = [data for name, data in exported.items() if name.endswith(".css")]
    (imported,) = [data.decode() for data in sheets if b"@import" in data]
    name = re.findall(r'@import "([^"]+)"', imported)[0]
    assert exported[f"files/{name}"] == b"b { color: red }"
    assert NOWHERE in imported  # an address of another site
    assert [n for n in exported if n.endswith(".png")]
    archived = framed(page_with(exported, "Clocks in the old town"))
    assert re.search(r'<link rel="stylesheet" href="../files/\w+\.css"', archived)
    assert re.search(r'<img src="../files/\w+\.png"', archived)


def test_a_drawing_that_could_run_scripts_by_itself_is_no_file(run, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("dbce.view.export.ENDINGS", {"text/css": "css"})
    export(run, str(tmp_path / "pages"), 2)
    files = files_in(tmp_path / "pages")
    assert not [name for name in files if name.endswith(".png")]
    assert f'<img src="{NOWHERE}"' in "".join(map(framed, captures_of(files).values()))


def test_a_large_run_is_shown_in_part_and_says_so(run, exported, tmp_path) -> None:
    export(run, str(tmp_path / "pages"), 3)
    files = files_in(tmp_path / "pages")
    assert len(captures_of(files)) == 3
    total = run.manifest["captures"]["total"]
    said = f"At most 3 of {total} captures have a page here"
    assert said in files["index.html"].decode()
    assert said in files["pages/captures.html"].decode()
    named = Markup(files["pages/captures.html"].decode()).attributes("a")
    assert [a for a in named if "data-leaf" in a and "href" not in a]
    assert "At most" not in exported["index.html"].decode()


def test_equal_runs_give_equal_exports_also_in_place_of_an_earlier_one(
    run, exported, tmp_path
) -> None:
    export(run, str(tmp_path / "pages"), 2)
    export(run, str(tmp_path / "pages"))
    assert files_in(tmp_path / "pages") == exported


def test_a_folder_with_other_files_is_left_alone(run, harbour, tmp_path) -> None:
    site = tmp_path / "site"
    (site / "pages").mkdir(parents=True)
    (site / "index.html").write_text("a page of mine")
    before = files_in(site)
    for place in (harbour, site):
        with pytest.raises(UsageError, match="holds other files"):
            export(run, str(place))
    with pytest.raises(UsageError, match="is a file"):
        export(run, str(site / "index.html"))
    assert files_in(site) == before


@pytest.mark.browser
def test_it_opens_from_disk_without_a_server_and_asks_for_nothing_else(browser, folder) -> None:
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"file://{folder}/index.html")
    page.get_by_role("link", name="harbour.example").first.click()
    page.get_by_role("link", name="Ferry in the old town").last.click()
    frame = page.frame_locator("#frame")
    assert style_of(frame.locator("h1"), "color") == "rgb(4, 5, 6)"  # by the archived sheet
    marked = frame.locator("[data-dbce=content]").first
    assert style_of(marked, "backgroundColor") == "rgb(210, 230, 248)"
    assert frame.locator("img").first.evaluate("e => e.naturalWidth") == 1
    page.get_by_role("link", name="most similar page").click()
    page.wait_for_url("**/pages/capture-*.html")
    assert all(url.startswith((f"file://{folder}/", "data:")) for url in asked)
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("sanitised", [True, False])
def test_a_hostile_page_runs_no_script_and_sends_nothing(
    browser, run, tmp_path, monkeypatch, sanitised
) -> None:
    """Policy and sandbox suffice alone, where a page is shown as it was archived."""
    if not sanitised:
        monkeypatch.setattr("dbce.view.frame.inert", lambda html, _: html)
    export(run, str(tmp_path / "pages"))
    every = (tmp_path / "pages/pages").glob("capture-*.html")
    hostile = [path for path in every if "evil0" in framed(path.read_text(encoding="utf-8"))]
    assert hostile
    context = browser.new_context()
    page = context.new_page()
    sent: list[str] = []  # what the policy does not hold back

    def note(route) -> None:
        sent.append(route.request.url)
        route.abort()

    page.route(re.compile("^(?!file:|data:)"), note)
    for path in hostile:
        page.goto(f"file://{path}")
        page.frame_locator("#frame").get_by_text("evil0").first.wait_for()
        page.wait_for_timeout(300)
        assert page.evaluate("window.hacked") is None
        assert page.url == f"file://{path}"
    assert sent == []
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("name", ["index", "captures", "capture"])
def test_it_suits_everybody(page, folder, name) -> None:
    places = {"index": folder / "index.html", "captures": folder / "pages/captures.html"}
    places["capture"] = next((folder / "pages").glob("capture-*.html"))
    page.goto(f"file://{places[name]}")
    # The archived page is as it was written, with all its faults.
    suits_everybody(page, context={"exclude": [["iframe"]]}, options={"iframes": False})
