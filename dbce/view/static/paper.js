// The screenshot of a page with something drawn over it: how it is scaled, and what is where on it.

const NS = "http://www.w3.org/2000/svg";
const view = document.getElementById("view");
const paper = document.getElementById("paper");
const drawn = document.getElementById("drawn");
const button = document.getElementById("scale");
const shot = document.getElementById("shot");
const size = { w: Number(shot.getAttribute("width")), h: Number(shot.getAttribute("height")) };
let fitting = localStorage.getItem("dbce-paper") !== "1:1";

/** Screen pixels of a pixel of the page. */
export const scale = () => paper.clientWidth / size.w || 1;

/** Where something happened, in pixels of the page; never off it. */
export function placeOf(event) {
  const edge = paper.getBoundingClientRect();
  const within = (value, most) => Math.min(most, Math.max(0, value / scale()));
  return { x: within(event.clientX - edge.left, size.w), y: within(event.clientY - edge.top, size.h) };
}

/** A rectangle of the page that is in the middle of what is seen. */
export function middle(w, h) {
  const x = (view.scrollLeft + view.clientWidth / 2) / scale() - w / 2;
  const y = (view.scrollTop + view.clientHeight / 2) / scale() - h / 2;
  return keptIn([x, y, Math.min(w, size.w), Math.min(h, size.h)]);
}

/** A rectangle moved so that it lies on the page. */
export function keptIn([x, y, w, h]) {
  return [Math.min(size.w - w, Math.max(0, x)), Math.min(size.h - h, Math.max(0, y)), w, h];
}

/** Scrolls the screenshot, and not our own page, to a rectangle. */
export function reveal([x, y, w, h]) {
  const by = scale();
  const sees = (from, length, start, extent) => from * by >= start && (from + Math.min(length, 40 / by)) * by <= start + extent;
  if (!sees(y, h, view.scrollTop, view.clientHeight)) view.scrollTop = y * by - view.clientHeight / 5;
  if (!sees(x, w, view.scrollLeft, view.clientWidth)) view.scrollLeft = x * by - view.clientWidth / 5;
}

/** Draws rectangles in a group: [{ rect, kind, words }]. */
export function draw(group, boxes) {
  group.replaceChildren(...boxes.map(({ rect, kind, words }) => {
    const [x, y, width, height] = rect;
    const box = shape("g", { class: kind }, shape("rect", { x, y, width, height }));
    if (words) {
      const text = shape("text", { x: x + width, y, dx: "-0.35em", dy: "1.15em" }); // texts begin on the left
      text.textContent = words;
      box.append(text);
    }
    return box;
  }));
}

function shape(name, values, ...inside) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

function lay() {
  paper.style.width = fitting ? "100%" : `${size.w}px`;
  drawn.style.setProperty("--px", 1 / scale());
  button.textContent = fitting ? `Fitted at ${Math.round(100 * scale())} % · show 1:1` : "Shown 1:1 · fit the width";
}

/** Fits the page to the width, or shows it 1:1; what was at the top stays there. */
export function turn() {
  const top = view.scrollTop / scale();
  fitting = !fitting;
  localStorage.setItem("dbce-paper", fitting ? "fit" : "1:1");
  lay();
  view.scrollTop = top * scale();
}

button.addEventListener("click", turn);
new ResizeObserver(lay).observe(view);
lay();
