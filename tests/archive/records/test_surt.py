"""Sort keys, hosts and sites."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.archive import host, site, surt
from tests.data import shared

TEXTS = st.text(st.characters(exclude_categories=()))
"""Of all characters, halves of some too."""

VISIBLE = re.compile(r"[!-~]*")


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://example.com", "com,example)/"),
        ("https://www.Example.com:443/A/b/?q=1", "com,example)/a/b?q=1"),
        ("http://www2.example.com/", "com,example)/"),
        ("http://www.com/", "com,www)/"),
        ("http://user:secret@example.com:8080/", "com,example:8080)/"),
        ("http://example.com?b=2&a=1#part", "com,example)/?a=1&b=2"),
        ("http://example.com/?", "com,example)/"),
        ("http://example.com/a//b/./c/../d/", "com,example)/a/b/d"),
        ("http://example.com/%7Ea%20b/%2541", "com,example)/~a%20b/a"),
        ("http://example.com/grüße", "com,example)/gr%c3%bc%c3%9fe"),
        ("http://bücher.example/", "example,xn--bcher-kva)/"),
        ("http://192.0.2.7/x", "192.0.2.7)/x"),
        ("http://[2001:DB8::1]:81/", "[2001:db8::1]:81)/"),
        ("http://example.com/x;jsessionid=0123456789abcdef0123456789ABCDEF", "com,example)/x"),
        (
            "http://example.com/x?a=1&PHPSESSID=0123456789abcdef0123456789abcdef",
            "com,example)/x?a=1",
        ),
        ("ftp://example.com/f", "ftp://com,example)/f"),
        ("dns:Example.com", "dns:example.com"),
        ("http://foo%20bar.com/", "com,foo%20bar)/"),
        ("http://foo%2520bar.com/", "com,foo%20bar)/"),
        ("http://www.foo .com/", "com,foo%20)/"),
        ("http://a\u00a0b.com/", "com,a%20b)/"),
        ("http://a\u3000b.com/", "com,a%20b)/"),
        ("http://a%0ab\tc.com/", "com,a%0ab%09c)/"),
        ("http://<b>x</b>.com/", "<b>x<)/b>.com"),
        ('http://a {"b": 1}.com/', 'com,a%20{"b":%201})/'),
        ("urn:a b\n{c", "urn:a%20b%0a{c"),
        ("", ""),
    ],
)
def test_the_key_is_that_of_cdx_indexes(url: str, key: str) -> None:
    assert surt(url) == key


@given(TEXTS | TEXTS.map("http://".__add__) | TEXTS.map("http://[a]/?".__add__))
def test_of_any_text_keys_hosts_and_sites_are_printable_ascii_without_spaces(text: str) -> None:
    for key in (surt(text), host(text), site(text, "host"), site(text, "domain")):
        assert VISIBLE.fullmatch(key), key


@pytest.mark.parametrize(
    ("url", "by_host", "by_domain"),
    [
        ("http://www.example.co.uk/", "example.co.uk", "example.co.uk"),
        ("http://news.example.co.uk/", "news.example.co.uk", "example.co.uk"),
        ("http://me.github.io/", "me.github.io", "me.github.io"),
        ("http://192.0.2.7/", "192.0.2.7", "192.0.2.7"),
        ("http://box.intranet/", "box.intranet", "box.intranet"),
        ("http://localhost/", "localhost", "localhost"),
    ],
)
def test_a_site_is_a_host_or_a_registered_domain(url: str, by_host: str, by_domain: str) -> None:
    assert site(url, "host") == by_host
    assert site(url, "domain") == by_domain
    assert host("https://me@WWW.Example.com.:8080/x") == "www.example.com"
    assert host("dns:example.com") == ""


@pytest.mark.data
@pytest.mark.parametrize(
    "name", ["cleanportaleval", "cleaneval", "dragnet", "dragnet-sites", "flink", "sites"]
)
def test_keys_agree_with_indexes_that_others_made(name: str) -> None:
    lines = shared(f"{name}/{name}.cdxj").read_text(encoding="utf-8").splitlines()
    entries = [line.split(" ", 2) for line in lines]
    differing = [key for key, _, fields in entries if surt(json.loads(fields)["url"]) != key]
    assert differing == []


def test_pages_of_other_schemes_are_sites_of_their_own() -> None:
    urls = ("dat://ab12/x", "ipfs://bafy1/x", "ipfs://bafy2/x", "file:///x", "data:,x", "data:,y")
    sites = [site(url, by) for url in urls for by in ("host", "domain")]
    assert len(set(sites)) == len(urls)
    assert site("ipfs://bafy1/other", "host") == site("IPFS://bafy1", "domain") == "ipfs:bafy1"
