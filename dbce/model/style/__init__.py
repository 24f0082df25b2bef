"""Common frame of all our HTML pages: head and foot of a document, a style sheet, templates.

A page needs no other file, fetches nothing and follows light and dark. Whatever a template is given
is text and never markup.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from dbce.model.package_files import stored_text


def environment(package: str, own_style: str = "") -> Environment:
    """Templates of a package above `base.html`, with filters `number` and `percent`; its CSS is not escaped."""
    templates = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("dbce.model.style")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = template_file("dbce.model.style", "style.css") + own_style
    templates.globals["style"] = Markup(style)  # noqa: S704 - our own files
    templates.filters |= {"number": "{:,}".format, "percent": percent}
    return templates


def template_file(package: str, name: str) -> str:
    return stored_text(package, f"templates/{name}")


def percent(value: float | None) -> str:
    """A share as people read it, e.g. 34 %."""
    return "\N{EN DASH}" if value is None else f"{value:.0%}".replace("%", "\N{NO-BREAK SPACE}%")


def date(time: datetime | None) -> str:
    """A time to the minute, e.g. 2016-05-24 02:48."""
    return time.isoformat(" ")[:16] if time else "no date"
