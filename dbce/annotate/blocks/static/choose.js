// Settles whose blocks are the gold of a page that several people have drawn.

import { send } from "/static/ask.js";

const list = document.querySelector(".disputes");
const by = document.getElementById("by");
const wrong = document.getElementById("by-wrong");
const said = document.getElementById("said");

list?.addEventListener("click", async event => {
  const button = event.target.closest("button[data-whose]");
  if (!button) return;
  const item = button.closest("li[data-id]");
  wrong.textContent = "";
  by.removeAttribute("aria-invalid");
  try {
    const answer = await send("/blocks/choose", { by: by.value, id: item.dataset.id, whose: button.dataset.whose });
    item.dataset.mark = button.dataset.whose;
    for (const other of item.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
    said.textContent = answer.said;
    document.getElementById("open").textContent = `${list.querySelectorAll(":scope > li:not([data-mark])").length} open`;
  } catch (error) {
    wrong.textContent = error.message;
    if (error.field === "by") {
      by.setAttribute("aria-invalid", "true");
      by.focus();
    }
  }
});
