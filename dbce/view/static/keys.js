// Single-key shortcuts, which can be turned off; a list of those of this page in a dialog.

import { around, listenTo } from "./dom.js";

const help = document.getElementById("help");
const on = document.getElementById("keys-on");
const opener = document.getElementById("help-open");
const list = document.getElementById("keys");
const known = new Map();
const NAMES = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Delete: "Del", Escape: "Esc" };

/** Single keys call their actions with the event, unless somebody types or the keys are off; `says` is
 * what they do in words. */
export function keys(says, actions) {
  for (const [name, action] of Object.entries(actions)) known.set(name, { action, says });
}

/** Handles the keys that are pressed in a document: ours, or that of a frame. */
export function listen(page) {
  listenTo(page, "keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || !on.checked) return;
    if (around(event.target, "input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]")) return;
    const found = known.get(event.key);
    if (!found) return;
    event.preventDefault();
    found.action(event);
  });
}

/** Opens the list of what works on this page; keys that do one thing stand together. */
function tell() {
  const bySaying = Map.groupBy(known, ([, { says }]) => says);
  list.replaceChildren(...[...bySaying].flatMap(([says, entries]) => {
    const names = document.createElement("dt");
    for (const [name] of entries) names.append(Object.assign(document.createElement("kbd"), { textContent: NAMES[name] ?? name }), " ");
    return [names, Object.assign(document.createElement("dd"), { textContent: says })];
  }));
  help.showModal();
}

/** Leafs through the links of a list. */
function leaf(links, by) {
  const at = links.indexOf(document.activeElement);
  links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by]?.focus();
}

on.checked = localStorage.getItem("dbce-keys") !== "off";
on.addEventListener("change", () => localStorage.setItem("dbce-keys", on.checked ? "on" : "off"));
opener.hidden = false;
opener.addEventListener("click", tell);
const search = document.getElementById("words") ?? document.getElementById("quick");
if (search) keys("search", { "/": () => search.focus() });
keys("overview", { g: () => location.assign("/") });
keys("this list", { "?": tell });
for (const link of document.querySelectorAll("[data-key]")) keys(link.dataset.says, { [link.dataset.key]: () => link.click() });
const links = [...document.querySelectorAll("[data-leaf]")];
if (links.length) keys("next and previous in the list; Enter opens it", { j: () => leaf(links, 1), k: () => leaf(links, -1) });
listen(document);
