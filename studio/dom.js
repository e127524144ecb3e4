// Elements in one line each.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {{ [name: string]: any }} given
 */
function dress(element, given) {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * An element with attributes (`onclick` and the like are listeners) and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {{ [name: string]: any }} [given]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, given);
  for (const child of children) if (child || child === "") element.append(child);
  return element;
}

/**
 * The same for pictures.
 * @param {string} tag
 * @param {{ [name: string]: any }} [given]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function s(tag, given = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  dress(element, given);
  element.append(...children);
  return element;
}

/**
 * The element of the page with this id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

let last = 0;

/** An id that nothing else has. */
export function fresh() {
  last += 1;
  return `c${last}`;
}

/**
 * Tells those who cannot see.
 * @param {string} words
 */
export function announce(words) {
  byId("announcer").textContent = words;
}

/**
 * A button with a drawn sign and its name.
 * @param {string} sign One of the page's symbols.
 * @param {string} name
 * @param {(event: MouseEvent) => void} onclick
 * @param {{ [name: string]: any }} [more]
 */
export function signButton(sign, name, onclick, more = {}) {
  const button = h("button", { type: "button", class: "sign", "aria-label": name, title: name, onclick, ...more });
  button.append(icon(sign));
  return button;
}

/** @param {string} sign */
export function icon(sign) {
  return s("svg", { class: "icon", "aria-hidden": "true", viewBox: "0 0 24 24" }, s("use", { href: `#sign-${sign}` }));
}

/** @param {string} name A field's name as people say it. */
export function spoken(name) {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_-]/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param {number} number */
export function grouped(number) {
  return number.toLocaleString("en-US");
}
