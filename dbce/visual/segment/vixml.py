"""A segmented page as one XML document in reading order: the reconstruction `Rec` of Block-o-Matic (project page, 2017).

Content, boxes and blocks with their labels are in the format ViXML, which Pagelyzer compares (Sanoja 2015,
5.1.1): a `Block` has its own elements, links, images and texts, and then the blocks inside it.
"""

from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from dbce.model import NOT_XML
from dbce.visual import Block, Rect, RenderedPage, Segmentation
from dbce.visual.segment.bom import place_label
from dbce.visual.segment.boxes import Outline, inherit

LINKS = ("a", "area")


class NamedAddress(NamedTuple):
    """Address and name of a link (its words) or an image (its alternative text)."""

    address: str
    name: str


class BlockContent(NamedTuple):
    """Contents of a block outside of its inner blocks.

    `ref` is its number among its siblings behind that of the block around it, such as "1.2"; the page's is "".
    """

    ref: str
    is_leaf: bool
    links: tuple[NamedAddress, ...]
    images: tuple[NamedAddress, ...]
    texts: tuple[str, ...]


def block_contents(page: RenderedPage, segmentation: Segmentation) -> tuple[BlockContent, ...]:
    """Return the contents of each block; the rest belongs to the page, the first.

    Each visible text, and each link and image with an address, is in one block: that of its innermost ancestor that
    a block consists of.
    """
    blocks = segmentation.blocks
    outline = Outline(page)
    owners = _owners(page, blocks)
    texts: list[list[str]] = [[] for _ in blocks]
    names: dict[int, list[str]] = {}  # of the links around texts
    link_places = (n if element.tag in LINKS else None for n, element in enumerate(page.elements))
    links_of = inherit(page.elements, link_places, -1)  # the innermost link around each element
    for n, text in enumerate(page.texts):
        box = outline.places[n]
        if box is None:
            continue
        words = " ".join(text.text.split())
        texts[_holder(blocks, owners[text.parent], box)].append(words)
        names.setdefault(links_of[text.parent], []).append(words)
    links: list[list[NamedAddress]] = [[] for _ in blocks]
    images: list[list[NamedAddress]] = [[] for _ in blocks]
    for n, element in enumerate(page.elements):
        place = _holder(blocks, owners[n], outline.boxes[n])
        if element.tag in LINKS and (address := element.attributes.get("href", "").strip()):
            links[place].append(NamedAddress(address, " ".join(names.get(n, ()))))
        elif element.tag == "img" and (address := element.attributes.get("src", "").strip()):
            images[place].append(NamedAddress(address, element.attributes.get("alt", "").strip()))
    parents = {block.parent for block in blocks}
    columns = zip(_refs(blocks), links, images, texts, strict=True)
    return tuple(
        BlockContent(ref, n not in parents, tuple(of_links), tuple(of_images), tuple(of_texts))
        for n, (ref, of_links, of_images, of_texts) in enumerate(columns)
    )


def _owners(page: RenderedPage, blocks: tuple[Block, ...]) -> list[list[int]]:
    """Return the blocks of each element, or else of its nearest ancestor with one; [0] without any."""
    blocks_of: dict[int, list[int]] = {}
    for n, block in enumerate(blocks):
        for place in block.elements:
            blocks_of.setdefault(place, []).append(n)
    return inherit(page.elements, map(blocks_of.get, range(len(page.elements))), [0])


def _holder(blocks: tuple[Block, ...], owners: list[int], box: Rect | None) -> int:
    """Return the innermost block that contains the centre of a box, else the innermost: texts of body are blocks of body."""
    if len(owners) == 1 or box is None:
        return owners[-1]
    return next((n for n in reversed(owners) if blocks[n].rect.has_centre_of(box)), owners[-1])


def _refs(blocks: tuple[Block, ...]) -> list[str]:
    refs = [""]
    children = [0] * len(blocks)
    for block in blocks[1:]:
        children[block.parent] += 1
        refs.append(f"{refs[block.parent]}.{children[block.parent]}".removeprefix("."))
    return refs


def vixml(page: RenderedPage, segmentation: Segmentation) -> str:
    """Return a page with its blocks as an XML document, a line for each thing in it."""
    attributes = _attributes(
        Url=page.url,
        Version=page.timestamp.isoformat(),
        Record=page.record_id,
        Algorithm=segmentation.algorithm,
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<Document{attributes}>"]
    open_blocks: list[int] = []
    contents = block_contents(page, segmentation)
    for n, (block, content) in enumerate(zip(segmentation.blocks, contents, strict=True)):
        while open_blocks and open_blocks[-1] != block.parent:
            open_blocks.pop()
            lines.append("</Block>")
        lines += _block_lines(page, block, content)
        open_blocks.append(n)
    return "\n".join([*lines, *["</Block>"] * len(open_blocks), "</Document>", ""])


def _block_lines(page: RenderedPage, block: Block, content: BlockContent) -> Iterator[str]:
    label = "page" if block.parent < 0 else place_label(block.rect, page.size)
    tag = _attributes(Ref=content.ref, Pos=_position(block.rect), Label=label, Role=block.role)
    yield f"<Block{tag}{_attributes(Category=block.category, Weight=f'{block.weight:.3f}')}>"
    for place in block.elements:
        element = page.elements[place]
        path = _attributes(Path=element.xpath, Pos=_position(element.rect) if element.rect else "")
        yield f"<Element{path}/>"
    for link in content.links:
        yield f"<Link{_attributes(Adr=link.address, Name=link.name)}/>"
    for image in content.images:
        yield f"<Img{_attributes(Src=image.address, Name=image.name)}/>"
    for text in content.texts:
        yield f"<Txt>{escape(NOT_XML.sub('', text))}</Txt>"


def _position(rect: Rect) -> str:
    return " ".join(f"{value:g}" for value in rect)


def _attributes(**values: str) -> str:
    """Return attributes as written in a tag; empty ones are left out."""
    pairs = ((name, NOT_XML.sub("", value)) for name, value in values.items() if value)
    return "".join(f" {name}={quoteattr(value)}" for name, value in pairs)
