"""The whole method on plain values: captures in, annotated captures out."""

import json
import re
from dataclasses import replace
from importlib import import_module
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce import html
from dbce.archive import capture
from dbce.boilerplate import Annotated
from dbce.html import strip
from dbce.html.walk import holders, lines
from dbce.model import Capture, Config, Label, Limits, Origin, Reason, Reject, Stage, Status
from dbce.output.rows import node_rows_of
from dbce.pipeline import annotate
from tests.html.soup import serialise
from tests.site import DOC1, DOC2, FOOTER, MENU, article, page, story

PATTERNS = Config(method="T002")

# The example pages are too small for the default recipe to see one template in them.
EXAMPLE = replace(PATTERNS, template_similarity=0.3)


def example(config: Config = EXAMPLE) -> Annotated:
    """doc1 of the thesis, compared with doc2."""
    docs = [capture(f"http://example.com/{n}", doc, "2016") for n, doc in enumerate((DOC1, DOC2))]
    first, _ = annotate(docs, config)
    assert isinstance(first, Annotated)
    return first


def runs(result: Annotated) -> dict[str, tuple[str, str]]:
    """Text of each run: (bits, label)."""
    nodes = result.page.nodes
    return {
        nodes[run.node].text[run.start : run.end].strip(): (run.verdict.bits, run.verdict.label)
        for run in result.runs
    }


@pytest.mark.parametrize("signature", ["paths", "layers"])
@pytest.mark.parametrize("engine", ["fast", "lxml"])
@pytest.mark.parametrize("method", ["T001", "T002"])
def test_the_worked_example_of_the_thesis(signature, engine, method):
    result = example(replace(EXAMPLE, signature=signature, diff_engine=engine, method=method))
    assert result.status is Status.ANNOTATED
    assert result.cross is not None
    assert result.cross.bits == "11000"
    assert runs(result) == {
        "Buy More": ("11000", "boilerplate"),
        "New Cars": ("11000", "boilerplate"),
        "Definition of Boilerplate": ("10000", "content"),
        "2016 - Example Inc. All rights reserved": ("11000", "boilerplate"),
    }
    assert result.text == "Definition of Boilerplate"
    assert {run.verdict.decided_by for run in result.runs} == {"pattern"}


def test_the_worked_example_is_marked_in_its_page():
    marked = example().html.decode()
    assert '<li data-dbce="boilerplate" data-dbce-p="0.25" data-dbce-bits="11000">Buy' in marked
    run = 'data-dbce="content" data-dbce-p="0.75" data-dbce-bits="10000" data-dbce-run=""'
    assert f"</ul><span {run}>Definition of Boilerplate\n</span>" in marked
    assert ">2016 - Example Inc. All rights reserved</span></span></body>" in marked
    assert strip(example().html).decode() == DOC1


@pytest.fixture(scope="module", params=["joint", "T002"])
def config(request, tiny_file) -> Config:
    """The default method, with a model of these tests, and the best of the thesis."""
    return Config(method=request.param, model=str(tiny_file) if request.param == "joint" else "")


TOPICS = ("ferry", "clocks", "benches", "maps")


def archive() -> list[Capture]:
    """Four articles with three snapshots each, and a page of its own kind."""
    pages = [page(topic, f"{year}0101") for year in (2014, 2015, 2016) for topic in TOPICS]
    return [*pages, page("alone", html=f"<table><tr><td>{story('alone')}</table>")]


def test_what_the_pages_share_is_boilerplate_and_what_differs_is_content():
    *articles, alone = annotate(archive(), PATTERNS)
    for result in articles:
        assert result.status is Status.ANNOTATED
        found = runs(result)
        topic = result.page.title
        assert found[story(topic)][1] is Label.CONTENT
        assert {found[text][1] for text in (*MENU, FOOTER)} == {Label.BOILERPLATE}
        assert result.text.splitlines()[-1] == story(topic)
    assert alone.status is Status.SINGLE


def test_the_cross_is_made_of_other_urls_and_of_own_snapshots():
    captures = archive()
    by_id = {one.record_id: one for one in captures}
    bits = []
    for result in annotate(captures, PATTERNS):
        if result.cross is None:
            continue
        cur = result.capture
        up, down, before, after = (m and by_id[m] for m in result.cross.members[1:])
        assert len({cur.surt, up.surt, down.surt}) == 3
        assert {other.surt for other in (before, after) if other} == {cur.surt}
        assert up.timestamp == down.timestamp == cur.timestamp
        bits.append(result.cross.bits)
    assert bits == ["11101"] * 4 + ["11111"] * 4 + ["11110"] * 4


