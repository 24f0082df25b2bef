"""Obsolete elements and attributes become what stands for them and look as they did; what HTML does not allow is written as browsers read it, and what a missing doctype did is said by rules."""

import pytest

from dbce.visual.migrate import PageLooks, migrate
from dbce.visual.migrate.attributes import obsolete_in
from dbce.visual.migrate.quirks import Mode, mode
from dbce.visual.migrate.tree import colour, length, parse
from dbce.visual.migrate.values import address
from tests.visual.migrate.build import body_of, looks, migrated, rules_of

QUERY = '<input name="isindex" aria-label="p" hidden="">'
JAVA = 'type="application/x-java-applet"'
ARABIC_TWO = "\N{ARABIC-INDIC DIGIT TWO}"
IMAGE = 'type="image" src="a"'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<acronym title=a>x</acronym>", '<abbr title="a">x</abbr>'),
        ("<dir><li>x</dir>", "<ul><li>x</li></ul>"),
        ("<strike>x</strike>", "<s>x</s>"),
        ("<listing>\n\nx</listing>", "<pre>\n\nx</pre>"),
        ("<xmp><b>&amp;</xmp>", "<pre>&lt;b&gt;&amp;amp;</pre>"),
        ("<plaintext>a <b> & c", "<pre>a &lt;b&gt; &amp; c&lt;/body&gt;&lt;/html&gt;</pre>"),
        ("<blink>x</blink>", "<span>x</span>"),
        ("<noembed><p>x</noembed>", '<div data-was="noembed" hidden=""><p>x</p></div>'),
        ("<keygen name=k>", '<input name="k" data-was="keygen" disabled="" hidden="">'),
        ("<isindex prompt=p>", f'<form data-was="isindex" data-h5="r1">{QUERY}</form>'),
        ("<bgsound src=a.wav loop=infinite>", '<audio src="a.wav" loop=""></audio>'),
        ("<applet code=A><param></applet>", f'<object {JAVA} data-code="A"><param></object>'),
    ],
)
def test_an_element_becomes_the_one_that_stands_for_it(old, new):
    assert body_of(migrated(old)) == new


@pytest.mark.parametrize(
    ("old", "tag", "look"),
    [
        ("<font color=F00 face='Arial, serif'>x</font>", "span", 'font-family:"Arial",serif'),
        ("<font size=5>x</font>", "span", "font-size:x-large"),
        ("<font size=00005>x</font>", "span", "font-size:x-large"),
        ("<font size=+1>x</font>", "span", "font-size:large"),
        ("<font size=-9>x</font>", "span", "font-size:x-small"),
        ("<font color=red>x</font>", "span", "color:red"),
        ("<tt>x</tt>", "span", "font-family:monospace"),
        ("<big>x</big>", "span", "font-size:larger"),
        ("<nobr>x</nobr>", "span", "white-space:nowrap"),
        ("<center>x</center>", "div", "text-align:-webkit-center"),
        ("<marquee>x</marquee>", "span", "overflow:hidden"),
        ("<p align=right>x", "p", "text-align:right"),
        ("<div align=center>x</div>", "div", "text-align:-webkit-center"),
        ("<table align=right><tr><td>x</table>", "table", "float:right"),
        ("<table border=2><tr><td>x</table>", "td", "border:1px inset"),
        ("<table border=2><tr><td>x</table>", "table", "border:2px outset"),
        ("<table cellpadding=4><tr><td>x</table>", "td", "padding:4px"),
        ("<table cellspacing=0><tr><td>x</table>", "table", "border-spacing:0px"),
        ("<table><tr><td width=50% valign=top>x</table>", "td", "vertical-align:top"),
        ("<table><tr><td width=50%>x</table>", "td", "width:50%"),
        ("<table><tr><td bgcolor=#abc>x</table>", "td", "background-color:#aabbcc"),
        ("<table><tr><td background='a b.gif'>x</table>", "td", 'background-image:url("a b.gif")'),
        ("<table><tr><td nowrap>x</table>", "td", "white-space:nowrap"),
        ("<img src=a hspace=3>", "img", "margin-left:3px"),
        ("<img src=a align=left>", "img", "float:left"),
        ("<img src=a border=1>", "img", "border:1px solid"),
        ("<hr noshade>", "hr", "border-style:solid"),
        ("<br clear=all>", "br", "clear:both"),
        ("<ul type=square><li>x</ul>", "ul", "list-style-type:square"),
    ],
)
def test_what_said_how_something_looks_is_a_rule(old, tag, look):
    found = migrated(old)
    assert look in looks(found, tag)
    assert not obsolete_in(parse(found.html).root)


