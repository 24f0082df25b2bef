"""What of a page's markup is kept with its content, and what is not."""

from functools import cache

import pytest
from hypothesis import given, settings

from dbce.formats import annotated_content
from dbce.formats.leaves import SEEN
from dbce.formats.markdown import as_markdown
from dbce.formats.part import BLOCKS, Part
from dbce.formats.places import absolute
from dbce.formats.write import FORMATS, as_html
from dbce.model import InputError
from tests.formats.build import annotated_page, blocks, extract, extract_soup
from tests.html.soup import soup


def html(body: str, url: str = "", *, images: bool = False) -> str:
    return as_html(blocks(body, url, images=images)).replace("\n", "")


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("<div class=a><h2>One</h2><div>Two</div></div>", "<h2>One</h2><p>Two</p>"),
        ("<s>Menu</s><p>One <s>ad</s> two</p>", "<p>One two</p>"),
        ("One<br>two<br><br>three", "<p>One<br>two</p><p>three</p>"),
        ("One<br><s>ad</s><br>two", "<p>One</p><p>two</p>"),
        ("<p>a <b>bold</b>, <i>it </i>and <em><i>it</i></em></p>", "<p>a <strong>bold</strong>, <em>it</em> and <em>it</em></p>"),
        ("<h2>One <span class=sr-only>Copy link to section</span><button>Link copied!</button></h2>", "<h2>One</h2>"),
        ("<h2>Copy link to section</h2>", "<h2>Copy link to section</h2>"),
        ("<p>[vc_row a='b'][vc_column]One[/vc_column][/vc_row]</p><p>[form-7 id=”12” title=”Two”]</p><p>[caption id='x' width='3']One[/caption] [1] [a] a[b='c']", "<p>One</p><p>One [1] [a] a[b='c']</p>"),
        ('<p>Write <code>[gallery ids="1"]</code>', '<p>Write <code>[gallery ids="1"]</code></p>'),
        ("<p>Half of it: <progress>gone</progress> done", "<p>Half of it: done</p>"),
        ("<p>mid\u00adnight\u200bs a\u200cb a\u200db: \ufeff<b>a</b>", "<p>midnights a\u200cb a\u200db: <strong>a</strong></p>"),
        ("<p>船は朝\n の<b>四時</b>\nに 出て\nGo\nと", "<p>船は朝の<strong>四時</strong>に 出て Go と</p>"),
        ("<p><ruby>瞬<rp>〈</rp><rt>しゅん</rt><rp>〉</rp>間<rt>かん</rt></ruby>", "<p>瞬〈しゅん〉間(かん)</p>"),
        ("<p>が\n<ruby>\n<rb>東<rb>京\n<rp>(</rp><rt>とう<rt>きょう</rt>\n<rp>)</rp></ruby>\nで", "<p>が東京(とうきょう)で</p>"),
        ("<p>その<ruby>言葉<rt>ことば</rt></ruby>が<p>The <ruby>WWW<rt>World Wide Web</rt></ruby> is", "<p>その言葉(ことば)が</p><p>The WWW (World Wide Web) is</p>"),
        ("<p>A boat <img class=emoji alt=':boat:'> and <img alt='🐍'>!<img alt=one> Yes<img class=smilie alt=':)'></p><p><img alt=S>o", "<p>A boat :boat: and 🐍! Yes:)</p><p>So</p>"),
        ("<b>W</b>ord<p><b>a</b><b> b</b>", "<p><strong>W</strong>ord</p><p><strong>a b</strong></p>"),
        ("<b><div>One<br><br>two</div></b>", "<p><strong>One</strong></p><p><strong>two</strong></p>"),
        ("H<sub>2</sub>O <del>ice</del> <q>so <b>it</b> <q>ebbs</q></q> <q>«No»</q>", "<p>H<sub>2</sub>O <del>ice</del> “so <strong>it</strong> \u2018ebbs\u2019” «No»</p>"),
        ("<code>a<b>b</b></code>", "<p><code>ab</code></p>"),
        ("a &lt; b &amp; c", "<p>a &lt; b &amp; c</p>"),
        ("<ul><li>One</li><li><s>ad</s></li><li>two<ul><li>three</li></ul></li></ul>", "<ul><li>One</li><li><p>two</p><ul><li>three</li></ul></li></ul>"),
        ("<ol><li><p>One</p><p>two</p></li></ol>", "<ol><li><p>One</p><p>two</p></li></ol>"),
        ("<ol start=4><li>One</li><li><s>ad</s></li><li>three</li></ol>", '<ol start="4"><li>One</li><li value="6">three</li></ol>'),
        ("<ol reversed><li>One</li><li>two<ol><li>three</li></ol></li></ol>", '<ol start="2"><li>One</li><li value="1"><p>two</p><ol><li>three</li></ol></li></ol>'),
        ("<ol start=' +3px'><li value=x>One</li><li value=''>two</li></ol>", '<ol start="3"><li>One</li><li>two</li></ol>'),
        ("<p>One <a href='#x'>§</a><a href='#y'> # </a>two</p>", "<p>One two</p>"),
        ("<h2 id=one><a href='#one'>One</a></h2><p id=a><a href='#one'>Two</a></p>", '<h2>One</h2><p><a href="#one">Two</a></p>'),
        ("<p>One <a href='/tags'>#</a></p>", '<p>One <a href="/tags">#</a></p>'),
        ("<table><tr><td>" * 6 + "<ol><li><p>One</p><ol><li>two</li></ol></li><li>three</li></ol>", "<ol><li><p>One</p><ol><li>two</li></ol></li><li>three</li></ol>"),
        ("<li>One</li><li>two</li>", "<ul><li>One</li><li>two</li></ul>"), ("<ul>One<li>two</li></ul>", "<ul><li>One</li><li>two</li></ul>"),
        # What is in no item belongs to the one before.
        ("<ol><li>One</li><pre>x</pre><li>two</li></ol>", "<ol><li><p>One</p><pre><code>x</code></pre></li><li>two</li></ol>"),
        ("<ul><li>One</li><ul><li>two</li></ul></ul>", "<ul><li><p>One</p><ul><li>two</li></ul></li></ul>"),
        ("<ul><p>One</p><li>two</li></ul>", "<ul><li>One</li><li>two</li></ul>"), ("<dl><dt>One</dt><dd>two</dd></dl>", "<dl><dt>One</dt><dd>two</dd></dl>"),
        ("<blockquote>One<p>two</p></blockquote>", "<blockquote><p>One</p><p>two</p></blockquote>"),
        ("<article><h1><a href='/a'>One</a></h1></article>", '<h1><a href="/a">One</a></h1>'),
        ("<a href='/a'><h3>One</h3><p>two</p></a>", '<h3><a href="/a">One</a></h3><p><a href="/a">two</a></p>'),
        ("<pre>  a\n\n<b>b</b> c</pre>", "<pre><code>  a\n\nb c</code></pre>".replace("\n", "")),
        ("<pre><code class='hl language-py'>a</code></pre>", '<pre><code class="language-py">a</code></pre>'),
        ("<pre><div>a</div><div>b</div></pre>", "<pre><code>ab</code></pre>"),
        ("<p>On <relative-time>May 5</relative-time>, <x-a><x-b>so</x-b></x-a>.</p>", "<p>On May 5, so.</p>"),
        ("<div>On <x-a><p>May 5</p></x-a></div><x-b>so</x-b>", "<p>On</p><p>May 5</p><p>so</p>"), ("<div>On <o:p>May 5</o:p>, <place>so</place> <div style='display: inline'>it</div>.</div>", "<p>On May 5, so it.</p>"), ("<ol><li data-list=bullet>One</li><li data-list=bullet>two</li></ol>", "<ul><li>One</li><li>two</li></ul>"), ("<ol style='list-style: none'><li>(a) One</li></ol>", "<ul><li>(a) One</li></ul>"), ("<p><s style='display: none'>183</s>14 May<sup>[1]</sup></p>", "<p>14 May<sup>[1]</sup></p>"), ("<p><i class=material-icons>expand_more</i>One</p>", "<p>One</p>"), ("<table><tr><th colspan=2>One<tr><td><td>two</table>", "<p>One</p><p>two</p>"), ("<script>x</script><style>y</style><!-- z --><p>One</p>", "<p>One</p>"),
    ],
)  # fmt: skip
def test_the_markup_of_the_content_is_kept(body, kept):
    assert html(body) == kept


