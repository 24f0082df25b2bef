// The archived page in a sandboxed frame. No script of its own runs; ours reaches in from outside.

import { addressOf, all, around, bodyOf, boxOf, first, listenTo, mark, placeOf, progressOf, viewOf } from "./dom.js";

/** Calls `ready(document)` when the frame's page is there. */
export function whenShown(frame, ready) {
  const call = () => {
    const page = frame.contentDocument;
    if (page && bodyOf(page) && addressOf(page) !== "about:blank") ready(page);
  };
  frame.addEventListener("load", call);
  if (frame.contentDocument && progressOf(frame.contentDocument) === "complete") call();
}

/** The element that holds a text run, or null. */
export function elementOf(page, at) {
  return first(page, `[data-dbce-at="${Number(at)}"]`);
}

/** Marks one text run as the chosen one, and brings it into view unless that is not wanted. */
export function choose(page, at, move = true) {
  for (const old of all(page, "[data-dbce-chosen]")) mark(old, "data-dbce-chosen", null);
  const element = elementOf(page, at);
  if (!element) return;
  mark(element, "data-dbce-chosen");
  if (move) reveal(page, element);
}

/** Scrolls the frame alone to an element: scrollIntoView would move our own page too. */
export function reveal(page, element) {
  const box = boxOf(element);
  const view = viewOf(page);
  if (!box.width && !box.height) return;
  if (box.top < 60 || box.bottom > view.innerHeight - 40) {
    view.scrollBy({ top: box.top - view.innerHeight / 3, behavior: "instant" });
  }
}

/** Calls `chosen(number, event)` when an element of the frame with that number is clicked; it is that of a text run. */
export function onRun(page, chosen, name = "data-dbce-at") {
  listenTo(page, "click", event => {
    const element = around(event.target, `[${name}]`);
    event.preventDefault();
    if (element) chosen(placeOf(element, name), event);
  });
}
