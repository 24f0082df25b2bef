// A capture: what is shown of it, its text runs, and why.

import { choose, onRun, whenShown } from "./frame.js";
import { follow, key, listen } from "./keys.js";

const main = document.querySelector("main");
const frame = document.getElementById("frame");
const why = document.getElementById("why");
const text = document.getElementById("text");
const source = document.getElementById("source");
const links = [...document.querySelectorAll(".runs a")];
const shows = [...document.querySelectorAll("input[name=show]")];
let page = null;
let chosen = null;
let asked = 0;

if (frame) {
  for (const input of shows) input.addEventListener("change", () => show(input.value));
  document.querySelector(".runs").addEventListener("click", event => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    select(Number(link.dataset.at));
  });
  whenShown(frame, shown => {
    page = shown;
    show(shows.find(input => input.checked).value);
    onRun(page, select);
    listen(page);
    if (chosen !== null) choose(page, chosen);
  });
  if (main.dataset.chosen) select(Number(main.dataset.chosen));
}

/** One of: page, verdicts, content, text, source. */
function show(what) {
  const framed = !["text", "source"].includes(what);
  frame.hidden = !framed;
  text.hidden = what !== "text";
  source.hidden = what !== "source";
  if (framed && page) {
    page.documentElement.setAttribute("data-dbce-show", what);
    if (chosen !== null) choose(page, chosen);
  }
  if (what === "source" && !source.textContent) loadSource();
}

async function loadSource() {
  const answer = await fetch(`/source?id=${encodeURIComponent(main.dataset.id)}`);
  source.textContent = answer.ok ? await answer.text() : "The source cannot be read.";
}

/** Chooses a text run: in the list, in the page, and why. */
async function select(at) {
  if (links.length && !links[at]) return;
  for (const link of links) link.toggleAttribute("aria-current", false);
  chosen = at;
  const link = links[at];
  link.setAttribute("aria-current", "true");
  const list = link.closest("ol");
  list.scrollTop = link.closest("li").offsetTop - list.offsetTop - list.clientHeight / 3;
  if (page) choose(page, at);
  history.replaceState(null, "", `/capture?id=${encodeURIComponent(main.dataset.id)}&run=${at}`);
  const mine = ++asked;
  why.setAttribute("aria-busy", "true");
  const answer = await fetch(`${link.getAttribute("href")}&part=1`);
  if (mine !== asked) return; // another one was chosen meanwhile
  if (answer.ok) why.innerHTML = await answer.text();
  else why.textContent = "That cannot be explained just now.";
  why.removeAttribute("aria-busy");
  why.scrollTop = 0;
  // On a narrow screen the reason stands below the page.
  if (matchMedia("(max-width: 62rem)").matches) why.scrollIntoView({ block: "nearest" });
}

function step(by, label = null) {
  let at = (chosen ?? (by > 0 ? -1 : links.length)) + by;
  while (label && links[at] && !links[at].closest("li").classList.contains(label)) at += by;
  if (links[at]) select(at);
}

shows.forEach((input, number) => key(String(number + 1), () => input.click()));
key("j", () => step(1));
key("k", () => step(-1));
key("c", () => step(1, "content"));
key("b", () => step(1, "boilerplate"));
follow("[", ".snapshots a[rel=prev]");
follow("]", ".snapshots a[rel=next]");
follow("t", '.tabs a[href^="/timeline"]');
follow("x", '.tabs a[href^="/cross"]');
