// A region that is drawn over the archived page: the text runs that it touches.

const LEAST = 6; // pixels; less is a click

/** Calls `pointed(places, event)` with the runs of a click, or of a region that was drawn. */
export function onPointer(page, pointed) {
  let from = null;
  let box = null;
  page.addEventListener("pointerdown", event => {
    if (event.button !== 0 || event.pointerType === "touch") return; // fingers scroll, and tap
    event.preventDefault();
    from = { x: event.pageX, y: event.pageY };
  });
  page.addEventListener("pointermove", event => {
    if (!from) return;
    if (!box && Math.hypot(event.pageX - from.x, event.pageY - from.y) < LEAST) return;
    box ??= page.documentElement.appendChild(Object.assign(page.createElement("div"), { id: "dbce-region" }));
    const region = between(from, { x: event.pageX, y: event.pageY });
    Object.assign(box.style, { left: `${region.left}px`, top: `${region.top}px`, width: `${region.right - region.left}px`, height: `${region.bottom - region.top}px` });
  });
  page.addEventListener("pointerup", event => {
    const region = box && from && between(from, { x: event.pageX, y: event.pageY });
    from = null;
    if (!region) return;
    box.remove();
    box = null;
    pointed(touched(page, region), event);
    page.addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => page.removeEventListener("click", stop, { capture: true }));
  });
  page.addEventListener("click", event => {
    event.preventDefault();
    const element = event.target.closest?.("[data-dbce-at]");
    if (element) pointed([Number(element.dataset.dbceAt)], event);
  });
  page.addEventListener("selectstart", event => event.preventDefault());
  page.addEventListener("dragstart", event => event.preventDefault());
}

function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}

function between(a, b) {
  return { left: Math.min(a.x, b.x), right: Math.max(a.x, b.x), top: Math.min(a.y, b.y), bottom: Math.max(a.y, b.y) };
}

/** The runs whose own text a region touches; an element's box may be far larger than its text. */
function touched(page, region) {
  const view = page.defaultView;
  const range = page.createRange();
  const meets = box =>
    box.width && box.height &&
    box.left + view.scrollX < region.right && box.right + view.scrollX > region.left &&
    box.top + view.scrollY < region.bottom && box.bottom + view.scrollY > region.top;
  return [...page.querySelectorAll("[data-dbce-at]")].flatMap(element => {
    const own = [...element.childNodes].filter(node => node.nodeType === 3 && node.data.trim());
    const hit = own.some(node => {
      range.selectNodeContents(node);
      return [...range.getClientRects()].some(meets);
    });
    return hit ? [Number(element.dataset.dbceAt)] : [];
  });
}
