// Two captures side by side: what they share is marked in both, and leads from one to the other.

import { mark, rootOf } from "./dom.js";
import { choose, elementOf, onRun, whenShown } from "./frame.js";
import { listen } from "./keys.js";

const pair = document.querySelector(".pair");

if (pair) {
  const there = new Map(Object.entries(JSON.parse(pair.dataset.shared)).map(([at, to]) => [Number(at), to]));
  const back = new Map();
  for (const [at, to] of there) for (const one of to) if (!back.has(one)) back.set(one, [at]);
  const sides = [
    { frame: document.getElementById("cur"), shared: there, page: null },
    { frame: document.getElementById("other"), shared: back, page: null },
  ];
  sides.forEach((side, number) => {
    const other = sides[1 - number];
    whenShown(side.frame, page => {
      side.page = page;
      mark(rootOf(page), "data-dbce-show", "shared");
      for (const at of side.shared.keys()) mark(elementOf(page, at), "data-dbce-shared");
      listen(page);
      onRun(page, at => {
        if (!side.shared.has(at)) return;
        choose(page, at);
        if (other.page) choose(other.page, side.shared.get(at)[0]);
      });
    });
  });
}
