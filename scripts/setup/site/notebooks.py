"""Notebooks as pages: their text, their code, and what it gave."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def page(path: Path) -> tuple[str, dict[str, bytes]]:
    """A notebook with its stored outputs as Markdown, and its pictures by the names that it shows them under."""
    pictures: dict[str, bytes] = {}
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            picture = output.get("data", {}).get("image/png")
            if picture:
                name = f"{path.stem}-{len(pictures) + 1}.png"
                pictures[name] = base64.b64decode(picture)
                parts.append(f"![What the code above draws](pictures/{name})")
            else:
                parts += (f"```text\n{text}\n```" for text in _texts(output))
    return "\n\n".join((*parts, "")), pictures


def _texts(output: dict[str, Any]) -> Iterator[str]:
    """Yield what an output says, as text."""
    text = output.get("text") or output.get("data", {}).get("text/plain")
    if text:
        yield "".join(text).rstrip("\n")
