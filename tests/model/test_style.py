"""What all our pages have in common."""

import re
from datetime import UTC, datetime

from dbce.model.style import date, environment, percent


def test_shares_and_times_are_written_for_people() -> None:
    assert [percent(0.254), percent(None)] == ["25\N{NO-BREAK SPACE}%", "\N{EN DASH}"]
    assert date(datetime(2016, 5, 24, 2, 48, 36, tzinfo=UTC)) == "2016-05-24 02:48"
    assert date(None) == "no date"


def test_what_a_template_is_given_is_text() -> None:
    made = environment("dbce.report").from_string("<p>{{ title }}</p>").render(title="<b>&")
    assert made == "<p>&lt;b&gt;&amp;</p>"


def test_a_page_may_do_nothing_unless_its_template_says_so() -> None:
    made = environment("dbce.report", ".own{color:red}").get_template("base.html").render()
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', made)
    assert policy.startswith("default-src 'none';")
    assert "script-src" not in policy
    assert ".own{color:red}" in made
