"""`strip` gives back what was marked, whatever the page."""

from itertools import islice

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbce.archive import expand, read
from dbce.html import load
from dbce.model import Capture, InputError, Limits
from tests.data import shared
from tests.gate import first
from tests.html.soup import ODDITIES, TAGS, comes_back

PAGE = """<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
<html lang="de"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8">
<title>Der Pegel &amp; das Ufer</title><style>p > a { color: red }</style>
<script>if (1 < 2) document.write("<p data-dbce='content'>x</p>");</script></head>
<body class="page"><!-- menu --><ul id="nav"><li><a href="/a?b=1&c=2">Start</a><li>Briefe</ul>
<noscript><p>Ohne Skript</p></noscript><template><p>Vorlage</p></template>
<h1>Am alten Steg <span>misst <span>wieder</span> jemand</span></h1>
<table><caption>Pegel</caption>lose<tr><td>Mai<td>3,10&nbsp;m<tr>dazwischen<th>Juni</table>
<p>Seit die Br&uuml;cke <b>gesperrt <i>ist</b>, geht</i> man.<br>Zeile &lt;zwei&gt;<p>Drei
<svg viewBox="0 0 1 1"><title>Bild</title><text>gezeichnet <tspan>zwei</tspan></text></svg>
<math><mi>x</mi><mtext>Wort <b>fett</b></mtext></math>
<form><select><option>eins<option selected>zwei drei</select><textarea>
roh &amp; <b>roh</b></textarea></form><xmp><b>roh</b></xmp><iframe>innen</iframe>
<?php echo "x > y" ?><![CDATA[ abschnitt ]]><pre>
 a  b </pre><noframes><body><p>Rahmen</body></noframes>
<p data-dbce="content" data-dbce-p="0.93" data-dbce-bits="11010">eigenes data-dbce-run</p>
<div hidden>versteckt</div><footer>Impressum &copy; 2016</footer></body></html>
<p>dahinter"""

places = st.integers(0, len(PAGE))
pieces = st.one_of(
    st.sampled_from(ODDITIES).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from(TAGS).map(lambda tag: f"<{tag}>".encode()),
    st.sampled_from(TAGS).map(lambda tag: f"</{tag}>".encode()),
    st.sampled_from(TAGS).map(lambda tag: f"<{tag} x='".encode()),  # a quote that nothing closes
    st.binary(max_size=4),
)
mutations = st.one_of(
    st.tuples(st.just("delete"), places, places),
    st.tuples(st.just("repeat"), places, places),
    st.tuples(st.just("swap"), places, places),
    st.tuples(pieces, places, places),
)


def mutated(page: bytes, changes: list[tuple[bytes | str, int, int]]) -> bytes:
    """The page with slices of it deleted, repeated or exchanged, or bytes put in their place."""
    for change, one, other in changes:
        start, end = sorted((one % (len(page) + 1), other % (len(page) + 1)))
        if change == "delete":
            page = page[:start] + page[end:]
        elif change == "repeat":
            page = page[:end] + page[start:end] + page[end:]
        elif change == "swap":
            page = page[start:end] + page[:start] + page[end:]
        elif isinstance(change, bytes):
            page = page[:start] + change + page[start:]
    return page


def page_comes_back(payload: bytes, content_type: str, seed: int) -> bool:
    """True of what is no page, too."""
    try:
        return comes_back(load(payload, content_type, Limits()), seed)
    except InputError:
        return True


@settings(max_examples=250)
@given(st.lists(mutations, max_size=8), st.integers(0, 99))
@example([], 0)
def test_a_mutated_page_comes_back(changes: list[tuple[bytes | str, int, int]], seed: int) -> None:
    assert page_comes_back(mutated(PAGE.encode(), changes), "text/html; charset=utf-8", seed)


@settings(max_examples=100)
@given(st.binary(max_size=300), st.sampled_from(["utf-8", "utf-16", "iso-8859-1", "shift_jis", ""]))
def test_random_bytes_come_back(payload: bytes, charset: str) -> None:
    assert page_comes_back(payload, f"text/html; charset={charset}", 1)


@pytest.mark.parametrize(
    "html",
    [
        "<p>a<span>b<span>c</span></span>d",
        "<plaintext>a</plaintext><b>c",
        "<select><p>a</p><option>b c</select>",
        "<table>a<b>c<td>d</table>e",
        "<svg><style>a</style><desc><p>b c</desc></svg>d",
        "<math><annotation-xml encoding='text/html'><p>a b</p></annotation-xml></math>",
        "<p a='data-dbce' data-dbce-source=data-dbce>data-dbce-source data-dbce-source-source",
        "<title>a <b>b</b></title><textarea>c d",
        "a\0b\x0bc&#0;d&#x1f;e&#xd800;f",
        "<!-- data-dbce --><!--> a --><?xml data-dbce?>b",
        "<data-dbce data-dbce=1>a b</data-dbce>c",
        "<style>data-dbce='<b'</style><style data-dbce=\"style\">p > a</style>a",
    ],
)
def test_an_odd_page_comes_back(html: str) -> None:
    assert all(
        page_comes_back(html.encode(), "text/html; charset=utf-8", seed) for seed in range(20)
    )


SETS = {
    "cleaneval": 131,
    "cleanportaleval": 71,
    "dragnet": 142,
    "dragnet-sites": 138,
    "flink": 75,
    "kreuzer": 61,
    "sites": 127,
    "warc-zoo": 93,
    "wcxb": 187,
}
"""Each with the least number of its pages that are read, parsed and held to it."""

EVERY = {
    "cleaneval": 4,
    "dragnet": 4,
    "dragnet-sites": 3,
    "flink": 9,
    "sites": 3,
    "warc-zoo": 3,
    "wcxb": 8,
}
"""One of so many pages of the large sets: snapshots of one site, and single pages that share little."""


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("name", first(SETS))
def test_pages_of_the_set_come_back(name: str) -> None:
    checked = 0
    for source in expand([str(shared(name))]):
        for capture in islice(read(source, Limits()), 0, None, EVERY.get(name, 1)):
            if not isinstance(capture, Capture):
                continue
            try:
                document = load(capture.payload, capture.content_type, Limits())
            except InputError:
                continue
            assert comes_back(document, checked), capture.url
            checked += 1
    assert checked >= SETS[name]
