"""Rendered captures, alone with layers over the screenshot (blocks, roles, verdicts) and side by side.

Between two captures changed blocks are framed.
"""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from flask import Blueprint, Flask, Response, current_app, render_template

from dbce.model import Label, NotInRun, UsageError, count_words
from dbce.output import Row
from dbce.storage import Folder
from dbce.view import routes
from dbce.view.run import Run, check_inside, local_path
from dbce.view.timeline import MarkKind
from dbce.visual import Block, Rect, RenderedPage, rows_with
from dbce.visual.block_verdicts import shares_of
from dbce.visual.changes import boxes_of, changed_blocks
from dbce.visual.measure import MarkedBlock
from dbce.visual.render import Picture, RenderedFolder
from dbce.visual.segment import DEFAULT, SEGMENTERS, TABLES, block_rows, options_of, segment

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
    """Return the page of two rendered snapshots of a URL, with changed blocks framed."""
    run, page = routes.the_run(), routes.requested_page()
    old, new = routes.pair_of(run, page, routes.judged_snapshots(run, page))
    layered: RenderedRun = current_app.config["LAYERED"]
    diff: dict[str, Any] = {}
    if old and new:
        before, after = (layered.page(snapshot["record_id"]) for snapshot in (old, new))
        if before and after:
            blocks = visual_diff(before, after, run.runs(old), run.runs(new))
            diff = {"blocks": blocks, "counts": Counter(block.kind for block in blocks)}
            diff |= {"old_size": before.size, "new_size": after.size}
            diff["is_wireframe"] = layered.is_wireframe(old["record_id"], new["record_id"])
    ready = layered.rendered_folder is not None
    return render_template("seen.html", page=page, old=old, new=new, diff=diff, rendered=ready)


@rendered.get("/layers")
def layers() -> str:
    run, page = routes.the_run(), routes.requested_page()
    layered: RenderedRun = current_app.config["LAYERED"]
    page_layers = layered.layers(page["record_id"], run.runs(page))
    names = [layer.name for layer in page_layers.blocks] if page_layers else []
    return routes.render_capture(
        "layers.html",
        run,
        page,
        rendered=layered.rendered_folder is not None,
        layers=page_layers,
        selected=DEFAULT if DEFAULT in names else next(iter(names), ""),
    )


@rendered.get("/screenshot")
def screenshot() -> Response:
    layered: RenderedRun = current_app.config["LAYERED"]
    picture = layered.picture(routes.requested_page()["record_id"])
    return routes.inert_file(picture.data, picture.media)


class BlockLayer(NamedTuple):
    """Blocks of a page by an algorithm; `name` is that of its table.

    `content` is the share of each block's words that is content, by its id; None without verdicts.
    """

    name: str
    algorithm: str
    blocks: tuple[MarkedBlock, ...]
    content: Mapping[str, float | None]

    @property
    def holding(self) -> frozenset[str]:
        return frozenset(block.parent for block in self.blocks)


class Layers(NamedTuple):
    """A page's size, the blocks of each algorithm, and the outlines of its texts by verdict, as SVG paths.

    `is_wireframe` is true if its picture is drawn from the boxes, for lack of a screenshot.
    """

    size: tuple[int, int]
    blocks: tuple[BlockLayer, ...]
    verdicts: Mapping[str, str]
    is_wireframe: bool


class RenderedRun:
    """Rendered pages and blocks in the folder of a run, from `dbce render` and `dbce segment`."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._rendered: RenderedFolder | None = None

    @property
    def rendered_folder(self) -> RenderedFolder | None:
        """Rendered pages, None if there are none. Raises UsageError: a link leads out of the folder."""
        if self._rendered is None and self._folder.exists("rendered/rendered.json"):
            names = [*self._folder.names("rendered/*/*"), *self._folder.names("blocks/*/*")]
            check_inside(local_path(self._folder), map(self._folder.full_path, names))
            self._rendered = RenderedFolder(self._folder.uri)
        return self._rendered

    def layers(self, record_id: str, runs: Sequence[Row]) -> Layers | None:
        """Return the layers of a capture with these text runs; None if it is not rendered."""
        page = self.page(record_id)
        if page is None:
            return None
        blocks = self._blocks(page, runs)
        return Layers(page.size, blocks, outlines(page, runs), self.is_wireframe(record_id))

    def is_wireframe(self, *record_ids: str) -> bool:
        """Return whether any of some rendered captures has no screenshot."""
        rendered = self.rendered_folder
        return rendered is not None and not all(map(rendered.has_screenshot, record_ids))

    def page(self, record_id: str) -> RenderedPage | None:
        rendered = self.rendered_folder
        return rendered.page(record_id) if rendered and record_id in rendered else None

    def picture(self, record_id: str) -> Picture:
        """Return the screenshot of a capture, or else a wireframe.

        Raises:
            NotInRun: it is not rendered.
            InputError: its record is damaged.
        """
        rendered = self.rendered_folder
        if rendered is None or record_id not in rendered:
            raise NotInRun(f"there is no screenshot of {record_id}")
        return rendered.picture(record_id)

    def _blocks(self, page: RenderedPage, runs: Sequence[Row]) -> tuple[BlockLayer, ...]:
        block_layers = []
        content_by_node = content_of(runs)
        for name in stored_names(self._folder.uri):
            candidates = None
            with suppress(UsageError):  # unreadable tables have no layer
                candidates = stored_blocks(self._folder.uri, name, page.record_id)
            if candidates:
                # Each as a terminal block.
                unnested = [
                    Block(-1, block.rect or Rect(0, 0, 0, 0), (), "", block.label, 0)
                    for block in candidates.blocks
                ]
                shares = (share.content for share in shares_of(page, unnested, content_by_node))
                content = dict(zip((block.id for block in candidates.blocks), shares, strict=True))
                block_layers.append(BlockLayer(name, *candidates, content))
        return tuple(block_layers)


def content_of(runs: Sequence[Row]) -> dict[int, float]:
    """Return the share of the words of each text node that is content, by its number."""
    counts = _words_by_label(runs).items()
    return {node: words[Label.CONTENT] / words.total() for node, words in counts if words.total()}


def outlines(page: RenderedPage, runs: Sequence[Row]) -> dict[str, str]:
    """Return the lines of texts by the label of most of their words, each label as one SVG path."""
    counts = _words_by_label(runs)
    lines: defaultdict[str, str] = defaultdict(str)
    for text in page.texts:
        if text.node in counts:
            label = counts[text.node].most_common(1)[0][0]
            lines[label] += "".join(map(_outline, text.rects))
    return dict(sorted(lines.items()))


def _words_by_label(runs: Sequence[Row]) -> dict[int, Counter[str]]:
    """Return the number of words of each text node by label, by the node's number."""
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for run in runs:
        counts[run["node"]][run["label"]] += count_words(run["text"])
    return counts


