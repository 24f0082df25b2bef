// Keys from one table: what binds them, lists them, and names them in the tooltips of the controls that do the same.

import { keys, nameOf } from "/static/keys.js";

/** Binds a table of keys, as [heading, what they do, { key: action }, id of the control that does the same]. */
export function bind(table) {
  for (const [heading, says, actions, control] of table) {
    keys(says, actions, heading);
    if (control) hint(document.getElementById(control), says, Object.keys(actions));
  }
}

/** Binds such a table whose controls do nothing yet; a click on one does what its first key does. */
export function bindButtons(table) {
  bind(table);
  for (const [, , actions, control] of table) {
    if (control) document.getElementById(control).addEventListener("click", Object.values(actions)[0]);
  }
}

function hint(control, says, names) {
  control.setAttribute("aria-keyshortcuts", names.join(" "));
  (control.closest("label") ?? control).title = `${says}: ${names.map(nameOf).join(", ")}`;
}
