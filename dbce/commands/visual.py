"""The options of the commands for pages as people see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce import commands
from dbce.commands.descriptions import (
    CHANGES_EPILOG,
    CHANGES_HELP,
    EVALUATE_BLOCKS_EPILOG,
    EVALUATE_BLOCKS_HELP,
    RENDER_EPILOG,
    RENDER_HELP,
    SEGMENT_EPILOG,
    SEGMENT_HELP,
)
from dbce.commands.options import add_rendering, add_selection
from dbce.commands.parser import add_command

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from dbce.commands.parser import Parser


def add_render(kinds: _SubParsersAction[Parser], master: str | None) -> None:
    render = add_command(
        kinds, "render", commands.render_command, "lay pages out as readers saw them"
    )
    render.description, render.epilog = RENDER_HELP, RENDER_EPILOG
    render.add_argument("input", metavar="INPUT", nargs="+")
    render.add_argument("--url", metavar="URL", help="of the one HTML file among the inputs")
    add_selection(render)
    render.add_argument("--warc-base", metavar="DIR", help="where the files named by an index are")
    render.add_argument(
        "--resources",
        metavar="INPUT",
        nargs="+",
        default=[],
        help="more archives, of which no page is rendered, to answer requests from",
    )
    add_rendering(render)
    render.add_argument(
        "--master",
        default=master and "none",
        help="Spark master, such as local[*]; none is without Spark (default: %(default)s)",
    )
    render.add_argument(
        "--log-format", choices=("text", "json"), default="text", help="of what goes to stderr"
    )
    render.add_argument("--out", metavar="DIR", required=True, help="folder for the outputs")
    again = render.add_mutually_exclusive_group()
    again.add_argument("--overwrite", action="store_true", help="replace what was rendered to DIR")
    again.add_argument("--resume", action="store_true", help="go on with what began in DIR")


def add_segment(kinds: _SubParsersAction[Parser]) -> None:
    segment = add_command(
        kinds, "segment", commands.segment_command, "cut rendered pages into blocks"
    )
    segment.description, segment.epilog = SEGMENT_HELP, SEGMENT_EPILOG
    segment.add_argument("directory", metavar="DIR", help="the folder that dbce render left")
    segment.add_argument(
        "--algorithm",
        metavar="NAME",
        default="dbce",
        help="dbce (the default), bom-paper, bom-published, vips, blockfusion, first-branching, "
        "body-children, page or html5",
    )
    segment.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the algorithm; may be repeated",
    )
    segment.add_argument(
        "--overlays", metavar="FOLDER", help="also draw the blocks of each page on its screenshot"
    )


def add_evaluate_blocks(kinds: _SubParsersAction[Parser]) -> None:
    purpose = "score segmentations against blocks that people drew"
    blocks = add_command(kinds, "evaluate-blocks", commands.evaluate_blocks_command, purpose)
    blocks.description, blocks.epilog = EVALUATE_BLOCKS_HELP, EVALUATE_BLOCKS_EPILOG
    blocks.add_argument("input", metavar="INPUT", nargs="+")
    blocks.add_argument("--gold", metavar="FILE", required=True, help="block gold, JSONL")
    blocks.add_argument(
        "--rendered",
        metavar="DIR",
        nargs="+",
        default=[],
        help="pages as dbce render laid them out",
    )
    blocks.add_argument(
        "--level", type=int, choices=(1, 2), default=1, help="of Kreuzer's gold (default: 1)"
    )
    blocks.add_argument(
        "--half",
        choices=("development", "held-out"),
        help="only the pages of one half, by a hash of their domain",
    )
    blocks.add_argument("--group", metavar="FIELD", default="", help="field of the gold")
    blocks.add_argument(
        "--convention",
        choices=("dbce", "thesis"),
        default="dbce",
        help="how blocks correspond (default: %(default)s)",
    )
    for letter, what in (
        ("r", "least weight of an edge, relative"),
        ("t", "geometric tolerance, in hundredths of the page"),
        ("i", "share from which blocks are important"),
    ):
        blocks.add_argument(f"--t-{letter}", metavar="X", type=float, help=what)
    blocks.add_argument("--csv", metavar="FILE", help="write the scores of every page, as CSV")
    blocks.add_argument("--summary", metavar="FILE", help="write their means, as CSV")
    blocks.add_argument("--html", metavar="FILE", help="write a report with the worst pages drawn")


def add_changes(kinds: _SubParsersAction[Parser], master: str | None) -> None:
    changes = add_command(
        kinds, "changes", commands.changes_command, "say what changed between snapshots"
    )
    changes.description, changes.epilog = CHANGES_HELP, CHANGES_EPILOG
    changes.add_argument("directory", metavar="DIR", help="the folder of a finished run")
    changes.add_argument(
        "--mode",
        choices=("structure", "image", "hybrid"),
        default="structure",
        help="structure needs no browser; the others need what dbce render left in DIR "
        "(default: %(default)s)",
    )
    changes.add_argument(
        "--master",
        default=master and "none",
        help="Spark master, such as local[*]; none is without Spark (default: %(default)s)",
    )