def test_custom_elements_between_texts_that_are_marked_in_parts_are_inline():
    page = annotated_page("<p>On <x-a>May 5</x-a>.</p>")
    for part in (b"On ", b"."):
        page = page.replace(
            part + b"<", b'<span data-dbce="content" data-dbce-run="">%s</span><' % part
        )
    assert as_html(annotated_content(page).blocks) == "<p>On May 5.</p>"
    xmp = annotated_content(annotated_page("<xmp><b>a</b></xmp>"))
    assert xmp.blocks == (Part("pre", ("<b>a</b>",)),)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<pre><div>a</div><div>  b</div></pre>", "a\n  b\n"),
        ("<pre><b>import</b> <i>numpy</i>\n\n<i>x</i><!-- c --> = 1<script>y</script></pre>",
         "import numpy\n\nx = 1"),
        ("<pre>a<br>b</pre>", "a\nb"), ("<pre><ol><li>a</li><li>  b</li></ol></pre>", "a\n  b\n"), ("<pre class=dark>a\nb</pre><pre>a\nb</pre>", "a\nb"), ("<pre><code><table><tr><td>a</td></tr><tr><td>  b</td></tr></table></code></pre>", "a\n  b\n"),
        ("<pre>a <s>ad</s> b</pre>", "a   b"), ("<pre><span class=line>a</span><span class='hl-line on'>  b</span>  c</pre>", "a\n  b\n  c"),
        ("<pre>a\n<span class=line>b</span>\n<span class=line></span>\nc</pre>", "a\nb\n\nc"),
        ("<pre>a <span class='comment line'># b</span></pre>", "a # b"), ("<pre><b>-</b><span class='token line'>a</span></pre>", "-a")])  # fmt: skip
