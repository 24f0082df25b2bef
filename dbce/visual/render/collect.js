// What a page is made of as it was laid out: its title and, in one pass over its body, elements, styles, texts.
// It runs in a world of its own, where nothing that the page's scripts have changed is seen.
// The answer is JSON: rows as arrays, in the order that dbce/visual/render/layout.py names.
((kept, longest) => {
  const round = (value) => Math.round(value * 64) / 64; // the unit that boxes are laid out in
  const box = (r) => [round(r.left + scrollX), round(r.top + scrollY), round(r.width), round(r.height)];
  const silent = new Set(["script", "style", "template"]);
  const styles = [];
  const known = new Map();
  // Children of an element with a shadow tree that has no slot for them are not shown and have no style.
  const notShown = [
    "none", "visible", "static", "none", "1", "16px", "normal", "400", "none", "start", "rgb(0, 0, 0)",
    "rgba(0, 0, 0, 0)", false, "0px", "0px", "0px", "0px", "horizontal-tb", "ltr",
  ];
  // Their display is "" in Chromium 156, and in 150 what it would be if they were shown.
  const unslotted = new Set();
  const isUnslotted = (element) =>
    unslotted.has(element.parentNode) || (element.parentNode.shadowRoot && !element.assignedSlot);
  const styleOf = (element) => {
    const s = getComputedStyle(element);
    const values = s.display === "" || unslotted.has(element) ? notShown : [
      s.display, s.visibility, s.position, s.cssFloat, s.opacity, s.fontSize, s.fontStyle,
      s.fontWeight, s.textDecorationLine, s.textAlign, s.color, s.backgroundColor,
      s.backgroundImage !== "none", s.borderTopWidth, s.borderRightWidth, s.borderBottomWidth,
      s.borderLeftWidth, s.writingMode, s.direction,
    ];
    const key = values.join("|");
    if (!known.has(key)) {
      known.set(key, styles.length);
      styles.push(values);
    }
    return known.get(key);
  };
  const attributesOf = (element) => {
    const found = {};
    for (const name of kept) {
      const value = element.getAttribute(name);
      if (value !== null) found[name] = value.slice(0, longest);
    }
    return found;
  };

  const title = document.title.slice(0, longest);
  const fonts = new Set();
  const elements = [];
  const texts = [];
  const root = document.body;
  if (root === null) {
    return JSON.stringify({ title, mode: document.compatMode, styles, elements, texts, fonts: [] });
  }
  const place = new Map([[root.parentNode, -1]]);
  const range = document.createRange();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  let order = 0;
  for (let node = root; node !== null; node = walker.nextNode()) {
    const parent = place.get(node.parentNode);
    if (node.nodeType === Node.ELEMENT_NODE) {
      place.set(node, elements.length);
      if (isUnslotted(node)) unslotted.add(node);
      const laidOut = node.getClientRects().length > 0;
      elements.push([
        parent, order++, node.getAttribute("dbce-tag") ?? node.localName, laidOut ? box(node.getBoundingClientRect()) : null,
        styleOf(node), attributesOf(node),
      ]);
    } else if (/\S/.test(node.data) && !silent.has(node.parentNode.localName)) {
      range.selectNodeContents(node);
      const rects = Array.from(range.getClientRects()).filter((r) => r.width > 0 && r.height > 0);
      texts.push([parent, order++, node.data, rects.map(box)]);
      if (rects.length > 0) fonts.add(getComputedStyle(node.parentNode).fontFamily);
    }
  }
  return JSON.stringify({ title, mode: document.compatMode, styles, elements, texts, fonts: [...fonts] });
})
