"""What was added and removed between the snapshots of a page, moved and changed between two, and how that is marked on it."""

import re
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dbce.history import align
from dbce.html import RunPart, number_runs, parse, read_page
from dbce.model import Label, Limits, TextRun, Verdict
from dbce.view.frame import frame_document, marked_parts
from dbce.view.inert import inert
from dbce.view.timeline import (
    LabelledText,
    added_and_removed,
    changes,
    mark_kind,
    texts_of,
    timeline,
)
from tests.markup import Markup
from tests.runs import ended
from tests.view.harbour import record_id


def node(number: int, text: str, label: str = "content", start: int = 0) -> dict[str, object]:
    end = start + len(text)
    return {"node": number, "text": text, "label": label, "start": start, "end": end}


def test_the_runs_of_a_node_are_one_text_with_the_label_of_most_of_it() -> None:
    runs = [node(0, "Read"), node(1, "on", "boilerplate"), node(1, "in the next issue", start=3)]
    first, second = texts_of(runs)
    assert (first.text, first.place) == ("Read", 0)
    assert (second.text, second.label, second.place) == ("on in the next issue", "content", 1)


def test_a_text_that_comes_a_second_time_has_come() -> None:
    old = texts_of([node(0, "a"), node(1, "b")])
    new = texts_of([node(0, "a"), node(1, "b"), node(2, "a")])
    added, removed = added_and_removed(old, new)
    assert [text.place for text in added] == [2]
    assert removed == ()


def test_another_stamp_and_other_capitals_are_no_added_texts() -> None:
    old = page(["The lamp is lit", "Last update: 3 May 2014", "3 comments"])
    new = page(["The Lamp is lit!", "Last update: 9 June 2015", "5 comments"])
    assert added_and_removed(old, new) == ((), ())
    assert {change.kind for change in changes(old, new)} == {"punctuation", "stamp"}


def test_the_latest_snapshot_comes_first_with_what_appeared(run) -> None:
    page = run.page(record_id(2013, "ferry"))
    latest, first = timeline(run, run.snapshots(page))
    assert [step.page["record_id"] for step in (latest, first)] == [NEW, OLD]
    assert any("counted again" in text.text for text in latest.added)
    assert first.added is None
    assert not latest.unchanged


def page(texts: Sequence[str]) -> list[LabelledText]:
    """The text nodes of a page, of two runs each."""
    return [LabelledText(text, "content", 2 * n, 2) for n, text in enumerate(texts)]


def test_texts_that_come_go_move_and_change_are_marked_so() -> None:
    old = ["stays", "is gone", "goes up", "one two three four", "one two three five six"]
    new = ["goes up", "stays", "one two three five seven", "is new"]
    found = [
        f"{mark_kind(one)} {(one.new or one.old).text}" for one in changes(page(old), page(new))
    ]
    assert found == [
        "moved goes up",
        "removed is gone",
        "removed one two three four",
        "changed one two three five seven",
        "added is new",
    ]


def test_a_text_with_most_of_its_words_is_the_same_one_changed() -> None:
    old = ["menu", "printed in 2013 by the harbour", "footer"]
    new = ["menu", "printed in 2015 by the harbour", "footer"]
    (change,) = changes(page(old), page(new))
    assert mark_kind(change) == "changed"
    assert (change.kind, change.corrected) == ("corrected", "date")
    assert [(part.before, part.after) for part in change.wording if not part.stayed] == [
        ("2013", "2015")
    ]


VERDICT = Verdict(Label.CONTENT, 1.0, "10000", 1, "model")
OLD, NEW = record_id(2013, "ferry"), record_id(2015, "ferry")


def texts(of) -> list[LabelledText]:
    return [LabelledText(text, Label.CONTENT, place, 1) for place, text in enumerate(of)]


def shown(old, new, *, is_later: bool) -> str:
    """The body of one of two pages, a paragraph a text, with what changed between them."""
    root = parse("".join(f"<p>{text}</p>" for text in (new if is_later else old)))
    page, handles = read_page(root, Limits())
    whole = [
        RunPart(TextRun(number, 0, len(node.text), VERDICT), number)
        for number, node in enumerate(page.nodes)
    ]
    parts = marked_parts(page, whole, align(texts(old), texts(new)), is_later=is_later)
    return inert(number_runs(root, page, handles, parts)).partition("<body>")[2]


def words(html: str, *gone: str) -> Counter[str]:
    """The words of a page without those of elements that have one of these attributes, spans all."""
    for attribute in gone:
        html = re.sub(rf"<(span|p)[^>]* {attribute}[^>]*>[^<]*</\1>", " ", html)
    return Counter(re.sub("<[^>]*>", "", html.replace("</p>", " ")).split())


some = st.lists(
    st.lists(st.sampled_from("the old ferry left at nine today and was late".split()), min_size=1)
    .map(" ".join),
    min_size=1,
    max_size=6,
)  # fmt: skip


