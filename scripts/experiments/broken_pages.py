# ruff: noqa: RUF001 - letters of many scripts
"""Pages that stand in another page's place, as programs and companies print them: material of `capture_quality`.

Each is a title and the HTML of a body. The last four of each kind were added when the phrases of `dbce.quality` were done, and
changed nothing of them.
"""

from __future__ import annotations

ERRORS = (
    ("404 Not Found", "<h1>Not Found</h1><p>The requested URL /a was not found on this server.</p><hr><address>Apache/2.4.41 Server at example Port 80</address>"),
    ("404 Not Found", "<center><h1>404 Not Found</h1></center><hr><center>nginx/1.18.0</center>"),
    ("500 Internal Server Error", "<h1>Internal Server Error</h1><p>The server encountered an internal error or misconfiguration and was unable to complete your request.</p><p>Please contact the server administrator.</p>"),
    ("502 Bad Gateway", "<center><h1>502 Bad Gateway</h1></center><hr><center>openresty</center>"),
    ("Page not found", "<h1>Page not found</h1><p>The page you are looking for might have been removed, had its name changed, or is temporarily unavailable.</p><p><a href='/'>Go to home page</a></p>"),
    ("Oops!", "<h1>Oops! That page can&rsquo;t be found.</h1><p>It looks like nothing was found at this location. Maybe try one of the links below or a search?</p>"),
    ("Database Error", "<h1>Error establishing a database connection</h1>"),
    ("Site error", "<p>The website encountered an unexpected error. Please try again later.</p>"),
    ("Seite nicht gefunden", "<h1>Seite nicht gefunden</h1><p>Die von Ihnen angeforderte Seite konnte nicht gefunden werden. Bitte überprüfen Sie die Adresse.</p>"),
    ("Fehler 404", "<h1>Fehler 404</h1><p>Diese Seite existiert leider nicht oder nicht mehr.</p>"),
    ("Page introuvable", "<h1>Page introuvable</h1><p>La page que vous recherchez n'existe pas ou a été déplacée.</p>"),
    ("Erreur 404", "<h1>Erreur 404</h1><p>Désolé, la page demandée est introuvable.</p>"),
    ("Página no encontrada", "<h1>Página no encontrada</h1><p>La página que busca no existe o ha sido eliminada.</p>"),
    ("Error 404", "<h1>404</h1><p>Lo sentimos, no hemos podido encontrar la página solicitada.</p>"),
    ("Warning", "<br><b>Fatal error</b>: Uncaught Error: Call to undefined function mysql_connect() in /var/www/html/db.php:12 Stack trace: #0 {main} thrown in <b>/var/www/html/db.php</b> on line <b>12</b><br>"),
    ("Server Error in '/' Application.", "<h1>Server Error in '/' Application.</h1><h2><i>Runtime Error</i></h2><p>Description: An application error occurred on the server. The current custom error settings for this application prevent the details of the application error from being viewed remotely.</p>"),
    ("403 Forbidden", "<h1>Forbidden</h1><p>You don't have permission to access this resource.</p>"),
    ("Access Denied", "<h1>Access Denied</h1><p>You don't have permission to access this page on this server. Reference #18.2d5e</p>"),
    ("Страница не найдена", "<h1>Страница не найдена</h1><p>Запрашиваемая страница удалена или никогда не существовала.</p>"),
    ("Ошибка 404", "<h1>Ошибка 404</h1><p>К сожалению, такой страницы нет на нашем сайте.</p>"),
    ("Not here", "<h1>We can't find that page</h1><p>Either the link is broken or the page has moved. Try our search.</p>"),
    ("Error", "<h1>HTTP Error 503. The service is unavailable.</h1>"),
    ("Hoppla", "<h1>Hoppla, hier ist nichts</h1><p>Die aufgerufene Seite gibt es nicht (mehr). Fehlercode 404</p>"),
    ("Pagina non trovata", "<h1>Ops!</h1><p>La pagina che stai cercando non esiste più. Torna alla homepage.</p>"),
)  # fmt: skip

