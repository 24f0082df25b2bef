"""Fuzz target: the bytes of a page, through the server of `dbce view`, to the page in its frame."""

from __future__ import annotations

import atexit
import re
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from lxml import html

from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.inert import DROPPED, GONE, URLS
from tests.view.mutants import mutants
from tests.view.visitor import let_in

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.view.mutants import Mutants

OURS = re.compile(r"/frame\.css|/resource\?id=[^/]*|data:image/.*|#.*", re.DOTALL)
"""The addresses that an inert page may hold."""


@cache
def shown() -> tuple[Mutants, FlaskClient]:
    """A run to put pages into, and what asks the application that shows it."""
    run = mutants(Path(mkdtemp(prefix="dbce-frames-")))
    atexit.register(run.tables.close)
    return run, let_in(create_app(run, Guard()))  # an error in it is a finding


def check(data: bytes) -> None:
    """Shows a page in the frame.

    Raises:
        AssertionError: the server fails, or something that acts is left.
    """
    run, client = shown()
    if not run.add("x", data):
        return
    for path in ("/capture", "/frame", "/source"):
        assert client.get(path, query_string={"id": "x"}).status_code == 200
    framed = client.get("/frame?id=x").get_data(as_text=True)
    for element in html.document_fromstring(
        framed.encode(), html.HTMLParser(encoding="utf-8")
    ).iter():
        if isinstance(element.tag, str):
            check_inert(element.tag, dict(element.attrib))


def check_inert(tag: str, attributes: dict[str, str]) -> None:
    """Makes sure of one element that a parser saw."""
    assert tag not in (GONE | DROPPED) - {"link"}, tag
    if tag == "link":
        assert attributes["rel"] == "stylesheet"
    for name, value in attributes.items():
        assert not name.startswith("on"), name
        assert name not in {"name", "srcdoc", "target"}, name
        assert name not in URLS or OURS.fullmatch(value), (name, value)
