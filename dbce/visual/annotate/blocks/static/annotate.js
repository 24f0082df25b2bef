// The annotator: what is sent to be done with the blocks, and the keys and buttons for it.

import { send } from "/desk/static/ask.js";
import { reveal, turn } from "/static/paper.js";
import { bind } from "./bind.js";
import { block, choose, chosenNow, choosePair, current, hold, named, overlapsNow, update } from "./choice.js";
import { act, arrow, begin, finerHere, pace, set } from "./modes.js";

const id = name => document.getElementById(name);
const main = document.querySelector("main");
const roles = [...document.querySelectorAll("button.role")];
let waiting = Promise.resolve();

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
  then(() => { for (const one of chosenNow()) ask(what(one)); });
}

function merge() {
  then(() => {
    const [first, second, ...more] = chosenNow();
    if (!second || more.length) throw new Error("Choose two blocks: click the second with Shift, or go there with Shift and an arrow.");
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
  id("pair-what").textContent = `${named(first)} and ${named(second)} share ${shared(0)} × ${shared(1)} px. Which stays whole?`;
  const [one, other] = dialog.querySelectorAll("button");
  one.textContent = `${named(first)} stays whole`;
  other.textContent = `${named(second)} stays whole`;
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
  ["Choose", "block after and before; with Shift choose it too", { ArrowDown: event => arrow(0, 1, event), ArrowUp: event => arrow(0, -1, event) }],
  ["Choose", "the block around it", { o: actions.parent }, "parent"],
  ["Choose", "one that it covers, each in turn", { i: actions.finer }, "finer"],
  ["Choose", "hold this block, so that the next one is chosen with it", { h: hold }],
  ["Choose", "back to choosing", { Escape: to("choose") }, "choose"],
  ["Draw, pick, split", "draw a box", { b: to("box") }, "box"],
  ["Draw, pick, split", "pick an element; ← goes to the one around it", { e: to("element") }, "element"],
  ["Draw, pick, split", "split across", { s: to("across") }, "across"],
  ["Draw, pick, split", "split down", { d: to("down") }, "down"],
  ["Draw, pick, split", "move it, as ↑ and ↓ do; with Shift another size", { ArrowLeft: event => arrow(-1, 0, event), ArrowRight: event => arrow(1, 0, event) }],
  ["Draw, pick, split", "shorter and longer steps of the arrows", { "-": () => pace(-1), "+": () => pace(1) }],
  ["Draw, pick, split", "do it", { Enter: event => (event.target.matches("button, a") ? event.target.click() : act()) }],
  ["Draw, pick, split", "new blocks inside the chosen one, or on the page", { n: click("inside") }, "inside"],
  ["Change", "merge the second that is chosen into the first", { m: merge }, "merge"],
  ["Change", "accept: drop the blocks in it", { a: actions.accept }, "accept"],
  ["Change", "delete; the blocks in it go to the one around it", { Delete: actions.remove, Backspace: actions.remove }, "remove"],
  ["Change", "flatten: only blocks that hold no others stay", { f: actions.flatten }, "flatten"],
  ["Change", "resolve overlaps pair by pair", { r: resolve }, "resolve"],
  ["Change", "take back", { z: actions.undo }, "undo"],
  ["Change", "do again", { y: actions.redo }, "redo"],
  ["Change", "candidates of an algorithm, in place of all blocks", { c: () => id("algorithm").focus() }, "algorithm"],
  ...roles.map(({ id: name, dataset }, at) => ["Label", dataset.role || "no role", { [(at + 1) % roles.length]: role(dataset.role) }, name]),
  ["Label", "type", { t: () => id("type").focus() }, "type"],
  ["See", "the page without blocks", { v: click("alone") }, "alone"],
  ["See", "fit the page to the width, or show it 1:1", { w: turn }, "scale"],
]);

then(async () => {
  const asked = new URLSearchParams({ by: main.dataset.by, id: main.dataset.id });
  const answer = await (await fetch(`/blocks/state?${asked}`)).json();
  begin(answer.elements, ask);
  update(answer);
  main.dataset.ready = "";
});
