// Lays the page out from the beginning, now that all is there.
// While it is loaded it is laid out in as many steps as it comes in; not all boxes are then where they would be if it
// had come in one. Pages in an <object> or <embed> would be loaded again: what holds one stays as it is.
(() => {
  if (frames.length > document.querySelectorAll("iframe, frame").length) return;
  const root = document.documentElement;
  const [left, top, style] = [scrollX, scrollY, root.getAttribute("style")];
  root.style.setProperty("display", "none", "important");
  root.getBoundingClientRect();
  if (style === null) root.removeAttribute("style"); else root.setAttribute("style", style);
  scrollTo({ left, top, behavior: "instant" });
})()
