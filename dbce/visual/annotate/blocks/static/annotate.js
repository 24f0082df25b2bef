// The annotator: what is sent to be done with the blocks, and the keys and buttons for it.

import { send } from "/desk/static/ask.js";
import { reveal, turn } from "/static/paper.js";
import { bind } from "/desk/static/bind.js";
import { block, choose, chosenNow, choosePair, current, hold, named, overlapsNow, update } from "./choice.js";
import { act, arrow, begin, finerHere, pace, set } from "./modes.js";

const id = name => document.getElementById(name);
const main = document.querySelector("main");
const roles = [...document.querySelectorAll("button.role")];
let waiting = Promise.resolve();

/** One after another: who types fast means what will be selected then. */
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

/** Asks with each block that is selected when its turn comes. */
function withChosen(what) {
  then(() => { for (const one of chosenNow()) ask(what(one)); });
}

function merge() {
  then(() => {
    const [first, second, ...more] = chosenNow();
    if (!second || more.length) throw new Error("Select two blocks: Shift-click the second, or extend the selection with Shift and an arrow key.");
    ask({ kind: "merge", first, second });
  });
}

/** Asks of each pair of blocks that overlap what is to be done, until none is left or somebody stops. */
async function resolve() {
  await waiting;
  const left = new Set();
  const next = () => overlapsNow().find(pair => !left.has(pair.join(" ")));
  for (let pair = next(); pair; pair = next()) {
    const [first, second] = pair;
    choosePair(first, second);
    const answer = await askPair(block(first), block(second));
    if (!answer) return;
    if (answer === "leave") left.add(pair.join(" "));
    else if (answer === "merge") await ask({ kind: "merge", first, second });
    else if (answer === "first") await ask({ kind: "cut", block: second, beside: first });
    else await ask({ kind: "cut", block: first, beside: second });
    if (id("failed").textContent) return;
  }
}

/** What somebody says of two blocks that overlap; "" to stop. */
function askPair(first, second) {
  const dialog = id("pair");
  const shared = axis => Math.round(Math.min(first.rect[axis] + first.rect[axis + 2], second.rect[axis] + second.rect[axis + 2]) - Math.max(first.rect[axis], second.rect[axis]));
  id("pair-what").textContent = `${named(first)} and ${named(second)} share ${shared(0)} × ${shared(1)} px. Which one should stay whole?`;
  const [one, other] = dialog.querySelectorAll("button");
  one.textContent = `Keep ${named(first)} whole`;
  other.textContent = `Keep ${named(second)} whole`;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise(done => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
}

/** Sends what was typed or taken from a form, and goes back to the blocks. */
function onSubmit(form, action) {
  id(form).addEventListener("submit", event => {
    event.preventDefault();
    action();
    id("blocks").focus();
  });
}

const actions = {
  parent: () => choose(current()?.parent),
  finer: finerHere,
  merge,
  accept: () => withChosen(one => ({ kind: "accept", block: one })),
  remove: () => withChosen(one => ({ kind: "delete", block: one })),
  flatten: () => ask({ kind: "flatten" }),
  resolve,
  undo: () => ask({ kind: "undo" }),
  redo: () => ask({ kind: "redo" }),
};
const label = role => withChosen(one => ({ kind: "label", block: one, label: role }));
const click = name => () => id(name).click();

for (const [name, action] of Object.entries(actions)) id(name).addEventListener("click", action);
for (const button of roles) button.addEventListener("click", () => label(button.dataset.role));
onSubmit("typing", () => withChosen(one => ({ kind: "label", block: one, type: id("type").value })));
onSubmit("asking", () => ask({ kind: "candidates", algorithm: id("algorithm").value }));
id("alone").addEventListener("change", () => id("drawn").classList.toggle("alone", id("alone").checked));

const to = mode => () => set(mode);
const role = name => () => label(name);

// All keys of the desk: under which heading, what they do in words, and the control that does the same.
bind([
  ["Select", "next and previous block; with Shift, extend the selection", { ArrowDown: event => arrow(0, 1, event), ArrowUp: event => arrow(0, -1, event) }],
  ["Select", "the enclosing block", { o: actions.parent }, "parent"],
  ["Select", "cycle through covered blocks", { i: actions.finer }, "finer"],
  ["Select", "keep this block and add the next one to the selection", { h: hold }],
  ["Select", "back to selecting", { Escape: to("choose") }, "choose"],
  ["Draw, pick, split", "draw a box", { b: to("box") }, "box"],
  ["Draw, pick, split", "pick an element; ← goes to the enclosing one", { e: to("element") }, "element"],
  ["Draw, pick, split", "split across", { s: to("across") }, "across"],
  ["Draw, pick, split", "split down", { d: to("down") }, "down"],
  ["Draw, pick, split", "move, as ↑ and ↓ do; with Shift, resize", { ArrowLeft: event => arrow(-1, 0, event), ArrowRight: event => arrow(1, 0, event) }],
  ["Draw, pick, split", "smaller and larger steps of the arrow keys", { "-": () => pace(-1), "+": () => pace(1) }],
  ["Draw, pick, split", "confirm", { Enter: event => (event.target.matches("button, a") ? event.target.click() : act()) }],
  ["Draw, pick, split", "nest new blocks in the selected one", { n: click("inside") }, "inside"],
  ["Change", "merge the second selected block into the first", { m: merge }, "merge"],
  ["Change", "remove the blocks nested in it", { a: actions.accept }, "accept"],
  ["Change", "delete; nested blocks move to the enclosing one", { Delete: actions.remove, Backspace: actions.remove }, "remove"],
  ["Change", "flatten: keep only blocks without nested ones", { f: actions.flatten }, "flatten"],
  ["Change", "resolve overlaps one pair at a time", { r: resolve }, "resolve"],
  ["Change", "undo", { z: actions.undo }, "undo"],
  ["Change", "redo", { y: actions.redo }, "redo"],
  ["Change", "candidates of an algorithm, replacing all blocks", { c: () => id("algorithm").focus() }, "algorithm"],
  ...roles.map(({ id: name, dataset }, at) => ["Label", dataset.role || "no role", { [(at + 1) % roles.length]: role(dataset.role) }, name]),
  ["Label", "type", { t: () => id("type").focus() }, "type"],
  ["View", "hide the blocks", { v: click("alone") }, "alone"],
  ["View", "fit the page to the width, or show it 1:1", { w: turn }, "scale"],
]);

then(async () => {
  const asked = new URLSearchParams({ by: main.dataset.by, id: main.dataset.id });
  const answer = await (await fetch(`/blocks/state?${asked}`)).json();
  begin(answer.elements, ask);
  update(answer);
  main.dataset.ready = "";
});
