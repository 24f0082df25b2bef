"""Asides: lines in hidden or site-wide elements (dbce.html.exclusions), tables of contents, and notices and credits known by their wording."""

import re
from collections.abc import Iterable, Iterator, Sequence
from string import digits

from dbce.boilerplate.classify import LineValues
from dbce.boilerplate.word_labels import OF_SITE, UNSEEN
from dbce.html import (
    HEADINGS,
    ancestors,
    elements_like,
    elements_of_tags,
    nodes_that_may_begin,
    outermost_elements,
    subtree_mask,
)
from dbce.metadata import letters
from dbce.model import Page, stored_text

NEITHER = 0  # stands for no rule: the line is in no aside
CREDIT_WORDS = 8  # maximum words of a credit, or of an offer to enlarge a picture

CREDIT = re.compile(
    r"^[\W_]*(?:©|\(c\)|copyright\b"
    r"|(?:photo(?:graph(?:er)?)?s?|fotos?|fotograf\w?|images?|bild(?:er)?|(?:photo |image )?cr[eé]dits?)\s*(?:[:/©|]|by\b|courtesy\b|von\b|par\b))"
    r"|^[\W_]*(?:(?:click|tap|klicken)\b.*\b(?:enlarge|expand|zoom|larger|vergrößern)|(?:enlarge|expand)(?: (?:this )?image)?\W*$"
    r"|view larger\b|(?:bild )?(?:zum )?vergrößern\W*$|agrandir l.image|ampliar (?:la )?(?:imagen|foto))"
)
"""Beginnings of credits, in lower case: English, German, French, Spanish."""

PICTURED = re.compile("aption|redit")
"""Parts of the class names of captions and credits, in lower or upper case or within a word."""

ENTRIES = 3  # minimum lines of a table of contents
HARDLY_ANY = 100  # words of other content below which a page is about the site itself
NOTICE_WORDS = 40  # maximum words of a notice

NOTICE = re.compile(
    r"(?:advertisements?|advert(?:ising)?|(?:story|article) continues below(?: advertisement)?|anzeige|werbung|publicité"
    r"|publicidad|pubblicità|reklamy?|reklame|annonse?|annons|広告|广告|article content)(?:\W+(?:scroll|skip|continue|article|story)\b.*)?[\s:.…-]*$"
    r"|externer inhalt nicht verfügbar|(?:deine|ihre) privatsphäre-einstellungen verhindern|privatsphäre-einstellungen ändern$"
    r"|(?:empfohlener (?:externer|redaktioneller) inhalt$|an dieser stelle (?:finden sie|findest du) (?:einen )?(?:externen?|relevanten?) inhalt)"
    r"|(?:we need your consent|your consent is (?:needed|required)) to (?:load|show|display)"
    r"|(?:to (?:view|see|watch) this content|this content is (?:not available|blocked))[^.]*(?:privacy|cookies?|consent)"
    r"|ce contenu est bloqué car vous n.avez pas accepté|(?:なお、)?この記事は会員限定"
    r"|(?:sorry,? )?(?:your|this) browser (?:does not|doesn.t|cannot|can.t) (?:support|play|display)"
    r"|(?:ihr|dein) browser (?:unterstützt|kann)|votre navigateur ne |(?:tu|su) navegador no |il tuo browser non "
    r"|(?:o )?seu navegador não |您的浏览器不支持|お使いのブラウザ"
    r"|(?:to (?:view|see|watch|play) this [^.]{0,40})?(?:please )?(?:enable|turn on|activate) javascript"
)
"""Beginnings, in lower case, of placeholders for advertisements, for embedded content that needs consent, and for what
a browser cannot show."""

NOTICE_HEADS = frozenset(
    "adve|anze|werb|publ|pubb|rekl|anno|arti|stor|exte|dein|ihre|priv|empf|your|this|sorr|plea|enab|turn|acti|votr"
    "|an d|we n|to v|to s|to w|to p|ce c|ihr |tu n|su n|il t"
    "|o se|seu |広告|广告|なお、こ|この記事|您的浏览|お使いの".split("|")
)
"""First four letters of each notice: a quick test that few texts pass."""

CONTROL_LABELS = frozenset(
    stored_text("dbce.boilerplate.decide", "control_labels.txt").splitlines()
)
"""Labels of buttons, in lower case: what one may do with a page."""

COUNTER = re.compile(
    r"(?:(?:[\d.,]+[km]? (?:views?|shares?|likes?|claps?|comments?|reactions?|repl(?:y|ies)|kommentare?|aufrufe|antworten|commentaires?"
    r"|comentarios?)|\d+[ -]min(?:ute)?s?\.? (?:read|lesezeit|de lecture|de lectura))[\s·•|,]*)+"
)
"""Counters of what others did with a page, and the time that it takes to read."""

