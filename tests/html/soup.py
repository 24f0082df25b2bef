"""Tag soup for properties, and small builders for pages."""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hypothesis import reject
from hypothesis import strategies as st
from lxml.etree import _Element as Element

from dbce.html import KIND, Document, annotated_html, parse, read_page, skeleton, strip
from dbce.html.skeleton import text_of
from dbce.html.walk import Handle
from dbce.model import InputError, Label, Limits, Page, Structure, TextRun, Verdict

CONTENT = Verdict(Label.CONTENT, 0.931, "11010", 2, "pattern")
BOILERPLATE = Verdict(Label.BOILERPLATE, 0.1, "11011", 2, "pattern")

TAGS = (
    "html head body title p div span b i a ul li br img pre h1 table tr td tbody form select option"
    " textarea script style noscript template iframe frameset frame noframes noembed svg math"
    " dl dt blockquote figure caption plaintext xmp object meta link o:p slot x-card"
).split()

ODDITIES = (
    *("<!-- c -->", "<!DOCTYPE html>", "<![CDATA[ x ]]>", "<?php x ?>", "&amp;", "&nbsp;", "&lt;"),
    *("&#1;", "&#12;", "&#13;", "\0", "\x0b", "\f", "\n", "\ufffe", "\ud800", "é", "\U0001f600"),
    *("<", ">", "<p", '"', "'", "<a'b>", "<a href='ä b&c'>", " some words "),
    *("data-dbce", "data-dbce-source", "data-db", "ce", "-source"),
    ' data-dbce="content" data-dbce-p="0.93" data-dbce-bits="11010"',
    ' data-dbce-structure="table" data-dbce-structure-number="3" data-dbce-structure-label="content"',
    '<span data-dbce="content" data-dbce-p="0.93" data-dbce-bits="11010" data-dbce-run="">x</span>',
    '<head data-dbce="head"><meta charset="utf-8" data-dbce="charset">',
    *("<template shadowrootmode=open>", "<slot name=a>", "<b slot=a>"),
)

ODD_PAGE = """<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
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

soup = st.lists(
    st.one_of(
        st.sampled_from(TAGS).map("<{}>".format),
        st.sampled_from(TAGS).map("</{}>".format),
        st.sampled_from(TAGS).map("<{} class='x' data-dbce='content'>".format),
        st.sampled_from(ODDITIES),
        st.text(max_size=6),
    ),
    max_size=25,
).map("".join)


def page(html: str, limits: Limits | None = None) -> Page:
    return read_page(parse(html), limits or Limits())[0]


def read_soup(html: str) -> tuple[Element, Page, Sequence[Handle]]:
    """The tree, the page and its handles; an example that is no page counts for nothing."""
    try:
        root = parse(html)
    except InputError:
        reject()
    return root, *read_page(root, Limits())


def serialise(root: Element) -> bytes:
    return text_of(root).encode()


def annotate(root: Element, of: Page, handles: Sequence[Handle], runs: list[TextRun]) -> bytes:
    return annotated_html(skeleton(root, of, handles), of, runs)


def comes_back(document: Document, seed: int) -> bool:
    """True if the page without its marks is the page before; it uses the tree up."""
    original = serialise(document.root)
    runs = random_runs(document.page, seed)
    return strip(annotate(document.root, document.page, document.handles, runs)) == original


def texts(html: str) -> list[str]:
    return [node.text for node in page(html).nodes]


def random_runs(of: Page, seed: int) -> list[TextRun]:
    """Runs that tile every text node: half of the nodes whole, the others cut anywhere.

    Each node is of some structure around it, or of none.
    """
    rng = random.Random(seed)
    runs = []
    for i, node in enumerate(of.nodes):
        cuts = {rng.randrange(len(node.text)) for _ in range(rng.choice((0, 0, 1, 3)))}
        edges = sorted({0, len(node.text)} | cuts)
        structure = rng.choice((None, *structures_around(of, node.element)))
        runs += [
            TextRun(i, start, end, rng.choice((CONTENT, BOILERPLATE)), structure)
            for start, end in pairwise(edges)
        ]
    return runs


def structures_around(of: Page, element: int) -> Iterator[Structure]:
    """The structures that an element is in, from the inside out; of each the same is said always."""
    while element >= 0:
        if kind := KIND.get(of.tags[element]):
            label = (Label.CONTENT, Label.BOILERPLATE)[element % 2]
            yield Structure(element, kind, element, label, element % 101 / 100)
        element = of.parents[element]


def is_at(handle: Handle, text: str) -> bool:
    element, is_tail = handle
    return text == (element.tail if is_tail else element.text)
