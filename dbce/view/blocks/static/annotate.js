// The annotator: which blocks are chosen, what mouse and arrows do, and what is sent.

import { send } from "/static/ask.js";
import { keys } from "/static/keys.js";
import { draw, keptIn, middle, placeOf, reveal, scale, turn } from "/static/paper.js";

const LEAST = 4; // screen pixels; less is a click
const FIRST = [240, 120]; // pixels of the page: a box that arrows begin with
const STEPS = [1, 5, 20, 100]; // pixels of the page that an arrow moves by

const id = name => document.getElementById(name);
const main = document.querySelector("main");
const list = id("blocks");
const modes = [...document.querySelectorAll("input[name=mode]")];
const roles = [...document.querySelectorAll("button.role")];
let blocks = [];
let overlaps = [];
let elements = [];
let chosen = []; // ids; the last is the current one
let point = null; // where the mouse was last
let cursor = null; // what would be drawn: a box, an element's place, or where to split
let from = null; // where a box begins
let held = null; // a block to which the next that is chosen comes
let step = 2;
let waiting = Promise.resolve();

const mode = () => modes.find(input => input.checked).value;
const block = name => blocks.find(one => one.id === name);
const current = () => block(chosen.at(-1));
const area = ([, , w, h]) => w * h;
const has = ([x, y, w, h], at) => at.x >= x && at.x <= x + w && at.y >= y && at.y <= y + h;
const meet = (a, b) => a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];
const number = name => blocks.findIndex(one => one.id === name) + 1;
const named = one => [`Block ${number(one.id)}`, one.label, one.type && `“${one.type}”`].filter(Boolean).join(", ");

// What is shown

function update(answer) {
  ({ blocks, overlaps } = answer);
  held = null;
  if (mode() === "box") cursor = null;
  chosen = (answer.chosen?.length ? [answer.chosen[0]] : chosen).filter(block);
  if (!chosen.length && blocks.length) chosen = [blocks[0].id];
  id("undo").disabled = !answer.undo;
  id("redo").disabled = !answer.redo;
  id("resolve").disabled = !overlaps.length;
  id("covered").value = answer.covered;
  const pairs = overlaps.length === 1 ? "1 overlap" : `${overlaps.length} overlaps`;
  id("left").textContent = `${Math.round(100 * answer.covered)} % of the words are in blocks${overlaps.length ? `, ${pairs}` : ""}`;
  id("count").textContent = blocks.length;
  list.replaceChildren(...blocks.map(item));
  show();
}

function item(one, at) {
  const made = document.createElement("li");
  made.id = `block-${at}`;
  made.dataset.id = one.id;
  made.setAttribute("role", "option");
  made.style.paddingLeft = `${0.7 + 1.1 * (one.depth - 1)}rem`;
  const swatch = Object.assign(document.createElement("span"), { className: `swatch ${one.label}` });
  const words = Object.assign(document.createElement("span"), { className: "words" });
  const inside = one.parent ? `, in block ${number(one.parent)}` : "";
  words.append(`${at + 1} ${[one.label, one.type].filter(Boolean).join(" · ") || "no role"}`);
  words.append(Object.assign(document.createElement("span"), { className: "unseen", textContent: inside }));
  const about = [`${one.words} word${one.words === 1 ? "" : "s"}`, one.from === "drawn" ? "" : one.from];
  const facts = Object.assign(document.createElement("small"), { className: "soft", textContent: about.filter(Boolean).join(", ") });
  made.append(swatch, words, facts);
  return made;
}

function show() {
  [...list.children].forEach(made => made.setAttribute("aria-selected", String(chosen.includes(made.dataset.id))));
  const now = current();
  id("what").textContent = now ? chosen.map(name => named(block(name))).join(" and ") : "No block is chosen";
  for (const button of roles) button.setAttribute("aria-pressed", String(Boolean(now) && button.dataset.role === now.label));
  if (document.activeElement !== id("type")) id("type").value = now?.type ?? "";
  if (now) {
    const made = list.children[number(now.id) - 1];
    list.setAttribute("aria-activedescendant", made.id);
    const top = made.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + made.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
  } else list.removeAttribute("aria-activedescendant");
  const kind = one => ["block", one.label || "none", one.holds ? "holds" : "", chosen.includes(one.id) ? "chosen" : ""].join(" ");
  // Those that hold others first, so that the others can be seen.
  const order = blocks.filter(one => one.rect).sort((a, b) => chosen.includes(a.id) - chosen.includes(b.id) || area(b.rect) - area(a.rect));
  draw(id("boxes"), order.map(one => ({ rect: one.rect, kind: kind(one), words: `${number(one.id)} ${one.label}` })));
  pointAt();
}

