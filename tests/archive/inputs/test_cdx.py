"""Lines of CDX and CDXJ, and lookups in a sorted file of them."""

import gzip
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import fsspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.archive import expand, lines_of
from dbce.archive.inputs.cdx import IndexEntry, Layout, layout_of, parse_line
from dbce.archive.inputs.expand import index_entries
from dbce.archive.inputs.selection import EVERYTHING
from dbce.model import UsageError
from tests.archive.build import stored
from tests.data import FOLDER, shared


def place(line: IndexEntry) -> tuple[str, int, str | None, str | None]:
    """All that a line says but the media type."""
    return line.filename, line.offset, line.url, line.timestamp


URL = "http://www.example.com/a?b=c"
KEY = "com,example)/a?b=c"
WHOLE = IndexEntry("x.warc.gz", 1234, URL, "20240506070809", "text/html")
UNTOLD = IndexEntry("x.warc.gz", 1234)

FIELDS = {
    "N": KEY,
    "b": "20240506070809",
    "a": URL,
    "m": "text/html",
    "s": "200",
    "k": "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A",
    "r": "-",
    "M": "-",
    "S": "99",
    "V": "1234",
    "g": "x.warc.gz",
}


def cdx(letters: str, between: str = " ", **other: str) -> str:
    fields = FIELDS | other
    return between.join(fields[letter] for letter in letters)


def header(letters: str, between: str = " ") -> str:
    return between.join(["", "CDX", *letters])


OPENWAYBACK = "(com,example,)/a?b=c> 2024-05-06T07:08:09Z response " + json.dumps(
    {"uri": URL, "mct": "text/html", "ref": "warcfile:x.warc.gz#1234"}
)


def cdxj(before: str = f"{KEY} 20240506070809", **fields: object) -> str:
    known = {"url": URL, "mime": "text/html", "filename": "x.warc.gz", "offset": "1234"} | fields
    return f"{before} {json.dumps({k: v for k, v in known.items() if v is not None})}"


