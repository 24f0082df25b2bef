"""The algorithms by name, and the function to run them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from dbce.model import UsageError
from dbce.visual import RenderedPage, Segmentation
from dbce.visual.segment import baselines, boxes
from dbce.visual.segment.band_roles import with_band_roles
from dbce.visual.segment.bands import BandOptions, cut_bands
from dbce.visual.segment.bom import PaperOptions, bom_paper, with_labels, with_roles
from dbce.visual.segment.bom_published import PublishedOptions, bom_published
from dbce.visual.segment.boxes import Node, Outline
from dbce.visual.segment.options import Options, name_with_options, read_options
from dbce.visual.segment.vips import VipsOptions, vips

Roles = Callable[[Outline, Segmentation, Mapping[int, float] | None, Any], Segmentation]


class Segmenter(NamedTuple):
    """An algorithm: its options, its function of page and options to a tree of blocks, and that to label these."""

    options: type[Options]
    cut: Callable[[Outline, Any], Node]
    roles: Roles = with_roles


SEGMENTERS: dict[str, Segmenter] = {
    "dbce": Segmenter(BandOptions, cut_bands, with_band_roles),
    "bom-paper": Segmenter(PaperOptions, bom_paper, with_labels),
    "bom-published": Segmenter(PublishedOptions, bom_published, with_labels),
    "vips": Segmenter(VipsOptions, vips),
    "blockfusion": Segmenter(baselines.BlockFusionOptions, baselines.blockfusion),
    "first-branching": Segmenter(baselines.NoOptions, baselines.first_branching),
    "body-children": Segmenter(baselines.NoOptions, baselines.children_of_body),
    "page": Segmenter(baselines.NoOptions, baselines.whole_page),
    "html5": Segmenter(baselines.NoOptions, baselines.html5_elements),
}
DEFAULT = "dbce"


def segment(
    page: RenderedPage,
    algorithm: str = DEFAULT,
    options: Options | None = None,
    content: Mapping[int, float] | None = None,
) -> Segmentation:
    """Return a page in blocks, with roles; without `options` by the algorithm's defaults.

    Algorithm 5 gives the roles, but for `dbce`, which has rules of its own: it alone uses `content`, the share of each
    text node that is content by its number in `nodes`, if known.
    Raises UsageError: there is no such algorithm, or the options are not its own.
    """
    segmenter = _segmenter(algorithm)
    chosen = segmenter.options() if options is None else options
    if not isinstance(chosen, segmenter.options):
        raise UsageError(f"{algorithm} takes {segmenter.options.__name__}, not {chosen!r}")
    outline = Outline(page)
    root = segmenter.cut(outline, chosen)
    blocks = boxes.segmentation(outline, name_with_options(algorithm, chosen), root)
    return segmenter.roles(outline, blocks, content, chosen)


def options_of(algorithm: str, words: Mapping[str, str]) -> Options:
    """Return the options of an algorithm from words of a command line.

    Raises UsageError: no such algorithm or option, or an invalid value.
    """
    return read_options(_segmenter(algorithm).options, words)


def _segmenter(algorithm: str) -> Segmenter:
    if algorithm not in SEGMENTERS:
        known = ", ".join(SEGMENTERS)
        raise UsageError(f"no algorithm is called {algorithm!r}: say one of {known}")
    return SEGMENTERS[algorithm]
