// The timeline: two snapshots are chosen with keys, too.

import { keys } from "./keys.js";

const form = document.querySelector("main form");

/** Chooses the snapshot whose link has the focus. */
function choose(name) {
  document.activeElement.closest("li")?.querySelector(`input[name=${name}]`)?.click();
}

if (form.querySelector("button")) {
  keys("choose this snapshot as A, as B", { a: () => choose("with"), b: () => choose("id") });
  keys("compare A and B", { d: () => form.requestSubmit() });
}