MAINTENANCE = (
    ("Maintenance", "<h1>Site under maintenance</h1><p>We are currently performing scheduled maintenance. We will be back shortly.</p>"),
    ("Maintenance mode", "<p>Briefly unavailable for scheduled maintenance. Check back in a minute.</p>"),
    ("Wir sind gleich zurück", "<h1>Wartungsarbeiten</h1><p>Unsere Website wird gerade gewartet. Bitte versuchen Sie es später noch einmal.</p>"),
    ("Wartungsmodus", "<p>Wegen Wartungsarbeiten ist unser Shop vorübergehend nicht erreichbar. Wir bitten um Ihr Verständnis.</p>"),
    ("Site en maintenance", "<h1>Site en maintenance</h1><p>Notre site est temporairement indisponible. Merci de votre patience.</p>"),
    ("Maintenance", "<p>Une opération de maintenance est en cours, le site sera de nouveau accessible dans quelques instants. Le service est momentanément indisponible.</p>"),
    ("We'll be back soon", "<h1>We&rsquo;ll be back soon!</h1><p>Sorry for the inconvenience but we&rsquo;re performing some maintenance at the moment.</p><p>&mdash; The Team</p>"),
    ("Down for maintenance", "<h1>Down for maintenance</h1><p>Our website is getting a tune-up. Please come back later.</p>"),
    ("Sitio en mantenimiento", "<h1>Sitio en mantenimiento</h1><p>Estamos realizando tareas de mejora. Volvemos enseguida.</p>"),
    ("Temporarily offline", "<p>This site is temporarily offline while we upgrade our systems. Please try again in an hour.</p>"),
    ("Scheduled downtime", "<h1>Scheduled downtime</h1><p>We are upgrading our servers and expect to be back online by 6 pm. Thank you for your patience.</p>"),
    ("Baustelle", "<h1>Kurze Pause</h1><p>Wir führen gerade Wartungsarbeiten durch und sind in Kürze wieder für Sie da.</p>"),
    ("Travaux", "<p>Le site est en cours de maintenance. Nous serons de retour très bientôt.</p>"),
    ("Coming back", "<p>Our store is closed for maintenance. Please check back soon.</p>"),
)  # fmt: skip

PARKED = (
    ("example.com", "<h1>example.com</h1><p>This domain is for sale!</p><p>Related Searches</p><ul><li>Credit Cards<li>Car Insurance<li>Cheap Flights</ul><p>Privacy Policy</p>"),
    ("example.net is parked", "<p>This domain has recently been registered with us and is parked free, courtesy of the registrar.</p><p>Want to buy this domain? Get it with our Domain Broker service.</p>"),
    ("Domain expired", "<h1>This domain has expired.</h1><p>If you are the owner, please renew it with your registrar.</p>"),
    ("example.org", "<h2>The domain name example.org is for sale</h2><p>Buy now for $2,495 or make an offer.</p><p>Buyer protection program. Fast and easy transfers.</p>"),
    ("Diese Domain steht zum Verkauf", "<h1>beispiel.de</h1><p>Diese Domain steht zum Verkauf. Preis auf Anfrage.</p>"),
    ("beispiel.de", "<p>Die Domain beispiel.de wurde geparkt und kann erworben werden. Diese Domain ist zu verkaufen.</p>"),
    ("Welcome", "<p>Buy this domain. The owner of example.com is offering it for sale for an asking price of 1500 USD!</p>"),
    ("example.info", "<h1>Future home of something quite cool.</h1><p>If you're the site owner, log in to launch this site. If you are a visitor, check back soon. This domain is parked.</p>"),
    ("Ce domaine est à vendre", "<h1>Ce nom de domaine est à vendre</h1><p>Contactez le propriétaire pour faire une offre.</p>"),
    ("exemplo", "<p>Este dominio está en venta. ¡Haga una oferta ahora!</p>"),
    ("Domain for sale", "<p>The domain harbour-tours.example may be for sale by its owner! Click here to inquire about this domain.</p>"),
    ("harbour.example", "<p>This Web page is parked for FREE, courtesy of our registrar. Search for domains similar to yours.</p>"),
    ("Verkauf", "<p>Der Inhaber bietet die Domain hafen.example zum Verkauf an. Jetzt Angebot abgeben.</p>"),
    ("Suspended", "<p>This domain name has expired and is pending renewal or deletion. If you are the registrant contact your provider.</p>"),
)  # fmt: skip

