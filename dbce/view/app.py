"""Web application: its settings, what it says when something is wrong, and the words of its pages.

On pages numbers, times and verdicts stand as people read them; the macro `term` explains words of the method.
"""

from collections.abc import Sequence
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
        "boxes": boxes,
        "labels": labels,
        "meanings": MEANINGS,
        "formats": tuple(FORMATS),
        "terms": TERMS,
        "not_by_probability": NOT_BY_PROBABILITY,
        "sections": (),
        "strongest": STRONGEST,
        "exported": "",
        "value_in_words": value_in_words,
    }
    plain = (day, in_words, mark_kind, number, paragraphs, percent, split_at, with_sign)
    app.jinja_env.filters |= {one.__name__: one for one in plain}
    app.jinja_env.filters |= {"clock": date, "shell": quote, "stamp": timestamp14}
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

MEANINGS = {
    "cur": "this capture",
    "up": "most similar page",
    "down": "second most similar",
    "prev": "snapshot before",
    "next": "snapshot after",
}


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


def paragraphs(text: str | None) -> Sequence[str]:
    return (text or "").splitlines()


def day(time: datetime | None) -> str:
    """A day, e.g. 2016-05-24."""
    return day_of(time) if time else "no date"


def number(value: int) -> str:
    return f"{value:,}"


def with_sign(value: float) -> str:
    """A number with its sign, e.g. +0.41."""
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")


NOT_BY_PROBABILITY = {
    "structure": "by its structure",
    "comment": "as a comment",
    "unseen": "as hidden text",
    "of-site": "as a message of the site",
    "dial": "by the dial",
}
"""Words for the rules whose verdicts the probability alone does not explain."""

TERMS = {
    "annotated": "Compared with at least one other capture: its texts have verdicts.",
    "bits": "Five digits: who has a text. This capture itself, then up, down, prev, next; 1 has it, 0 lacks "
    "it or is not there. 10000 is on this capture alone, 11111 on all.",
    "boilerplate": "What surrounds the content and comes again on other pages: menus, advertisements, "
    "footers, notices.",
    "capture": "One stored copy of a web page, with the time at which it was fetched.",
    "changed": "A text of which the two snapshots have most words in common, but not all.",
    "content": "What a page is about and what people come for: headlines, articles, what it alone says.",
    "cross": "The captures that this one (cur) was compared with: the two most similar pages of the site "
    "(up, down) and its own earlier and later snapshot (prev, next). What all share is mostly "
    "boilerplate.",
    "cur": "This capture, the one in the middle of the cross.",
    "disagreement": "The share of a capture’s text that the bits alone would call otherwise than the verdict.",
    "down": "The second most similar page of the same site: another address, the same template.",
    "dropped": "Captures without verdicts: skipped by a rule, or rejected as damaged.",
    "feature": "Something that a model looks at: who has the text, its length, how much of it is links, "
    "where it stands, how the elements around it are called.",
    "invalid": "The pages compared contradict each other, and the method has no rule for that.",
    "log-odds": "A way to add up evidence: +0.7 doubles the odds that a text is content, as much less halves them, "
    "0 leaves them.",
    "moved": "A text that both snapshots have, at another place among the others.",
    "next": "The snapshot after: the same address at a later time.",
    "partner": "Another page of the same template, to compare with (up, or down).",
    "prev": "The snapshot before: the same address at an earlier time.",
    "probability": "How likely a text is content: 100 % certainly content, 0 % certainly boilerplate, 50 % unknown.",
    "rejected": "Damaged, or beyond a limit; it has no verdicts, and the reason is named.",
    "rule": "What decided a verdict: the bit pattern, a vote of several comparisons, or a model that weighs "
    "these with the looks of the page.",
    "single": "No other capture was found to compare this one with: it was classified by itself, from the "
    "lengths of its texts, their links and their places.",
    "skipped": "Left out by a rule: no HTML, an error page, no text, or a copy of another capture.",
    "variant": "The same document under another address: a print view, a translation, an address with a "
    "session id. What both have is no sign of boilerplate, so they are not compared.",
    "snapshot": "A capture among all those of one address, which follow each other in time.",
    "confidence": "The probability that the verdicts are right, on average over the capture’s text: 100 % is "
    "certain, 50 % is no better than a coin.",
    "template": "The mould of a site’s pages: captures whose elements nest alike, so that the same menus and "
    "footers stand at the same places.",
    "text run": "A stretch of text that the same captures have: a paragraph, a link, a menu item, or a part "
    "of one.",
    "up": "The most similar page of the same site: another address, the same template.",
}
