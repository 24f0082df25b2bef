"""Start tags and attributes of an HTML page, to look into it."""

from html.parser import HTMLParser


class Markup(HTMLParser):
    """The start tags of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def values(self, *names: str) -> list[str]:
        return [attrs[name] or "" for _, attrs in self.tags for name in names if name in attrs]

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]
