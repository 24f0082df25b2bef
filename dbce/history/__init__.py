"""Main text of a URL through its captures, in words."""

from dbce.history.alignment import (
    CODE,
    SAYS_THE_SAME,
    SENTENCE,
    AlignedUnit,
    PassageKind,
    TextUnit,
    align,
    equal_pairs,
    units_of_line,
)
from dbce.history.formats import (
    as_html,
    as_json,
    as_markdown,
    as_text,
    filters,
    passage_lines,
    steps_in_words,
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
from dbce.history.wording import LONGEST, Stretch, is_gutter, is_stamp, tokens