def parsed(*lines: str) -> IndexEntry:
    """What the last line says; those before it are headers."""
    layout = None
    for line in lines[:-1]:
        layout = layout_of(line) or layout
    return parse_line(lines[-1], layout)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        *(((cdx(letters),), WHOLE) for letters in ("NbamskrVg", "NbamskrMVg", "NbamskrMSVg")),
        ((cdx("NbamskrVg", "\t"),), WHOLE),
        ((header("NbamskrMSVg"), cdx("NbamskrMSVg")), WHOLE),
        ((header("NbamskrVg", "\t"), cdx("NbamskrVg", "\t")), WHOLE),
        ((header("NbamskrVg"), cdx("NbamskrVg", "\t")), WHOLE),
        ((header("NbamskrVg", ","), cdx("NbamskrVg", ",", N="example.com/a?b=c")), WHOLE),
        (("CDX N b a m s k r V g", cdx("NbamskrVg")), WHOLE),
        # as wget writes it: no key, a letter of its own, and a second column for the URL
        ((header("abamskrMVgu"), cdx("abamskrMVgu", u="<urn:uuid:1>")), WHOLE),
        ((header("gV"), "x.warc.gz 1234"), UNTOLD),
        *(
            ((*head, cdx(letters, **blanks)), replace(WHOLE, **says))
            for letters in ("NbamskrVg", "NbamskrMVg", "NbamskrMSVg")
            for head in ((), (header(letters),))
            for blanks, says in (
                ({"g": "my crawl x.warc.gz"}, {"filename": "my crawl x.warc.gz"}),
                ({"a": f"{URL} d e"}, {"url": f"{URL} d e"}),
                ({"m": "text/html; charset=utf-8", "r": "http://x/a b", "k": " "}, {}),
                (
                    {"N": f"{KEY} d", "a": f"{URL} d", "g": "C:/a b.warc"},
                    {"url": f"{URL} d", "filename": "C:/a b.warc"},
                ),
            )
        ),
        ((cdx("NbamskrMSVg", N="example.com/a?b=c"),), WHOLE),
        ((cdx("NbamskrMSVg", m="-", a="-", b="-", k="-", S="-"),), UNTOLD),
        ((cdx("NbamskrMSVg", m="warc/revisit", s="-"),), IndexEntry(*place(WHOLE), None)),
        ((cdx("NbamskrMSVg", m="unk"),), IndexEntry(*place(WHOLE), None)),
        ((cdxj(),), WHOLE),
        ((cdxj().replace(" {", "\t{", 1),), WHOLE),
        ((cdxj("", timestamp="20240506070809").lstrip(),), WHOLE),  # as servers of indexes answer
        ((cdxj(offset=1234, length=99, status=200),), WHOLE),
        (
            (cdxj(mime=None, status=None, digest=None, length=None),),
            IndexEntry(*place(WHOLE), None),
        ),
        ((cdxj(mime="Text/HTML; charset=utf-8"),), WHOLE),
        *(((cdxj(f"{KEY} 2024{t}"),), WHOLE) for t in ("0506070809123", "-05-06T07:08:09Z")),
        ((cdxj("org,httpbin)/post?a={1} 20240506070809"),), WHOLE),
        # as Common Crawl writes it
        ((cdxj(**{"mime-detected": "text/plain", "languages": "deu", "status": "200"}),), WHOLE),
        ((OPENWAYBACK,), WHOLE),
        ((header("NbamskrVg"), cdxj()), WHOLE),
    ],
)
def test_a_line_of_any_dialect_says_the_same(lines: tuple[str, ...], says: IndexEntry) -> None:
    assert parsed(*lines) == says


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (cdx("NbamskrV"), "8 fields"),
        (cdx("NbamskrVg", g="-"), "file name is '-'"),
        (cdx("NbamskrVg", V="-"), "offset is '-'"),
        (cdx("NbamskrVg", V="²"), "offset is"),
        (cdxj(filename=None), "file name is missing"),
        (cdxj(filename=7), "file name is 7"),
        (cdxj(offset=None), "offset is missing"),
        (cdxj(offset=-1), "offset is -1"),
        (cdxj(offset=1.5), "offset is 1.5"),
        (cdxj(offset=True), "offset is True"),
        (cdxj(offset="9" * 20), "offset is"),
        (cdxj()[:-1], "no JSON"),
        (f'{KEY} 20240506070809 {{"filename": {"[" * 100_000}', "no JSON"),
        ("", "1 fields"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(line: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parsed(line)
    with pytest.raises(ValueError, match="9 fields where the header names 11"):
        parsed(header("NbamskrMSVg"), cdx("NbamskrVg"))


@given(st.permutations("NbamskrMSVg"), st.sampled_from(" \t"))
def test_the_order_of_the_declared_fields_makes_no_difference(letters, between):
    order = "".join(letters)
    assert layout_of(header(order, between)) == Layout(tuple(order), between)
    assert parsed(header(order, between), cdx(order, between)) == WHOLE


def lines_in(path: Path, text: str | bytes) -> list[tuple[str, IndexEntry]]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(index_entries(str(path), EVERYTHING))


def test_a_later_header_holds_for_the_lines_behind_it(tmp_path: Path) -> None:
    lines = [header("NbamskrVg"), cdx("NbamskrVg"), header("gVab"), cdx("gVab")]
    found = lines_in(tmp_path / "both.cdx", "\n".join(lines))
    assert [line.offset for _, line in found] == [1234, 1234]
    assert [where.rpartition(" ")[2] for where, _ in found] == ["2", "4"]


def test_a_compressed_index_may_have_many_members_and_padding(tmp_path: Path) -> None:
    text = ["!meta 0 {}\n", f"{cdxj()}\n" * 3, "", f"\r\n{cdxj(offset=9)}\r\n"]
    packed = b"".join(gzip.compress(part.encode()) for part in text) + bytes(999)
    found = lines_in(tmp_path / "index.cdx.gz", packed)
    assert [line.offset for _, line in found] == [1234, 1234, 1234, 9]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=9))
def test_blocks_of_a_zipnum_need_no_last_line_end(blocks: list[int]) -> None:
    texts = ("\n".join([cdxj()] * lines) for lines in blocks)
    fsspec.filesystem("memory").pipe(
        "/zipnum/cdx-00000.gz", b"".join(gzip.compress(text.encode()) for text in texts)
    )
    found = index_entries("memory://zipnum/cdx-00000.gz", EVERYTHING)
    assert [where.rpartition(" ")[2] for where, _ in found] == [
        str(number + 1) for number in range(sum(blocks))
    ]


