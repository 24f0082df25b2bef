// A region that is drawn over the archived page: the text runs that it touches.

import { all, append, around, childrenOf, listenTo, newRange, placeOf, rootOf, viewOf } from "/static/dom.js";

const LEAST = 6; // pixels; less is a click

/** Calls `pointed(places, event)` with the runs of a click, or of a region that was drawn. */
export function onPointer(page, pointed) {
  let from = null;
  let box = null;
  listenTo(page, "pointerdown", event => {
    if (event.button !== 0 || event.pointerType === "touch") return; // fingers scroll, and tap
    event.preventDefault();
    from = { x: event.pageX, y: event.pageY };
  });
  listenTo(page, "pointermove", event => {
    if (!from) return;
    if (!box && Math.hypot(event.pageX - from.x, event.pageY - from.y) < LEAST) return;
    box ??= append(rootOf(page), Object.assign(document.createElement("div"), { id: "dbce-region" }));
    const region = between(from, { x: event.pageX, y: event.pageY });
    Object.assign(box.style, { left: `${region.left}px`, top: `${region.top}px`, width: `${region.right - region.left}px`, height: `${region.bottom - region.top}px` });
  });
  listenTo(page, "pointerup", event => {
    const region = box && from && between(from, { x: event.pageX, y: event.pageY });
    from = null;
    if (!region) return;
    box.remove();
    box = null;
    pointed(touched(page, region), event);
    // The click that ends the drawing comes before this is over.
    const over = new AbortController();
    listenTo(page, "click", stop, { capture: true, signal: over.signal });
    setTimeout(() => over.abort());
  });
  listenTo(page, "click", event => {
    event.preventDefault();
    const element = around(event.target, "[data-dbce-at]");
    if (element) pointed([placeOf(element)], event);
  });
  listenTo(page, "selectstart", event => event.preventDefault());
  listenTo(page, "dragstart", event => event.preventDefault());
}

function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}

function between(a, b) {
  return { left: Math.min(a.x, b.x), right: Math.max(a.x, b.x), top: Math.min(a.y, b.y), bottom: Math.max(a.y, b.y) };
}

/** The runs whose own text a region touches; an element's box may be far larger than its text. */
function touched(page, region) {
  const view = viewOf(page);
  const range = newRange(page);
  const meets = box =>
    box.width && box.height &&
    box.left + view.scrollX < region.right && box.right + view.scrollX > region.left &&
    box.top + view.scrollY < region.bottom && box.bottom + view.scrollY > region.top;
  return all(page, "[data-dbce-at]").flatMap(element => {
    const own = [...childrenOf(element)].filter(node => node.nodeType === 3 && node.data.trim());
    const hit = own.some(node => {
      range.selectNodeContents(node);
      return [...range.getClientRects()].some(meets);
    });
    return hit ? [placeOf(element)] : [];
  });
}