def test_white_space_of_code_is_kept(body, text):
    assert blocks(body) == (Part("pre", (text,)),)


PYGMENTS = (
    "<div class='highlight-python notranslate'><div class=highlight><table class=highlighttable><tr>"
    "<td class=linenos><div class=linenodiv><pre>1\n2</pre></div></td><td class=code><div>"
    "<pre><span></span>import x\n  y</pre></div></td></tr></table></div></div>"
)
ROUGE = (
    "<div class='language-ruby highlighter-rouge'><div class=highlight><pre class=highlight><code>"
    "<table class=rouge-table><tr><td class='rouge-gutter gl'><pre class=lineno>1\n2\n</pre></td>"
    "<td class=rouge-code><pre>puts\n  x\n</pre></td></tr></table></code></pre></div></div>"
)


@pytest.mark.parametrize(
    ("body", "text", "language"),
    [
        (PYGMENTS, "import x\n  y", "python"),
        (ROUGE, "puts\n  x\n", "ruby"),
        (("<pre class=line-numbers><code class=language-c>a\n  b<span class=line-numbers-rows>"
         "<span></span></span></code></pre>"), "a\n  b", "c"),
        ("<pre><span class=ln>1</span>a\n<span class=ln>2</span>  b</pre>", "a\n  b", ""),
        ("<pre><i data-line-number=1>1</i>a\n<i data-line-number=2>b 2</i></pre>", "a\nb 2", ""),
        ("<div><button class=copybtn>Copy</button><pre>a = 1</pre></div>", "a = 1", ""), ("<pre>a = 1<button>Copied!</button></pre>", "a = 1", ""),
        ("<pre data-lang=go><code>a</code></pre>", "a", "go"), ("<div class='highlight highlight-source-shell'><pre>a</pre></div>", "a", "shell"),
        ("<div class='highlight-default notranslate'><pre>a</pre></div>", "a", ""), ("<pre class='brush: js; gutter: true'>a</pre>", "a", "js"),
        ("<pre class='sourceCode haskell'><code>a</code></pre>", "a", "haskell"), ("<figure class='highlight go'><pre>a</pre></figure>", "a", "go"), ("<pre><code class='hljs language-go'>a</code></pre>", "a", "go"),
        ("<pre lang=go>a</pre>", "a", "go"), ("<pre>\n \t\n<code class=go>a&nbsp;b</code>\n\t</pre>", "a b", "go"),
        ("<pre><code language=go><b data-line>a</b><b data-line>b</b></code></pre>", "ab", "go"),
        ("<pre><span data-line>a</span><span data-line>b</span></pre>", "a\nb", ""), ("<pre><code>a</code><code>  b</code></pre>", "a\n  b", ""),
        # Numbers by what they do: not to be selected, at the beginning of each line, in a column before it.
        ("<pre><b style='user-select: none'>7</b>a</pre>", "a", ""), ("<pre><div><i>7</i><p>a</p></div><div><i>8</i><p>b</p></div></pre>", "a\nb", ""),
        ("<pre><i>1</i>a\n<i>2</i>\n<i>3</i>  b</pre>", "a\n\n  b", ""), ("<div><div><p>7<p>8</div><pre>a\n  b</pre></div>", "a\n  b", ""),
        ("<pre><i>1</i>. a\n<i>2</i>. b</pre>", "1. a\n2. b", ""), ("<pre><i>1</i> a\n<i>2</i>  b</pre>", "a\n b", ""),
        ("<pre>[<i>1</i>, <i>2</i>, <i>3</i>]</pre>", "[1, 2, 3]", ""), ("<pre><c- b>a</c-> <c->b</c->\n</pre>", "a b", ""),
        # Labels beside it.
        ("<div><p><b>Go</b> <button>Copy</button></p><div><pre>a</pre></div></div>", "a", "go"), ("<div><button>try</button><pre>a</pre></div>", "a", ""), ("<div><pre><code class=language-q>a</code></pre><span>Q</span></div>", "a", "q"), ("<div><i class=lang>Q</i><button>Try</button></div><pre>a</pre>", "a", "q"),
        ("<pre><p>go<button>Copy code</button></p><code class=language-go>a</code></pre>", "a", "go"),
        # Lines without `<pre>`.
        ("<div><code class='hl block'>a\n  <a href=/b>b</a></code></div>", "a\n  b", ""), ("<p><code>a<br>\n&nbsp;b</code></p>", "a\n b", ""),
        ("<div class=box data-lang=go><i>a</i>\n  b</div>", "a\n  b", "go"), ("<div style='white-space: pre'>a\n  b</div>", "a\n  b", ""),
        ("<div class=fragment><div class=line><i class=ln>1</i>a</div><div class=line><i class=ln>2</i></div>b</div>", "a\n\nb", ""),
        (("<div class='syntaxhighlighter go'><table><tr><td class=gutter><div>1</div><div>2</div></td>\n<td>"
         "<div class=line><code>if</code> <code>a</code></div>\n<div class=line><code>&nbsp;</code><code>b</code>"
         "</div></td></tr></table></div>"), "if a\n b", "go"),
        (("<table class=js-file-line-container><tr>\n<td data-line-number=1></td>\n<td>a</td></tr>\n"
         "<tr><td></td>\n<td>  b</td></tr></table>"), "a\n  b", ""),
    ],
)  # fmt: skip
def test_code_is_as_it_was_written(body, text, language):
    (code,) = blocks(body)
    assert (code.children[0].strip("\n"), code.link) == (text.strip("\n"), language)


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("<p style='white-space: pre-line'>A\n<b>B\nC</b></p>", "<p>A<br><strong>B</strong><br><strong>C</strong></p>"),
        ("<style>.a p{color:red;white-space:pre-wrap}</style><div class=a><p>A\nB</p></div><p>C\nD</p>", "<p>A<br>B</p><p>C D</p>"),
        ("<style>@media print{p{white-space:pre-wrap}}</style><p>A\nB</p>", "<p>A B</p>"),
        ("<p class=whitespace-pre-wrap>\nA\n\n \nB<i class=whitespace-normal>\nC</i></p>", "<p>A</p><p>B <em>C</em></p>"),
        ("<h1><span aria-hidden=true><b>The</b><i>ferry</i><br>The ferry</span><span>The Ferry sails</span></h1>", "<h1>The Ferry sails</h1>"),
        ("<p>One <span style='display:none'>more</span> goat<u style='clip: rect(0, 9px, 9px, 0)'>s</u><u style='clip: rect(0, 0, 0, 0)'>x</u></p>", "<p>One goats</p>"),
        ("<h2>One <span class=sr-only>Section titled</span><i hidden>Link made</i></h2>", "<h2>One</h2>"),
        ("<p>One<span class=visually-hidden>:</span> two<i class=a-VisuallyHidden__b>, new</i></p>", "<p>One: two</p>"),
        ("<p>One<u>...</u><u id=more hidden> (<b class=bday>two</b>)</u></p>", "<p>One (<strong>two</strong>)</p>"),
        ("<p>$5 <span aria-hidden=true>$<b>5</b></span></p><p>a<span aria-hidden=true>·</span>b</p>", "<p>$5</p><p>a·b</p>"),
        ("<p aria-hidden=true>One <b>One</b></p><p>One</p>", "<p>One <strong>One</strong></p><p>One</p>"),
        ("<p hidden>One two three four…</p><p>One two three four five</p>", "<p>One two three four five</p>"),
        ("<p><s>One</s> <span aria-hidden=true>One</span></p>", "<p>One</p>"), ("<ul><li><b role=heading aria-level=3>One</b> two<li><a role=heading>Two</a></ul><div role=heading><p>Six</div>", "<ul><li><strong>One</strong> two</li><li><h2>Two</h2></li></ul><p>Six</p>"),
        ("<pre>a <span aria-hidden=true>a</span></pre><p><b class=sr-only>One</b></p>", "<pre><code>a a</code></pre><p><strong>One</strong></p>"),
        ("<div class='d-none d-md-block'><p>One</p></div><div class=d-md-none><p>One</p></div>", "<p>One</p>"),
        ("<h2 class=md:hidden>One</h2><h2 class='hidden md:block'>One</h2>", "<h2>One</h2>"),
        ("<p class=md:hidden>One</p><p class='hidden md:block'>Two</p><p class=a>Six</p><p class=a>Six</p>", "<p>One</p><p>Two</p><p>Six</p><p>Six</p>"),
        ("<figure><figcaption>The quay. Photo: A. Holm</figcaption></figure><p>The quay. Photo: A. Holm</p>", "<p>The quay.</p><p>The quay. Photo: A. Holm</p>"),
        ("<figure><figcaption>The quay <b class=credit>A. Holm</b></figcaption></figure><figcaption><b class=credit>A. Holm</b></figcaption>", "<p>The quay</p><p><strong>A. Holm</strong></p>"),
        ("<p class='hidden md:block'>One two six</p><p class=md:hidden>Two one</p>", "<p>One two six</p>"),
        ("<table><tr><th>A<th>B<tr><td><b>A</b>1<td><b>B</b>2<tr><td><b>A</b>3<td><b>B</b>4</table>", "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>"),
        ("<p>A <code>a\nb</code> c<br><code>d<br>e</code>", "<p>A <code>a b</code> c<br><code>d</code><br><code>e</code></p>"),
        ("<p>A</p><b><code>b<br>c</code></b><p>D</p>", "<p>A</p><pre><code>bc</code></pre><p>D</p>"),
        ("<h3>Go</h3><pre>a</pre>", "<h3>Go</h3><pre><code>a</code></pre>"), ("<pre><button></button><code class=lang-x>a</code></pre><pre>b</pre>", '<pre><code class="language-x">a</code></pre><pre><code>b</code></pre>'),
        ("<div><p>Output</p><pre>a</pre></div>", "<p>Output</p><pre><code>a</code></pre>"),
        ("<ul><li>Go</li><li><pre>a</pre></li></ul>", "<ul><li>Go</li><li><pre><code>a</code></pre></li></ul>"),
        ("<div class=code-block><p>A</p><p>B</p></div>", "<p>A</p><p>B</p>"),
        ("<p class=gutter>In 1990</p><p><button>Copy that</button> <span class=ln>a 1</span></p>", "<p>In 1990</p><p>Copy that a 1</p>"),
    ],
)  # fmt: skip
def test_what_a_reader_sees_is_there_once_and_in_its_lines(body, kept):
    assert html(body) == kept


