"""Who is compared with whom."""

from __future__ import annotations

from itertools import product
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.cross import Entry, crosses, strongest
from dbce.model import Cross

SIZE = 10
"""Values of a signature; so similarities are tenths."""


def entry(
    url: str, time: int = 0, like: int = SIZE, text: int | None = None, **other: str
) -> Entry:
    """A capture whose signature agrees with that of others in at most `like` places."""
    record_id = other.get("record_id", f"{url}@{time}")
    signature = np.array([0] * like + [hash_of(record_id)] * (SIZE - like), dtype=np.uint32)
    return Entry(record_id, url, time, hash_of(record_id) if text is None else text, signature)


def hash_of(name: str) -> int:
    return crc32(name.encode())


def found(*bucket: Entry, candidates: int = 64, circle: int = 2) -> dict[str, Cross]:
    return {cross.cur: cross for cross in crosses(bucket, candidates, circle)}


def test_up_is_the_most_similar_other_url_and_down_the_second():
    cross = found(entry("a"), entry("b", like=5), entry("c", like=8), entry("d", like=3))["a@0"]
    assert (cross.up, cross.down) == ("c@0", "b@0")
    assert (cross.similarity_up, cross.similarity_down) == (0.8, 0.5)


def test_snapshots_of_the_same_url_are_never_up_or_down():
    bucket = [entry("a", time) for time in range(5)] + [entry("b", like=2)]
    cross = found(*bucket)["a@2"]
    assert (cross.up, cross.down) == ("b@0", None)
    assert cross.similarity_down == 0.0


def test_snapshots_of_one_other_url_are_not_both_up_and_down():
    cross = found(entry("a", 5), entry("b", 4), entry("b", 6), entry("c", 5, like=2))["a@5"]
    assert {cross.up, cross.down} == {"b@4", "c@5"}


def test_of_another_url_the_snapshot_nearest_in_time_is_the_candidate():
    cross = found(entry("a", 50), entry("b", 10, like=9), entry("b", 47, like=4), entry("b", 60))
    assert cross["a@50"].up == "b@47"


def test_equally_similar_ones_are_taken_by_distance_in_time():
    cross = found(entry("a", 50), entry("b", 90), entry("c", 45), entry("d", 60))["a@50"]
    assert (cross.up, cross.down) == ("c@45", "d@60")


def test_equally_similar_and_equally_far_ones_are_taken_by_url():
    cross = found(entry("b", 50), entry("d", 60), entry("a", 60), entry("c", 40))["b@50"]
    assert (cross.up, cross.down) == ("a@60", "c@40")


def test_prev_and_next_are_the_snapshots_just_before_and_after():
    times = (50, 10, 45, 90, 70)
    cross = found(*(entry("a", time) for time in times), entry("b"))["a@50"]
    assert (cross.prev, cross.next) == ("a@45", "a@70")


@pytest.mark.parametrize(("time", "bits"), [(1, "11001"), (2, "11011"), (3, "11010")])
def test_the_first_snapshot_has_no_prev_and_the_last_no_next(time, bits):
    bucket = [entry("a", t) for t in (1, 2, 3)] + [entry("b")]
    assert found(*bucket)[f"a@{time}"].bits == bits


@pytest.mark.parametrize("bucket", [[], [entry("a")], [entry("a", time) for time in range(4)]])
def test_without_another_url_there_is_no_cross(bucket):
    assert found(*bucket) == {}


def test_the_same_text_under_another_url_is_no_neighbour():
    mirror = [entry("a", text=7), entry("print", text=7)]
    assert found(*mirror) == {}
    cross = found(*mirror, entry("b", like=3))["a@0"]
    assert (cross.up, cross.down) == ("b@0", None)


def test_an_unchanged_snapshot_of_the_same_url_is_a_neighbour():
    cross = found(entry("a", 1, text=7), entry("a", 2, text=7), entry("b"))["a@1"]
    assert cross.next == "a@2"


@pytest.mark.parametrize(
    ("down", "before", "after"), list(product((False, True), repeat=3)), ids=lambda on: f"{on:d}"
)
def test_the_cross_bits_tell_who_is_there(down, before, after):
    bucket = [entry("a", 50), entry("b", 50)]
    bucket += [entry("c", 50)] * down + [entry("a", 40)] * before + [entry("a", 60)] * after
    cross = found(*bucket)["a@50"]
    assert cross.bits == f"11{down:d}{before:d}{after:d}"
    assert cross.members[0] == "a@50"


buckets = st.lists(
    st.builds(
        entry,
        st.sampled_from("abcdef"),
        st.integers(-3, 3),
        st.integers(0, SIZE),
        st.integers(0, 3),
        record_id=st.integers(0, 99).map(str),
    ),
    max_size=20,
    unique_by=lambda one: one.record_id,
)


@settings(max_examples=150)
@given(buckets, st.randoms(use_true_random=False), st.integers(2, 8))
def test_the_order_of_the_bucket_does_not_matter(bucket, rng, candidates):
    shuffled = rng.sample(bucket, len(bucket))
    assert found(*bucket, candidates=candidates) == found(*shuffled, candidates=candidates)


