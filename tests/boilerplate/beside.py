"""Articles with parts beside them that readers do not see, pass over or must open, as sites set them."""

from typing import NamedTuple


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


PARAGRAPHS = _paragraphs("""
The harbour board voted on Tuesday evening to keep the old ferry running for another five years, although
the bridge that was built to replace it opened to cars in the spring.

Residents of the island had collected more than four thousand signatures. They argued that the bridge, which
is closed in high winds, left them without a way to the hospital on eleven days last winter.

The ferry dates from 1961 and carries eighteen cars. Its engine was replaced twice, most recently in 2009,
and the captain says that she could sail until the middle of the century if the hull is looked after.

Not everyone is pleased. The mayor of the mainland town pointed out that the subsidy of two million a year
would pay for a new school within a decade, and that fewer than ninety people take the boat on an average
day.

The board will look at the figures again next autumn. Until then the timetable stays as it is, with a first
boat at six in the morning and a last one shortly before midnight.
""")

OTHERS = (
    _paragraphs("""
Bread has been baked in the mill lane since the days of the last king. The oven is heated with beech, which
the forester brings on Mondays, and the first loaves are ready before the church clock strikes five.

Marta Lind took over from her uncle eleven years ago. She threw out the machines, bought rye from two farms
up the valley and began to let her dough rest for two days instead of two hours.

Customers grumbled at first, for a loaf now cost twice as much. Today they stand in a queue that reaches
around the corner, and on Saturdays nothing is left after ten.
"""),
    _paragraphs("""
Three hundred runners took part in the race around the lake on Sunday, more than ever before. Rain had
turned the path along the northern bank into mud, and several fell in the last bend before the meadow.

Jonas Weber won in a little under fifty minutes, his second victory in a row. Among the women a student of
nineteen who had never run farther than five miles came in first, to her own surprise.

The money from the entry fees goes to the swimming club, whose roof leaks. Next year the organisers want to
mark out a shorter round for children as well.
"""),
    _paragraphs("""
A manuscript that was thought lost has turned up in a cupboard of the town library. It holds forty songs
with their melodies, written down around 1520 by a schoolmaster whose name nobody knows.

Experts from the university photographed each leaf last week. Some of the tunes are known from prints of the
time, but at least nine have never been heard by anyone alive.

A choir has offered to sing them in spring. Until then the book lies under glass in the reading room, open
at a song about a miller and his three lazy sons.
"""),
)
"""Paragraphs of other articles of the same site."""


class Part(NamedTuple):
    """A part of a page: its HTML, a style sheet that goes with it, texts that are none of the article, texts that are."""

    name: str
    html: str
    css: str = ""
    gone: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()


def article(
    part: Part,
    place: str,
    paragraphs: tuple[str, ...] = PARAGRAPHS,
    title: str = "The old ferry stays",
) -> str:
    """A page whose article has a part before it, in the middle of it or at the end of the body."""
    texts = [f"<p>{text}</p>" for text in paragraphs]
    if place == "middle":
        texts.insert(2, part.html)
    before, after = (part.html if place == where else "" for where in ("before", "after"))
    return (
        f"<html lang=en><head><title>{title} - Island Courier</title><style>{part.css}</style></head><body>{before}"
        "<header class=site-header><nav><ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li>"
        "<li><a href=/sport>Sport</a></li></ul></nav></header>"
        f"<main><article class=post><h1>{title}</h1><div class=post-body>{''.join(texts)}</div></article></main>"
        f"<footer class=site-footer><p>© Island Courier. <a href=/imprint>Imprint</a></p></footer>{after}</body></html>"
    )


