"""Whole runs of damaged archives: the captures that damage does not touch are judged as without it."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dbce.archive import expand
from dbce.boilerplate.compare import compare
from dbce.model import Config, Cross, Sketch
from dbce.output.index import SKETCHES, captures_of_unit
from dbce.storage.folder import Folder
from tests.archive.account import unaccounted
from tests.archive.build import members
from tests.archive.damage import GUESTS, GUESTS_END_AS, falsified, ids_of, records_in, spoilt
from tests.data import shared
from tests.runs import whole
from tests.site import TOPICS, digested

NAME = "set.warc.gz"
PATTERNS = Config(method="T002")
HOSTILE = "hostile pages"
KINDS = (*spoilt(digested(*TOPICS, "ropes", "tides")), "a wrong digest")
SMALL_KINDS = [
    pytest.param(kind, marks=pytest.mark.slow) if kind == HOSTILE else kind for kind in KINDS
]


class Run:
    """A finished run of one file: its account, its verdicts, and what they rest on."""

    def __init__(self, folder: Path, data: bytes, config: Config) -> None:
        folder.mkdir()
        (folder / NAME).write_bytes(data)
        out = folder / "out"
        self.manifest = whole(expand([str(folder / NAME)]), out, config)
        self.pages = {row["record_id"]: row for row in pq.read_table(out / "pages").to_pylist()}
        self.rejects = pq.read_table(out / "rejects").to_pylist()
        self.verdicts = defaultdict(list)
        for row in pq.read_table(out / "nodes").to_pylist():
            self.verdicts[row["record_id"]].append(row)
        index = Folder(str(out)).subfolder("index")
        self.sketches = {one.record_id: one for _, one in captures_of_unit(index, NAME, SKETCHES)}
        self.crosses: dict[str, tuple[Cross, ...]] = {
            one.record_id: one.crosses for one in compare(self.sketches.values(), config)
        }

    @property
    def adds_up(self) -> bool:
        """Whether every capture has a status, and every reject and judged page its rows."""
        captures = dict(self.manifest["captures"])
        reasons, total = captures.pop("reasons"), captures.pop("total")
        return (
            sum(captures.values()) == total
            and sum(reasons.values()) == captures["skipped"] + captures["rejected"]
            and len(self.rejects) == captures["rejected"]
            and len(self.verdicts) == captures["annotated"] + captures["single"]
        )


def _words(one: Sketch) -> tuple[bytes, ...]:
    return tuple(part.tobytes() for part in (one.signature, one.words, one.ends, one.places))


def untouched(sound: Run, damaged: Run) -> set[str]:
    """The judged captures of both runs that are compared with the same pages in both."""
    changed = {
        record_id
        for record_id in sound.sketches.keys() | damaged.sketches.keys()
        if record_id not in sound.sketches
        or record_id not in damaged.sketches
        or _words(sound.sketches[record_id]) != _words(damaged.sketches[record_id])
    }
    return {
        record_id
        for record_id in sound.verdicts.keys() - changed
        if (crosses := sound.crosses.get(record_id, ())) == damaged.crosses.get(record_id, ())
        and changed.isdisjoint(m for one in crosses for m in (*one.members, *one.further))
    }


def _holds(
    sound: Run, damaged_run: Callable[[bytes], Run], records: Sequence[bytes], kind: str
) -> tuple[Run, set[str]]:
    """Checks one kind of damage; the run, and the captures that it did not touch."""
    case = falsified(records) if kind == "a wrong digest" else spoilt(records)[kind]
    run = damaged_run(case.data)
    assert run.adds_up
    assert not unaccounted(case.data)
    same = untouched(sound, run)
    for record_id in same:
        assert run.verdicts[record_id] == sound.verdicts[record_id], record_id
    hit = [records[number] for number in case.touched]
    lost = set(ids_of(hit))
    judged = {record_id for record_id in run.verdicts if not record_id.startswith("urn:guest:")}
    assert judged | lost == sound.verdicts.keys()  # the others are judged, compared or not
    return run, same


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> tuple[list[bytes], Run]:
    records = digested(*TOPICS, "ropes", "tides")
    records += [one.replace(b"harbour.example", b"quay.example") for one in records[1:]]
    records = [
        one.replace(b"WARC-Record-ID: <", b"WARC-Record-ID: <%d-" % n)
        for n, one in enumerate(records)
    ]
    return records, Run(
        tmp_path_factory.mktemp("s") / "sound", b"".join(members(records)), PATTERNS
    )


@pytest.mark.parametrize("kind", SMALL_KINDS)
def test_captures_whose_cross_is_untouched_are_judged_as_without_the_damage(small, tmp_path, kind):
    records, sound = small
    config = Config(method="T002", verify=kind == "a wrong digest")
    damaged = partial(Run, tmp_path / "damaged", config=config)
    run, same = _holds(sound, damaged, records, kind)
    assert len(same) >= len(records) // 2 - 1  # the other site, at least
    if kind in {HOSTILE, "two members have changed places"}:
        assert same == sound.verdicts.keys()
    if kind == HOSTILE:
        ends = {row["url"].removeprefix(GUESTS): row["reason"] for row in run.rejects}
        assert ends == {name: reason for name, reason in GUESTS_END_AS.items() if reason}


@pytest.fixture(scope="module")
def real(tmp_path_factory) -> tuple[list[bytes], Run]:
    """A copy of a real archive, and its run by the default method."""
    records = records_in(shared("cleanportaleval/cleanportaleval.warc.gz"))
    return records, Run(
        tmp_path_factory.mktemp("s") / "sound", b"".join(members(records)), Config()
    )


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_captures_of_a_real_archive_are_judged_as_without_the_damage(real, tmp_path, kind):
    records, sound = real
    damaged = partial(Run, tmp_path / "damaged", config=Config(verify=kind == "a wrong digest"))
    _, same = _holds(sound, damaged, records, kind)
    assert len(same) >= 40  # of 71: one site has 30
