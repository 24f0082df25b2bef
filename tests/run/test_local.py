"""Whole runs without Spark whose archives hold revisits."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dbce.archive import expand, read
from dbce.boilerplate import Annotated
from dbce.cli import main
from dbce.model import Config, Limits, Reason, Reject, Resolution
from dbce.pipeline import annotate
from tests.archive.build import answer, members, record
from tests.data import shared
from tests.nights import Archive
from tests.run.test_revise import stale
from tests.runs import counted, page_rows, whole
from tests.site import article, page, revisit, snapshots, stored

PATTERNS = Config(method="T002")
OLD = snapshots(2014)
FERRY, CLOCKS, BENCHES, MAPS = OLD
ELSEWHERE = "http://quay.example/maps"

BY_ID = revisit(FERRY, "20150101", "urn:id", WARC_Refers_To=f"<{FERRY.record_id}>")
BY_URI = revisit(
    *(CLOCKS, "20150101", "urn:uri"),
    WARC_Refers_To_Target_URI=CLOCKS.url,
    WARC_Refers_To_Date="2014-01-01T00:00:00Z",
)
BY_KEY = revisit(BENCHES, "20150101", "urn:key", WARC_Payload_Digest=BENCHES.digest)
BY_DIGEST = revisit(MAPS, "20150101", "urn:digest", ELSEWHERE, WARC_Payload_Digest=MAPS.digest)
NOT_HERE = revisit(MAPS, "20150101", "urn:lost", WARC_Refers_To="<urn:nowhere>")
SILENT = revisit(MAPS, "20150102", "urn:silent")
EARLIER = revisit(CLOCKS, "20150102", "urn:earlier", WARC_Refers_To_Target_URI=CLOCKS.url)
REVISITS = BY_ID + BY_URI + BY_KEY + BY_DIGEST + NOT_HERE + SILENT + EARLIER


def run(folder: Path, **files: bytes) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """A run of files: its manifest, and its rows of `pages` by record id."""
    (folder / "in").mkdir()
    for name, data in files.items():
        (folder / "in" / f"{name}.warc.gz").write_bytes(data)
    told = whole(expand([str(folder / "in")]), folder / "out", PATTERNS)
    return told, {row["record_id"]: row for row in page_rows(folder / "out")}


EXPECTED = {
    "urn:id": ("unchanged", "record-id", FERRY.record_id),
    "urn:uri": ("unchanged", "uri-and-date", CLOCKS.record_id),
    "urn:key": ("unchanged", "key-and-digest", BENCHES.record_id),
    "urn:digest": ("unchanged", "digest", MAPS.record_id),
    "urn:lost": ("revisit", "not-here", None),
    "urn:silent": ("revisit", "nothing-to-go-by", None),
    "urn:earlier": ("unchanged", "earlier", CLOCKS.record_id),
}


@pytest.mark.parametrize("first", ["revisits", "pages"])
def test_every_revisit_tells_what_it_repeats_or_why_not_and_how_that_was_found(tmp_path, first):
    """Whichever file comes first."""
    names = ("a", "b") if first == "pages" else ("b", "a")
    told, pages = run(tmp_path, **dict(zip(names, (stored(*OLD), REVISITS), strict=True)))
    for record_id, expected in EXPECTED.items():
        row = pages[record_id]
        assert (row["reason"], row["resolution"], row["original"]) == expected
        assert row["status"] == "skipped"
        known = next((one for one in OLD if one.record_id == row["original"]), None)
        assert row["original_time"] == (known and known.timestamp)
    assert told["revisits"] == dict.fromkeys((one.value for one in Resolution), 1)
    reasons = {"skipped/revisit": 2, "skipped/unchanged": 5}
    assert told["captures"] == counted(annotated=4, skipped=7) | {"reasons": reasons}


def test_a_resolved_revisit_is_a_snapshot_that_shares_every_word(tmp_path):
    _, pages = run(tmp_path, a=stored(*OLD) + BY_ID)
    assert pages[FERRY.record_id]["next"] == "urn:id"
    assert pages[FERRY.record_id]["cross_bits"] == "11101"
    assert pages[CLOCKS.record_id]["next"] is None
    by_hand = [*OLD, page("ferry", "20150101000000")]
    bits = {
        one.capture.record_id: [(r.start, r.end, r.verdict.bits) for r in one.runs]
        for one in annotate(by_hand, PATTERNS)
        if isinstance(one, Annotated)
    }
    archive = expand([str(tmp_path / "in")])
    captures = [one for source in archive for one in read(source, Limits())]
    for one in annotate(captures, PATTERNS):
        if isinstance(one, Annotated):
            assert [(r.start, r.end, r.verdict.bits) for r in one.runs] == bits[
                one.capture.record_id
            ]


def test_a_page_that_is_compared_with_revisits_alone_is_compared(tmp_path):
    """The only other page of the template is one that another site still had."""
    other = replace(page("maps", "2014", article("clocks")), url="http://quay.example/x")
    again = revisit(
        other, "20150101", "urn:again", f"{FERRY.url}/2", WARC_Refers_To=other.record_id
    )
    alone, _ = run(tmp_path, a=stored(FERRY) + again)
    assert alone["captures"]["single"] == 1
    (tmp_path / "two").mkdir()
    both, pages = run(tmp_path / "two", a=stored(FERRY, other) + again)
    assert both["captures"]["annotated"] == 1
    assert pages[FERRY.record_id]["up"] == "urn:again"


def test_what_repeats_no_page_is_resolved_and_says_that_there_is_nothing_to_compare(tmp_path):
    digest = {"WARC_Payload_Digest": "sha1:GIF"}
    picture = record(90, answer(b"GIF89a", content_type="image/gif"), **digest)
    same = {"kind": "revisit", "url": "http://example.com/90"} | digest
    twin = record(92, answer(b"", content_type="image/gif"), **same)
    gone = record(91, answer(b"gone", "404 Not Found"))
    again = (
        revisit(FERRY, "20150101", "urn:gone", WARC_Refers_To="<urn:test:91>"),
        *members([twin]),
    )
    told, pages = run(tmp_path, a=b"".join([*members([picture, gone]), *again]))
    assert pages.keys() == {"urn:gone", "urn:test:91"}, "a picture is no page"
    row = pages["urn:gone"]
    assert (row["reason"], row["original"]) == ("unchanged-no-page", "urn:test:91")
    assert told["revisits"] == {"record-id": 1, "key-and-digest": 1}
    assert told["captures"]["reasons"]["skipped/unchanged-no-page"] == 2


def test_a_revisit_of_html_whose_own_header_is_lost_is_a_page(tmp_path):
    about = {"url": FERRY.url, "media": None, "WARC_Refers_To": FERRY.record_id}
    (bare,) = members([record(7, b"", kind="revisit", **about)])
    _, pages = run(tmp_path, a=stored(*OLD) + bare)
    assert pages["urn:test:7"]["reason"] == "unchanged"


def test_a_revisit_that_is_stored_twice_counts_once(tmp_path):
    told, pages = run(tmp_path, a=stored(*OLD) + BY_ID, b=BY_ID + NOT_HERE + NOT_HERE)
    assert told["captures"]["reasons"] == {
        "skipped/duplicate-record": 2,
        "skipped/revisit": 1,
        "skipped/unchanged": 1,
    }
    assert pages[FERRY.record_id]["next"] == "urn:id"


def test_a_page_is_judged_though_a_revisit_has_its_record_id(tmp_path):
    twin = revisit(FERRY, "20150101", CLOCKS.record_id, WARC_Refers_To=FERRY.record_id)
    told, _ = run(tmp_path, a=twin + stored(*OLD))
    assert told["captures"]["annotated"] == 4
    assert told["captures"]["reasons"] == {"skipped/unchanged": 1}


def test_the_python_api_resolves_the_same(tmp_path):
    (tmp_path / "x.warc.gz").write_bytes(REVISITS + stored(*OLD) + BY_KEY)
    (source,) = expand([str(tmp_path / "x.warc.gz")])
    *judged, last = annotate(read(source, Limits()), PATTERNS)
    for one in judged[:6]:
        assert isinstance(one, Reject)
        assert one.repeats is not None
        told = (one.reason, one.repeats.resolution, one.repeats.original or None)
        assert told == EXPECTED[one.record_id]
    assert isinstance(last, Reject)
    assert last.reason is Reason.DUPLICATE_RECORD


# Nights.


@pytest.fixture
def archive(tmp_path) -> Archive:
    """The site as it was in 2014, in one night."""
    archive = Archive(tmp_path)
    archive.take("2014.warc.gz", stored(*OLD))
    return archive


def tonight(archive: Archive) -> dict[str, dict[str, Any]]:
    rows = page_rows(archive.outputs(archive.nights()[-1]))
    return {row["record_id"]: row for row in rows}


@pytest.mark.parametrize("compact", [False, True])
def test_a_night_resolves_its_revisits_with_what_earlier_nights_kept(archive, compact):
    if compact:
        assert main(["compact", str(archive.path)]) == 0
    (archive.incoming / "2014.warc.gz").unlink()
    archive.take("2015.warc.gz", BY_ID + BY_URI + BY_KEY + NOT_HERE)
    for record_id, row in tonight(archive).items():
        assert (row["reason"], row["resolution"], row["original"]) == EXPECTED[record_id]


def test_a_digest_alone_is_looked_for_on_the_sites_of_the_night(archive):
    archive.take("2015.warc.gz", BY_DIGEST)
    assert tonight(archive)["urn:digest"]["resolution"] == "not-here"
    again = revisit(MAPS, "20150101", "urn:again", ELSEWHERE, WARC_Payload_Digest=MAPS.digest)
    archive.take("2016.warc.gz", again + stored(page("ferry", "20160101000000")))
    assert tonight(archive)["urn:again"]["resolution"] == "digest"


def test_a_page_has_the_revisit_of_an_earlier_night_before_it(archive):
    archive.take("2015.warc.gz", BY_ID)
    later = page("ferry", "20160101000000", article("ferry", "All is new."))
    archive.take("2016.warc.gz", stored(later))
    assert tonight(archive)[later.record_id]["prev"] == "urn:id"


def test_a_revisit_of_an_earlier_night_that_comes_again_is_a_duplicate(archive):
    archive.take("2015.warc.gz", BY_ID)
    archive.take("2016.warc.gz", BY_ID)
    assert tonight(archive)["urn:id"]["reason"] == "duplicate-record"


def test_a_new_revisit_changes_the_cross_of_an_older_page(archive):
    """It is the next snapshot of what it repeats."""
    archive.take("2015.warc.gz", BY_ID + BY_URI + SILENT, "--revise", "apply")
    assert [row["record_id"] for row in stale(archive)] == [FERRY.record_id, CLOCKS.record_id]
    revised = archive.outputs(archive.nights()[-1]) / "revised"
    rows = {row["record_id"]: row["next"] for row in page_rows(revised)}
    assert rows == {FERRY.record_id: "urn:id", CLOCKS.record_id: "urn:uri"}


def test_a_page_that_explains_an_older_revisit_changes_the_one_before_that(archive):
    """What was unresolved is a snapshot now."""
    changed = page("clocks", "20140601000000", article("clocks", "The hundred steps are closed."))
    lost = revisit(CLOCKS, "20150101", "urn:lost", WARC_Refers_To=changed.record_id)
    archive.take("2015.warc.gz", lost)
    assert tonight(archive)["urn:lost"]["reason"] == "revisit"
    archive.take("2016.warc.gz", stored(changed), "--revise", "list")
    assert tonight(archive)[changed.record_id]["next"] == "urn:lost"
    assert CLOCKS.record_id in {row["record_id"] for row in stale(archive)}


# Archives of others.


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "revisits", "reasons"),
    [
        (
            *("webarchive-discovery/gov.uk-revisit-warcs", {"key-and-digest": 55}),
            {"unchanged": 26, "unchanged-no-page": 29},
        ),
        ("warcio/example.warc", {"uri-and-date": 1}, {"unchanged": 1}),
        ("warcio/example.warc.gz", {"uri-and-date": 1}, {"unchanged": 1}),
        ("aut/warc/issue-493.warc", {"uri-and-date": 5}, {"unchanged-no-page": 5}),
        ("pywb/warcs/example-url-agnostic-revisit.warc.gz", {"not-here": 1}, {"revisit": 1}),
    ],
)
def test_revisits_of_real_archives(tmp_path, name, revisits, reasons):
    """Each file, or folder of files, by itself."""
    told = whole(expand([str(shared(f"warc-zoo/{name}"))]), tmp_path / "out", PATTERNS)
    assert told["revisits"] == revisits
    found = told["captures"]["reasons"].items()
    of_revisits = {k: n for k, n in found if "unchanged" in k or "revisit" in k}
    assert of_revisits == {f"skipped/{reason}": n for reason, n in reasons.items()}
