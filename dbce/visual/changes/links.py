"""Links and images of an annotated page, each with the verdict of the text that it stands at."""

from typing import NamedTuple

from dbce.html import NAME, parse

_ADDRESSES = {
    **dict.fromkeys(("a", "area"), "href"),
    **dict.fromkeys(("img", "audio", "embed", "iframe", "source", "video"), "src"),
    "object": "data",
}
_NOT_SEEN = ("noscript", "template", "noembed", "textarea", "title", "xmp")


class LabelledLink(NamedTuple):
    """A link, an image, or something that plays or is a frame: its element, the address as the page writes it, and a label, "" if none is known."""

    tag: str
    address: str
    label: str


def labelled_links(annotated: str) -> list[LabelledLink]:
    """The links, images and media of a page that `dbce.html.annotated_html` has written, in document order.

    Each has the label of the first text in it or behind it, or else of the last one. What no reader sees
    (scripts, comments, templates) is passed over.
    """
    labels, links = [""], []
    for element in parse(annotated).iter("*"):
        name = _ADDRESSES.get(element.tag)
        address = str(element.get(name, "")).strip() if name else ""
        if address and next(element.iterancestors(*_NOT_SEEN), None) is None:
            links.append((element.tag, address, len(labels)))
        if label := element.get(NAME):
            labels.append(str(label))
    last = len(labels) - 1
    return [LabelledLink(tag, address, labels[min(n, last)]) for tag, address, n in links]
