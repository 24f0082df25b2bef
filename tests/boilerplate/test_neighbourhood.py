"""Stage 2 as a whole: which captures count, which join as snapshots, who is compared, what is said of the rest."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce import boilerplate, model
from dbce.archive import EMPTY_DIGESTS
from dbce.boilerplate.neighbourhood import Claim, Original, Revisit, neighbourhood, resolve
from dbce.boilerplate.sketch import sketch
from dbce.model import Config, Reason, Resolution, Sketch
from tests.site import page, snapshots

PATTERNS = Config(method="T002")
NOON = datetime(2016, 1, 1, 12, tzinfo=UTC)


class Thin(NamedTuple):
    """A page without its words, which the rules do not ask for."""

    record_id: str
    site: str = "harbour.example"
    surt: str = "example,harbour)/ferry"
    timestamp: datetime = NOON


def revisit(record_id: str, refers_to: str = "", digest: str = "") -> Revisit:
    later = NOON + timedelta(days=1)
    return Revisit(
        *(record_id, "harbour.example", "example,harbour)/ferry", later, digest, True),
        *(refers_to, "", "", None),
    )


def original(record_id: str, *, is_dropped: bool = False, digest: str = "") -> Original:
    return Original(is_dropped, NOON, record_id, "example,harbour)/ferry", digest, True)


def test_of_one_record_id_the_page_counts_and_then_what_is_known_and_then_the_first():
    """So the claims are ordered."""
    in_order = [
        Claim(is_revisit=False, is_new=False, name="b", number=9),
        Claim(is_revisit=False, is_new=True, name="a", number=2),
        Claim(is_revisit=False, is_new=True, name="a", number=10),
        Claim(is_revisit=False, is_new=True, name="b", number=1),
        Claim(is_revisit=True, is_new=False, name="a", number=0),
        Claim(is_revisit=True, is_new=True, name="a", number=0),
    ]
    for number, first in enumerate(in_order):
        claims = [(c, (c.place, one(c))) for c in in_order[number:]]
        known = [claim for c, claim in claims if not c.is_new]
        near = neighbourhood([claim for c, claim in claims[::-1] if c.is_new], (), known)
        is_new = first.is_new and not first.is_revisit
        assert near.to_compare == ({"urn:x": first.place} if is_new else {})
        again = {c.place for c in in_order[number + 1 :] if c.is_new}
        repeated = {at for at, said in near.repeats.items() if said == boilerplate.DUPLICATE}
        assert repeated == again


def one(claim: Claim) -> Thin | Revisit:
    return revisit("urn:x") if claim.is_revisit else Thin("urn:x")


def test_a_revisit_that_repeats_a_page_joins_and_the_others_say_why_not():
    new = [
        (("a", 0), Thin("urn:ferry")),
        (("a", 1), revisit("urn:again", "urn:ferry")),
        (("a", 2), revisit("urn:moved", "urn:redirect")),
        (("a", 3), revisit("urn:lost", "urn:nowhere")),
        (("a", 4), revisit("urn:silent")),
    ]
    near = neighbourhood(new, [original("urn:ferry"), original("urn:redirect", is_dropped=True)])
    assert near.pages == {"urn:ferry": Thin("urn:ferry")}
    assert near.snapshots == {"urn:again": (new[1][1], Thin("urn:ferry"))}
    assert near.to_compare == {"urn:ferry": ("a", 0)}
    assert {
        number: (said.reason, said.original, said.original_time)
        for (_, number), said in near.repeats.items()
    } == {
        1: (Reason.UNCHANGED, "urn:ferry", NOON),
        2: (Reason.UNCHANGED_NO_PAGE, "urn:redirect", NOON),
        3: (Reason.REVISIT, "", None),
        4: (Reason.REVISIT, "", None),
    }


def test_what_is_known_from_before_is_compared_with_and_nothing_is_said_of_it():
    known = [
        (("old", 0), Thin("urn:ferry")),
        (("old", 1), revisit("urn:again", "urn:ferry")),
        (("old", 2), revisit("urn:again", "urn:ferry")),
        (("old", 3), revisit("urn:lost", "urn:nowhere")),
    ]
    near = neighbourhood([(("new", 0), Thin("urn:clocks"))], [original("urn:ferry")], known)
    assert near.pages.keys() == {"urn:ferry", "urn:clocks"}
    assert near.snapshots.keys() == {"urn:again"}
    assert near.to_compare == {"urn:clocks": ("new", 0)}
    assert near.repeats == {}


def test_a_new_page_tells_what_a_known_revisit_repeats():
    known = [(("old", 0), revisit("urn:again", "urn:ferry"))]
    new = [(("new", 0), Thin("urn:ferry"))]
    assert neighbourhood((), (), known).snapshots == {}
    assert neighbourhood(new, [original("urn:ferry")], known).snapshots.keys() == {"urn:again"}


def test_without_revisits_no_capture_is_asked_for():
    nobody = iter(lambda: pytest.fail("asked for a capture"), None)
    assert neighbourhood([(("a", 0), Thin("urn:ferry"))], nobody).repeats == {}


record_ids = st.sampled_from(["urn:a", "urn:b", "urn:c"])
captures = st.lists(
    st.builds(Thin, record_ids) | st.builds(revisit, record_ids, record_ids), max_size=8
)


@given(captures, captures, st.randoms(use_true_random=False))
def test_every_new_capture_is_compared_or_has_its_reason_in_whatever_order(known, new, rng):
    """And nothing is both page and snapshot."""
    known = [(("old", number), one) for number, one in enumerate(known)]
    new = [(("new", number), one) for number, one in enumerate(new)]
    pages = {one.record_id for _, one in [*known, *new] if isinstance(one, Thin)}
    originals = [original(record_id) for record_id in sorted(pages)]
    near = neighbourhood(new, originals, known)
    assert near.pages.keys() == pages
    places = sorted([*near.to_compare.values(), *near.repeats])
    assert len(places) == len(set(places))
    alone = [one for place, one in new if place not in places]
    assert all(isinstance(one, Thin) and near.pages[one.record_id] != one for one in alone)
    assert {place for place, _ in new} >= set(places)
    assert pages.isdisjoint(near.snapshots)
    for record_id, (again, its_page) in near.snapshots.items():
        assert (again.record_id, again.refers_to) == (record_id, its_page.record_id)
    shuffled = (rng.sample(some, len(some)) for some in (new, originals, known))
    other = neighbourhood(*shuffled)
    for name in ("pages", "to_compare", "repeats"):
        assert getattr(other, name) == getattr(near, name)
    assert other.snapshots.keys() == near.snapshots.keys()


def sketched(*years: int) -> list[Sketch]:
    pages = [sketch(one, PATTERNS) for year in years for one in snapshots(year)]
    return [one for one in pages if isinstance(one, Sketch)]


def test_new_pages_alone_get_annotations_and_revisits_count_as_snapshots():
    ferry, *others = sketched(2014)
    again = replace(revisit("urn:again", ferry.record_id), surt=ferry.surt, site=ferry.site)
    new = [(("new", 0), again), *((("new", n), one) for n, one in enumerate(others, 1))]
    near = neighbourhood(new, [original(ferry.record_id)], [(("old", 0), ferry)])
    assert boilerplate.members(near)["urn:again"].words is ferry.words
    results = dict(boilerplate.compare_neighbourhood(near, PATTERNS))
    assert results.keys() == {("new", n) for n in range(1, len(others) + 1)}
    known = replace(near, to_compare={ferry.record_id: ("old", 0)})
    ((_, annotation),) = boilerplate.compare_neighbourhood(known, PATTERNS)
    assert isinstance(annotation, model.Annotation)
    assert annotation.crosses[0].next == "urn:again"


def test_a_page_that_comparing_fails_with_has_that_as_its_reason():
    bad, *others = sketched(2014)
    broken = replace(bad, ends=bad.ends[:0])
    new = [(("new", n), one) for n, one in enumerate([broken, *others])]
    results = dict(boilerplate.compare_neighbourhood(neighbourhood(new, ()), PATTERNS))
    repeat = results.pop(("new", 0))
    assert isinstance(repeat, model.Repeat)
    assert (repeat.reason, repeat.resolution) == (Reason.FAULT, None)
    assert all(isinstance(one, model.Annotation) for one in results.values())
    assert len(results) == len(others)


# What a revisit repeats: the rules, their order, and what each makes of it.


FERRY = Original(False, NOON, "urn:ferry", "example,harbour)/ferry", "sha1:FERRY", True)
SILENT = Revisit(
    *("urn:again", "harbour.example", "example,harbour)/again", NOON + timedelta(days=1), "", True),
    *("", "", "", None),
)
"""A revisit that says nothing of what it repeats."""


def found(revisit: Revisit, *captures: Original) -> tuple[Resolution, str | None]:
    """The rule and the record id of what the revisit repeats among the captures."""
    resolution, original = resolve([revisit], captures)[revisit.record_id]
    return resolution, original and original.record_id


@pytest.mark.parametrize("digest", sorted(EMPTY_DIGESTS)[::3])
def test_the_digest_of_nothing_counts_at_the_same_url_only(digest):
    redirect = replace(FERRY, digest=digest, is_dropped=True)
    again = replace(SILENT, digest=digest)
    assert found(again, redirect) == (Resolution.NOT_HERE, None)
    assert found(replace(again, surt=FERRY.surt), redirect)[0] is Resolution.KEY_AND_DIGEST


names = st.sampled_from(["a", "b", "c"])
times = st.integers(0, 3).map(lambda n: NOON + timedelta(seconds=n / 2))
originals = st.builds(
    Original, st.booleans(), times, names, names, names | st.just(""), st.just(True)
)
revisits = st.lists(
    st.builds(
        Revisit,
        *(st.uuids().map(str), st.just("site"), names, times, names | st.just(""), st.just(True)),
        *(names | st.just(""), st.just("site"), names | st.just(""), times | st.none()),
    ),
    max_size=4,
)


def one_by_one(
    revisit: Revisit, captures: Sequence[Original]
) -> tuple[Resolution, Original | None]:
    """The rules as they are told, without an index."""

    def second(time: datetime | None) -> str:
        return f"{time:%H%M%S}" if time else ""

    at = second(revisit.refers_to_time)
    digest = revisit.digest
    fits: dict[Resolution, Callable[[Original], object]] = {
        Resolution.RECORD_ID: lambda c: c.record_id == revisit.refers_to,
        Resolution.URI_AND_DATE: lambda c: (
            (c.surt, second(c.timestamp)) == (revisit.refers_to_surt, at)
        ),
        Resolution.KEY_AND_DIGEST: lambda c: (
            digest and (c.surt, c.digest) == (revisit.surt, digest)
        ),
        Resolution.DIGEST: lambda c: digest and c.digest == digest,
    }
    for rule, fit in fits.items():
        if those := [capture for capture in captures if fit(capture)]:
            return rule, min(those)
    earlier = [] if at else [c for c in captures if c.surt == revisit.refers_to_surt]
    if earlier := [c for c in earlier if c.timestamp < revisit.timestamp]:
        last = max(earlier, key=lambda c: (not c.is_dropped, c.timestamp)).timestamp
        return Resolution.EARLIER, min(c for c in earlier if c.timestamp == last)
    says = revisit.refers_to or revisit.refers_to_surt or digest
    return (Resolution.NOT_HERE if says else Resolution.NOTHING_TO_GO_BY), None


@settings(max_examples=500)
@given(revisits, st.lists(originals, max_size=8), st.randoms(use_true_random=False))
def test_one_pass_in_any_order_finds_what_the_rules_say(some, captures, rng):
    expected = {one.record_id: one_by_one(one, captures) for one in some}
    assert resolve(some, captures) == expected
    assert resolve(some, rng.sample(captures, len(captures))) == expected


def test_what_is_looked_through_are_its_own_site_and_the_one_that_it_refers_to():
    revisits = [SILENT, replace(SILENT, refers_to_site="quay.example")]
    assert boilerplate.sites_of(revisits) == {"harbour.example", "quay.example"}


def test_a_snapshot_has_the_text_of_the_one_and_the_place_and_time_of_the_other():
    original = sketch(page("ferry"), Config())
    again = boilerplate.snapshot(SILENT, original)
    for name in (one.name for one in fields(Sketch)):
        of = original if name in boilerplate.TEXTS else SILENT
        assert getattr(again, name) is getattr(of, name)


DROPPED = model.Reject(
    *(model.Status.SKIPPED, Reason.REVISIT, model.Stage.READ, "", model.Origin("x", 0, 1)),
    *("urn:a", "http://www.harbour.example/again"),
    surt="example,harbour)/again",
    timestamp=NOON,
)


def test_a_revisit_is_read_with_keys_and_sites_of_both_urls():
    said = model.Reference("urn:b", "https://WWW.Quay.example:443/?b&a", NOON)
    one = boilerplate.revisit_of(replace(DROPPED, refers_to=said), "host")
    assert (one.site, one.refers_to_site) == ("harbour.example", "quay.example")
    assert one.refers_to_surt == "example,quay)/?a&b"
    assert boilerplate.revisit_of(DROPPED, "host") is None, "no revisit"


def test_a_picture_is_html_if_what_it_repeats_is():
    said = model.Reference("urn:ferry", "", None)
    one = replace(DROPPED, refers_to=said, is_html=False)
    repeat = boilerplate.repeat_of((Resolution.RECORD_ID, FERRY))
    assert boilerplate.with_repeat(one, repeat).is_html
    assert not boilerplate.with_repeat(one, boilerplate.DUPLICATE).is_html


def test_what_has_no_record_id_or_no_date_is_no_original():
    assert boilerplate.original_of(DROPPED, is_dropped=True) is not None
    for lacking in ({"record_id": ""}, {"timestamp": None}):
        assert boilerplate.original_of(replace(DROPPED, **lacking), is_dropped=True) is None
