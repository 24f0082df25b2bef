// Label mode for headings: what is chosen, and what is said of it.

import { send } from "/desk/static/ask.js";
import { all, mark as give, placeOf, rootOf } from "/static/dom.js";
import { fit, turn as turnFrame } from "/static/fit.js";
import { reveal, whenShown } from "/static/frame.js";
import { keys, listen } from "/static/keys.js";
import { turn } from "/static/paper.js";
import { onPointer } from "/desk/static/marquee.js";
import { chooseRendered, onRendered, tellRendered } from "./rendered.js";

const main = document.querySelector("main");
const frame = document.getElementById("frame");
const list = document.getElementById("items");
const items = [...list.children];
const kind = document.getElementById("kind");
const said = document.getElementById("said");
const failed = document.getElementById("failed");
const shown = [...document.querySelectorAll("input[name=show]")];
const runs = items.map(item => item.dataset.runs.split(" ").filter(Boolean).map(Number));
const itemOf = new Map(runs.flatMap((places, at) => places.map(place => [place, at])));
let state = JSON.parse(main.dataset.said);
let page = null;
let elements = new Map(); // where each text run stands in the page
let chosen = new Set();
let anchor = 0; // where a choice began
let current = 0; // where it goes on
let waiting = Promise.resolve();

function choose(places, from = null, to = null) {
  chosen = new Set(places);
  const sorted = [...chosen].sort((a, b) => a - b);
  anchor = from ?? sorted[0] ?? 0;
  current = to ?? anchor;
  show();
}

function show() {
  items.forEach((item, at) => item.setAttribute("aria-selected", String(chosen.has(at))));
  const item = items[current];
  if (!item) return;
  list.setAttribute("aria-activedescendant", item.id);
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop + 8 || top > list.scrollTop + list.clientHeight - 60) list.scrollTop = top - list.clientHeight / 3;
  const words = [...chosen].sort((a, b) => a - b).slice(0, 12).map(at => items[at].querySelector(".words").textContent);
  document.getElementById("asked").replaceChildren(...words.map(text => Object.assign(document.createElement("p"), { textContent: text })));
  document.getElementById("where").textContent = chosen.size === 1 ? `${current + 1} of ${items.length}` : `${chosen.size} are chosen`;
  chooseRendered(chosen, current);
  if (page) showInPage();
}

/** Shows the page as it was rendered, or as it was archived. */
function view(name) {
  for (const input of shown) {
    input.checked = input.value === name;
    document.getElementById(input.value).hidden = !input.checked;
  }
  show();
}

/** Goes over to the other view, and remembers it. */
function viewOther(name = shown.find(input => !input.checked).value) {
  localStorage.setItem("dbce-headings", name);
  view(name);
}

function showInPage() {
  for (const old of all(page, "[data-dbce-chosen]")) give(old, "data-dbce-chosen", null);
  const marked = [...chosen].flatMap(at => runs[at]).map(place => elements.get(place)).filter(Boolean);
  for (const element of marked) give(element, "data-dbce-chosen");
  const first = elements.get(runs[current][0]);
  if (first) reveal(page, first);
}

/** What each item is now: in words in the list, and in the page. */
function tell() {
  items.forEach((item, at) => {
    const level = state.levels[at];
    const heading = level ? `heading ${level}${state.optional[at] ? ", optional" : ""}` : "";
    item.dataset.mark = level ? "content" : "";
    item.dataset.inside = String(state.inside[at]);
    item.querySelector(".state").textContent = [heading, state.ends[at] ? "a block ends before" : ""].filter(Boolean).join("; ");
    if (page) for (const place of runs[at]) give(elements.get(place), "data-dbce-said", level ? "content" : null);
  });
  tellRendered(state);
  document.getElementById("done").hidden = !state.done;
}

/** One after another: who types fast means what will be chosen then. */
function ask(path, more = {}) {
  waiting = waiting.then(async () => {
    failed.textContent = "";
    state = await send(`/headings/${path}`, { by: main.dataset.by, id: main.dataset.id, items: [...chosen], ...more });
    said.textContent = state.said;
    tell();
  }).catch(error => { failed.textContent = error.message; });
}

function range(a, b) {
  return Array.from({ length: Math.abs(a - b) + 1 }, (_, n) => Math.min(a, b) + n);
}

function step(by, event) {
  const at = Math.min(items.length - 1, Math.max(0, current + by));
  if (event.shiftKey) choose(range(anchor, at), anchor, at);
  else choose([at]);
}

function pointed(places, event) {
  if (!places.length) return;
  if (event.shiftKey && places.length === 1) choose(range(anchor, places[0]), anchor, places[0]);
  else if (event.ctrlKey || event.metaKey) choose([...chosen].filter(at => !places.includes(at)).concat(places.filter(at => !chosen.has(at))), null, places[0]);
  else choose(places);
}

const actions = {
  none: ["no heading", "x", () => ask("none")],
  optional: ["the heading is optional, or no longer", "o", () => ask("optional")],
  end: ["the block of the heading above ends before this", "e", () => ask("end")],
  body: ["the smallest element around what is chosen is the content body", "b", () => ask("body", { kind: kind.value })],
  undo: ["take the last back", "z", () => ask("undo")],
};
for (const [id, [says, key, action]] of Object.entries(actions)) {
  document.getElementById(id).addEventListener("click", action);
  keys(says, { [key]: action });
}
for (const button of document.querySelectorAll(".level")) {
  const action = () => ask("say", { level: Number(button.dataset.level) });
  button.addEventListener("click", action);
  keys("a heading of this level", { [button.dataset.level]: action });
}
keys("text after and before; with Shift more of them", {
  ArrowDown: event => step(1, event),
  ArrowUp: event => step(-1, event),
  j: event => step(1, event),
  k: event => step(-1, event),
});
keys("the page as it was rendered, or as it was archived", { v: () => viewOther() });
keys("fit the page to the width, or show it 1:1", { w: () => (document.getElementById("rendered").hidden ? turnFrame() : turn()) });
for (const input of shown) input.addEventListener("change", () => viewOther(input.value));
onRendered(pointed);
list.addEventListener("click", event => {
  const item = event.target.closest("li");
  if (item) pointed([items.indexOf(item)], event);
});
whenShown(frame, there => {
  page = there;
  fit(frame, page);
  elements = new Map(all(page, "[data-dbce-at]").map(element => [placeOf(element), element]));
  give(rootOf(page), "data-dbce-show", "said");
  onPointer(page, (places, event) => pointed([...new Set(places.map(place => itemOf.get(place)).filter(at => at !== undefined))], event));
  listen(page);
  tell();
  show();
});
tell();
choose([0]);
view(localStorage.getItem("dbce-headings") ?? "rendered");
