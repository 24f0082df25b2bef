"""Answers to the requests of a page, the address under which it is laid out, and the numbers that its texts have in a run."""

from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.archive import expand
from dbce.model import Limits, Reject
from dbce.visual.render import renderer
from dbce.visual.render.answers import Answers, Places, addresses, places_of
from dbce.visual.render.renderer import numbers
from tests.archive.build import members, record, stored
from tests.site import png
from tests.visual.render.build import RED, SITE, got, html, rendered

AT = datetime(2016, 1, 1, tzinfo=UTC)
SHEET = f"{SITE}/a.css"


def answer(*records, url=SHEET, at=AT):
    source = stored(b"".join(members(records)))
    return Answers(Places([places_of(source)]), Limits()).answer(url, at)


def body(*records, url=SHEET, at=AT):
    found = answer(*records, url=url, at=at)
    return found and found.payload


def css(text, at, **fields):
    return got("/a.css", text, "text/css", at=at, **fields)


EARLY, LATE = css(b"early", "2015-12-01T00:00:00Z"), css(b"late", "2016-01-15T00:00:00Z")


def test_the_nearest_snapshot_in_time_answers_before_or_after():
    assert body(EARLY, LATE) == b"late"
    assert body(EARLY, LATE, at=datetime(2015, 12, 20, tzinfo=UTC)) == b"early"
    assert body(EARLY, LATE, url=f"{SITE}/b.css") is None


def test_scheme_and_case_make_no_difference_but_the_same_spelling_comes_first():
    assert body(EARLY, url="https://www.harbour.example/A.css") == b"early"
    other = got("/A.css", b"other", "text/css", at="2016-01-01T00:00:00Z")
    assert body(EARLY, other) == b"early"


def test_a_nearer_error_does_not_hide_what_was_there():
    gone = css(b"gone", "2016-01-01T00:00:00Z", status="404 Not Found")
    assert body(gone, LATE) == b"late"
    assert answer(gone).status == 404


def test_header_and_encodings_are_those_of_the_answer():
    chunked = css(b"4\r\nabcd\r\n0\r\n\r\n", "2016-01-01T00:00:00Z", Transfer_Encoding="chunked")
    found = answer(chunked)
    assert (found.status, found.payload) == (200, b"abcd")
    assert ("Content-Type", "text/css") in found.headers


def revisit(**fields):
    about = {"kind": "revisit", "url": SHEET, "date": "2016-01-01T00:00:00Z", "media": None}
    return record(99, b"", **about, **fields)


def test_a_revisit_answers_with_what_it_says_that_it_repeats():
    elsewhere = got("/b.css", b"the same", "text/css", at="2014-01-01T00:00:00Z")
    said = {
        "WARC_Refers_To_Target_URI": f"{SITE}/b.css",
        "WARC_Refers_To_Date": "2014-01-01T00:00:00Z",
    }
    assert body(revisit(**said), EARLY, elsewhere) == b"the same"


def test_a_revisit_answers_by_record_id_or_by_digest_of_its_own_url():
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\nby "
    known = record(7, block + b"id", url=f"{SITE}/c.css", date="2014-01-01T00:00:00Z")
    assert body(revisit(WARC_Refers_To="<urn:test:7>"), known) == b"by id"
    digest = {"WARC_Payload_Digest": "sha1:AAAA"}
    same = record(8, block + b"digest", url=SHEET, date="2013-01-01T00:00:00Z", **digest)
    assert body(revisit(**digest), EARLY, same) == b"by digest"


def test_a_revisit_of_nothing_and_a_record_that_cannot_be_read_are_passed_over():
    for bad in (revisit(), record(5, b"no answer", url=SHEET, date="2016-01-01T00:00:00Z")):
        assert body(bad, EARLY) == b"early"
        assert body(bad) is None


def test_answers_are_found_by_an_index_too(tmp_path):
    packed = members([EARLY, LATE])
    (tmp_path / "a.warc.gz").write_bytes(b"".join(packed))
    line = f'example,harbour)/a.css 20151201000000 {{"url": "{SHEET}", "filename": "a.warc.gz", '
    (tmp_path / "a.cdxj").write_text(line + '"offset": "0", "mime": "text/css"}\n')
    (source,) = expand([str(tmp_path / "a.cdxj")])
    found = Answers(Places([places_of(source)]), Limits()).answer(SHEET, AT)
    assert found.payload == b"early"  # the only one that the index lists


