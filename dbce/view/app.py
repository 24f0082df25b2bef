"""Web application: its settings, and what it answers when something is wrong."""

from shlex import quote

from flask import Flask, Response, render_template
from jinja2 import ChoiceLoader, PackageLoader, StrictUndefined
from werkzeug.exceptions import HTTPException

from dbce import wing
from dbce.archive import timestamp14
from dbce.boilerplate.classify import in_words, value_in_words
from dbce.history import filters
from dbce.model import DbceError, NotInRun
from dbce.model.style import date, percent
from dbce.view import wording
from dbce.view.guard import Guard, protect
from dbce.view.hits import split_at
from dbce.view.lists import FORMATS
from dbce.view.routes import look, rendered_ids
from dbce.view.run import Run


def create_app(run: Run, guard: Guard) -> Flask:
    """Return the application that shows a run to whom the guard lets in."""
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
        "boxes": wording.boxes,
        "labels": wording.labels,
        "meanings": wording.MEANINGS,
        "formats": tuple(FORMATS),
        "terms": wording.TERMS,
        "not_by_probability": wording.NOT_BY_PROBABILITY,
        "sections": (),
        "exported": "",
        "value_in_words": value_in_words,
    }
    app.jinja_env.filters |= {
        "clock": date,
        "in_words": in_words,
        "day": wording.day,
        "number": wording.number,
        "paragraphs": wording.paragraphs,
        "split_at": split_at,
        "percent": percent,
        "shell": quote,
        "with_sign": wording.with_sign,
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
