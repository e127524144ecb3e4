// Pins: parts of a map that stay when the seed changes. Levels, floors and act maps with the
// ruleset `walks` have pins in their configuration. For other act maps and for towers, a search
// finds the next seed whose map has the pinned parts.

/** @typedef {import("./types.js").MapScene} MapScene */
/** @typedef {import("./types.js").MapSettings} MapSettings */
/** @typedef {import("./types.js").Family} Family */
/** @typedef {import("./spots.js").Spot} Spot */
/** @typedef {{ [name: string]: string }} Symbols Characters of tiles and entities. */

/**
 * Returns true if pins are kept by searching for a seed.
 * @param {Family} family
 * @param {MapSettings} settings
 */
export function usesSeedSearch(family, settings) {
  return (
    family === "tower" || (family === "act" && (settings.config.ruleset ?? "walks") !== "walks")
  );
}

/**
 * Returns the pinned spots, and the number of pins that this map does not have.
 * @param {Family} family
 * @param {MapSettings} settings
 * @param {MapScene} scene
 * @param {Symbols} symbols
 * @returns {{ spots: Spot[], missing: number }}
 */
export function pinsOf(family, settings, scene, symbols) {
  /** @type {Spot[]} */
  const spots = [];
  let missing = 0;
  if (family === "act") {
    for (const pin of usesSeedSearch(family, settings)
      ? (settings.searchPins ?? [])
      : (settings.config.pins ?? [])) {
      const row = pin.row < 0 ? pin.row + scene.document.map.rows : pin.row;
      const index = scene.nodes.findIndex(
        (node) => !node.boss && node.row === row && node.col === pin.col,
      );
      const kind = scene.nodes[index]?.kind;
      if (index >= 0 && (!pin.kind || !kind || kind === pin.kind)) spots.push({ node: index });
      else missing += 1;
    }
  } else if (family === "tower") {
    for (const pin of settings.searchPins ?? []) {
      if (!("floor" in pin)) continue;
      const floor = scene.document.map.floors[pin.floor - 1];
      if (floor && symbolAt(floor, pin.x, pin.y, symbols) === pin.symbol)
        spots.push({ grid: pin.floor - 1, x: pin.x, y: pin.y });
      else missing += 1;
    }
  } else {
    (settings.config.pins ?? []).forEach((/** @type {string} */ line, /** @type {number} */ y) =>
      [...line].forEach((tile, x) => void (tile !== "?" && spots.push({ grid: 0, x, y }))),
    );
    for (const end of family === "floor" ? [settings.config.entrance, settings.config.exit] : [])
      if (end) spots.push({ grid: 0, x: end.x, y: end.y });
  }
  return { spots, missing };
}

/**
 * Pins or unpins a spot.
 * @param {Family} family
 * @param {MapSettings} settings Changed in place.
 * @param {MapScene} scene
 * @param {Spot} spot
 * @param {Symbols} symbols
 * @returns {string} Message for the user.
 */
export function togglePin(family, settings, scene, spot, symbols) {
  if (family === "act" && "node" in spot) return pinNode(family, settings, scene, spot.node);
  if (!("grid" in spot)) return "";
  const { map } = scene.document;
  if (family === "level") {
    const symbol = map.rows[spot.y][spot.x];
    return pinCell(
      settings,
      map.rows.length,
      spot,
      symbol,
      levelSymbolName(symbol),
      map.rows[0].length,
    );
  }
  const nameOf = (/** @type {string} */ symbol) =>
    Object.keys(symbols).find((name) => symbols[name] === symbol) ?? "cell";
  if (family === "tower") {
    const symbol = symbolAt(map.floors[spot.grid], spot.x, spot.y, symbols);
    return pinTowerCell(settings, spot, symbol, nameOf(symbol));
  }
  if (settings.config.templateId || settings.config.template)
    return "A template already fixes every cell.";
  for (const end of ["entrance", "exit"]) {
    const { x, y } = settings.config[end] ?? {};
    if (x === spot.x && y === spot.y) {
      delete settings.config[end];
      return `Unpinned ${end} at ${x},${y}`;
    }
  }
  const symbol = symbolAt(map, spot.x, spot.y, symbols);
  return pinCell(
    settings,
    map.height ?? scene.grids[0].height,
    spot,
    symbol,
    nameOf(symbol),
    scene.grids[0].width,
  );
}