CONSENT = (
    ("Before you continue", "<h1>Before you continue</h1><p>We use cookies and data to deliver and maintain our services, track outages and protect against spam, fraud and abuse, and measure audience engagement with cookies.</p><p>If you choose to accept all, we will also use cookies and data to develop new services and show personalised ads.</p><button>Reject all</button><button>Accept all</button><p>Privacy - Terms</p>"),
    ("We value your privacy", "<h2>We value your privacy</h2><p>We and our 842 partners store and/or access information on a device, such as cookies and process personal data, such as unique identifiers and standard information sent by a device for personalised advertising and content. With your permission we and our partners may use precise geolocation data.</p><p>Please note that some processing of your personal data may not require your consent, but you have a right to object to such processing.</p><button>MORE OPTIONS</button><button>AGREE</button>"),
    ("Zustimmung", "<h1>Ihre Privatsphäre ist uns wichtig</h1><p>Um diese Seite mit Werbung zu nutzen, benötigen wir Ihre Einwilligung. Wir und unsere Partner speichern Cookies und verarbeiten personenbezogene Daten, um Anzeigen zu personalisieren.</p><p>Ihre Zustimmung können Sie jederzeit über das Datenschutzcenter widerrufen.</p><button>Alle akzeptieren</button>"),
    ("Cookies zustimmen", "<h1>Weiter mit Werbung</h1><p>Besuchen Sie uns wie gewohnt mit Werbung und Cookies. Zustimmung jederzeit in der Datenschutzerklärung widerrufbar.</p><button>Akzeptieren und weiter</button><p>Datenschutzerklärung</p>"),
    ("Cookies", "<p>Nous et nos partenaires utilisons des cookies pour stocker et accéder à des données personnelles, avec votre consentement, afin de mesurer l'audience et de personnaliser la publicité.</p><button>Accepter et continuer</button><button>Paramétrer les cookies</button>"),
    ("Votre vie privée", "<h1>Le respect de votre vie privée est notre priorité</h1><p>Avec nos partenaires nous stockons des cookies et traitons des données personnelles. Votre consentement peut être retiré à tout moment.</p><button>Refuser</button><button>J'accepte</button>"),
    ("Su privacidad", "<p>Nosotros y nuestros socios usamos cookies para tratar datos personales con su consentimiento, como su historial de navegación en este sitio.</p><button>Aceptar todas las cookies</button>"),
    ("Yahoo is part of the family", "<p>When you use our sites and apps, we use cookies to provide our sites, authenticate users and measure usage.</p><p>If you click Accept all, we and our partners will also store and access information with cookies and use precise geolocation and other personal data for personalised advertising.</p><button>Accept all</button><button>Reject all</button><p>Privacy dashboard</p>"),
    ("Your choices", "<h1>Your privacy choices</h1><p>With your agreement, we and our partners use cookies or similar technologies to store, access, and process personal data like your visit on this website.</p><p>You can withdraw your consent at any time.</p><button>Agree and close</button><button>Learn more</button>"),
    ("Datenschutz", "<h1>Willkommen</h1><p>Wir verwenden Cookies und verarbeiten Ihre personenbezogenen Daten, um Ihnen Inhalte und Anzeigen zu zeigen. Mit Klick auf Akzeptieren stimmen Sie der Verarbeitung zu.</p><button>Akzeptieren</button><p>Impressum Datenschutz</p>"),
    ("Informativa", "<p>Noi e i nostri partner utilizziamo cookie e trattiamo dati personali con il tuo consenso. Puoi revocare il consenso in qualsiasi momento.</p><button>Accetta e continua</button>"),
    ("Cookiewall", "<p>Wij en onze partners gebruiken cookies om persoonsgegevens te verwerken. Geef toestemming om door te gaan naar de site.</p><button>Alles accepteren</button>"),
)  # fmt: skip

