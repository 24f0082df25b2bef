"""Addresses of a URL and of a site through time: snapshots, the text in words, changes by month."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, current_app, render_template, request

from dbce.history import captures_of, text_history_of
from dbce.model import NotInRun
from dbce.model.style import template_file
from dbce.view import overview
from dbce.view.lists import export_list, history_rows, requested_format, timeline_rows
from dbce.view.routes import requested_page, the_run
from dbce.view.timeline import LINES, SHOWN, timeline, turns

if TYPE_CHECKING:
    from collections.abc import Container

times = Blueprint("times", __name__)


@times.get("/timeline")
def url_timeline() -> str | Response:
    """Every snapshot of a URL, and what was added and removed."""
    run, page = the_run(), requested_page()
    snapshots = run.snapshots(page)
    if form := requested_format():
        return export_list("timeline", timeline_rows(timeline(run, snapshots)), form)
    return render_template(
        "timeline.html",
        page=page,
        turns=turns(run.snapshots(page), page),
        steps=timeline(run, snapshots[-SHOWN:]),
        found=run.changes(page),
        snapshots=snapshots,
        rendered=_rendered_ids(),
        lines=LINES,
    )


def _rendered_ids() -> Container[str]:
    """Record ids of the captures that can be shown as people saw them; none without the wing."""
    layered = current_app.config.get("LAYERED")
    return (layered and layered.rendered_folder) or ()


@times.get("/history")
def history() -> str | Response:
    """The main text of a URL through its captures, in words."""
    run, page = the_run(), requested_page()
    captures = captures_of(run.folder, page["url_surtkey"])
    if not captures:
        raise NotInRun("this capture has no date, and so no place in a history")
    through_time = text_history_of(run.folder, captures[-SHOWN:])
    if form := requested_format():
        return export_list("history", history_rows(through_time), form)
    return render_template(
        "text_history.html",
        page=page,
        turns=turns(run.snapshots(page), page),
        history=through_time,
        captures=len(captures),
    )


@times.get("/history.css")
def history_sheet() -> Response:
    """Answer with the style sheet of a history, that of the page that is sent."""
    return Response(
        template_file("dbce.history", "history.css"), content_type="text/css; charset=utf-8"
    )


@times.get("/site")
def site() -> str | Response:
    """Answer with the number of snapshots of a site by month and kind of change."""
    run = the_run()
    sites = overview.site_names(run)
    asked = request.args.get("site") or next(iter(sites), "")
    if asked not in sites:
        raise NotInRun(f"this run has no site {asked}")
    months = overview.changes_by_month(run, asked)
    if form := requested_format():
        return export_list("site-changes", months, form)
    compared = run.tables.has_changes
    return render_template("site.html", site=asked, sites=sites, months=months, compared=compared)