def test_check_boxes_that_begin_items_say_whether_they_are_checked():
    of = extract(
        "<ul><li><input type=checkbox checked disabled> One</li><li><label><input type=checkbox>Two</label></li>"
        "<li>Three <input type=checkbox></li><li><input type=text>four</li><li><input type=checkbox id=a>five</li></ul>"
    )
    assert as_markdown(of.blocks) == "- [x] One\n- [ ] Two\n- Three\n- four\n- five"
    assert of.text == "[x] One\n[ ] Two\nThree\nfour\nfive"
    assert '<li><input type="checkbox" disabled checked> One</li>' in as_html(of.blocks)


@pytest.mark.parametrize(
    "image",
    [
        "<img alt=A src='data:image/gif;base64,x' data-src=/b>",
        "<img alt=A srcset='/b 1x, /c 2x'>",
        "<img alt=A src='data:x'><noscript><img src=/b></noscript>",
    ],
)
def test_an_image_that_is_loaded_later_has_its_address(image):
    body = f"<p>One</p>{image}<p>two</p>"
    assert '<img src="http://a.example/b" alt="A">' in html(body, "http://a.example/", images=True)


@pytest.mark.parametrize(
    ("links", "kept"),
    [
        ("<a href='b'>One</a>", '<a href="http://a.example/x/b">One</a>'),
        ("<a href=' /b c\n '>One</a>", '<a href="http://a.example/b%20c">One</a>'),
        ("<a href='//c.example/'>One</a>", '<a href="http://c.example/">One</a>'),
        ("<a href='#top'>One</a>", '<a href="http://a.example/x/#top">One</a>'),
        ("<a href='mailto:a@b.example'>One</a>", '<a href="mailto:a@b.example">One</a>'),
        ("<base href='/deep/'><a href='b'>One</a>", '<a href="http://a.example/deep/b">One</a>'),
        # Links beside each other are words apart.
        ("<a href=/a>One</a><b><a href=/a>two</a></b>, <a href=/a>(three</a><a href=/a>)</a>",
         "{A}One</a> <strong>{A}two</a></strong>, {A}(three</a>{A})</a>"),
    ],
)  # fmt: skip
def test_links_lead_where_they_led(links, kept):
    expected = kept.replace("{A}", '<a href="http://a.example/a">')
    assert html(links, "http://a.example/x/") == f"<p>{expected}</p>"