def test_places_of_several_files_are_one_and_of_none_nothing():
    sources = [stored(members([one])[0], name) for name, one in (("a.warc.gz", EARLY), ("b", LATE))]
    places = Places([places_of(source) for source in sources])
    assert [place.uri for place in places.nearest(SHEET, AT)] == [sources[1].uri, sources[0].uri]
    assert Places([]).nearest(SHEET, AT) == []


NOWHERE = "http://stand-in.invalid/"


def test_an_address_of_the_web_is_tried_first():
    first, *_ = addresses("http://harbour.example/a?b#c")
    assert first.url == "http://harbour.example/a?b#c"
    assert first.archived_url("http://harbour.example/x.png") == "http://harbour.example/x.png"


@pytest.mark.parametrize(
    ("url", "stand_in"),
    [
        ("ftp://files.example/a/b.html", "http://files.example/a/b.html"),
        ("ftp://me@files.example:2121/a?b#c", "http://files.example/a?b"),
        ("file:///etc/hostname", f"{NOWHERE}etc/hostname"),
        ("chrome://version/", "http://version/"),
        ("ftp://b\u00fccher.example/a", f"{NOWHERE}a"),
    ],
)
def test_what_is_relative_to_a_page_is_looked_for_beside_it(url, stand_in):
    first, *others = addresses(url)
    assert first.url == stand_in
    assert [address.url for address in others] == [NOWHERE]
    site = stand_in.split("/")[2]
    own = "/".join(url.split("/")[:3])
    assert first.archived_url(f"http://{site}/x.png") == f"{own}/x.png"
    assert first.archived_url("http://other.example/x.png") == "http://other.example/x.png"


@pytest.mark.parametrize(
    "url",
    "urn:x:y mailto:a@b.example about:blank blob:http://a.example/1 data:,x http://[x".split(),
)
def test_an_address_that_names_no_place_has_nothing_beside_it(url):
    (only,) = addresses(url)
    assert only.url == NOWHERE
    assert only.archived_url(f"{NOWHERE}a.png") == f"{NOWHERE}a.png"


@pytest.mark.browser
@pytest.mark.usefixtures("_browser")
def test_pages_are_laid_out_whatever_their_address():
    urls = [
        *("ftp://files.example/a/b", "http://port.example:99999/a", "http://port.example:22/a"),
        *("file:///etc/hostname", "http://exam ple.example/a", "chrome://version/"),
    ]
    page = html("<img src=/a.png>seen")
    pictures = [
        got(f"{site}/a.png", png(RED), "image/png")
        for site in ("ftp://files.example", "http://port.example:99999")
    ]
    # In the order of the records; the one behind them must not notice.
    pages = rendered(*(got(url, page) for url in [*urls, "http://harbour.example/"]), *pictures)
    assert [one.reason for one in pages if isinstance(one, Reject)] == []
    assert [one.page.url for one in pages] == [*urls, "http://harbour.example/"]
    assert {text.text for one in pages for text in one.page.texts} == {"seen"}
    assert [one.laid_out.found for one in pages] == [1, 1, 0, 0, 0, 0, 0]


TEXTS = st.lists(st.sampled_from(["a", "b", "c d", " c  d\n"]))


@pytest.mark.parametrize(
    ("theirs", "ours", "found"),
    [
        (["one\n two", " three "], ["one two", "three"], [0, 1]),
        (["one", "scripted", "two"], ["one", "dropped", "two"], [0, -1, 2]),
        # Text between rows of a table comes before the table.
        (["stray", "cell 1", "cell 2"], ["cell 1", "stray", "cell 2"], [1, 0, 2]),
        (["more", "a", "more"], ["more", "a", "more", "more"], [0, 1, 2]),
    ],
    ids=["white space", "of one alone", "moved", "equal"],
)
def test_texts_find_those_that_say_the_same_in_order(theirs, ours, found):
    assert numbers(theirs, ours) == found


@pytest.mark.parametrize("cells", [renderer.CELLS, 0])
@given(st.data())
def test_every_number_is_of_the_same_text_and_given_once(cells, data):
    theirs, ours = data.draw(TEXTS), data.draw(TEXTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(renderer, "CELLS", cells)
        found = numbers(theirs, ours)
    given_numbers = [n for n in found if n >= 0]
    assert len(set(given_numbers)) == len(given_numbers)
    plain = [[" ".join(text.split()) for text in texts] for texts in (theirs, ours)]
    assert all(n < 0 or plain[0][i] == plain[1][n] for i, n in enumerate(found))
    # As many as can be: texts that are left over in both would have found each other.
    assert len(given_numbers) == (Counter(plain[0]) & Counter(plain[1])).total()
