"""Marks in a rendered page that tell which of its text is content, until its gold has been taken.

Private-use characters stand around every piece of content text: `BLOCK` opens the first piece of a
block, `RUN` opens the next ones (behind inline markup), `END` closes each. They stand inside text,
never around white space alone, so the page parses to the same tree with and without them.
"""

import html
import re

BLOCK, RUN, END = "\ue000", "\ue001", "\ue002"
_MARKS = str.maketrans("", "", BLOCK + RUN + END)
_TAG = re.compile(r"(<[^>]*>)")
_INLINE = (
    (re.compile(r"\*\*([^*]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*([^*]+)\*"), r"<em>\1</em>"),
    (re.compile(r"\[([^]]+)\]\(([^)]+)\)"), r'<a href="\2">\1</a>'),
)


def inline(text: str) -> str:
    """A block's text as HTML: escaped, with its inline markup as elements."""
    markup = html.escape(text, quote=False)
    for pattern, element in _INLINE:
        markup = pattern.sub(element, markup)
    return markup


def content(text: str) -> str:
    """A block's text as HTML in which every piece of text is marked as content."""
    opener, out = BLOCK, []
    for piece in _TAG.split(inline(text)):
        if piece.startswith("<") or not piece.strip():
            out.append(piece)
        else:
            out.append(f"{opener}{piece}{END}")
            opener = RUN
    return "".join(out)


def unmarked(markup: str) -> str:
    """The page as it is archived."""
    return markup.translate(_MARKS)