/** What would be drawn, over the blocks. */
function pointAt() {
  const rect = ghost();
  draw(id("cursor"), rect ? [{ rect, kind: mode() }] : []);
}

function ghost() {
  const now = current();
  switch (mode()) {
    case "box": return cursor;
    case "element": return cursor === null ? null : elements[cursor].rect;
    case "across": return now && cursor !== null ? [now.rect[0], cursor, now.rect[2], 0] : null;
    case "down": return now && cursor !== null ? [cursor, now.rect[1], 0, now.rect[3]] : null;
    default: return null;
  }
}

// What is chosen

function choose(name, { more = false } = {}) {
  if (!name) return;
  if (!more) chosen = held && held !== name ? [held, name] : [name];
  else chosen = chosen.includes(name) && chosen.length > 1 ? chosen.filter(one => one !== name) : [...chosen.filter(one => one !== name), name];
  startSplit();
  show();
  const rect = current()?.rect;
  if (rect) reveal(rect);
}

function go(by, more) {
  const at = chosen.length ? number(chosen.at(-1)) - 1 + by : 0;
  const next = blocks[Math.min(blocks.length - 1, Math.max(0, at))];
  if (next && next.id !== chosen.at(-1)) choose(next.id, { more });
}

/** The smallest block under a place. */
function under(place) {
  return blocks.filter(one => one.rect && has(one.rect, place)).sort((a, b) => area(a.rect) - area(b.rect))[0];
}

/** One that the current block covers, or that covers it, at the mouse if that is on it: each in turn. */
function finer() {
  const now = current();
  if (!now) return;
  const here = point && has(now.rect, point) ? one => has(one.rect, point) : one => meet(one.rect, now.rect);
  const all = blocks.filter(one => one.rect && here(one)).sort((a, b) => area(b.rect) - area(a.rect) || number(a.id) - number(b.id));
  choose(all[(all.indexOf(now) + 1) % all.length]?.id);
}

// What mouse and arrows do

function set(value) {
  modes.find(input => input.value === value).checked = true;
  changeMode();
}

function changeMode() {
  cursor = from = null;
  if (mode() === "element") cursor = firstSeen();
  startSplit();
  main.dataset.mode = mode();
  pointAt();
}

