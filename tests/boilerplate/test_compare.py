"""Stage 2: how sites are cut into blocks, and what the comparison finds in them."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.boilerplate.compare import (
    BLOCK,
    buckets,
    compare,
    compare_block,
    in_order,
    slices,
    stretches,
)
from dbce.boilerplate.diff import align, match, texts_of
from dbce.model import Annotation, Config, Sketch

CONFIG = Config(num_perm=16, circle=2)
FEWEST = CONFIG.circle + 2
"""URLs that a block has at least."""

START = datetime(2016, 1, 1, tzinfo=UTC)


class Row(NamedTuple):
    """What cutting a site needs to know of a capture."""

    surt: str
    timestamp: datetime
    record_id: str


def site(*snapshots: int) -> list[Row]:
    """A site whose URLs have so many snapshots each, a day apart."""
    return [
        Row(f"url{url:04}", START + timedelta(days=day), f"{url}@{day}")
        for url, count in enumerate(snapshots)
        for day in range(count)
    ]


def cut_at(limit: int) -> Any:
    """Blocks of so many captures at most."""
    return patch("dbce.boilerplate.compare.BLOCK", limit)


def cut(rows: list[Row], limit: int) -> list[list[Row]]:
    """The blocks of a site."""
    rows = sorted(rows, key=in_order)
    urls = len({row.surt for row in rows})
    with cut_at(limit):
        whole = stretches(iter(rows), len(rows), urls, CONFIG)
        return [block for stretch in whole for block in slices(stretch)]


def sizes(*snapshots: int, limit: int) -> list[int]:
    """How many captures the blocks of such a site have."""
    return [len(block) for block in cut(site(*snapshots), limit)]


def test_the_last_block_is_no_small_rest():
    assert sizes(*[30] * 22, limit=200) == [180, 150, 180, 150]


def test_few_urls_with_many_snapshots_are_cut_by_time():
    first, second = cut(site(*[10] * FEWEST), limit=20)
    assert {row.surt for row in first} == {row.surt for row in second}
    assert max(row.timestamp for row in first) < min(row.timestamp for row in second)


def test_a_url_with_very_many_snapshots_gets_others_for_every_slice():
    with cut_at(40):
        first, *_ = stretches(site(100, *[1] * 50), 150, 51, CONFIG)
    assert len({row.surt for row in first}) == 3 * FEWEST


def test_urls_too_few_for_a_block_of_their_own_stay_with_those_before():
    rows = site(*[1] * 20, 30, 30, 30)
    with cut_at(60):
        assert list(stretches(rows, len(rows), 23, CONFIG)) == [rows]
    assert [len(block) for block in cut(rows, limit=60)] == [55, 55]


def test_cutting_holds_no_more_than_a_block():
    taken = 0

    def rows():
        nonlocal taken
        for row in site(*[1] * 1000):
            taken += 1
            yield row

    with cut_at(100):
        first = next(stretches(rows(), 1000, 1000, CONFIG))
    assert len(first) == 100
    assert taken <= 102


sites = st.lists(st.integers(1, 12), max_size=40)


@given(sites, st.integers(1, 60), st.randoms(use_true_random=False))
def test_blocks_tile_the_site_whatever_the_order_of_its_captures(snapshots, limit, rng):
    rows = site(*snapshots)
    found = cut(rows, limit)
    assert Counter(row for block in found for row in block) == Counter(rows)
    assert found == cut(rng.sample(rows, len(rows)), limit)
    assert all(0 < len(block) <= limit for block in found)
    with cut_at(limit):
        whole = list(stretches(iter(rows), len(rows), len(snapshots), CONFIG))
    urls = [{row.surt for row in stretch} for stretch in whole]
    assert [row for stretch in whole for row in stretch] == rows
    assert sum(map(len, urls)) == len(snapshots), "no URL is in two"
    assert all(len(its) >= FEWEST for its in urls) or len(urls) == 1


@given(st.integers(1, 400), st.integers(FEWEST * 2, 60))
def test_blocks_of_urls_with_one_snapshot_are_equally_large(urls, limit):
    found = sizes(*[1] * urls, limit=limit)
    assert len(found) == -(-urls // limit)
    assert max(found) - min(found) <= 1


def sketch(record_id: str, url: str, day: int, template: int, texts: list[int]) -> Sketch:
    """A capture made of text nodes that are known by numbers: 7 has the words 70, 71 and 72."""
    words = np.array([10 * text + n for text in texts for n in range(3)], dtype=np.uint32)
    return Sketch(
        record_id=record_id,
        site="harbour.example",
        surt=url,
        timestamp=START + timedelta(days=day),
        signature=np.array([template + n % 4 // 3 * len(texts) for n in range(16)], np.uint32),
        words=words,
        ends=np.arange(3, len(words) + 1, 3, dtype=np.uint32),
        places=np.array([text % 3 for text in texts], dtype=np.uint32),
    )


sketches = st.lists(
    st.builds(
        sketch,
        st.integers(0, 99).map(str),
        st.sampled_from(["a", "b", "c", "d"]),
        st.integers(0, 3),
        st.integers(0, 1),
        st.lists(st.integers(0, 5), min_size=1, max_size=6),
    ),
    max_size=14,
    unique_by=lambda one: one.record_id,
)


def said(found: Annotation) -> object:
    """All that an annotation says."""
    shared = {other: mask.tolist() for other, mask in found.shared.items()}
    return found.record_id, found.crosses, shared, found.circle.tobytes()


def compared(some: list[Sketch], config: Config = CONFIG, limit: int = BLOCK) -> list[object]:
    """What the comparison finds."""
    with cut_at(limit):
        return [said(annotation) for annotation in compare(some, config)]


@settings(max_examples=60)
@given(sketches, st.randoms(use_true_random=False), st.sampled_from([3, 4096]))
def test_the_order_of_the_sketches_changes_nothing(some, rng, limit):
    shuffled = rng.sample(some, len(some))
    assert compared(some, limit=limit) == compared(shuffled, limit=limit)


@settings(max_examples=60)
@given(sketches)
def test_a_block_is_compared_like_its_sketches_alone(some):
    other = [replace(one, site="b", record_id=f"b{one.record_id}") for one in some]
    alone = [said(found)[1:3] for found in compare_block(some, CONFIG)]
    both = compared([*some, *other])
    assert [one[1:3] for one in both[len(alone) :]] == alone
    assert len(both) == 2 * len(alone)


@settings(max_examples=40)
@given(sketches)
def test_every_member_of_a_cross_is_diffed_and_nobody_else(some):
    by_id = {one.record_id: one for one in some}
    for engine in ("fast", "lxml"):
        for found in compare(by_id.values(), replace(CONFIG, diff_engine=engine)):
            cur = by_id[found.record_id]
            others = sorted({m for c in found.crosses for m in c.members[1:] if m is not None})
            assert list(found.shared) == others
            for other, mask in found.shared.items():
                pair = [(one.words, one.ends) for one in (cur, by_id[other])]
                alone = align(texts_of(pair), np.array([0]), np.array([1]), 10**6)
                lxml = match(cur.words, by_id[other].words)
                expected = next(alone) if engine == "fast" else lxml
                assert mask.tolist() == expected.tolist()


@given(sketches)
def test_whoever_shares_a_band_with_another_url_or_has_snapshots_has_a_cross(some):
    # Of a URL only the nearest snapshot is asked, and it is no neighbour if its text is the same.
    some = list({one.words.tobytes(): one for one in some}.values())
    ordered = sorted(some, key=in_order)
    near = buckets(ordered, CONFIG.template_similarity)
    partners = {ordered[number].record_id for bucket in near for number in bucket}
    found = {found.record_id: found.knows_other_pages for found in compare_block(some, CONFIG)}
    assert {record_id for record_id, knows in found.items() if knows} == partners
    snapshots = Counter(one.surt for one in some)
    others = {one.record_id for one in some if snapshots[one.surt] > 1} - partners
    assert found.keys() - partners == others


def test_equal_buckets_count_once_and_those_of_one_url_not_at_all():
    alike = [sketch(f"{n}", url, n, 0, [n]) for n, url in enumerate("aabb")]
    assert buckets(alike, CONFIG.template_similarity) == [(0, 1, 2, 3)]
    assert buckets(alike[:2], CONFIG.template_similarity) == []


def test_buckets_come_by_their_band():
    one, other, third = (sketch(url, url, 0, 0, [n]) for n, url in enumerate("abc"))
    first = replace(other, signature=np.where(np.arange(16) < 8, one.signature, 77))
    second = replace(third, signature=np.where(np.arange(16) < 8, 88, one.signature))
    found = buckets([one, first, second], CONFIG.template_similarity)
    assert found == [(0, 1), (0, 2)]


@pytest.mark.parametrize(("across", "crosses"), [(False, 0), (True, 2)])
def test_pages_of_two_sites_are_compared_when_asked_for(across, crosses):
    one, other = (sketch(url, url, 0, 0, [n]) for n, url in enumerate("ab"))
    both = [one, replace(other, site="other.example")]
    assert len(compared(both, replace(CONFIG, across_sites=across))) == crosses
