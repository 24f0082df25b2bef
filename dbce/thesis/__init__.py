"""The method of the thesis to the letter: slow, and the oracle of the fast implementation (docs/the-sentence.md).

R. Leśniak, Joint Approach to Boilerplate Detection in Web Archives, Hannover 2017; sections, listings and tables are
those of the thesis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import lazily

if TYPE_CHECKING:
    from dbce.thesis.annotation import crosses, find_shared_tokens, merged_crosses
    from dbce.thesis.grouping import (
        ENTRIES,
        ENTRY,
        MAX_BUCKET,
        Entry,
        bucket_keys,
        entry_of,
        keep_entries,
        pieces,
        read_entries,
        read_entry,
        warn_of_cut_buckets,
    )
    from dbce.thesis.merging import (
        annotate_cross,
        compare,
        document,
        merge_annotations,
        word_verdicts,
    )
    from dbce.thesis.patterns import PATTERNS

__getattr__ = lazily(__name__)
