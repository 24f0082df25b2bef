"""Captures made of any bytes, shown as those of a run are: to look for pages that break the frame."""

import random
import re
from dataclasses import dataclass, fields
from pathlib import Path

from dbce import html
from dbce.archive import expand
from dbce.model import Config, InputError
from dbce.output import Row
from dbce.view.run import Run, open_view
from tests.html.soup import annotate, random_runs
from tests.runs import whole
from tests.view import harbour

CLOBBERED = (
    "querySelector querySelectorAll body documentElement URL defaultView addEventListener "
    "readyState createRange setAttribute removeAttribute closest getBoundingClientRect childNodes dataset nodeType attributes parentNode"
).split()
"""What scripts that look at a page ask it for."""

CLOBBERING = "".join(
    f'<img name="{name}"><form name="{name}"><input name="{name}" id="{name}">text of {name}</form>'
    for name in CLOBBERED
)
"""A page that gives all of it another meaning, in forms that hold text runs, too."""

PIECES = r"""
<base href="http://["> ~ <base href="//[/"> ~ <base href='javascript:0'>
<img src="http://[::"> ~ <img src="&#0;http://evil.example/"> ~ <svg><style> ~ <math>
<style>@import 'http://['; ~ <style>a{b:url(http://[)}</style> ~ </style> ~ <xmp> ~ <textarea>
<title> ~ <plaintext> ~ <noembed> ~ <select> ~ <table> ~ <template> ~ <!-- ~ --> ~ ]]>
<![CDATA[ ~ <script>hacked=1</script> ~ <noscript> ~ </head>
<img src=x onerror="top.hacked=1"> ~ <svg/onload=top.hacked=1> ~ </svg>
<iframe srcdoc="<script>top.hacked=1</script>"> ~ <annotation-xml encoding='text/html'>
<p style="x:url(http://evil.example/ ~ " onclick="top.hacked=1" a=" ~ <frameset>
<a href="javascript:top.hacked=1"> ~ <form><input name=dataset> ~ </form> ~ &lt;
data-dbce-at='1' ~ data-dbce-show='' ~ <b data-dbce-at=0 data-dbce-chosen> ~ <mtext>
<link rel=stylesheet href='http://evil.example/'> ~ <meta http-equiv=refresh content=0>
"""
HOSTILE = [piece.encode() for piece in re.split(" ~ |\n", PIECES.strip())]
HOSTILE += [CLOBBERING.encode(), b"\0", b"<html "]
"""What mutations put into a page."""


@dataclass(frozen=True, slots=True)
class Mutants(Run):
    """A run whose captures are those that are put into `made`: annotated page and text runs by id."""

    made: dict[str, tuple[bytes, list[Row]]]

    def page(self, record_id: str) -> Row:
        """The row of a capture: that of another but for its id."""
        row = Run.page(self, harbour.record_id(2013, "evil"))
        return (
            row | {"record_id": record_id} if record_id in self.made else Run.page(self, record_id)
        )

    def runs(self, page: Row) -> list[Row]:
        """The text runs that were made for it."""
        return self.made[page["record_id"]][1]

    def annotated_html(self, page: Row) -> bytes:
        """The page that was made."""
        return self.made[page["record_id"]][0]

    def add(self, record_id: str, body: bytes) -> bool:
        """Makes a capture of any bytes; whether these are a page at all."""
        try:
            found = html.load(body, "text/html; charset=utf-8", self.config.limits)
        except InputError:
            return False
        runs = random_runs(found.page, len(body))
        rows: list[Row] = [
            {
                "record_id": record_id,
                "node": run.node,
                "xpath": "/html",
                "start": run.start,
                "end": run.end,
                "text": " ".join(found.page.nodes[run.node].text[run.start : run.end].split()),
                "bits": run.verdict.bits,
                "label": run.verdict.label.value,
                "probability": run.verdict.probability,
                "decided_by": run.verdict.decided_by,
                "comparisons": run.verdict.comparisons,
            }
            for run in runs
        ]
        made = annotate(found.root, found.page, found.handles, runs)
        self.made[record_id] = made, rows
        return True


def mutants(folder: Path) -> Mutants:
    """A run on the harbour's archive, made in a folder, to put captures into."""
    archive = harbour.write(folder / "harbour.warc.gz")
    whole(expand([str(archive)]), folder / "out", Config(method="T002"))
    run = open_view(str(folder / "out"), harbour.places(folder / "out"))
    return Mutants(*(getattr(run, field.name) for field in fields(run)), made={})


def seeds() -> list[bytes]:
    """Pages to mutate."""
    attacks = (harbour.ATTACKS, CLOBBERING, harbour.ATTACKS + CLOBBERING)
    return [harbour.article("evil", 2013, extra).encode() for extra in attacks]


def mutated(number: int) -> bytes:
    """A page that is always the same of a number."""
    rng = random.Random(number)
    page = rng.choice(seeds())
    for _ in range(rng.randrange(1, 8)):
        start, end = sorted(rng.randrange(len(page) + 1) for _ in "ab")
        cut = min(end, start + rng.choice((0, 0, 1, 5, 200)))
        page = page[:start] + rng.choice((*HOSTILE, page[start:end], b"<", b'"', b"'")) + page[cut:]
    return page
