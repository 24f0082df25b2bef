// Reading and marking a document that somebody else wrote.
//
// A page may name its parts like methods of a document or a form: after <img name="querySelector">, or
// <form><input name="closest"></form>, these are pictures and fields. So what is done in a frame is done with
// the methods of our own window's prototypes, to which no page can give another meaning.

const method = (type, name) => {
  const own = type.prototype[name];
  return (of, ...given) => Reflect.apply(own, of, given);
};

const property = (type, name) => {
  const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
  return of => Reflect.apply(get, of, []);
};

export const addressOf = property(Document, "URL");
export const append = method(Node, "appendChild");
export const bodyOf = property(Document, "body");
export const boxOf = method(Element, "getBoundingClientRect");
export const childrenOf = property(Node, "childNodes");
export const first = method(Document, "querySelector");
export const listenTo = method(EventTarget, "addEventListener");
export const newRange = method(Document, "createRange");
export const progressOf = property(Document, "readyState");
export const rootOf = property(Document, "documentElement");
export const viewOf = property(Document, "defaultView");

const getAttribute = method(Element, "getAttribute");
const removeAttribute = method(Element, "removeAttribute");
const setAttribute = method(Element, "setAttribute");
const select = method(Document, "querySelectorAll");
const closest = method(Element, "closest");
const kindOf = property(Node, "nodeType");

/** All elements of a document that fit a selector. */
export const all = (page, selector) => [...select(page, selector)];

/** The element nearest to where something happened that fits a selector, itself or around it; or null. */
export const around = (target, selector) => (kindOf(target) === Node.ELEMENT_NODE ? closest(target, selector) : null);

/** Gives an attribute to an element that may not be there; null takes it away. */
export function mark(element, name, value = "") {
  if (!element) return;
  if (value === null) removeAttribute(element, name);
  else setAttribute(element, name, value);
}

const scrollWidth = property(Element, "scrollWidth");
const clientWidth = property(Element, "clientWidth");

/** How wide what an element holds is, and how wide it shows it. */
export const spanOf = element => ({ scroll: scrollWidth(element), client: clientWidth(element) });

/** The place of the text run that an element holds, or another number that it is marked with. */
export const placeOf = (element, name = "data-dbce-at") => Number(getAttribute(element, name));
