// The page as it was rendered: its screenshot with a box around each text and image, which can be pointed at.

import { draw, placeOf, reveal, scale } from "/static/paper.js";

const LEAST = 6; // screen pixels; less is a click
const NEAR = 4; // screen pixels by which one may miss a box

const paper = document.getElementById("paper");
const groups = { said: document.getElementById("boxes"), chosen: document.getElementById("chosen"), region: document.getElementById("cursor") };
const items = JSON.parse(paper.dataset.boxes); // of each item the boxes of its lines

/** Shows what each item is: the level of its heading, if it is one, and whether it is in the content body. */
export function tellRendered({ levels, optional, inside }) {
  const body = around(items.filter((_, at) => inside[at]).flat());
  const boxes = items.flatMap((rects, at) => rects.map((rect, line) => ({
    rect,
    kind: levels[at] ? "item heading" : "item",
    words: levels[at] && !line ? `${levels[at]}${optional[at] ? "?" : ""}` : "",
  })));
  draw(groups.said, body ? [{ rect: body, kind: "body" }, ...boxes] : boxes);
}

/** Shows which items are chosen, and brings the current one into view. */
export function chooseRendered(chosen, current) {
  draw(groups.chosen, [...chosen].flatMap(at => items[at]).map(rect => ({ rect, kind: "item chosen" })));
  if (items[current]?.length) reveal(around(items[current]));
}

/** Calls `pointed(places, event)` with the item of a click, or those that a box touches that was drawn. */
export function onRendered(pointed) {
  let from = null;
  let region = null;
  paper.addEventListener("pointerdown", event => {
    if (event.button !== 0 || event.pointerType === "touch") return; // fingers scroll, and tap
    event.preventDefault();
    document.getElementById("view").focus({ preventScroll: true });
    from = placeOf(event);
    paper.setPointerCapture(event.pointerId);
  });
  paper.addEventListener("pointermove", event => {
    if (!from) return;
    const to = placeOf(event);
    if (!region && Math.hypot(to.x - from.x, to.y - from.y) * scale() < LEAST) return;
    region = [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.abs(from.x - to.x), Math.abs(from.y - to.y)];
    draw(groups.region, [{ rect: region, kind: "region" }]);
  });
  paper.addEventListener("pointerup", () => { from = null; });
  paper.addEventListener("click", event => { // which follows a region, too
    const { x, y } = placeOf(event);
    const near = NEAR / scale();
    if (region) pointed(touched(region), event);
    else pointed(smallest(touched([x, y, 0, 0])) ?? smallest(touched([x - near, y - near, 2 * near, 2 * near])) ?? [], event);
    region = null;
    draw(groups.region, []);
  });
}

const area = ([, , w, h]) => w * h;
const meet = (a, b) => a[0] <= b[0] + b[2] && b[0] <= a[0] + a[2] && a[1] <= b[1] + b[3] && b[1] <= a[1] + a[3];

function touched(region) {
  return [...items.keys()].filter(at => items[at].some(rect => meet(rect, region)));
}

/** Of some items the one with the least box; null of none. */
function smallest(places) {
  const least = at => Math.min(...items[at].map(area));
  return places.length ? [places.reduce((a, b) => (least(b) < least(a) ? b : a))] : null;
}

/** The smallest box around some; null around none. */
function around(rects) {
  if (!rects.length) return null;
  const [left, top] = [0, 1].map(axis => Math.min(...rects.map(rect => rect[axis])));
  const [right, bottom] = [0, 1].map(axis => Math.max(...rects.map(rect => rect[axis] + rect[axis + 2])));
  return [left, top, right - left, bottom - top];
}
