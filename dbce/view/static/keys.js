// Single-key shortcuts, which can be turned off; a list of them in a dialog.

const help = document.getElementById("help");
const on = document.getElementById("keys-on");
const opener = document.getElementById("help-open");
const known = new Map();

/** A single key calls `action` with its event, unless somebody types or the keys are off. */
export function key(name, action) {
  known.set(name, action);
}

/** Handles the keys that are pressed in a document: ours, or that of a frame. */
export function listen(page) {
  page.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open || !on.checked) return;
    if (event.target.closest?.("input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]")) return;
    const action = known.get(event.key);
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}

/** A key follows the first link that fits a selector, if there is one. */
export function follow(name, selector) {
  key(name, () => document.querySelector(selector)?.click());
}

on.checked = localStorage.getItem("dbce-keys") !== "off";
on.addEventListener("change", () => localStorage.setItem("dbce-keys", on.checked ? "on" : "off"));
opener.hidden = false;
opener.addEventListener("click", () => help.showModal());
key("?", () => help.showModal());
key("g", () => location.assign("/"));
key("/", () => (document.getElementById("words") ?? document.getElementById("quick")).focus());
listen(document);
