"""Documents of the project as pages of the site: their places, their links, and Markdown as mkdocs reads it."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import basename, dirname, join, normpath, relpath
from typing import TYPE_CHECKING

from scripts.setup.site import notebooks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).resolve().parents[3]
THEME = Path(__file__).with_name("theme")

BESIDE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "scripts/experiments/README.md": "experiments.md",
    "docs/adr": "adr/index.md",
}
"""Documents outside docs/, and its folders, by the page that each becomes."""

BOOST = {
    "formats.md": 3,
    "guide.md": 2,
    "evaluation.md": 0.2,
    "experiments.md": 0.2,
    "changelog.md": 0.2,
}
"""How much the search makes of pages: who looks for a column wants its table, not what it was in a trial."""

FENCE = re.compile(r"^( *)```.*?^\1``` *$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:`[^`]*`|!\[[^\]]*\]\([^)]*\)|[^\[\]])*)\]\(([^)\s]+)\)")
OUTSIDE = re.compile(r"[a-z]+:|#")
ITEM = re.compile(r"^( *)(?:[-*]|\d+\.) +")


def pages() -> dict[str, bytes]:
    """All files of the site by their paths, but for the generated reference."""
    at = places()
    written: dict[str, bytes] = {}
    for source, place in at.items():
        file = ROOT / source
        if file.suffix == ".ipynb":
            text, pictures = notebooks.page(file)
            written |= {f"pictures/{name}": picture for name, picture in pictures.items()}
            written[place] = page(text, source, at).encode()
        elif file.suffix == ".md":
            written[place] = page(file.read_text(encoding="utf-8"), source, at).encode()
        elif file.is_file():
            written[place] = file.read_bytes()
    written[BESIDE["docs/adr"]] = decisions().encode()
    return written | {f"assets/{file.name}": file.read_bytes() for file in THEME.iterdir()}


def places() -> dict[str, str]:
    """The place on the site of everything in the repository that has one, by paths from their roots."""
    docs = ROOT / "docs"
    inside = (path.relative_to(docs).as_posix() for path in sorted(docs.rglob("*.*")))
    return BESIDE | {f"docs/{path}": re.sub(r"\.ipynb$", ".md", path) for path in inside}


def page(text: str, source: str, at: dict[str, str]) -> str:
    """A document of the repository as a page of the site."""
    text = re.sub(r"<!-- (?:begin [\w -]+|end) -->\n", "\n", text)
    boost = BOOST.get(at[source])
    head = f"---\nsearch:\n  boost: {boost}\n---\n\n" if boost else ""
    return head + outside_code(text, lambda prose: linked(prose, source, at))


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Markdown with its prose changed and its blocks of code as they are."""
    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join((*parts, change(text[end:])))


def linked(prose: str, source: str, at: Mapping[str, str], place: str = "") -> str:
    """Prose whose links lead to pages of the site; of those that lead to code only the words are left.

    They are those of the document `source`; `place` is the page that the prose stands on, if another one.
    """
    place = place or at[source]
    here = dirname(place)

    def turned(link: re.Match[str]) -> str:
        mark, words, target = link[1], link[2], link[3]
        words = linked(words, source, at, place)
        if target.startswith("#") and place != at[source]:
            target = f"{basename(source)}{target}"
        if OUTSIDE.match(target):
            return f"{mark}[{words}]({target})"
        path, hash_, anchor = target.partition("#")
        meant = normpath(join(dirname(source), path))
        if meant not in at:
            return words
        return f"{mark}[{words}]({relpath(at[meant], here or '.')}{hash_}{anchor})"

    return LINK.sub(turned, prose)


def decisions() -> str:
    """A page with the titles of all decisions."""
    lines = [
        "# Decisions",
        "",
        "Why things are as they are, a page for each choice that a newcomer would question.",
        "",
    ]
    for file in sorted((ROOT / "docs" / "adr").glob("*.md")):
        title = re.search(r"^# (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        lines.append(f"- [{title[1] if title else file.stem}]({file.name})")
    return "\n".join((*lines, ""))
