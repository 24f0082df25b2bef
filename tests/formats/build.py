"""Pages all of whose text is content, but for what is in `<s>`."""

from datetime import UTC, datetime

from hypothesis import reject

from dbce.formats import Extract, Part, annotated_content
from dbce.html import load
from dbce.metadata import Metadata
from dbce.model import InputError, Label, Limits, Origin, Status, TextRun, Verdict
from tests.html.soup import annotate

CONTENT = Verdict(Label.CONTENT, 0.9, "10000", 1, "joint")
BOILERPLATE = Verdict(Label.BOILERPLATE, 0.1, "11100", 1, "joint")


def annotated_page(body: str, head: str = "") -> bytes:
    """A page with this body and its verdicts; text in `<s>` is boilerplate."""
    payload = f"<html>{head}<body>{body}</body></html>".encode("utf-8", "replace")
    document = load(payload, "text/html; charset=utf-8", Limits())
    page = document.page
    runs = [
        TextRun(n, 0, len(node.text), BOILERPLATE if page.tags[node.element] == "s" else CONTENT)
        for n, node in enumerate(page.nodes)
    ]
    return annotate(document.root, page, document.handles, runs)


def extract(
    body: str, url: str = "", *, head: str = "", images: bool = False, **said: str
) -> Extract:
    """What is taken out of a page with this body; text in `<s>` is boilerplate."""
    annotated = annotated_page(body, head)
    text = annotated_content(annotated, url, images=images).text
    content = annotated_content(annotated, url, images=images, sources=True, text=text)
    return Extract(
        record_id="urn:test:ferry",
        url=url,
        surt="",
        timestamp=datetime(2016, 6, 1, tzinfo=UTC),
        status=Status.ANNOTATED,
        metadata=Metadata(**said),
        text=text,
        origin=Origin("site.warc.gz", 512, 1024),
        blocks=content.blocks,
        title=content.title,
    )


def extract_soup(body: str, url: str = "", *, images: bool = False) -> Extract:
    """What is taken out of soup; an example that is no page counts for nothing."""
    try:
        return extract(body, url, images=images)
    except InputError:
        reject()


def blocks(body: str, url: str = "", *, images: bool = False) -> tuple[Part, ...]:
    return extract(body, url, images=images).blocks
