# ruff: noqa: RUF001 - letters of many scripts
"""Phrases of pages that stand in another page's place: errors, maintenance, parked domains, walls and shells.

**choice**: no list of such phrases is whole; those of a dozen languages that servers, registrars and platforms
print are here. Texts are asked in lower case.
"""

import re

# Every phrase begins with a word, at the beginning of the text, in a script that may not part words, or with
# "javascript" between such letters: nowhere else are all of them tried, which takes twice as long.
_BEGINS = r"(?=\b\w|^|[^\x00-\x7f]|javascript)"


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile(f"{_BEGINS}(?:{'|'.join(patterns)})", re.VERBOSE)


ERROR_PHRASES = _any_of(
    r"""\b(?:error|http|status|erreur|fehler)?\s*(?:code:?\s)?(?:404|410|403|500|502|503|504)\b
        (?=\W*(?:$|error|not|page|file|forbidden|gone|internal|bad|service|gateway|seite|página|fehler))""",
    r"^\W*(?:error|erreur|fehler|http|status)\W{1,3}(?:404|410|403|500|502|503|504)\b",
    r"""\b(?:page|file|url|document|site|object|article)\s(?:you\s\w+\s\w+\s)?
        (?:was\s|is\s|could\s|can|cannot\s|does\s)?(?:not|no\slonger)\s?(?:be\s|was\s)?
        (?:found|available|exist)""",
    r"\b(?:page|content|link|url)\s(?:that\s)?(?:you\s(?:are|were|have|requested|tried)\b.{0,60}?)"
    r"(?:can(?:not|['’]t|\snot)|could\s?n(?:o|['’])t|does\s?n(?:o|['’])t|has\sbeen\sremoved|no\slonger)",
    r"\b(?:can(?:not|['’]t)|could(?:\snot|n['’]t))\s(?:find|locate)\s(?:the|that|this)\s(?:\w+\s)?page\b",
    r"\bthis\s(?:content|page)\s(?:is\s(?:not|no\slonger)|isn['’]t)\savailable\b",
    r"\b(?:not\sfound|forbidden|access\sdenied|service\sunavailable|internal\sserver\serror)\b",
    r"\b(?:bad\sgateway|gateway\stime-?out|too\smany\srequests|request\stimed\sout)\b",
    r"\baccount\s(?:has\sbeen\s)?suspended\b",
    r"\b(?:that|this|the)\s(?:\w+\s){0,2}page\s(?:can(?:no|['’])t|could\s?n(?:o|['’])t)\sbe\s(?:found|displayed|loaded)\b",
    r"\bhttp\serror\s(?:404|403|410|500|502|503)\b|\b(?:error|fehler)-?\s?code:?\s(?:404|403|410|500|502|503)\b",
    r"\b(?:can['’]?t|could\s?n['’]t|cannot)\s(?:seem\sto\s)?(?:find|locate)\s(?:that|this|the)\s(?:\w+\s){0,2}(?:page|file|document)\b",
    r"\bservice\sis\sunavailable\b|\b(?:aufgerufene|gesuchte|gewünschte)\s(?:web)?seite\s.{0,20}\bnicht\b",
    r"\b(?:la\s)?pagina\s(?:che\s\w+\s\w+\s)?(?:\w+\s)?(?:non\s(?:esiste|è\s(?:più\s)?disponibile)|richiesta\snon)",
    r"\bnothing\s(?:was|could\sbe)\sfound\s(?:at|for)\sthis|\bencountered\san\s(?:unexpected\s)?error\b",
    r"\b(?:server|runtime|application)\serror\b(?=\W|\sin)|\ban?\s(?:application|unexpected|internal|unknown)\serror\s(?:has\s)?occurred",
    r"\bdon['’]t\shave\spermission\sto\saccess\b|\bsomething\swent\swrong\b",
    r"\berror\sestablishing\sa\sdatabase\sconnection\b|\bdatabase\serror\b|\bthe\serror\sreturned\swas\b",
    r"\b(?:fatal|parse|critical)\serror\b|\bstack\s?trace:|\bunhandled\sexception\b",
    r"\bcould\snot\sconnect\sto\s(?:the\s)?(?:database|server|mysql)|\bmysql_\w+\(\)",
    r"\b(?:seite|datei|dokument)\s(?:\w+\s){0,3}nicht\s(?:gefunden|vorhanden|verfügbar)",
    r"\bein\s(?:interner\s)?fehler\sist\saufgetreten|\bzugriff\sverweigert\b|\bdatenbankfehler\b",
    r"\bpage\s(?:\w+\s){0,2}introuvable|\bn['’]existe\s(?:pas|plus)\b|\baccès\s(?:refusé|interdit)\b",
    r"\berreur\s(?:interne|fatale)\b|\bune\serreur\s(?:\w+\s)?est\s(?:survenue|produite)",
    r"\bpágina\s(?:\w+\s)?(?:no\s(?:encontrada|existe|disponible)|não\s(?:encontrada|existe))",
    r"\bacceso\s(?:denegado|prohibido)\b|\bse\sha\sproducido\sun\serror\b",
    r"\bpagina\s(?:\w+\s)?(?:niet\sgevonden|non\s(?:è\sstata\s)?trovata)|\bsidan?\s(?:\w+\s){0,2}hitta(?:de|s)\sinte",
    r"\bnie\s(?:znaleziono\sstrony|można\sodnaleźć)|\bstrona\snie\s(?:istnieje|została\sznaleziona)",
    r"такой\sстраницы\s(?:\w+\s)?(?:нет|не\sсуществует)|(?:ошибка|помилка)\s(?:404|403|500)|запрашиваемая\sстраница",
    r"\b(?:l['’])?(?:page|adresse)\s(?:demandée|que\svous\s\w+)\s.{0,40}?(?:introuvable|n['’]existe|n['’]a\spas)",
    r"\bno\s(?:hemos\spodido|se\s(?:ha\s(?:podido\s)?|pudo\s)?)\s?(?:encontra(?:r|do))\s(?:la|esta)\spágina",
    r"\bdie(?:se|\sangeforderte|\sgewünschte)?\sseite\s(?:\w+\s){0,3}(?:existiert|gibt\ses)\s(?:\w+\s)?nicht",
    r"страница\s(?:\w+\s)?не\s(?:найдена|существует)|доступ\s(?:запрещ[её]н|закрыт)",
    r"ページが見つかりません|页面不存在|找不到(?:该|网)?页|访问被拒绝|アクセスが拒否",
)