@pytest.mark.parametrize("url", ["http://a.example/", "javascript:go()//"])
@pytest.mark.parametrize(
    "link",
    [
        *("", " ", " javascript:go()", "javascript:go()", "JaVaScRiPt:go()", "vbscript:go", "web+evil:x"),
        *("data:text/html,x", "http://[::1", "view-source:x", "blob:http://a.example/x"),
    ],
)  # fmt: skip
def test_a_link_that_leads_nowhere_is_text(link, url):
    assert html(f"<a href='{link}'>One</a>", url) == "<p>One</p>"


@pytest.mark.parametrize(
    "link",
    ["java\tscript:go()", "\x01javascript:go()", "\t\x02 javascript:go()", "java\nscript:go()"],
)
def test_a_scheme_is_read_as_browsers_read_it(link):
    assert absolute("", link) == ""


ROW = "<tr><th>Year</th><th>Persons</th></tr>"


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        (f"<table>{ROW}<tr><td>1990</td><td>12</td></tr></table>", f"<table>{ROW}<tr><td>1990</td><td>12</td></tr></table>"),
        # Cells without content keep their place, columns without any do not.
        (("<table><tr><td>a</td><td><s>x</s></td><td>b</td><td><s>y</s></td></tr>"
         "<tr><td><s>z</s></td><td>c</td><td>d</td><td></td></tr></table>"),
         "<table><tr><td>a</td><td></td><td>b</td></tr><tr><td></td><td>c</td><td>d</td></tr></table>"),
        ("<table><tr><td colspan=2>a</td><td>b</td></tr><tr><td>c</td><td>d</td><td>e</td></tr></table>", '<table><tr><td colspan="2">a</td><td>b</td></tr><tr><td>c</td><td>d</td><td>e</td></tr></table>'),
        ("<table><tr><th rowspan=0>a<td colspan=-1>b<tr><td>c<tbody><tr><th rowspan=9>d<td>e<tbody><tr><th>f<td>g</table>",
         '<table><tr><th rowspan="2">a</th><td>b</td></tr><tr><td>c</td></tr><tr><th>d</th><td>e</td></tr><tr><th>f</th><td>g</td></tr></table>'),
        # Where what they span is no content, spans go.
        ("<table><tr><td rowspan=2 colspan=2>a<td>b<tr><td><s>x</s><tr><td>c<td><s>y</s><td>d</table>", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"),
        ("<table><thead><tr><td>a<td>b<tbody><tr><td>c<td>d</table>", "<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>"),
        (f"<table>{ROW}<tr><td><ul><li>c</li><li>d</li></ul></td><td><p>e</p><p>f</p></td></tr></table>", f"<table>{ROW}<tr><td><ul><li>c</li><li>d</li></ul></td><td><p>e</p><p>f</p></td></tr></table>"),
        ("<table><tr><th>a<th>b<tr><td>c<td>d<h2>e</h2>f", "<p>a</p><p>b</p><p>c</p><p>d</p><h2>e</h2><p>f</p>"),
        ("<table><tr><th>a<th><img alt=Quay><tr><td><h4>b</h4><td><img alt=Yes></table>", "<table><tr><th>a</th><th>Quay</th></tr><tr><td><h4>b</h4></td><td>Yes</td></tr></table>"),
        ("<table><tr><th colspan=2><h3>a</h3><tr><th>b<td><pre>c</pre></table>", '<table><tr><th colspan="2"><h3>a</h3></th></tr><tr><th>b</th><td><pre><code>c</code></pre></td></tr></table>'),
        # A table of one row or column in a header, or beside headers, is lines of its cell.
        ("<table><tr><th>a<tr><td>b<td><table><tr><td>c<td>d<tr><td>e<td>f</table></table>", "<table><tr><th>a</th><td></td></tr><tr><td>b</td><td><table><tr><td>c</td><td>d</td></tr><tr><td>e</td><td>f</td></tr></table></td></tr></table>"),
        ("<table><tr><th>a<th><table><tr><td>b<td>c</table><tr><td>d<td>e</table>", "<table><tr><th>a</th><th><p>b</p><p>c</p></th></tr><tr><td>d</td><td>e</td></tr></table>"),
        # A foot stands last, wherever it is written.
        ("<table><tfoot><tr><td>a<td>b</tr></tfoot><tbody><tr><td>c<td>d</tr></tbody><thead><tr><th>e<th>f</tr></thead></table>", "<table><tr><th>e</th><th>f</th></tr><tr><td>c</td><td>d</td></tr><tr><td>a</td><td>b</td></tr></table>"),
        ("<table><thead><tr><th>a<th>b</tr></thead><tbody><tr><td>c<td>d</tr></tbody><thead><tr><th>e<th>f</tr></thead></table>", "<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr><tr><th>e</th><th>f</th></tr></table>"),
        ("<table><caption>Ferries</caption><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>", "<table><caption>Ferries</caption><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"),
    ],
)  # fmt: skip
def test_tables_of_data_are_kept(body, kept):
    assert html(body) == kept