LOGIN = (
    ("Log in", "<h1>Please log in to continue</h1><form><input name=user><input type=password name=p><button>Log in</button></form><p>Forgot your password?</p>"),
    ("Members only", "<h1>Members only</h1><p>You must be logged in to view this page.</p><form>User name <input> Password <input type=password><button>Sign in</button></form>"),
    ("Subscribe", "<h2>Subscribe to continue reading</h2><p>You have reached your limit of free articles. Already a subscriber? Sign in.</p>"),
    ("Keep reading", "<h2>To continue reading, become a member</h2><p>Already have an account? <a>Log in</a></p><form><input type=email><input type=password></form>"),
    ("Anmelden", "<h1>Anmeldung erforderlich</h1><p>Bitte melden Sie sich an, um fortzufahren.</p><form><input><input type=password></form>"),
    ("Nur für Abonnenten", "<h2>Dieser Artikel ist exklusiv für Abonnenten</h2><p>Jetzt einen Monat kostenlos testen. Schon Abonnent? Hier anmelden.</p>"),
    ("Connexion", "<p>Connectez-vous pour accéder à ce contenu.</p><form><input><input type=password></form>"),
    ("Article réservé aux abonnés", "<h2>Article réservé aux abonnés</h2><p>Il vous reste 80 % de l'article à lire. Déjà abonné ? Se connecter</p>"),
    ("Forum", "<p>The administrator requires all users to be registered. You need to log in before you can view this forum.</p><form>Username <input> Password <input type=password></form>"),
    ("Sign in", "<p>Welcome back. Enter your details below.</p><form>Email <input> Password <input type=password><button>Sign in</button></form><p>New here? Create an account</p>"),
    ("Restricted", "<h1>Restricted area</h1><p>Sign in with your account to see this document.</p><form><input name=u><input type=password></form>"),
    ("Plus", "<h2>This article is for subscribers only</h2><p>Choose a plan and get unlimited access from 1 euro.</p>"),
    ("Anmelden", "<p>Um diesen Beitrag zu lesen, loggen Sie sich bitte ein. Noch kein Konto? Jetzt registrieren.</p><form><input><input type=password></form>"),
    ("Iniciar", "<p>Inicia sesión o regístrate para seguir leyendo este artículo.</p><form><input><input type=password></form>"),
)  # fmt: skip

BOT_CHECKS = (
    ("Just a moment...", "<h1>example.com</h1><h2>Checking if the site connection is secure</h2><p>Enable JavaScript and cookies to continue</p><p>example.com needs to review the security of your connection before proceeding.</p>"),
    ("Attention Required! | Cloudflare", "<h1>Sorry, you have been blocked</h1><p>You are unable to access example.com</p><h2>Why have I been blocked?</h2><p>This website is using a security service to protect itself from online attacks.</p>"),
    ("Access to this page has been denied", "<h1>Press &amp; Hold to confirm you are a human (and not a bot).</h1><p>Reference ID 7f2e</p>"),
    ("Pardon Our Interruption", "<h1>Pardon Our Interruption...</h1><p>As you were browsing something about your browser made us think you were a bot.</p>"),
    ("Security check", "<h1>Please verify you are a human</h1><p>Complete the security check to access the site.</p>"),
    ("Are you a robot?", "<p>Our systems have detected unusual traffic from your computer network. This page checks to see if it's really you sending the requests, and not a robot.</p>"),
    ("DDoS-Guard", "<h1>Checking your browser before accessing</h1><p>Please wait a few seconds. DDoS protection by DDoS-Guard</p>"),
    ("Human Verification", "<p>Let's confirm you are human. Complete the security check before continuing. This step verifies that you are not a bot.</p>"),
    ("One more step", "<h1>One more step</h1><p>Please complete the security check to access harbour.example</p>"),
    ("Verification", "<p>Please prove that you are human by ticking the box below. This helps us to keep automated programs away.</p>"),
    ("Blocked", "<p>Sorry, your request has been blocked because it looks automated. Solve this CAPTCHA to request unblock to the website.</p>"),
    ("Prüfung", "<p>Bitte bestätigen Sie, dass Sie kein Roboter sind.</p>"),
)  # fmt: skip

SHELLS = (
    ("React App", "<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div><script src=main.js></script>"),
    ("App", "<app-root></app-root><noscript>Please enable JavaScript to continue using this application.</noscript><script src=runtime.js></script>"),
    ("Shop", "<div id=app><!-- --></div><script src=app.js></script>"),
    ("Portal", "<div id=main></div><p>Loading...</p><script src=bundle.js></script>"),
    ("Site", "<header><a>Home</a><a>About us</a><a>Contact</a></header><div id=__next></div><footer>All rights reserved</footer><script src=n.js></script>"),
    ("Forum", "<div id=ember-basic-dropdown-wormhole></div><div id=main-outlet></div><p>JavaScript is disabled in your browser.</p><script src=e.js></script>"),
    ("Shell", "<div id=app></div><noscript>We're sorry but this site doesn't work properly without JavaScript enabled. Please enable it to continue.</noscript><script src=v.js></script>"),
    ("Start", "<app-root><div class=spinner></div></app-root><script src=p.js></script>"),
    ("Laden", "<div id=root><div>Bitte aktivieren Sie JavaScript in Ihrem Browser.</div></div><script src=a.js></script>"),
    ("Wiki", "<nav><a>Start</a> <a>Recent</a></nav><div id=__nuxt></div><script src=x.js></script>"),
)  # fmt: skip
