"""Runs in the forms of other people's pipelines: corpora, search engines, archives."""

from typing import TYPE_CHECKING

from dbce.model import lazily

if TYPE_CHECKING:
    from dbce.adapters.targets import TARGETS, Wish, export


__getattr__ = lazily(__name__, {"targets": ("TARGETS", "Wish", "export")})
