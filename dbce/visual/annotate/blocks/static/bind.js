// Keys from one table: what binds them, tells them in the list, and names them on the controls that do the same.

import { keys, nameOf } from "/static/keys.js";

/** Binds a table of keys, as [heading, what they do, { key: action }, id of the control that does the same]. */
export function bind(table) {
  for (const [heading, says, actions, control] of table) {
    keys(says, actions, heading);
    if (control) hint(document.getElementById(control), says, Object.keys(actions));
  }
}

function hint(control, says, names) {
  control.setAttribute("aria-keyshortcuts", names.join(" "));
  (control.closest("label") ?? control).title = `${says}: ${names.map(nameOf).join(", ")}`;
}