/** Names of the symbols of levels, as in their legend. @type {{ [symbol: string]: string }} */
const LEVEL_SYMBOLS = {
  O: "outside",
  B: "outer wall",
  E: "exit",
  1: "interior wall",
  ".": "floor",
  P: "player start",
  C: "car",
  x: "pitfall",
  h: "houseplant",
  w: "puddle",
  e: "empty fuel can",
  f: "fuel",
  l: "flashlight",
  s: "shoes",
  "^": "floor moving north",
  v: "floor moving south",
  "<": "floor moving west",
  ">": "floor moving east",
};

/** Name of a symbol of a level. @param {string} symbol */
export function levelSymbolName(symbol) {
  return LEVEL_SYMBOLS[symbol] ?? symbol;
}

/**
 * Character of a cell of a floor. @param {any} floor @param {number} x @param {number} y @param
 * {Symbols} symbols
 */
export function symbolAt(floor, x, y, symbols) {
  const isAt = (/** @type {any} */ object) => object.pos.x === x && object.pos.y === y;
  const object = floor.entities.find(isAt) ?? floor.tiles.find(isAt);
  return symbols[object?.kind] ?? "?";
}

/**
 * @param {Family} family @param {MapSettings} settings @param {MapScene} scene
 * @param {number} index
 */
function pinNode(family, settings, scene, index) {
  const node = scene.nodes[index];
  if (node.boss) return "Every map has the boss; it cannot be pinned.";
  const searches = usesSeedSearch(family, settings);
  /** @type {any[]} */
  const pins = (searches ? settings.searchPins : settings.config.pins) ?? [];
  const rest = pins.filter(
    (pin) =>
      !(
        (pin.row === node.row || pin.row + scene.document.map.rows === node.row) &&
        pin.col === node.col
      ),
  );
  const isNew = rest.length === pins.length;
  if (isNew)
    rest.push(
      node.kind
        ? { row: node.row, col: node.col, kind: node.kind }
        : { row: node.row, col: node.col },
    );
  if (searches) setSearchPins(settings, rest);
  else if (rest.length) settings.config.pins = rest;
  else delete settings.config.pins;
  return `${isNew ? "Pinned" : "Unpinned"} ${node.kind ?? "node"} at ${node.col},${node.row}`;
}

/**
 * @param {MapSettings} settings @param {{ grid: number, x: number, y: number }} spot
 * @param {string} symbol @param {string} name
 */
function pinTowerCell(settings, { grid, x, y }, symbol, name) {
  const pins = settings.searchPins ?? [];
  const rest = pins.filter(
    (pin) => !("floor" in pin && pin.floor === grid + 1 && pin.x === x && pin.y === y),
  );
  const isNew = rest.length === pins.length;
  setSearchPins(settings, isNew ? [...pins, { floor: grid + 1, x, y, symbol }] : rest);
  return `${isNew ? "Pinned" : "Unpinned"} ${name} at ${x},${y} on floor ${grid + 1}`;
}

/** @param {MapSettings} settings @param {import("./types.js").SearchPin[]} pins */
function setSearchPins(settings, pins) {
  if (pins.length) settings.searchPins = pins;
  else delete settings.searchPins;
}

/**
 * @param {MapSettings} settings @param {number} height @param {{ x: number, y: number }} spot
 * @param {string} symbol @param {string} name @param {number} width
 */
function pinCell(settings, height, spot, symbol, name, width) {
  const drawing = Array.from({ length: height }, (_, y) =>
    (settings.config.pins?.[y] ?? "").padEnd(width, "?").slice(0, width),
  );
  const isNew = drawing[spot.y][spot.x] === "?";
  const tile = isNew ? symbol : "?";
  drawing[spot.y] = drawing[spot.y].slice(0, spot.x) + tile + drawing[spot.y].slice(spot.x + 1);
  setDrawing(settings, drawing);
  return `${isNew ? "Pinned" : "Unpinned"} ${name} at ${spot.x},${spot.y}`;
}

/** @param {MapSettings} settings @param {string[]} drawing */
function setDrawing(settings, drawing) {
  if (drawing.every((line) => /^\?*$/.test(line))) delete settings.config.pins;
  else settings.config.pins = drawing;
}

/**
 * Resizes the drawing of pins to the size of the level or floor.
 * @param {MapSettings} settings Changed in place.
 * @param {number} width
 * @param {number} height
 */
export function fitPins(settings, width, height) {
  const { pins } = settings.config;
  if (!pins || !(width > 0 && width <= 1024 && height > 0 && height <= 1024)) return;
  setDrawing(
    settings,
    Array.from({ length: height }, (_, y) => (pins[y] ?? "").padEnd(width, "?").slice(0, width)),
  );
}
