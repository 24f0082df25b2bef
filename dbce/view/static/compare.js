// Two snapshots side by side or as one page, with what was added, removed, moved and changed; and the list of that.

import { all, listenTo, mark } from "./dom.js";
import { fit } from "./fit.js";
import { onRun, reveal, whenShown } from "./frame.js";
import { keys, listen } from "./keys.js";

const NUMBER = "data-dbce-number";
const frames = [...document.querySelectorAll("main iframe")];
const items = [...document.querySelectorAll(".changes > li")];
const shows = [...document.querySelectorAll("input[name=show]")];
const pages = new Map(); // those that are loaded, by their frames
let current = -1;

function ready(frame, page) {
  pages.set(frame, page);
  fit(frame, page);
  listen(page);
  onRun(page, number => go(number, frame), NUMBER);
  if (current >= 0) point(page);
}

/** Shows a change in the pages and in the list, but does not move the page that one clicked in. */
function go(number, clicked = null) {
  if (!items[number]) return;
  items[current]?.removeAttribute("aria-current");
  current = number;
  items[current].setAttribute("aria-current", "true");
  if (shows.at(-1).checked) items[current].scrollIntoView({ block: "nearest" });
  for (const [frame, page] of pages) point(page, frame !== clicked);
}

function point(page, move = true) {
  for (const old of all(page, "[data-dbce-chosen]")) mark(old, "data-dbce-chosen", null);
  const elements = all(page, `[${NUMBER}="${current}"]`);
  for (const element of elements) mark(element, "data-dbce-chosen");
  if (move && elements.length) reveal(page, elements[0]);
}

if (frames.length) {
  for (const frame of frames) whenShown(frame, page => ready(frame, page));
  items.forEach((item, number) => listenTo(item.querySelector("button"), "click", () => {
    if (shows.at(-1).checked) shows[0].click();
    go(number);
  }));
  keys("next and previous change", { j: () => go(current + 1), k: () => go(current - 1) });
  keys("side by side, as one page, in the text", Object.fromEntries(shows.map((input, n) => [n + 1, () => input.click()])));
}
