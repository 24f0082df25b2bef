"""Articles with parts beside them that readers do not see, pass over or must open, as sites set them."""

import json
from pathlib import Path
from typing import Any, NamedTuple

_STORED: dict[str, list[Any]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

PARAGRAPHS = tuple(_STORED["paragraphs"])
OTHERS = tuple(map(tuple, _STORED["others"]))
"""Paragraphs of other articles of the same site."""


class Part(NamedTuple):
    """A part of a page: its HTML, a style sheet that goes with it, texts that are none of the article, texts that are."""

    name: str
    html: str
    css: str = ""
    gone: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()


CONSENT, SIGN_IN, NOTICES, BOXES, OPENED, UNSEEN = (
    tuple(Part(**of) for of in _STORED[group])
    for group in ("consent", "sign_in", "notices", "boxes", "opened", "unseen")
)


def article(
    part: Part,
    place: str,
    paragraphs: tuple[str, ...] = PARAGRAPHS,
    title: str = "The old ferry stays",
) -> str:
    """A page whose article has a part before it, in the middle of it or at the end of the body."""
    texts = [f"<p>{text}</p>" for text in paragraphs]
    if place == "middle":
        texts.insert(2, part.html)
    before, after = (part.html if place == where else "" for where in ("before", "after"))
    return (
        f"<html lang=en><head><title>{title} - Island Courier</title><style>{part.css}</style></head><body>{before}"
        "<header class=site-header><nav><ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li>"
        "<li><a href=/sport>Sport</a></li></ul></nav></header>"
        f"<main><article class=post><h1>{title}</h1><div class=post-body>{''.join(texts)}</div></article></main>"
        f"<footer class=site-footer><p>© Island Courier. <a href=/imprint>Imprint</a></p></footer>{after}</body></html>"
    )
