// Settles what several people did differently: a list, each item with a button for each way.

import { send } from "./ask.js";

const list = document.querySelector(".disputes");
const by = document.getElementById("by");
const wrong = document.getElementById("by-wrong");
const said = document.getElementById("said");

/** Sends what is decided by a click: `what(item, button)` names it, `counts(open, all)` tells what is left. */
export function settling(address, what, counts) {
  list?.addEventListener("click", async event => {
    const button = event.target.closest("button.say");
    if (!button) return;
    const item = button.closest("li[data-id]");
    wrong.textContent = "";
    by.removeAttribute("aria-invalid");
    try {
      const answer = await send(address, { by: by.value, id: item.dataset.id, ...what(item, button) });
      item.dataset.mark = button.dataset.mark;
      for (const other of item.querySelectorAll("button.say")) {
        other.setAttribute("aria-pressed", String(other === button));
      }
      said.textContent = answer.said;
      const open = list.querySelectorAll(":scope > li:not([data-mark])").length;
      document.getElementById("open").textContent = counts(open, list.children.length);
    } catch (error) {
      wrong.textContent = error.message;
      if (error.field === "by") {
        by.setAttribute("aria-invalid", "true");
        by.focus();
      }
    }
  });
}
