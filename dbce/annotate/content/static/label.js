// Label mode: what is said of the selected text runs, and what is left.

import { send } from "/desk/static/ask.js";
import { bind, bindButtons } from "/desk/static/bind.js";
import { anchor, begin, current, items, markInPage, MOVES, select as selectPlaces, selected } from "/desk/static/selection.js";

const main = document.querySelector("main");
const where = document.getElementById("where");
const said = document.getElementById("said");
const failed = document.getElementById("failed");
const whole = document.getElementById("whole");
const ofNode = new Map(); // the runs of each text node
items.forEach((item, at) => ofNode.set(item.dataset.node, [...(ofNode.get(item.dataset.node) ?? []), at]));
let widened = { by: null, level: 0 };
let waiting = Promise.resolve();

const markOf = at => items[at].dataset.mark;

/** Selects text runs; those of `places`, and with whole text nodes all of theirs. */
function select(places, from = null, to = null, { keep = false } = {}) {
  if (!keep) widened = { by: null, level: 0 };
  const chosen = new Set(places);
  if (whole.checked) for (const at of places) for (const other of ofNode.get(items[at].dataset.node)) chosen.add(other);
  selectPlaces(chosen, from, to);
}

function placesWhere(fits) {
  return items.flatMap((item, at) => (fits(item, at) ? [at] : []));
}

function onShow() {
  document.getElementById("asked").dataset.mark = selected.size === 1 ? markOf(current) : "";
  const what = selected.size === 1 ? `Text run ${current + 1} of ${items.length}` : `${selected.size} text runs`;
  where.textContent = `${what} · ${inside(items[current].dataset.xpath)}`;
}

/** The last elements around a text, in words that people who know HTML read. */
function inside(xpath) {
  return xpath.split("/").slice(-5, -1).map(step => step.replace(/\[\d+\]$/, "")).join(" › ");
}

/** What all runs are now. */
function mark(marks) {
  marks.forEach((value, at) => {
    if (items[at].dataset.mark === (value ?? "")) return;
    items[at].dataset.mark = value ?? "";
    items[at].querySelector(".state").textContent = value ? `, ${value}` : "";
    markInPage(at, value || null);
  });
  const left = marks.filter(value => !value).length;
  document.querySelector(".ask progress").value = marks.length - left;
  document.getElementById("left").textContent = `${left} of ${marks.length} left`;
  document.getElementById("done").hidden = left > 0;
  return left;
}

/** One after another: who types fast means what will be selected then. */
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
    if (!selected.size) return;
    const last = Math.max(...selected);
    const { left } = await ask("/label/say", { runs: [...selected], label });
    if (left) nextLeft(last);
    else {
      select([last]);
      document.querySelector("#done a").focus();
    }
  });
}

function undo() {
  then(async () => {
    const { undone } = await ask("/label/undo", {});
    if (undone.length) select(undone);
  });
}

/** To the next run that is not labelled, from the beginning when the end is reached. */
function nextLeft(after) {
  const left = placesWhere((item, at) => !markOf(at));
  if (left.length) select([left.find(at => at > after) ?? left[0]]);
}

/** Widens the selection to the siblings of the run it began with: the same path but for the numbers of
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

/** Widens the selection to all that is in the element around it; again, in the one around that. */
function element() {
  widen("element", level => {
    const steps = items[anchor].dataset.xpath.split("/");
    if (level > steps.length - 3) return null;
    const above = `${steps.slice(0, steps.length - level).join("/")}/`;
    return placesWhere(item => item.dataset.xpath.startsWith(above));
  });
}

/** Widens a selection until it has more. What somebody has labelled stays as it is, unless the selection began
 * with that. */
function widen(kind, found) {
  let level = widened.by === kind ? widened.level : 0;
  for (;;) {
    const places = found(++level)?.filter(at => at === anchor || !markOf(at) || markOf(anchor));
    if (!places) {
      said.textContent = "There is nothing more around it.";
      return;
    }
    if (places.length > selected.size || (widened.by !== kind && places.length > 1)) {
      widened = { by: kind, level };
      select(places, anchor, anchor, { keep: true });
      said.textContent = `${selected.size} text runs are selected.`;
      return;
    }
  }
}

/** With a brush what is pointed at is labelled at once. */
function onPoint() {
  const brush = document.querySelector("input[name=brush]:checked").value;
  if (brush) say(brush);
}

whole.checked = localStorage.getItem("dbce-whole") === "on";
whole.addEventListener("change", () => {
  localStorage.setItem("dbce-whole", whole.checked ? "on" : "off");
  select(selected.size > 1 && !whole.checked ? [anchor] : [...selected]);
});

bindButtons([
  ...[...document.querySelectorAll(".says button")].map(({ id, dataset: { mark: label, key } }) => ["Label", `label as ${label}`, { [key]: () => say(label) }, id]),
  ["Label", "undo the last label", { z: undo }, "undo"],
  ["Select", "next unlabelled text run", { n: () => then(() => nextLeft(current)) }, "unlabelled"],
  ["Select", "siblings too; press again for those of the enclosing element", { s: () => then(siblings) }, "siblings"],
  ["Select", "everything in the enclosing element; press again for a wider one", { e: () => then(element) }, "element"],
]);
bind([MOVES, ["Select", "all unlabelled text runs", { a: () => then(() => select(placesWhere((item, at) => !markOf(at)))) }]]);

begin({ select, onShow, onPoint, runsOf: at => [at], itemOf: run => run, tell: () => items.forEach((item, at) => markInPage(at, markOf(at) || null)) });
if (main.dataset.chosen) select([Number(main.dataset.chosen)]);
else if (items.some((item, at) => !markOf(at))) nextLeft(-1);
else select([0]);
