"""Web application: its settings, what it says when something is wrong, and numbers, times and verdicts as people read them."""

from datetime import datetime
from functools import cache
from shlex import quote

from flask import Flask, Response, render_template
from jinja2 import ChoiceLoader, PackageLoader, StrictUndefined
from werkzeug.exceptions import HTTPException

from dbce import wing
from dbce.archive import day_of, timestamp14
from dbce.boilerplate.classify import in_words, value_in_words
from dbce.history import filters
from dbce.model import ROLES, DbceError, Label, NotInRun
from dbce.model.style import date, percent
from dbce.output import Row
from dbce.report.show import STRONGEST
from dbce.view.guard import Guard, protect
from dbce.view.lists import FORMATS
from dbce.view.routes import look, rendered_ids
from dbce.view.run import Run
from dbce.view.search import split_at
from dbce.view.timeline import mark_kind


def create_app(run: Run, guard: Guard) -> Flask:
    app = bare_app(guard)
    app.config["RUN"] = run
    app.register_blueprint(look)
    add_rendered = wing.part("add_rendered")
    if add_rendered:
        add_rendered(app, run)
    app.jinja_env.globals |= {
        "account": run.manifest,
        "folder": run.folder.uri,
        "rendered_ids": rendered_ids,
    }
    # Passages of a history look here as in the page that is sent.
    loaders = [app.jinja_loader] if app.jinja_loader else []
    app.jinja_loader = ChoiceLoader([*loaders, PackageLoader("dbce.history")])
    app.jinja_env.filters |= filters
    return app


def bare_app(guard: Guard) -> Flask:
    """An application without pages, with all that each of ours has."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = 1_000_000
    app.config["TOKEN"] = guard.token
    app.before_request(guard.check)
    app.after_request(protect)
    app.register_error_handler(NotInRun, lambda e: _apology(str(e), 404))
    app.register_error_handler(DbceError, lambda e: _apology(str(e), 500))
    app.register_error_handler(HTTPException, _http_apology)
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals |= {
        "boxes": boxes,
        "labels": labels,
        "formats": tuple(FORMATS),
        "sections": (),
        "strongest": STRONGEST,
        "exported": "",
        "value_in_words": value_in_words,
    }
    plain = (day, in_words, mark_kind, percent, split_at, with_sign)
    app.jinja_env.filters |= {function.__name__: function for function in plain}
    app.jinja_env.filters |= {
        "clock": date,
        "number": "{:,}".format,
        "shell": quote,
        "stamp": timestamp14,
    }
    return app


def _apology(message: str, code: int) -> tuple[str, int]:
    return render_template("error.html", message=message), code


def _http_apology(error: HTTPException) -> tuple[str, int] | HTTPException:
    if error.code is None or error.code < 400:
        return error
    if error.code == 403:  # may be anybody: no more than a sentence
        answer = Response(f"{error.description}\n", 403, content_type="text/plain")
        return HTTPException(response=answer)
    return _apology(error.description or error.name, error.code)


ALONE = "10000"  # the bits of a page that was compared with no other


@cache
def boxes(bits: str, cross_bits: str | None) -> tuple[tuple[str, str], ...]:
    """Return (role, state) of the five boxes that show bits: on, off, or none (the cross has no such member)."""
    states = {("1", "1"): "on", ("0", "1"): "off"}
    return tuple(
        (role, states.get((bit, member), "none"))
        for role, bit, member in zip(ROLES, bits, cross_bits or ALONE, strict=True)
    )


def labels(row: Row) -> list[tuple[str, int, float]]:
    """Return (label, its words, its share of all words) of what is content in a page or pages, and of all else."""
    content, every = row["words_content"] or 0, row["words"] or 0
    counts = {Label.CONTENT.value: content, Label.BOILERPLATE.value: every - content}
    return [(label, count, count / max(every, 1)) for label, count in counts.items()]


def day(time: datetime | None) -> str:
    return day_of(time) if time else "no date"


def with_sign(value: float) -> str:
    """A number with its sign, e.g. +0.41."""
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")
