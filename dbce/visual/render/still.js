// Brings what moves to its end, or to its beginning if it has none, and lets no transition begin any more.
// Drawing would begin some: the browser changes the window for that, and back, and each change is one of style.
// A marquee, which nothing stops for long, becomes an element that stands where it stood; collect.js knows it by its
// attribute.
(() => {
  for (const one of document.getAnimations()) {
    try { one.finish(); } catch { one.cancel(); }
  }
  document.activeElement?.blur();
  for (const old of document.querySelectorAll("marquee")) {
    const { width, height } = getComputedStyle(old);
    const still = document.createElement("div");
    for (const { name, value } of old.attributes) still.setAttribute(name, value);
    still.setAttribute("dbce-tag", "marquee");
    Object.assign(still.style, { display: "inline-block", overflow: "hidden", width, height });
    still.append(...old.childNodes);
    old.replaceWith(still);
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, ::before, ::after { transition: none !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()
