"""The documents say what the tables hold, in their order."""

import pytest

from dbce.visual.render.outputs import ELEMENTS, PAGES, TEXTS
from tests.test_docs import TYPES, section, table


@pytest.mark.parametrize(
    ("name", "schema"), [("pages", PAGES), ("elements", ELEMENTS), ("texts", TEXTS)]
)
def test_every_column_is_described_with_its_type_in_order(name, schema):
    described = section("docs/formats.md", f"Table `rendered/{name}`")
    rows = [row[:2] for row in table(described, columns=3)[1:]]
    assert rows == [(f.name, TYPES.get(str(f.type), str(f.type))) for f in schema]
