"""What differs between driver and executors is said in a sentence, with the remedy."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from dbce.engine.spark.places import (
    Place,
    _probe,
    as_json,
    as_text,
    explain_error,
    findings,
    requirements,
)

DRIVER = Place(
    name="driver",
    host="gate",
    executable="/opt/python",
    python="3.11.7",
    java="17.0.15",
    spark="4.3.0",
    dbce="0.1.0",
    packages={"lxml": "6.1.3", "numpy": "2.4.6"},
)
EXECUTOR = replace(DRIVER, name="4", host="node12")


def said(**other: object) -> tuple[str, bool]:
    """The one finding about an executor that has something other than the driver."""
    (finding,) = findings([DRIVER, EXECUTOR, replace(EXECUTOR, name="5", **other)])
    return finding.sentence, finding.fatal


def test_equal_places_give_no_finding():
    assert findings([DRIVER, EXECUTOR]) == []
    assert "Nothing differs." in as_text([DRIVER, EXECUTOR], [])


def test_another_minor_version_of_python_matters():
    minor, patch = findings([DRIVER, replace(EXECUTOR, python="3.12.1")])
    assert minor.sentence.startswith(
        "executor 4 on node12 runs Python 3.12.1 and the driver 3.11.7"
    )
    assert "PYSPARK_PYTHON" in minor.sentence
    assert (minor.fatal, patch.fatal) == (True, False)


@pytest.mark.parametrize(
    ("other", "begins"),
    [
        ({"dbce": None}, "has no dbce; install its wheel (make dist) in "),
        ({"dbce": "0.0.9"}, "has dbce 0.0.9 and the driver 0.1.0; install one version everywhere"),
        ({"packages": {"lxml": None, "numpy": "2.4.6"}}, "lacks lxml; install"),
    ],
)
def test_another_package_or_none_matters_and_is_named(other, begins):
    sentence, fatal = said(**other)
    assert sentence.startswith(f"executor 5 on node12 {begins}")
    assert fatal


@pytest.mark.parametrize(
    ("other", "named"),
    [
        ({"python": "3.11.2"}, "Python 3.11.2 (driver: 3.11.7)"),
        ({"java": "21.0.1"}, "Java 21.0.1 (driver: 17.0.15)"),
        ({"spark": "4.2.0"}, "Spark 4.2.0 (driver: 4.3.0)"),
        ({"packages": {"lxml": "6.1.3", "numpy": "2.3.0"}}, "numpy 2.3.0 (driver: 2.4.6)"),
    ],
)
def test_other_differences_are_said_and_do_not_matter(other, named):
    assert said(**other) == (f"executor 5 on node12 has {named}", False)


def test_what_the_driver_lacks_matters_too():
    (finding,) = findings([replace(DRIVER, packages={"lxml": None}), EXECUTOR])
    assert finding.sentence.startswith("the driver lacks lxml")


def test_the_table_has_a_column_for_every_place_and_json_tells_the_same():
    places = [DRIVER, replace(EXECUTOR, dbce=None)]
    text = as_text(places, findings(places))
    assert re.search(r"^ +driver +executor 4$", text, re.MULTILINE)
    assert re.search(r"^dbce +0\.1\.0 +missing$", text, re.MULTILINE)
    assert re.search(r"^! executor 4 on node12 has no dbce", text, re.MULTILINE)
    told = json.loads(as_json(places, findings(places)))
    assert [place["dbce"] for place in told["places"]] == ["0.1.0", None]
    assert [finding["fatal"] for finding in told["findings"]] == [True]


def test_the_packages_asked_for_are_those_that_every_job_needs():
    assert {"lxml", "numpy", "scikit-learn", "warcio"} <= set(requirements())
    assert {"pyspark", "matplotlib", "pytest"}.isdisjoint(requirements())


def test_the_question_can_be_answered_without_dbce():
    """It travels as code: an executor need not be able to import what it is defined in."""
    from pyspark import cloudpickle

    question = cloudpickle.dumps(_probe(["lxml", "no-such-package"]))
    executor = (
        "import pickle, sys; sys.modules['dbce'] = None; "
        "(told,) = pickle.load(sys.stdin.buffer)([{'java': '17'}]); "
        "print(told['dbce'], told['packages']['no-such-package'], told['packages']['lxml'])"
    )
    command = [sys.executable, "-c", executor]
    answer = subprocess.run(command, input=question, capture_output=True, check=True, cwd="/")
    assert re.fullmatch(rb"None None \d[\d.]+\n", answer.stdout)


def test_errors_of_spark_about_another_python_or_none_become_a_sentence():
    error = explain_error(
        "[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.12 than that in "
        "driver: 3.11, PySpark cannot run with different minor versions.",
        ("5", "node12"),
    )
    assert str(error).startswith("executor 5 on node12 runs Python 3.12 and the driver 3.11; let ")
    error = explain_error('java.io.IOException: Cannot run program "./env/bin/python": error=2')
    assert str(error).startswith("an executor cannot start ./env/bin/python; let PYSPARK_PYTHON")
    assert explain_error("java.lang.OutOfMemoryError") is None