def test_a_page_alone_is_judged_by_its_densities():
    *_, alone = annotate(archive(), PATTERNS)
    assert alone.cross is None
    assert {(run.verdict.decided_by, run.verdict.bits) for run in alone.runs} == {
        ("density", "10000")
    }
    assert {run.verdict.comparisons for run in alone.runs} == {0}
    assert alone.text == story("alone")


def test_t001_leaves_invalid_what_t002_counts_as_boilerplate():
    captures = [page(topic) for topic in TOPICS]
    # The story was replaced: the later snapshot does not have it, and that the table leaves open.
    captures += [page("ferry", "2017", article("ferry", "A new story."))]
    labels = {}
    for method in ("T001", "T002"):
        first, *_ = annotate(captures, Config(method=method))
        assert first.cross.bits == "11101"
        labels[method] = runs(first)[story("ferry")]
    assert labels == {"T001": ("10000", "invalid"), "T002": ("10000", "boilerplate")}


def half_shared(topic: str) -> Capture:
    """A page with paragraphs of its own, and a last one that all pages have in part."""
    stories = (story(f"{topic}{n}") for n in range(5))
    return page(topic, html=article(topic, *stories, f"{topic} has a notice that all pages have."))


def test_a_text_that_is_shared_in_part_has_two_runs():
    first, *_ = annotate([half_shared(topic) for topic in TOPICS], Config(method="T001"))
    assert any(run.start for run in first.runs), "the notice is a run, the topic before it another"


def test_bit_patterns_judge_by_the_strongest_cross_alone():
    captures = archive()
    for method in ("T001", "T002"):
        many = annotate(captures, Config(method=method))
        one = annotate(captures, Config(method=method, crosses=1))
        assert list(map(outcome, many)) == list(map(outcome, one))


@pytest.mark.parametrize(
    ("hosts", "asked"),
    [
        (("one.example", "two.example"), {"across_sites": True}),
        (("a.example.com", "b.example.com"), {"site_by": "domain"}),
    ],
)
def test_pages_of_two_sites_are_neighbours_only_when_asked(hosts, asked):
    captures = [capture(f"http://{host}/", article(host[0]), "2016") for host in hosts]
    assert [one.status for one in annotate(captures, PATTERNS)] == [Status.SINGLE] * 2
    joined = annotate(captures, replace(PATTERNS, **asked))
    assert [one.status for one in joined] == [Status.ANNOTATED] * 2


@pytest.fixture
def joint(tiny_file) -> Config:
    return Config(model=str(tiny_file))


def test_a_model_weighs_all_crosses_of_a_page_and_judges_one_without(joint):
    *articles, alone = annotate(archive(), joint)
    for result in articles:
        assert {run.verdict.decided_by for run in result.runs} == {"joint"}
        assert {run.verdict.comparisons for run in result.runs} <= set(range(1, joint.crosses + 1))
        assert {run.verdict.bits[0] for run in result.runs} == {"1"}
        assert runs(result)[MENU[1]][1] is Label.BOILERPLATE
    verdicts = {(v.decided_by, v.bits, v.comparisons) for v in (run.verdict for run in alone.runs)}
    assert verdicts == {("joint", "10000", 0)}


def test_a_line_has_one_label_and_one_probability_whatever_its_bits(joint):
    captures = [half_shared(topic) for topic in TOPICS]
    for result in annotate(captures, joint):
        of_node = np.array(lines(result.page, holders(result.page)))
        for line in range(of_node[-1] + 1):
            its = [run for run in result.runs if of_node[run.node] == line]
            assert len({(run.verdict.label, run.verdict.probability) for run in its}) == 1
        assert any(run.start for run in result.runs), "the notice has two runs"


@pytest.mark.parametrize(("pages", "size"), [(1, 10**9), (64, 10**9), (3, 10**9), (64, 1)])
def test_the_size_of_a_batch_does_not_change_a_byte(joint, monkeypatch, pages, size):
    captures = [*archive(), KINDS["empty"][0](1), *(page(f"more{n}") for n in range(3))]
    before = list(map(outcome, annotate(captures, joint)))
    judging = import_module("dbce.boilerplate.judge")
    monkeypatch.setattr(judging, "BATCH_PAGES", pages)
    monkeypatch.setattr(judging, "BATCH_BYTES", size)
    assert list(map(outcome, annotate(captures, joint))) == before


def test_a_page_is_as_sure_as_its_verdicts(config):
    for result in annotate(archive(), config):
        assert 0.5 <= result.confidence <= 1


