"""Names of algorithms, as tables show them."""

from dbce.visual.evaluate.blocks.report import short_names


def test_parameters_that_tell_nothing_apart_are_left_out():
    assert short_names(["bom(pA=5, pD=50)", "vips(pdoc=5)", "page()", "ours", "ours"]) == {
        "bom(pA=5, pD=50)": "bom",
        "vips(pdoc=5)": "vips",
        "page()": "page",
        "ours": "ours",
    }


def test_those_that_do_stay():
    assert short_names(["bom(pA=5, pD=50)", "bom(pA=.5, pD=50)"]) == {
        "bom(pA=5, pD=50)": "bom(pA=5)",
        "bom(pA=.5, pD=50)": "bom(pA=.5)",
    }
