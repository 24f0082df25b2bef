"""Phrases of pages that stand in another page's place: errors, maintenance, parked domains, walls and shells.

**choice**: no list of such phrases is whole; those of a dozen languages that servers, registrars and platforms
print are in `phrases.txt`. Texts are asked in lower case.
"""

import re

from dbce.model import word_lists

# Every phrase begins with a word, at the beginning of the text, in a script that may not part words, or with
# "javascript" between such letters: nowhere else are all of them tried, which takes twice as long.
_BEGINS = r"(?=\b\w|^|[^\x00-\x7f]|javascript)"

_LISTS = word_lists("dbce.quality", "phrases.txt")


def _any_of(name: str) -> re.Pattern[str]:
    """Any phrase of a list."""
    return re.compile(f"{_BEGINS}(?:{'|'.join(_LISTS[name].splitlines())})", re.VERBOSE)


ERROR_PHRASES = _any_of("error")
MAINTENANCE = _any_of("maintenance")
OFFLINE = _any_of("offline")  # for a while; missing pages say so, too, among other reasons
MOVED = _any_of("moved")  # of stubs that say where a page has gone
PARKED_PHRASES = _any_of("parked")
BOT_CHECK = _any_of("bot check")
LOGIN = _any_of("login")
ENABLE_SCRIPTS = _any_of("enable scripts")

LOGIN_NAMES = re.compile(
    r"^\W*(?:log[\s-]?[io]n|sign[\s-]?in|anmeld(?:en|ung)|einloggen|connexion|se\sconnecter|iniciar\ssesión|acceder|entrar|"
    r"accedi|inloggen|aanmelden|logga\sin|zaloguj(?:\ssię)?|logowanie|вход|войти|ログイン|登录|登入)\W*$"
)
"""Names of forms to log in, where a title or a part of one has nothing else."""

CONSENT = re.compile(
    r"cookie|consent|\bprivacy\b|personal(?:i[sz]ed)?\s(?:data|ads)|\bour\s(?:\d+\s)?partners\b|\bvendors\b|legitimate\sinterest|"
    r"einwillig|zustimm|datenschutz|personenbezogen|\bpartner[n]?\b|"
    r"consentement|consenti(?:r|miento)|traceurs|données\spersonnelles|partenaires|consentimiento|datos\spersonales|consenso|dati\spersonali|"
    r"consentimento|dados\spessoais|toestemming|persoonsgegevens|samtycke|personuppgifter|zgod[aęy]|danych\sosobowych|"
    r"согласи|персональн|クッキー|同意|隐私"
)
"""Words of requests for consent."""

AGREE = re.compile(
    r"\b(?:(?:i\s)?accept|agree|allow|got\sit|akzeptier\w*|zustimmen|einverstanden|accepte[rz]?|aceptar|acepto|accett\w+|"
    r"aceitar|concordo|akkoord|accepter\w*|accepteer\w*|godkänn\w*|acceptera|zgadzam|akceptuj\w*|принять|принимаю|соглас\w+)\b"
    r"|同意|接受"
)
"""Words on the button that gives it."""

OWN_PAGES = re.compile(
    r"(?<![a-z])(?:log-?in|log-?on|sign-?(?:in|up)|auth|accounts?|register|registrier\w*|anmeld\w*|konto|passw\w*|wp-admin|"
    r"connexion|sessions?)(?![a-z])"
)
"""Parts of addresses of pages that are forms for users, and whole as such."""

POLICIES = re.compile(
    r"(?:cookie|privacy|datenschutz|legal|impressum|terms|agb|confidential|rgpd|gdpr)"
)
"""Parts of paths of pages on such matters, and whole as such."""