MAINTENANCE = _any_of(
    r"\b(?:down|closed|offline|unavailable)\s(?:for|due\sto)\s(?:\w+\s){0,2}maintenance\b",
    r"\b(?:under|undergoing|performing|scheduled|planned|routine)\s(?:\w+\s)?maintenance\b",
    r"\b(?:scheduled|planned)\sdowntime\b|\bupgrading\sour\s(?:servers?|systems?|site)\b",
    r"\bcours\sde\smaintenance\b|\bmaintenance\smode\b|\b(?:be|are)\s(?:right\s)?back\s(?:soon|shortly|online)\b",
    r"\bwartungs(?:arbeiten|modus)\b|\b(?:wegen|in)\swartung\b|\bwird\s(?:gerade|derzeit|aktuell)\s(?:gewartet|überarbeitet)",
    r"\b(?:en|de)\smaintenance\b|\b(?:some|site|server)\smaintenance\b",
    r"\b(?:en|por)\smantenimiento\b|\bem\smanutenção\b|\b(?:in|per)\smanutenzione\b|\b(?:in|wegens)\sonderhoud",
    r"\bprzerwa\stechniczna\b|технические\sработы|メンテナンス中|系统维护|维护中",
)

OFFLINE = _any_of(
    r"\btemporarily\s(?:unavailable|offline|out\sof\sservice|down|closed)\b|\bcurrently\soffline\b",
    r"\bvorübergehend\snicht\s(?:verfügbar|erreichbar)|\b(?:zurzeit|derzeit)\snicht\s(?:verfügbar|erreichbar)",
    r"\btemporairement\s(?:indisponible|inaccessible|fermé)|\bmomentanément\sindisponible",
    r"\btemporalmente\s(?:no\sdisponible|fuera\sde\sservicio|cerrad)|\btemporaneamente\snon\s(?:disponibile|raggiungibile)",
    r"\btijdelijk\s(?:niet\sbeschikbaar|offline)|временно\s(?:недоступ|не\sработает)",
)
"""Phrases of sites that are away for a while; missing pages say so, too, among other reasons."""

