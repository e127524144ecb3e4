// Pins: what of a map stays while the rest is rolled again.

/** @typedef {import("./types.js").MapScene} MapScene */
/** @typedef {import("./types.js").Choice} Choice */
/** @typedef {import("./places.js").Spot} Spot */

/**
 * @param {import("./types.js").Family} family
 * @param {Choice} choice
 * @returns {string} What can be pinned, in words; empty if nothing can.
 */
export function pinnable(family, choice) {
  if (family === "act") return (choice.config.ruleset ?? "walks") === "walks" ? "nodes" : "";
  return { level: "cells", floor: "entrance and exit", tower: "the first entrance", water: "" }[family] ?? "";
}

/**
 * The spots that are pinned.
 * @param {import("./types.js").Family} family
 * @param {Choice} choice
 * @param {MapScene} scene
 * @returns {Spot[]}
 */
export function pinsOf(family, choice, scene) {
  const { config } = choice;
  /** @type {Spot[]} */
  const spots = [];
  if (family === "act") {
    for (const pin of config.pins ?? []) {
      const row = pin.row < 0 ? pin.row + scene.document.map.rows : pin.row;
      const at = scene.nodes.findIndex((node) => !node.boss && node.row === row && node.col === pin.col);
      if (at >= 0) spots.push({ node: at });
    }
  } else if (family === "level") {
    (config.pins ?? []).forEach((/** @type {string} */ line, /** @type {number} */ y) =>
      [...line].forEach((tile, x) => void (tile !== "?" && spots.push({ grid: 0, x, y }))),
    );
  } else {
    const floor = family === "tower" ? (config.floor ?? {}) : config;
    for (const end of [floor.entrance, family === "floor" ? floor.exit : null]) if (end) spots.push({ grid: 0, x: end.x, y: end.y });
  }
  return spots;
}

/**
 * Pins a spot, or takes its pin away.
 * @param {import("./types.js").Family} family
 * @param {Choice} choice It is changed.
 * @param {MapScene} scene
 * @param {Spot} spot
 * @returns {string} What happened, in words.
 */
export function togglePin(family, choice, scene, spot) {
  if (family === "act" && "node" in spot) return pinNode(choice, scene, spot.node);
  if (!("grid" in spot)) return "";
  if (family === "level") return pinCell(choice, scene, spot);
  return pinEnd(family, choice, scene, spot);
}

/** @param {Choice} choice @param {MapScene} scene @param {number} at */
function pinNode(choice, scene, at) {
  const node = scene.nodes[at];
  if (!pinnable("act", choice)) return "Only the walks ruleset keeps pins.";
  if (node.boss) return "The boss is always there.";
  /** @type {any[]} */
  const pins = choice.config.pins ?? [];
  const rest = pins.filter((pin) => !((pin.row === node.row || pin.row + scene.document.map.rows === node.row) && pin.col === node.col));
  const name = `Node ${node.row},${node.col}`;
  if (rest.length < pins.length) {
    if (rest.length) choice.config.pins = rest;
    else delete choice.config.pins;
    return `${name} is free again.`;
  }
  const pin = node.kind ? { row: node.row, col: node.col, kind: node.kind } : { row: node.row, col: node.col };
  choice.config.pins = [...pins, pin];
  return `${name} is pinned${node.kind ? ` as ${node.kind}` : ""}.`;
}

/** @param {Choice} choice @param {MapScene} scene @param {{ x: number, y: number }} spot */
function pinCell(choice, scene, spot) {
  /** @type {string[]} */
  const rows = scene.document.map.rows;
  /** @type {string[]} */
  const drawing = rows.map((row, y) => {
    const line = choice.config.pins?.[y] ?? "";
    return line.padEnd(row.length, "?").slice(0, row.length);
  });
  const free = drawing[spot.y][spot.x] === "?";
  const tile = free ? rows[spot.y][spot.x] : "?";
  drawing[spot.y] = drawing[spot.y].slice(0, spot.x) + tile + drawing[spot.y].slice(spot.x + 1);
  if (drawing.every((line) => /^\?*$/.test(line))) delete choice.config.pins;
  else choice.config.pins = drawing;
  return free ? `Cell ${spot.x},${spot.y} is pinned as ${tile}.` : `Cell ${spot.x},${spot.y} is free again.`;
}

/** @param {import("./types.js").Family} family @param {Choice} choice @param {MapScene} scene @param {{ grid: number, x: number, y: number }} spot */
function pinEnd(family, choice, scene, spot) {
  const floor = family === "tower" ? scene.document.map.floors[spot.grid] : scene.document.map;
  const is = (/** @type {{ x: number, y: number }} */ end) => end.x === spot.x && end.y === spot.y;
  const end = is(floor.entrance) ? "entrance" : is(floor.exit) ? "exit" : "";
  if (!end) return "Entrances and exits can be pinned; click one.";
  if (family === "tower" && (end === "exit" || spot.grid > 0)) return "A tower keeps the entrance of its first floor; the others follow from it.";
  const into = family === "tower" ? (choice.config.floor ??= { carve: "walk", itemBudget: 1, open: "density", wallDensity: 0.4 }) : choice.config;
  if (into[end]) {
    delete into[end];
    return `The ${end} is free again.`;
  }
  into[end] = { x: spot.x, y: spot.y };
  return `The ${end} is pinned at ${spot.x},${spot.y}.`;
}

/**
 * Keeps the drawing of a level's pins as large as the level.
 * @param {Choice} choice It is changed.
 * @param {number} width
 * @param {number} height
 */
export function fitPins(choice, width, height) {
  if (!choice.config.pins || !(width > 0 && width <= 1024 && height > 0 && height <= 1024)) return;
  const lines = Array.from({ length: height }, (_, y) => (choice.config.pins[y] ?? "").padEnd(width, "?").slice(0, width));
  if (lines.every((line) => /^\?*$/.test(line))) delete choice.config.pins;
  else choice.config.pins = lines;
}
