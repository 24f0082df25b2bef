"""Answers of the archive to the requests of a page: the nearest snapshot, revisits resolved."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from dbce.archive import check_there, read_reply_at, surt
from dbce.model import InputError

if TYPE_CHECKING:
    from datetime import datetime

    from dbce.archive import Reply
    from dbce.model import Limits
    from dbce.visual.render.places import Place, Places

TRIED = 5
"""Snapshots of a URL that are read in search of one that is no error."""

KEPT_BYTES = 64_000_000
"""Bytes of answers that are kept, for the next pages of a site have the same style sheets."""


class Answers:
    """Answers to requests, from the archive alone."""

    def __init__(self, places: Places, limits: Limits) -> None:
        self._places = places
        self._limits = limits
        self._kept: OrderedDict[tuple[Place, str], Reply] = OrderedDict()
        self._bytes = 0

    def answer(self, url: str, at: datetime) -> Reply | None:
        """Return the answer to a URL at the time nearest to `at`; None if the archive has none.

        Of the nearest snapshots the first counts that is no error; if all are, the nearest.

        Raises:
            StoreError: a file cannot be read.
        """
        error: Reply | None = None
        for place in self._places.nearest(url, at)[:TRIED]:
            reply = self._resolved(place, surt(url), at)
            if reply is None:
                continue
            if reply.status < 400:
                return reply
            error = error or reply
        return error

    def _resolved(self, place: Place, key: str, at: datetime) -> Reply | None:
        """The answer at a place; of a revisit what it repeats. None if that is not there."""
        reply = self._read(place, key)
        if reply is None or reply.refers_to is None:
            return reply
        said = reply.refers_to
        if said.url and (found := self._original(said.url, said.timestamp or at, "")):
            return found
        if said.record_id:
            own = (self._read(one, "") for one in self._places.of_record(said.record_id))
            if found := next((one for one in own if one and not one.refers_to), None):
                return found
        return self._original(key, at, reply.digest) if reply.digest else None

    def _original(self, url: str, at: datetime, digest: str) -> Reply | None:
        """The nearest answer that is no revisit, of a digest if one is given."""
        key = surt(url)
        for place in self._places.nearest(url, at):
            reply = self._read(place, key)
            if reply and reply.refers_to is None and digest in ("", reply.digest):
                return reply
        return None

    def _read(self, place: Place, key: str) -> Reply | None:
        if (kept := self._kept.get((place, key))) is not None:
            self._kept.move_to_end((place, key))
            return kept
        try:
            reply = read_reply_at(place.uri, place.offset, key, self._limits)
        except InputError:  # it is as if it were not there
            check_there(place.uri)
            return None
        self._kept[place, key] = reply
        self._bytes += len(reply.payload)
        while self._bytes > KEPT_BYTES:
            _, old = self._kept.popitem(last=False)
            self._bytes -= len(old.payload)
        return reply
