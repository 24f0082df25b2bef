"""Dates as pages write them, as ISO dates.

The order of numbers follows the language: American English alone has the month first in 03/04/2016,
some languages have the year first in 16.04.03. A date counts if it is later than EARLIEST and not later
than its page was captured.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from unicodedata import category, combining, normalize

from dbce.model import word_lists

EARLIEST = date(1990, 1, 1)  # beginning of the Web; declared dates may be older (a digitised book)
OLDEST = date(1000, 1, 1)  # of those; software writes the year 1 where a date was not set
NOT_SET = date(1970, 1, 1)  # what other software writes there
LONGEST = 100  # characters of a field that is for a date


def plain(text: str) -> str:
    """A text without accents and direction marks, its signs of the usual width, years of East Asian eras as ours: capitals are written without accents, too."""
    if text.isascii():
        return text
    parts = normalize("NFKD", text.replace("ı", "i"))
    plain_text = BESIDE_LETTERS.sub(_as_seen, parts)
    return ERA.sub(lambda m: str(ERAS[m[1][0]] + int(m[2] or 1)), normalize("NFC", plain_text))


def _as_seen(sign: re.Match[str]) -> str:
    return "" if combining(sign[0]) or category(sign[0]) == "Cf" else sign[0]


BESIDE_LETTERS = re.compile(r"[^\w\x00-\x7f]")  # accents and marks of direction, and few others
ERA = re.compile(r"(令和|平成|民[国國])\s?(?:(\d{1,3})|元)(?=\s?年)")
ERAS = {"令": 2018, "平": 1988, "民": 1911}  # the year before the first of each

WORDS = word_lists("dbce.metadata")
MONTHS = {
    name.replace("_", " "): number
    for number, names in enumerate(WORDS["months"].splitlines(), start=1)
    for name in names.split()
}
"""Names of months, in lower case, of the languages of Europe, South and South-East Asia, and of Arabic, Hebrew and
Azerbaijani; of Croatian those that mean no other month elsewhere. From 13 on they are those of the Persian calendar."""
PLAIN_MONTHS = {plain(name): number for name, number in MONTHS.items()}

_LETTER = r"(?:[^\W\d_]|[\u0900-\u17ff])"  # also the signs of vowels of Indic scripts
# Where more follows, a name may have digits, as no month has: one set is passed in half of the time of two.
_NAME, _LAST_NAME = (
    rf"(?P<name>(?:كانون|تشرين)\s{_LETTER}+|{letter}{{1,12}}(?:\.{_LETTER})?)\.?"
    for letter in (r"[\w\u0900-\u17ff]", _LETTER)
)
_YEAR = r"(?P<year>\d{4}|['’]\d\d)"
_DAY = r"(?P<day>\d{1,2})"
# The same without a digit before it; with a set of signs first, a pattern is looked for in a seventh of the time.
_FIRST_YEAR = r"(?P<year>[\d'’](?<!\d.)(?:(?<=\d)\d{3}|(?<=['’])\d\d))"
_FIRST_DAY = r"(?P<day>\d(?<!\d.)\d?)"
ISO = re.compile(rf"{_FIRST_YEAR}([-/.])\s?(?P<month>\d{{1,2}})\2\s?{_DAY}(?!\d)")
VIETNAMESE = re.compile(rf"{_FIRST_DAY}\s+thang\s+(?P<month>\d{{1,2}}),?\s+(?:nam\s+)?{_YEAR}")
CHINESE, KOREAN = (
    re.compile(rf"{_YEAR}\s?{year}\s?(?P<month>\d{{1,2}})\s?{month}\s?{_DAY}\s?{day}")
    for year, month, day in ("年月日", "년월일")
)
NUMBERS = re.compile(rf"{_FIRST_DAY}([-/.])\s?(?P<month>\d{{1,2}})\2\s?{_YEAR}(?!\d)")
DAY_MONTH = re.compile(
    rf"{_FIRST_DAY}(?:st|nd|rd|th|er|[°o])?[\s./-]+(?:of\s+|de\s+|d['’])?(?:(?:[^\W\d]+\s)?[^\W\d]+/)?{_NAME}[\s.,/-]+(?:del?\s+|พ\.ศ\.\s?)?{_YEAR}(?!\d)",
    re.IGNORECASE,
)
MONTH_DAY = re.compile(
    rf"\b{_NAME}[\s/-]+{_DAY}(?:st|nd|rd|th)?[\s,/-]+(?:at\s+)?{_YEAR}(?!\d)", re.IGNORECASE
)
LATVIAN = re.compile(rf"{_FIRST_YEAR}\.?\s+(?:gada|жылғы)\s+{_DAY}\.?\s+{_LAST_NAME}")
YEAR_FIRST = re.compile(rf"{_FIRST_YEAR}(?:[.,]|ko|\sm\.)?\s+{_NAME}\s+{_DAY}(?!\d)", re.IGNORECASE)
MAIL = re.compile(rf"\b{_NAME}\s+{_DAY}\s+\d\d:\d\d:\d\d\s+(?:[A-Z]{{3,5}}\s+)?{_YEAR}(?!\d)")
"""As mails and the C library write it: Tue Jan 14 10:12:33 CET 2003."""
_SHORT = r"(?<![\d./-])(?<!\d[./-]\s){}\s?(?P<month>\d{{1,2}})\2\s?{}(?![\d./:-]\d|\d)"
SHORT = re.compile(_SHORT.format(rf"{_DAY}([./])", r"(?P<year>\d{2})"), re.ASCII)
SHORT_YEAR_FIRST = re.compile(_SHORT.format(r"(?P<year>1?\d\d)([./-])", _DAY), re.ASCII)
YEAR_FIRST_LANGUAGES = ("ja", "ko", "zh", "hu")
TAIWAN = 1911  # the year before the first of those that have three digits
# Most texts have none, and there are many patterns.
ANY = re.compile(r"[\d'’元](?:(?<=\d)(?:\d{3}|[./]\s?\d|-\d\d-)|(?<=['’])\d\d|(?<=[\d元])\s?年)")
NUMERIC = (NUMBERS, SHORT)
_IN_ALL = {VIETNAMESE: "thang", MAIL: ":", CHINESE: "年", KOREAN: "년"}
"""Patterns of dates that few texts have, and what stands in all of these."""
_ALL = (ISO, CHINESE, KOREAN, VIETNAMESE, NUMBERS, DAY_MONTH, MONTH_DAY, YEAR_FIRST, LATVIAN, MAIL)
PATTERNS = tuple((pattern, _IN_ALL.get(pattern, "")) for pattern in _ALL)

LAST = 2400  # no year of ours that pages tell of is later: it is one of Buddha's
BUDDHIST = 543  # its era began so many years before ours
PERSIAN = range(1300, 1500)  # years from the flight from Mecca on, counted by the sun
BEFORE_PERSIAN = 226_529  # days from our year 1 to the last day before the year 0 of this era

COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:[T\d].*)?", re.ASCII)
SECONDS = re.compile(r"(1\d{9})(?:\d{3})?", re.ASCII)  # or thousandths, since 1970
PART = re.compile(r"(\d{4})(?:[-/](\d\d?))?", re.ASCII)
IN_URL = re.compile(r"(?<!\d)(\d{4})([/_.-]?)([01]\d)\2([0-3]\d)(?!\d)", re.ASCII)
DAY_IN_URL = re.compile(r"(?<!\d)([0-3]\d)([-_.])([01]\d)\2((?:19|20)\d\d)(?!\d)", re.ASCII)
FOLDERS_IN_URL = re.compile(r"/((?:19|20)\d\d)/(\d\d?)/(\d\d?)(?=/|$)", re.ASCII)
SHORT_IN_URL = re.compile(r"/((?:19|20)(\d\d))/(\d\d)/\2\3(\d\d)(?!\d)", re.ASCII)
MONTH_IN_URL = re.compile(r"/(\d{4})/([01]?\d)/", re.ASCII)

# Words by which a text says of what its date is.


def _any_of(name: str) -> str:
    return plain(WORDS[name]).replace("\n", "|")


PUBLISHED, CHANGED, OTHER = (
    re.compile(rf"\b(?:{_any_of(name)})\b|{_any_of(f'{name} anywhere')}")
    for name in ("published", "changed", "other")
)
"""Of what its date is, in a plain text in lower case: of publication, of a change, or the year of a right, the day of the visit, an end or a birth."""


@dataclass(frozen=True, slots=True)
class DateReader:
    """Reader of the dates of a page in a language, none of which is later than `latest`."""

    latest: date
    language: str = ""

    def declared_date(self, text: str) -> str | None:
        """Date of a field for dates: also in parts (2016, 2016-05), and older than the Web."""
        text = plain(text).strip()
        if len(text) > LONGEST:
            return None
        if seconds := SECONDS.fullmatch(text):
            text = datetime.fromtimestamp(int(seconds[1]), UTC).isoformat()
        if compact := COMPACT.fullmatch(text):
            year, month, day = compact.groups()
            return self._iso(year, month, day, OLDEST)
        if (part := PART.fullmatch(text)) and 1000 <= int(part[1]) <= self.latest.year:
            named = int(part[2] or 0)
            return f"{part[1]}-{named:02}" if 1 <= named <= 12 else part[1]
        return next((day for _, day in self._dates(text, PATTERNS, OLDEST)), None)

    def in_url(self, url: str) -> str | None:
        """The date in a URL, such as `/2016/05/01/` or `-20160501`."""
        days = [(year, month, day) for year, _, month, day in IN_URL.findall(url)]
        days += FOLDERS_IN_URL.findall(url)
        days += [(year, month, day) for day, _, month, year in DAY_IN_URL.findall(url)]
        days += [(year, month, day) for year, _, month, day in SHORT_IN_URL.findall(url)]
        return next(filter(None, (self._iso(*day) for day in days)), None)

    def month_in_url(self, url: str) -> str | None:
        """The month in a URL, such as `/2016/05/`."""
        dates = (self._iso(year, month, 1) for year, month in MONTH_IN_URL.findall(url))
        return next((day[:7] for day in dates if day), None)

    def publication_in(self, text: str) -> str | None:
        """First date of a text by its words: no change, and nothing else such as a birth."""
        return self.days_in(text)[0]

    def days_in(self, text: str, *, short_years: bool = False) -> tuple[str | None, str | None]:
        """Day of publication in a text, by its words or as the first of all, and the first of a change; nothing else such as a birth. Short years are as in 8.5.12."""
        if not ANY.search(text):  # as most
            return None, None
        published, changed, unnamed = list[str](), list[str](), list[str]()
        text = plain(text)
        short = SHORT_YEAR_FIRST if self.language.startswith(YEAR_FIRST_LANGUAGES) else SHORT
        patterns = (*PATTERNS, (short, "")) if short_years else PATTERNS
        last = 0  # place of the date before
        for place, day in sorted(self._dates(text, patterns, EARLIEST)):
            before = text[:place].lower()
            # The last word of its kind in front of a date tells what that is of.
            change, publication, other = (
                max((match.end() for match in words.finditer(before)), default=-1)
                for words in (CHANGED, PUBLISHED, OTHER)
            )
            if other <= publication:
                named = changed if change > publication else published
                (named if max(change, publication) >= last else unnamed).append(day)
            last = place
        # Nothing is changed before it is published.
        first = published[:1] or (sorted(unnamed + changed) if unnamed else [])
        return next(iter(first), None), next(iter(changed), None)

    def _dates(
        self, text: str, patterns: Sequence[tuple[re.Pattern[str], str]], earliest: date
    ) -> Iterator[tuple[int, str]]:
        for pattern, in_all in patterns:
            for match in pattern.finditer(text) if in_all in text else ():
                parts = match.groupdict()
                name = parts.get("name")
                month = PLAIN_MONTHS.get(name.lower(), 0) if name else int(parts["month"])
                day = int(parts["day"])
                # There is no month 13: then the other number is it, whatever the language.
                if pattern in NUMERIC and (month > 12 or (self.language == "en-US" and day <= 12)):
                    day, month = month, day
                digits = parts["year"].lstrip("'’")
                year = int(digits)
                if len(digits) < 4:
                    century = 2000 if 2000 + year <= self.latest.year else 1900
                    year += TAIWAN if len(digits) == 3 else century
                elif year > LAST:
                    year -= BUDDHIST
                elif year in PERSIAN and month > (12 if earliest == OLDEST else 0):
                    day += 365 * year + (8 * year + 21) // 33  # with the days of leap years
                    day += 30 * ((month - 1) % 12) + min((month - 1) % 12, 6)
                    year, month, day = date.fromordinal(BEFORE_PERSIAN + day).timetuple()[:3]
                if iso_date := self._iso(year, month, day, earliest):
                    yield match.start(), iso_date

    def _iso(
        self, year: int | str, month: int | str, day: int | str, earliest: date = EARLIEST
    ) -> str | None:
        try:
            moment = date(int(year), int(month), int(day))
        except ValueError:
            return None
        is_set = moment != NOT_SET
        return moment.isoformat() if is_set and earliest <= moment <= self.latest else None
