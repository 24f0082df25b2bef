// A capture: what is shown of it, its text runs, and why.

import { boxOf, mark, rootOf } from "./dom.js";
import { fit, scaleOf } from "./fit.js";
import { choose, elementOf, onRun, whenShown } from "./frame.js";
import { keys, listen } from "./keys.js";

const main = document.querySelector("main");
const frame = document.getElementById("frame");
const stage = document.querySelector(".stage");
const side = document.querySelector(".side");
const why = document.getElementById("why");
const answer = why?.querySelector(".answer");
const close = why?.querySelector(".close");
const text = document.getElementById("text");
const source = document.getElementById("source");
const links = [...document.querySelectorAll(".runs a")];
const shows = [...document.querySelectorAll("input[name=show]")];
const narrow = matchMedia("(max-width: 62rem)");
let page = null;
let chosen = null;
let asked = 0;

if (frame) {
  for (const input of shows) input.addEventListener("change", () => show(input.value));
  document.querySelector(".runs").addEventListener("click", event => {
    const link = event.target.closest("a[data-at]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    select(Number(link.dataset.at), { beside: link.closest("li") });
  });
  document.querySelector(".outline")?.addEventListener("click", event => {
    const link = event.target.closest("a[data-at]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    select(Number(link.dataset.at), {});
  });
  whenShown(frame, shown => {
    page = shown;
    fit(frame, page);
    show(shows.find(input => input.checked).value);
    onRun(page, (at, event) => select(at, { tapped: event.clientY }));
    listen(page);
    if (chosen !== null) {
      choose(page, chosen);
      put({});
    }
  });
  close.addEventListener("click", () => why.classList.remove("open"));
  narrow.addEventListener("change", () => put({}));
  if (main.dataset.chosen) select(Number(main.dataset.chosen), {});
  offerKeys();
}

/** One of: page, verdicts, content, text, source. */
function show(what) {
  const framed = !["text", "source"].includes(what);
  frame.parentElement.hidden = !framed;
  text.hidden = what !== "text";
  source.hidden = what !== "source";
  if (framed && page) {
    mark(rootOf(page), "data-dbce-show", what);
    fit(frame, page);
    if (chosen !== null) choose(page, chosen);
  }
  if (what === "source" && !source.textContent) loadSource();
}

async function loadSource() {
  const found = await fetch(`/source?id=${encodeURIComponent(main.dataset.id)}`);
  source.textContent = found.ok ? await found.text() : "The source cannot be read.";
}

/** Chooses a text run: in the list, in the page, and why; `where` is as in `put`. */
async function select(at, where) {
  const link = links[at];
  if (!link) return;
  for (const other of links) other.toggleAttribute("aria-current", false);
  chosen = at;
  link.setAttribute("aria-current", "true");
  const list = link.closest("ol");
  if (!where.beside) list.scrollTop = link.closest("li").offsetTop - list.offsetTop - list.clientHeight / 3;
  if (page) choose(page, at, where.tapped === undefined);
  history.replaceState(null, "", `/capture?id=${encodeURIComponent(main.dataset.id)}&run=${at}`);
  const mine = ++asked;
  why.setAttribute("aria-busy", "true");
  put(where);
  const found = await fetch(`${link.getAttribute("href")}&part=1`);
  if (mine !== asked) return; // another one was chosen meanwhile
  if (found.ok) answer.innerHTML = await found.text();
  else answer.textContent = "That cannot be explained just now.";
  why.removeAttribute("aria-busy");
  why.scrollTop = 0;
  if (narrow.matches) why.scrollIntoView({ block: "nearest" });
}

/** Puts the reason where one looks: beside the page, or on a narrow screen below what was tapped, which is
 * `beside` in the list or at the height `tapped` in the page; else below the chosen passage. */
function put({ beside = null, tapped }) {
  why.classList.toggle("open", chosen !== null);
  close.hidden = !narrow.matches;
  why.style.top = "";
  if (!narrow.matches) side.prepend(why);
  else if (beside) beside.append(why);
  else {
    const element = page && chosen !== null && elementOf(page, chosen);
    const below = tapped ?? (element ? boxOf(element).bottom : 0);
    const { offsetTop: top, clientHeight: height } = frame.parentElement;
    why.style.top = `${top + Math.min(height, Math.max(0, below * scaleOf(frame))) + 14}px`;
    stage.append(why);
  }
}

function step(by, label = null) {
  let at = (chosen ?? (by > 0 ? -1 : links.length)) + by;
  while (label && links[at] && !links[at].closest("li").classList.contains(label)) at += by;
  if (links[at]) select(at, {});
}

function offerKeys() {
  keys("page, verdicts, content only, text, source", Object.fromEntries(shows.map((input, number) => [number + 1, () => input.click()])));
  keys("next and previous text run, and why", { j: () => step(1), k: () => step(-1) });
  keys("next content, next boilerplate", { c: () => step(1, "content"), b: () => step(1, "boilerplate") });
}
