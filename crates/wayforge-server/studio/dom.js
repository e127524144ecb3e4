// Helpers for creating elements.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Sets attributes and event listeners.
 * @param {Element} element
 * @param {{ [name: string]: any }} attributes
 */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Creates an HTML element. Attributes that start with `on` are event listeners.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {{ [name: string]: any }} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  for (const child of children) if (child || child === "") element.append(child);
  return element;
}

/**
 * Creates an SVG element.
 * @param {string} tag
 * @param {{ [name: string]: any }} [attributes]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svgElement(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/**
 * Returns the element with an id, which must exist.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

let lastId = 0;

/** Returns an unused element id. */
export function uniqueId() {
  lastId += 1;
  return `c${lastId}`;
}

/**
 * Announces a message to screen readers.
 * @param {string} message
 */
export function announce(message) {
  byId("announcer").textContent = message;
}

/**
 * Creates a button with an icon.
 * @param {string} symbol Name of an icon symbol of the page.
 * @param {string} name
 * @param {(event: MouseEvent) => void} onclick
 * @param {{ [name: string]: any }} [more]
 */
export function iconButton(symbol, name, onclick, more = {}) {
  const button = h("button", {
    type: "button",
    class: "icon-button",
    "aria-label": name,
    title: name,
    onclick,
    ...more,
  });
  button.append(icon(symbol));
  return button;
}

/** @param {string} symbol */
export function icon(symbol) {
  return svgElement(
    "svg",
    { class: "icon", "aria-hidden": "true", viewBox: "0 0 24 24" },
    svgElement("use", { href: `#icon-${symbol}` }),
  );
}

/** Labels of fields whose names are not clear on their own. @type {{ [name: string]: string }} */
const LABELS = {
  chestBudget: "Chests",
  cols: "Columns",
  doorBudget: "Doors",
  enemyBudget: "Enemies",
  itemBudget: "Items",
  kinds: "Room types",
  nearest: "Sideways reach",
  npcBudget: "NPCs",
  relicBudget: "Relics",
  trapBudget: "Traps",
  walks: "Paths",
  waterBudget: "Water tiles",
};

/** Label of a field: from the table above, or the name split into words. @param {string} name */
export function labelOf(name) {
  if (LABELS[name]) return LABELS[name];
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_-]/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param {number} number */
export function formatNumber(number) {
  return number.toLocaleString("en-US");
}
