"""Which captures a selection takes, from whole files and by every kind of index."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.archive import Selection, Source, draw_sample, expand, read, select, split, timestamp14
from dbce.archive.inputs.selection import UNRANKED, Draw, rank
from dbce.archive.inputs.source import ranks
from dbce.model import Capture, Limits, Reject, UsageError
from tests.archive.build import answer, arc_head, arc_record, captures, members, record, stored
from tests.archive.holdings import HOLDINGS, Holding, write

URL = "http://www.example.com/news/today?a=1"


def wants(url: str | None = URL, timestamp: str = "20130611040354", **asked: Any) -> bool:
    return select(**asked).wants(url, timestamp, "text/html")


# What each option means


@pytest.mark.parametrize(
    ("option", "value", "wanted", "others"),
    [
        # A host is taken with or without www., and below it on request.
        ("hosts", "example.com", ["http://example.com/", "https://www.EXAMPLE.com:81/x"], []),
        ("hosts", "www.example.com", ["http://example.com/", "http://www.example.com/"], []),
        ("hosts", "example.com", [], ["http://blog.example.com/", "http://example.com.net/", "dns:x"]),
        ("hosts", "*.example.com", ["http://example.com/", "http://www.a.b.example.com/"], []),
        ("hosts", "*.example.com", [], ["http://badexample.com/", "http://com/"]),
        ("hosts", "192.0.2.1", ["http://192.0.2.1:80/"], ["http://192.0.2.10/"]),
        ("hosts", "bücher.example", ["http://xn--bcher-kva.example/"], []),
        # A prefix is one of sort keys, and a folder has no siblings.
        ("url_prefixes", "http://example.com/news", [URL, "https://example.com/News/", "http://example.com/newsletter"], []),
        ("url_prefixes", "example.com/news/", [URL, "http://example.com/news", "http://example.com/news?x"], []),
        ("url_prefixes", "example.com/news/", [], ["http://example.com/newsletter", "http://a.example.com/news/"]),
        ("url_prefixes", "http://example.com", [URL], ["http://example.com.net/", "http://example.com:81/"]),
        ("url_prefixes", "http://example.com/?id=1", ["http://example.com/?id=12"], [URL]),
    ],
)  # fmt: skip
def test_a_host_or_a_prefix_takes_what_it_means(option, value, wanted, others):
    assert all(wants(url, **{option: [value]}) for url in wanted)
    assert not any(wants(url, **{option: [value]}) for url in others)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2013", "20130101000000", "20131231235959"),
        ("201202", "20120201000000", "20120229235959"),
        ("2013-02", "20130201000000", "20130228235959"),
        ("20130611", "20130611000000", "20130611235959"),
        ("2013-06-11T04", "20130611040000", "20130611045959"),
        ("201306110403", "20130611040300", "20130611040359"),
        ("20130611040354", "20130611040354", "20130611040354"),
        ("2013-06-11T04:03:54.5Z", "20130611040354", "20130611040354"),
        ("9999", "99990101000000", "99991231235959"),
    ],
)
def test_a_date_stands_for_all_the_time_it_names(text: str, first: str, last: str) -> None:
    selection = select(since=text, until=text)
    assert (selection.since, selection.until) == (first, last)
    assert wants(timestamp=first, since=text)
    assert wants(timestamp=last, until=text)
    assert not wants(timestamp=str(int(first) - 1), since=text)
    assert not wants(timestamp=str(int(last) + 1), until=text)


@pytest.mark.parametrize(
    ("mime", "asked", "wanted"),
    [
        ("text/html", "text/html", True),
        ("text/html", "TEXT/*", True),
        ("text/html", "*", True),
        ("unk", "text/html", False),
        ("unk", "unk", True),
        (None, "text/html", True),
    ],
)
def test_a_media_type_may_be_a_pattern(mime: str | None, asked: str, wanted: bool) -> None:
    assert select(mimes=[asked]).wants(URL, "2013", mime) is wanted


def test_options_add_up_and_what_is_not_known_excludes_nothing() -> None:
    assert wants(hosts=["a.example", "example.com"], mimes=["image/*", "text/*"])
    assert not wants(hosts=["example.com"], until="2012")
    selection = select(hosts=["a.example"], since="2013", mimes=["text/html"])
    assert selection.wants(None, None, None)
    assert not selection.wants(None, "20120101000000", None)
    assert not selection.knows(None, "20130101000000", "text/html")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"hosts": ["http://a.example/"]}, "is not a host name"),
        ({"hosts": [""]}, "is not a host name"),
        ({"hosts": ["a.*"]}, "is not a host name"),
        ({"url_prefixes": ["/news"]}, "is not a URL"),
        ({"since": "yesterday"}, "is not a time"),
        ({"until": "20130"}, "is not a time"),
        ({"until": "20131301"}, "is not a time"),
        ({"since": "2014", "until": "2013"}, "--from 2014 is after --to 2013"),
        ({"sample": 0}, "at least 1"),
    ],
)
def test_what_makes_no_sense_is_said(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        select(**asked)


def test_a_source_keeps_its_selection_on_the_way_through_json() -> None:
    selection = select(hosts=["a.example"], since="2013", mimes=["text/*"], sample=3)
    source = Source("a", "/a", (1, 2), selection=selection)
    assert Source.from_plain(json.loads(json.dumps(source.plain()))) == source
    assert Selection.from_plain(json.loads(json.dumps(selection.options()))) == selection
    assert select().options() == {}


# What is read


def keys(entries: list[Capture | Reject]) -> Counter[tuple[str, str]]:
    return Counter((e.url, timestamp14(e.timestamp)) for e in entries if e.timestamp)


def taken(path: Path, selection: Selection) -> Counter[tuple[str, str]]:
    """URL and time of everything that is read."""
    sources = expand([str(path)], None, selection)
    return keys([entry for source in sources for entry in read(source, Limits())])


ASKED: list[dict[str, Any]] = [
    {},
    {"hosts": ["harbour.example"]},
    {"hosts": ["*.harbour.example"], "since": "2014"},
    {"hosts": ["hill.example"], "until": "2013"},
    {"url_prefixes": ["http://harbour.example/news/", "hill.example/feed"]},
    {"since": "2014-12-31", "until": "2015"},
    {"mimes": ["text/html"]},
    {"mimes": ["image/*", "unk"]},
    {"hosts": ["harbour.example"], "mimes": ["application/*"]},
    {"sample": 4},
    {"sample": 3, "mimes": ["text/*"], "until": "2014"},
    {"sample": 99},
]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("holdings"))


@pytest.mark.parametrize("asked", ASKED)
def test_a_file_and_all_its_indexes_give_what_the_options_say(archive, asked) -> None:
    options = {name: value for name, value in asked.items() if name != "sample"}
    wanted = [
        (one.url, one.timestamp)
        for one in HOLDINGS
        if select(**options).wants(
            one.url, one.timestamp, None if one.kind == "revisit" else one.indexed_mime
        )
    ]
    smallest = sorted(wanted, key=lambda one: rank(*one))[: asked.get("sample")]
    assert smallest
    for kind in ("warc.gz", "cdx", "cdxj", "parquet"):
        found = taken(archive.with_name(f"h.{kind}"), select(**asked))
        assert found == Counter(smallest)


def test_what_a_line_does_not_tell_its_record_does(archive: Path) -> None:
    lines = [line.rpartition(" {") for line in archive.with_name("h.cdxj").read_text().splitlines()]
    bare = [f"- {{{rest}" for _, _, rest in lines[1:]]
    archive.with_name("bare.cdxj").write_text("\n".join(bare))
    for asked in ASKED:
        assert taken(archive.with_name("bare.cdxj"), select(**asked)) == taken(
            archive, select(**asked)
        )


def chosen(source: Source, **asked: Any) -> list[Capture | Reject]:
    """What is read of a source with a selection."""
    return list(read(replace(source, selection=select(**asked)), Limits()))


def test_a_damaged_place_stays_and_a_left_out_one_is_not_missed() -> None:
    data = members([record(n, url=f"http://{n}.example/") for n in (1, 2, 3)])
    cut = data[1][:60] + bytes(8) + data[1][68:]
    source = stored(b"".join([data[0], cut, data[2]]))
    damaged, page = chosen(source, hosts=["3.example"])
    assert getattr(damaged, "reason", None) == "damaged"
    assert page.url == "http://3.example/"
    others = chosen(source, hosts=["4.example"])
    assert [getattr(entry, "reason", "") for entry in others] == ["damaged"]


def test_a_record_that_is_left_out_is_not_told_of_when_it_is_bad() -> None:
    data = b"".join(members([record(1, length=9, url="http://a.example/"), record(2)]))
    assert len(captures(data)) == 2
    (page,) = chosen(stored(data), hosts=["example.com"])
    assert page.url == "http://example.com/2"


def test_media_types_are_those_that_indexes_have() -> None:
    data = [
        record(1, b"a.example. IN A 192.0.2.1", url="dns:a.example", media="text/dns"),
        record(2, b"<p>plain", kind="resource", media="text/html"),
        record(3, answer(content_type="Text/HTML;charset=x")),
        record(4, b"no http"),
    ]
    source = stored(b"".join(members(data)))

    for mime, urls in (
        ("text/dns", ["dns:a.example", "http://example.com/4"]),
        ("text/html", [f"http://example.com/{n}" for n in (2, 3, 4)]),
    ):
        assert [entry.url for entry in chosen(source, mimes=[mime])] == urls
    arc = stored(arc_head() + arc_record(1) + arc_record(2, answer(content_type="a/b")), "a.arc")
    (page,) = chosen(arc, mimes=["text/*"])
    assert page.url == "http://example.com/1"


# Samples


@given(st.lists(st.integers(-(2**63) + 1, 2**63 - 1)), st.integers(1, 9), st.randoms())
def test_a_draw_has_the_smallest_ranks_in_whatever_order_they_come(offered, size, random):
    smallest = sorted(set(offered))[:size]
    shuffled = offered * 2
    random.shuffle(shuffled)
    draw = Draw(size)
    for each in shuffled:
        draw.offer(each)
    assert draw.cutoff == (smallest[-1] if smallest else UNRANKED)


def test_a_sample_is_the_same_however_the_captures_are_spread(tmp_path: Path) -> None:
    write(tmp_path)
    one = taken(tmp_path / "h.warc.gz", select(sample=5))
    assert one.total() == 5
    apart = tmp_path / "apart"
    apart.mkdir()
    write(apart, HOLDINGS[10:], "a.warc.gz")
    write(apart, HOLDINGS[:10][::-1], "z.warc.gz")
    assert taken(apart, select(sample=5)) == one


def test_a_sample_is_the_same_in_pieces_of_a_file(archive: Path) -> None:
    whole = expand([str(archive)], None, select(sample=5))
    in_pieces = split(whole, archive.stat().st_size // 4)
    assert len(in_pieces) > 2
    found = keys([entry for source in in_pieces for entry in read(source, Limits())])
    assert found == taken(archive, select(sample=5))


def test_records_of_one_key_and_second_are_one_capture_of_a_sample(tmp_path: Path) -> None:
    same = [Holding("http://a.example/", "20140101000000")] * 3
    write(tmp_path, [*same, *HOLDINGS])
    for sample in range(1, 6):
        assert len(taken(tmp_path / "h.warc.gz", select(sample=sample))) == sample


def test_a_sample_that_is_left_to_later_is_the_same(archive: Path) -> None:
    for kind in ("warc.gz", "cdxj"):
        inputs = [str(archive.with_name(f"h.{kind}"))]
        later = draw_sample(expand(inputs, None, select(sample=5), draw=False))
        found = keys([entry for source in later for entry in read(source, Limits())])
        assert found == taken(archive, select(sample=5))
        assert draw_sample(later) == later


def test_a_rank_knows_captures_as_an_index_does_and_damage_has_none() -> None:
    assert rank("https://www.example.com/A", "2013") == rank("http://example.com/a", "2013")
    assert rank("http://example.com/a", "2013") != rank("http://example.com/a", "2014")
    source = stored(b"".join(members([b"nothing here", record(1, date=None), record(2)])))
    assert list(ranks(source)) == [rank("http://example.com/2", "20240506070809")]


def test_an_index_keeps_what_is_wanted_and_a_selection_that_leaves_nothing_says_so(archive) -> None:
    for kind in ("cdx", "cdxj", "parquet"):
        (source,) = expand([str(archive.with_name(f"h.{kind}"))], None, select(sample=2))
        assert len(source.offsets or ()) == 2
        with pytest.raises(UsageError, match="matches the selection"):
            expand([str(archive.with_name(f"h.{kind}"))], None, select(hosts=["nowhere.example"]))
    with pytest.raises(UsageError, match="matches the selection"):
        expand([str(archive)], None, select(hosts=["nowhere.example"], sample=3))