MOVED = _any_of(
    r"\b(?:page|site|website|blog|document|content|forum|we)\s(?:has|have|is)\s(?:now\s|been\s|permanently\s)*(?:moved|relocated)\b(?!\sor\b)",
    r"\b(?:page|site|website|blog|document|forum)\s(?:has\sbeen|was)\s(?:replaced|superseded)\sby\b|\bredirecting\s(?:you\s)?to\b",
    r"\b(?:document\s|object\s|permanently\s)moved\b|\bmoved\s(?:permanently|here)\b|\bwe['’]ve\smoved\b",
    r"\b(?:new|our)\s(?:address|location|home|url)\s(?:is|of\sth(?:is|e)\s\w+\sis)\b|\bhas\sa\snew\s(?:address|home|url)\b",
    r"\b(?:ist|sind|wurde)\s(?:\w+\s){0,2}umgezogen\b|\bneue\s(?:adresse|url)\s(?:lautet|ist)\b|\bunter\s(?:einer\s)?neuen\sadresse\b",
    r"\ba\s(?:été\s)?(?:déménagé|déplacée?)\b|\ba\schangé\sd['’]adresse\b|\bnouvelle\sadresse\s(?:est|:)",
    r"\bse\sha\s(?:mudado|trasladado|movido)\b|\bnueva\sdirección\s(?:es|:)|\bmudou(?:-se)?\s(?:para|de\sendereço)\b",
    r"\bsi\sè\s(?:trasferit|spostat)[oa]\b|\bis\sverhuisd\b|\bhar\sflyttat\b|\bprzeniesion[ya]\sna\b|переехал|移転しました|已搬迁",
)
"""Phrases of stubs that say where a page has gone."""

PARKED_PHRASES = _any_of(
    r"\bdomain\s(?:name\s)?(?:\S+\s)?(?:is|may\sbe)\s(?:now\s)?(?:for\ssale|available\sfor\spurchase)\b",
    r"\bdomain\s(?:name\s)?has\sexpired\b|\bpending\s(?:renewal|deletion)\b|\b(?:web\s?)?page\sis\sparked\b",
    r"\bdomain\s(?:\S+\s)?zum\s(?:ver)?kauf\b|\b(?:inquire|enquire)\sabout\sthis\sdomain\b",
    r"\b(?:buy|acheter|kaufen|purchase)\s(?:this|diese|ce)\sdomain",
    r"\b(?:this\sdomain|domain\sis|domain\shas)\s(?:\w+\s){0,2}(?:parked|expired)\b",
    r"\bparked\s(?:free|domain)\b|\bdomain\sparking\b|\brelated\ssearches\b.{0,200}\bprivacy\spolicy\b",
    r"\bdiese\s(?:internet)?domain\s(?:steht|ist)\s(?:\w+\s){0,2}(?:zum\sverkauf|zu\sverkaufen|geparkt)",
    r"\b(?:ce|le\snom\sde)\sdomaine\s(?:\S+\s)?est\s(?:à\svendre|en\svente|expiré)",
    r"\beste\sdominio\s(?:está|puede\sestar)\s(?:\w+\s)?(?:en\sventa|a\sla\sventa|aparcado)",
    r"\b(?:questo|il)\sdominio\s(?:\S+\s)?è\s(?:in\svendita|scaduto)|\bdeze\sdomeinnaam\sis\ste\skoop",
    r"домен\s(?:\S+\s)?(?:продается|продаётся|припаркован)|\bdomena\s(?:\S+\s)?(?:jest\s)?na\ssprzedaż",
)

BOT_CHECK = _any_of(
    r"\bchecking\s(?:if\sthe\ssite|your\sbrowser)\b|\bverify(?:ing)?\s(?:that\s)?you\sare\s(?:a\s)?(?:not\sa\srobot|human)",
    r"\bjust\sa\smoment\W*(?:$|enable|checking|please)|\battention\srequired\W{1,3}cloudflare",
    r"\byou\shave\sbeen\sblocked\b|\bsecurity\sservice\sto\sprotect\s(?:itself|against|from)\b",
    r"\bunusual\s(?:traffic|activity)\sfrom\s(?:your|this)|\bare\syou\sa\s(?:robot|human)\b",
    r"\bprove\s(?:that\s)?you\sare\s(?:a\s)?(?:human|not\sa)|\b(?:kein|ein)\sroboter\b|\brequest\shas\sbeen\sblocked\b",
    r"\b(?:solve|complete|enter)\s(?:the|this)\s(?:captcha|security\scheck)\b|\bddos\sprotection\sby\b",
    r"\baccess\sto\sthis\spage\shas\sbeen\sdenied\b|\bpardon\sour\sinterruption\b|\bincapsula\sincident\b",
    r"\bconfirm\s(?:that\s)?you['’]?(?:\sa)?re\s(?:not\sa\srobot|human)\b|\bsind\ssie\sein\s(?:mensch|roboter)",
    r"\bvérifi\w+\sque\svous\s(?:n['’])?êtes\s(?:pas\sun\srobot|humain)",
)

