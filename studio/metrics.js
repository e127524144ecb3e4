// What a map holds, and what its routes meet.

import { grouped, h } from "./dom.js";
import { ring, routeMark } from "./places.js";

/** @typedef {import("./types.js").MapScene} MapScene */

/**
 * Facts of a map in a few numbers, the same names for every map of a family so that two can be compared.
 * @param {import("./types.js").Family} family
 * @param {MapScene} scene
 * @returns {[string, string | number][]}
 */
export function facts(family, scene) {
  const { map } = scene.document;
  if (family === "act") {
    /** @type {[string, string | number][]} */
    const list = [["Nodes", map.nodes.length], ["Edges", map.edges.length]];
    /** @type {Map<string, number>} */
    const kinds = new Map();
    for (const node of map.nodes) if (node.kind) kinds.set(node.kind, (kinds.get(node.kind) ?? 0) + 1);
    for (const [kind, count] of [...kinds].sort()) list.push([kind, count]);
    return list;
  }
  if (family === "level") {
    const all = map.rows.join("");
    const count = (/** @type {string} */ tiles) => [...all].filter((tile) => tiles.includes(tile)).length;
    return [
      ["Cells", map.width * map.height],
      ["Interior walls", count("1")],
      ["Hazards and plants", count("xhw^v<>")],
      ["Witness routes", map.witness.length],
      ["Longest witness", Math.max(0, ...map.witness.map((/** @type {any} */ one) => one.route.length - 1))],
      ["Accepted attempt", map.attempt.index + 1],
      ["Walls repaired", map.attempt.repaired.length],
    ];
  }
  const floors = family === "tower" ? map.floors : [map];
  const tiles = floors.flatMap((/** @type {any} */ floor) => floor.tiles);
  const things = floors.flatMap((/** @type {any} */ floor) => floor.entities);
  const kind = (/** @type {any[]} */ list, /** @type {string} */ kind) => list.filter((one) => one.kind === kind).length;
  const steps = floors.reduce((/** @type {number} */ sum, /** @type {any} */ floor) => sum + Math.max(0, floor.path.length - 1), 0);
  return [
    ...(family === "tower" ? /** @type {[string, number][]} */ ([["Floors", floors.length]]) : []),
    ["Tiles", tiles.length],
    ["Walls", kind(tiles, "wall")],
    ["Shortest way", steps],
    ["Enemies", kind(things, "enemy")],
    ["Chests", kind(tiles, "chest")],
    ["Traps", kind(tiles, "trap")],
    ["Doors", kind(tiles, "door")],
    ["Items and relics", kind(things, "item") + kind(things, "relic")],
  ];
}

/** @param {[string, string | number][]} list */
export function factTable(list) {
  const rows = list.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, typeof value === "number" ? grouped(value) : value)));
  return h("table", { class: "facts" }, h("tbody", {}, ...rows));
}

/**
 * What the routes of an act map meet: a number of the table shows a route that meets so many.
 * @param {any} answer Of `/v1/routes`.
 * @param {import("./pane.js").Pane} pane
 */
export function routeTable(answer, pane) {
  /** @param {HTMLButtonElement} button @param {() => (SVGElement | null)[]} marks */
  const toggle = (button, marks) => {
    const pressed = button.getAttribute("aria-pressed") === "true";
    box.querySelectorAll("[aria-pressed]").forEach((other) => other.setAttribute("aria-pressed", "false"));
    button.setAttribute("aria-pressed", String(!pressed));
    pane.extra = pressed || !pane.scene ? [] : marks();
    pane.draw();
  };
  /** @param {string} text @param {string} title @param {() => (SVGElement | null)[]} marks */
  const number = (text, title, marks) => {
    const button = h("button", { type: "button", class: "number", "aria-pressed": "false", title, "aria-label": `${text}: ${title}` }, text);
    button.addEventListener("click", () => toggle(button, marks));
    return h("td", {}, button);
  };
  const route = (/** @type {number[]} */ cols) => () => (pane.scene ? [routeMark(pane.scene, 0, cols, "witness")] : []);
  const node = (/** @type {any} */ at) => {
    const place = pane.scene?.nodes.findIndex((node) => !node.boss && node.row === at?.row && node.col === at?.col) ?? -1;
    return place < 0 || !pane.scene ? null : ring(pane.scene, { node: place }, "told");
  };
  const kinds = answer.kinds.filter((/** @type {any} */ one) => one.most > 0);
  const rows = kinds.map((/** @type {any} */ one) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, one.kind),
      number(String(one.least), `show a route with the fewest of ${one.kind}`, route(one.least_route)),
      number(String(one.most), `show a route with the most of ${one.kind}`, route(one.most_route)),
    ),
  );
  const head = h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "On a route"), h("th", { scope: "col" }, "least"), h("th", { scope: "col" }, "most")));
  const all = /^\d{1,15}$/.test(answer.routes) ? grouped(Number(answer.routes)) : answer.routes;
  const whole = [
    h("tr", {}, h("th", { scope: "row" }, "Routes"), h("td", { class: "routes-count" }, all)),
    h("tr", {}, h("th", { scope: "row" }, "Places to choose"), h("td", {}, String(answer.choice_points))),
    h("tr", {}, h("th", { scope: "row" }, "Real forks"), number(String(answer.forks.total), "show the real forks", () => answer.forks.list.map((/** @type {any} */ one) => node(one.at)))),
    h("tr", {}, h("th", { scope: "row" }, "Dominated choices"), number(String(answer.dominated.total), "show choices that another one beats", () => answer.dominated.list.map((/** @type {any} */ one) => node(one.choice)))),
  ];
  const box = h("div", { class: "route-box" }, h("table", { class: "facts" }, h("tbody", {}, ...whole)), h("table", { class: "facts routes" }, head, h("tbody", {}, ...rows)));
  return box;
}