@pytest.mark.parametrize(
    "table",
    [
        "<table><tr><td>One</td></tr><tr><td>two</td></tr></table>",
        "<table><tr><td>One</td><td>two</td></tr></table>",
        "<table><tr><td><s>m</s></td><td>One</td></tr><tr><td><s>m</s></td><td>two</td></tr></table>",
        "<table role=presentation><tr><td>One</td><td></td></tr><tr><td></td><td>two</td></tr></table>",
        "<table><tr><td><table><tr><td>One</td><td>two</td></tr></table></td></tr></table>",
        "<table><caption>One</caption><tr><td>two</td></tr></table>",
    ],
)
def test_a_table_that_lays_a_page_out_is_none(table):
    assert html(table) == "<p>One</p><p>two</p>"


SPANNED = "<tr><td rowspan=99>One</td><td>two</td></tr>"
LONG_ROW = f"<tr>{'<td>One</td>' * 100}</tr>"


@pytest.mark.parametrize(
    ("rows", "is_table"),
    [
        (SPANNED * 90, True),
        (SPANNED * 3_000, False),
        (LONG_ROW + "<tr><td>two</td></tr>" * 90, True),
        (LONG_ROW + "<tr><td>two</td></tr>" * 3_000, False),
        ("<tr><td>One</td><td>two</td></tr>" * 6_000, True),
        ("<tr><th colspan=8>One</th></tr>" + "<tr><td>two</td><td>three</td></tr>" * 6_000, True),
    ],
)
def test_a_large_table_that_is_hardly_filled_is_text(rows, is_table):
    kept = html(f"<table>{rows}</table>")
    assert kept.startswith("<table>" if is_table else "<p>One</p>")
    assert kept.count("two") == rows.count("two")


