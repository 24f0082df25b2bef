"""What Spark notes of an application while it runs: every event, as a line of JSON."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def noting_events(folder: Path) -> dict[str, str]:
    """The environment in which Spark notes its events in a folder, beside its settings."""
    (events := folder / "events").mkdir(exist_ok=True)
    (conf := folder / "conf").mkdir(exist_ok=True)
    (conf / "spark-defaults.conf").write_text(
        f"spark.eventLog.enabled true\nspark.eventLog.compress false\n"
        f"spark.eventLog.dir file://{events}\n"
    )
    return os.environ | {"SPARK_CONF_DIR": str(conf)}


def events_of(folder: Path) -> Iterator[dict[str, Any]]:
    """The events of the application that noted in a folder last; none if none did."""
    logs = [file for file in (folder / "events").rglob("events_*") if file.is_file()]
    for newest in sorted(logs, key=lambda file: file.stat().st_mtime)[-1:]:
        with newest.open() as lines:
            yield from map(json.loads, lines)


def shuffle_bytes(event: dict[str, Any]) -> int:
    """Bytes that a task wrote for other tasks to read; 0 of any other event."""
    metrics = event.get("Task Metrics") or {}
    return int(metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0))
