// The verdict: every rule, kept or broken; a rule that is looked at shows where.

import { grouped, h, icon } from "./dom.js";
import { placeMarks, placeWords } from "./places.js";

/** @typedef {import("./types.js").Verdict} Verdict */

const MAX = 40;

/**
 * @param {Verdict} verdict
 * @param {import("./pane.js").Pane} pane
 * @param {any} map The map that was judged.
 * @returns {HTMLElement}
 */
export function verdictList(verdict, pane, map) {
  const { rules, violations, cut } = verdict.report;
  const broken = new Set(violations.map((violation) => violation.rule)).size;
  const head = verdict.valid ? `All ${rules.length} rules hold` : `${broken} of ${rules.length} rules broken`;
  const list = h("ul", { class: "rules" });
  for (const rule of rules) {
    const found = violations.filter((violation) => violation.rule === rule);
    const good = found.length === 0;
    const words = rule.replaceAll("-", " ").replaceAll("_", " ");
    const item = h("li", { class: good ? "rule good" : "rule bad", "data-rule": rule }, icon(good ? "check" : "cross"), h("span", { class: "words" }, words));
    item.append(h("span", { class: "hidden" }, good ? ": holds" : ": broken"));
    if (!good) item.append(placeList(found, cut.includes(rule), pane, map));
    list.append(item);
  }
  return h("div", { class: verdict.valid ? "verdict good" : "verdict bad", "data-valid": String(verdict.valid) }, h("p", { class: "summary" }, icon(verdict.valid ? "check" : "cross"), head), list);
}

/** @param {import("./types.js").Violation[]} found @param {boolean} more @param {import("./pane.js").Pane} pane @param {any} map */
function placeList(found, more, pane, map) {
  const list = h("ul", { class: "places" });
  for (const violation of found.slice(0, MAX)) {
    const show = () => {
      if (!pane.scene) return;
      pane.extra = placeMarks(pane.scene, violation.place, map);
      pane.draw();
    };
    const hide = () => {
      pane.extra = [];
      pane.draw();
    };
    const button = h("button", { type: "button", onpointerenter: show, onfocus: show, onpointerleave: hide, onblur: hide }, h("b", {}, placeWords(violation.place)), ` ${violation.why}`);
    list.append(h("li", {}, button));
  }
  if (found.length > MAX || more) list.append(h("li", {}, `and ${more ? "many" : grouped(found.length - MAX)} more`));
  return list;
}