def test_an_article_in_a_cell_is_an_article():
    paragraphs = "".join(f"<p>Part {n}</p>" for n in range(9))
    table = f"<table><tr><td>a</td><td>{paragraphs}</td></tr><tr><td>b</td><td>c</td></tr></table>"
    assert html(table) == f"<p>a</p>{paragraphs}<p>b</p><p>c</p>"


def test_images_are_kept_on_request_where_content_is_on_both_sides():
    body = (
        "<s>Menu</s><img src=logo.png alt=Logo><p>One</p><p><img src=g.png alt='A  goat'></p>"
        "<p>two <img src=i.png alt=three> four</p><img src=x.png><s>Imprint</s>"
    )
    assert html(body) == "<p>One</p><p>two four</p>"
    assert html(body, "http://a.example/", images=True) == (
        '<p>One</p><p><img src="http://a.example/g.png" alt="A goat"></p>'
        '<p>two <img src="http://a.example/i.png" alt="three"> four</p>'
    )


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 11, "2147483648", "", "x", "٣"])
def test_numbers_that_no_browser_reads_are_as_if_they_were_not_there(number):
    body = (
        f"<ol start='{number}'><li value='{number}'>One</li></ol>"
        f"<table><tr><td colspan='{number}'>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"
    )
    assert html(body) == (
        "<ol><li>One</li></ol><table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"
    )


