"""After Java was ended another session starts another one."""

import pytest

pytest.importorskip("pyspark")

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.nightly]


def test_a_session_after_java_was_ended_has_a_java_of_its_own() -> None:
    from dbce.engine.spark import jvm
    from dbce.engine.spark.session import session

    first = session("local[1]")
    assert first.range(3).count() == 3
    jvm.end()
    second = session("local[1]")
    assert second is not first
    assert second.range(4).count() == 4
