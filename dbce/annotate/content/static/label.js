// Label mode: what is chosen, what is said of it, and what is left.

import { send } from "/desk/static/ask.js";
import { all, mark as give, placeOf, rootOf } from "/static/dom.js";
import { fit } from "/static/fit.js";
import { reveal, whenShown } from "/static/frame.js";
import { keys, listen } from "/static/keys.js";
import { onPointer } from "/desk/static/marquee.js";

const main = document.querySelector("main");
const frame = document.getElementById("frame");
const list = document.getElementById("runs");
const items = [...list.children];
const asked = document.getElementById("asked");
const where = document.getElementById("where");
const said = document.getElementById("said");
const failed = document.getElementById("failed");
const whole = document.getElementById("whole");
const ofNode = new Map(); // the runs of each text node
items.forEach((item, at) => ofNode.set(item.dataset.node, [...(ofNode.get(item.dataset.node) ?? []), at]));
let page = null;
let elements = new Map(); // where each run stands in the page
let chosen = new Set();
let anchor = 0; // where a choice began
let current = 0; // where it goes on
let widened = { by: null, level: 0 };
let waiting = Promise.resolve();

const markOf = at => items[at].dataset.mark;

/** Chooses text runs; those of `places`, and with whole text nodes all of theirs. */
function choose(places, { from = null, to = null, keep = false } = {}) {
  if (!keep) widened = { by: null, level: 0 };
  chosen = new Set(places);
  if (whole.checked) for (const at of places) for (const other of ofNode.get(items[at].dataset.node)) chosen.add(other);
  const sorted = [...chosen].sort((a, b) => a - b);
  anchor = from ?? sorted[0] ?? 0;
  current = to ?? anchor;
  show();
}

function placesWhere(fits) {
  return items.flatMap((item, at) => (fits(item, at) ? [at] : []));
}

function show() {
  items.forEach((item, at) => item.setAttribute("aria-selected", String(chosen.has(at))));
  const item = items[current];
  if (!item) return;
  list.setAttribute("aria-activedescendant", item.id);
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop + 8 || top > list.scrollTop + list.clientHeight - 60) list.scrollTop = top - list.clientHeight / 3;
  const texts = [...chosen].sort((a, b) => a - b).map(at => items[at].querySelector(".words").textContent);
  asked.replaceChildren(...texts.slice(0, 12).map(text => Object.assign(document.createElement("p"), { textContent: text })));
  if (texts.length > 12) asked.append(Object.assign(document.createElement("p"), { className: "soft", textContent: `and ${texts.length - 12} more` }));
  asked.dataset.mark = chosen.size === 1 ? markOf(current) : "";
  const what = chosen.size === 1 ? `Text run ${current + 1} of ${items.length}` : `${chosen.size} text runs`;
  where.textContent = `${what} · ${inside(item.dataset.xpath)}`;
  if (page) showInPage();
}

/** The last elements around a text, in words that people who know HTML read. */
function inside(xpath) {
  return xpath.split("/").slice(-5, -1).map(step => step.replace(/\[\d+\]$/, "")).join(" › ");
}

function showInPage() {
  for (const old of all(page, "[data-dbce-chosen]")) give(old, "data-dbce-chosen", null);
  for (const at of chosen) give(elements.get(at), "data-dbce-chosen");
  if (elements.has(current)) reveal(page, elements.get(current));
}

/** What all runs are now. */
function mark(marks) {
  marks.forEach((value, at) => {
    if (items[at].dataset.mark === (value ?? "")) return;
    items[at].dataset.mark = value ?? "";
    items[at].querySelector(".state").textContent = value ? `, ${value}` : "";
    if (page) markInPage(at);
  });
  const left = marks.filter(value => !value).length;
  document.querySelector(".ask progress").value = marks.length - left;
  document.getElementById("left").textContent = `${left} of ${marks.length} left`;
  document.getElementById("done").hidden = left > 0;
  return left;
}

function markInPage(at) {
  give(elements.get(at), "data-dbce-said", markOf(at) || null);
}

/** One after another: who types fast means what will be chosen then. */
function then(action) {
  waiting = waiting.then(action).catch(error => { failed.textContent = error.message; });
  return waiting;
}

async function ask(path, more) {
  failed.textContent = "";
  const answer = await send(path, { by: main.dataset.by, id: main.dataset.id, ...more });
  const left = mark(answer.marks);
  said.textContent = answer.said;
  return { ...answer, left };
}

function say(label) {
  then(async () => {
    if (!chosen.size) return;
    const last = Math.max(...chosen);
    const { left } = await ask("/label/say", { runs: [...chosen], label });
    if (left) nextLeft(last);
    else {
      choose([last]);
      document.querySelector("#done a").focus();
    }
  });
}

