"""However a page is made, twice of it takes about twice the work, not four times."""

import sys
from types import FrameType

import pytest

import dbce

UNITS = {
    "code": "<pre>a = 1\nb = 2</pre>\n",
    "code in many elements": "<i></i><div class=x><pre><b>a</b> = 1</pre></div>\n",
    "formulas in scripts": "<script type='math/tex'>x^2</script>one day ",
    "formulas": "<math><mi>x</mi><mo>=</mo><mn>2</mn></math> one day ",
    "rows": "<table><tr><td rowspan=3>ferry<td>12<tr><td>day<tr><td>night</table>",
    "notes": "<p>one<sup><a href=#n id=r>[1]</a></sup></p><ol><li id=n>Note <a href=#r>↑</a></ol>",
    "comments": "<div class=comment><b class=author>Joe</b><time>1 Jan 2011</time><p>one day</p></div>",
    "headings": "<h2 id=x>Ferry<a href=#x>¶</a></h2><p>one day of winter</p>\n",
}


def calls(unit: str, count: int) -> int:
    """Count calls of functions, compiled ones too, that a page in Markdown takes."""
    done = 0

    def called(_frame: FrameType, event: str, _what: object) -> None:
        nonlocal done
        done += event in {"call", "c_call"}

    html = f"<h1>Ferries</h1><p>All of the ferries.</p><div>{unit * count}</div>"
    sys.setprofile(called)
    try:
        dbce.extract(html)
    finally:
        sys.setprofile(None)
    return done


@pytest.mark.parametrize("kind", UNITS)
def test_the_work_grows_as_the_page_does(kind: str) -> None:
    calls(UNITS[kind], 10)  # what is done once in a process
    once, twice = (calls(UNITS[kind], count) for count in (700, 1_400))
    assert once > 50_000
    assert twice < 2.5 * once
