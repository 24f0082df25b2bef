// What mouse and arrows do: choose blocks, draw a box, pick an element, split across or down.

import { draw, keptIn, middle, placeOf, reveal, scale } from "/static/paper.js";
import { area, choose, chosenNow, current, finer, go, has, onShow, under } from "./choice.js";

const LEAST = 4; // screen pixels; less is a click
const FIRST = [240, 120]; // pixels of the page: a box that arrows begin with
const STEPS = [1, 5, 20, 100]; // pixels of the page that an arrow moves by

const id = name => document.getElementById(name);
const main = document.querySelector("main");
const paper = id("paper");
const modes = [...document.querySelectorAll("input[name=mode]")];
let elements = []; // { place, above, rect }
let point = null; // where the mouse was last
let cursor = null; // what would be done: a box, an element's number, or where to split
let from = null; // where a box begins
let step = 2;
let ask = () => {};

const mode = () => modes.find(input => input.checked).value;
const splitting = () => mode() === "across" || mode() === "down";

/** Begins: with the elements that can be picked, as [place, place above, x, y, w, h, tag], and how to ask. */
export function begin(found, asking) {
  const places = new Map(found.map(([place], at) => [place, at]));
  elements = found.map(([place, above, x, y, w, h]) => ({ place, above: places.get(above), rect: [x, y, w, h] }));
  ask = asking;
}

/** Changes the mode. */
export function set(value) {
  modes.find(input => input.value === value).checked = true;
  change();
}

/** Shorter or longer steps. */
export function pace(by) {
  step = Math.min(STEPS.length - 1, Math.max(0, step + by));
}

/** Chooses what the current block covers, where the mouse is. */
export const finerHere = () => finer(point);

/** An arrow was pressed. */
export function arrow(dx, dy, event) {
  if (event.target.name === "mode") { // arrows go through radio buttons
    const next = modes[(modes.indexOf(event.target) + dx + dy + modes.length) % modes.length];
    next.focus();
    set(next.value);
  } else if (mode() === "choose") {
    if (dy) go(dy, event.shiftKey);
  } else {
    if (mode() === "box") moveBox(dx * STEPS[step], dy * STEPS[step], event.shiftKey);
    else if (mode() === "element") moveElement(dx, dy);
    else moveSplit((dx || dy) * STEPS[step]);
    show();
  }
}

function moveBox(dx, dy, resizes) {
  const [x, y, w, h] = cursor ?? middle(...FIRST);
  cursor = keptIn(resizes ? [x, y, Math.max(2, w + dx), Math.max(2, h + dy)] : [x + dx, y + dy, w, h]);
  reveal(cursor);
}

/** To the element around it, or the one behind or before it. */
function moveElement(dx, dy) {
  if (dx < 0) cursor = elements[cursor]?.above ?? cursor;
  else cursor = Math.min(elements.length - 1, Math.max(0, (cursor ?? 0) + (dx || dy)));
  if (elements[cursor]) reveal(elements[cursor].rect);
}

function moveSplit(by) {
  const now = current();
  if (!now || cursor === null) return;
  const [start, length] = mode() === "across" ? [now.rect[1], now.rect[3]] : [now.rect[0], now.rect[2]];
  cursor = Math.min(start + length - 2, Math.max(start + 2, cursor + by));
}

/** Does what the mode is for. */
export function act() {
  const parent = id("inside").checked ? chosenNow().at(-1) ?? "" : "";
  const now = current();
  if (mode() === "box" && !cursor) cursor = middle(...FIRST);
  else if (mode() === "box") {
    ask({ kind: "insert", rect: cursor, parent });
    cursor = null;
  } else if (mode() === "element" && cursor !== null) ask({ kind: "insert", element: elements[cursor].place, parent });
  else if (splitting() && now) ask({ kind: "split", block: now.id, axis: mode() === "across" ? "y" : "x", at: cursor });
  show();
}

function change() {
  cursor = from = null;
  if (mode() === "element") cursor = firstSeen();
  main.dataset.mode = mode();
  follow();
}

/** Splits begin in the middle of what is chosen. */
function follow() {
  const rect = current()?.rect;
  if (mode() === "across") cursor = rect ? Math.round(rect[1] + rect[3] / 2) : null;
  if (mode() === "down") cursor = rect ? Math.round(rect[0] + rect[2] / 2) : null;
  show();
}

/** What would be done, over the blocks. */
function show() {
  const rect = ghost();
  draw(id("cursor"), rect ? [{ rect, kind: mode() }] : []);
}

function ghost() {
  if (cursor === null) return null;
  const rect = current()?.rect;
  switch (mode()) {
    case "box": return cursor;
    case "element": return elements[cursor].rect;
    case "across": return rect && [rect[0], cursor, rect[2], 0];
    case "down": return rect && [cursor, rect[1], 0, rect[3]];
    default: return null;
  }
}

/** The first element that is seen whole. */
function firstSeen() {
  const [x, y, w, h] = middle(id("view").clientWidth / scale(), id("view").clientHeight / scale());
  const at = elements.findIndex(({ rect }) => rect[0] >= x && rect[1] >= y && rect[0] + rect[2] <= x + w + 1 && rect[1] + rect[3] <= y + h + 1);
  return elements.length ? Math.max(0, at) : null;
}

/** The smallest element under a place; of equal ones the innermost. */
function elementUnder(place) {
  let best = null;
  elements.forEach(({ rect }, at) => {
    if (has(rect, place) && (best === null || area(rect) <= area(elements[best].rect))) best = at;
  });
  return best;
}

paper.addEventListener("pointerdown", event => {
  if (event.button !== 0 || event.pointerType === "touch") return; // fingers scroll, and tap
  event.preventDefault();
  id("view").focus({ preventScroll: true });
  if (mode() !== "box") return;
  from = placeOf(event);
  paper.setPointerCapture(event.pointerId);
});
paper.addEventListener("pointermove", event => {
  point = placeOf(event);
  if (from) cursor = [Math.min(from.x, point.x), Math.min(from.y, point.y), Math.abs(from.x - point.x), Math.abs(from.y - point.y)];
  else if (mode() === "element") cursor = elementUnder(point) ?? cursor;
  else if (splitting() && current() && has(current().rect, point)) cursor = Math.round(mode() === "across" ? point.y : point.x);
  else return;
  show();
});
paper.addEventListener("pointerup", event => {
  if (!from) return;
  const end = placeOf(event);
  const isBox = Math.hypot(end.x - from.x, end.y - from.y) * scale() >= LEAST;
  from = null;
  if (isBox) act();
});
paper.addEventListener("click", event => {
  const place = placeOf(event);
  if (mode() === "choose") choose(under(place), { more: event.shiftKey || event.ctrlKey || event.metaKey });
  else if (mode() === "element") {
    if (event.pointerType === "touch") cursor = elementUnder(place);
    act();
  } else if (splitting()) {
    if (current() && has(current().rect, place)) act();
    else choose(under(place));
  }
});
for (const input of modes) input.addEventListener("change", change);
onShow(follow);