def _outline(rect: Rect) -> str:
    x, y, w, h = (round(value, 1) for value in rect)
    return f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z"


class ChangedBlock(NamedTuple):
    """A block that was added, removed or changed: its old and its new box, None where it is missing."""

    kind: MarkKind
    old: Rect | None
    new: Rect | None
    is_content: bool


def visual_diff(
    old: RenderedPage, new: RenderedPage, old_runs: Sequence[Row], new_runs: Sequence[Row]
) -> list[ChangedBlock]:
    """Return the changed blocks of two rendered captures with their text runs, from top to bottom."""
    before, after = boxes_of(old, content_of(old_runs)), boxes_of(new, content_of(new_runs))
    pairing = changed_blocks(before, after)
    rects = [[Rect(*rect) for rect in side.rects.tolist()] for side in (before, after)]
    content = [side.is_content.tolist() for side in (before, after)]
    block, kind = ChangedBlock, MarkKind
    blocks = [
        *(block(kind.REMOVED, rects[0][n], None, content[0][n]) for n in pairing.removed),
        *(block(kind.ADDED, None, rects[1][m], content[1][m]) for m in pairing.added),
    ]
    for n, m in pairing.changed:
        is_content = content[0][n] or content[1][m]
        blocks.append(block(kind.CHANGED, rects[0][n], rects[1][m], is_content))
    return sorted(blocks, key=_from_above)


def _from_above(block: ChangedBlock) -> tuple[float, float, str]:
    rect = block.new or block.old or Rect(0, 0, 0, 0)
    return rect.y, rect.x, block.kind


COMPUTED: dict[str, tuple[str, dict[str, str]]] = {
    **{name: (name, {}) for name in SEGMENTERS},
    "dbce, level 2": ("dbce", {"level": "2"}),
}
"""Segmentations that can be computed on request: a name, and the algorithm with its options."""

SHOWN = ("record_id", "algorithm", "block", "parent", "x", "y", "w", "h", "role", "xpaths")
"""Columns of the table for the viewer."""


class Candidates(NamedTuple):
    """Blocks of a page by an algorithm, named with its parameters."""

    algorithm: str
    blocks: tuple[MarkedBlock, ...]


def stored_names(uri: str) -> list[str]:
    names = Folder(uri).subfolder(TABLES).names(f"{TABLES}/*.parquet")
    return [posixpath.basename(name).removesuffix(".parquet") for name in names]


def stored_blocks(uri: str, name: str, record_id: str) -> Candidates | None:
    """Return the blocks of a page in one of the tables; None if the page was not segmented.

    Raises UsageError: there is no such table, or it cannot be read.
    """
    if name not in stored_names(uri):
        raise UsageError(f"{uri} holds no blocks called {name}; dbce segment {uri}")
    folder = Folder(uri).subfolder(TABLES)
    rows = rows_with(folder, f"{TABLES}/{name}.parquet", [record_id], SHOWN).to_pylist()
    return _candidates(rows) if rows else None


def computed_blocks(page: RenderedPage, name: str) -> Candidates:
    """Return the blocks of a page, computed now. Raises UsageError: there is no such algorithm."""
    if name not in COMPUTED:
        raise UsageError(f"no algorithm is called {name}; say one of {', '.join(COMPUTED)}")
    algorithm, options = COMPUTED[name]
    return _candidates(block_rows(page, segment(page, algorithm, options_of(algorithm, options))))


def _candidates(rows: Sequence[Row]) -> Candidates:
    """Return the blocks in rows of the table, without the first, the page itself, unless it is alone."""
    blocks = [
        MarkedBlock(
            f"C{row['block']}",
            f"C{row['parent']}" if row["parent"] > 0 else "",
            Rect(row["x"], row["y"], row["w"], row["h"]),
            tuple(row["xpaths"]),
            row["role"],
        )
        for row in rows[1:] or rows
    ]
    return Candidates(rows[0]["algorithm"], tuple(blocks))
