"""Segmentation of rendered pages: one file, the unit of work of a process, the tables of all files, and drawings.

The columns of tables are explained in docs/segmentation.md. Blocks that overlap are reported, never cut. A drawing is one
self-contained SVG file.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

import pyarrow as pa
import pyarrow.compute as pc

from dbce.engine import Settings
from dbce.model import fault_detail
from dbce.output import TIME, Row, columns, strings
from dbce.storage import WORK, Folder, Table, create_table, read_table, stem
from dbce.visual import Block, Rect, RenderedPage, Segmentation, contents
from dbce.visual.render import RenderedFolder, rendered_ids, rendered_pages
from dbce.visual.segment.boxes import overlap
from dbce.visual.segment.options import Options, changed_options
from dbce.visual.segment.registry import segment
from dbce.visual.segment.vixml import vixml

BLOCK_KEY = (
    *strings("record_id", "url"),
    ("fetch_time", TIME),
    ("algorithm", pa.string()),
    ("block", pa.int32()),
)
"""First columns of tables of blocks."""

BLOCKS = pa.schema(
    [
        *BLOCK_KEY,
        ("parent", pa.int32()),
        ("terminal", pa.bool_()),
        *columns(pa.float64(), *Rect._fields),
        *strings("category", "role"),
        ("floating", pa.bool_()),
        ("weight", pa.float64()),
        ("elements", pa.list_(pa.int32())),
        ("xpaths", pa.list_(pa.string())),
    ]
)
"""Row of a block, in reading order, parents before children; the first of a page is the page itself."""

OWN = ("parent", "category", "role", "floating", "weight")  # columns that are fields of a block

REJECTS = pa.schema(strings("record_id", "url", "algorithm", "detail"))
"""Row of a page on which an algorithm failed."""


def block_rows(page: RenderedPage, segmentation: Segmentation) -> list[Row]:
    parents = {block.parent for block in segmentation.blocks}
    return [
        {
            "record_id": page.record_id,
            "url": page.url,
            "fetch_time": page.timestamp,
            "algorithm": segmentation.algorithm,
            "block": n,
            "terminal": n not in parents,
            **block.rect._asdict(),
            **{name: getattr(block, name) for name in OWN},
            "elements": block.elements,
            "xpaths": [page.elements[element].xpath for element in block.elements],
        }
        for n, block in enumerate(segmentation.blocks)
    ]


def block_of(row: Row) -> Block:
    rect = Rect(*(row[name] for name in Rect._fields))
    fields = {name: row[name] for name in OWN}
    return Block(rect=rect, elements=tuple(row["elements"]), **fields)


TABLES = "blocks"
"""Folder of the tables, beside that of the rendered pages, and in it that of the blocks."""


@dataclass(frozen=True, slots=True)
class SegmentSettings(Settings):
    """An algorithm and its options, to segment the rendered pages of the folder `run`.

    With `overlays`, a folder, the blocks are drawn there; with `xml` each page is a ViXML document there.
    """

    run: str
    algorithm: str
    options: Options
    overlays: str | None = None
    xml: str | None = None

    @property
    def table(self) -> str:
        """Name of the tables: the algorithm, and each option other than its default."""
        return ".".join([self.algorithm, *changed_options(self.options), "parquet"])

    def digest(self) -> str:
        """Return the identifier of the segmentation, whatever the folders of drawings."""
        return self.table


def part(kind: str, file: str) -> str:
    """Return the path of a table of one kind until those of all files are merged."""
    return f"{WORK}/{kind}/{file}"


def cut_file(settings: SegmentSettings, place: Folder, file: str) -> None:
    """Segment the pages of a file of rendered pages.

    A page on which the algorithm fails is a row of the rejects. If a run has judged the file, the algorithm
    knows its verdicts.
    Raises StoreError: stored data differ from what was written.
    """
    content = contents(Folder(settings.run), file, rendered_ids(settings.run, file))
    screenshots = RenderedFolder(settings.run, file) if settings.overlays else None
    cut = 0
    with page_tables(place, file, "blocks", BLOCKS) as (blocks, rejects):
        for page in rendered_pages(settings.run, file):
            known = content.get(page.record_id)
            try:
                segmented = segment(page, settings.algorithm, settings.options, known)
            except Exception as e:  # noqa: BLE001 - of whatever kind, it is of this page alone
                detail = fault_detail(e, page.record_id)
                rejects.add(reject_row(page, settings.algorithm, detail))
                continue
            for row in block_rows(page, segmented):
                blocks.add(row)
            name = f"{stem(file.removesuffix('.parquet'))}.{cut:04}-{settings.algorithm}"
            if settings.overlays and screenshots:
                picture = overlay(page, segmented, screenshots.picture(page.record_id).uri)
                Folder(settings.overlays).write(f"{name}.svg", picture.encode())
            if settings.xml:
                Folder(settings.xml).write(f"{name}.xml", vixml(page, segmented).encode())
            cut += 1


@contextmanager
def page_tables(
    place: Folder, file: str, kind: str, schema: pa.Schema
) -> Iterator[tuple[Table[Row], Table[Row]]]:
    """Open the table of one kind for the pages of a file, and that of their rejects.

    The rejects are renamed first, so that the other table marks completion.
    """
    with (
        create_table(place, part(kind, file), schema, pa.Table.from_pylist) as table,
        create_table(place, part("rejects", file), REJECTS, pa.Table.from_pylist) as rejects,
    ):
        yield table, rejects


def reject_row(page: RenderedPage, algorithm: str, detail: str) -> Row:
    return dict(zip(REJECTS.names, (page.record_id, page.url, algorithm, detail), strict=True))


def gather(
    place: Folder,
    files: Sequence[str],
    table: str,
    kind: str = TABLES,
    schema: pa.Schema = BLOCKS,
    *,
    count: Callable[[pa.Table], int] = lambda rows: pc.sum(rows["terminal"]).as_py() or 0,
) -> tuple[int, int, int]:
    """Merge the tables of all files, the rejects first: the others mark completion.

    Returns the numbers of pages with blocks, of rejected ones, and of what counts of the rows: the terminal blocks.
    """
    rejects = merge_parts(place, "rejects", files, table, REJECTS)
    rejected = sum(rows.num_rows for rows in rejects)
    pages = counted = 0
    for rows in merge_parts(place, kind, files, table, schema):
        pages += pc.sum(pc.equal(rows["block"], 0)).as_py() or 0
        counted += count(rows)
    return pages, rejected, counted


def merge_parts(
    folder: Folder, kind: str, files: Sequence[str], table_name: str, schema: pa.Schema
) -> Iterator[pa.Table]:
    """Yield the parts one by one, while they are merged into one table, renamed after the last."""

    def concatenate(tables: list[pa.Table], schema: pa.Schema) -> pa.Table:
        return pa.concat_tables(tables).cast(schema)

    with create_table(folder, f"{kind}/{table_name}", schema, concatenate) as table:
        for file in files:
            rows = read_table(folder, part(kind, file))
            table.add(rows, rows.num_rows)
            yield rows


MORE_THAN = 2.0
"""Minimum overlap of two blocks in pixels, in each direction; borders and rounding give less."""


def overlaps(rects: Sequence[Rect], more_than: float = MORE_THAN) -> tuple[tuple[int, int], ...]:
    """Return pairs of places of overlapping rectangles, the lesser first, sorted."""
    pairs = []
    reaching: list[int] = []  # those whose bottom is below the line that sweeps down
    for n in sorted(range(len(rects)), key=lambda n: (rects[n].y, n)):
        top = rects[n].y
        reaching = [m for m in reaching if rects[m].y + rects[m].h - top > more_than]
        pairs += [
            (min(m, n), max(m, n))
            for m in reaching
            if (shared := overlap(rects[m], rects[n])) and min(shared.w, shared.h) > more_than
        ]
        reaching.append(n)
    return tuple(sorted(pairs))


COLOURS = {
    "header": "#c0392b",
    "nav": "#2471a3",
    "article": "#1e8449",
    "aside": "#b9770e",
    "footer": "#7d3c98",
    "section": "#117a65",
}
"""Colour of each role."""
NO_ROLE = "#c2185b"
TEXT = 22  # height in pixels of a block's number and role
DASHES = "12 6"  # outline of a block that is out of the flow


def overlay(page: RenderedPage, segmentation: Segmentation, picture: str) -> str:
    """Return the picture at an address with the terminal blocks, their numbers in reading order and their roles."""
    width, height = page.size
    title = escape(f"{page.url} {segmentation.algorithm}")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">',
            f"<title>{title}</title>",
            f'<image width="{width}" height="{height}" href={quoteattr(picture)}/>',
            *(_block_svg(n, block) for n, block in enumerate(segmentation.terminal, 1)),
            "</svg>\n",
        ]
    )


def _block_svg(number: int, block: Block) -> str:
    x, y, w, h = (round(value, 1) for value in block.rect)
    colour = quoteattr(COLOURS.get(block.role, NO_ROLE))
    words = escape(f"{number} {block.role}".strip())
    line = f' stroke-dasharray="{DASHES}"' if block.floating else ""
    return (
        f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill={colour} fill-opacity="0.08" '
        f'stroke={colour} stroke-width="3"{line}/>'
        f'<text x="{x + 6}" y="{y + TEXT}" font-family="sans-serif" font-size="{TEXT}" '
        f'fill={colour} stroke="white" stroke-width="4" paint-order="stroke">{words}</text>'
    )
