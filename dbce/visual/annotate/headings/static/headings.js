// Label mode for headings: what is said of the selected texts and images.

import { send } from "/desk/static/ask.js";
import { bind, bindButtons } from "/desk/static/bind.js";
import { begin, current, items, markInPage, MOVES, point, select, selected, show } from "/desk/static/selection.js";
import { turn as turnFrame } from "/static/fit.js";
import { turn } from "/static/paper.js";
import { chooseRendered, onRendered, tellRendered } from "./rendered.js";

const main = document.querySelector("main");
const kind = document.getElementById("kind");
const said = document.getElementById("said");
const failed = document.getElementById("failed");
const shown = [...document.querySelectorAll("input[name=show]")];
const runs = items.map(item => item.dataset.runs.split(" ").filter(Boolean).map(Number));
const itemOf = new Map(runs.flatMap((places, at) => places.map(place => [place, at])));
let state = JSON.parse(main.dataset.said);
let waiting = Promise.resolve();

function onShow() {
  document.getElementById("where").textContent = selected.size === 1 ? `${current + 1} of ${items.length}` : `${selected.size} selected`;
  chooseRendered(selected, current);
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

/** What each item is now: in words in the list, and in the page. */
function tell() {
  items.forEach((item, at) => {
    const level = state.levels[at];
    const heading = level ? `heading ${level}${state.optional[at] ? ", optional" : ""}` : "";
    item.dataset.mark = level ? "content" : "";
    item.dataset.inside = String(state.inside[at]);
    item.querySelector(".state").textContent = [heading, state.ends[at] ? "a block ends before" : ""].filter(Boolean).join("; ");
    markInPage(at, level ? "content" : null);
  });
  tellRendered(state);
  document.getElementById("done").hidden = !state.done;
}

/** One after another: who types fast means what will be selected then. */
function ask(path, more = {}) {
  waiting = waiting.then(async () => {
    failed.textContent = "";
    state = await send(`/headings/${path}`, { by: main.dataset.by, id: main.dataset.id, items: [...selected], ...more });
    said.textContent = state.said;
    tell();
  }).catch(error => { failed.textContent = error.message; });
}

bindButtons([
  ...[...document.querySelectorAll(".level")].map(({ id, dataset: { level } }) => ["Label", `heading of level ${level}`, { [level]: () => ask("say", { level: Number(level) }) }, id]),
  ["Label", "no heading", { x: () => ask("none") }, "none"],
  ["Label", "make the heading optional, or required again", { o: () => ask("optional") }, "optional"],
  ["Label", "end the block of the heading above before this text", { e: () => ask("end") }, "end"],
  ["Label", "the smallest element around the selection is the content body", { b: () => ask("body", { kind: kind.value }) }, "body"],
  ["Label", "undo the last change", { z: () => ask("undo") }, "undo"],
]);
bind([
  MOVES,
  ["View", "show the page as rendered, or as archived", { v: () => viewOther() }, "views"],
  ["View", "fit the page to the width, or show it 1:1", { w: () => (document.getElementById("rendered").hidden ? turnFrame() : turn()) }, "scale"],
]);
for (const input of shown) input.addEventListener("change", () => viewOther(input.value));
begin({ onShow, tell, runsOf: at => runs[at], itemOf: run => itemOf.get(run) });
onRendered(point);
tell();
select([0]);
view(localStorage.getItem("dbce-headings") ?? "rendered");
