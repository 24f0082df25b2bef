"""Addresses of the view and their answers; they carry record ids and places of runs, looked up in tables, and never paths."""

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial

from flask import Blueprint, Response, current_app, render_template, request

from dbce import html
from dbce.history import captures_of, text_history_of
from dbce.model import ROLES, NotInRun
from dbce.model.style import template_file
from dbce.output import JUDGED, Row
from dbce.view import lists
from dbce.view.frame import frame_document, outline
from dbce.view.inert import ROUTE, resource_of
from dbce.view.maps import draw
from dbce.view.run import Run
from dbce.view.search import PLACES, RULES, SORTS, STATUSES, read_search, search, whole_number
from dbce.view.timeline import LINES, SHOWN, changes, mark_kind, texts_of, timeline, turns
from dbce.view.why import counterparts, why

LISTED = 5_000  # text runs of a capture that are listed; more make browsers halt for seconds

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


def the_run() -> Run:
    run: Run = current_app.config["RUN"]
    return run


def requested_page() -> Row:
    """Return the capture that the request is about, by its record id or, as replay links to it, its URL and time."""
    if url := request.args.get("url"):
        return the_run().nearest(url, request.args.get("at", ""))
    return the_run().page(request.args.get("id", ""))


def render_capture(template: str, run: Run, page: Row, **values: object) -> str:
    neighbours = turns(run.snapshots(page), page)
    return render_template(template, page=page, turns=neighbours, **values)


def inert_file(data: bytes, media: str) -> Response:
    """Answer with a file that may do nothing when it is opened by itself; browsers keep it for an hour."""
    answer = Response(data, content_type=media)
    answer.headers["Content-Security-Policy"] = ALONE_POLICY
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer


@look.get("/")
def start() -> str | Response:
    run = the_run()
    sites = lists.sites(run)
    return lists.as_file("sites", lambda: sites) or render_template(
        "overview.html",
        sites=sites,
        rejects=lists.rejects_by_reason(run),
        compared=run.tables.has_changes,
    )


@look.get("/captures")
def captures() -> str | Response:
    run = the_run()
    sites = lists.site_names(run)
    query = read_search(request.args, sites)
    return lists.as_file(
        "captures", lambda: map(lists.capture_row, search(run.tables, query, whole=True).rows)
    ) or render_template(
        "captures.html",
        query=query,
        found=search(run.tables, query),
        sites=sites,
        sorts=SORTS,
        places=PLACES,
        statuses=STATUSES,
        rules=RULES,
    )


@look.get("/capture")
def capture() -> str | Response:
    run, page = the_run(), requested_page()
    runs = run.runs(page)
    return lists.as_file("text-runs", lambda: runs) or render_capture(
        "capture.html",
        run,
        page,
        runs=runs[:LISTED],
        all_runs=len(runs),
        chosen=_place(runs),
        judged=page["status"] in JUDGED,
        outline=outline(run, page, runs) if page["status"] in JUDGED else [],
        members=run.members(page),
        variant=run.variant(page),
    )


@look.get("/why")
def reasons() -> str:
    """Answer with why one text run has its verdict, as a page or, for our own script, as a part of one."""
    run, page = the_run(), requested_page()
    runs = run.runs(page)
    place = _place(runs)
    if place is None:
        raise NotInRun(f"this capture has {len(runs)} text runs, numbered from 0")
    template = "why_part.html" if "part" in request.args else "why.html"
    explanation = why(run, page, runs, place)
    return render_capture(template, run, page, why=explanation)


@look.get("/frame")
def frame() -> Response:
    """Answer with the archived page, only for a frame of ours; changes to the snapshot `with` are marked, shown as `show` says."""
    run, page = the_run(), requested_page()
    origin = request.host_url.rstrip("/")
    pair: tuple[Row, ...] = ()
    show = ""
    if "with" in request.args:
        pair = tuple(filter(None, pair_of(run, page, judged_snapshots(run, page))))
        show = "changes inline" if request.args.get("show") == "inline" else "changes"
    document = frame_document(run, page, pair, show)
    answer = Response(document, content_type="text/html; charset=utf-8")
    answer.headers["Content-Security-Policy"] = FRAME_POLICY.format(own=origin, route=ROUTE)
    return answer


@look.get(ROUTE)
def resource() -> Response:
    return inert_file(*resource_of(the_run(), request.args.get("id", "")))


@look.get("/source")
def source() -> Response:
    plain = html.strip(the_run().annotated_html(requested_page()))
    answer = Response(plain, content_type="text/plain; charset=utf-8")
    answer.headers["Content-Security-Policy"] = ALONE_POLICY
    return answer


@look.get("/frame.css")
def frame_sheet() -> Response:
    return current_app.send_static_file("frame.css")


@look.get("/compare")
def compare() -> str | Response:
    """Two snapshots of a URL side by side: what was added, removed, moved and changed."""
    run, page = the_run(), requested_page()
    snapshots = judged_snapshots(run, page)
    old, new = pair_of(run, page, snapshots)
    sides = [texts_of(run.runs(side)) for side in (old, new) if side]
    differences = changes(*sides) if sides else []
    return lists.as_file("changes", lambda: map(lists.change_row, differences)) or render_template(
        "compare.html",
        page=page,
        old=old,
        new=new,
        before=turns(snapshots, old).earlier if old else None,
        after=turns(snapshots, new).later if new else None,
        snapshots=snapshots,
        changes=differences,
        counts=Counter(map(mark_kind, differences)),
    )