LOGIN = _any_of(
    r"\b(?:anmeldung|registrierung)\serforderlich\b|\b(?:log-?in|sign-?in|registration)\s(?:is\s)?required\b",
    r"""\b(?:log|sign|logg?ed|signed)[\s-]?in\s(?:\w+\s){0,8}?to\s(?:\w+\s)?
        (?:continue|view|read|see|access|proceed|use)\b""",
    r"\b(?:must|need\sto|have\sto)\s(?:be\s)?(?:log(?:ged)?\s?in|sign(?:ed)?\sin|registered)\b(?!\sto\s(?:post|reply|comment|vote))",
    r"\b(?:subscribe|register|create\s(?:an|a\sfree)\saccount)\s(?:\w+\s){0,2}to\s(?:continue|keep|read|view|unlock)",
    r"\bfor\s(?:paying\s|registered\s)?(?:subscribers|members)\sonly\b|\b(?:member|subscriber)s?[\s-]only\b(?!\s(?:content|area|section)s?\b)",
    r"\bum\s.{0,50}(?:zu\slesen|fortzufahren|zu\ssehen)\b.{0,20}\b(?:loggen|melden|anmelden|einloggen|registrieren)\b",
    r"\b(?:inici[ae]\ssesión|regístrate|suscríbete)\s(?:\w+\s){0,3}para\s",
    r"\bto\s(?:continue|keep)\sreading\b.{0,60}\b(?:member|subscri|log\s?in|sign\s(?:in|up)|register|account)",
    r"\bthis\s(?:\w+\s)?(?:content|article|page|site)\sis\s(?:only\s(?:available\s)?(?:for|to)|reserved\sfor|exclusive\sto)\s(?:\w+\s)?(?:members|subscribers|registered)",
    r"\b(?:bitte\s)?(?:melden\ssie\ssich\s(?:bitte\s)?an|loggen\ssie\ssich\s(?:bitte\s)?ein|anmelden|einloggen)\W{1,2}um\b",
    r"\b(?:nur\sfür|exklusiv\sfür)\s(?:\w+\s)?(?:abonnenten|mitglieder|registrierte)",
    r"\b(?:connectez|identifiez|inscrivez|abonnez)-vous\s(?:\w+\s){0,3}pour\b|\bréservé\saux\s(?:abonnés|membres)",
    r"\b(?:inici[ae]\ssesión|regístrate|suscríbete)\s(?:\w+\s){0,2}para\b|\bfaça\slogin\spara\b",
    r"\baccedi\s(?:\w+\s){0,2}per\b|\blog\s(?:eerst\s)?in\som\b|\blogga\sin\sför\b|\bzaloguj\ssię\W{1,2}aby\b",
    r"(?:войдите|авторизуйтесь|зарегистрируйтесь)\W{1,2}чтобы|ログインしてください|ログインが必要|请(?:先)?登录",
)

LOGIN_NAMES = re.compile(
    r"^\W*(?:log[\s-]?[io]n|sign[\s-]?in|anmeld(?:en|ung)|einloggen|connexion|se\sconnecter|iniciar\ssesión|acceder|entrar|"
    r"accedi|inloggen|aanmelden|logga\sin|zaloguj(?:\ssię)?|logowanie|вход|войти|ログイン|登录|登入)\W*$"
)
"""Names of forms to log in, where a title or a part of one has nothing else."""

ENABLE_SCRIPTS = _any_of(
    r"\b(?:enable|requires?|needs?|activate|turn\son|without)\s(?:\w+\s)?javascript\b",
    r"\bjavascript\s(?:is|has\sbeen|to\sbe|seems\sto\sbe|must\sbe|appears\sto\sbe)\s(?:\w+\s)?"
    r"(?:disabled|required|enabled|needed|turned)",
    r"\bjavascript\s(?:\w+\s){0,4}(?:aktivieren|aktiviert|einschalten|benötigt)",
    r"\b(?:activer|activez|activar|active|habilit\w+|attiva\w*|schakel|włącz)\s(?:le\s|el\s|o\s)?javascript\b",
    r"(?:включите|включить)\s(?:\w+\s)?javascript|javascript\s?を(?:有効|オン)|启用\s?javascript",
    r"^\W*(?:loading|please\swait|laden|wird\sgeladen|chargement|cargando|caricamento|carregando|загрузка)\W*$",
)

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
