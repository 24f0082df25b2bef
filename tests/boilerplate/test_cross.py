"""Who is compared with whom."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.archive import surt
from dbce.boilerplate import cross as module
from dbce.boilerplate.cross import NOBODY, as_values, crosses, members_of
from dbce.model import Cross, Sketch
from tests.boilerplate.builders import SIZE, entry


def found(*bucket: Sketch, limit: int = 64, circle: int = 2) -> dict[str, Cross]:
    """The crosses of a bucket that is all of its block."""
    members = members_of(bucket)
    rows = crosses(members, [range(len(bucket))], limit, circle)
    return {cross.cur: cross for cross in as_values(members, rows)}


def test_a_cross_tells_how_similar_its_members_are():
    cross = found(entry("a"), entry("b", like=5), entry("c", like=8), entry("d", like=3))["a@0"]
    assert (cross.similarity_up, cross.similarity_down) == (0.8, 0.5)
    assert found(entry("a"), entry("b", like=2))["a@0"].similarity_down == 0.0


buckets = st.lists(
    st.builds(
        entry,
        st.sampled_from("abcdef"),
        st.integers(-3, 3),
        st.integers(0, SIZE),
        st.integers(0, 3),
        record_id=st.integers(0, 99).map(str),
    ),
    min_size=1,
    max_size=20,
    unique_by=lambda one: one.record_id,
)


def plainly(bucket: list[Sketch], circle: int) -> dict[str, tuple]:
    """(*prev*, *next*, *up*, *down* and further ones) of each capture, by looking at all of the bucket."""
    nearest = {}
    for cur in bucket:
        of_url = {}
        for other in sorted(bucket, key=lambda o: (o.surt, o.timestamp, o.record_id)):
            own = of_url.setdefault(other.surt, [])
            own.append(other)
        chosen = []
        for url, snapshots in of_url.items():
            earlier = [s for s in snapshots if s.timestamp < cur.timestamp][-1:]
            later = [s for s in snapshots if s.timestamp >= cur.timestamp][:1]
            if url != cur.surt:
                # With nothing after it, the last of equally late ones is not told from the one before.
                both = earlier + later if later else snapshots[-2:]
                chosen.append(min(both, key=lambda s: abs(s.timestamp - cur.timestamp)))
        alike = [
            (
                -(o.signature == cur.signature).sum(),
                abs(o.timestamp - cur.timestamp),
                place,
                o.record_id,
            )
            for place, o in enumerate(chosen)
            if o.words != cur.words
        ]
        if alike:
            place = cur.timestamp, cur.record_id
            own = sorted((o.timestamp, o.record_id) for o in bucket if o.surt == cur.surt)
            before, after = [o for o in own if o < place], [o for o in own if o > place]
            around = before[-1][1] if before else None, after[0][1] if after else None
            nearest[cur.record_id] = *around, *(o[-1] for o in sorted(alike)[:circle])
    return nearest


@settings(max_examples=150)
@given(buckets, st.integers(2, 9))
def test_where_all_are_candidates_the_nearest_of_all_are_found(bucket, circle):
    named = {
        cur: (cross.prev, cross.next, cross.up, *filter(None, (cross.down, *cross.further)))
        for cur, cross in found(*bucket, circle=circle).items()
    }
    assert named == plainly(bucket, circle)


@given(buckets, st.lists(st.integers(0, 19), max_size=20))
def test_who_has_no_cross_in_a_bucket_has_one_of_its_snapshots_in_the_block(block, inside):
    members = members_of(block)
    bucket = sorted({number for number in inside if number < len(block)})
    of_bucket = crosses(members, [bucket], 64, 4)
    found = list(as_values(members, module.with_lone_captures(members, of_bucket)))
    assert found[: len(of_bucket)] == list(as_values(members, of_bucket)), "others stay as they are"
    partnered = {cross.cur for cross in found[: len(of_bucket)]}
    by_url: dict[str, list[str]] = {}
    for one in sorted(block, key=lambda one: (one.surt, one.timestamp, one.record_id)):
        by_url.setdefault(one.surt, []).append(one.record_id)
    expected = [
        Cross(cur, None, None, before, after, 0.0, 0.0)
        for ids in by_url.values()
        for before, cur, after in zip([None, *ids], ids, [*ids[1:], None], strict=False)
        if cur not in partnered and (before or after)
    ]
    lone = found[len(of_bucket) :]
    snapshots = [one for one in lone if one.prev or one.next]
    assert [replace(one, variant_of=None) for one in snapshots] == expected
    assert all(one.variant_of for one in lone if one not in snapshots)


@given(buckets, buckets, st.integers(2, 8))
def test_many_buckets_are_as_each_for_itself(one, other, limit):
    both = {e.record_id: e for e in (*one, *other)}
    members = members_of(both.values())
    numbers = [
        [n for n, name in enumerate(members.record_ids) if name in {e.record_id for e in bucket}]
        for bucket in (one, other)
    ]
    rows = crosses(members, numbers, limit, 5)
    apart = [as_values(members, crosses(members, [some], limit, 5)) for some in numbers]
    assert list(as_values(members, rows)) == [*apart[0], *apart[1]]


@pytest.mark.parametrize("snapshots", [1, 3])
@pytest.mark.parametrize("limit", [2, 7, 64])
def test_a_large_bucket_gives_each_capture_a_bounded_number_of_candidates(limit, snapshots):
    urls = [f"url-{number:03}" for number in range(500)]
    members = members_of([entry(url, time) for url in urls for time in range(snapshots)])
    numbers = range(len(members))
    seen = []
    side_by_side = module.side_by_side(members, [numbers])
    for rows, theirs in module.candidates(side_by_side, limit):
        assert set((theirs != NOBODY).sum(axis=1)) == {limit}
        seen += rows.tolist()
    assert sorted(seen) == list(numbers)


def test_candidates_are_the_urls_around_in_sort_key_order():
    bucket = [entry("a"), *(entry(f"b{n}", like=3) for n in range(8)), entry("z")]
    assert found(*bucket, limit=8)["a@0"].up == "b0@0"
    assert found(*bucket, limit=9)["a@0"].up == "z@0"


@pytest.mark.parametrize("cur", range(0, 30, 29))
def test_at_the_rim_of_a_bucket_there_are_as_many_candidates_as_inside(cur):
    bucket = [entry(f"u{n:02}", like=1 if abs(n - cur) < 6 else 9) for n in range(30)]
    own = entry(f"u{cur:02}")
    bucket[cur] = own
    similarity = found(*bucket, limit=6)[own.record_id].similarity_up
    assert similarity == 0.9, "the sixth URL from the rim is still looked at"


def cross(cur: str = "cur", up: str = "up", down: str | None = None, **others) -> Cross:
    defaults = {"prev": None, "next": None, "similarity_up": 0.5, "similarity_down": 0.0}
    return Cross(cur, up, down, **defaults | others)


def the_strongest(found: list[Cross], limit: int = 9) -> list[Cross]:
    """Of such crosses, given as from several buckets."""
    names = sorted({m for c in found for m in (*c.members, *c.further) if m is not None})
    number = {name: n for n, name in enumerate(names)} | {None: NOBODY}
    order = np.arange(len(names))
    alike = np.zeros((len(names), len(names)), dtype=np.uint8)
    for c in found:
        for other, similarity in ((c.up, c.similarity_up), (c.down, c.similarity_down)):
            if other is not None:
                alike[number[c.cur], number[other]] = round(similarity * SIZE)
    members = module.Members(tuple(names), order, order, order, order, order, alike, SIZE)
    roles = np.array([[number[m] for m in c.members] for c in found])
    further = np.full((len(found), 3), NOBODY)
    for row, c in zip(further, found, strict=True):
        row[: len(c.further)] = [number[m] for m in c.further]
    return list(as_values(members, module.strongest(members, np.hstack((roles, further)), limit)))


STRONGEST = [
    cross(up="e", similarity_up=0.9),
    cross(up="d", down="d2", similarity_up=0.8, similarity_down=0.7),
    cross(up="c", down="c2", prev="p", similarity_up=0.8, similarity_down=0.6),
    cross(up="b", down="b2", similarity_up=0.8, similarity_down=0.6),
    cross(up="a", similarity_up=0.1),
]
ALIKE = [cross(up="b", next="n"), cross(up="b", prev="n"), cross(up="a"), cross(up="c")]
FURTHER = [cross(further=names) for names in (("a",), ("b",), ("a", "b"))]


@pytest.mark.parametrize(
    ("ordered", "given"),
    [
        # Equal crosses from several buckets count once.
        ([cross(), cross(up="x")], [cross(), cross(up="x"), cross(), cross()]),
        # The strongest has the most similar up, then down, then most members.
        (STRONGEST, STRONGEST[::-1]),
        # Those of each capture are ranked for themselves, and of equal strength by their members.
        (ALIKE, ALIKE[::-1]),
        # Of equal crosses the same is kept in whatever order they come.
        (FURTHER[:1], FURTHER),
        (FURTHER[:1], FURTHER[::-1]),
    ],
)
def test_crosses_are_ordered_by_their_strength(ordered, given):
    assert the_strongest(given) == ordered


def test_so_many_are_kept_of_each_capture():
    assert the_strongest(STRONGEST[::-1], 2) == STRONGEST[:2]
    of_two = [cross("b", "x", similarity_up=0.2), cross("a", "x", similarity_up=0.1)]
    more = [cross("b", "y", similarity_up=0.4), cross("a", "y", similarity_up=0.3)]
    assert the_strongest(of_two + more, 1) == more[::-1]


# Addresses of translations.


SITE = "http://harbour.example"


@pytest.mark.parametrize(
    ("address", "original"),
    [
        ("/de/ferry", "/ferry"),
        ("/docs/pt-BR/ferry.html", "/docs/ferry.html"),
        ("/docs/zh_hans/ferry", "/docs/ferry"),
        ("/es-419/", "/"),
        ("/jp", "/"),
        ("/ferry?lang=de", "/ferry"),
        ("/ferry?day=3&hl=ru", "/ferry?day=3"),
        ("/ferry.de.html", "/ferry.html"),
        ("/ferry.html.de", "/ferry.html"),
        ("/de/grammar/ru/verbs", "/grammar/ru/verbs"),
        *((own, own) for own in ("/", "/news/ferry", "/xx/ferry", "/d/ferry", "/dex/ferry")),
        *((own, own) for own in ("/en2/a", "/ferry?q=de", "/ferry.pl", "/ferry.v2.html")),
        ("/ferry.htm?x=1", "/ferry.htm?x=1"),
    ],
)
def test_the_document_of_a_translation_has_its_address_without_the_language(address, original):
    assert module.document(surt(f"{SITE}{address}")) == surt(f"{SITE}{original}")
