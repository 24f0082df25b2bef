"""Media queries: those that hold on a screen of 1280 x 800 pixels, in the hands of nobody in particular."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WINDOW = {"width": 1280.0, "height": 800.0}
PIXELS = {"px": 1.0, "em": 16.0, "rem": 16.0}
USER = {
    "orientation": "landscape",
    "hover": "hover",
    "pointer": "fine",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
}


def holds(media: Sequence[Any]) -> bool:
    """True if a list of media queries holds; an empty one does."""
    tokens = spaceless(media)
    return not tokens or any(map(_query_holds, split(tokens)))


def split(tokens: Sequence[Any]) -> list[list[Any]]:
    """The tokens between the commas."""
    parts: list[list[Any]] = [[]]
    for part in tokens:
        if part == ",":
            parts.append([])
        else:
            parts[-1].append(part)
    return parts


def spaceless(tokens: Iterable[Any]) -> list[Any]:
    return [token for token in tokens if token.type != "whitespace"]


def _query_holds(query: Sequence[Any]) -> bool:
    words = {token.lower_value for token in query if token.type == "ident"}
    features = [token.content for token in query if token.type == "() block"]
    holds: bool = words <= {"all", "screen", "and", "only", "not"} and all(
        map(_feature_holds, features)
    )
    return holds is not ("not" in words)


def _feature_holds(content: Sequence[Any]) -> bool:
    """True if the condition between parentheses holds, such as `min-width: 600px`."""
    tokens = spaceless(content)
    if len(tokens) != 3 or tokens[0].type != "ident" or tokens[1] != ":":
        return False
    name, value = tokens[0].lower_value, tokens[2]
    bound, _, dimension = name.replace("-device-", "-").partition("-")
    if dimension not in WINDOW or bound not in {"min", "max"}:
        return bool(value.type == "ident" and value.lower_value == USER.get(name))
    if value.type != "dimension" or value.lower_unit not in PIXELS:
        return False
    pixels: float = value.value * PIXELS[value.lower_unit]
    return WINDOW[dimension] >= pixels if bound == "min" else WINDOW[dimension] <= pixels
