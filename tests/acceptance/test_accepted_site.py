"""The documentation as a site: mkdocs builds it without a warning, links lead somewhere, and no network is needed."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import lxml.html
import pytest
from lxml.html import HtmlElement

import dbce
from dbce.cli import COMMANDS
from dbce.model import Config, Limits, Rendering, settings_in
from dbce.output.rows import NODES, PAGES
from tests.acceptance.conftest import environment
from tests.runs import ROOT, process

pytestmark = [pytest.mark.tools, pytest.mark.nightly]

FETCHED = (
    "//script/@src | //link/@href | //img/@src | //iframe/@src | //source/@src | //object/@data"
)
"""What a browser loads by itself."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the pages, as Markdown in `site-src` and built in `site`."""
    environment("docs")
    folder = tmp_path_factory.mktemp("docs")
    made = process(ROOT / "scripts/setup/docs.sh", folder, PYTHON=sys.executable)
    assert made.stderr == "", "with --strict a warning fails, and nothing else is said"
    return folder


@pytest.fixture(scope="module")
def pages(built: Path) -> dict[str, HtmlElement]:
    """All pages of the site by their paths."""
    site = built / "site"
    return {
        file.relative_to(site).as_posix(): lxml.html.fromstring(file.read_text(encoding="utf-8"))
        for file in site.rglob("*.html")
    }


def test_every_document_has_a_page(pages: dict[str, HtmlElement]) -> None:
    documents = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    documents += [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").glob("*.ipynb")]
    assert [path for path in documents if path.with_suffix(".html").as_posix() not in pages] == []
    assert {"index.html", "changelog.html", "contributing.html", "experiments.html"} <= set(pages)


def test_the_reference_has_what_the_code_declares(pages: dict[str, HtmlElement]) -> None:
    ids = {path: set(map(str, page.xpath("//@id"))) for path, page in pages.items()}
    assert {f"dbce-{name}" for name in COMMANDS} <= ids["reference/commands.html"]
    assert {f"dbce{name.lower()}" for name in dbce.__all__} <= ids["reference/python.html"]
    codes = {
        path: [code.text_content() for code in page.xpath("//td[1]/code")]
        for path, page in pages.items()
    }
    options = {option.flag for command in COMMANDS.values() for option in command.options()}
    said = {one.partition(" ")[0] for one in codes["reference/commands.html"]}
    assert options <= said
    declared = [*settings_in(Config), *settings_in(Limits), *settings_in(Rendering)]
    assert codes["reference/settings.html"] == declared
    assert codes["reference/tables.html"][: len(PAGES) + len(NODES)] == [*PAGES.names, *NODES.names]


def links(page: HtmlElement) -> Iterator[str]:
    for link in map(str, page.xpath("//a/@href")):
        if not urlsplit(link).scheme:
            yield link


def test_links_lead_to_pages_and_to_places_on_them(built, pages):
    ids = {path: set(map(str, page.xpath("//@id"))) for path, page in pages.items()}
    seen = 0
    for path, page in pages.items():
        if path == "404.html":  # its links begin at the root of a server
            continue
        for link in links(page):
            place, _, anchor = unquote(link).partition("#")
            target = os.path.normpath(Path(path).parent / place) if place else path
            target = f"{target}/index.html" if (built / "site" / target).is_dir() else target
            assert (built / "site" / target.removeprefix("./")).is_file(), f"{path} links to {link}"
            seen += 1
            if anchor:
                assert anchor in ids[target.removeprefix("./")], f"{path} links to {link}"
    assert seen > 3_000


def test_nothing_is_fetched_from_the_network(built: Path, pages: dict[str, HtmlElement]) -> None:
    fetched = {str(link) for page in pages.values() for link in page.xpath(FETCHED)}
    assert len(fetched) > 20
    assert [link for link in sorted(fetched) if urlsplit(link).netloc] == []
    styles = "".join(f.read_text("utf-8") for f in (built / "site").rglob("*.css"))
    styles += "".join(str(text) for page in pages.values() for text in page.xpath("//style/text()"))
    assert re.findall(r"url\(['\"]?(?:https?:)?//[^)]*|@import[^;]*//[^;]*", styles) == []


def test_a_link_that_leads_nowhere_stops_the_build(built: Path, tmp_path: Path) -> None:
    shutil.copytree(built / "site-src", tmp_path / "pages")
    with (tmp_path / "pages" / "glossary.md").open("a", encoding="utf-8") as page:
        page.write("\n[a page](nowhere.md) [a place](guide.md#nowhere)\n")
    (tmp_path / "pages" / "forgotten.md").write_text("# In no menu\n", encoding="utf-8")
    build = process(
        *(environment("docs") / "bin/mkdocs", "build", "--strict", "--site-dir", tmp_path / "site"),
        code=1,
        SITE_PAGES=str(tmp_path / "pages"),
        NO_MKDOCS_2_WARNING="1",
    )
    for warned in ("nowhere.md", "#nowhere", "forgotten.md"):
        assert re.search(rf"WARNING.*\n?.*{warned}", build.stderr), build.stderr
    assert build.stderr.count("WARNING") == 3, build.stderr


@pytest.mark.browser
def test_a_page_is_found_by_a_word_where_the_site_is_opened_as_files(built, page):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((built / "site" / "adr" / "index.html").as_uri())
    page.locator("[data-md-component=search-query]").press_sequentially("permutations")
    found = page.locator(".md-search-result__link[href*=permutations]").first
    found.wait_for()
    found.click()
    marked = page.locator("article mark").first
    marked.wait_for()
    assert marked.inner_text().lower().startswith("permutation")
    assert "adr/index.html" not in page.url
    assert [url for url in asked if not url.startswith("file:")] == []
