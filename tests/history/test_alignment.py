"""Units of a main text, those of two snapshots set against each other, and what their words tell."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from dbce import html
from dbce.formats import NO_LIMITS, content_of
from dbce.history import alignment
from dbce.history.alignment import PassageKind, TextUnit, align, common_places, sentences, units_of
from dbce.history.wording import Stretch, correction_kind, says_the_same, shorten, stretches
from dbce.model import key_of


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One went. Two came! Did three? Yes.", ["One went.", "Two came!", "Did three?", "Yes."]),
        ("He said “No.” She left.", ["He said “No.”", "She left."]),
        ("Dr. Brown met J. Smith, e.g. on Monday.", ["Dr. Brown met J. Smith, e.g. on Monday."]),
        ("Am 3. Mai begann es. Am 4. endete es.", ["Am 3. Mai begann es.", "Am 4. endete es."]),
        ("It runs on 1.17. Below is more.", ["It runs on 1.17.", "Below is more."]),
        ("All systems (Linux etc.). It runs.", ["All systems (Linux etc.).", "It runs."]),
        ("He paused ... and left. Then", ["He paused ... and left.", "Then"]),
        ("これは本です。あれも本です。", ["これは本です。", "あれも本です。"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("", [""]),
    ],
)
def test_a_text_is_cut_into_sentences(text: str, parts: list[str]) -> None:
    assert [part for part in sentences(text) if part or not text] == parts


@given(st.text(alphabet="aB1 .!?…。」\n\"')", max_size=80))
def test_sentences_are_the_text(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize("hostile", ["." * 200_000, "a. " * 70_000, ".)" * 100_000, "。" * 200_000])
def test_a_hostile_text_is_cut_in_a_time_that_grows_with_it(hostile: str) -> None:
    assert sum(map(len, sentences(hostile))) <= len(hostile)


def test_what_templates_exchange_makes_no_difference() -> None:
    assert key_of("It’s “so” \u2013 or\u00a0not…") == key_of('It\'s "so" - or not...')
    assert key_of("re\u00adread¶") == key_of("reread")
    assert key_of("5") != key_of("-5")


PAGE = b"""<html><body><div>
<h2>Fares</h2><p>One is <b>W</b>ord. Two is more.</p>
<ul><li>A goat. If calm.</li><li>A cart</li></ul>
<table><tr><th>Day</th><th>Fare</th></tr><tr><td>Monday</td><td>5 pence</td></tr></table>
<pre>row()

  tie()</pre></div></body></html>"""


def test_structures_are_respected() -> None:
    document = html.load(PAGE, "text/html", NO_LIMITS)
    details = html.read_details(document.page, document.elements, document.attributes)
    every = range(len(document.page.nodes))
    units = list(units_of(content_of(document.page, every, details)))
    assert [(unit.kind, unit.text) for unit in units] == [
        ("heading", "Fares"),
        ("sentence", "One is Word."),
        ("sentence", "Two is more."),
        ("item", "A goat."),
        ("item", "If calm."),
        ("item", "A cart"),
        ("row", "Day | Fare"),
        ("row", "Monday | 5 pence"),
        ("code", "row()"),
        ("code", "  tie()"),
    ]
    assert {unit.section for unit in units[1:]} == {"Fares"}


TEXTS = st.lists(
    st.sampled_from(["a b c d.", "a b c e.", "x y z.", "x y w.", "q", "1 2 3"]), max_size=9
)


def unit(text: str, kind: str = "sentence") -> TextUnit:
    return TextUnit(kind, text, key_of(text), "")


def fates(old: list[str], new: list[str]) -> list[tuple[str, str | None, str | None]]:
    return [
        (a.kind.value, a.old and a.old.text, a.new and a.new.text)
        for a in align([unit(text) for text in old], [unit(text) for text in new])
    ]


def kinds(old: list[TextUnit], new: list[TextUnit]) -> list[str]:
    return [str(a.kind) for a in align(old, new)]


def test_units_are_kept_moved_reworded_come_and_gone() -> None:
    old = ["One stays.", "The ferry goes at five.", "Moved from here.", "This one goes away."]
    new = ["Moved from here.", "One stays.", "The ferry goes at six.", "Something else came."]
    assert fates(old, new) == [
        ("moved", "Moved from here.", "Moved from here."),
        ("kept", "One stays.", "One stays."),
        ("reworded", "The ferry goes at five.", "The ferry goes at six."),
        ("went", "This one goes away.", None),
        ("came", None, "Something else came."),
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        # What went stands before what came in its place.
        (["a", "old one", "z"], ["a", "new two", "z"], ["kept", "went", "came", "kept"]),
        # Short units are not taken for each other by one word.
        (["Runtime Tasking"], ["Prioritized Tasking"], ["went", "came"]),
        (["Instalation"], ["Installation"], ["corrected"]),
        ([], ["Visitors: 12"], ["stamp"]),
    ],
)
def test_units_are_told_in_their_order(old, new, told) -> None:
    assert kinds([*map(unit, old)], [*map(unit, new)]) == told


def test_a_unit_in_other_words_is_told_by_what_they_change() -> None:
    pairs = [
        ("Last update: 3 May 2014", "Last update: 9 June 2015"),
        ("3 comments", "12 comments"),
        ("The Ferry goes, at five.", "The ferry goes at five!"),
        ("The ferry costs 5 pence today.", "The ferry costs 6 pence today."),
        ("The ferry costs 5 £ today.", "The ferry costs 5 € today."),
        ("It is -5 degrees on deck today.", "It is 5 degrees on deck today."),
        ("Ask for the captain at the pier.", "Ask for the old dog at the pier."),
    ]
    found = [align([unit(old)], [unit(new)])[0] for old, new in pairs]
    assert [(a.kind, a.corrected) for a in found] == [
        ("stamp", ""), ("stamp", ""), ("punctuation", ""), ("corrected", "number"),
        ("reworded", ""), ("reworded", ""), ("reworded", ""),
    ]  # fmt: skip
    (code,) = align([unit("f(a, b) the ferry", "code")], [unit("f(a; b) the ferry", "code")])
    assert code.kind == "reworded"
    prose = unit("run the old ferry now")
    assert kinds([unit("run the old ferry", "code")], [prose]) == ["went", "came"]


@given(TEXTS, TEXTS)
def test_every_unit_has_one_fate(old: list[str], new: list[str]) -> None:
    found = fates(old, new)
    assert [text for _, _, text in found if text is not None] == new
    assert Counter(text for _, text, _ in found if text is not None) == Counter(old)
    for fate, before, after in found:
        assert (before is None) == (fate == "came")
        assert (after is None) == (fate == "went")
        assert (before == after) == (fate in ("kept", "moved"))


@given(TEXTS, TEXTS)
def test_what_is_kept_is_a_longest_common_subsequence(old: list[str], new: list[str]) -> None:
    assert len(common_places(old, new)) == LCSseq.similarity(old, new)
    with pytest.MonkeyPatch.context() as patch:  # as of very long texts
        patch.setattr(alignment, "LARGEST_GAP", 0)
        found = common_places(old, new)
    assert all(old[before] == new[after] for before, after in found)
    assert found == sorted(found)
    assert len({before for before, _ in found}) == len({after for _, after in found}) == len(found)


@pytest.fixture
def times(monkeypatch) -> list[float]:
    """How often units are compared: what each comparison said."""
    found: list[float] = []
    similarity = alignment._Words.similarity

    def counted(words, before, after):
        found.append(similarity(words, before, after))
        return found[-1]

    monkeypatch.setattr(alignment._Words, "similarity", counted)
    return found


def test_ten_thousand_sentences_are_compared_with_few_each(times) -> None:
    words = [f"w{n % 997} x{n % 991} y{n % 983} z{n % 977}" for n in range(20_000)]
    old = [unit(f"{text} old.") for text in words[:10_000]]
    new = [unit(f"{text} new.") for text in words[10_000:]]
    assert len(align(old, new)) >= 10_000
    beside = 2 * alignment.NEIGHBOURS + 1
    assert len(times) <= len(new) * (alignment.CANDIDATES + beside)


def test_a_sentence_ten_thousand_times_is_kept_as_often_as_it_is_there(times) -> None:
    found = align([unit("Again.")] * 10_000, [unit("Again.")] * 9_000)
    assert Counter(a.kind for a in found) == {PassageKind.KEPT: 9_000, PassageKind.REMOVED: 1_000}
    mixed = [unit("Again.") if n % 2 else unit(f"Other {n} here.") for n in range(6_000)]
    assert len(align([unit("Again.")] * 6_000, mixed)) >= 6_000
    assert len(times) <= 6_000 * 20


def told(before: str, after: str) -> str:
    """The wording in signs: [removed|added]."""
    return "".join(
        f"{' ' if part.spaced and n else ''}{part.after if part.stayed else f'[{part.before}|{part.after}]'}"
        for n, part in enumerate(stretches(before, after))
    )


@pytest.mark.parametrize(
    ("before", "after", "wording"),
    [
        ("The old ferry sails.", "The new ferry sails.", "The [old|new] ferry sails."),
        ("The ferry sails.", "The ferry, of course, sails.", "The ferry[|, of course,] sails."),
        ("Visit the very old pier.", "Visit the pier.", "Visit the [very old|] pier."),
        ("Run f(a, b) now", "Run f(a, c) now", "Run f(a, [b|c]) now"),
        ("It’s open", "It's shut", "It's [open|shut]"),
        # A lone "the" between two changes says nothing.
        ("Ask Ann at the hut", "See Tom in the shed", "[Ask Ann at the hut|See Tom in the shed]"),
    ],
)
def test_words_are_told_that_stayed_and_were_removed_and_added(before, after, wording) -> None:
    assert told(before, after) == wording


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("It costs 5 pence to cross.", "It costs 6 pence to cross.", "number"),
        ("It opened on 5 May at the pier.", "It opened on 6 May at the pier.", "date"),
        ("It was built in 1899 by hand.", "It was built in 1901 by hand.", "date"),
        ("Release 1.2.1 is out today.", "Release 1.3.3 is out today.", "number"),
        ("It was kept by Ann Brown for years.", "It was kept by Tom Green for years.", "name"),
        ("See http://a.example/x for more.", "See https://b.example/y for more.", "address"),
        ("An attachement is enough.", "An attachment is enough.", "spelling"),
        ("The ferry is slow today.", "The ferry is quick today.", ""),
        ("It costs 5 pence to cross.", "It costs nothing to cross.", ""),
        ("Five 1 2 3 4", "Five 6 7 8 9", ""),
        ("2.3 Let Expressions", "2.3 If Expressions", ""),  # a title
    ],
)
def test_what_is_corrected_is_told(before: str, after: str, what: str) -> None:
    assert correction_kind(stretches(before, after), has_names=True) == what


@pytest.mark.parametrize(
    ("before", "after", "is_same"),
    [
        ("See the list, and ask there.", "See the list and ask there.", True),
        ("The Ferry sails", "the ferry sails!", True),
        ("a stop-gap measure", "a stop gap measure", True),
        ("It costs 5 $.", "It costs 5 €.", False),
        ("It is -5 degrees.", "It is 5 degrees.", False),
        ("It is 1.5 m deep.", "It is 15 m deep.", False),
        ("...", "!", False),
    ],
)
def test_punctuation_and_capitals_say_nothing(before: str, after: str, is_same: bool) -> None:
    assert says_the_same(before, after) == is_same


def test_a_capital_tells_no_name_in_german() -> None:
    wording = stretches("Das ist der Hund von hier.", "Das ist der Kater von hier.")
    assert correction_kind(wording, has_names=False) == ""


@given(st.text(alphabet="ab1 .,(é漢", max_size=40), st.text(alphabet="ab1 .,(é漢", max_size=40))
def test_both_wordings_can_be_read_from_the_stretches(before: str, after: str) -> None:
    parts = stretches(before, after)
    for text, side in ((before, "before"), (after, "after")):
        joined = "".join(getattr(part, side) for part in parts)
        assert "".join(joined.split()) == "".join(text.split())


def test_very_long_wordings_are_told_whole() -> None:
    before, after = "a " * 5_000, "b " * 5_000
    assert stretches(before, after) == (Stretch(before, after, stayed=False),)


def test_words_far_from_a_change_are_folded() -> None:
    many = " ".join(f"word{n}" for n in range(60))
    first, changed, last = shorten(stretches(f"{many} old {many}", f"{many} new {many}"))
    assert first.after.startswith("… ")
    assert changed.after == "new"
    assert last.after.endswith(" …")
    assert len(first.after.split()) == len(last.after.split()) == 13
