// The archived page in the width of its frame: laid out as wide as it needs and scaled down, or 1:1.

import { bodyOf, rootOf, spanOf } from "./dom.js";
import { keys } from "./keys.js";

const WIDEST = 2400; // pixels; a page may ask for millions
const button = document.querySelector("button.scale:not(#scale)");
const shown = new Map(); // frame: its page, and how it is scaled
let fitting = localStorage.getItem("dbce-scale") !== "1:1";

/** Fits a page into its frame, now and whenever that changes its size. */
export function fit(frame, page) {
  if (!shown.has(frame)) new ResizeObserver(() => draw(frame)).observe(frame.parentElement);
  shown.set(frame, { page, scale: 1, wider: false });
  draw(frame);
}

/** How far a frame is scaled. */
export const scaleOf = frame => shown.get(frame)?.scale ?? 1;

function draw(frame) {
  const { clientWidth: width, clientHeight: height } = frame.parentElement;
  const { page } = shown.get(frame);
  if (!width) return; // not to be seen now
  let wide = width;
  lay(frame, wide, height, 1);
  const wider = over(page) > 0;
  // A wider frame may make a page wider still.
  for (let tries = 0; fitting && tries < 3 && wide < WIDEST && over(page) > 0; tries++) {
    wide = Math.min(WIDEST, wide + over(page));
    lay(frame, wide, height, width / wide);
  }
  shown.set(frame, { page, scale: width / wide, wider });
  tell();
}

function lay(frame, width, height, scale) {
  Object.assign(frame.style, { width: `${width}px`, height: `${height / scale}px`, transform: scale === 1 ? "" : `scale(${scale})` });
}

/** By how many pixels a page is wider than its frame. */
function over(page) {
  const root = spanOf(rootOf(page));
  return Math.max(root.scroll, spanOf(bodyOf(page)).scroll) - root.client;
}

function tell() {
  const all = [...shown.values()];
  const least = Math.min(...all.map(({ scale }) => scale));
  button.hidden = !all.some(({ wider }) => wider);
  button.textContent = fitting ? `Fitted at ${Math.round(100 * least)} % · show 1:1` : "Shown 1:1 · fit the width";
}

/** Fits the pages to the width of their frames, or shows them 1:1. */
export function turn() {
  fitting = !fitting;
  localStorage.setItem("dbce-scale", fitting ? "fit" : "1:1");
  for (const frame of shown.keys()) draw(frame);
}

button?.addEventListener("click", turn);
if (button) keys("fit the page to the width, or show it 1:1", { w: turn });
