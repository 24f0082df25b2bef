"""View as files that open from disk: overview, lists and pages of captures, or one comparison, without a server.

They are what the application answers, its links made relative; what a server has to answer (search, comparisons,
reasons, downloads) is left out. The archived page stands in the page of its capture, inert as in the viewer, in a
sandboxed frame under the policy that base.html declares. So it is never opened by itself.
"""

import re
from base64 import b64encode
from collections import deque
from html import escape, unescape
from posixpath import dirname, relpath
from urllib.parse import parse_qsl, urlencode

from flask.testing import FlaskClient

from dbce.model import UsageError, announce, raise_pending, stable_id
from dbce.storage import Folder
from dbce.view.app import create_app
from dbce.view.frame import SHEET
from dbce.view.guard import FIELD, Guard
from dbce.view.inert import NOWHERE, ROUTE
from dbce.view.run import Run

MOST = 2_000
"""Captures that get a page, unless another number is asked for: more than a person leafs through."""

LISTS = frozenset({"/", "/captures", "/templates", "/site", "/damage", "/rejects"})

INDEX, PAGES, FILES = "index.html", "pages", "files"
FIRST = f"{FILES}/view.css"
"""The file that is written first, by which an export is known that was not completed."""

ENDINGS = {
    "text/css": "css",
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/avif": "avif",
    "image/bmp": "bmp",
    "image/x-icon": "ico",
    "image/vnd.microsoft.icon": "ico",
    "font/woff": "woff",
    "font/woff2": "woff2",
    "font/ttf": "ttf",
    "font/otf": "otf",
    "application/font-woff": "woff",
}
"""Media types of an archive that are exported. A drawing (SVG) could run scripts where its file is opened."""

_ADDRESS = re.compile(r' (href|src)="(/[^"]*)"')
_RESOURCE = re.compile(rf"{ROUTE}\?id=[\w.~/%-]+")


def export(run: Run, target: str, most: int = MOST) -> str:
    """Write pages of a run to a folder, in place of an earlier export; return the path of the one to open.

    At most so many captures get a page, in the order in which lists name them; the pages say so. UsageError if
    something else is in the folder.
    """
    folder = _empty_folder(target)
    announce(f"writing the pages to {target}")
    total = run.manifest["captures"]["total"]
    client = _client(run, _note(total, most))
    # Lists are followed as long as captures may get a page: all of them where all captures do.
    _Export(client, folder, most if most < total else total + 1).write()
    return f"{folder.uri.rstrip('/')}/{INDEX}"


def comparison(run: Run, old: str, new: str) -> str:
    """Return one HTML file that compares two snapshots of a URL, by their record ids, as the view does."""
    client = _client(run, "Made by dbce history. The archived pages do nothing here.")
    return _Export(client, None, 0).page(f"/compare?{urlencode({'id': new, 'with': old})}")


def _client(run: Run, note: str) -> FlaskClient:
    guard = Guard()
    app = create_app(run, guard)
    app.testing = True  # an error in it is ours
    app.jinja_env.globals["exported"] = note
    client = app.test_client()
    client.get("/", query_string={FIELD: guard.token})
    return client


def _empty_folder(target: str) -> Folder:
    folder = Folder(target)
    if not folder.is_possible():
        raise UsageError(f"{target} is a file, or below one; name a folder")
    entries = set(folder.entries())
    if entries and not (entries <= {INDEX, PAGES, FILES} and folder.exists(FIRST)):
        raise UsageError(f"{target} holds other files; name an empty folder, or an earlier export")
    for name in (INDEX, PAGES, FILES):
        folder.remove(name)
    return folder


def _note(total: int, most: int) -> str:
    note = "Exported from dbce view, which also searches, compares and tells why."
    if most >= total:
        return note
    return f"{note} At most {most:,} of {total:,} captures have a page here; what has none is named without a link."


