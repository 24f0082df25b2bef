"""The figures for Prometheus: they can be read, and they are those of the manifest."""

import re

from dbce.output.manifest import as_prometheus

SAMPLE = re.compile(r'([a-z_]+)(?:\{([a-z]+)="([^"\\\n]*)"\})? (-?\d+(?:\.\d+)?)')

MANIFEST = {
    "captures": {
        "total": 14,
        "annotated": 8,
        "single": 1,
        "skipped": 3,
        "rejected": 2,
        "reasons": {"rejected/bad-http": 2, "skipped/no-text": 1, "skipped/not-html": 2},
    },
    "revisits": {"record-id": 2, "not-here": 1},
    "bytes_skipped": 1234,
    "words": {"content": 10, "boilerplate": 90},
    "partner_recall": {"all": {"up": 0.8889, "down": 0.5}, "sites": {'"': {"up": 1, "down": 1}}},
    "seconds": {"read": 1.5, "compare": 0.25, "judge": 2.0},
}


def parsed(text: str) -> dict[str, dict[str, float]]:
    """The samples by name and label, each name once described before its samples."""
    assert text.endswith("\n")
    found: dict[str, dict[str, float]] = {}
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("# HELP "):
            name = line.split()[2]
            assert next(lines) == f"# TYPE {name} gauge"
            assert name not in found
            found[name] = {}
        else:
            sample = SAMPLE.fullmatch(line)
            assert sample, line
            found[sample[1]][sample[3] or ""] = float(sample[4])
    return found


def test_every_line_parses_and_the_figures_are_those_of_the_manifest():
    found = parsed(as_prometheus(MANIFEST))
    assert found == {
        "dbce_captures": {"annotated": 8, "single": 1, "skipped": 3, "rejected": 2},
        "dbce_dropped": MANIFEST["captures"]["reasons"],
        "dbce_revisits": MANIFEST["revisits"],
        "dbce_bytes_skipped": {"": 1234},
        "dbce_words": MANIFEST["words"],
        "dbce_partner_recall": MANIFEST["partner_recall"]["all"],
        "dbce_stage_seconds": MANIFEST["seconds"],
    }


def test_a_run_without_captures_has_the_same_names():
    empty = {
        "captures": dict.fromkeys(("annotated", "single", "skipped", "rejected"), 0)
        | {"total": 0, "reasons": {}},
        "revisits": {},
        "bytes_skipped": 0,
        "words": dict.fromkeys(MANIFEST["words"], 0),
        "partner_recall": {"all": {"up": 0.0, "down": 0.0}, "sites": {}},
        "seconds": MANIFEST["seconds"],
    }
    assert parsed(as_prometheus(empty)).keys() == parsed(as_prometheus(MANIFEST)).keys()
