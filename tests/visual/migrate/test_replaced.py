"""Every obsolete element and attribute becomes what stands for it, and looks as it did."""

import pytest

from dbce.visual.migrate import migrate
from dbce.visual.migrate.attributes import obsolete_in
from dbce.visual.migrate.tree import colour, length, parse
from tests.visual.migrate.build import body_of, looks, migrated, rules_of


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<acronym title=a>x</acronym>", '<abbr title="a">x</abbr>'),
        ("<dir><li>x</dir>", "<ul><li>x</li></ul>"),
        ("<strike>x</strike>", "<s>x</s>"),
        ("<listing>\n\nx</listing>", "<pre>\n\nx</pre>"),
        ("<xmp><b>&amp;</xmp>", "<pre>&lt;b&gt;&amp;amp;</pre>"),
        ("<blink>x</blink>", "<span>x</span>"),
        ("<noembed><p>x</noembed>", '<div data-was="noembed" hidden=""><p>x</p></div>'),
        ("<keygen name=k>", '<input name="k" data-was="keygen" disabled="" hidden="">'),
        (
            "<isindex prompt=p>",
            '<form data-was="isindex" data-h5="r1"><input name="isindex" aria-label="p" hidden=""></form>',
        ),
        ("<bgsound src=a.wav loop=infinite>", '<audio src="a.wav" loop=""></audio>'),
        (
            "<applet code=A.class><param name=p></applet>",
            '<object type="application/x-java-applet" data-code="A.class"><param name="p"></object>',
        ),
    ],
)
def test_an_element_becomes_the_one_that_stands_for_it(old, new):
    assert body_of(migrated(old)) == new


def test_plaintext_shows_its_markup_as_text():
    found = migrated("<plaintext>a <b> & c")
    assert body_of(found) == "<pre>a &lt;b&gt; &amp; c&lt;/body&gt;&lt;/html&gt;</pre>"


@pytest.mark.parametrize(
    ("old", "tag", "look"),
    [
        ("<font color=F00 face='Arial, serif'>x</font>", "span", 'font-family:"Arial",serif'),
        ("<font size=5>x</font>", "span", "font-size:x-large"),
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


def test_a_font_that_holds_blocks_may_hold_them():
    found = migrated("<font color=red><table><tr><td>x</table></font>")
    assert looks(found, "div") == {"display:inline", "color:red"}


def test_the_rules_stand_before_all_that_the_page_says_and_weigh_nothing():
    found = migrated("<font color=red>x</font>", head="<style>span{color:blue}</style>")
    root = parse(found.html).root
    assert [one.tag for one in root.find("head")][:3] == ["meta", "style", "style"]
    assert all(rule.startswith(":where(") for rule in rules_of(root))


def test_links_of_a_body_keep_their_colours():
    assert ":where(a:visited){color:#00000f}" in migrate("<body link=red vlink=00f>").html


@pytest.mark.parametrize(
    ("old", "new"),
    [
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
def test_what_named_or_described_still_does(old, new):
    assert body_of(migrated(old)) == new


def test_a_page_says_html_and_utf_8_first_and_no_xml():
    page = (
        '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" '
        '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
        '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head><title>t</title>'
        '<meta http-equiv="Content-Type" content="text/html; charset=latin1"></head><body>x</body>'
    )
    assert migrate(page).html.startswith(
        '<!DOCTYPE html>\n<html lang="de"><head><meta charset="utf-8">'
    )


def test_a_frameset_becomes_a_grid_of_frames_and_keeps_what_stands_for_it():
    found = migrate(
        "<html><head><title>f</title></head><frameset cols='20%,*'><frame src=a name=l><frame src=b>"
        "<noframes><body>No <a href=c>frames</a></body></noframes></frameset></html>"
    )
    assert found.refusal == ""
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