@given(some, some)
@example(["the old ferry left at nine today"], ["the old ferry left today at nine"])
def test_a_page_with_what_was_removed_has_the_words_of_both(old, new) -> None:
    later = shown(old, new, is_later=True)
    assert words(later, "data-dbce-was=") == Counter(" ".join(new).split())
    assert words(shown(old, new, is_later=False)) == Counter(" ".join(old).split())
    struck = Counter(" ".join(re.findall(r'data-dbce-was="([^"]*)"', later)).split())
    kept = words(later, "data-dbce-was=", 'data-dbce-word="added"', 'data-dbce-change="added"')
    assert kept + struck == Counter(" ".join(old).split())


def test_words_that_differ_are_marked_and_what_was_removed_stands_before_what_follows() -> None:
    old = ["The ferry left at nine in the morning.", "It rained.", "Nobody came back that day."]
    new = ["The ferry left at ten in the morning.", "Nobody came back that day."]
    later = shown(old, new, is_later=True)
    assert 'data-dbce-was="nine" role="deletion" data-dbce-run="">nine</span>' in later
    assert 'data-dbce-word="added" data-dbce-run="">ten</span>' in later
    assert re.search(r'<p><span [^>]*data-dbce-was="It rained."[^>]*>It rained.</span>', later)
    earlier = shown(old, new, is_later=False)
    assert 'data-dbce-word="removed" data-dbce-run="">nine</span>' in earlier
    assert "data-dbce-was" not in earlier
    assert '<p data-dbce="content" data-dbce-at="1" data-dbce-change="removed"' in earlier
    markup = ['&lt;script&gt;x="1"&lt;/script&gt; &amp; more']
    assert "<script" not in shown(markup, ["quite another"], is_later=True)


def test_the_frame_of_two_snapshots_has_their_changes_and_that_of_one_has_none(run) -> None:
    pair = run.page(OLD), run.page(NEW)
    assert "data-dbce-change" not in frame_document(run, pair[1])
    document = frame_document(run, pair[1], pair, "changes inline")
    assert '<html data-dbce-show="changes inline"' in document
    added = re.findall(r'data-dbce-word="added"[^>]*>([^<]*)<', document)
    assert " ".join(" ".join(added).split()) == "In 2015 the ferry were counted again."


ESSAY = "http://www.lanternandledger.example/essays/the-last-hand-ferry.html"


@pytest.fixture(scope="module")
def written(sample_run, tmp_path_factory):
    """The first and the last of five snapshots of an essay in the sample, compared in one file."""
    file = tmp_path_factory.mktemp("page") / "ferry.html"
    assert ended("history", sample_run, ESSAY, "--page", file) == 0
    return file


def test_one_file_has_both_pages_and_one_with_all_and_fetches_or_runs_nothing(written) -> None:
    html = written.read_text(encoding="utf-8")
    markup = Markup(html)
    assert not {"script", "form", "button[type=submit]"} & {tag for tag, _ in markup.tags}
    (policy,) = [m["content"] or "" for m in markup.attributes("meta") if "http-equiv" in m]
    assert policy.startswith("default-src 'none';")
    assert "script-src" not in policy
    frames = markup.attributes("iframe")
    assert [frame["sandbox"] for frame in frames] == ["allow-same-origin"] * 3
    old, new, one = (frame["srcdoc"] or "" for frame in frames)
    assert re.search(r'data-dbce-word="removed"[^>]*>apparratus<', old)
    assert re.search(r'data-dbce-word="added"[^>]*>apparatus<', new)
    assert 'data-dbce-show="changes inline"' in one
    addresses = [*markup.values("href", "src"), *Markup(one).values("href", "src")]
    assert [a for a in addresses if not a.startswith(("#", "data:"))] == []


def test_captures_without_a_second_text_are_refused(sample_run, tmp_path, capsys) -> None:
    file = tmp_path / "x.html"
    assert ended("history", sample_run, ESSAY, "--to", "2013-07", "--page", file) == 2
    assert "no two captures with a text" in capsys.readouterr().err
    assert not file.exists()


@pytest.mark.browser
def test_the_file_shows_removed_words_on_one_page_without_a_script(written, page) -> None:
    page.goto(written.as_uri())
    one = page.frame_locator("#one").locator("[data-dbce-was]", has_text="apparratus")
    assert page.locator(".pair").is_visible()
    page.get_by_role("radio", name="As one page").check(force=True)
    one.wait_for()
    assert "line-through" in one.evaluate("e => getComputedStyle(e).textDecorationLine")
    assert not page.locator(".pair").is_visible()
    new = page.frame_locator("#new").locator("[data-dbce-was]").first
    assert new.evaluate("e => getComputedStyle(e).display") == "none"
