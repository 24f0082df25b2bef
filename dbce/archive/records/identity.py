"""Identity of captures: sort keys, hosts and sites of URLs, digests and dates."""

import base64
import hashlib
import re
from contextlib import suppress
from datetime import datetime
from functools import cache, lru_cache
from ipaddress import ip_address
from urllib.parse import SplitResult, quote_from_bytes, unquote_to_bytes, urlsplit

from publicsuffixlist import PublicSuffixList

from dbce.model import UsageError

# The keys are those that CDX indexes use (com,example)/path?query): http and https, `www.`,
# default ports, letter case, session ids and the order of the query make no difference.

_URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*):/*(?P<authority>[^/\\?#]*)"
    r"(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#.*)?",
    re.IGNORECASE | re.DOTALL,
)
_WEB = ("http", "https", "ftp")
_DEFAULT_PORTS = {"http": "80", "https": "443", "ftp": "21"}
_NESTED = 8  # percent signs escaped again and again; each level costs a pass
_PORT = re.compile(r":(\d*)\Z", re.ASCII)
# Only where two more labels follow: of `www.com` it is the name itself.
_WWW = re.compile(r"^www\d*\.(?=[^.]+\.)")
# All printable ASCII but the two signs that would change the meaning.
_KEPT = "".join(chr(c) for c in range(0x21, 0x7F) if chr(c) not in "#%")
# Ids that differ from visit to visit, as the Wayback Machine's keys leave them out.
_PATH_SESSION = re.compile(
    r";jsessionid=[0-9a-z.!-]{32,}|\((?:[a-z]\([0-9a-z]{24}\))+\)/|\([0-9a-z]{24}\)/"
)
_QUERY_SESSION = re.compile(
    r"(?:^|(?<=&))(?:jsessionid=[0-9a-z$.]{10,}|(?:phpsessid|sid)=[0-9a-z]{32}"
    r"|aspsessionid[a-z]{8}=[a-z]{24}|cfid=[^&]+&cftoken=[^&]+)(?:&|$)"
)


def _web_address(url: str) -> re.Match[str] | None:
    parts = _URL.fullmatch(url.strip())
    return parts if parts and parts["scheme"].lower() in _WEB else None


@lru_cache(maxsize=4096)
def surt(url: str) -> str:
    """The sort key of a URL; what is no web address comes back in lower case. Never raises."""
    parts = _web_address(url)
    if parts is None:
        return _quote(url.strip(), f"{_KEPT}#%").lower()
    scheme = parts["scheme"].lower()
    name, port = _host_and_port(parts["authority"])
    if not _is_ip(name):
        name = ",".join(reversed(_WWW.sub("", name, count=1).split(".")))
    if port and port != _DEFAULT_PORTS[scheme]:
        name += f":{port}"
    key = f"{name}){_path(parts['path'])}"
    query = _query(parts["query"] or "")
    key += f"?{query}" if query else ""
    return key if scheme != "ftp" else f"ftp://{key}"


def host(url: str) -> str:
    """The host name in lower case, without user and port; "" where a URL has none."""
    parts = _web_address(url)
    return _host_and_port(parts["authority"])[0] if parts else ""


def split_url(url: str) -> SplitResult:
    """The parts of a URL as it is written; of one whose brackets hold no IPv6 address none."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def site(url: str, by: str) -> str:
    """The host name without `www.`, or (`by` is "domain") the registered domain.

    The domain comes from the public suffix list that is installed, without network. An IP address,
    or a name under no public suffix, is a site by itself. Of an address that is none of the web the site is
    its scheme with the authority, as `ipfs://bafy...`, and of `data:` the whole of it.
    """
    name = host(url)
    if not name and (parts := _URL.fullmatch(url.strip())) and not _web_address(url):
        scheme = parts["scheme"].lower()
        if scheme == "data":
            return f"data:{sha1(url.encode('utf-8', 'surrogatepass'))[5:]}"
        # The authority as a key has it.
        rest = url.strip().partition(":")[2]
        authority = re.split(r"[/?#]", rest[2:])[0] if rest.startswith("//") else ""
        return f"{scheme}:{_quote(authority).lower()}"
    if by == "domain" and not _is_ip(name):
        return _suffixes().privatesuffix(name) or name
    return name.removeprefix("www.")


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)


def _host_and_port(authority: str) -> tuple[str, str]:
    name = authority.rpartition("@")[2]
    port = _PORT.search(name)
    if port:
        name = name[: port.start()]
    name = _unquote(name).decode("utf-8", "replace").strip().strip(".").lower()
    if not name.isascii():
        with suppress(UnicodeError):  # not a name that the DNS can hold
            name = name.encode("idna").decode("ascii").lower()
    # Behind IDNA, which makes plain spaces of those of other scripts.
    return _quote(name.strip()).lower(), port[1] if port else ""


def _is_ip(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _path(path: str) -> str:
    steps: list[str] = []
    for step in _plain(path).replace("\\", "/").split("/"):
        if step == "..":
            del steps[-1:]
        elif step not in ("", "."):
            steps.append(step)
    return _PATH_SESSION.sub("", "/" + "/".join(steps)) or "/"


def _query(query: str) -> str:
    text = _plain(query)
    stripped = _QUERY_SESSION.sub("", text)
    if stripped != text:
        stripped = stripped.removesuffix("&")
    return "&".join(sorted(stripped.split("&")))


def _plain(text: str) -> str:
    """Percent signs resolved as far as they go, then only what must be is escaped; lower case."""
    return quote_from_bytes(_unquote(text), safe=_KEPT).lower()


def _unquote(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    for _ in range(_NESTED):
        plain = unquote_to_bytes(data)
        if plain == data:
            break
        data = plain
    return data


def _quote(text: str, safe: str = _KEPT) -> str:
    """A text with percent codes for all but some printable ASCII."""
    return quote_from_bytes(text.encode("utf-8", "surrogatepass"), safe=safe)


# Digests and dates of captures.

_DATE = re.compile(
    r"(\d{4})-?(\d\d)?-?(\d\d)?[T ]?(\d\d)?:?(\d\d)?:?(\d\d)?(?:[.,](\d{1,9}))?(?:Z|[+-]00:?00)?",
    re.ASCII | re.IGNORECASE,
)
_LOWEST = ("0001", "01", "01", "00", "00", "00", "0")  # what a truncated date leaves out


def sha1(data: bytes) -> str:
    return sha1_text(hashlib.sha1(data, usedforsecurity=False).digest())


def sha1_text(digest: bytes) -> str:
    return "sha1:" + base64.b32encode(digest).decode("ascii")


def plain_digest(declared: str) -> str:
    """A digest in the spelling of most: `sha1:` and base 32; as it is, if nothing is known of its algorithm."""
    if not declared or _USUAL_DIGEST.fullmatch(declared):
        return declared
    name, colon, value = (part.strip() for part in declared.rpartition(":"))
    algorithm = name.lower().replace("-", "") if colon else "sha1"
    value = value.rstrip("=")
    size = DIGEST_BYTES.get(algorithm, 0)
    with suppress(ValueError):
        if len(value) == 2 * size:
            digest = bytes.fromhex(value)
        elif len(value) == -(-8 * size // 5):
            digest = base64.b32decode(value.upper() + "=" * (-len(value) % 8))
        else:
            digest = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
        if size and len(digest) == size:
            return f"{algorithm}:{base64.b32encode(digest).decode().rstrip('=')}"
    return declared


_USUAL_DIGEST = re.compile(r"sha1:[A-Z2-7]{32}")
# By algorithm; of others nothing can be said.
DIGEST_BYTES = {"md5": 16, "sha1": 20, "sha256": 32, "sha512": 64}


def typed_time(option: str, typed: str) -> datetime:
    """The time that was given with an option; UsageError if it is none."""
    time = parse_date(typed)
    if time is None:
        raise UsageError(
            f"{option} {typed} is not a time; give 4 to 14 digits (YYYYMMDDhhmmss) or an ISO date in UTC"
        )
    return time


@lru_cache(maxsize=1)  # pages in memory, which have none, all bring the same
def parse_date(text: str) -> datetime | None:
    """A WARC date (ISO in UTC, may be truncated) or 4 to 14 digits; None where it is no date."""
    match = _DATE.fullmatch(text.strip())
    if not match:
        return None
    parts = zip(match.groups(), _LOWEST, strict=True)
    year, month, day, hour, minute, second, fraction = (part or low for part, low in parts)
    try:
        return datetime.fromisoformat(
            f"{year}-{month}-{day}T{hour}:{minute}:{second}.{fraction:0<6.6}+00:00"
        )
    except ValueError:
        return None


# Dates of captures are written by these alone: strftime drops the leading zeros of years before 1000 (tests/test_architecture.py).


def timestamp14(timestamp: datetime) -> str:
    """The 14 digits of a UTC timestamp."""
    return re.sub(r"\D", "", timestamp.isoformat()[:19])


def iso(timestamp: datetime, precision: str = "auto") -> str:
    """A UTC timestamp as WARC headers write it; `precision` is a `timespec` of `datetime.isoformat`."""
    return timestamp.isoformat(timespec=precision).replace("+00:00", "Z")


def clock_of(timestamp: datetime) -> str:
    """A UTC timestamp to the second for people, e.g. 2016-05-24 02:48:31."""
    return timestamp.isoformat(" ")[:19]


def day_of(timestamp: datetime) -> str:
    """The day of a UTC timestamp, e.g. 2016-05-24."""
    return clock_of(timestamp)[:10]


def month_of(timestamp: datetime) -> str:
    """The month of a UTC timestamp, e.g. 2016-05."""
    return clock_of(timestamp)[:7]
