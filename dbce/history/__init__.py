"""The main text of a URL through its captures, in words."""

from typing import TYPE_CHECKING

from dbce.history.alignment import (
    CODE,
    SAYS_THE_SAME,
    SENTENCE,
    Aligned,
    PassageKind,
    TextUnit,
    align,
    units_of_line,
)
from dbce.history.reading import (
    REDESIGNED,
    SOME,
    TextWords,
    WordTrait,
    captures_of,
    is_within,
    jaccard,
    text_words,
    words,
)
from dbce.history.through_time import (
    CaptureState,
    Passage,
    TextHistory,
    TextStep,
    text_between,
    text_history,
    text_history_of,
)
from dbce.history.wording import LONGEST, Stretch, is_gutter, is_stamp
from dbce.history.written import (
    as_json,
    as_markdown,
    as_text,
    history_object,
    passage_lines,
    stretches_of,
    summary_of,
    told,
)
from dbce.model import lazily

if TYPE_CHECKING:
    from dbce.history.page import as_html, filters

__all__ = [
    "CODE",
    "LONGEST",
    "REDESIGNED",
    "SAYS_THE_SAME",
    "SENTENCE",
    "SOME",
    "Aligned",
    "CaptureState",
    "Passage",
    "PassageKind",
    "Stretch",
    "TextHistory",
    "TextStep",
    "TextUnit",
    "TextWords",
    "WordTrait",
    "align",
    "as_html",
    "as_json",
    "as_markdown",
    "as_text",
    "captures_of",
    "filters",
    "history_object",
    "is_gutter",
    "is_stamp",
    "is_within",
    "jaccard",
    "passage_lines",
    "stretches_of",
    "summary_of",
    "text_between",
    "text_history",
    "text_history_of",
    "text_words",
    "told",
    "units_of_line",
    "words",
]

# Pages need a library that is an extra.
__getattr__ = lazily(__name__, {"page": ("as_html", "filters")})