def test_nesting_without_end_is_held_as_deep_as_pages_are_read():
    page = extract("<ol><li>One" * 990)
    assert words(page.blocks).split() == ["One"] * 990
    assert as_markdown(page.blocks).count("One") == 990
    with pytest.raises(InputError, match="too-deep"):
        extract("<ol><li>One" * 1001)
    deep = html("<blockquote><b>" * 150 + "One" + "</b></blockquote>" * 150)
    assert (deep.count("<blockquote>"), deep.count("<strong>")) == (16, 1)


extract_once = cache(extract)
"""The same page in every format is judged once: that takes longer than to write it."""


@pytest.mark.parametrize("form", sorted(FORMATS))
@pytest.mark.parametrize(
    "body",
    [
        f"<table>{'<tr><td>One</td><td>two</td></tr>' * 10_000}</table>",
        f"<table><tr><td rowspan=65534 colspan=1000>One</td>{'<tr><td>two</td>' * 3_000}</table>",
        "<ol><li>One" * 248,
        "<table><tr><td>" * 82 + "One",
        "<blockquote>" * 248 + "One",
        "<ul><dt>One<dd>two</ul><dl><li>three</dl>",
        "One <math><mfrac><mi>a</mfrac><msup><semantics><mi>b</math>",
        "<ol start=99999999999999999999 reversed><li value=-99999999999999999999>One</ol>",
        "<table><tr><td colspan=99999999999999999999 rowspan=-1>One<td>two<tr><td>a<td>b</table>",
    ],
)
def test_no_page_is_too_odd_for_a_format(form, body):
    assert "One" in FORMATS[form].alone(extract_once(body))


def test_the_pages_own_headline_needs_no_title_before_it():
    head = "<title>Ferry times | Harbour</title>"
    assert extract("<h1>When it goes</h1><p>At noon.</p>", head=head).title == ""
    page = extract("<p>At noon.</p><h1>When it goes</h1>", head=head)
    assert page.title == "Ferry times | Harbour"


def words(parts: tuple[Part | str, ...]) -> str:
    """The text of parts, blocks parted by spaces."""
    return "".join(
        part if isinstance(part, str)
        else " " if part.tag == "br"
        else f" {words(part.children)} " if part.tag in BLOCKS
        else words(part.children)
        for part in parts
    )  # fmt: skip


def left_of(blocks: list[str], text: list[list[str]]) -> list[str]:
    """What is left of the words of blocks when those of the text are gone, line by line.

    A line of which nothing is seen may be no block.
    """
    for line in text:
        if blocks[: len(line)] == line:
            blocks = blocks[len(line) :]
        else:
            assert not SEEN.search("".join(line)), line
    return blocks


def names(parts: tuple[Part | str, ...]) -> set[str]:
    inner = [part for part in parts if isinstance(part, Part)]
    return {part.tag for part in inner}.union(*(names(part.children) for part in inner))


@settings(max_examples=300)
@given(soup)
def test_the_words_are_those_of_the_main_text_whatever_the_page(body):
    found = extract_soup(body)
    in_blocks = words(found.blocks).split()
    lines = [line.split() for line in found.text.split("\n")]
    if "<math" in body:  # around its signs stands no white space
        in_blocks, lines = list("".join(in_blocks)), [list("".join(line)) for line in lines]
    assert left_of(in_blocks, lines) == []
    inline = "a em strong code sub sup del br img math input".split()
    assert names(found.blocks) <= {*BLOCKS, *inline}