def test_the_rules_stand_before_all_that_the_page_says_and_weigh_nothing():
    found = migrated("<font color=red>x</font>", head="<style>span{color:blue}</style>")
    root = parse(found.html).root
    assert [one.tag for one in root.find("head")][:3] == ["meta", "style", "style"]
    assert all(rule.startswith(":where(") for rule in rules_of(root))


def test_links_of_a_body_keep_their_colours():
    assert ":where(a:visited){color:#00000f}" in migrate("<body link=red vlink=00f>").html


def test_a_page_says_html_and_utf_8_first_and_no_xml():
    page = (
        '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1.dtd">'
        '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head><title>t</title>'
        '<meta http-equiv="Content-Type" content="text/html; charset=latin1"></head><body>x</body>'
    )
    start = '<!DOCTYPE html>\n<html lang="de"><head><meta charset="utf-8">'
    assert migrate(page).html.startswith(start)


def test_a_frameset_becomes_a_grid_of_frames_and_keeps_what_stands_for_it():
    found = migrate(
        "<html><head><title>f</title></head><frameset cols='20%,*'><frame src=a name=l><frame src=b>"
        "<noframes><body>No <a href=c>frames</a></body></noframes></frameset></html>"
    )
    assert found.stable
    assert not found.losses
    assert [one.tag for one in parse(found.html).root.find("body")] == ["iframe", "iframe", "div"]
    assert "grid-template-columns:20% minmax(0,1fr)" in looks(found, "body")


@pytest.mark.parametrize(
    ("read", "said", "meant"),
    [
        *((colour, "#abc", "#aabbcc"), (colour, "red", "red"), (colour, "chucknorris", "#c00000")),
        *((colour, "#ff00001", "#ff0010"), (colour, "", None), (colour, "transparent", None)),
        *((length, "50", "50px"), (length, "50%", "50%"), (length, " 7.5px", "7.5px")),
        (length, "*", None),
    ],
)
def test_colours_and_lengths_are_read_as_browsers_read_them(read, said, meant):
    assert read(said) == meant


@pytest.mark.parametrize("tag", ["basefont size=2", "bgsound src=a.wav"])
def test_what_a_head_can_hold_no_more_stands_in_the_body(tag):
    found = migrated("x", head=f"<title>t</title><{tag}>")
    assert {one.tag for one in parse(found.html).root.find("head")} == {"meta", "style", "title"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<img src="i" width="13px">', '<img src="i" width="13">'),
        ('<img src="i" width=" 7 ">', '<img src="i" width="7">'),
        ('<img src="i" width="auto">', '<img src="i" data-width="auto">'),
        ("<textarea cols=100%></textarea>", '<textarea cols="100"></textarea>'),
        ("<input size=00>", '<input data-size="00">'),
        (f"<input size={ARABIC_TWO}>", f'<input data-size="{ARABIC_TWO}">'),
        (f"<input size={'9' * 5000}>", f'<input size="{"9" * 5000}">'),
        ("<p tabindex=a>x</p>", '<p data-tabindex="a">x</p>'),
        ("<a href=x target=>y</a>", '<a href="x" target="_self">y</a>'),
        ("<a href=x target=_new>y</a>", '<a href="x" target="new">y</a>'),
        ("<a href=x target=_top>y</a>", '<a href="x" target="_top">y</a>'),
        ('<form action=""></form>', "<form></form>"),
        ("<input disabled=true>", '<input disabled="">'),
        (f"<input {IMAGE} value=Go>", f'<input {IMAGE} alt="Go" data-value="Go">'),
        (f"<input {IMAGE} value=Go alt=Find>", f'<input {IMAGE} alt="Find" data-value="Go">'),
        ("<i id=a></i><b id=a></b><b id>", '<i id="a"></i><b data-id="a"></b><b data-id=""></b>'),
        ("<map><area coords='1, 2, 3,4'></map>", '<map><area coords="1,2,3,4"></map>'),
        ("<label for=gone>x</label>", '<label data-for="gone">x</label>'),
        ("<label for=gone><input></label>", '<label for="gone"><input></label>'),
        ("<label for=i>x</label><input id=i>", '<label for="i">x</label><input id="i">'),
        ("<a name=top>x</a>", '<a id="top">x</a>'),
        (  # what was put by counts as a field still
            "<select name=s><option <a name=x>o</select>",
            '<select name="s"><option data-name="x" data--a="">o</option></select>',
        ),
        ("<a id=a name=a>x</a>", '<a id="a">x</a>'),
        ("<a id=a name=b>x</a>", '<a id="b"></a><a id="a">x</a>'),
        ("<p id=b></p><a name=b>x</a>", '<p id="b"></p><a data-name="b">x</a>'),
        ("<img src=i longdesc=d.html>", '<img src="i"><a href="d.html" hidden=""></a>'),
        ("<table summary=s></table>", '<table aria-description="s"></table>'),
        ("<script language=JavaScript charset=x></script>", '<script data-charset="x"></script>'),
        ("<script language=VBScript></script>", '<script type="text/vbscript"></script>'),
    ],
)
def test_values_are_written_as_browsers_read_them_and_names_still_name(old, new):
    assert body_of(migrated(old)) == new