@given(
    st.lists(
        st.sampled_from([cdxj(), cdx("NbamskrVg"), header("gV"), "x.warc.gz 7", "!meta 0 {}"])
        | st.text()
    ),
    st.integers(0, 999),
    st.binary(max_size=3),
)
def test_whatever_an_index_holds_is_read_or_said_to_be_none(lines, at, damage):
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    for data in (text, gzip.compress(text, mtime=0)):
        fsspec.filesystem("memory").pipe("/odd.cdx", data[:at] + damage + data[at + len(damage) :])
        try:
            found = list(index_entries("memory://odd.cdx", EVERYTHING))
        except UsageError:
            continue
        assert all(line.filename and line.offset >= 0 for _, line in found)


def test_parts_of_a_zipnum_are_inputs_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "x.warc.gz").touch()
    for number in range(2):
        part = gzip.compress(f"{cdxj(offset=number)}\n".encode())
        (tmp_path / f"cdx-0000{number}.gz").write_bytes(part)
    (source,) = expand([str(tmp_path / "cdx-*.gz")])
    assert source.offsets == (0, 1)


# Captures of each index; those of a .idx or .loc are in the file beside it.
ZOO = {
    "pywb/cdx/bad.cdx": 4,
    "pywb/cdx/dupes.cdx": 12,
    "pywb/cdx/example-arc-test.cdx": 2,
    "pywb/cdx/example-extra.cdx": 2,
    "pywb/cdx/example.cdx": 3,
    "pywb/cdx/httpbin-resource.cdxj": 1,
    "pywb/cdx/iana.cdx": 171,
    "pywb/cdx/missing-status-text.cdxj": 1,
    "pywb/cdx/post-test.cdx": 3,
    "pywb/cdx/url-agnost-example.cdx": 2,
    "pywb/cdxj/dupes.cdxj": 12,
    "pywb/cdxj/example-no-digest.cdxj": 3,
    "pywb/cdxj/example.cdx.gz": 1,
    "pywb/cdxj/example.cdxj": 3,
    "pywb/cdxj/example2.cdxj": 1,
    "pywb/cdxj/iana.cdxj": 171,
    "pywb/cdxj/post-test.cdxj": 3,
    "pywb/cdxj/url-agnost-example.cdxj": 2,
    "pywb/non-surt-cdx/example-non-surt.cdx": 3,
    "pywb/zipcdx/zipnum-sample.cdx.gz": 188,  # 38 blocks without a last line end
}


@pytest.mark.data
@pytest.mark.parametrize("name", ZOO)
def test_every_line_of_an_odd_index_is_read(name: str) -> None:
    assert len(list(index_entries(str(shared(f"warc-zoo/{name}")), EVERYTHING))) == ZOO[name]


@pytest.mark.data
def test_an_index_that_names_a_missing_file_says_which() -> None:
    index = shared("warc-zoo/pywb/cdx/bad.cdx")
    with pytest.raises(UsageError, match=r"bad.cdx, line 3 names non-existent.warc"):
        expand([str(index)], str(shared("warc-zoo/pywb/warcs")))


@pytest.mark.data
def test_no_index_of_the_zoo_is_left_out() -> None:
    shared("warc-zoo")
    zoo = FOLDER / "warc-zoo"
    found = {str(file.relative_to(zoo)) for file in zoo.rglob("*") if ".cdx" in file.name}
    assert found == set(ZOO)


# Lines of a sorted CDXJ file are found without reading it


KEYS = st.tuples(
    st.sampled_from(["example,a)/", "example,a)/b", "example,a)/ü", "example,b)/" + "x" * 50]),
    st.sampled_from(["20130101000000", "20140101000000", "20150101000000"]),
)


def index(keys: Iterable[tuple[str, str]]) -> str:
    """A CDXJ file in memory; each line has its number as offset."""
    lines = [
        f"{surt} {time} {json.dumps({'filename': 'x.warc.gz', 'offset': str(number)})}\n".encode()
        for number, (surt, time) in enumerate(keys)
    ]
    return stored(b"".join(sorted(lines)), "index.cdxj").uri


@given(st.lists(KEYS, max_size=12), KEYS)
def test_all_lines_of_a_key_are_found_and_no_others(keys, wanted):
    found = {offset for _, offset in lines_of(index(keys), *wanted)}
    assert found == {number for number, key in enumerate(keys) if key == wanted}
