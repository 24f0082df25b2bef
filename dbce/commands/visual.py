"""The options of the commands for pages as people see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce import commands
from dbce.commands.descriptions import (
    AGREE_EPILOG,
    AGREE_HELP,
    CHANGES_EPILOG,
    CHANGES_HELP,
    EVALUATE_BLOCKS_EPILOG,
    EVALUATE_BLOCKS_HELP,
    EVALUATE_HEADINGS_EPILOG,
    EVALUATE_HEADINGS_HELP,
    HEADINGS_EPILOG,
    HEADINGS_HELP,
    MIGRATE_EPILOG,
    MIGRATE_HELP,
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
    _add_engine(render, master)
    render.add_argument("--out", metavar="DIR", required=True, help="folder for the outputs")
    _add_again(render)


def add_segment(kinds: _SubParsersAction[Parser], master: str | None) -> None:
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
    _add_engine(segment, master)
    _add_jobs(segment)
    _add_again(segment)


def _add_again(command: Parser) -> None:
    again = command.add_mutually_exclusive_group()
    again.add_argument("--overwrite", action="store_true", help="replace what is there")
    again.add_argument("--resume", action="store_true", help="go on with what began there")


def _add_jobs(command: Parser) -> None:
    command.add_argument("--jobs", type=int, metavar="N", help="files at a time (default: 1)")


def _add_master(command: Parser, master: str | None) -> None:
    command.add_argument(
        "--master",
        default=master and "none",
        help="Spark master, such as local[*]; none is without Spark (default: %(default)s)",
    )


def _add_engine(command: Parser, master: str | None) -> None:
    _add_master(command, master)
    command.add_argument(
        "--log-format", choices=("text", "json"), default="text", help="of what goes to stderr"
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


def add_headings(kinds: _SubParsersAction[Parser], master: str | None) -> None:
    headings = add_command(
        kinds, "headings", commands.headings_command, "find headings and what they name"
    )
    headings.description, headings.epilog = HEADINGS_HELP, HEADINGS_EPILOG
    headings.add_argument("directory", metavar="DIR", help="of rendered pages, or of a run")
    headings.add_argument(
        "--method",
        metavar="NAME",
        default="dbce",
        help="dbce (the default), heps-paper, heps-published or hn-dt",
    )
    headings.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the method; may be repeated",
    )
    where = headings.add_mutually_exclusive_group()
    where.add_argument(
        "--body",
        metavar="WHERE",
        default="verdicts",
        help="the content body: by the verdicts of a run (the default), body, or an XPath",
    )
    where.add_argument(
        "--bodies",
        metavar="FILE",
        help="JSONL of record_id and body, an XPath, such as heading gold; other pages are left out",
    )
    headings.add_argument(
        "--styles",
        choices=("rendered", "sheets"),
        default="rendered",
        help="of the rendered pages, or of the pages' own style sheets (default: %(default)s)",
    )
    _add_engine(headings, master)
    _add_jobs(headings)
    _add_again(headings)


def add_evaluate_headings(kinds: _SubParsersAction[Parser]) -> None:
    purpose = "score headings against those that people marked"
    headings = add_command(kinds, "evaluate-headings", commands.evaluate_headings_command, purpose)
    headings.description, headings.epilog = EVALUATE_HEADINGS_HELP, EVALUATE_HEADINGS_EPILOG
    headings.add_argument("directory", metavar="DIR", nargs="+", help="with tables of headings")
    headings.add_argument("--gold", metavar="FILE", required=True, help="heading gold, JSONL")
    headings.add_argument(
        "--by", metavar="NAME", default="", help="annotator; else the first one of each page"
    )
    headings.add_argument(
        "--half",
        choices=("development", "held-out"),
        help="only the pages of one half, by a hash of their domain",
    )
    headings.add_argument("--group", metavar="FIELD", default="", help="field of the gold")
    headings.add_argument("--csv", metavar="FILE", help="write the scores of every page, as CSV")
    headings.add_argument("--summary", metavar="FILE", help="write their means, as CSV")
    headings.add_argument("--html", metavar="FILE", help="write a report with the worst pages")


def add_migrate(kinds: _SubParsersAction[Parser], master: str | None) -> None:
    migrate = add_command(
        kinds, "migrate", commands.migrate_command, "write rendered pages as HTML5"
    )
    migrate.description, migrate.epilog = MIGRATE_HELP, MIGRATE_EPILOG
    migrate.add_argument("directory", metavar="RUN", help="the folder that dbce render left")
    migrate.add_argument(
        "--archive",
        metavar="INPUT",
        nargs="+",
        required=True,
        help="the archives that RUN was rendered of, its resources too",
    )
    migrate.add_argument(
        "--chromium", metavar="FILE", help="the browser (default: CHROMIUM, or this machine's)"
    )
    migrate.add_argument(
        "--nu", metavar="JAR", help="the Nu Html Checker (vnu.jar): also count and hold its errors"
    )
    _add_engine(migrate, master)
    migrate.add_argument("--out", metavar="DIR", required=True, help="folder for the outputs")
    _add_jobs(migrate)
    _add_again(migrate)


def add_agree(kinds: _SubParsersAction[Parser]) -> None:
    purpose = "say how far people agree who drew the blocks of the same pages"
    agree = add_command(kinds, "agree", commands.agree_command, purpose)
    agree.description, agree.epilog = AGREE_HELP, AGREE_EPILOG
    agree.add_argument("directory", metavar="DIR", help="the folder that dbce render left")
    agree.add_argument(
        "--blocks",
        metavar="FILE",
        nargs="+",
        required=True,
        help="block gold, with the journals beside it",
    )
    agree.add_argument("--csv", metavar="FILE", help="write the agreement on every page, as CSV")


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
        "--pair",
        nargs=3,
        metavar=("URL", "TIME", "TIME"),
        help="print what changed between the snapshots of URL nearest to two times, 4 to 14 digits "
        "each, and write nothing",
    )
    _add_engine(changes, master)
    _add_jobs(changes)
    _add_again(changes)
