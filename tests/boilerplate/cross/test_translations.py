"""Addresses of translations."""

from __future__ import annotations

import pytest

from dbce.archive import surt
from dbce.boilerplate.cross import document

SITE = "http://harbour.example"


@pytest.mark.parametrize(
    ("address", "original"),
    [
        ("/de/ferry", "/ferry"),
        ("/docs/pt-BR/ferry.html", "/docs/ferry.html"),
        ("/docs/zh_hans/ferry", "/docs/ferry"),
        ("/es-419/", "/"),
        ("/jp", "/"),
        ("/ferry?lang=de", "/ferry"),
        ("/ferry?day=3&hl=ru", "/ferry?day=3"),
        ("/ferry.de.html", "/ferry.html"),
        ("/ferry.html.de", "/ferry.html"),
        ("/ferry.htm?x=1", "/ferry.htm?x=1"),
    ],
)
def test_the_document_of_a_translation_is_that_of_its_address_without_the_language(
    address, original
):
    assert document(surt(f"{SITE}{address}")) == surt(f"{SITE}{original}")


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/news/ferry",
        "/xx/ferry",
        "/d/ferry",
        "/dex/ferry",
        "/ferry?q=de",
        "/ferry.pl",
        "/ferry.v2.html",
        "/en2/a",
    ],
)
def test_other_addresses_are_documents_of_their_own(address):
    assert document(surt(f"{SITE}{address}")) == surt(f"{SITE}{address}")


def test_of_two_languages_in_an_address_the_first_is_that_of_the_page():
    assert document("a)/de/grammar/ru/verbs") == document("a)/en/grammar/ru/verbs")
    assert document("a)/de/grammar/ru/verbs") != document("a)/de/grammar/fi/verbs")
