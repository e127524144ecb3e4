// What a map holds, and what its routes meet.

import { grouped, h } from "./dom.js";
import { ring, routeMark } from "./places.js";

/** @typedef {import("./types.js").Reading} Reading */

/** @param {Reading} reading What the catalogue says of a metric. */
const meaning = (reading) => `${reading.about}, in ${reading.unit}`;

/** @param {number} value */
const cell = (value) => h("td", {}, grouped(value));

/**
 * The metrics that take nothing: name, value and unit; the meaning is told when one points at it.
 * @param {Reading[]} readings
 */
export function factTable(readings) {
  const plain = readings.filter((reading) => reading.thing === null);
  const rows = plain.map((reading) => h("tr", { title: meaning(reading) }, h("th", { scope: "row" }, reading.name), cell(reading.value), h("td", { class: "unit" }, reading.unit)));
  return h("table", { class: "facts" }, h("tbody", {}, ...rows));
}

/**
 * The metrics that take something: a row for each thing that is there, a column for each metric.
 * @param {Reading[]} readings
 */
export function thingTable(readings) {
  const taking = readings.filter((reading) => reading.thing !== null);
  const heads = [...new Map(taking.map((reading) => [reading.metric, reading])).values()];
  /** @type {Map<string, Reading[]>} */
  const things = new Map();
  for (const reading of taking) things.set(reading.thing ?? "", [...(things.get(reading.thing ?? "") ?? []), reading]);
  const there = [...things].filter(([, list]) => list.some((reading) => reading.value !== 0));
  if (there.length === 0) return null;
  const head = h("tr", {}, h("td"), ...heads.map((reading) => h("th", { scope: "col", title: meaning(reading) }, reading.metric)));
  const rows = there.map(([thing, list]) => h("tr", {}, h("th", { scope: "row" }, thing), ...list.map((reading) => cell(reading.value))));
  return h("table", { class: "facts" }, h("thead", {}, head), h("tbody", {}, ...rows));
}

/**
 * What the routes of an act map meet: a number of the table shows a route that meets so many.
 * @param {any} answer Of `/v1/routes`.
 * @param {Reading[]} readings Of the same map: names and meanings are the catalogue's.
 * @param {import("./pane.js").Pane} pane
 */
export function routeTable(answer, readings, pane) {
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
  const named = (/** @type {string} */ name) => readings.find((reading) => reading.metric === name);
  const title = (/** @type {string} */ name) => {
    const reading = named(name);
    return reading ? meaning(reading) : null;
  };
  const count = (/** @type {string} */ kind) => readings.find((reading) => reading.metric === "count" && reading.thing === kind)?.value ?? 0;
  const kinds = answer.kinds.filter((/** @type {any} */ one) => one.most > 0);
  const rows = kinds.map((/** @type {any} */ one) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, one.kind),
      cell(count(one.kind)),
      number(String(one.least), `show a route with the fewest of ${one.kind}`, route(one.least_route)),
      number(String(one.most), `show a route with the most of ${one.kind}`, route(one.most_route)),
    ),
  );
  const head = h("thead", {}, h("tr", {}, h("td"), ...["count", "min", "max"].map((name) => h("th", { scope: "col", title: title(name) }, name))));
  const all = /^\d{1,15}$/.test(answer.routes) ? grouped(Number(answer.routes)) : answer.routes;
  const whole = [
    h("tr", { title: title("routes") }, h("th", { scope: "row" }, "routes"), h("td", { class: "routes-count" }, all)),
    h("tr", {}, h("th", { scope: "row" }, "Places to choose"), h("td", {}, String(answer.choice_points))),
    h("tr", {}, h("th", { scope: "row" }, "Real forks"), number(String(answer.forks.total), "show the real forks", () => answer.forks.list.map((/** @type {any} */ one) => node(one.at)))),
    h("tr", {}, h("th", { scope: "row" }, "Dominated choices"), number(String(answer.dominated.total), "show choices that another one beats", () => answer.dominated.list.map((/** @type {any} */ one) => node(one.choice)))),
  ];
  const box = h("div", { class: "route-box" }, h("table", { class: "facts" }, h("tbody", {}, ...whole)), h("table", { class: "facts routes" }, head, h("tbody", {}, ...rows)));
  return box;
}
