"""How work is spread over executors, read from Spark's events."""

from typing import Any

from scripts.experiments.executors import spread


def job(stages: list[int], said: str | None) -> dict[str, Any]:
    properties = {"spark.job.description": said} if said else {}
    return {"Event": "SparkListenerJobStart", "Stage IDs": stages, "Properties": properties}


def task(stage: int, executor: str, ms: int, written: int = 0) -> dict[str, Any]:
    return {
        "Event": "SparkListenerTaskEnd",
        "Stage ID": stage,
        "Task Info": {"Executor ID": executor, "Launch Time": 1000, "Finish Time": 1000 + ms},
        "Task Metrics": {"Shuffle Write Metrics": {"Shuffle Bytes Written": written}},
    }


def test_the_tasks_of_all_jobs_of_a_stage_count_by_executor() -> None:
    events = [
        job([0], None),  # the executors are asked whether they have dbce
        task(0, "1", 9000),
        job([1], "dbce: stage 1 of 3, reading 2 files"),
        task(1, "0", 1000),
        task(1, "1", 2000, written=10),
        job([2, 3], "dbce: stage 2 of 3, comparing 9 captures"),
        task(2, "0", 500, written=5),
        job([4], "dbce: stage 2 of 3, comparing 9 captures"),
        task(4, "0", 1500, written=6),
        {"Event": "SparkListenerApplicationEnd"},
    ]
    found = spread(events)
    assert found.keys() == {1, 2}
    assert found[1] == ([1.0, 2.0], {"0": 1.0, "1": 2.0}, 10)
    assert found[2] == ([0.5, 1.5], {"0": 2.0}, 11)