def outcome(result: Annotated | Reject) -> object:
    """All that a result says."""
    if isinstance(result, Reject):
        return result
    return (result.status, result.cross, result.runs, result.html, result.text)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6))
def test_the_order_of_the_captures_does_not_change_a_verdict(config, seed):
    captures = archive()
    shuffled = Random(seed).sample(captures, len(captures))
    one, other = (
        {result.capture.record_id: outcome(result) for result in annotate(its, config)}
        for its in (captures, iter(shuffled))
    )
    assert one == other


def scriptless(topic: str) -> str:
    """A page of a forum whose thread only readers without scripts see."""
    menu = "".join(f"<li>{text}" for text in MENU)
    thread = f"<ul>{menu}</ul><h1>{topic}</h1><p>{story(topic, 300)}"
    return f"<div id=app>Loading</div><noscript>{thread}</noscript>"


def scripted(data: object) -> str:
    """A page whose text is in the data of its scripts."""
    return f"<div id=app></div><script type=application/ld+json>{json.dumps(data)}</script>"


LIMITS = Limits(depth=40, elements=60, words=400)
SMALL_LIMITS = replace(PATTERNS, limits=LIMITS)
EARLIER = Reject(
    Status.SKIPPED, Reason.HTTP_STATUS, Stage.READ, "404", Origin("x.warc.gz", 7, 9), "urn:x:404"
)

KINDS = {
    "good": (lambda n: page(f"good{n}"), None),
    "alone": (lambda n: page(f"alone{n}", html=f"<dl><dt>{story(f'only{n}')}</dl>"), None),
    "empty": (lambda n: page(f"empty{n}", html="<html><body></body></html>"), Reason.NO_TEXT),
    "scriptless": (lambda n: page(f"scriptless{n}", html=scriptless(f"thread{n}")), None),
    "scripted": (
        lambda n: page(f"scripted{n}", html=scripted({"articleBody": story(f"data{n}")})),
        Reason.TEXT_IN_SCRIPT,
    ),
    "deep": (lambda n: page(f"deep{n}", html="<div>" * 50 + "x"), Reason.TOO_DEEP),
    "wide": (lambda n: page(f"wide{n}", html="<p>x" * 70), Reason.TOO_MANY_ELEMENTS),
    "long": (lambda n: page(f"long{n}", html=story("x", 500)), Reason.TOO_MANY_WORDS),
    "binary": (
        lambda n: capture(f"http://harbour.example/b{n}", UNDECODABLE, "2016"),
        Reason.UNDECODABLE,
    ),
    "void": (lambda n: page(f"void{n}", html=" "), Reason.NO_TEXT),
    "again": (lambda _: page("good0"), Reason.DUPLICATE_RECORD),
    "earlier": (lambda _: EARLIER, Reason.HTTP_STATUS),
}
UNDECODABLE = bytes(range(256)) * 8


def test_a_thread_in_noscript_is_compared_and_marked_where_it_stands():
    captures = [page(topic, html=scriptless(topic)) for topic in TOPICS]
    for result in annotate(captures, PATTERNS):
        assert result.status is Status.ANNOTATED
        topic = result.capture.url.rpartition("/")[2]
        found = runs(result)
        assert found[story(topic, 300)][1] is Label.CONTENT
        assert {found[text][1] for text in MENU} == {Label.BOILERPLATE}
        assert result.text.splitlines() == [topic, story(topic, 300)]
        thread = result.html.partition(b"<noscript>")[2].partition(b"</noscript>")[0]
        assert thread.count(b'data-dbce="boilerplate"') == len(MENU)
        assert thread.count(b'data-dbce="content"') == 2


def test_a_page_with_its_text_in_a_script_is_skipped_and_says_how_much_there_is():
    for data, detail in (
        ({"articleBody": "A ferry."}, "2 words of an articleBody"),
        ({"text": "Nobody knows why. " * 20}, "60 words of prose"),
    ):
        (result,) = annotate([page("ferry", html=scripted(data))], PATTERNS)
        assert isinstance(result, Reject)
        assert (result.status, result.reason) == (Status.SKIPPED, Reason.TEXT_IN_SCRIPT)
        assert result.stage is Stage.PARSE
        assert result.detail == f"the page holds no text, its scripts' data {detail}"


def test_a_page_with_text_or_that_breaks_off_says_so_whatever_its_scripts_hold():
    of_text = page("ferry", html="<p>Loading</p>" + scripted({"articleBody": story("ferry")}))
    broken = replace(page("clocks", html=scripted({"articleBody": "x"})), truncated="length")
    judged, dropped = annotate([of_text, broken], PATTERNS)
    assert (judged.status, dropped.reason) == (Status.SINGLE, Reason.TRUNCATED)


