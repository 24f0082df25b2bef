"""Stage 2 as a whole: which captures count, which join as snapshots, who is asked, what is said of the rest."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate import Claim, Original, Revisit, compared, members, neighbourhood
from dbce.boilerplate.neighbourhood import DUPLICATE
from dbce.boilerplate.sketch import sketch
from dbce.model import Annotation, Config, Reason, Repeat, Resolution, Sketch
from tests.site import snapshots

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
        known = [(c.place, one(c)) for c in in_order[number:] if not c.is_new]
        new = [(c.place, one(c)) for c in reversed(in_order[number:]) if c.is_new]
        near = neighbourhood(new, (), known)
        assert near.asked == ({"urn:x": first.place} if asked(first) else {})
        again = {c.place for c in in_order[number + 1 :] if c.is_new}
        assert {place for place, said in near.repeats.items() if said == DUPLICATE} == again


def one(claim: Claim) -> Thin | Revisit:
    return revisit("urn:x") if claim.is_revisit else Thin("urn:x")


def asked(claim: Claim) -> bool:
    return claim.is_new and not claim.is_revisit


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
    assert near.asked == {"urn:ferry": ("a", 0)}
    assert {number: said.reason for (_, number), said in near.repeats.items()} == {
        1: Reason.UNCHANGED,
        2: Reason.UNCHANGED_NO_PAGE,
        3: Reason.REVISIT,
        4: Reason.REVISIT,
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
    assert near.asked == {"urn:clocks": ("new", 0)}
    assert near.repeats == {}


def test_a_new_page_tells_what_a_known_revisit_repeats():
    known = [(("old", 0), revisit("urn:again", "urn:ferry"))]
    new = [(("new", 0), Thin("urn:ferry"))]
    assert neighbourhood((), (), known).snapshots == {}
    assert neighbourhood(new, [original("urn:ferry")], known).snapshots.keys() == {"urn:again"}


def test_a_revisit_with_the_record_id_of_a_page_repeats_nothing_and_is_no_snapshot():
    new = [(("a", 0), revisit("urn:ferry", "urn:ferry")), (("a", 1), Thin("urn:ferry"))]
    near = neighbourhood(new, [original("urn:ferry")])
    assert (near.snapshots, near.repeats) == ({}, {("a", 0): DUPLICATE})
    assert near.asked == {"urn:ferry": ("a", 1)}


def test_without_revisits_no_capture_is_asked_for():
    nobody = iter(lambda: pytest.fail("asked for a capture"), None)
    assert neighbourhood([(("a", 0), Thin("urn:ferry"))], nobody).repeats == {}


names = st.sampled_from(["urn:a", "urn:b", "urn:c"])
captures = st.lists(st.builds(Thin, names) | st.builds(revisit, names, names), max_size=8)


@given(captures, captures, st.randoms(use_true_random=False))
def test_every_new_capture_is_asked_about_or_has_its_reason_in_whatever_order(known, new, rng):
    """And nothing is both page and snapshot."""
    known = [(("old", number), one) for number, one in enumerate(known)]
    new = [(("new", number), one) for number, one in enumerate(new)]
    pages = {one.record_id for _, one in [*known, *new] if isinstance(one, Thin)}
    originals = [original(record_id) for record_id in sorted(pages)]
    near = neighbourhood(new, originals, known)
    assert near.pages.keys() == pages
    assert sorted([*near.asked.values(), *near.repeats]) == [place for place, _ in new]
    assert pages.isdisjoint(near.snapshots)
    for record_id, (again, repeated) in near.snapshots.items():
        assert (again.record_id, again.refers_to) == (record_id, repeated.record_id)
    shuffled = (rng.sample(some, len(some)) for some in (new, originals, known))
    other = neighbourhood(*shuffled)
    for name in ("pages", "asked", "repeats"):
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
    assert members(near)["urn:again"].words is ferry.words
    results = dict(compared(near, PATTERNS))
    assert results.keys() == {("new", n) for n in range(1, len(others) + 1)}
    here = dict(compared(replace(near, asked={ferry.record_id: ("old", 0)}), PATTERNS))
    (annotation,) = here.values()
    assert isinstance(annotation, Annotation)
    assert annotation.crosses[0].next == "urn:again"


def test_a_page_that_comparing_fails_with_has_that_as_its_reason():
    bad, *others = sketched(2014)
    broken = replace(bad, ends=bad.ends[:0])
    new = [(("new", n), one) for n, one in enumerate([broken, *others])]
    results = dict(compared(neighbourhood(new, ()), PATTERNS))
    repeat = results.pop(("new", 0))
    assert isinstance(repeat, Repeat)
    assert (repeat.reason, repeat.resolution) == (Reason.FAULT, None)
    assert all(isinstance(one, Annotation) for one in results.values())
    assert len(results) == len(others)


def test_a_page_may_be_a_snapshot_of_another_url_by_its_digest():
    known = [(("old", 0), Thin("urn:ferry", surt="example,harbour)/old"))]
    near = neighbourhood(
        [(("new", 0), revisit("urn:again", digest="sha1:FERRY"))],
        [replace(original("urn:ferry", digest="sha1:FERRY"), surt="example,harbour)/old")],
        known,
    )
    assert near.snapshots.keys() == {"urn:again"}
    assert near.repeats[("new", 0)].resolution is Resolution.DIGEST
