// Settles what people disagree on.

import { send } from "./ask.js";

const main = document.querySelector("main");
const list = document.querySelector(".disputes");
const by = document.getElementById("by");
const wrong = document.getElementById("by-wrong");
const said = document.getElementById("said");

list?.addEventListener("click", async event => {
  const button = event.target.closest("button.say");
  if (!button) return;
  const item = button.closest("li[data-id]");
  wrong.textContent = "";
  by.removeAttribute("aria-invalid");
  try {
    const answer = await send("/label/settle", {
      by: by.value,
      id: item.dataset.id,
      xpath: item.dataset.xpath,
      start: Number(item.dataset.start),
      end: Number(item.dataset.end),
      label: button.dataset.mark,
    });
    item.dataset.mark = answer.settled;
    for (const other of item.querySelectorAll("button.say")) {
      other.setAttribute("aria-pressed", String(other === button));
    }
    said.textContent = answer.said;
    const open = list.querySelectorAll(":scope > li:not([data-mark])").length;
    document.getElementById("open").textContent = `${open} open, ${list.children.length - open} settled`;
  } catch (error) {
    wrong.textContent = error.message;
    if (error.field === "by") {
      by.setAttribute("aria-invalid", "true");
      by.focus();
    }
  }
});