def test_a_dropped_capture_keeps_all_that_is_known_of_it():
    deep = KINDS["deep"][0](1)
    (result,) = annotate([deep], SMALL_LIMITS)
    assert isinstance(result, Reject)
    assert (result.status, result.stage) == (Status.REJECTED, Stage.PARSE)
    assert (result.record_id, result.url, result.surt) == (deep.record_id, deep.url, deep.surt)
    for name in ("timestamp", "digest", "origin"):
        assert getattr(result, name) == getattr(deep, name)
    assert result.is_html


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(sorted(KINDS)), max_size=12))
def test_every_capture_comes_out_once_and_in_order(config, kinds):
    captures = [KINDS[kind][0](number) for number, kind in enumerate(kinds)]
    results = list(annotate(captures, replace(config, limits=LIMITS)))
    names = [one.record_id for one in captures]
    assert [getattr(r, "capture", r).record_id for r in results] == names
    seen = set()
    for kind, one, result in zip(kinds, captures, results, strict=True):
        reason = KINDS[kind][1]
        if kind in ("good", "again"):
            reason = Reason.DUPLICATE_RECORD if one.record_id in seen else None
            seen.add(one.record_id)
        assert getattr(result, "reason", None) == reason
        if reason is Reason.DUPLICATE_RECORD:
            assert (result.status, result.stage) == (Status.SKIPPED, Stage.COMPARE)
        if isinstance(result, Annotated):
            assert result.status in (Status.ANNOTATED, Status.SINGLE)
            assert result.runs


def test_pages_with_one_record_id_are_judged_as_with_ids_of_their_own(config):
    captures = archive()
    other, later = replace(captures[1], record_id="urn:x"), replace(captures[2], record_id="urn:x")
    *judged, again = annotate([captures[0], other, later, *captures[3:], other], config)
    assert isinstance(again, Reject)
    assert again.reason == Reason.DUPLICATE_RECORD
    ids = [one.capture.record_id for one in judged]
    assert len({*ids}) == len(captures)
    apart = [replace(one, record_id=own) for one, own in zip(captures, ids, strict=True)]
    assert list(map(outcome, judged)) == list(map(outcome, annotate(apart, config)))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(["good", "alone", "empty", "scripted", "deep", "earlier"]), max_size=8)
)
def test_bad_pages_change_nothing_for_the_good_ones(config, kinds):
    small = replace(config, limits=LIMITS)
    captures = [KINDS[kind][0](number) for number, kind in enumerate(kinds)]
    good = [one for kind, one in zip(kinds, captures, strict=True) if kind in ("good", "alone")]
    among = [outcome(r) for r in annotate(captures, small) if isinstance(r, Annotated)]
    assert among == [outcome(result) for result in annotate(good, small)]


def test_the_page_without_marks_is_the_page(config):
    for result in annotate(archive(), config):
        root = html.load(result.capture.payload, result.capture.content_type, Limits()).root
        assert strip(result.html) == serialise(root)


@pytest.mark.parametrize("method", ["joint", "T002"])
def test_structures_are_told_of_runs_in_tables_and_in_marks_alike(method: str) -> None:
    html = article(
        "ferry", f"{story('ferry')}</p><ul><li>one of two</li><li>two of them</li></ul><p>"
    )
    (result,) = annotate(
        [capture("http://a.org/", html, "2016")], Config(method=method, decide="structures")
    )
    assert isinstance(result, Annotated)
    rows = node_rows_of(result).to_pylist()
    columns = ("structure", *(f"structure_{name}" for name in ("number", "label", "probability")))
    told = {tuple(row[name] for name in columns) for row in rows if row["structure"]}
    mark = re.compile(
        r'data-dbce-structure="(\w+)" data-dbce-structure-number="(\d+)" '
        r'data-dbce-structure-label="(\w+)" data-dbce-structure-p="([0-9.]+)"'
    )
    marked = mark.findall(result.html.decode())
    assert {(kind, number, label, f"{p:.2f}") for kind, number, label, p in told} == {
        (kind, int(number), label, p) for kind, number, label, p in marked
    }
    assert {"heading", "paragraph", "list"} <= {kind for kind, *_ in told}
    assert [int(number) for _, number, _, _ in marked] == list(range(len(told)))


def test_lines_alone_have_no_structures() -> None:
    html = article("ferry")
    (result,) = annotate([capture("http://a.org/", html, "2016")], Config(decide="lines"))
    assert isinstance(result, Annotated)
    assert all(run.structure is None for run in result.runs)
    assert b"data-dbce-structure" not in result.html
