"""Fields of a conversion record on the record that it was made of, and on the software that made it.

WARC-Conversion-Software and -Options are discussed for the standard (https://github.com/iipc/warc-specifications/issues/52);
docs/export.md has all fields as a proposal. URL and date are those of the record itself: WARC 1.1 allows
WARC-Refers-To-Target-URI and -Date in revisit records alone (https://github.com/iipc/warc-specifications/issues/51).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Protocol

from dbce.archive.records import Archived

if TYPE_CHECKING:
    from dbce.archive.records import FileOrigin
    from dbce.model import Origin

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Convertible(Archived, Protocol):
    """The properties of a capture of which something is made."""

    @property
    def origin(self) -> Origin | None: ...
    @property
    def digest(self) -> str: ...


def conversion_fields(source: Convertible, by: FileOrigin, model: str) -> dict[str, str]:
    """Return the fields of what a file of ours has of a capture; `model` is "" where none has decided."""
    fields = {"WARC-Refers-To": f"<{source.record_id}>"}
    if source.origin:
        fields["WARC-Refers-To-Filename"] = _CONTROL.sub(_quoted, source.origin.filename)
        fields["WARC-Refers-To-File-Offset"] = str(source.origin.offset)
    if source.digest:
        fields["WARC-Refers-To-Payload-Digest"] = source.digest
    options = {"configuration": by.config_digest} | ({"model": model} if model else {})
    fields["WARC-Conversion-Software"] = f"dbce/{by.version}"
    fields["WARC-Conversion-Options"] = json.dumps(options)
    return fields


def _quoted(control: re.Match[str]) -> str:
    """Return a sign that would end a header line, as URLs have it."""
    return f"%{ord(control[0]):02X}"
