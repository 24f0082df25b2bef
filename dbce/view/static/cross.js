// Two captures side by side: what they share is marked in both, and leads from one to the other.

import { mark, rootOf } from "./dom.js";
import { fit } from "./fit.js";
import { choose, elementOf, onRun, whenShown } from "./frame.js";
import { keys, listen } from "./keys.js";

const pair = document.querySelector(".pair");

if (pair) {
  const there = new Map(Object.entries(JSON.parse(pair.dataset.shared)).map(([at, to]) => [Number(at), to]));
  let current = -1;
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
      fit(side.frame, page);
      mark(rootOf(page), "data-dbce-show", "shared");
      for (const at of side.shared.keys()) mark(elementOf(page, at), "data-dbce-shared");
      listen(page);
      onRun(page, at => side.shared.has(at) && go(side, other, at));
    });
  });

  /** Shows a text that both have, in both. */
  function go(side, other, at) {
    if (side.page) choose(side.page, at);
    if (other.page) choose(other.page, side.shared.get(at)[0]);
    current = [...there.keys()].indexOf(side === sides[0] ? at : side.shared.get(at)[0]);
  }

  function step(by) {
    const at = [...there.keys()][Math.max(0, current + by)];
    if (at !== undefined) go(...sides, at);
  }

  keys("next and previous text that both have", { j: () => step(1), k: () => step(-1) });
}
