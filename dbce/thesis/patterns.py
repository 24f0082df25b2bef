"""The bit patterns of the thesis (appendix B)."""

from dbce.model import Label

_PATTERNS: dict[str, tuple[str, tuple[str, ...]]] = {
    # Cross bits: element bits of content, and those of boilerplate; all others are invalid.
    "11000": ("10000", ("11000",)),  # B.1
    "11100": ("10000", ("10100", "11000", "11100")),  # B.2
    "11001": ("10001", ("10000", "11000", "11001")),  # B.3
    "11010": ("10010", ("10000", "11000", "11010")),
    "11011": (  # B.4
        "10011",
        ("10000", "10001", "10010", "11000", "11001", "11010", "11011"),
    ),
    "11101": ("10001", ("11101",)),  # B.5
    "11110": ("10010", ("11110",)),
    "11111": ("10011", ("11111",)),
}

PATTERNS: dict[str, dict[str, Label]] = {
    cross: {content: Label.CONTENT} | dict.fromkeys(boilerplate, Label.BOILERPLATE)
    for cross, (content, boilerplate) in _PATTERNS.items()
}
"""Label of each pattern of element bits, by cross bits."""