LEADS = frozenset(stored_text("dbce.boilerplate.decide", "leads.txt").splitlines())
"""Words before a link to another page, in lower case: "read also"."""

LEAD_SIGNS = " \n\t.:…!?[]()«»‹›<>→|-–—*▶►"  # signs beside them  # noqa: RUF001
LEAD_END = re.compile("[:：|]")  # noqa: RUF001
CALL = re.compile(
    r"\b(?:(?:sign(?:ing)? up|subscrib(?:e|ing)|register|join|abonnieren?|melden? sie sich|melde dich|anmelden|inscrivez-vous"
    r"|abonnez-vous|suscr[ií]bete|inscreva-se|iscriviti|schrijf je in|zapisz się|подпис(?:ывайтесь|аться|итесь))"
    r"\b[^.!?]{0,60}\b(?:newsletters?|inbox|infolettre|bolet[ií]n|рассылк)"
    r"|(?:folgen sie uns (?:auf|bei)|folge uns (?:auf|bei)|suivez-nous sur|s[ií]guenos en|seguici su|volg ons op|obserwuj nas)\b)"
    r"|^\W*(?:(?:you can|please|also|and) )*follow us on\b"
)
"""Calls to subscribe to letters of the site, or to follow it elsewhere, in lower case."""

CALL_STEMS = tuple(
    "newsletter|inbox|infolettre|boletín|рассылк|follow us on|uns auf|uns bei|suivez-nous|guenos en|seguici|volg ons"
    "|obserwuj nas".split("|")
)
"""A part of each: most pages have none of them."""

SENTENCES = re.compile(r"[.!?…](?:\s|$)")
CALL_SENTENCES = 2  # maximum sentences of a call

LABEL_WORDS = 5  # maximum words of a label
COUNTER_WORDS = 8  # maximum words of a line of counters
LABEL_SIGNS = " \n\t.:…!?[]()«»‹›<>→|"  # signs beside a label  # noqa: RUF001
LABEL_HEADS = frozenset(label[:4] for label in CONTROL_LABELS)

LEAD_HEADS = NOTICE_HEADS | {lead[:4] for lead in LEADS}
HEADS = LEAD_HEADS | LABEL_HEADS | {*digits}
NO_WORD = "".join(sign for sign in map(chr, range(128)) if not sign.isalnum())


def likely_nodes(page: Page) -> list[int]:
    """Text nodes that may begin a notice, a lead, the label of a button or a counter: few do."""
    return nodes_that_may_begin(page, HEADS, NO_WORD)


def control_labels(lines: LineValues, likely: Sequence[int]) -> list[int]:
    """Lines that are labels of buttons and counters; `likely` are nodes that may begin one."""
    heads = [(n, lines.page.nodes[n].text.lstrip(LABEL_SIGNS)[:4].lower()) for n in likely]
    labels = _short_texts(lines, [n for n, head in heads if head in LABEL_HEADS], LABEL_WORDS)
    counted = _short_texts(lines, [n for n, head in heads if head[:1].isdecimal()], COUNTER_WORDS)
    return [
        *(line for line, text in labels if text.strip(LABEL_SIGNS) in CONTROL_LABELS),
        *(line for line, text in counted if COUNTER.fullmatch(text.strip(LABEL_SIGNS))),
    ]


def aside_lines(lines: LineValues, likely: Sequence[int]) -> list[int]:
    """Rule of each line: UNSEEN or OF_SITE if all of it is in such an aside, else NEITHER; `likely` are nodes that may begin a notice.

    Hidden text stays where it has more content than visible text: scripts show such a page, or the site sells it.
    Text of the site stays where hardly anything else is content, as on a sign-in page.
    """
    worded = [*_notices(lines, likely), *_calls(lines), *_credits(lines), *_contents(lines)]
    if not (lines.page.unseen or lines.page.of_site or worded):
        return [NEITHER] * len(lines.gains)
    rules = aside_rules(lines)
    for line in worded:
        rules[line] = OF_SITE
    rest, unseen, of_site = (
        content_words(lines, rules, rule) for rule in (NEITHER, UNSEEN, OF_SITE)
    )
    off = {UNSEEN} if unseen > rest else set()
    if rest < HARDLY_ANY and 2 * of_site > rest:
        off.add(OF_SITE)
    return [NEITHER if rule in off else rule for rule in rules]


def aside_rules(lines: LineValues) -> list[int]:
    page = lines.page
    unseen, of_site = (subtree_mask(page, of) for of in (page.unseen, page.of_site))
    rules: list[int] = [-1] * len(lines.gains)
    for node, line in zip(page.nodes, lines.of_node, strict=True):
        rule = UNSEEN if unseen[node.element] else OF_SITE if of_site[node.element] else NEITHER
        rules[line] = rule if rules[line] in (rule, -1) else NEITHER
    return rules


