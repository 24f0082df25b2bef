"""Two snapshots of a URL that somebody asks for, whether or not one follows the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce import archive
from dbce.model import UsageError
from dbce.output import JUDGED, no_such_url, open_whole
from dbce.visual.changes.change_model import STRUCTURE
from dbce.visual.changes.history import history
from dbce.visual.changes.plan import frame, names_of, plain_rows, read_rows
from dbce.visual.render import open_rendered

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from dbce.output import Row, RowSelection
    from dbce.storage import Folder


def compare_pair(
    uri: str,
    url: str,
    times: Sequence[datetime],
    mode: str = STRUCTURE,
    selection: RowSelection | None = None,
) -> Row:
    """Return the changes between the snapshots of a URL that are nearest to two times, as a row of CHANGES.

    Only snapshots that are selected count. Of two that are as near the earlier one counts. Nothing is written. No later snapshot is asked whether
    it kept another template (`redesign_kept` is null).

    Raises:
        UsageError: there is no finished run, or no rendered pages that `mode` needs; the run does not
            have the URL, or one of its snapshots is the nearest to both times.
    """
    folder, _ = open_whole(uri, selection)
    if mode != STRUCTURE:
        open_rendered(uri)
    captures = _captures(folder, archive.surt(url))
    if not captures:
        raise no_such_url(folder, url)
    places = {_nearest(captures, time) for time in times}
    if len(places) < 2:
        raise UsageError(_alone(url, captures, captures[places.pop()]))
    pair = [_read(folder, captures, place, mode) for place in sorted(places)]
    (change,) = history(pair, uri, mode)
    return change


def _captures(folder: Folder, surt: str) -> list[Row]:
    """The captures of a URL, the earliest first; `name` is what the tables of their files are called."""
    captures: list[Row] = []
    for name in names_of(folder):
        every = frame(folder, name)
        of_url = every[every["url_surtkey"] == surt]
        captures += plain_rows(of_url.assign(name=name, is_new=True))
    return sorted(captures, key=lambda row: (row["fetch_time"], row["record_id"]))


def _nearest(captures: Sequence[Row], time: datetime) -> int:
    """The place of the capture nearest to a time."""
    return min(range(len(captures)), key=lambda n: abs(captures[n]["fetch_time"] - time))


def _alone(url: str, captures: Sequence[Row], nearest: Row) -> str:
    """Why there is no pair."""
    at = archive.clock_of(nearest["fetch_time"])
    if len(captures) == 1:
        return f"{url} has one snapshot, of {at}: there is nothing to compare it with"
    return f"of {len(captures)} snapshots of {url} that of {at} is the nearest to both times"


def _read(folder: Folder, captures: Sequence[Row], place: int, mode: str) -> Row:
    """A capture as a row of SNAPSHOTS; a revisit has the text of what it repeats, if that is there."""
    own = captures[place]
    source = next((capture for capture in captures if capture["record_id"] == own["original"]), own)
    wanted = {source["record_id"]: source} if source["status"] in JUDGED else {}
    snapshots = read_rows(folder, source["name"], wanted, mode)
    return {"blocks": None, **own, **snapshots.get(source["record_id"], {})}
