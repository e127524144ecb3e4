// Spots of an image (nodes and cells): hit testing, keyboard navigation and marks.

import { svgElement } from "./dom.js";

/** @typedef {import("./types.js").MapScene} MapScene */
/** @typedef {{ node: number } | { grid: number, x: number, y: number }} Spot */

/** @param {Spot | null} a @param {Spot | null} b */
export function sameSpot(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Returns the spot at a point of the image.
 * @param {MapScene} scene
 * @param {number} x
 * @param {number} y
 * @returns {Spot | null}
 */
export function spotAt(scene, x, y) {
  let best = -1;
  let nearest = Infinity;
  scene.nodes.forEach((node, i) => {
    const distance = Math.hypot(node.x - x, node.y - y);
    if (distance < node.radius + 14 && distance < nearest) [best, nearest] = [i, distance];
  });
  if (best >= 0) return { node: best };
  for (const [i, grid] of scene.grids.entries()) {
    const [column, row] = [
      Math.floor((x - grid.x) / grid.tile),
      Math.floor((y - grid.y) / grid.tile),
    ];
    if (column >= 0 && row >= 0 && column < grid.width && row < grid.height)
      return { grid: i, x: column, y: row };
  }
  return null;
}

/**
 * Returns the next spot in the direction of an arrow key.
 * @param {MapScene} scene
 * @param {Spot | null} from
 * @param {number} dx
 * @param {number} dy
 * @returns {Spot | null}
 */
export function neighbouringSpot(scene, from, dx, dy) {
  if (!from)
    return scene.nodes.length ? { node: 0 } : scene.grids.length ? { grid: 0, x: 0, y: 0 } : null;
  if ("grid" in from) {
    const grid = scene.grids[from.grid];
    const [x, y] = [from.x + dx, from.y + dy];
    if (x >= 0 && y >= 0 && x < grid.width && y < grid.height) return { ...from, x, y };
    const next = from.grid + (dy < 0 || dx > 0 ? 1 : -1);
    const other = scene.grids[next];
    return other
      ? { grid: next, x: Math.min(from.x, other.width - 1), y: dy < 0 ? other.height - 1 : 0 }
      : from;
  }
  const current = scene.nodes[from.node];
  let best = from.node;
  let lowest = Infinity;
  scene.nodes.forEach((node, i) => {
    const [ax, ay] = [node.x - current.x, node.y - current.y];
    const [along, across] = [ax * dx + ay * dy, Math.abs(ax * dy) + Math.abs(ay * dx)];
    if (i === from.node || along <= (dy ? 30 : 5) || (dx && node.row !== current.row)) return;
    const cost = along + across * 1.4;
    if (cost < lowest) [best, lowest] = [i, cost];
  });
  return { node: best };
}

/**
 * Draws a ring around a spot.
 * @param {MapScene} scene
 * @param {Spot} spot
 * @param {string} className
 */
export function ring(scene, spot, className) {
  if ("node" in spot) {
    const node = scene.nodes[spot.node];
    return node
      ? svgElement("circle", { class: className, cx: node.x, cy: node.y, r: node.radius + 6 })
      : null;
  }
  const grid = scene.grids[spot.grid];
  if (!grid) return null;
  const [x, y] = [grid.x + spot.x * grid.tile, grid.y + spot.y * grid.tile];
  return svgElement("rect", {
    class: className,
    x,
    y,
    width: grid.tile,
    height: grid.tile,
    rx: grid.tile / 6,
  });
}

/** Draws a pin on a spot. @param {MapScene} scene @param {Spot} spot */
export function pinMark(scene, spot) {
  let [x, y, size] = [0, 0, 0];
  if ("node" in spot) {
    const node = scene.nodes[spot.node];
    if (!node) return null;
    [x, y, size] = [node.x + node.radius * 0.75, node.y - node.radius * 0.75, 19];
  } else {
    const grid = scene.grids[spot.grid];
    if (!grid) return null;
    [x, y, size] = [
      grid.x + (spot.x + 0.72) * grid.tile,
      grid.y + (spot.y + 0.28) * grid.tile,
      Math.max(4, grid.tile * 0.26),
    ];
  }
  const path = `M${x - size * 0.9} ${y + size * 1.4}L${x - size * 0.1} ${y + size * 0.1}`;
  return svgElement(
    "g",
    { class: "pin" },
    svgElement("path", { d: path, "stroke-width": size / 4 }),
    svgElement("circle", { cx: x, cy: y, r: size * 0.62 }),
  );
}

/**
 * Path data of an edge's curve.
 * @param {number[]} c
 */
const curve = (c) => `M${c[0]} ${c[1]}C${c[2]} ${c[3]} ${c[4]} ${c[5]} ${c[6]} ${c[7]}`;

/**
 * Draws a route of an act map, given by its columns from a row upwards.
 * @param {MapScene} scene
 * @param {number} row
 * @param {number[]} cols
 * @param {string} className
 * @param {boolean} [toBoss] Whether the route continues to the boss.
 */
export function routeMark(scene, row, cols, className, toBoss = true) {
  const nodeOf = (/** @type {number} */ i) =>
    scene.nodes.findIndex((node) => !node.boss && node.row === row + i && node.col === cols[i]);
  const steps = cols.map((_, i) => nodeOf(i));
  const boss = scene.nodes.findIndex((node) => node.boss);
  if (boss >= 0 && toBoss) steps.push(boss);
  const paths = [];
  for (let i = 1; i < steps.length; i++) {
    const edge = scene.edges.find((edge) => edge.from === steps[i - 1] && edge.to === steps[i]);
    if (edge) paths.push(curve(edge.curve));
  }
  return svgElement("path", { class: className, d: paths.join("") });
}

/**
 * Draws the position of a violation.
 * @param {MapScene} scene
 * @param {any} place
 * @param {any} map The validated map; its walks are not part of the scene.
 * @param {number} [floor]
 * @returns {(SVGElement | null)[]}
 */
export function placeMarks(scene, place, map, floor = 0) {
  const node = (/** @type {number} */ row, /** @type {number} */ col) => {
    const index = scene.nodes.findIndex(
      (node) => !node.boss && node.row === row && node.col === col,
    );
    return index < 0 ? null : ring(scene, { node: index }, "violation-mark");
  };
  if (place?.node) return [node(place.node.row, place.node.col)];
  if (place?.edge) {
    const { row, from, to } = place.edge;
    return [
      node(row, from),
      node(row + 1, to),
      routeMark(scene, row, [from, to], "violation-line", false),
    ];
  }
  if (place?.row !== undefined)
    return scene.nodes.filter((one) => one.row === place.row).map((one) => node(one.row, one.col));
  if (place?.walk) {
    /** @type {number[]} */
    const cols = map?.walks?.[place.walk.walk] ?? [];
    const { row } = place.walk;
    const step = cols.slice(row, row + 2);
    const marks = [
      routeMark(scene, 0, cols, "violation-walk", false),
      routeMark(scene, row, step, "violation-line", false),
      ...step.map((col, i) => node(row + i, col)),
    ];
    if (step.length) return marks;
  }
  if (place?.route) return [routeMark(scene, 0, place.route, "violation-line")];
  if (place?.cell)
    return [ring(scene, { grid: floor, x: place.cell[0], y: place.cell[1] }, "violation-mark")];
  if (place?.floor) return placeMarks(scene, place.floor.place, map, place.floor.floor - 1);
  const { width, height } = scene;
  return [
    svgElement("rect", {
      class: "violation-mark",
      x: 12,
      y: 12,
      width: width - 24,
      height: height - 24,
      rx: 8,
    }),
  ];
}

/** Describes the position of a violation. @param {any} place @returns {string} */
export function placeText(place) {
  if (place?.node) return `node ${place.node.col},${place.node.row}`;
  if (place?.edge)
    return `edge ${place.edge.from},${place.edge.row} to ${place.edge.to},${place.edge.row + 1}`;
  if (place?.row !== undefined) return `row ${place.row}`;
  if (place?.walk) return `walk ${place.walk.walk} at row ${place.walk.row}`;
  if (place?.route) return `route ${place.route.join("-")}`;
  if (place?.cell) return `cell ${place.cell.join(",")}`;
  if (place?.floor) return `floor ${place.floor.floor}, ${placeText(place.floor.place)}`;
  return "map";
}