CONSENT = (
    Part(
        "OneTrust",
        '<div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter ot-fade-in"></div>'
        '<div id="onetrust-banner-sdk" class="otFlat bottom" tabindex="0" role="region" aria-label="Cookie banner">'
        '<div role="alertdialog" aria-describedby="onetrust-policy-text"><div class="ot-sdk-container">'
        '<h2 id="onetrust-policy-title">We value your privacy</h2><div id="onetrust-policy-text">We and our partners '
        "store and access information on your device, such as cookies, and process personal data to show you content "
        "that fits your interests, to measure how it performs and to learn who reads us. You may change your mind at "
        'any time.</div></div><button id="onetrust-accept-btn-handler">Accept all cookies</button></div></div></div>',
        gone=("We value your privacy", "store and access information", "Accept all cookies"),
    ),
    Part(
        "Cookiebot",
        '<div id="CybotCookiebotDialog" name="CybotCookiebotDialog" role="dialog" aria-modal="true"><div '
        'class="CybotCookiebotDialogContentWrapper"><div id="CybotCookiebotDialogBodyContent"><h2 '
        'id="CybotCookiebotDialogBodyContentTitle">This website uses cookies</h2><div '
        'id="CybotCookiebotDialogBodyContentText">We use cookies to personalise content and ads, to provide social media '
        "features and to analyse our traffic. We also share information about your use of our site with our analytics "
        "partners, who may combine it with other information that you have provided to them.</div></div></div></div>",
        gone=("This website uses cookies", "personalise content and ads"),
    ),
    Part(
        "Didomi",
        '<div id="didomi-host" data-nosnippet="true" aria-hidden="false"><div class="didomi-popup-container"><div '
        'id="didomi-popup" class="didomi-popup-backdrop didomi-notice-popup"><div class="didomi-popup-view" role="dialog" '
        'aria-modal="true"><div class="didomi-popup-notice-text-container"><p>Avec votre accord, nos partenaires et nous '
        "utilisons des cookies ou technologies similaires pour stocker et accéder à des informations personnelles comme "
        "votre visite sur ce site. Vous pouvez retirer votre consentement à tout moment.</p></div></div></div></div></div>",
        gone=("Avec votre accord", "retirer votre consentement"),
    ),
    Part(
        "Usercentrics",
        '<div id="usercentrics-root" data-created-at="1700000000"><div data-testid="uc-default-banner" class="sc-eCsJSt '
        'uc-banner-wrapper"><h2>Privatsphäre-Einstellungen</h2><p>Diese Webseite nutzt externe Komponenten, wie '
        "Schriftarten, Karten und Videos, welche alle dazu genutzt werden können, Daten über Ihr Verhalten zu sammeln. "
        "Datenschutzinformationen der Anbieter finden Sie in den Einstellungen.</p></div></div>",
        gone=("Privatsphäre-Einstellungen", "nutzt externe Komponenten"),
    ),
    Part(
        "home-made",
        '<div class="cc-window cc-banner cookie-notice"><p class="cc-message">Our site sets small files on your computer '
        "so that it remembers what you have chosen, and to count how many people read each page. If you go on reading we "
        'take it that you agree with this. <a href="/privacy">Learn more</a></p><a class="cc-btn">Got it!</a></div>',
        gone=("sets small files on your computer",),
    ),
    Part(
        "Quantcast",
        '<div class="qc-cmp2-container" id="qc-cmp2-container"><div class="qc-cmp-cleanslate" id="qc-cmp2-main"><div '
        'id="qc-cmp2-ui" role="dialog"><p>We and our 812 partners store or access information on a device, such as unique '
        "identifiers in browsing data. You may accept or manage your choices, including your right to object where "
        "legitimate interest is used.</p></div></div></div>",
        gone=("812 partners",),
    ),
    Part(
        "Sourcepoint",
        '<div id="sp_message_container_742" class="sp_message_container"><div class="message-component"><p>Besuchen Sie uns '
        "wie gewohnt mit Werbung und Tracking. Details zum Tracking finden Sie im Privacy Center, dort können Sie auch "
        "Ihre Zustimmung zurückziehen.</p></div></div>",
        gone=("Besuchen Sie uns wie gewohnt",),
    ),
    Part(
        "TrustArc",
        '<div id="truste-consent-track"><div id="truste-consent-content"><div id="truste-consent-text">This company uses '
        "tracking tools to keep the site running, to see how it is used and to help those who advertise here. You can "
        "choose which of them you allow.</div></div></div>",
        gone=("uses tracking tools",),
    ),
    Part(
        "WordPress",
        '<div id="cookie-law-info-bar" data-nosnippet="true"><span>We remember your visits so that the site shows you what '
        "fits you best. By clicking the button you agree to all of it, and you can take that back whenever you like."
        "</span></div>",
        gone=("We remember your visits",),
    ),
    Part(
        "Fides",
        '<div class="fides-overlay"><div role="alertdialog" aria-modal="true"><h2>Manage what we may do</h2><p>Some of the '
        "data that your device sends is needed for the site to work. The rest is up to you, and you can set it below for "
        "each purpose on its own.</p></div></div>",
        gone=("Manage what we may do", "is needed for the site to work"),
    ),
)