@look.get("/cross")
def cross() -> str | Response:
    """A capture beside a member of its cross, what they share marked in both."""
    run, page = the_run(), requested_page()
    members = run.members(page)
    if file := lists.as_file("cross", lambda: ({"role": r} | row for r, row in members.items())):
        return file
    role = request.args.get("with", next(iter(members), ""))
    if role and role not in ROLES[1:]:
        raise NotInRun(f"a cross has {', '.join(ROLES[1:])}, and no {role}")
    shared: Mapping[int, list[int]] = {}
    if role in members:
        other = run.page(members[role]["record_id"])
        shared = counterparts(run.runs(page), run.runs(other), role)
    return render_capture("cross.html", run, page, members=members, role=role, shared=shared)


def _requested_site(run: Run) -> tuple[str, dict[str, int]]:
    """Return the site that the request names, else the largest, and the captures of each; NotInRun if it is none."""
    sites = lists.site_names(run)
    site = request.args.get("site") or next(iter(sites), "")
    if site not in sites:
        raise NotInRun(f"this run has no site {site}")
    return site, sites


@look.get("/templates")
def templates() -> str | Response:
    run = the_run()
    site, sites = _requested_site(run)
    drawn = draw(run, site)
    return lists.as_file("templates", lambda: drawn.rows() if drawn else ()) or render_template(
        "templates.html", site=site, sites=sites, map=drawn
    )


@look.get("/rejects")
def rejects() -> str | Response:
    run, reason = the_run(), request.args.get("reason", "")
    rows = partial(lists.rejects, run, reason)
    return _first_rows("rejects", rows, reason=reason, reasons=lists.rejects_by_reason(run))


@look.get("/damage")
def damage() -> str | Response:
    folder, kind = the_run().folder, request.args.get("kind", "")
    rows = partial(lists.damaged_rows, folder, kind)
    return _first_rows("damage", rows, kind=kind, kinds=lists.damage_kinds(folder))


def _first_rows(
    name: str, rows: Callable[[int | None], Sequence[Row]], **values: object
) -> str | Response:
    """Answer with a page on so many rows of a list at most, or with all of them as a file."""
    return lists.as_file(name, lambda: rows(None)) or render_template(
        f"{name}.html", rows=rows(lists.LISTED), most=lists.LISTED, **values
    )


def _place(runs: list[Row]) -> int | None:
    """Return the place of the run that the request names, by that or by `node` and `start`; or None."""
    names = ("run", "node", "start")
    place, node, start = (whole_number(request.args.get(name, "")) for name in names)
    if place is None and node is not None:
        named = (n for n, run in enumerate(runs) if (run["node"], run["start"]) == (node, start))
        return next(named, None)
    return place if place is not None and place < len(runs) else None


def judged_snapshots(run: Run, page: Row) -> list[Row]:
    return [row for row in run.snapshots(page) if row["status"] in JUDGED]


def pair_of(run: Run, page: Row, snapshots: list[Row]) -> tuple[Row | None, Row | None]:
    """Return the capture that is asked for and the one to compare it with, the earlier first.

    Unless one is named (`with`), that is the snapshot before, or else the one after; NotInRun if it is none of these.
    """
    neighbours = turns(snapshots, page)
    nearest = (neighbours.earlier or neighbours.later or {}).get("record_id", "")
    named = request.args.get("with", nearest)
    if not named or page["status"] not in JUDGED:
        return None, None
    places = {row["record_id"]: place for place, row in enumerate(snapshots)}
    if named not in places or page["record_id"] not in places:
        raise NotInRun("only snapshots of one URL that have verdicts can be compared")
    old, new = sorted((page, run.page(named)), key=lambda row: places[row["record_id"]])
    return old, new


@look.get("/timeline")
def url_timeline() -> str | Response:
    run, page = the_run(), requested_page()
    snapshots = run.snapshots(page)
    return lists.as_file(
        "timeline", lambda: lists.timeline_rows(timeline(run, snapshots))
    ) or render_capture(
        "timeline.html",
        run,
        page,
        steps=timeline(run, snapshots[-SHOWN:]),
        found=run.changes(page),
        details=run.details(page),
        snapshots=snapshots,
        rendered=rendered_ids(),
        lines=LINES,
    )


def rendered_ids() -> Container[str]:
    """Record ids of the captures that can be shown as people saw them; none without the wing."""
    layered = current_app.config.get("LAYERED")
    return (layered and layered.rendered_folder) or ()


@look.get("/history")
def history() -> str | Response:
    run, page = the_run(), requested_page()
    captures = captures_of(run.folder, page["url_surtkey"])
    if not captures:
        raise NotInRun("this capture has no date, and so no place in a history")
    through_time = text_history_of(run.folder, captures[-SHOWN:])
    return lists.as_file("history", lambda: lists.history_rows(through_time)) or render_capture(
        "text_history.html", run, page, history=through_time, captures=len(captures)
    )


@look.get("/history.css")
def history_sheet() -> Response:
    sheet = template_file("dbce.history", "history.css")
    return Response(sheet, content_type="text/css; charset=utf-8")


@look.get("/site")
def site() -> str | Response:
    run = the_run()
    name, sites = _requested_site(run)
    months = lists.changes_by_month(run, name)
    return lists.as_file("site-changes", lambda: months) or render_template(
        "site.html", site=name, sites=sites, months=months, compared=run.tables.has_changes
    )