function startSplit() {
  const now = current();
  if (mode() === "across") cursor = now ? Math.round(now.rect[1] + now.rect[3] / 2) : null;
  if (mode() === "down") cursor = now ? Math.round(now.rect[0] + now.rect[2] / 2) : null;
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

function arrow(dx, dy, event) {
  if (event.target.name === "mode") { // arrows go through radio buttons
    const next = modes[(modes.indexOf(event.target) + dx + dy + modes.length) % modes.length];
    next.focus();
    set(next.value);
    return;
  }
  const by = STEPS[step];
  const now = current();
  switch (mode()) {
    case "box": {
      const [x, y, w, h] = cursor ?? middle(...FIRST);
      cursor = event.shiftKey ? keptIn([x, y, Math.max(2, w + dx * by), Math.max(2, h + dy * by)]) : keptIn([x + dx * by, y + dy * by, w, h]);
      reveal(cursor);
      break;
    }
    case "element":
      if (dx < 0) cursor = elements[cursor]?.above ?? cursor;
      else cursor = Math.min(elements.length - 1, Math.max(0, (cursor ?? 0) + (dx || dy)));
      if (elements[cursor]) reveal(elements[cursor].rect);
      break;
    case "across":
    case "down": {
      if (!now || cursor === null) return;
      const [start, length] = mode() === "across" ? [now.rect[1], now.rect[3]] : [now.rect[0], now.rect[2]];
      cursor = Math.min(start + length - 2, Math.max(start + 2, cursor + (dx || dy) * by));
      break;
    }
    default:
      if (dy) go(dy, event.shiftKey);
      return;
  }
  pointAt();
}

/** Does what the mode is for. */
function act() {
  const parent = id("inside").checked ? chosen.at(-1) ?? "" : "";
  const now = current();
  if (mode() === "box" && !cursor) cursor = middle(...FIRST);
  else if (mode() === "box") ask({ kind: "insert", rect: cursor, parent });
  else if (mode() === "element" && cursor !== null) ask({ kind: "insert", element: elements[cursor].place, parent });
  else if (mode() === "across" && now) ask({ kind: "split", block: now.id, axis: "y", at: cursor });
  else if (mode() === "down" && now) ask({ kind: "split", block: now.id, axis: "x", at: cursor });
  pointAt();
}

const sheet = id("paper");
sheet.addEventListener("pointerdown", event => {
  if (event.button !== 0 || event.pointerType === "touch") return; // fingers scroll, and tap
  event.preventDefault();
  id("view").focus({ preventScroll: true });
  if (mode() !== "box") return;
  from = placeOf(event);
  sheet.setPointerCapture(event.pointerId);
});
sheet.addEventListener("pointermove", event => {
  point = placeOf(event);
  if (mode() === "box" && from) {
    cursor = [Math.min(from.x, point.x), Math.min(from.y, point.y), Math.abs(from.x - point.x), Math.abs(from.y - point.y)];
  } else if (mode() === "element") cursor = elementUnder(point) ?? cursor;
  else if (current() && has(current().rect, point) && mode() === "across") cursor = Math.round(point.y);
  else if (current() && has(current().rect, point) && mode() === "down") cursor = Math.round(point.x);
  else return;
  pointAt();
});
sheet.addEventListener("pointerup", event => {
  if (mode() !== "box" || !from) return;
  const begun = from;
  from = null;
  const end = placeOf(event);
  if (Math.hypot(end.x - begun.x, end.y - begun.y) * scale() >= LEAST) act();
});
sheet.addEventListener("click", event => {
  const place = placeOf(event);
  if (mode() === "choose") choose(under(place)?.id, { more: event.shiftKey || event.ctrlKey || event.metaKey });
  else if (mode() === "element") {
    if (event.pointerType === "touch") cursor = elementUnder(place);
    act();
  } else if (mode() !== "box") {
    if (current() && has(current().rect, place)) act();
    else choose(under(place)?.id);
  }
});

// What is sent

/** One after another: who types fast means what will be chosen then. */
function then(action) {
  waiting = waiting.then(action).catch(error => { id("failed").textContent = error.message; });
  return waiting;
}

function ask(what) {
  return then(async () => {
    id("failed").textContent = "";
    const answer = await send("/blocks/do", { by: main.dataset.by, id: main.dataset.id, ...what });
    update(answer);
    id("said").textContent = answer.said;
    if (current()?.rect) reveal(current().rect);
  });
}

/** Asks with each block that is chosen when its turn comes. */
function withChosen(what) {
  then(() => { for (const one of chosen) ask(what(one)); });
}

function merge() {
  then(() => {
    if (chosen.length !== 2) throw new Error("Choose two blocks: click the second with Shift, or go there with Shift and an arrow.");
    ask({ kind: "merge", first: chosen[0], second: chosen[1] });
  });
}

/** Asks of each pair of blocks that overlap what is to be done, until none is left or somebody stops. */
async function resolve() {
  await waiting;
  const left = new Set();
  for (;;) {
    const pair = overlaps.find(([a, b]) => !left.has(`${a} ${b}`));
    if (!pair) break;
    const [first, second] = pair.map(block);
    chosen = [...pair];
    show();
    reveal(second.rect);
    const answer = await askPair(first, second);
    if (!answer) break;
    if (answer === "leave") left.add(pair.join(" "));
    else if (answer === "merge") await ask({ kind: "merge", first: first.id, second: second.id });
    else if (answer === "first") await ask({ kind: "cut", block: second.id, beside: first.id });
    else await ask({ kind: "cut", block: first.id, beside: second.id });
    if (id("failed").textContent) break;
  }
}

function askPair(first, second) {
  const dialog = id("pair");
  const [x, y, w, h] = first.rect;
  const [x2, y2, w2, h2] = second.rect;
  const wide = Math.round(Math.min(x + w, x2 + w2) - Math.max(x, x2));
  const high = Math.round(Math.min(y + h, y2 + h2) - Math.max(y, y2));
  id("pair-what").textContent = `${named(first)} and ${named(second)} share ${wide} × ${high} px. Which stays whole?`;
  const [one, other] = dialog.querySelectorAll("button");
  one.textContent = `${named(first)} stays whole`;
  other.textContent = `${named(second)} stays whole`;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise(done => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
}

// Buttons and keys

const actions = {
  parent: () => choose(current()?.parent),
  finer,
  merge,
  accept: () => withChosen(one => ({ kind: "accept", block: one })),
  remove: () => withChosen(one => ({ kind: "delete", block: one })),
  flatten: () => ask({ kind: "flatten" }),
  resolve,
  undo: () => ask({ kind: "undo" }),
  redo: () => ask({ kind: "redo" }),
};
const label = role => withChosen(one => ({ kind: "label", block: one, label: role }));
const toggle = name => () => id(name).click();

function hold() {
  held = held ? null : chosen.at(-1) ?? null;
  id("said").textContent = held ? `${named(block(held))} is held; choose the other.` : "";
}

for (const [name, action] of Object.entries(actions)) id(name).addEventListener("click", action);
for (const button of roles) button.addEventListener("click", () => label(button.dataset.role));
for (const input of modes) input.addEventListener("change", changeMode);
id("typing").addEventListener("submit", event => {
  event.preventDefault();
  withChosen(one => ({ kind: "label", block: one, type: id("type").value }));
  list.focus();
});
id("asking").addEventListener("submit", event => {
  event.preventDefault();
  ask({ kind: "candidates", algorithm: id("algorithm").value });
  list.focus();
});
id("alone").addEventListener("change", () => id("drawn").classList.toggle("alone", id("alone").checked));
list.addEventListener("click", event => {
  const made = event.target.closest("li");
  if (made) choose(made.dataset.id, { more: event.shiftKey || event.ctrlKey || event.metaKey });
});

keys("block after and before; with Shift choose it too. In other modes: move, with Shift resize", {
  ArrowDown: event => arrow(0, 1, event),
  ArrowUp: event => arrow(0, -1, event),
  ArrowLeft: event => arrow(-1, 0, event),
  ArrowRight: event => arrow(1, 0, event),
});
keys("shorter and longer steps of the arrows", { "-": () => { step = Math.max(0, step - 1); }, "+": () => { step = Math.min(STEPS.length - 1, step + 1); } });
keys("draw a box", { b: () => set("box") });
keys("pick an element; ← goes to the one around it", { e: () => set("element") });
keys("split across, split down", { s: () => set("across"), d: () => set("down") });
keys("do it: draw, pick, split", { Enter: event => { if (document.activeElement.matches("button, a")) document.activeElement.click(); else act(event); } });
keys("back to choosing", { Escape: () => set("choose") });
keys("the block around it; one that it covers, each in turn", { o: actions.parent, i: finer });
keys("hold this block, so that the next one is chosen with it", { h: hold });
keys("merge the second that is chosen into the first", { m: merge });
keys("accept: drop the blocks in it", { a: actions.accept });
keys("delete; the blocks in it go to the one around it", { Delete: actions.remove, Backspace: actions.remove });
keys("flatten: only blocks that hold no others stay", { f: actions.flatten });
keys("resolve overlaps pair by pair", { r: actions.resolve });
keys("take back, do again", { z: actions.undo, y: actions.redo });
roles.forEach(button => keys(button.dataset.role || "no role", { [button.getAttribute("aria-keyshortcuts")]: () => label(button.dataset.role) }));
keys("type", { t: () => id("type").focus() });
keys("candidates of an algorithm", { c: () => id("algorithm").focus() });
keys("new blocks inside the chosen one, or on the page", { n: toggle("inside") });
keys("the page without blocks", { v: toggle("alone") });
keys("fit the page to the width, or show it 1:1", { w: turn });

const asked = new URLSearchParams({ by: main.dataset.by, id: main.dataset.id });
then(async () => {
  const answer = await (await fetch(`/blocks/state?${asked}`)).json();
  const places = new Map(answer.elements.map(([place], at) => [place, at]));
  elements = answer.elements.map(([place, above, x, y, w, h, tag]) => ({ place, above: places.get(above), rect: [x, y, w, h], tag }));
  update(answer);
  main.dataset.ready = "";
});
