"""Values, settings, errors, words and messages that every room may use; a name is imported when it is asked for."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any


def lazily(package: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package that imports its exports on first use (PEP 562): the names under TYPE_CHECKING."""

    def get(name: str) -> Any:
        homes = _typed_imports(package)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)  # a module that has it does not ask again
        return value

    return get


@cache
def _typed_imports(package: str) -> dict[str, str]:
    """Modules by the names that a package imports from them under TYPE_CHECKING."""
    module = sys.modules[package]
    source = "".join(linecache.getlines(module.__file__ or "", vars(module)))
    branches = [node for node in ast.parse(source).body if isinstance(node, ast.If)]
    imports = [
        node for branch in branches for node in branch.body if isinstance(node, ast.ImportFrom)
    ]
    return {alias.name: node.module or "" for node in imports for alias in node.names}


if TYPE_CHECKING:
    from dbce.model.byte_names import (
        escape_bytes,
        printable,
        speak_names,
        speakable,
        unescape_bytes,
    )
    from dbce.model.config import (
        LITERAL_COST,
        OPTIONAL_OUTPUTS,
        Config,
        FormatName,
        Limits,
        Rendering,
        load_config,
    )
    from dbce.model.errors import (
        EXTRAS,
        DbceError,
        InputError,
        MissingExtra,
        NotInRun,
        OutputLost,
        ReaderLeft,
        StoreError,
        TooManyRejects,
        UsageError,
        missing_extra,
    )
    from dbce.model.faults import NOT_OF_A_RECORD, drop, fault_detail, reject_fault
    from dbce.model.hashing import (
        as_numbers,
        digest64,
        first_alike,
        first_numbers,
        fold_text,
        hash_strings,
        shingle_hashes,
        shingles,
        stable_id,
    )
    from dbce.model.interrupt import (
        Termination,
        interrupt_once,
        interrupts_deferred,
        interrupts_kept,
        raise_pending,
    )
    from dbce.model.package_files import stored_arrays, stored_text, word_lists
    from dbce.model.progress import (
        LOG,
        Progress,
        announce,
        count_of,
        end_line,
        files,
        log_to_stderr,
        print_above_status,
        without_control,
    )
    from dbce.model.setting import (
        EXPERT,
        MAIN,
        PAPER,
        Setting,
        number,
        override,
        range_in_words,
        sentence,
        settings_in,
        without_markup,
    )
    from dbce.model.standard_streams import secure_streams, whole_output
    from dbce.model.values import (
        BOILERPLATE,
        CIRCLE,
        CONTENT,
        HISTORY,
        INVALID,
        LABELS,
        NO_TIME,
        NOT_JUDGED,
        ROLES,
        UNREAD,
        Annotation,
        Capture,
        CrawlerText,
        Cross,
        DateSource,
        Hashes,
        Label,
        Mask,
        Origin,
        Page,
        Reason,
        Reference,
        Reject,
        Repeat,
        Resolution,
        Sketch,
        Stage,
        Status,
        StoredText,
        Structure,
        TextKind,
        TextNode,
        TextRun,
        TextSource,
        ValueWithMeaning,
        Verdict,
        page_of_columns,
    )
    from dbce.model.words import (
        LETTER_RUN,
        NOT_XML,
        UNSPACED_LETTERS,
        WORD,
        WORD_RUN,
        count_words,
        key_of,
        unify_signs,
        words_of,
    )

__getattr__ = lazily(__name__)
