"""The web application: what each address answers with.

Addresses carry record ids and places of runs, which are looked up in the tables, and never paths.
"""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from flask import Blueprint, Flask, Response, current_app, render_template, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException

from dbce import html
from dbce.errors import DbceError
from dbce.model import ROLES
from dbce.output.schemas import JUDGED
from dbce.report.views import MEANINGS, boxes, labels, paragraphs
from dbce.style import percent
from dbce.view import overview
from dbce.view.frame import framed
from dbce.view.guard import protect
from dbce.view.maps import draw
from dbce.view.places import counterparts
from dbce.view.resources import ROUTE, served
from dbce.view.run import Run, Unknown
from dbce.view.search import PLACES, SORTS, STATUSES, read_search, search
from dbce.view.timeline import LINES, SHOWN, timeline
from dbce.view.why import why
from dbce.view.words import clock, day, number, signed, stamp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.view.guard import Guard
    from dbce.view.tables import Row

LISTED = 5_000
"""Text runs of a capture that are listed; more make browsers halt for seconds."""

FRAME_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline' {own}/frame.css {own}{route}; "
    "img-src data: {own}{route}; font-src {own}{route}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-same-origin"
)
"""What an archived page may do: be looked at, with what the archive itself holds. Without scripts
`allow-same-origin` gives the page nothing; it lets our own page mark and scroll what it shows."""

