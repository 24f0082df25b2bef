"""The templates of a site on a map."""

from datetime import UTC, datetime

from dbce.view.maps import DRAWN, map_of


def capture(url: str, year: int) -> dict[str, object]:
    time = datetime(year, 1, 1, tzinfo=UTC)
    return {"record_id": f"{url}{year}", "url_surtkey": url, "fetch_time": time, "title": url}


def test_a_redesign_is_where_pages_change_from_one_template_to_another() -> None:
    rows = [capture(url, year) for year in (2010, 2012, 2014) for url in "abc"]
    numbers = [1, 1, 1, 1, 2, 2, 2, 2, 2]
    old, new = map_of("harbour.example", rows, numbers).templates
    assert (old.captures, old.urls, old.first.year, old.last.year) == (4, 3, 2010, 2012)
    assert old.before == ()
    assert new.before == ((1, 3),)
    assert (old.start, new.end) == (0, 1)


def test_years_are_where_they_begin() -> None:
    of_site = map_of("x", [capture("a", 2010), capture("a", 2012)], [1, 1])
    assert [year for _, year in of_site.years] == [2011, 2012]
    assert of_site.years[-1][0] == 1


def test_of_many_templates_the_largest_are_drawn() -> None:
    rows = [capture(str(n), 2010) for n in range(DRAWN + 5)] + [capture("0", 2011)]
    numbers = [*range(1, DRAWN + 6), 1]
    of_site = map_of("x", rows, numbers)
    assert (len(of_site.templates), of_site.left_out, of_site.left_out_captures) == (DRAWN, 5, 5)
    assert of_site.templates[0].captures == 2
