"""Addresses of the viewer for captures as people saw them, alone with layers and side by side."""

from collections import Counter
from typing import Any

from flask import Blueprint, Flask, Response, current_app, render_template

from dbce.output import JUDGED
from dbce.view.routes import inert_file, pair_of, render_capture, requested_page, the_run
from dbce.view.run import Run
from dbce.visual.segment import DEFAULT
from dbce.visual.view.layers import RenderedRun, visual_diff

rendered = Blueprint(
    "rendered",
    __name__,
    template_folder="templates",
    static_folder="static",
    static_url_path="/rendered",
)


def add_rendered(app: Flask, run: Run) -> None:
    app.config["LAYERED"] = RenderedRun(run.folder)
    app.register_blueprint(rendered)


@rendered.get("/seen")
def side_by_side() -> str:
    """Two snapshots of a URL as people saw them, the blocks that changed framed."""
    run, page = the_run(), requested_page()
    old, new = pair_of(run, page, [row for row in run.snapshots(page) if row["status"] in JUDGED])
    layered: RenderedRun = current_app.config["LAYERED"]
    shown: dict[str, Any] = {}
    if old and new:
        before, after = (layered.page(snapshot["record_id"]) for snapshot in (old, new))
        if before and after:
            blocks = visual_diff(before, after, run.runs(old), run.runs(new))
            shown = {"blocks": blocks, "counts": Counter(block.kind for block in blocks)}
            shown |= {"old_size": before.size, "new_size": after.size}
            shown["is_wireframe"] = layered.is_wireframe(old["record_id"], new["record_id"])
    is_rendered = layered.rendered_folder is not None
    return render_template(
        "seen.html", page=page, old=old, new=new, diff=shown, rendered=is_rendered
    )


@rendered.get("/layers")
def layers() -> str:
    run, page = the_run(), requested_page()
    layered: RenderedRun = current_app.config["LAYERED"]
    shown = layered.layers(page["record_id"], run.runs(page))
    names = [layer.name for layer in shown.blocks] if shown else []
    return render_capture(
        "layers.html",
        run,
        page,
        rendered=layered.rendered_folder is not None,
        layers=shown,
        shown=DEFAULT if DEFAULT in names else next(iter(names), ""),
    )


@rendered.get("/screenshot")
def screenshot() -> Response:
    layered: RenderedRun = current_app.config["LAYERED"]
    picture = layered.picture(requested_page()["record_id"])
    return inert_file(picture.data, picture.media)