function undo() {
  then(async () => {
    const { undone } = await ask("/label/undo", {});
    if (undone.length) choose(undone);
  });
}

/** To the next run that is not labelled, from the beginning when the end is reached. */
function nextLeft(after) {
  const left = placesWhere((item, at) => !markOf(at));
  if (left.length) choose([left.find(at => at > after) ?? left[0]]);
}

function step(by, event) {
  const at = Math.min(items.length - 1, Math.max(0, current + by));
  if (event.shiftKey) choose(range(anchor, at), { from: anchor, to: at });
  else choose([at]);
}

function range(a, b) {
  return Array.from({ length: Math.abs(a - b) + 1 }, (_, n) => Math.min(a, b) + n);
}

/** Widens the choice to the siblings of the run it began with: the same path but for the numbers of
 * its last elements, of as few as find any; again, of more. */
function siblings() {
  widen("siblings", level => {
    const steps = items[anchor].dataset.xpath.split("/");
    if (level > steps.length - 3) return null;
    const plain = step => step.replace(/\[\d+\]$/, "");
    const kept = steps.length - level;
    return placesWhere(item => {
      const other = item.dataset.xpath.split("/");
      return other.length === steps.length && steps.every((step, n) => (n < kept ? other[n] === step : plain(other[n]) === plain(step)));
    });
  });
}

/** Widens the choice to all that is in the element around it; again, in the one around that. */
function element() {
  widen("element", level => {
    const steps = items[anchor].dataset.xpath.split("/");
    if (level > steps.length - 3) return null;
    const above = `${steps.slice(0, steps.length - level).join("/")}/`;
    return placesWhere(item => item.dataset.xpath.startsWith(above));
  });
}

/** Widens a choice until it has more. What somebody has labelled stays as it is, unless the choice began
 * with that. */
function widen(kind, found) {
  let level = widened.by === kind ? widened.level : 0;
  for (;;) {
    const places = found(++level)?.filter(at => at === anchor || !markOf(at) || markOf(anchor));
    if (!places) {
      said.textContent = "There is no more around it.";
      return;
    }
    if (places.length > chosen.size || (widened.by !== kind && places.length > 1)) {
      widened = { by: kind, level };
      choose(places, { from: anchor, to: anchor, keep: true });
      said.textContent = `${chosen.size} text runs are chosen.`;
      return;
    }
  }
}

function pointed(places, event) {
  const brush = document.querySelector("input[name=brush]:checked").value;
  if (!places.length) return;
  if (event.shiftKey && places.length === 1) choose(range(anchor, places[0]), { from: anchor, to: places[0] });
  else if (event.ctrlKey || event.metaKey) choose([...chosen].filter(at => !places.includes(at)).concat(places.filter(at => !chosen.has(at))), { to: places[0] });
  else choose(places);
  if (brush) say(brush);
}

list.addEventListener("click", event => {
  const item = event.target.closest("li");
  if (item) pointed([items.indexOf(item)], event);
});
for (const button of document.querySelectorAll(".says button")) button.addEventListener("click", () => say(button.dataset.mark));
for (const [id, action] of [["siblings", siblings], ["element", element], ["undo", undo], ["unlabelled", () => nextLeft(current)]]) {
  document.getElementById(id).addEventListener("click", action);
}
whole.checked = localStorage.getItem("dbce-whole") === "on";
whole.addEventListener("change", () => {
  localStorage.setItem("dbce-whole", whole.checked ? "on" : "off");
  choose(chosen.size > 1 && !whole.checked ? [anchor] : [...chosen]);
});

for (const button of document.querySelectorAll(".says button")) {
  keys(button.dataset.mark, { [button.getAttribute("aria-keyshortcuts")]: () => say(button.dataset.mark) });
}
keys("text run after and before; with Shift more of them", {
  ArrowDown: event => step(1, event),
  ArrowUp: event => step(-1, event),
  j: event => step(1, event),
  k: event => step(-1, event),
});
keys("next that is not labelled", { n: () => then(() => nextLeft(current)) });
keys("its siblings too; again: of the element around them", { s: () => then(siblings) });
keys("all of the element around it; again: a wider one", { e: () => then(element) });
keys("all that is not labelled", { a: () => then(() => choose(placesWhere((item, at) => !markOf(at)))) });
keys("take the last label back", { z: undo });

whenShown(frame, shown => {
  page = shown;
  fit(frame, page);
  elements = new Map(all(page, "[data-dbce-at]").map(element => [placeOf(element), element]));
  give(rootOf(page), "data-dbce-show", "said");
  items.forEach((item, at) => markInPage(at));
  onPointer(page, pointed);
  listen(page);
  show();
});
if (main.dataset.chosen) choose([Number(main.dataset.chosen)]);
else if (items.some((item, at) => !markOf(at))) nextLeft(-1);
else choose([0]);
