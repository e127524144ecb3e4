// The studio: one page at a time, its state in the address.

import { announce, byId, h, signButton } from "./dom.js";
import { FAMILIES, fresh, fromHash, toHash } from "./link.js";
import { MapsPage } from "./maps.js";
import { Store } from "./store.js";
import { startTheme, switchTheme } from "./theme.js";
import { WaysPage } from "./ways.js";

/** @type {[string, string][]} */
const SHORTCUTS = [
  ["1 to 5", "Acts, levels, floors, towers, ways"],
  ["R", "Roll a new seed"],
  ["S", "To the seed box"],
  ["M", "To the map; then arrow keys and Enter"],
  ["P", "Pin or play"],
  ["Backspace", "Take the last move back"],
  ["C", "Compare two maps"],
  ["N", "Acts: write column and row beside every node"],
  ["O", "Open a saved map, or a map of water"],
  ["L", "Copy the link of this page"],
  ["T", "Light or dark"],
  ["Space", "Ways: run or halt the search"],
  ["Ctrl Z, Ctrl Y", "Undo, redo"],
  ["?", "This list"],
];

const schemas = await (await fetch(new URL("schemas.json", import.meta.url))).json();
const store = new Store(fromHash(location.hash));
/** @type {MapsPage | WaysPage} */
let page = open();

/** The page of the state's family. */
function open() {
  const { family } = store.state;
  for (const link of document.querySelectorAll("nav a")) {
    const here = link instanceof HTMLElement && link.dataset.family === family;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.body.dataset.family = family;
  return family === "water" ? new WaysPage(store, schemas) : new MapsPage(store, schemas);
}

let writing = 0;

/** Writes the address, a little after the last change: browsers limit how often. */
function write() {
  clearTimeout(writing);
  writing = window.setTimeout(() => {
    const hash = toHash(store.state);
    history.replaceState(null, "", hash);
    const link = document.querySelector(`nav a[data-family=${store.state.family}]`);
    link?.setAttribute("href", hash);
    document.title = `${store.state.family} ${store.state.choices[0].seed} · Wayforge studio`;
  }, 60);
}

store.listen((state, before) => {
  if (state.family !== before.family) {
    page.close();
    page = open();
  }
  page.update(state, state.family === before.family ? before : null);
  undo.disabled = store.past.length === 0;
  redo.disabled = store.future.length === 0;
  write();
});

window.addEventListener("hashchange", () => {
  if (location.hash === toHash(store.state)) return;
  if (!location.hash.startsWith("#/")) return;
  const next = fromHash(location.hash);
  store.change((draft) => void Object.assign(draft, next));
});

const undo = signButton("undo", "Undo (Ctrl Z)", () => store.undo(), { disabled: true, id: "undo" });
const redo = signButton("redo", "Redo (Ctrl Y)", () => store.redo(), { disabled: true, id: "redo" });

async function copyLink() {
  const address = `${location.origin}${location.pathname}${toHash(store.state)}`;
  try {
    await navigator.clipboard.writeText(address);
    announce("The link is copied.");
  } catch {
    announce("The link stands in the address bar.");
  }
  link.classList.add("done");
  setTimeout(() => link.classList.remove("done"), 900);
}
const link = signButton("link", "Copy the link (L)", () => void copyLink(), { id: "link" });

function changeTheme() {
  switchTheme();
  page.repaint();
}

const shortcuts = /** @type {HTMLDialogElement} */ (byId("shortcuts"));
shortcuts.append(
  h("h2", { id: "shortcuts-title" }, "Keys"),
  h("dl", {}, ...SHORTCUTS.flatMap(([keys, what]) => [h("dt", {}, h("kbd", {}, keys)), h("dd", {}, what)])),
  h("button", { type: "button", onclick: () => shortcuts.close() }, "Close"),
);

byId("tools").append(
  undo,
  redo,
  link,
  signButton("moon", "Light or dark (T)", changeTheme, { id: "theme" }),
  signButton("keys", "Keys (?)", () => shortcuts.showModal(), { id: "keys" }),
);

/** @param {EventTarget | null} target */
function typing(target) {
  return target instanceof HTMLElement && (target.matches("input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select") || target.isContentEditable);
}

document.addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey;
  if (command && event.key.toLowerCase() === "z") {
    event.preventDefault();
    if (event.shiftKey) store.redo();
    else store.undo();
    return;
  }
  if (command && event.key.toLowerCase() === "y") {
    event.preventDefault();
    store.redo();
    return;
  }
  if (command || event.altKey || typing(event.target) || shortcuts.open) return;
  const at = "12345".indexOf(event.key);
  if (at >= 0) store.change((draft) => void Object.assign(draft, remembered(FAMILIES[at])));
  else if (event.key === "?") shortcuts.showModal();
  else if (event.key === "t") changeTheme();
  else if (event.key === "l") void copyLink();
  else if (event.key === "s") byId("seed").focus();
  else if (event.key === "m") (/** @type {SVGElement | HTMLElement | null} */ (document.querySelector("#stage .over, #stage canvas")))?.focus();
  else if (!page.key(event)) return;
  event.preventDefault();
});

/** What the family's page showed last. @param {import("./types.js").Family} family */
function remembered(family) {
  const hash = document.querySelector(`nav a[data-family=${family}]`)?.getAttribute("href");
  return hash ? fromHash(hash) : fresh(family);
}

startTheme(() => page.repaint());
page.update(store.state, null);
write();