def test_a_share_of_a_size_is_a_rule():
    found = migrated("<img src=i width=50% height=12.5>")
    assert looks(found, "img") == {"width:50%", "height:12.5px"}
    assert 'width="' not in body_of(found)


def test_media_that_no_device_is_go():
    sheets = "<link rel=stylesheet media='screen, projection' href=s>"
    found = migrated("x", head=f"{sheets}<style media=handheld></style>")
    assert 'media="screen" href="s" data-media="screen, projection"' in found.html
    assert '<style media="not all" data-media="handheld">' in found.html


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (" a b ", "a%20b"),
        ("a\n\tb", "ab"),
        ("a\\b?c\\d", "a/b?c\\d"),
        ('http://h/{x}?{y z}#{z "', "http://h/%7Bx%7D?{y%20z}#{z%20%22"),
        ("mailto:a b@c?subject=d e", "mailto:a b@c?subject=d%20e"),
        ("javascript: open('a b')", "javascript: open('a b')"),
        ("a%20b?c|d", "a%20b?c|d"),
        ("\N{LATIN SMALL LETTER U WITH DIAERESIS}", "\N{LATIN SMALL LETTER U WITH DIAERESIS}"),
    ],
)
def test_an_address_is_escaped_where_browsers_escape_it(said, read):
    assert address(said) == read
    assert address(read) == read


def test_a_query_is_sent_in_the_charset_that_the_page_had():
    page = "<html><body><a href='?q=\N{LATIN SMALL LETTER U WITH DIAERESIS}\N{EURO SIGN}'>x</a>"
    assert 'href="?q=%FC%80"' in migrate(page, looks=PageLooks(charset="cp1252")).html
    assert 'href="?q=%FC%26%238364%3B"' in migrate(page, looks=PageLooks(charset="latin-1")).html
    assert "%" not in migrate(page, looks=PageLooks(charset="utf-8")).html


def test_what_html_never_had_is_kept_under_names_of_ones_own():
    found = migrated("<g:plusone href=h>x</g:plusone><p shadow=s>y</p>")
    assert '<span data-was="g:plusone" data-href="h">x</span><p data-shadow="s">' in found.html
    assert found.mended == {"element": 1, "attribute": 2}


def test_what_scripts_or_sheets_ask_for_stays():
    body = "<b shadow=s light=l>x</b>"
    script = migrated(body, head="<script>get('[shadow]'); light()</script>")
    assert body_of(script) == '<b shadow="s" data-light="l">x</b>'
    sheet = migrated(body, head="<style>b[shadow]{color:red}</style>")
    assert body_of(sheet) == '<b shadow="s" data-light="l">x</b>'
    twice = migrated("<b id=a></b><b id=A></b><b id=a></b>", head="<style>#a{color:red}</style>")
    assert body_of(twice) == '<b id="a"></b><b id="A"></b><b id="a"></b>'
    page = f"<!DOCTYPE html><html><body>{body}</body></html>"
    other = migrate(page, looks=PageLooks(scripts=['x.attr("light")']))
    assert body_of(other) == '<b light="l" data-shadow="s">x</b>'


@pytest.mark.parametrize(
    "body",
    [
        '<my-card price="1">x</my-card><svg><path d="M0"></path></svg>',
        "<ul><b><li>x</li></b></ul>",  # the parser would end the item round it
        '<p class="a&#13;b">c&#13;d</p>',  # carriage returns that were references
        "<div><style>p:nth-child(2){color:red}</style><p>x</p></div>",  # a selector counts on it
    ],
)
def test_what_browsers_know_or_count_on_stays(body):
    assert body_of(migrated(body)) == body


