// Two snapshots side by side: what was added, removed, moved and changed, in both pages and in the list.

import { listenTo, mark, rootOf } from "./dom.js";
import { fit } from "./fit.js";
import { elementOf, onRun, reveal, whenShown } from "./frame.js";
import { keys, listen } from "./keys.js";

const pair = document.querySelector(".pair");
const items = [...document.querySelectorAll(".changes > li")];
const shows = [...document.querySelectorAll("input[name=show]")];
let current = -1;

/** The text runs of a page that a change is about, by the change. */
function placesOf(marks) {
  return new Map(marks.map(([place, runs, , number]) => [number, Array.from({ length: runs }, (_, n) => place + n)]));
}

function begin() {
  const marks = JSON.parse(pair.dataset.marks);
  const sides = ["old", "new"].map(name => ({ frame: document.getElementById(name), marks: marks[name], places: placesOf(marks[name]), page: null }));
  for (const side of sides) whenShown(side.frame, page => ready(side, page));

  function ready(side, page) {
    side.page = page;
    fit(side.frame, page);
    mark(rootOf(page), "data-dbce-show", "changes");
    for (const [, , kind, number] of side.marks) {
      for (const at of side.places.get(number)) mark(elementOf(page, at), "data-dbce-change", kind);
    }
    listen(page);
    onRun(page, at => {
      const found = [...side.places].find(([, places]) => places.includes(at));
      if (found) go(found[0], side);
    });
    if (current >= 0) point(side);
  }

  /** Shows a change in both pages and in the list, but does not move the page that one clicked in. */
  function go(number, clicked = null) {
    if (!items[number]) return;
    items[current]?.removeAttribute("aria-current");
    current = number;
    items[current].setAttribute("aria-current", "true");
    if (pair.hidden) items[current].scrollIntoView({ block: "nearest" });
    for (const side of sides) point(side, side !== clicked);
  }

  function point(side, move = true) {
    if (!side.page) return;
    for (const places of side.places.values()) for (const at of places) mark(elementOf(side.page, at), "data-dbce-chosen", null);
    const elements = (side.places.get(current) ?? []).map(at => elementOf(side.page, at)).filter(Boolean);
    for (const element of elements) mark(element, "data-dbce-chosen");
    if (move && elements.length) reveal(side.page, elements[0]);
  }

  items.forEach((item, number) => listenTo(item.querySelector("button"), "click", () => {
    shows[0].click();
    go(number);
  }));
  keys("next and previous change", { j: () => go(current + 1), k: () => go(current - 1) });
}

function show() {
  pair.hidden = !shows[0].checked;
}

if (pair) {
  begin();
  for (const input of shows) input.addEventListener("change", show);
  keys("on the page, in the text", { 1: () => shows[0].click(), 2: () => shows[1].click() });
}
