"""An archive that is damaged place by place: what is not touched is delivered as it was."""

import random
from functools import cache

import pytest

from dbce.archive import read
from dbce.model import Capture, Limits, Reject
from tests.archive.account import places, unaccounted
from tests.archive.build import frames, members, outcome, stored
from tests.archive.damage import falsified, pack, records_in, spoilt, zeroed
from tests.data import shared
from tests.gate import first
from tests.site import TOPICS, digested

Found = dict[str, Capture | Reject]

NEAR = 6
"""Records on each side of a damaged one that must be delivered as they were."""


@cache
def site() -> tuple[bytes, ...]:
    """The records of a small archive, a warcinfo first; digests are declared."""
    return tuple(digested(*TOPICS, "ropes", "tides"))


def found(data: bytes, *, verify: bool = False) -> Found:
    """What is read, by record id; damaged places by their offset."""
    entries = list(read(stored(data), Limits(), verify=verify))
    by_id = {entry.record_id or f"at {entry.origin.offset}": entry for entry in entries}
    assert len(by_id) == len(entries)
    return by_id


def _essence(entry: Capture | Reject) -> tuple[object, ...]:
    """All of it but where it stands."""
    return tuple(getattr(entry, name) for name in entry.__slots__ if name != "origin")


def _differing(whole: Found, damaged: Found) -> set[str]:
    """The record ids of what is not delivered as from the whole file."""
    return {
        record_id
        for record_id, entry in whole.items()
        if record_id not in damaged or _essence(damaged[record_id]) != _essence(entry)
    }


def _ids(records: list[bytes] | tuple[bytes, ...]) -> list[str]:
    """The record ids in file order."""
    return [one.partition(b"WARC-Record-ID: <")[2].partition(b">")[0].decode() for one in records]


def _zeroed_somewhere(records: list[bytes], stored_parts: list[bytes], trials: int) -> None:
    """Zeroes 64 bytes at random places: only what has them is not delivered, and it is noticed.

    Of a long archive the records around the place are read.
    """
    data, ids = b"".join(stored_parts), _ids(records)
    whole = found(data, verify=True)
    starts = [sum(map(len, stored_parts[:n])) for n in range(len(stored_parts))]
    rng = random.Random(7)
    for _ in range(trials):
        place = rng.randrange(len(data) - 64)
        touched = [
            n
            for n, start in enumerate(starts)
            if start < place + 64 and place < start + len(stored_parts[n])
        ]
        near = range(len(ids))[max(touched[0] - NEAR, 0) : touched[-1] + NEAR + 1]
        around = b"".join(stored_parts[n] for n in near)
        damaged = zeroed(around, place - starts[near[0]])
        seen, hit = found(damaged, verify=True), {ids[n] for n in touched}
        expected = {ids[n]: whole[ids[n]] for n in near if ids[n] in whole}
        assert _differing(expected, seen) <= hit, place
        # What is delivered whole although it was hit lost nothing of its page.
        for record_id in hit & seen.keys():
            one, before = seen[record_id], whole[record_id]
            if isinstance(one, Capture) and not one.truncated:
                assert isinstance(before, Capture)
                assert one.payload == before.payload, place
        assert not unaccounted(damaged), place


def _cut_everywhere(records: list[bytes], stored_parts: list[bytes], step: int) -> None:
    """Cuts the last record at every so many bytes: the others are delivered, it is not as a whole."""
    data, ids = b"".join(stored_parts), _ids(records)
    whole = found(data)
    start = len(data) - len(stored_parts[-1])
    end = len(data) - (0 if data.startswith(b"\x1f") else 4)  # without the line ends of a record
    for stop in range(start + 1, end, step):
        seen = found(data[:stop])
        assert _differing(whole, seen) <= {ids[-1]}, stop
        last = seen.get(ids[-1])
        assert not isinstance(last, Capture) or last.truncated, stop
        assert len(seen) == len(whole), stop  # it is counted
        assert not unaccounted(data[:stop]), stop


PACKINGS = {"gzip": pack, "plain": list, "zstd": frames}


@pytest.mark.parametrize("packing", PACKINGS)
def test_zeroes_anywhere_cost_only_the_records_that_have_them(packing: str) -> None:
    _zeroed_somewhere(list(site()), PACKINGS[packing](site()), trials=60)


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_last_record_cut_anywhere_costs_only_itself(packing: str) -> None:
    _cut_everywhere(list(site()), PACKINGS[packing](site()), step=10)


@pytest.mark.parametrize("kind", spoilt(site()))
def test_damage_of_every_kind_costs_only_the_records_it_touches(kind: str) -> None:
    ids, case = _ids(site()), spoilt(site())[kind]
    whole, seen = found(b"".join(members(site()))), {}
    for entry in read(stored(case.data), Limits()):  # a copy has the record id of its original
        seen[entry.record_id or entry.origin.offset] = entry
    assert _differing(whole, seen) <= {ids[number] for number in case.touched}
    assert not unaccounted(case.data)


def test_a_byte_that_is_another_one_than_the_digests_say_costs_only_its_record() -> None:
    ids, case = _ids(site()), falsified(site())
    whole, seen = (found(d, verify=True) for d in (b"".join(members(site())), case.data))
    assert _differing(whole, seen) == {ids[number] for number in case.touched}
    assert [outcome(seen[record_id]) for record_id in _differing(whole, seen)] == ["bad-digest"]


def test_a_record_that_is_left_out_or_found_twice_shows_in_the_account() -> None:
    data = b"".join(members(site()))
    of_all = places(data)
    assert not unaccounted(data, of_all)
    assert unaccounted(data, of_all[:2] + of_all[3:])
    assert unaccounted(data, of_all[:-1])
    (at, length), *others = of_all
    assert unaccounted(data, [(at, length + 1), *others])


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("packing", first(PACKINGS))
def test_zeroes_at_two_hundred_places_of_a_real_archive(packing: str) -> None:
    records = records_in(shared("cleanportaleval/cleanportaleval.warc.gz"))
    _zeroed_somewhere(records, PACKINGS[packing](records), trials=200)


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize(("packing", "step"), [("gzip", 10), ("zstd", 50), ("plain", 200)])
@pytest.mark.nightly
def test_the_last_record_of_a_real_archive_cut_at_every_tenth_byte(packing: str, step: int) -> None:
    """As it is stored there; in other containers at about as many places."""
    records = records_in(shared("cleanportaleval/cleanportaleval.warc.gz"))
    some = [records[0], *records[-2:]]
    _cut_everywhere(some, PACKINGS[packing](some), step)
