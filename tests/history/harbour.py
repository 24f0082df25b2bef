"""An archive of a harbour's pages, each with a history of its own, and the run on it."""

from collections.abc import Sequence
from pathlib import Path

from dbce.archive import capture
from dbce.cli import main
from dbce.model import Capture
from tests.archive.build import answer, members, record
from tests.site import FOOTER, MENU, article, page, revisit, stored, story

TOPICS = ("ferry", "clocks", "benches", "maps")

HOST = "http://harbour.example"


def said(topic: str, number: int) -> str:
    """A sentence that no other page has."""
    words = " ".join(
        f"{topic}{'abcdefghij'[number % 10]}{word}" for word in "one two six ten".split()
    )
    return f"The {words} of number {number} are kept in the long shed by the water."


def text(topic: str, *changed: str, count: int = 8) -> list[str]:
    """The sentences of a page, and more of them."""
    return [*(said(topic, number) for number in range(count)), *changed]


def written(topic: str, sentences: Sequence[str]) -> str:
    """An article of these sentences, two a paragraph."""
    pairs = [" ".join(sentences[at : at + 2]) for at in range(0, len(sentences), 2)]
    return article(topic, *pairs)


def redesigned(topic: str, sentences: Sequence[str]) -> str:
    """The same in another template."""
    items = "".join(f"<td><a href='/{n}'>{name}</a></td>" for n, name in enumerate(MENU))
    paragraphs = "".join(
        f"<section><div><div><p>{sentence}</p></div></div></section>" for sentence in sentences
    )
    return (
        f"<html><head><title>{topic}</title></head><body><table><tr>{items}</tr></table>"
        f"<div><article><header><h1>{topic} in the old town</h1></header>{paragraphs}</article></div>"
        f"<footer><ul><li>{FOOTER}</li></ul></footer></body></html>"
    )


def at(year: int, topic: str, html: str) -> Capture:
    """The page of a topic as it was at the beginning of a year."""
    return capture(f"{HOST}/{topic}", html, f"{year}0101000000")


DATED = "The gate was opened on 5 May 2014 by Captain Brown of the harbour office."
CORRECTED = "The gate was opened on 6 May 2014 by Captain Brown of the harbour office."


def captures() -> list[Capture]:
    """All captures that are answered as pages."""
    tower, gate, shed, quay, pier = (
        text(name) for name in ("tower", "gate", "shed", "quay", "pier")
    )
    other = [story(f"other{number}", 12) for number in range(6)]
    cut = written("quay", quay)
    return [
        *(page(topic, f"{year}0101000000") for year in (2014, 2015) for topic in TOPICS),
        at(2014, "tower", written("tower", [*tower, DATED])),
        at(2015, "tower", written("tower", [*tower, DATED])),
        at(2016, "tower", written("tower", [*tower[:3], *tower[4:], CORRECTED, said("tower", 9)])),
        at(2014, "gate", written("gate", gate)),
        at(2015, "gate", written("gate", ["The gate is painted."])),
        at(2016, "gate", written("gate", gate)),
        at(2014, "shed", written("shed", shed)),
        at(2015, "shed", article("Not found", "The page you wanted was not found on this server.")),
        at(2016, "shed", redesigned("shed", shed)),
        at(2014, "quay", cut),
        at(2015, "quay", cut[: cut.index(quay[3])]),
        at(2014, "pier", written("pier", pier)),
        at(2015, "pier", redesigned("pier", other)),
    ]


def archive() -> bytes:
    """The archive, with an answer of status 404 and with a revisit."""
    (tower,) = (
        one for one in captures() if one.url.endswith("tower") and one.timestamp.year == 2015
    )
    gone = record(
        block=answer(b"<p>Gone</p>", status="404 Not Found"),
        url=f"{HOST}/tower",
        date="2017-01-01T00:00:00Z",
        record_id="<urn:uuid:00000000-0000-4000-8000-000000000404>",
    )
    return (
        stored(*captures())
        + b"".join(members([gone]))
        + revisit(
            tower,
            "20180101",
            "urn:uuid:00000000-0000-4000-8000-000000000304",
            WARC_Refers_To=f"<{tower.record_id}>",
        )
    )


def run(folder: Path) -> Path:
    """The folder of a run on the archive."""
    (folder / "harbour.warc.gz").write_bytes(archive())
    out = folder / "clean"
    words = ["run", str(folder / "harbour.warc.gz"), "--out", str(out), "--master", "none"]
    assert main(words) == 0
    return out
