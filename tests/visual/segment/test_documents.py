"""docs/segmentation.md has all options with their defaults, and all columns."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from dbce.visual.segment import (
    BLOCKS,
    SEGMENTERS,
    BandOptions,
    BlockFusionOptions,
    PaperOptions,
    PublishedOptions,
    RoleOptions,
    VipsOptions,
)
from tests.test_docs import table

TEXT = (Path(__file__).parents[3] / "docs" / "segmentation.md").read_text(encoding="utf-8")


def part(heading: str) -> str:
    """What stands below a heading, to the next one."""
    _, _, behind = TEXT.partition(f"\n{heading}\n")
    return behind.partition("\n#")[0]


def shown(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@pytest.mark.parametrize(
    ("heading", "options"),
    [
        ("### dbce", BandOptions),
        ("### bom-paper", PaperOptions),
        ("### bom-published", PublishedOptions),
        ("### vips", VipsOptions),
        ("### blockfusion", BlockFusionOptions),
        ("## Roles", RoleOptions),
    ],
)
def test_every_option_is_described_with_its_default_in_order(heading: str, options: Any) -> None:
    described = [row[:2] for row in table(part(heading), columns=3)[1:]]
    assert described == [(field.name, shown(field.default)) for field in fields(options)]


def test_every_column_of_the_table_is_described_with_its_type_in_order() -> None:
    described = [row[:2] for row in table(part("## The tables"), columns=3)[1:]]
    assert described == [(field.name, str(field.type)) for field in BLOCKS]


def test_every_algorithm_is_named_there_and_in_the_guide() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "guide.md").read_text(encoding="utf-8")
    for text in (TEXT, guide):
        assert [name for name in SEGMENTERS if f"`{name}`" not in text] == []