CONSENT += tuple(
    Part(f"nameless {n}", html, gone=(gone,))
    for n, (html, gone) in enumerate(
        (
            (
                (
                    "<div><div class='css-1x'><div><h2>Before you go on</h2><p>With your consent we and our partners store what "
                    "you read and where you are.</p></div><div class='row'><button>Refuse</button><button>Accept</button></div>"
                    "</div></div>"
                ),
                "With your consent we and our partners",
            ),
            (
                (
                    "<section class='k7'><p>Mit Cookies messen wir, wie oft unsere Seiten gelesen werden.</p><p>Sie können das "
                    "jederzeit ändern.</p><a href='#'>Ablehnen</a><a href='#'>Alle akzeptieren</a></section>"
                ),
                "Mit Cookies messen wir",
            ),
            (
                (
                    "<div><p>Ce site utilise des traceurs pour mesurer son audience et pour vous montrer des publicités.</p><ul>"
                    "<li><span role='button'>Tout refuser</span></li><li><span role='button'>Tout accepter</span></li></ul></div>"
                ),
                "Ce site utilise des traceurs",
            ),
        )
    )
)

SIGN_IN = (
    Part(
        "login",
        '<form action="/login" method="post"><h3>Log in to your account</h3><p>Please enter the name and the password '
        'that you chose when you became a member of the site.</p><label>Name <input name="log"></label><label>Password '
        '<input type="password" name="pwd"></label><p>If you have forgotten your password, we will send a new one to the '
        "address that you gave us.</p><button>Log in</button></form>",
        gone=(
            "Log in to your account",
            "Please enter the name",
            "If you have forgotten your password",
        ),
    ),
    Part(
        "registration",
        '<div class="user-box"><form><fieldset><legend>Become a member</legend><div>Members can write comments, save '
        'articles for later and receive a letter every morning.</div><input type="email"><input type="password"><input '
        'type="password"><div>By creating an account you agree to our terms of use.</div></fieldset></form></div>',
        gone=("Members can write comments", "By creating an account"),
    ),
    Part(
        "modal",
        '<div class="modal fade" id="loginModal" tabindex="-1" role="dialog"><div class="modal-dialog"><div '
        'class="modal-content"><h4 class="modal-title">Welcome back, dear reader</h4><p>Sign in with the account of your '
        "choice to go on where you stopped reading the last time, on whatever device you like.</p></div></div></div>",
        gone=("Welcome back, dear reader", "Sign in with the account"),
    ),
)