def test_sheets_of_the_body_move_into_the_head_in_their_order():
    body = "<link rel=stylesheet href=a><p>x<style>p{color:red}</style><meta name=m content=c></p>"
    found = migrated(body)
    tags = [one.tag for one in parse(found.html).root.find("head")]
    assert tags[-3:] == ["link", "style", "meta"]
    assert body_of(found) == "<p>x</p>"
    assert body_of(migrated("<p>x<style></style>y</p>")) == "<p>x<!-- -->y</p>"  # texts stay two


def test_what_stands_in_a_line_and_holds_blocks_is_a_div_in_the_line():
    font = migrated("<font color=red><table><tr><td>x</table></font>")
    assert looks(font, "div") == {"display:inline", "color:red"}
    assert looks(migrated("<o:p><p>x</p></o:p>"), "div") == {"display:inline"}
    found = migrated("<span class=a><p>x</p></span><span>y</span>")
    assert looks(found, "div") == {"display:inline"}
    assert "<span>y</span>" in found.html
    styled = migrated("<span class=a><p>x</p></span>", head="<style>span.a{color:red}</style>")
    assert body_of(styled) == '<span class="a"><p>x</p></span>'


def test_what_is_no_item_of_a_list_is_wrapped_in_one_without_a_box_and_a_number():
    found = migrated("<ol><li>x</li><ol><li>y</li></ol> z <li>u</li></ol>")
    assert "<li>x</li><li data-h5=" in body_of(found)
    assert looks(found, "li", 1) == {"display:contents", "counter-increment:list-item 0"}


HTML32 = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">'
LOOSE = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"'
ADDRESS = ' "http://www.w3.org/TR/html4/loose.dtd"'


@pytest.mark.parametrize(
    ("doctype", "expected"),
    [
        ("", Mode.QUIRKS),
        (HTML32, Mode.QUIRKS),
        (f"{LOOSE}>", Mode.QUIRKS),
        (f"{LOOSE}{ADDRESS}>", Mode.LIMITED),
        ("<!DOCTYPE html>", Mode.STANDARD),
        ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">', Mode.STANDARD),
    ],
)
def test_a_doctype_asks_for_a_mode(doctype, expected):
    assert mode(doctype) is expected


def test_a_paragraph_that_holds_a_table_stays_round_it():
    found = migrated("<p>a<table><tr><td>b</table>c", doctype=HTML32)
    assert body_of(found).endswith("</table>c</div>")
    assert "margin-top:1em" in looks(found, "div")


def test_tables_take_no_font_forms_have_a_margin_and_pictures_that_are_not_there_a_place():
    html = migrated("<img src=i width=9 height=9>", doctype=HTML32).html
    assert ":where(table){font-size:medium;" in html
    assert ":where(form){margin-bottom:1em}" in html
    assert ":where(img[width][height]){display:inline-block;overflow:hidden}" in html
    assert ":where(table)" not in migrated("x").html


def test_a_line_of_pictures_is_as_high_as_they_are_unless_it_has_a_text():
    cell = "<table><tr><td><a href=x><img src=i></a></table>"
    assert "line-height:0" in looks(migrated(cell, doctype=HTML32), "td")
    mixed = "<div><img src=i><br>text</div>"
    assert looks(migrated(mixed, doctype=HTML32), "img") == {"vertical-align:bottom"}
    assert "<td>" in migrated(cell).html
    spaced = migrated("<p>&nbsp;<img src=i></p>", doctype=HTML32)
    assert "line-height:0" not in looks(spaced, "p"), "a no-break space is a text"


def test_margins_of_the_browser_vanish_at_the_edges_of_cells():
    found = migrated("<table><tr><td><p>a</p><p>b</p></td></table>", doctype=HTML32)
    assert looks(found, "p", 0) == {"margin-top:0"}
    assert looks(found, "p", 1) == {"margin-bottom:0"}


def test_text_in_a_font_makes_its_lines_itself_unless_heights_are_said():
    body = "<div><font size=1>a</font><br><br><font size=1>b</font></div>"
    found = migrated(body, doctype=HTML32)
    assert looks(found, "div") == {"line-height:0"}
    assert "line-height:normal" in looks(found, "span")
    assert body_of(found).count("<br></span>") == 1  # the empty line keeps its height
    styled = migrated(body, doctype=HTML32, head="<style>td{line-height:2}</style>")
    assert "line-height" not in "".join(looks(styled, "span"))


def test_a_cell_of_some_width_wraps_though_it_says_otherwise():
    found = migrated("<table><tr><td nowrap width=50>a b</table>", doctype=HTML32)
    assert looks(found, "td") >= {"min-width:50px", "width:50px"}
    assert "white-space:nowrap" not in looks(found, "td")
