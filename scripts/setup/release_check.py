"""What is missing before a version can be tagged: `make release` prints it, and a hosted release stops.

    python scripts/setup/release_check.py [TAG]

Nothing is tagged here. Only the standard library is needed.
"""

import re
import sys
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

RECIPE = "conf/conda/recipe.yaml"


def version(root: Path = ROOT) -> str:
    """The version that the code says it is."""
    source = (root / "dbce/__init__.py").read_text(encoding="utf-8")
    (found,) = re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    return str(found)


def missing(root: Path = ROOT, tag: str = "", today: date | None = None) -> list[str]:
    """A sentence on each thing that keeps the version of a checkout from being tagged."""
    expected, found = version(root), []
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = re.search(r"^## (\[.+)$", changelog, re.MULTILINE)
    dated = re.fullmatch(
        rf"\[{re.escape(expected)}\] - (\d{{4}}-\d\d-\d\d)", heading[1] if heading else ""
    )
    if not dated:
        found.append(
            f"CHANGELOG.md begins with {heading[1] if heading else 'nothing'}, not with [{expected}] - YYYY-MM-DD"
        )
    elif date.fromisoformat(dated[1]) > (today or datetime.now(UTC).date()):
        found.append(f"CHANGELOG.md dates {expected} to {dated[1]}, which is to come")
    for name in ("CITATION.cff", RECIPE):
        named = re.findall(r"^ *version: ([\d.]+)$", (root / name).read_text("utf-8"), re.MULTILINE)
        if named != [expected]:
            found.append(f"{name} says {', '.join(named) or 'no version'}, not {expected}")
    if tag and tag != f"v{expected}":
        found.append(f"the tag is {tag}, not v{expected}")
    return found


def main(*arguments: str) -> int:
    """Print what is missing; the exit code is 1 if anything is."""
    found = missing(ROOT, arguments[0] if arguments else "")
    for sentence in found:
        print(f"not ready to be tagged: {sentence}")
    if not found:
        print(f"ready: git tag --annotate v{version()} && git push origin v{version()}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
