// The archived page in a sandboxed frame. No script of its own runs; ours reaches in from outside.

/** Calls `ready(document)` when the frame's page is there. */
export function whenShown(frame, ready) {
  const call = () => {
    const page = frame.contentDocument;
    if (page && page.body && page.URL !== "about:blank") ready(page);
  };
  frame.addEventListener("load", call);
  if (frame.contentDocument?.readyState === "complete") call();
}

/** The element that holds a text run, or null. */
export function elementOf(page, at) {
  return page.querySelector(`[data-dbce-at="${Number(at)}"]`);
}

/** Marks one text run as the chosen one, and brings it into view. */
export function choose(page, at) {
  for (const old of page.querySelectorAll("[data-dbce-chosen]")) old.removeAttribute("data-dbce-chosen");
  const element = elementOf(page, at);
  if (!element) return false;
  element.setAttribute("data-dbce-chosen", "");
  scrollTo(page, element);
  return true;
}

/** Scrolls the frame alone: scrollIntoView would move our own page too. */
function scrollTo(page, element) {
  const box = element.getBoundingClientRect();
  const view = page.defaultView;
  if (!box.width && !box.height) return;
  if (box.top < 60 || box.bottom > view.innerHeight - 40) {
    view.scrollBy({ top: box.top - view.innerHeight / 3, behavior: "instant" });
  }
}

/** Calls `chosen(at)` when a text run in the frame is clicked. */
export function onRun(page, chosen) {
  page.addEventListener("click", event => {
    const element = event.target.closest?.("[data-dbce-at]");
    event.preventDefault();
    if (element) chosen(Number(element.dataset.dbceAt));
  });
}
