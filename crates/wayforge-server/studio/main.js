// Entry point of the studio: one page at a time, with its state in the URL fragment.

import { announce, byId, h, iconButton } from "./dom.js";
import { FAMILIES, defaultState, fromHash, toHash } from "./link.js";
import { MapsPage } from "./maps.js";
import { Store } from "./store.js";
import { startTheme, switchTheme } from "./theme.js";
import { PathfindingPage } from "./pathfinding.js";

/** @type {[string, string][]} */
const SHORTCUTS = [
  ["1 to 5", "Acts, levels, floors, towers, pathfinding"],
  ["R", "Random seed"],
  ["S", "Go to the seed"],
  ["M", "Go to the map; then arrow keys and Enter"],
  ["P", "Pin or play"],
  ["Backspace", "Undo move"],
  ["C", "Compare two maps"],
  ["N", "Acts: label nodes with column and row"],
  ["O", "Open a saved map or a grid file"],
  ["L", "Copy link"],
  ["T", "Light or dark theme"],
  ["Space", "Pathfinding: play or pause the search"],
  ["Ctrl Z, Ctrl Y", "Undo, redo"],
  ["?", "Keyboard shortcuts"],
];

const schemas = await (await fetch(new URL("schemas.json", import.meta.url))).json();
const store = new Store(fromHash(location.hash));
/** @type {MapsPage | PathfindingPage} */
let page = openPage();

/** Opens the page of the current family. */
function openPage() {
  const { family } = store.state;
  for (const link of document.querySelectorAll("nav a")) {
    const current = link instanceof HTMLElement && link.dataset.family === family;
    if (current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.body.dataset.family = family;
  return family === "path" ? new PathfindingPage(store, schemas) : new MapsPage(store, schemas);
}

let writeTimer = 0;

/** Updates the URL shortly after the last change, because browsers limit the rate. */
function writeHash() {
  clearTimeout(writeTimer);
  writeTimer = window.setTimeout(() => {
    const hash = toHash(store.state);
    history.replaceState(null, "", hash);
    const link = document.querySelector(`nav a[data-family=${store.state.family}]`);
    link?.setAttribute("href", hash);
    document.title = `${store.state.family} ${store.state.maps[0].seed} · Wayforge studio`;
  }, 60);
}

store.listen((state, before) => {
  if (state.family !== before.family) {
    page.close();
    page = openPage();
  }
  page.update(state, state.family === before.family ? before : null);
  undo.disabled = store.past.length === 0;
  redo.disabled = store.future.length === 0;
  writeHash();
});

window.addEventListener("hashchange", () => {
  if (location.hash === toHash(store.state)) return;
  if (!location.hash.startsWith("#/")) return;
  const next = fromHash(location.hash);
  store.change((draft) => void Object.assign(draft, next));
});

const undo = iconButton("undo", "Undo (Ctrl Z)", () => store.undo(), {
  disabled: true,
  id: "undo",
});
const redo = iconButton("redo", "Redo (Ctrl Y)", () => store.redo(), {
  disabled: true,
  id: "redo",
});

async function copyLink() {
  const address = `${location.origin}${location.pathname}${toHash(store.state)}`;
  try {
    await navigator.clipboard.writeText(address);
    announce("Link copied.");
  } catch {
    announce("Copy the link from the address bar.");
  }
  link.classList.add("done");
  setTimeout(() => link.classList.remove("done"), 900);
}
const link = iconButton("link", "Copy link (L)", () => void copyLink(), { id: "link" });

function changeTheme() {
  switchTheme();
  page.repaint();
}

const shortcuts = /** @type {HTMLDialogElement} */ (byId("shortcuts"));
shortcuts.append(
  h("h2", { id: "shortcuts-title" }, "Keyboard shortcuts"),
  h(
    "dl",
    {},
    ...SHORTCUTS.flatMap(([keys, action]) => [
      h("dt", {}, h("kbd", {}, keys)),
      h("dd", {}, action),
    ]),
  ),
  h("button", { type: "button", onclick: () => shortcuts.close() }, "Close"),
);

byId("tools").append(
  undo,
  redo,
  link,
  iconButton("moon", "Light or dark theme (T)", changeTheme, { id: "theme" }),
  iconButton("keys", "Keyboard shortcuts (?)", () => shortcuts.showModal(), { id: "keys" }),
);

/** @param {EventTarget | null} target */
function isTextInput(target) {
  return (
    target instanceof HTMLElement &&
    (target.matches(
      "input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select",
    ) ||
      target.isContentEditable)
  );
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
  if (command || event.altKey || isTextInput(event.target) || shortcuts.open) return;
  const index = "12345".indexOf(event.key);
  if (index >= 0) store.change((draft) => void Object.assign(draft, lastState(FAMILIES[index])));
  else if (event.key === "?") shortcuts.showModal();
  else if (event.key === "t") changeTheme();
  else if (event.key === "l") void copyLink();
  else if (event.key === "s") byId("seed").focus();
  else if (event.key === "m")
    /** @type {SVGElement | HTMLElement | null} */ (
      document.querySelector("#stage .over, #stage canvas")
    )?.focus();
  else if (!page.key(event)) return;
  event.preventDefault();
});

/** Last state of a family's page. @param {import("./types.js").Family} family */
function lastState(family) {
  const hash = document.querySelector(`nav a[data-family=${family}]`)?.getAttribute("href");
  return hash ? fromHash(hash) : defaultState(family);
}

startTheme(() => page.repaint());
page.update(store.state, null);
writeHash();
