"""Pages and records made to exhaust a reader: each ends as a page or with its reason, and twice of it takes about twice the work."""

import gzip
import json
import multiprocessing
import resource
import sys
from multiprocessing.connection import Connection
from types import FrameType

import pytest

import dbce
from dbce.boilerplate import Annotated
from dbce.model import Capture, Config, Limits, Reject
from dbce.pipeline import annotate
from tests.archive.build import PAGE, answer, captures, members, outcome, record
from tests.runs import in_python, process

BYTES = 60_000_000  # what the limit on bodies is raised to, so that others are reached
MEMORY = 1_000  # megabytes that a process may take for any of them

ATTRIBUTES = b" ".join(b"a%d" % n for n in range(10**6))
BODIES = {
    "10,000 nested elements": (b"<div>" * 10_000 + b"deep", "too-deep"),
    "10,000 nested comments of a template": (b"<template>" * 10_000 + b"x", "too-deep"),
    "a text of 50 MB": (b"<p>" + b"word " * 10_000_000, "too-many-words"),
    "a word of 50 MB": (b"<p>" + b"w" * 50_000_000, "annotated or single"),
    "nothing but NUL": (bytes(3_000_000), "undecodable"),
    "NUL in every word": (b"<html><body><p>" + b"\0a" * 100_000, "undecodable"),
    "NUL between words": (b"<p>" + b"some words, and a \0 " * 9_000, "annotated or single"),
    "a million empty elements": (b"<b></b>" * 1_000_000, "too-many-elements"),
    "a million comments": (b"<!---->" * 1_000_000, "no-text"),
    "a million comments and a word": (b"<!---->" * 1_000_000 + b"x", "too-many-elements"),
    "a million attributes": (b"<p " + ATTRIBUTES, "too-many-elements"),
    "a quarter of a million texts": (b"<p>a<br>" * 249_000 + b"b<i>c</i>d" * 999, "too-many-texts"),
    "open quotes": (b"<a href='" * 400_000, "too-many-elements"),
}
LIMITS = Limits(payload_bytes=BYTES, texts=200_000)


def fate(body: bytes) -> str:
    """What becomes of a page in a run."""
    (entry,) = captures(record(1, answer(body)), limits=LIMITS)
    if isinstance(entry, Reject):
        return str(entry.reason)
    (result,) = annotate([entry], Config(method="T002", limits=LIMITS))
    return "annotated or single" if isinstance(result, Annotated) else str(result.reason)


