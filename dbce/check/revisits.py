"""Which revisits of some files are resolved within them, told from headers alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from dbce.archive import heads, surt
from dbce.boilerplate import Original, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dbce.archive import Source
    from dbce.check.account import Account


def with_resolutions(account: Account, sources: Iterable[Source]) -> Account:
    """The account of all these files with its revisits resolved among their captures.

    Where there are revisits the files are read again. Payload digests are those that are declared, and
    what is damaged counts as well.

    Raises:
        StoreError: a file cannot be read.
    """
    found = resolve(account.repeating, _originals(sources))
    counted = Counter(found[one.record_id][0].value for one in account.repeating)
    return replace(account, resolutions=counted)


def _originals(sources: Iterable[Source]) -> Iterator[Original]:
    for source in sources:
        for head in heads(source):
            if head.timestamp is not None:
                yield Original(
                    is_dropped=False,
                    timestamp=head.timestamp,
                    record_id=head.record_id,
                    surt=surt(head.url),
                    digest=head.digest,
                    is_html=False,
                )
