"""Errors that the Nu Html Checker finds in pages, and those among them of obsolete features.

The checker is a program of others, which runs by itself (java -jar vnu.jar). The one on PyPI is of 2020
and does not know `:where()`, so it sees the added rules without that.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from dbce.model import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

PATIENCE = 600
"""Seconds that the checker may take for the pages of one call."""

WHERE = re.compile(r"^:where\((.*)\)\{", re.MULTILINE)
OBSOLETE = re.compile(r"\bobsolete\b", re.IGNORECASE)


GAVE_UP = "Cannot recover after last error"
"""Message of the checker on a page that it reads no further."""


class Validity(NamedTuple):
    """Number of errors that a page has, and of those among them that are features that HTML has no more.

    `is_whole` says that the checker has read all of it.
    """

    errors: int
    obsolete: int
    is_whole: bool


def check(pages: Sequence[str], jar: str) -> list[Validity]:
    """Return what the checker finds in each page.

    Raises:
        UsageError: there is no Java, or the checker does not answer as it should.
    """
    java = shutil.which("java")
    if java is None:
        raise UsageError("the Nu Html Checker needs Java: there is no java on the path")
    if not Path(jar).is_file():
        raise UsageError(f"there is no {jar}: scripts/setup/tools.sh nu makes one")
    errors: Counter[int] = Counter()
    obsolete: Counter[int] = Counter()
    broken: set[int] = set()
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.html") for number in range(len(pages))]
        for file, page in zip(files, pages, strict=True):
            file.write_text(WHERE.sub(r"\1{", page), encoding="utf-8", errors="replace")
        for message in _messages(java, jar, files) if files else ():
            if message["type"] == "error":
                number = int(re.sub(r"\D", "", message["url"].rpartition("/")[2]))
                errors[number] += 1
                obsolete[number] += bool(OBSOLETE.search(message["message"]))
                if message["message"].startswith(GAVE_UP):
                    broken.add(number)
    return [Validity(errors[n], obsolete[n], n not in broken) for n in range(len(pages))]


def _messages(java: str, jar: str, files: Sequence[Path]) -> list[dict[str, str]]:
    command = [
        java,
        "-Xmx2g",
        "-Xss8m",
        "-XX:+UseSerialGC",
        "-jar",
        jar,
        "--format",
        "json",
        "--exit-zero-always",
    ]
    done = subprocess.run(  # noqa: S603 - the program that the user names
        [*command, *map(str, files)], capture_output=True, check=False, timeout=PATIENCE
    )
    try:
        messages: list[dict[str, str]] = json.loads(done.stderr)["messages"]
    except (ValueError, KeyError) as e:
        complaint = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise UsageError(f"{jar} does not answer: {complaint or e}") from e
    return messages