def measured(name: str, told: Connection) -> None:
    """Tells what becomes of one of them, and the most memory that the process took, in megabytes."""
    became = fate(BODIES[name][0])
    told.send((became, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def main() -> None:
    """Prints what becomes of each, in a process of its own, by name."""
    fork = multiprocessing.get_context("fork")
    fates = {}
    for name in BODIES:
        here, there = fork.Pipe(duplex=False)
        process = fork.Process(target=measured, args=(name, there))
        process.start()
        there.close()
        fates[name] = here.recv()
        process.join()
    sys.stdout.write(json.dumps(fates))


@pytest.fixture(scope="module")
def fates() -> dict[str, tuple[str, float]]:
    """Measured from a small process: a new one's memory counts that of the process that starts it."""
    return json.loads(in_python("from tests.pipeline.test_hostile import main; main()").stdout)


@pytest.mark.slow
@pytest.mark.parametrize("name", BODIES)
def test_a_hostile_page_ends_with_its_reason_and_takes_bounded_memory(fates, name: str) -> None:
    became, peak = fates[name]
    assert became == BODIES[name][1]
    assert peak < MEMORY


def test_a_million_chunks_of_one_byte_are_read() -> None:
    body = b"".join(b"1\r\n%c\r\n" % byte for byte in PAGE + b"<p>more</p>" * 20_000)
    (entry,) = captures(record(1, answer(body, Transfer_Encoding="chunked")))
    assert isinstance(entry, Capture)
    assert entry.payload == PAGE + b"<p>more</p>" * 20_000


def test_bombs_within_bombs_are_too_large() -> None:
    body = gzip.compress(gzip.compress(bytes(30_000_000)))
    bomb = record(1, answer(body, Content_Encoding="gzip, gzip"))
    found = captures(b"".join(members([bomb, record(2)])))
    assert [outcome(entry) for entry in found] == ["too-large", "page"]


def test_line_ends_without_end_are_passed_over() -> None:
    data = gzip.compress(b"\r\n" * 5_000_000 + record(1)) + members([record(2)])[0]
    assert [outcome(entry) for entry in captures(data)] == ["page", "page"]


RUN = """
import re, sys
from pathlib import Path
from dbce.cli import main
code = main(["run", sys.argv[1], "--out", sys.argv[2], "--master", "none", "--jobs", "1"])
# Of the program alone: ru_maxrss counts the process that started it, too, and of the files of libraries
# 35 MB more or less are in memory, as the system reads them.
status = dict(re.findall(r"(\\w+):\\s+(\\d+) kB", Path("/proc/self/status").read_text()))
print(code, (int(status["VmHWM"]) - int(status["RssFile"])) / 1024)
"""


def table(rows: int, year: int) -> bytes:
    row = "<tr><td>{} {}</td><td>ferry</td><td>{}</td></tr>\n"
    cells = "".join(row.format(("ferry", "harbour")[n % 2], n * year % 999, n) for n in range(rows))
    page = f"<html><h1>Crossings</h1><table>{cells}</table><p>All of {year}.</p></html>"
    at = f"{year}-01-02T03:04:05Z"
    return record(year, answer(page.encode()), url="http://example.com/", date=at)


@pytest.mark.nightly
@pytest.mark.parametrize(("rows", "judged", "code"), [(26_000, 3, 0), (70_000, 0, 3)])
def test_large_tables_are_compared_in_490_mb_or_rejected(tmp_path, rows, judged, code) -> None:
    (tmp_path / "a.warc.gz").write_bytes(
        b"".join(members([table(rows, year) for year in (2011, 2012, 2013)]))
    )
    done = process(sys.executable, "-c", RUN, tmp_path / "a.warc.gz", tmp_path / "out")
    found = json.loads((tmp_path / "out" / "run.json").read_text())
    assert found["captures"]["annotated"] == judged
    assert found["captures"]["rejected"] == 3 - judged
    ended, peak = done.stdout.split()[-2:]
    assert int(ended) == code
    assert float(peak) < 490


# However a page is made, twice of it takes about twice the work, not four times.


UNITS = {
    "code": "<pre>a = 1\nb = 2</pre>\n",
    "code in many elements": "<i></i><div class=x><pre><b>a</b> = 1</pre></div>\n",
    "formulas in scripts": "<script type='math/tex'>x^2</script>one day ",
    "formulas": "<math><mi>x</mi><mo>=</mo><mn>2</mn></math> one day ",
    "rows": "<table><tr><td rowspan=3>ferry<td>12<tr><td>day<tr><td>night</table>",
    "notes": "<p>one<sup><a href=#n id=r>[1]</a></sup></p><ol><li id=n>Note <a href=#r>↑</a></ol>",
    "comments": "<div class=comment><b class=author>Joe</b><time>1 Jan 2011</time><p>one day</p></div>",
    "headings": "<h2 id=x>Ferry<a href=#x>¶</a></h2><p>one day of winter</p>\n",
}


def calls(unit: str, count: int) -> int:
    """Count calls of functions, compiled ones too, that a page in Markdown takes."""
    done = 0

    def called(_frame: FrameType, event: str, _what: object) -> None:
        nonlocal done
        done += event in {"call", "c_call"}

    html = f"<h1>Ferries</h1><p>All of the ferries.</p><div>{unit * count}</div>"
    sys.setprofile(called)
    try:
        dbce.extract(html)
    finally:
        sys.setprofile(None)
    return done


@pytest.mark.parametrize("kind", UNITS)
def test_the_work_grows_as_the_page_does(kind: str) -> None:
    calls(UNITS[kind], 10)  # what is done once in a process
    once, twice = (calls(UNITS[kind], count) for count in (700, 1_400))
    assert once > 50_000
    assert twice < 2.5 * once


LINE = "<p>One day it rained on all of the ferries.</p>"
ENDLESS = {
    "titles of separators": f"<title>{'a | ' * 2_400}</title><meta property=og:site_name content=a>",
    "rules": f"<style>{'.c{white-space:pre}' * 12_000}</style>{'<p class=c>x' * 20_000}",
    "open rules": f"<style>p{{white-space:pre}}{'a{' * 60_000}{'}' * 60_000}</style>",
    "open comments": f"<style>p{{white-space:pre}}{'/*a' * 80_000}</style>",
    "blanks in code": f"<p><code>a{' ' * 200_000}<br>b</code>",
    "numbers before code": f"<p>{'1 ' * 200_000}</p>{'<pre></pre>' * 20_000}",
    "answers": "<i>ok</i>" * 39_000,
    "answers in boxes": f"{'<div>' * 800}{'<i>ok</i> ' * 190}{'</div>' * 800}" * 20,
    "a long class": f"<div class='{'x' * 500_000} related'>{'<time>1</time> ' * 9_000}</div>",
    "addresses of formulas": f"<img src='/%5{'mathtex' * 99_000}'>",
    "formulas": f"<p>{'<span class=MathJax></span>' * 20_000}",
    "nested formulas": f"<p>{'<span class=katex>' * 1_000}{'word ' * 100_000}",
    "open formulas": "<p>" + "\\[" * 100_000,
    "indices": f"<p>{'x<sub>i</sub> ' * 30_000}",
    "a list": f"<ul><li>x{'<p>one</p>' * 39_000}</ul>",
    "emphasis": f"<p><b>{'a <i>b</i> ' * 15_000}",
    "notes": f"<p>{'a<span class=sidenote>one two three four</span> ' * 9_000}",
    "credits": f"<figure><figcaption>{'<i class=credit>x</i> ' * 20_000}</figure>",
    "counters": f"<p>1 views{',' * 100_000}x",
    "open comments of JSON-LD": f"<script type=application/ld+json>{{{'/* ' * 300_000}</script>",
    "authors": f"<p class=author>{',' * 200_000}",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ENDLESS)
def test_a_page_of_one_thing_at_great_length_ends(kind: str) -> None:
    assert dbce.extract(LINE * 9 + ENDLESS[kind])  # each kept a rule busy for minutes


def test_an_address_that_links_are_relative_to_is_not_repeated_without_limit() -> None:
    links = "<p>One day <a href=a>it rained</a> on all of the ferries.</p>" * 900
    assert len(dbce.extract(f"<base href='http://a.example/{'a' * 90_000}/'>{links}")) < 10**6