ALONE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""What a style sheet, a picture or a source may do when it is opened by itself: nothing."""

look = Blueprint("look", __name__)


def create_app(run: Run, guard: Guard) -> Flask:
    """The application that shows a run to whom the guard lets in."""
    app = Flask(__name__)
    app.config["RUN"] = run
    app.config["MAX_CONTENT_LENGTH"] = 1_000_000
    app.before_request(guard.check)
    app.after_request(protect)
    app.register_blueprint(look)
    app.register_error_handler(Unknown, lambda e: _apology(str(e), 404))
    app.register_error_handler(DbceError, lambda e: _apology(str(e), 500))
    app.register_error_handler(HTTPException, _http_apology)
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals |= {
        "account": run.manifest,
        "folder": run.folder.uri,
        "boxes": boxes,
        "labels": labels,
        "meanings": MEANINGS,
        "sections": (),
    }
    app.jinja_env.filters |= {
        "clock": clock,
        "day": day,
        "number": number,
        "paragraphs": paragraphs,
        "percent": percent,
        "shell": quote,
        "signed": signed,
        "stamp": stamp,
    }
    return app


def the_run() -> Run:
    """The run that is shown."""
    found: Run = current_app.config["RUN"]
    return found


def asked_page() -> Row:
    """The capture that the request is about.

    Raises:
        Unknown: there is no such capture.
    """
    return the_run().page(request.args.get("id", ""))


@look.get("/")
def start() -> str:
    """The overview: sites, what was dropped, where to begin."""
    run = the_run()
    return render_template(
        "overview.html",
        sites=overview.sites(run),
        rejects=overview.rejects_by_reason(run),
        asked=read_search({}, {}),
        sorts=SORTS,
        places=PLACES,
    )


@look.get("/captures")
def captures() -> str:
    """Captures that are looked for."""
    run = the_run()
    sites = overview.site_names(run)
    asked = read_search(request.args, sites)
    return render_template(
        "captures.html",
        asked=asked,
        found=search(run.tables, asked),
        sites=sites,
        sorts=SORTS,
        places=PLACES,
        statuses=STATUSES,
    )


@look.get("/capture")
def capture() -> str:
    """A capture: the archived page, its text runs, and why."""
    run, page = the_run(), asked_page()
    runs = run.runs(page)
    snapshots = run.snapshots(page)
    own = next((n for n, row in enumerate(snapshots) if row["record_id"] == page["record_id"]), 0)
    return render_template(
        "capture.html",
        page=page,
        runs=runs[:LISTED],
        all_runs=len(runs),
        chosen=_place(runs),
        judged=page["status"] in JUDGED,
        earlier=snapshots[own - 1] if own else None,
        later=snapshots[own + 1] if own + 1 < len(snapshots) else None,
        snapshots=len(snapshots),
    )


@look.get("/why")
def reasons() -> str:
    """Why one text run has its verdict, as a page or, for our own script, as a part of one."""
    run, page = the_run(), asked_page()
    runs = run.runs(page)
    place = _place(runs)
    if place is None:
        raise Unknown(f"this capture has {len(runs)} text runs, numbered from 0")
    template = "why_part.html" if "part" in request.args else "why.html"
    return render_template(template, page=page, why=why(run, page, runs, place))


@look.get("/frame")
def frame() -> Response:
    """The archived page, inert; only to be shown in a frame of ours."""
    own = request.host_url.rstrip("/")
    answer = Response(framed(the_run(), asked_page()), content_type="text/html; charset=utf-8")
    answer.headers["Content-Security-Policy"] = FRAME_POLICY.format(own=own, route=ROUTE)
    return answer


@look.get(ROUTE)
def resource() -> Response:
    """A style sheet, picture or font of the archive."""
    found = served(the_run(), request.args.get("id", ""))
    answer = Response(found.payload, content_type=found.media)
    answer.headers["Content-Security-Policy"] = ALONE_POLICY
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer


@look.get("/source")
def source() -> Response:
    """The HTML of a judged capture, as text."""
    plain = html.strip(the_run().annotated(asked_page()))
    answer = Response(plain, content_type="text/plain; charset=utf-8")
    answer.headers["Content-Security-Policy"] = ALONE_POLICY
    return answer


@look.get("/frame.css")
def frame_sheet() -> Response:
    """What the page in the frame looks like beyond its own style."""
    return current_app.send_static_file("frame.css")


@look.get("/timeline")
def history() -> str:
    """Every snapshot of a URL, and what came and went."""
    run, page = the_run(), asked_page()
    snapshots = run.snapshots(page)
    return render_template(
        "timeline.html",
        page=page,
        steps=timeline(run, snapshots[-SHOWN:]),
        snapshots=snapshots,
        lines=LINES,
    )


@look.get("/cross")
def cross() -> str:
    """A capture beside a member of its cross, what they share marked in both."""
    run, page = the_run(), asked_page()
    members = run.members(page)
    role = request.args.get("with", next(iter(members), ""))
    if role and role not in ROLES[1:]:
        raise Unknown(f"a cross has {', '.join(ROLES[1:])}, and no {role}")
    shared: Mapping[int, list[int]] = {}
    if role in members:
        other = run.page(members[role]["record_id"])
        shared = counterparts(run.runs(page), run.runs(other), role)
    return render_template("cross.html", page=page, members=members, role=role, shared=shared)


@look.get("/templates")
def templates() -> str:
    """The buckets of a site as a map."""
    run = the_run()
    sites = overview.site_names(run)
    site = request.args.get("site") or next(iter(sites), "")
    if site not in sites:
        raise Unknown(f"this run has no site {site}")
    return render_template("templates.html", site=site, sites=sites, map=draw(run, site))


@look.get("/rejects")
def rejects() -> str:
    """What was rejected, with its place and reason."""
    run = the_run()
    reason = request.args.get("reason", "")
    return render_template(
        "rejects.html",
        reasons=overview.rejects_by_reason(run),
        reason=reason,
        rows=overview.rejects(run, reason),
        most=overview.REJECTS,
    )


def _place(runs: list[Row]) -> int | None:
    """The place of the run that the request names, None if it names none of these."""
    typed = request.args.get("run", "")
    if typed.isascii() and typed.isdigit() and int(typed[:9]) < len(runs):
        return int(typed[:9])
    return None


def _apology(message: str, code: int) -> tuple[str, int]:
    return render_template("error.html", message=message), code


def _http_apology(error: HTTPException) -> tuple[str, int] | HTTPException:
    if error.code is None or error.code < 400:
        return error
    if error.code == 403:  # may be anybody: no more than a sentence
        answer = Response(f"{error.description}\n", 403, content_type="text/plain")
        return HTTPException(response=answer)
    return _apology(error.description or error.name, error.code)