NOTICES = (
    Part(
        "noscript",
        "<noscript><p>Please enable JavaScript in your browser to see this page as it was meant to be.</p></noscript>",
        gone=("Please enable JavaScript",),
    ),
    Part(
        "no-js",
        '<div class="no-js-warning"><p>JavaScript seems to be disabled in your browser. You must have JavaScript enabled '
        "in your browser to utilize the functionality of this website.</p></div>",
        gone=("JavaScript seems to be disabled",),
    ),
    Part(
        "loading",
        '<div class="stream-fail-container"><div class="js-stream-whale-end stream-whale-end stream-placeholder '
        'centered-placeholder"><div class="stream-end-inner"><h2 class="title">Loading seems to be taking a while.</h2>'
        "<p>Twitter may be over capacity or experiencing a momentary hiccup. <a>Try again</a> or visit <a>Twitter "
        "Status</a> for more information.</p></div></div></div>",
        gone=("Loading seems to be taking a while", "Twitter may be over capacity"),
    ),
    Part(
        "blocked",
        '<div class="ProfileWarningTimeline BlockedWarningTimeline" data-element-context="blocked_profile"><h2 '
        'class="ProfileWarningTimeline-heading">You blocked <b>@harbour</b></h2><p class="ProfileWarningTimeline-explanation">'
        "Are you sure you want to view these Tweets? Viewing Tweets won't unblock @harbour</p></div>",
        gone=("You blocked", "Are you sure you want to view"),
    ),
    Part(
        "error",
        '<div class="alert alert-danger error-message" role="alert"><p>Item cannot be found. Please try again later, or '
        "write to the people who look after this site.</p></div>",
        gone=("Item cannot be found",),
    ),
    Part(
        "label of an advertisement",
        "<div><p>Advertisement</p></div><div><p>Article content</p></div><p>Anzeige:</p>",
        gone=("Advertisement", "Article content", "Anzeige"),
    ),
    Part(
        "placeholder until one consents",
        "<div><p>Externer Inhalt nicht verfügbar</p><p>Deine Privatsphäre-Einstellungen verhindern das Laden und Anzeigen aller "
        "externen Inhalte (z. B. Grafiken) und sozialen Netzwerke.</p><p>Privatsphäre-Einstellungen ändern</p></div>",
        gone=("Externer Inhalt nicht", "verhindern das Laden", "Privatsphäre-Einstellungen ändern"),
    ),
    *(
        Part(f"control of a heading {n}", f"<h2>How it came{html}</h2>", gone=(gone,))
        for n, (html, gone) in enumerate(
            (
                ("<div><button>Copy link to section</button></div>", "Copy link"),
                ("<div class=toast>Link copied!</div>", "Link copied"),
                ("<p><a href=#x><span>Permalink to this headline</span></a></p>", "Permalink"),
            )
        )
    ),
    Part(
        "an article on advertisements",
        "<p>Advertisement was a trade of printers once: whoever had a press sold the space between two stories to the shops "
        "of the town, and nobody asked readers for their consent to anything.</p>",
        stays=("Advertisement was a trade of printers",),
    ),
    *(
        Part(f"unable browser {n}", f"<div class=player><p>{text}</p></div>", gone=(text,))
        for n, text in enumerate(
            (
                "Your browser does not support the audio element.",
                "Ihr Browser unterstützt dieses Video leider nicht.",
                "Please enable JavaScript to play it.",
                "To view this video please enable JavaScript, and consider upgrading to another browser.",
            )
        )
    ),
    Part(
        "old browser",
        '<p class="browserupgrade">You are using an outdated browser. Please upgrade your browser to improve your '
        "experience and security.</p>",
        gone=("You are using an outdated browser",),
    ),
)

BOXES = (
    Part(
        "paywall",
        '<div class="paywall-message"><p>You have read three of three free articles this month. Subscribe now to read '
        'all of our stories for one euro a week.</p><a class="button" href="/subscribe">Subscribe</a></div>',
        gone=("You have read three of three free articles",),
    ),
    Part(
        "Piano",
        '<div class="tp-modal tp-container-inner"><div class="pn-template"><p>This article is for subscribers. Already a '
        "subscriber? Sign in here and go on reading where you were.</p></div></div>",
        gone=("This article is for subscribers",),
    ),
    Part(
        "newsletter",
        '<div class="newsletter-signup inline"><h3>The morning letter</h3><p>Our editors pick the five stories that '
        'matter and send them to your inbox before breakfast, every day but Sunday.</p><form><input type="email" '
        'placeholder="Your e-mail"><button>Sign up</button></form><p>You can unsubscribe at any time.</p></div>',
        gone=(
            "The morning letter",
            "Our editors pick the five stories",
            "You can unsubscribe at any time",
        ),
    ),
    Part(
        "nameless newsletter",
        '<div class="wp-block-group"><p><strong>Like what you read? Get our letter in your inbox every morning before '
        'breakfast.</strong></p><form action="/subscribe"><input type="email" name="email"><input type="submit" '
        'value="Sign up"></form></div>',
        gone=("Get our letter in your inbox",),
    ),
    Part(
        "Mailchimp",
        '<div id="mc_embed_signup"><form action="https://list-manage.example/subscribe/post" method="post"><h2>Stay in '
        'touch with the island</h2><div class="indicates-required">Fields with a star must be filled in.</div><input '
        'type="email" name="EMAIL"><input type="submit" value="Subscribe"></form></div>',
        gone=("Stay in touch with the island", "Fields with a star"),
    ),
    Part(
        "Substack",
        '<div class="subscription-widget-wrap"><div class="subscription-widget show-subscribe"><div class="preamble"><p>The '
        "Island Courier is a publication that its readers pay for. To receive new posts and to support our work, become "
        "a free or a paying subscriber.</p></div></div></div>",
        gone=("is a publication that its readers pay for",),
    ),
    Part(
        "share bar",
        '<div class="social-share"><span>Share this article</span><ul><li><a href="#">Share on Facebook</a></li><li><a '
        'href="#">Share on Twitter</a></li><li><a href="#">Send by e-mail</a></li></ul></div>',
        gone=("Share this article", "Share on Facebook", "Send by e-mail"),
    ),
    Part(
        "share buttons",
        '<div class="sharedaddy sd-sharing-enabled"><h3 class="sd-title">Share this:</h3><div class="sd-content"><ul><li '
        'class="share-print"><a>Click to print (Opens in new window)</a></li><li class="share-facebook"><a>Click to share '
        "on Facebook (Opens in new window)</a></li></ul></div></div>",
        gone=("Share this:", "Click to print"),
    ),
)

