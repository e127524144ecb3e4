// Tables of metrics and routes.

import { formatNumber, h, labelOf } from "./dom.js";
import { ring, routeMark } from "./spots.js";

/** @typedef {import("./types.js").MetricValue} MetricValue */

/** Labels of metrics whose names are not clear on their own. @type {{ [name: string]: string }} */
const METRIC_LABELS = {
  closed_share: "Walls and water",
  corridor: "Longest corridor",
  forced: "Longest stretch without choice",
  open: "Open tiles",
  path: "Path length",
  shortest: "Shortest path",
  wall_share: "Walls",
  walls: "Wall cells",
};

/** Label of a metric. @param {string} name */
export function metricLabel(name) {
  return METRIC_LABELS[name] ?? labelOf(name);
}

/**
 * Formats a value in its unit: shares as percentages, ratios as decimals. @param {MetricValue}
 * metric
 */
export function formatMetric({ name, unit, value }) {
  if (unit !== "thousandths") return formatNumber(value);
  return name.endsWith("_share") ? `${(value / 10).toFixed(1)} %` : (value / 1000).toFixed(2);
}

/** Description of a metric for its tooltip. @param {MetricValue} metric */
const tooltip = (metric) =>
  metric.unit === "thousandths" ? metric.description : `${metric.description}, in ${metric.unit}`;

/** @param {number} value */
const cell = (value) => h("td", {}, formatNumber(value));

/**
 * Table of the metrics without an argument: label and value, with the description as tooltip.
 * @param {MetricValue[]} metrics
 */
export function metricTable(metrics) {
  const plain = metrics.filter((metric) => metric.argument === null);
  const rows = plain.map((metric) =>
    h(
      "tr",
      { title: tooltip(metric), "data-metric": metric.name },
      h("th", { scope: "row" }, metricLabel(metric.name)),
      h("td", {}, formatMetric(metric)),
    ),
  );
  return h("table", { class: "metrics" }, h("tbody", {}, ...rows));
}

/**
 * Table of the metrics with an argument: a row per argument with a nonzero value, a column per
 * metric.
 * @param {MetricValue[]} metrics
 */
export function countTable(metrics) {
  const counts = metrics.filter((metric) => metric.argument !== null);
  const heads = [...new Map(counts.map((metric) => [metric.metric, metric])).values()];
  /** @type {Map<string, MetricValue[]>} */
  const byArgument = new Map();
  for (const metric of counts)
    byArgument.set(metric.argument ?? "", [
      ...(byArgument.get(metric.argument ?? "") ?? []),
      metric,
    ]);
  const nonzero = [...byArgument].filter(([, list]) => list.some((metric) => metric.value !== 0));
  if (nonzero.length === 0) return null;
  const head = h(
    "tr",
    {},
    h("td"),
    ...heads.map((metric) =>
      h(
        "th",
        { scope: "col", title: tooltip(metric), "data-metric": metric.metric },
        metricLabel(metric.metric),
      ),
    ),
  );
  const rows = nonzero.map(([argument, list]) =>
    h(
      "tr",
      { "data-argument": argument },
      h("th", { scope: "row" }, labelOf(argument)),
      ...list.map((metric) => cell(metric.value)),
    ),
  );
  return h("table", { class: "metrics" }, h("thead", {}, head), h("tbody", {}, ...rows));
}

/**
 * Table of the routes of an act map. Clicking a number shows a route with that count.
 * @param {any} response Response of `/v1/routes`.
 * @param {MetricValue[]} metrics Metrics of the same map.
 * @param {import("./pane.js").Pane} pane
 */
export function routeTable(response, metrics, pane) {
  /** @param {HTMLButtonElement} button @param {() => (SVGElement | null)[]} marks */
  const toggle = (button, marks) => {
    const pressed = button.getAttribute("aria-pressed") === "true";
    box
      .querySelectorAll("[aria-pressed]")
      .forEach((other) => other.setAttribute("aria-pressed", "false"));
    button.setAttribute("aria-pressed", String(!pressed));
    pane.extra = pressed || !pane.scene ? [] : marks();
    pane.draw();
  };
  /** @param {string} text @param {string} title @param {() => (SVGElement | null)[]} marks */
  const number = (text, title, marks) => {
    const button = h(
      "button",
      {
        type: "button",
        class: "number",
        "aria-pressed": "false",
        title,
        "aria-label": `${text}: ${title}`,
      },
      text,
    );
    button.addEventListener("click", () => toggle(button, marks));
    return h("td", {}, button);
  };
  const route = (/** @type {number[]} */ cols) => () =>
    pane.scene ? [routeMark(pane.scene, 0, cols, "witness")] : [];
  const node = (/** @type {any} */ pos) => {
    const index =
      pane.scene?.nodes.findIndex(
        (node) => !node.boss && node.row === pos?.row && node.col === pos?.col,
      ) ?? -1;
    return index < 0 || !pane.scene ? null : ring(pane.scene, { node: index }, "highlight");
  };
  const title = (/** @type {string} */ name) => {
    const found = metrics.find((metric) => metric.metric === name);
    return found ? tooltip(found) : null;
  };
  const count = (/** @type {string} */ kind) =>
    metrics.find((metric) => metric.metric === "count" && metric.argument === kind)?.value ?? 0;
  const kinds = response.kinds.filter((/** @type {any} */ kind) => kind.max > 0);
  const rows = kinds.map((/** @type {any} */ kind) =>
    h(
      "tr",
      { "data-argument": kind.kind },
      h("th", { scope: "row" }, kind.kind),
      cell(count(kind.kind)),
      number(
        String(kind.min),
        `show a route with the fewest ${kind.kind} nodes`,
        route(kind.min_route),
      ),
      number(
        String(kind.max),
        `show a route with the most ${kind.kind} nodes`,
        route(kind.max_route),
      ),
    ),
  );
  const head = h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("td"),
      ...["count", "min", "max"].map((name) =>
        h("th", { scope: "col", title: title(name), "data-metric": name }, metricLabel(name)),
      ),
    ),
  );
  const all = /^\d{1,15}$/.test(response.routes)
    ? formatNumber(Number(response.routes))
    : response.routes;
  const summary = [
    h(
      "tr",
      { title: title("routes") },
      h("th", { scope: "row" }, "Routes"),
      h("td", { class: "routes-count" }, all),
    ),
    h(
      "tr",
      {},
      h("th", { scope: "row" }, "Decision points"),
      h("td", {}, String(response.choice_points)),
    ),
    h(
      "tr",
      {},
      h("th", { scope: "row" }, "Meaningful forks"),
      number(String(response.forks.total), "show the meaningful forks", () =>
        response.forks.list.map((/** @type {any} */ fork) => node(fork.at)),
      ),
    ),
    h(
      "tr",
      {},
      h("th", { scope: "row" }, "Dominated choices (never better)"),
      number(
        String(response.dominated.total),
        "show choices that are never better than another one",
        () => response.dominated.list.map((/** @type {any} */ entry) => node(entry.choice)),
      ),
    ),
  ];
  const box = h(
    "div",
    { class: "route-box" },
    h("table", { class: "metrics" }, h("tbody", {}, ...summary)),
    h("table", { class: "metrics routes" }, head, h("tbody", {}, ...rows)),
  );
  return box;
}
