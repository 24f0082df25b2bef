// Settles whose blocks are the gold of a page that several people have drawn.

import { settling } from "/desk/static/settle.js";

settling("/blocks/choose", (_, button) => ({ whose: button.dataset.mark }), open => `${open} open`);
