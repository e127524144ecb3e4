// Pins: what of a map stays while the rest is rolled again. Levels, floors and acts of walks have pins in their configuration; for the
// other acts and for towers a roll goes to the next seed whose map keeps them.

/** @typedef {import("./types.js").MapScene} MapScene */
/** @typedef {import("./types.js").Choice} Choice */
/** @typedef {import("./types.js").Family} Family */
/** @typedef {import("./places.js").Spot} Spot */
/** @typedef {{ [name: string]: string }} Symbols What tiles and entities are drawn as. */

/**
 * Whether rolls look for a seed that keeps the pins.
 * @param {Family} family
 * @param {Choice} choice
 */
export function isKept(family, choice) {
  return family === "tower" || (family === "act" && (choice.config.ruleset ?? "walks") !== "walks");
}

/**
 * The spots that are pinned, and how many pins this map does not hold.
 * @param {Family} family
 * @param {Choice} choice
 * @param {MapScene} scene
 * @param {Symbols} symbols
 * @returns {{ spots: Spot[], lost: number }}
 */
export function pinsOf(family, choice, scene, symbols) {
  /** @type {Spot[]} */
  const spots = [];
  let lost = 0;
  if (family === "act") {
    for (const pin of isKept(family, choice) ? (choice.keep ?? []) : (choice.config.pins ?? [])) {
      const row = pin.row < 0 ? pin.row + scene.document.map.rows : pin.row;
      const at = scene.nodes.findIndex((node) => !node.boss && node.row === row && node.col === pin.col);
      if (at >= 0 && (!pin.kind || !scene.nodes[at].kind || scene.nodes[at].kind === pin.kind)) spots.push({ node: at });
      else lost += 1;
    }
  } else if (family === "tower") {
    for (const pin of choice.keep ?? []) {
      if (!("floor" in pin)) continue;
      const floor = scene.document.map.floors[pin.floor - 1];
      if (floor && symbolAt(floor, pin.x, pin.y, symbols) === pin.symbol) spots.push({ grid: pin.floor - 1, x: pin.x, y: pin.y });
      else lost += 1;
    }
  } else {
    (choice.config.pins ?? []).forEach((/** @type {string} */ line, /** @type {number} */ y) =>
      [...line].forEach((tile, x) => void (tile !== "?" && spots.push({ grid: 0, x, y }))),
    );
    for (const end of family === "floor" ? [choice.config.entrance, choice.config.exit] : []) if (end) spots.push({ grid: 0, x: end.x, y: end.y });
  }
  return { spots, lost };
}

/**
 * Pins a spot, or takes its pin away.
 * @param {Family} family
 * @param {Choice} choice It is changed.
 * @param {MapScene} scene
 * @param {Spot} spot
 * @param {Symbols} symbols
 * @returns {string} What happened, in words.
 */
export function togglePin(family, choice, scene, spot, symbols) {
  if (family === "act" && "node" in spot) return pinNode(family, choice, scene, spot.node);
  if (!("grid" in spot)) return "";
  const { map } = scene.document;
  if (family === "level") return pinCell(choice, map.rows.length, spot, map.rows[spot.y][spot.x], map.rows[0].length);
  if (family === "tower") return keepCell(choice, spot, symbolAt(map.floors[spot.grid], spot.x, spot.y, symbols));
  if (choice.config.templateId || choice.config.template) return "A template fixes every cell.";
  for (const end of ["entrance", "exit"]) {
    const { x, y } = choice.config[end] ?? {};
    if (x === spot.x && y === spot.y) {
      delete choice.config[end];
      return `The ${end} is free again.`;
    }
  }
  return pinCell(choice, map.height ?? scene.grids[0].height, spot, symbolAt(map, spot.x, spot.y, symbols), scene.grids[0].width);
}

/** What stands on a cell of a floor, as floors are drawn. @param {any} floor @param {number} x @param {number} y @param {Symbols} symbols */
export function symbolAt(floor, x, y, symbols) {
  const here = (/** @type {any} */ one) => one.pos.x === x && one.pos.y === y;
  const thing = floor.entities.find(here) ?? floor.tiles.find(here);
  return symbols[thing?.kind] ?? "?";
}

/** @param {Family} family @param {Choice} choice @param {MapScene} scene @param {number} at */
function pinNode(family, choice, scene, at) {
  const node = scene.nodes[at];
  if (node.boss) return "The boss is always there.";
  const kept = isKept(family, choice);
  /** @type {any[]} */
  const pins = (kept ? choice.keep : choice.config.pins) ?? [];
  const rest = pins.filter((pin) => !((pin.row === node.row || pin.row + scene.document.map.rows === node.row) && pin.col === node.col));
  const free = rest.length === pins.length;
  if (free) rest.push(node.kind ? { row: node.row, col: node.col, kind: node.kind } : { row: node.row, col: node.col });
  if (kept) setKeep(choice, rest);
  else if (rest.length) choice.config.pins = rest;
  else delete choice.config.pins;
  const name = `Node ${node.col},${node.row}`;
  return free ? `${name} is pinned${node.kind ? ` as ${node.kind}` : ""}.` : `${name} is free again.`;
}

/** @param {Choice} choice @param {{ grid: number, x: number, y: number }} spot @param {string} symbol */
function keepCell(choice, { grid, x, y }, symbol) {
  const pins = choice.keep ?? [];
  const rest = pins.filter((pin) => !("floor" in pin && pin.floor === grid + 1 && pin.x === x && pin.y === y));
  const free = rest.length === pins.length;
  setKeep(choice, free ? [...pins, { floor: grid + 1, x, y, symbol }] : rest);
  const name = `Cell ${x},${y} of floor ${grid + 1}`;
  return free ? `${name} is pinned as ${symbol}.` : `${name} is free again.`;
}

/** @param {Choice} choice @param {import("./types.js").Keep[]} pins */
function setKeep(choice, pins) {
  if (pins.length) choice.keep = pins;
  else delete choice.keep;
}

/** @param {Choice} choice @param {number} height @param {{ x: number, y: number }} spot @param {string} symbol @param {number} width */
function pinCell(choice, height, spot, symbol, width) {
  const drawing = Array.from({ length: height }, (_, y) => (choice.config.pins?.[y] ?? "").padEnd(width, "?").slice(0, width));
  const free = drawing[spot.y][spot.x] === "?";
  const tile = free ? symbol : "?";
  drawing[spot.y] = drawing[spot.y].slice(0, spot.x) + tile + drawing[spot.y].slice(spot.x + 1);
  setDrawing(choice, drawing);
  return free ? `Cell ${spot.x},${spot.y} is pinned as ${tile}.` : `Cell ${spot.x},${spot.y} is free again.`;
}

/** @param {Choice} choice @param {string[]} drawing */
function setDrawing(choice, drawing) {
  if (drawing.every((line) => /^\?*$/.test(line))) delete choice.config.pins;
  else choice.config.pins = drawing;
}

/**
 * Keeps the drawing of pins as large as the level or the floor.
 * @param {Choice} choice It is changed.
 * @param {number} width
 * @param {number} height
 */
export function fitPins(choice, width, height) {
  if (!choice.config.pins || !(width > 0 && width <= 1024 && height > 0 && height <= 1024)) return;
  setDrawing(choice, Array.from({ length: height }, (_, y) => (choice.config.pins[y] ?? "").padEnd(width, "?").slice(0, width)));
}
