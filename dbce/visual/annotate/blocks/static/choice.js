// The blocks as they are now, which of them are chosen, and how both are shown.

import { draw, reveal } from "/static/paper.js";

const id = name => document.getElementById(name);
const list = id("blocks");
const roles = [...document.querySelectorAll("button.role")];
const others = []; // what else is to be shown anew
let blocks = [];
let overlaps = []; // pairs of ids
let chosen = []; // ids; the last is the current one
let held = null; // a block to which the next that is chosen comes

export const block = name => blocks.find(one => one.id === name);
export const current = () => block(chosen.at(-1));
export const chosenNow = () => [...chosen];
export const overlapsNow = () => overlaps;
export const has = ([x, y, w, h], at) => at.x >= x && at.x <= x + w && at.y >= y && at.y <= y + h;
export const area = ([, , w, h]) => w * h;
export const named = one => [`Block ${number(one.id)}`, one.label, one.type && `“${one.type}”`].filter(Boolean).join(", ");

const number = name => blocks.findIndex(one => one.id === name) + 1;
const meet = (a, b) => a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];

/** Calls `action()` whenever other blocks are there or chosen. */
export const onShow = action => others.push(action);

/** Takes over what the server says of the blocks; new ones are chosen. */
export function update(answer) {
  ({ blocks, overlaps } = answer);
  held = null;
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

/** Chooses a block; with `more` it comes to those that are chosen, or goes if it is one. */
export function choose(name, { more = false } = {}) {
  if (!name) return;
  if (!more) chosen = held && held !== name ? [held, name] : [name];
  else chosen = chosen.includes(name) && chosen.length > 1 ? chosen.filter(one => one !== name) : [...chosen.filter(one => one !== name), name];
  show();
  const rect = current()?.rect;
  if (rect) reveal(rect);
}

/** Chooses two blocks and shows the second. */
export function choosePair(first, second) {
  chosen = [first];
  choose(second, { more: true });
}

/** To a block further down or up the list. */
export function go(by, more) {
  const at = chosen.length ? number(chosen.at(-1)) - 1 + by : 0;
  const next = blocks[Math.min(blocks.length - 1, Math.max(0, at))];
  if (next && next.id !== chosen.at(-1)) choose(next.id, { more });
}

/** The id of the smallest block under a place. */
export function under(place) {
  return blocks.filter(one => one.rect && has(one.rect, place)).sort((a, b) => area(a.rect) - area(b.rect))[0]?.id;
}

/** Chooses one that the current block covers, or that covers it, at a place if that is on it: each in turn. */
export function finer(place) {
  const now = current();
  if (!now) return;
  const here = place && has(now.rect, place) ? one => has(one.rect, place) : one => meet(one.rect, now.rect);
  const all = blocks.filter(one => one.rect && here(one)).sort((a, b) => area(b.rect) - area(a.rect) || number(a.id) - number(b.id));
  choose(all[(all.indexOf(now) + 1) % all.length]?.id);
}

/** Keeps the current block chosen while another is chosen, or lets it go. */
export function hold() {
  held = held ? null : chosen.at(-1) ?? null;
  id("said").textContent = held ? `${named(block(held))} stays selected; select the other.` : "";
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
  id("what").textContent = now ? chosen.map(name => named(block(name))).join(" and ") : "No block selected";
  for (const button of roles) button.setAttribute("aria-pressed", String(Boolean(now) && button.dataset.role === now.label));
  if (document.activeElement !== id("type")) id("type").value = now?.type ?? "";
  if (now) {
    const made = list.children[number(now.id) - 1];
    list.setAttribute("aria-activedescendant", made.id);
    const top = made.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + made.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
  } else list.removeAttribute("aria-activedescendant");
  // Those that hold others first, so that the others can be seen; what is chosen over all.
  const order = blocks.filter(one => one.rect).sort((a, b) => chosen.includes(a.id) - chosen.includes(b.id) || area(b.rect) - area(a.rect));
  draw(id("boxes"), order.map(one => ({ rect: one.rect, kind: kind(one), words: `${number(one.id)} ${one.label}` })));
  for (const action of others) action();
}

function kind(one) {
  return ["block", one.label || "none", one.holds ? "holds" : "", chosen.includes(one.id) ? "chosen" : ""].join(" ");
}

list.addEventListener("click", event => {
  const made = event.target.closest("li");
  if (made) choose(made.dataset.id, { more: event.shiftKey || event.ctrlKey || event.metaKey });
});
