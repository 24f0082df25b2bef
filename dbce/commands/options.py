"""Options that several commands share."""

from __future__ import annotations

from argparse import BooleanOptionalAction
from typing import TYPE_CHECKING

from dbce.model import CHOICES, Config, Rendering

if TYPE_CHECKING:
    from argparse import ArgumentParser


def add_selection(parser: ArgumentParser) -> None:
    """What says which captures of the inputs are taken."""
    selection = parser.add_argument_group(
        "selection", "of every input; what is not selected is not there for the run"
    )
    selection.add_argument(
        "--host",
        metavar="NAME",
        action="append",
        default=[],
        help="of this host, with or without www.; *.NAME: and of all below it; repeatable",
    )
    selection.add_argument(
        "--url-prefix",
        metavar="URL",
        action="append",
        default=[],
        help="of URLs that begin so; http or https, www. and case make no difference; repeatable",
    )
    selection.add_argument(
        "--from",
        dest="since",
        metavar="TIME",
        help="not before: 4 to 14 digits (YYYYMMDDhhmmss) or an ISO date",
    )
    selection.add_argument(
        "--to", dest="until", metavar="TIME", help="not after; 2013 is the whole year"
    )
    selection.add_argument(
        "--mime",
        metavar="TYPE",
        action="append",
        default=[],
        help="declared with this media type, such as text/html or text/*; repeatable",
    )
    selection.add_argument(
        "--sample",
        metavar="N",
        type=int,
        help="of what is left N captures, by chance but always the same ones",
    )


AUTO = "auto"
"""The master that is no master yet: what runs the stages is chosen when the inputs are known."""


def add_settings(run: ArgumentParser, master: str | None) -> None:
    """What says how a run works, and what it gives."""
    run.add_argument("--warc-base", metavar="DIR", help="where the files named by an index are")
    run.add_argument("--config", metavar="FILE", help="TOML; see conf/dbce.toml")
    run.add_argument("--model", metavar="FILE", help="for the joint method (default: the own one)")
    run.add_argument(
        "--master",
        default=master,
        help="Spark master, such as local[*]; none runs without Spark, and auto chooses: none for less "
        "than 200 MB and where there is no Spark, else local[*] (default: %(default)s)",
    )
    run.add_argument(
        "--log-format", choices=("text", "json"), default="text", help="of what goes to stderr"
    )
    run.add_argument(
        "--jobs", type=int, metavar="N", help="without Spark: files at a time, each in a process"
    )
    run.add_argument("--partitions", type=int, metavar="N", help="tasks of a comparing stage")
    for name, allowed in CHOICES.items():
        run.add_argument(_option(name), choices=allowed, help=_default(name))
    for name, kind in (
        ("threshold", float),
        ("num_perm", int),
        ("candidates", int),
        ("crosses", int),
        ("circle", int),
        ("max_reject_ratio", float),
        ("split_bytes", int),
    ):
        run.add_argument(_option(name), type=kind, metavar="N", help=_default(name))
    run.add_argument(
        "--verify",
        action=BooleanOptionalAction,
        default=None,
        help="reject captures whose declared digests are wrong",
    )
    run.add_argument(
        "--across-sites",
        action=BooleanOptionalAction,
        default=None,
        help="let pages of other sites be neighbours",
    )
    for name, purpose in (
        ("wet", "also write the main texts as WET, to DIR/wet"),
        ("wacz", "also pack the annotated pages of every input as WACZ, to DIR/wacz"),
    ):
        run.add_argument(_option(name), action=BooleanOptionalAction, default=None, help=purpose)


def add_serving(parser: ArgumentParser) -> None:
    """Where a web page is served, and from what."""
    add_listening(parser)
    parser.add_argument(
        "--archive",
        metavar="INPUT",
        nargs="+",
        default=[],
        help="where the run's inputs are: style sheets and pictures are read there, and below DIR",
    )


def add_listening(parser: ArgumentParser) -> None:
    """Where a web page is served."""
    parser.add_argument(
        "--port",
        type=int,
        default=8321,
        help="0 takes one that is free (default: %(default)s)",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on; others than this machine's own need the printed token "
        "(default: %(default)s)",
    )


def add_rendering(parser: ArgumentParser) -> None:
    """How pages are laid out, and what one may cost."""
    parser.add_argument(
        "--chromium", metavar="FILE", help="the browser (default: CHROMIUM, or this machine's)"
    )
    parser.add_argument(
        "--scripts",
        action=BooleanOptionalAction,
        default=None,
        help="let the pages' own scripts run; offline all the same (default: no)",
    )
    for name, kind, purpose in (
        ("width", int, "pixels of the window"),
        ("height", int, "pixels of the window"),
        ("seconds", float, "that a page may take"),
        ("page_height", int, "pixels that a page may be high"),
        ("requests", int, "that a page may make"),
        ("frames", int, "that a page may have"),
        ("split_bytes", int, "of a file that are a piece, with outputs of its own"),
    ):
        default = getattr(Rendering(), name)
        parser.add_argument(
            _option(name), type=kind, metavar="N", help=f"{purpose} (default: {default})"
        )
    parser.add_argument("--jobs", type=int, metavar="N", help="browsers (default: one a core)")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _default(name: str) -> str:
    return f"default: {getattr(Config(), name)}"
