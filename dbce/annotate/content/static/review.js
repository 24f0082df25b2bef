// Settles what people disagree on.

import { settling } from "/desk/static/settle.js";

settling("/label/settle", (item, button) => ({
  xpath: item.dataset.xpath,
  start: Number(item.dataset.start),
  end: Number(item.dataset.end),
  label: button.dataset.mark,
}), (open, all) => `${open} open, ${all - open} settled`);