class _Export:
    """Pages that lead from one to the next, written as they are found; without a folder, a page with all files in it."""

    def __init__(self, client: FlaskClient, folder: Folder | None, most: int) -> None:
        self._client = client
        self._folder = folder
        self._left = most
        self._names = {"/": INDEX} if folder else {}
        self._files: dict[str, str | None] = {}
        self._lists, self._captures = deque(["/"]), deque[str]()

    def write(self) -> None:
        """Write all pages, the one that leads to the others last."""
        assert self._folder is not None  # noqa: S101 - pages are written to one
        index = b""
        while self._lists or self._captures:
            raise_pending()
            address = (self._lists or self._captures).popleft()
            page = self.page(address).encode()
            if address == "/":
                index = page
            else:
                self._folder.write(self._names[address], page)
        self._folder.write(INDEX, index)

    def page(self, address: str) -> str:
        """Return the answer at an address, with links to files; without a link to what is not exported."""
        start = dirname(self._names.get(address, INDEX)) or "."

        def link(match: re.Match[str]) -> str:
            name, there = match[1], unescape(match[2])
            if there.startswith("/frame?"):
                return f' srcdoc="{escape(self._frame_document(there, start))}"'
            target = self._target(there)
            return f' {name}="{_link(target, start)}"' if target else ""

        return _ADDRESS.sub(link, self._client.get(address).text)

    def _target(self, address: str) -> str | None:
        """Return the file of a page, or one of ours; None if the export has none."""
        path, _, query = address.partition("?")
        if path.startswith("/static/"):
            return self._viewer_file(path)
        fields = sorted(parse_qsl(query))
        canonical = f"{path}?{urlencode(fields)}" if fields else path
        is_capture = path == "/capture" and [name for name, _ in fields] == ["id"]
        if canonical not in self._names and self._left and (is_capture or path in LISTS):
            self._left -= is_capture
            (self._captures if is_capture else self._lists).append(canonical)
            number = f"-{_short_id(canonical)}" if fields else ""
            self._names[canonical] = f"{PAGES}/{path.strip('/')}{number}.html"
        return self._names.get(canonical)

    def _frame_document(self, address: str, start: str) -> str:
        answer = self._client.get(address)
        if answer.status_code != 200:
            return "<p>This page cannot be shown."
        sheet = _link(self._viewer_file("/frame.css"), start)
        document = answer.text.replace(SHEET, SHEET.replace("/frame.css", sheet))
        if self._folder is not None:
            document = document.replace("<html", '<html data-dbce-show="verdicts"', 1)
        return self._with_resources(document, start)

    def _with_resources(self, text: str, start: str) -> str:
        def file_name(match: re.Match[str]) -> str:
            file = self._archived_file(match[0])
            return _link(file, start) if file else NOWHERE

        return _RESOURCE.sub(file_name, text)

    def _viewer_file(self, address: str) -> str:
        if (name := self._files.get(address)) is None:
            answer = self._client.get(address)
            name = self._write(address.rpartition("/")[2], answer.data, answer.mimetype)
            self._files[address] = name
        return name

    def _write(self, name: str, data: bytes, media: str | None) -> str:
        """Write a file and return its name, or an address that holds it where there is no folder."""
        if self._folder is None:
            return f"data:{media};base64,{b64encode(data).decode()}"
        self._folder.write(f"{FILES}/{name}", data)
        return f"{FILES}/{name}"

    def _archived_file(self, address: str) -> str | None:
        """A style sheet, picture or font of the archive; None for what is not exported."""
        if address in self._files:
            return self._files[address]
        answer = self._client.get(address)
        ending = ENDINGS.get(answer.mimetype or "") if answer.status_code == 200 else None
        self._files[address] = None  # a style sheet may import itself
        if ending:
            is_sheet = ending == "css"
            sheet = self._with_resources(answer.text, FILES).encode() if is_sheet else b""
            name = f"{_short_id(address)}.{ending}"
            self._files[address] = self._write(name, sheet or answer.data, answer.mimetype)
        return self._files[address]


def _link(file: str, start: str) -> str:
    return file if file.startswith("data:") else relpath(file, start)


def _short_id(address: str) -> str:
    return stable_id("export", address).removeprefix("urn:uuid:").replace("-", "")[:12]
