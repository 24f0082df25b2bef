"""First lines of records, and the headers that they begin, also where these are spread over gzip members."""

import re
from functools import partial

from dbce.archive.records.members import Window
from dbce.archive.records.message import LINE_LENGTH, header_block

_VERSION = rb"\d+(?:\.\d+)*[ \t\r]*\n"
_WARC_LINE = rb"(?i:WARC)/" + _VERSION
# URL (white space happens), IP address, date, media type (with blanks, in old ones), length; in version 2
# five more fields before the length. Where one is not what it should be (a name or "None" for the address,
# a date that is none), the other tells where the URL ends; old crawlers wrote the two the other way round.
LONGEST_ARC_URL = 8000  # bytes
_ARC_SCHEME = rb"[A-Za-z][A-Za-z0-9+.-]{1,20}:"
_ARC_DATE = rb"\d{14,20}"
_ARC_ADDRESS = rb"(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{1,40})"
_ARC_LINE = (
    rb"(?P<url>%(scheme)s[^\n]{1,%(longest)d}?)[ \t]"
    rb"(?:%(address)s[ \t](?P<date>[^ \t\n]{0,40})|[^ \t/;\n]{1,255}[ \t](?P<named>%(date)s)"
    rb"|(?P<before>%(date)s)(?:[ \t](?:%(address)s|None|null|-))?)"
    rb"(?:[ \t](?P<media>[^\n]{0,600}))?[ \t](?P<length>-?\w{1,20})[ \t\r]*\n"
) % {
    b"scheme": _ARC_SCHEME,
    b"longest": LONGEST_ARC_URL,
    b"address": _ARC_ADDRESS,
    b"date": _ARC_DATE,
}
_HEADER_LINE = rb"(?:%s|%s)" % (_WARC_LINE, _ARC_LINE)
HEADER_LINE_LENGTH = 9 * 1024  # bytes; no match of the above is longer
WARC_LINE_LENGTH = 64  # bytes; nor is any of WARC
STARTS_WARC = re.compile(_WARC_LINE)
STARTS_ARC = re.compile(_ARC_LINE)
STARTS_LONG_ARC = re.compile(_ARC_SCHEME + rb"[^\r\n]{%d}" % LONGEST_ARC_URL)
ANY_ARC = re.compile(rb"%s[^\n]{1,%d} (?P<length>\d{1,7})\r?\n" % (_ARC_SCHEME, LONGEST_ARC_URL))
_STARTS = re.compile(_HEADER_LINE)
# Of a record behind one that breaks off the version need not begin a line.
NEXT = re.compile(rb"^%s|%s(?=WARC-|Content-)" % (_HEADER_LINE, _WARC_LINE), re.MULTILINE)
# From the slash on, for which searching is fast.
_ANOTHER = re.compile(
    rb"/(?:(?<=\n(?i:WARC)/)%s|(?<=(?i:WARC)/)%s(?=WARC-|Content-))" % (_VERSION, _VERSION)
)
_SLASH = len(b"WARC")
_EMPTY_LINE = re.compile(rb"\n[ \t\r\f\v]*\n")
_USUAL = 4 * 1024  # bytes; a header that is longer is read line by line


def starts_record(data: bytes) -> bool:
    return _STARTS.match(data) is not None


def header_bytes(window: Window) -> bytes:
    """The header that begins here, with the empty line behind it if there is one; it also ends where another begins."""
    ahead = window.peek(_USUAL)
    end = _EMPTY_LINE.search(ahead)
    stop = end.end() if end else len(ahead)
    if another := _ANOTHER.search(ahead, _SLASH + 1, stop):
        return window.read(another.start() - _SLASH)
    if end:
        return window.read(stop)
    return window.line(WARC_LINE_LENGTH) + header_block(partial(_header_line, window))


def _header_line(window: Window) -> bytes:
    """The next line of a header; empty where another one begins."""
    is_next = STARTS_WARC.match(window.peek(WARC_LINE_LENGTH))
    return b"" if is_next else read_line(window, LINE_LENGTH)


def read_line(window: Window, limit: int) -> bytes:
    """The next line, cut at `limit` bytes, also where it goes on in further members."""
    data = window.line(limit)
    while not (data.endswith(b"\n") or len(data) == limit or window.peek(1)):
        if not join_following(window):
            break
        data += window.line(limit - len(data))
    return data


def join_line(window: Window) -> Window:
    """The same window, or one that goes on in the next gzip member, where the first line of a record is spread over both."""
    if b"\n" in window.peek(WARC_LINE_LENGTH) or b"\n" in window.peek(HEADER_LINE_LENGTH):
        return window
    twin, following = window.mark(), window.following()
    if following is None or not starts_record(
        twin.peek(HEADER_LINE_LENGTH) + following.peek(HEADER_LINE_LENGTH)
    ):
        return window
    twin.join(following)
    return twin


def join_following(window: Window) -> bool:
    """Goes on into the next gzip member, where one record is spread over several."""
    following = window.following()
    if following is None or starts_record(following.peek(HEADER_LINE_LENGTH).lstrip()):
        return False
    window.join(following)
    return True
