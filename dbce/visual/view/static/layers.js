// The layers over a screenshot: which are shown, and where a block of the lists is.

import { keys } from "/static/keys.js";
import { reveal, turn } from "/static/paper.js";

const switches = [...document.querySelectorAll("input[name=layer]")];

function show() {
  for (const { value, checked } of switches) {
    if (value === "roles") document.getElementById("drawn").classList.toggle("unnamed", !checked);
    else document.getElementById(value).toggleAttribute("hidden", !checked);
    document.getElementById(value.replace("blocks-", "list-"))?.toggleAttribute("hidden", !checked);
  }
}

for (const input of switches) input.addEventListener("change", show);
for (const link of document.querySelectorAll("a[data-rect]")) {
  link.addEventListener("click", event => {
    event.preventDefault();
    reveal(link.dataset.rect.split(" ").map(Number));
    for (const other of document.querySelectorAll("a[data-rect][aria-current]")) other.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
  });
}
keys("fit the page to the width, or show it 1:1", { w: turn });
show();
