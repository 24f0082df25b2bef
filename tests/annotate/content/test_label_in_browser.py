"""Label mode in a real browser: with keys, with the mouse, and when the server dies."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.annotate.conftest import HIDDEN, REMARK, desk_at
from tests.browser import is_accessible
from tests.evaluate.conftest import evaluate
from tests.site import FOOTER, MENU
from tests.view.conftest import answered, settle

pytestmark = pytest.mark.browser


@contextmanager
def served(run: Path, gold: Path) -> Iterator[tuple[str, subprocess.Popen]]:
    """The command itself, as people start it; its address and its process."""
    command = [sys.executable, "-m", "dbce.cli", "label", str(run), "--gold", str(gold)]
    with subprocess.Popen(
        [*command, "--port", "0", "--captures", "2"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            told = process.stdout.readline()
            yield re.search(r"http://\S+/label\?\S+", told)[0], process
        finally:
            process.kill()


@pytest.fixture
def gold(tmp_path) -> Path:
    return tmp_path / "gold.jsonl"


@pytest.fixture
def address(harbour_run, gold, windows) -> Iterator[str]:
    with desk_at("label", harbour_run, gold, windows) as address:
        yield address


def begin(page, address: str, name: str = "Anna") -> None:
    """From the start page to the first capture."""
    page.goto(address)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("link", name=re.compile("Begin|Continue")).click()
    page.frame_locator("#frame").locator("[data-dbce-chosen]").first.wait_for()


def press(page, *keys: str) -> None:
    """Presses keys, and waits until each has been answered."""
    for key in keys:
        if key in "cbmuz":
            with answered(page, "/label/"):
                page.keyboard.press(key)
        else:
            page.keyboard.press(key)
    settle(page)


def marks(page) -> dict[str, str]:
    """The label of each text run in the list, by its text."""
    items = page.locator("#runs li")
    pairs = items.evaluate_all(
        "all => all.map(li => [li.querySelector('.words').textContent, li.dataset.mark])"
    )
    return dict(pairs)


def chosen(page) -> list[str]:
    return page.locator("#runs [aria-selected=true] .words").all_inner_texts()


def said(page) -> str:
    return page.get_by_role("status").inner_text()


def in_page(page, text: str):
    return page.frame_locator("#frame").get_by_text(text)


def saved(gold: Path) -> dict[str, str]:
    return {one["text"]: one["label"] for one in map(json.loads, gold.read_text().splitlines())}


@pytest.mark.nightly
def test_ten_runs_survive_a_server_that_is_killed_and_give_scores(page, harbour_run, gold) -> None:
    with served(harbour_run, gold) as (address, process):
        begin(page, address)
        press(page, *"bbbcccmb")  # the first page whole; what is hidden is not asked
        assert said(page) == "1 text run is boilerplate. Nothing is left on this page."
        page.keyboard.press("]")
        page.wait_for_url(lambda url: "/label/page" in url)
        page.frame_locator("#frame").locator("[data-dbce-chosen]").wait_for()
        press(page, *"bb")
        before = marks(page)
        process.send_signal(signal.SIGKILL)
        process.wait()
        page.keyboard.press("c")
        page.get_by_role("alert").get_by_text("dbce label does not answer").wait_for()
        assert marks(page) == before
    assert len(gold.read_text().splitlines()) == 10 + 2  # and what is hidden
    with served(harbour_run, gold) as (address, _):
        page.goto(f"{address}&by=Anna")
        assert "1 of 2 captures done" in page.inner_text("main")
        page.get_by_role("link", name="Continue").click()
        page.frame_locator("#frame").locator("[data-dbce-chosen]").wait_for()
        assert marks(page) == before
    report = evaluate(str(harbour_run), str(gold))
    assert len(report.table) == 2
    assert report.summary.loc["all", "acc"] > 0


def test_a_page_is_labelled_with_keys(address, page, gold) -> None:
    begin(page, address)
    # What is hidden is boilerplate before anybody says so.
    assert {text: mark for text, mark in marks(page).items() if mark} == {HIDDEN: "boilerplate"}
    assert not gold.exists()
    press(page, "c")
    assert saved(gold) == {MENU[0]: "content", HIDDEN: "boilerplate"}

    # The last label is taken back.
    press(page, *"zbbz")
    assert chosen(page) == [MENU[1]]
    assert marks(page)[MENU[0]] == "boilerplate"
    assert marks(page)[MENU[1]] == ""
    assert said(page).startswith("Last label undone.")
    assert MENU[1] not in saved(gold)
    press(page, *"z")
    assert gold.read_text() == ""

    # Siblings and elements are chosen on request.
    press(page, "s")
    assert chosen(page) == list(MENU)
    press(page, "b")
    assert said(page).startswith("3 text runs are boilerplate.")
    press(page, "e")
    assert chosen(page)[1:] == ["in the old town"]
    press(page, "e")
    assert len(chosen(page)) == 3  # the story too, which is in the same element as the headline
    press(page, "e", "e")
    assert chosen(page) == [text for text, mark in marks(page).items() if not mark]
    assert said(page) == "There is nothing more around it."


def test_a_region_is_painted(address, page, gold) -> None:
    begin(page, address)
    page.locator("label", has_text="Paint content").click()
    headline = page.frame_locator("#frame").locator("h1").bounding_box()
    remark = in_page(page, REMARK).bounding_box()
    page.mouse.move(headline["x"] + 2, headline["y"] - 2)
    page.mouse.down()
    page.mouse.move(headline["x"] + 100, remark["y"] - 4, steps=4)
    with answered(page, "/label/say"):
        page.mouse.up()
    page.get_by_text("3 text runs are content.").wait_for()
    found = marks(page)
    assert [mark for text, mark in found.items() if "old town" in text] == ["content"]
    assert found[REMARK] == ""
    with answered(page, "/label/say"):
        in_page(page, REMARK).click()
    assert marks(page)[REMARK] == "content"
    assert in_page(page, REMARK).get_attribute("data-dbce-said") == "content"
    assert len(saved(gold)) == 5


def test_a_page_is_labelled_with_the_mouse(address, page, gold) -> None:
    begin(page, address)
    in_page(page, FOOTER).click()
    assert chosen(page) == [FOOTER]
    page.locator("#runs li").first.click()
    page.keyboard.press("Shift+ArrowDown")
    assert chosen(page) == list(MENU[:2])
    in_page(page, MENU[2]).click(modifiers=["Shift"])
    assert chosen(page) == list(MENU)
    page.get_by_role("button", name="Comment").click()
    page.get_by_text("3 text runs are comment.").wait_for()
    assert page.frame_locator("#frame").locator("[data-dbce-said=comment]").count() == 3

    # A text node can be labelled whole.
    in_page(page, "in the old town").click()
    assert chosen(page) == ["in the old town"]
    page.get_by_label("whole text nodes").check()
    assert chosen(page)[1:] == ["in the old town"]
    press(page, "c")
    assert list(saved(gold).values()).count("content") == 2
    page.reload()
    assert page.get_by_label("whole text nodes").is_checked()


@pytest.mark.nightly
def test_two_people_see_where_they_disagree_and_settle_it(address, page, gold) -> None:
    begin(page, address)
    press(page, *"bbbcccmb")
    begin(page, address, "Ben")
    assert set(marks(page).values()) == {"", "boilerplate"}  # nothing of what Anna said
    press(page, *"bbbcccbb")
    page.get_by_role("link", name="Review").click()
    # 7 of 8 texts alike; content 3 and 3, boilerplate 4 and 5, comments 1 and 0.
    assert page.locator(".kappa").inner_text().split()[0] == "0.77"
    dispute = page.locator(".disputes > li")
    assert dispute.count() == 1
    assert dispute.locator("blockquote").inner_text() == REMARK
    assert REMARK not in saved(gold)
    page.get_by_label("Settled by").fill("")
    dispute.get_by_role("button", name="Comment").click()
    page.get_by_role("alert").get_by_text("Give a name").wait_for()
    page.get_by_label("Settled by").fill("Cara")
    dispute.get_by_role("button", name="Comment").click()
    page.get_by_text("Settled: comment. Saved.").wait_for()
    assert saved(gold)[REMARK] == "comment"
    assert page.locator("#open").inner_text() == "0 open, 1 settled"
    dispute.get_by_role("link", name="see it as Ben").click()
    page.locator("#runs [aria-selected=true]").wait_for()
    assert chosen(page) == [REMARK]


def test_another_site_cannot_label(address, page, gold, browser, windows) -> None:
    begin(page, address)
    record_id = page.locator("main").get_attribute("data-id")
    given = json.dumps({"by": "Eve", "id": record_id, "runs": [0], "label": "content"})
    base = address.removesuffix("/label")
    context = browser.new_context(storage_state=windows.storage_state())
    other = context.new_page()
    other.route(
        "http://evil.example/*", lambda route: route.fulfill(body="<p>", content_type="text/html")
    )
    other.goto("http://evil.example/")
    for media in ("application/json", "text/plain"):
        sent = (
            "([url, body, media]) => fetch(url, {method: 'POST', body, credentials: 'include', "
            "mode: media == 'text/plain' ? 'no-cors' : 'cors', headers: {'Content-Type': media}})"
            ".then(answer => answer.status, () => 'refused')"
        )
        assert other.evaluate(sent, [f"{base}/label/say", given, media]) in (0, "refused")
    form = f"<form method=post action='{base}/label/say'><input name=by value=Eve></form>"
    other.evaluate("form => { document.body.innerHTML = form; document.forms[0].submit() }", form)
    other.wait_for_url(f"{base}/label/say")
    assert "our own pages only" in other.inner_text("body")
    context.close()
    assert not gold.exists()


@pytest.mark.nightly
def test_a_phone_has_everything_in_its_width(address, phone) -> None:
    page = phone
    begin(page, address)
    with answered(page, "/label/say"):
        page.get_by_role("button", name="Boilerplate").tap()
    in_page(page, "in the old town").tap()
    assert chosen(page) == ["in the old town"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    last = page.locator("#runs").bounding_box()
    shown = page.evaluate("document.documentElement.scrollHeight - window.scrollY")
    assert shown - (last["y"] + last["height"]) < 200  # nothing empty below


def test_label_mode_is_accessible(page, address) -> None:
    for name in ("Anna", "Ben"):
        begin(page, address, name)
        press(page, *("bbc" if name == "Anna" else "bbb"))
    for path in ("", "?by=<", "?by=Anna", "/review?by=Anna"):
        page.goto(f"{address}{path}")
        is_accessible(page)
    begin(page, address)
    is_accessible(page, context={"exclude": ["#frame"]})


def test_the_server_says_where_it_is_and_ends_quietly(harbour_run, gold) -> None:
    with served(harbour_run, gold) as (address, process):
        assert address.startswith("http://127.0.0.1:")
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(timeout=60) == 0