def _notices(lines: LineValues, likely: Sequence[int]) -> Iterator[int]:
    """Lines that stand for an advertisement, for content shown only after consent, or for other pages."""
    heads = ((n, lines.page.nodes[n].text.lstrip(LEAD_SIGNS)[:4].lower()) for n in likely)
    begin = [n for n, head in heads if head in LEAD_HEADS]
    for line, text in _short_texts(lines, begin, NOTICE_WORDS):
        if NOTICE.match(text) or _is_pointer(lines, line, text):
            yield line


def _is_pointer(lines: LineValues, line: int, text: str) -> bool:
    """Return whether all of a line but its links is a lead, or a lead begins a line that is one link."""
    nodes = lines.nodes(line)
    others = [node.text for node in nodes if not _is_in_link(lines.page, node.element)]
    if len(others) == len(nodes):
        return False
    own = _plain(" ".join(others))
    begins = {_plain(nodes[0].text), _plain(LEAD_END.split(text, 1)[0])} - {_plain(text)}
    is_lead = own in LEADS or (not own and not LEADS.isdisjoint(begins))
    return is_lead and (lines.words[line] > LABEL_WORDS or LEAD_END.search(text) is not None)


def _is_in_link(page: Page, element: int) -> bool:
    return any(page.tags[each] == "a" for each in ancestors(page.parents, element))


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).strip(LEAD_SIGNS)


def _calls(lines: LineValues) -> list[int]:
    """Lines with a link that call upon readers to subscribe or to follow the site, and the label above one."""
    nodes = lines.page.nodes
    texts = "\n".join([node.text for node in nodes]).lower()
    stems = [stem for stem in CALL_STEMS if stem in texts]
    if not stems:
        return []
    likely = [n for n, node in enumerate(nodes) if any(map(node.text.lower().__contains__, stems))]
    calls = [
        line
        for line, text in _short_texts(lines, likely, NOTICE_WORDS)
        if any(_is_in_link(lines.page, node.element) for node in lines.nodes(line))
        and CALL.search(text)
        and len(SENTENCES.findall(text)) <= CALL_SENTENCES
    ]
    above = [line - 1 for line in calls if line and lines.words[line - 1] < LABEL_WORDS]
    return [*calls, *(line for line, text in _texts(lines, above) if "newsletter" in text)]


def _credits(lines: LineValues) -> list[int]:
    """Lines beside pictures that name their source, or offer to enlarge them."""
    page = lines.page
    pictures = elements_like(page.classes, PICTURED, PICTURED.pattern.split("|"))
    pictures |= elements_of_tags(page, "figure")
    if not pictures:
        return []
    inside = subtree_mask(page, pictures)
    beside = [n for n, node in enumerate(page.nodes) if inside[node.element]]
    return [line for line, text in _short_texts(lines, beside, CREDIT_WORDS) if CREDIT.search(text)]


def _short_texts(lines: LineValues, nodes: Sequence[int], most: int) -> Iterator[tuple[int, str]]:
    """Lines with some text nodes that have so many words at most, each with its text."""
    some = sorted({lines.of_node[node] for node in nodes})
    return _texts(lines, [line for line in some if lines.words[line] <= most])


def _contents(lines: LineValues) -> list[int]:
    """Lines of lists of which every line is a link to another place of the page, and most repeat a heading."""
    page = lines.page
    links = {link for link, _ in page.jumps}
    if len(links) < ENTRIES:
        return []
    lists = elements_of_tags(page, "ul", "ol")
    outermost = outermost_elements(page, lists)
    jumps = subtree_mask(page, links)
    if not any(jumps[n] for n in lists) and all(outermost[link] < 0 for link in links):
        return []
    heads = subtree_mask(page, elements_of_tags(page, *HEADINGS))
    of_lists: dict[int, dict[int, bool]] = {}
    headings = set()
    for node, line in zip(page.nodes, lines.of_node, strict=True):
        if heads[node.element]:
            headings.add(line)
        if (own := outermost[node.element]) >= 0:
            of_list = of_lists.setdefault(own, {})
            of_list[line] = bool(jumps[node.element]) or of_list.get(line, False)
    named = {letters(text) for _, text in _texts(lines, headings)}
    found: list[int] = []
    for of_list in of_lists.values():
        if len(of_list) >= ENTRIES and all(of_list.values()):
            repeated = sum(letters(text) in named for _, text in _texts(lines, of_list))
            if 2 * repeated >= len(of_list):
                found += of_list
    return found


def _texts(lines: LineValues, some: Iterable[int]) -> Iterator[tuple[int, str]]:
    for line in some:
        text = "".join([" " * node.spaced + node.text for node in lines.nodes(line)])
        yield line, " ".join(text.lower().split())


def content_words(lines: LineValues, rules: Sequence[int], rule: int) -> float:
    of_lines = zip(lines.words, lines.gains, rules, strict=True)
    return sum(words for words, gain, its_rule in of_lines if gain >= 0 and its_rule == rule)
