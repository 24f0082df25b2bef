"""Phrases of pages that stand in another page's place: errors, maintenance, parked domains, walls and shells.

**choice**: no list of such phrases is whole; those of a dozen languages that servers, registrars and platforms
print are in `phrases.txt`. Texts are asked in lower case.
"""

import re

from dbce.model import word_lists

# Every phrase begins with a word, at the beginning of the text, in a script that may not part words, or with
# "javascript" between such letters: nowhere else are all of them tried, which takes twice as long.
_BEGINS = r"(?=\b\w|^|[^\x00-\x7f]|javascript)"

_LISTS = word_lists("dbce.quality", "phrases.txt")


def _choice(name: str) -> str:
    """A choice among the phrases of a list, as a regular expression."""
    return "|".join(_LISTS[name].splitlines())


def _any_of(name: str) -> re.Pattern[str]:
    """Any phrase of a list."""
    return re.compile(f"{_BEGINS}(?:{_choice(name)})", re.VERBOSE)


ERROR_PHRASES = _any_of("error")
MAINTENANCE = _any_of("maintenance")
OFFLINE = _any_of("offline")  # for a while; missing pages say so, too, among other reasons
MOVED = _any_of("moved")  # of stubs that say where a page has gone
PARKED_PHRASES = _any_of("parked")
BOT_CHECK = _any_of("bot check")
LOGIN = _any_of("login")
ENABLE_SCRIPTS = _any_of("enable scripts")

LOGIN_NAMES = re.compile(rf"^\W*(?:{_choice('login names')})\W*$")
"""Names of forms to log in, where a title or a part of one has nothing else."""

CONSENT = re.compile(_choice("consent"))  # words of requests for consent
AGREE = re.compile(rf"\b(?:{_choice('agree')})\b|同意|接受")  # on the button that gives it

OWN_PAGES = re.compile(rf"(?<![a-z])(?:{_choice('own pages')})(?![a-z])")
"""Parts of addresses of pages that are forms for users, and whole as such."""

POLICIES = re.compile(_choice("policies"))
"""Parts of paths of pages on such matters, and whole as such."""

FORMS = re.compile(rf"\b(?:{_choice('forms')})\b", re.IGNORECASE)  # what they call themselves