@settings(max_examples=150)
@given(buckets)
def test_every_cross_keeps_the_definition(bucket):
    by_id = {one.record_id: one for one in bucket}
    for cur, cross in found(*bucket).items():
        own = by_id[cur]
        others = [by_id[m] for m in (cross.up, cross.down) if m is not None]
        assert own.surt not in {other.surt for other in others}
        assert len({other.surt for other in others}) == len(others)
        assert own.text not in {other.text for other in others}
        assert cross.similarity_up >= cross.similarity_down
        snapshots = [one for one in bucket if one.surt == own.surt]
        place = (own.time, own.record_id)
        earlier = [(s.time, s.record_id) for s in snapshots if (s.time, s.record_id) < place]
        later = [(s.time, s.record_id) for s in snapshots if (s.time, s.record_id) > place]
        assert cross.prev == (max(earlier)[1] if earlier else None)
        assert cross.next == (min(later)[1] if later else None)


class Counted(np.ndarray):
    """A signature that counts the signatures it is compared with."""

    compared: int

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        if ufunc is np.equal:
            self.compared += max(one.size for one in inputs) // SIZE
        return getattr(ufunc, method)(*map(np.asarray, inputs), **options)


@pytest.mark.parametrize("snapshots", [1, 3])
@pytest.mark.parametrize("candidates", [2, 7, 64])
def test_a_large_bucket_costs_each_capture_a_bounded_number_of_comparisons(candidates, snapshots):
    bucket = []
    for number in range(500):
        for time in range(snapshots):
            one = entry(f"url-{number:03}", time, like=number % SIZE)
            counted = one.signature.view(Counted)
            counted.compared = 0
            bucket.append(Entry(one.record_id, one.surt, time, one.text, counted))
    assert len(found(*bucket, candidates=candidates)) == len(bucket)
    assert {one.signature.compared for one in bucket} == {candidates}


def test_further_ones_are_the_next_most_similar_of_other_urls():
    bucket = [entry("a"), entry("a", 1), *(entry(f"b{n}", like=n) for n in range(1, 9))]
    cross = found(*bucket, circle=5)["a@0"]
    assert (cross.up, cross.down) == ("b8@0", "b7@0")
    assert cross.further == ("b6@0", "b5@0", "b4@0")
    assert found(*bucket, circle=64)["a@0"].further[-1] == "b1@0"


def test_a_circle_of_two_is_the_cross():
    bucket = [entry(url) for url in "abcd"]
    assert all(cross.further == () for cross in found(*bucket, circle=2).values())


@given(buckets, st.integers(2, 9))
def test_a_wider_circle_changes_no_cross(bucket, circle):
    narrow, wide = found(*bucket), found(*bucket, circle=circle)
    assert {cur: cross.members for cur, cross in narrow.items()} == {
        cur: cross.members for cur, cross in wide.items()
    }
    by_id = {one.record_id: one for one in bucket}
    for cur, cross in wide.items():
        urls = [by_id[m].surt for m in (cross.up, cross.down, *cross.further) if m is not None]
        assert len(set(urls)) == len(urls) <= circle
        assert by_id[cur].surt not in urls


def test_candidates_are_the_urls_around_in_sort_key_order():
    bucket = [entry("a"), *(entry(f"b{n}", like=3) for n in range(8)), entry("z")]
    assert found(*bucket, candidates=8)["a@0"].up == "b0@0"
    assert found(*bucket, candidates=9)["a@0"].up == "z@0"


@pytest.mark.parametrize("cur", range(0, 30, 29))
def test_at_the_rim_of_a_bucket_there_are_as_many_candidates_as_inside(cur):
    bucket = [entry(f"u{n:02}", like=1 if abs(n - cur) < 6 else 9) for n in range(30)]
    own = entry(f"u{cur:02}")
    bucket[cur] = own
    similarity = found(*bucket, candidates=6)[own.record_id].similarity_up
    assert similarity == 0.9, "the sixth URL from the rim is still looked at"


def cross(cur: str = "cur", up: str = "up", down: str | None = None, **others) -> Cross:
    defaults = {"prev": None, "next": None, "similarity_up": 0.5, "similarity_down": 0.0}
    return Cross(cur, up, down, **defaults | others)


def test_equal_crosses_from_several_buckets_count_once():
    assert strongest([cross(), cross(), cross(up="x"), cross()], 9) == (cross(), cross(up="x"))


def test_the_strongest_cross_has_the_most_similar_up_then_down_then_most_members():
    ordered = [
        cross(up="e", similarity_up=0.9),
        cross(up="d", down="d2", similarity_up=0.8, similarity_down=0.7),
        cross(up="c", down="c2", prev="p", similarity_up=0.8, similarity_down=0.6),
        cross(up="b", down="b2", similarity_up=0.8, similarity_down=0.6),
        cross(up="a", similarity_up=0.1),
    ]
    assert strongest(reversed(ordered), 9) == tuple(ordered)
    assert strongest(ordered, 2) == tuple(ordered[:2])


def test_of_equal_crosses_the_same_is_kept_in_whatever_order_they_come():
    one, other = cross(further=("a",)), cross(further=("b",))
    assert strongest([one, other], 9) == strongest([other, one], 9) == (one,)


def test_crosses_of_equal_strength_are_ordered_by_their_members():
    ordered = (cross(up="a"), cross(up="b"), cross(up="c"))
    assert strongest((ordered[2], ordered[0], ordered[1]), 9) == ordered
