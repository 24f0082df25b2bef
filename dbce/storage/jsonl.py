"""Files of JSON lines, an object a line, on any store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import fsspec

from dbce.model import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator


def json_objects(uri: str, what: str = "gold") -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and object of every line that is not blank; `what` names in errors what the file holds.

    Raises:
        UsageError: the file cannot be read, or a line is no JSON object.
    """
    try:
        with fsspec.open(uri, "rt", encoding="utf-8", compression="infer") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    fields = json.loads(line)
                except ValueError as e:
                    raise UsageError(f"{uri}, line {number}: not JSON ({e})") from e
                if not isinstance(fields, dict):
                    raise UsageError(f"{uri}, line {number}: not a JSON object")
                yield number, fields
    except UnicodeDecodeError as e:
        raise UsageError(f"{uri} is not UTF-8 text: {e}") from e
    except OSError as e:
        raise UsageError(f"cannot read the {what} {uri}: {e.strerror or e}") from e
