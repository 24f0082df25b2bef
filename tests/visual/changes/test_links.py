"""Links of annotated pages, and the labels of the texts that they stand at."""

from dbce.visual.changes.read import LabelledLink, labelled_links

LINKED = (
    '<html><head><script>"<a href=no>"</script><!-- <a href="no"> --></head><body>'
    '<a href="/" data-dbce="boilerplate" data-dbce-p="0.01">Home</a>'
    '<p data-dbce="content">The <a title="a&gt;b" href="/ferry?a=1&amp;b=2"><b data-dbce="content">ferry</b></a>'
    "<img alt='x' src='boat.png'></p>"
    '<a name="top"></a><a href="/top"><img src="up.gif"></a></body></html>'
)


def test_a_link_has_the_label_of_the_text_at_it() -> None:
    assert labelled_links(LINKED) == [
        LabelledLink("a", "/", "boilerplate"),
        LabelledLink("a", "/ferry?a=1&b=2", "content"),
        LabelledLink("img", "boat.png", "content"),
        LabelledLink("a", "/top", "content"),
        LabelledLink("img", "up.gif", "content"),
    ]
    assert labelled_links('<a href="/x">x</a>') == [LabelledLink("a", "/x", "")]
