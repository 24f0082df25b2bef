// Single-key shortcuts, which can be turned off; a list of those of this page in a dialog.

import { around, listenTo } from "./dom.js";

const help = document.getElementById("help");
const on = document.getElementById("keys-on");
const opener = document.getElementById("help-open");
const list = document.getElementById("keys");
const beside = Boolean(document.querySelector("main[data-keys=beside]")); // the list is open while one works
const known = new Map();
const LAST = "All pages";
const NAMES = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Backspace: "⌫", Delete: "Del", Escape: "Esc" };

/** How a key is called in words. */
export const nameOf = key => NAMES[key] ?? key;

/** Single keys call their actions with the event, unless somebody types or the keys are off; `says` is
 * what they do in words, `group` heads them in the list. */
export function keys(says, actions, group = LAST) {
  for (const [name, action] of Object.entries(actions)) known.set(name, { action, says, group });
}

/** Handles the keys that are pressed in a document: ours, or that of a frame. */
export function listen(page) {
  listenTo(page, "keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog:modal") || !on.checked) return;
    if (around(event.target, "input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]")) return;
    const found = known.get(event.key);
    if (!found) return;
    event.preventDefault();
    found.action(event);
  });
}

/** Opens the list of what works on this page, or closes it where it stays open beside the work. */
function tell() {
  if (!beside) {
    list.replaceChildren(...listed());
    help.showModal();
  } else if (help.open) help.close();
  else show();
}

/** Opens the list beside the work, which keeps the focus. */
function show() {
  const working = document.activeElement;
  list.replaceChildren(...listed());
  help.show();
  document.activeElement.blur(); // what the list took, where nothing had it before
  working?.focus({ preventScroll: true });
  help.scrollTop = 0;
  remember();
}

function remember() {
  localStorage.setItem("dbce-keys-beside", help.open ? "open" : "closed");
  opener.setAttribute("aria-expanded", String(help.open));
}

/** All keys, group by group; those that do one thing stand together. */
function listed() {
  const groups = [...Map.groupBy(known, ([, { group }]) => group)].sort(([a], [b]) => (a === LAST) - (b === LAST));
  return groups.map(([group, entries]) => {
    const section = document.createElement("section");
    if (groups.length > 1) section.append(Object.assign(document.createElement("h3"), { textContent: group }));
    const words = Object.assign(document.createElement("dl"), { className: "keys" });
    for (const [says, same] of Map.groupBy(entries, ([, entry]) => entry.says)) {
      const names = document.createElement("dt");
      for (const [name] of same) names.append(Object.assign(document.createElement("kbd"), { textContent: nameOf(name) }), " ");
      words.append(names, Object.assign(document.createElement("dd"), { textContent: says }));
    }
    section.append(words);
    return section;
  });
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
if (beside) {
  help.classList.add("beside");
  help.addEventListener("close", remember);
  opener.setAttribute("aria-controls", help.id);
  opener.setAttribute("aria-expanded", "false");
  // When the page has named its keys, too.
  if (localStorage.getItem("dbce-keys-beside") === "open") addEventListener("load", show);
}