PROSE = (
    "The first boat, named after a bishop, was a rowing boat with six oars that took a quarter of an hour in calm water. "
    "In 1874 a chain was laid across the sound, along which a steam engine drew a flat barge from one shore to the other."
)

OPENED = (
    Part(
        "tabs",
        '<ul role="tablist" class="nav nav-tabs"><li><a role="tab" href="#now" aria-controls="now" aria-selected="true">Now'
        '</a></li><li><a role="tab" href="#then" aria-controls="then">Then</a></li></ul><div role="tabpanel" id="now"><p>'
        "Today the crossing takes four minutes and costs nothing for those who live on the island, whatever they carry.</p>"
        f'</div><div role="tabpanel" id="then" hidden><p>{PROSE}</p></div>',
        stays=("Today the crossing takes four minutes", "was a rowing boat with six oars"),
    ),
    Part(
        "accordion",
        '<div id="acc"><div class="card"><div class="card-header"><button class="btn btn-link collapsed" '
        'data-toggle="collapse" data-target="#c1" aria-expanded="false" aria-controls="c1">How did people cross before?'
        f'</button></div><div id="c1" class="collapse" data-parent="#acc"><div class="card-body"><p>{PROSE}</p></div></div>'
        "</div></div>",
        css=".collapse:not(.show){display:none}",
        stays=("was a rowing boat with six oars",),
    ),
    Part(
        "hidden panel",
        '<section><h3><button aria-expanded="false" aria-controls="s1">Before the bridge</button></h3><div id="s1" hidden>'
        f"<p>{PROSE}</p></div></section>",
        stays=("was a rowing boat with six oars",),
    ),
    Part(
        "details",
        f"<details><summary>How people crossed before</summary><p>{PROSE}</p></details>",
        stays=("How people crossed before", "was a rowing boat with six oars"),
    ),
    Part(
        "read more",
        f'<div class="moretext" style="display:none"><p>{PROSE}</p></div><a href="#" class="moreless-button">Read more</a>',
        stays=("was a rowing boat with six oars",),
    ),
    Part(
        "read more, by id",
        f'<p id="rest" style="display:none">{PROSE}</p><a href="#rest">Continue reading</a>',
        stays=("was a rowing boat with six oars",),
    ),
)

UNSEEN_PROSE = (
    "This passage was meant for an earlier version of the page. It says that the board would meet in June, which it did "
    "not, and it names a chairman who had left the board two years before the vote was taken."
)

FALLBACK = "Your program cannot show this; take another one."

UNSEEN = (
    *(
        Part(html.split(" ", 1)[0].strip("<>"), html.format(FALLBACK), gone=(FALLBACK,))
        for html in (
            "<video controls><source src=/v.mp4>{}</video>",
            "<p>A look around:</p><audio src=/a.mp3><p>{}</p></audio>",
            "<canvas id=c width=300>{}</canvas>",
            "<object data=/m.swf><param name=movie value=/m.swf><p>{}</p></object>",
            "<applet code=Clock.class>{}</applet>",
            "<amp-iframe src=/f><div placeholder>{}</div></amp-iframe>",
            "<amp-list src=/l.json><div fallback>{}</div></amp-list>",
        )
    ),
    Part(
        "inline",
        f'<p style="display:none">{UNSEEN_PROSE}</p>',
        gone=("meant for an earlier version",),
    ),
    Part(
        "invisible",
        f'<div style="visibility:hidden"><p>{UNSEEN_PROSE}</p></div>',
        gone=("meant for an earlier version",),
    ),
    Part(
        "attribute",
        f"<div hidden><p>{UNSEEN_PROSE}</p></div>",
        gone=("meant for an earlier version",),
    ),
    Part(
        "copy for the eyes",
        f'<div aria-hidden="true"><p>{PARAGRAPHS[3]}</p></div>',
    ),
)
