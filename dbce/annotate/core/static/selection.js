// The texts of a page in a list, and which of them are selected; the archived page with what is selected there.

import { all, mark as give, placeOf, rootOf } from "/static/dom.js";
import { fit } from "/static/fit.js";
import { reveal, whenShown } from "/static/frame.js";
import { listen } from "/static/keys.js";
import { onPointer } from "./marquee.js";

const list = document.querySelector(".runs");
const frame = document.getElementById("frame");
const asked = document.getElementById("asked");
let page = null;
let elements = new Map(); // where each text run stands in the page
let desk; // { runsOf(item's place), itemOf(run's place), onShow() }

export const items = [...list.children];
export let selected = new Set();
export let anchor = 0; // where a selection began
export let current = 0; // where it goes on

export const range = (a, b) => Array.from({ length: Math.abs(a - b) + 1 }, (_, n) => Math.min(a, b) + n);

/** Selects items by their places. */
export function select(places, from = null, to = null) {
  selected = new Set(places);
  const sorted = [...selected].sort((a, b) => a - b);
  anchor = from ?? sorted[0] ?? 0;
  current = to ?? anchor;
  show();
}

/** Shows what is selected. */
export function show() {
  items.forEach((item, at) => item.setAttribute("aria-selected", String(selected.has(at))));
  const item = items[current];
  if (!item) return;
  list.setAttribute("aria-activedescendant", item.id);
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop + 8 || top > list.scrollTop + list.clientHeight - 60) list.scrollTop = top - list.clientHeight / 3;
  const texts = [...selected].sort((a, b) => a - b).map(at => items[at].querySelector(".words").textContent);
  asked.replaceChildren(...texts.slice(0, 12).map(text => Object.assign(document.createElement("p"), { textContent: text })));
  if (texts.length > 12) asked.append(Object.assign(document.createElement("p"), { className: "soft", textContent: `and ${texts.length - 12} more` }));
  desk.onShow();
  if (page) showInPage();
}

function showInPage() {
  for (const old of all(page, "[data-dbce-chosen]")) give(old, "data-dbce-chosen", null);
  for (const element of [...selected].flatMap(elementsOf)) give(element, "data-dbce-chosen");
  const [first] = elementsOf(current);
  if (first) reveal(page, first);
}

const elementsOf = at => desk.runsOf(at).map(run => elements.get(run)).filter(Boolean);

/** Shows the label of an item in the archived page, if that is there. */
export function markInPage(at, label) {
  if (page) for (const element of elementsOf(at)) give(element, "data-dbce-said", label);
}

/** The item before or after the current one; with Shift all up to it. */
export function step(by, event) {
  const at = Math.min(items.length - 1, Math.max(0, current + by));
  if (event.shiftKey) desk.select(range(anchor, at), anchor, at);
  else desk.select([at]);
}

/** Selects what was pointed at; with Shift all up to it, with Ctrl it too. */
export function point(places, event) {
  if (!places.length) return;
  if (event.shiftKey && places.length === 1) desk.select(range(anchor, places[0]), anchor, places[0]);
  else if (event.ctrlKey || event.metaKey) desk.select([...selected].filter(at => !places.includes(at)).concat(places.filter(at => !selected.has(at))), null, places[0]);
  else desk.select(places);
  desk.onPoint?.();
}

/** Keys that move the selection, as `bind` takes them. */
export const MOVES = ["Select", "next and previous text; with Shift, extend the selection", {
  ArrowDown: event => step(1, event),
  ArrowUp: event => step(-1, event),
  j: event => step(1, event),
  k: event => step(-1, event),
}];

/**
 * Begins: `runsOf(at)` gives the text runs of an item, `itemOf(run)` the item of a run, `select` selects items,
 * `onShow` shows them elsewhere, `tell` marks all items when the archived page is there, `onPoint` follows the mouse.
 */
export function begin(hooks) {
  desk = { select, ...hooks };
  list.addEventListener("click", event => {
    const item = event.target.closest("li");
    if (item) point([items.indexOf(item)], event);
  });
  whenShown(frame, shown => {
    page = shown;
    fit(frame, page);
    elements = new Map(all(page, "[data-dbce-at]").map(element => [placeOf(element), element]));
    give(rootOf(page), "data-dbce-show", "said");
    onPointer(page, (runs, event) => point([...new Set(runs.map(desk.itemOf).filter(at => at !== undefined))], event));
    listen(page);
    desk.tell();
    show();
  });
}
