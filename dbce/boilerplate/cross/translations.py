"""Documents of URLs: addresses that differ in nothing but a language are translations of one.

A translation shares what is not translated yet, names and code with its original, and not the menus around them:
the opposite of what a neighbour tells. Each URL is asked by itself, so many languages cost no more than few.
"""

from __future__ import annotations

import re

LANGUAGES = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch cn co cr cs cu cv cy da de dv dz ee el
    en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu
    ja jp jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my
    na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn
    so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()
)
"""Codes of languages in ISO 639-1, and `cn` and `jp`, which sites write for Chinese and Japanese."""

_TAG = re.compile(r"([a-z]{2})(?:[-_](?:[a-z]{2}|hans|hant|[0-9]{3}))?")
_QUERY = re.compile(r"(?:lang|language|locale|hl)=([^&]*)")
_FILE = re.compile(r"\.([^.]+)(?=\.html?$)|(?<=\.html)\.([^.]+)$")


def document(surt: str) -> str:
    """The sort key of a URL without the language in it; the key itself where there is none.

    A language is a folder (`/pt-br/`), one of `lang=`, `language=`, `locale=` and `hl=` in the query, or stands before or behind
    the ending of a file (`guide.de.html`, `guide.html.de`). The first counts.
    """
    path, mark, query = surt.partition("?")
    host, *folders = path.split("/")
    for number, folder in enumerate(folders):
        if _is_language(folder):
            others = folders[:number] + folders[number + 1 :]
            return "/".join((host, *(others or [""]))) + mark + query
    parts = query.split("&")
    for number, part in enumerate(parts):
        if (match := _QUERY.fullmatch(part)) and _is_language(match[1]):
            rest = "&".join((*parts[:number], *parts[number + 1 :]))
            return f"{path}?{rest}" if rest else path
    if (match := _FILE.search(path)) and _is_language(match[1] or match[2]):
        return path[: match.start()] + path[match.end() :] + mark + query
    return surt


def _is_language(text: str) -> bool:
    match = _TAG.fullmatch(text)
    return match is not None and match[1] in LANGUAGES
