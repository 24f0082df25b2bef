"""The sample's timelines: what can be compared with what."""

import re
from collections import defaultdict
from typing import Any

Rows = list[dict[str, Any]]
SHAPES = {"11000", "11001", "11010", "11011", "11100", "11101", "11110", "11111"}


def _template(page: dict[str, Any]) -> str:
    kind = re.search(r"example/(slownik|przepis|letters|essays)?", page["url"])[1] or "news"
    return kind + (" old" if kind == "news" and page["timestamp"] < "2015" else "")


def _shapes(pages: Rows) -> set[str]:
    """The bits of every capture's cross, if all pages of one template are its candidates."""
    times: dict[tuple[str, str], list[str]] = defaultdict(list)
    for page in pages:
        path = page["url"].split("//")[1]
        times[page["site"] + _template(page), path].append(page["timestamp"])
    shapes = set()
    for (template, path), own in times.items():
        others = sum(t == template and p != path for t, p in times)
        for at in own:
            if others:
                earlier, later = min(own) < at, max(own) > at
                shapes.add(f"11{others > 1:d}{earlier:d}{later:d}")
    return shapes


def test_every_shape_of_a_cross_occurs(pages: Rows) -> None:
    assert _shapes(pages) == SHAPES


def test_sites_have_six_urls_of_four_snapshots(pages: Rows) -> None:
    snapshots: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for page in pages:
        snapshots[page["site"]][page["url"].split("//")[1]] += 1
    for site in ("uferbote.example", "kuchniapodlipa.example", "lanternandledger.example"):
        assert sum(count >= 4 for count in snapshots[site].values()) >= 6


def test_one_page_has_no_partner(pages: Rows) -> None:
    assert sum(page["site"] == "turmuhr.example" for page in pages) == 1
