// Validation report: every rule, with the positions of its violations.

import { formatNumber, h, icon, labelOf } from "./dom.js";
import { placeMarks, placeText } from "./spots.js";

/** @typedef {import("./types.js").ValidationResponse} ValidationResponse */

/** Number of violations listed per rule. */
const MAX_LISTED = 40;

/**
 * Labels of the rules; a rule without one is shown by its name. @type {{ [rule: string]: string }}
 */
const RULE_LABELS = {
  "canonical-form": "Document has canonical form",
  "digest-matches": "Digest matches the content",
  reproducible: "Seed reproduces the map",
  "in-range": "Nodes and edges are inside the grid",
  "unique-nodes": "No duplicate nodes",
  "unique-edges": "No duplicate edges",
  "edge-ends": "Edges connect nodes of adjacent rows",
  boss: "Boss matches the configuration",
  attempts: "Number of attempts is within its limit",
  "pins-present": "Pinned nodes exist",
  "blocked-empty": "Blocked cells are empty",
  "no-crossings": "Edges do not cross",
  "start-diversity": "First two paths have different starts",
  "walks-complete": "Paths go from bottom to top",
  "nearest-honoured": "Steps stay within reach",
  pruned: "Every node and edge is on a path",
  "ends-centred": "Start and boss are centred",
  "row-sizes": "Rows have allowed sizes",
  "rows-even": "Adjacent rows have similar sizes",
  "edge-reach": "Edges span at most one column",
  "out-degree": "Few nodes have three outgoing edges",
  "incoming-edge": "Every node has an incoming edge",
  "outgoing-edge": "Every node has an outgoing edge",
  "no-orphans": "Every node is on a route to the boss",
  "lanes-meet": "Lanes are connected",
  "spire-six-walks": "At most six edges between two rows",
  "spire-first-row": "Start nodes lead to different nodes",
  "spire-fixed-rows": "Fixed rows have their room type",
  "spire-kind-rows": "Room types stay on their rows",
  "spire-no-repeat": "Room types do not repeat along edges",
  "spire-siblings-differ": "Branches offer different room types",
  "spire-portions": "Room types keep the game's shares",
  "spire-emerald": "Burning elite matches the configuration",
  "spire-final-act": "Act 4 has its fixed nodes",
  "kind-assigned": "All nodes have a room type, or none",
  "kind-weights": "No room type has weight zero",
  "kind-fixed-rows": "Fixed rows have their room type",
  "kind-pinned": "Pinned nodes have their room type",
  "kind-rows": "Room types stay on their rows",
  "kind-no-repeat": "Room types do not repeat along edges",
  "kind-siblings-differ": "Branches offer different room types",
  "kind-map-count": "Room types per map are within bounds",
  "kind-route-count": "Room types per route are within bounds",
  size: "Size matches the configuration",
  "exits-clear": "Exits are not blocked",
  "wall-style": "Walls follow their style",
  "pins-kept": "Pinned cells are unchanged",
  "outside-ring": "Outermost ring is outside",
  "outer-band": "Outer wall is complete",
  exits: "One exit per listed side",
  "candidate-counts": "Items and starts have the requested counts",
  "candidate-margin": "Items and starts keep away from the edge",
  separation: "Items and starts keep their distance",
  marks: "Marks are placed",
  "feature-counts": "Features have the requested amounts",
  "reinforced-walls": "Reinforced walls have the requested share",
  "fall-spawn": "Fall spawn zones are tagged",
  "car-walkable": "Car layer is correct",
  attempt: "Recorded attempt is consistent",
  "car-connectivity": "Car can reach an exit",
  "humanoid-objective-connectivity": "Player can reach every objective",
  connectivity: "Car and player can finish",
  "objective-connectivity": "Custom objectives can be completed",
  "candidates-reachable": "Player can reach every item and mark",
  "no-soft-locks": "The player cannot get stuck",
  witness: "Proof routes are valid",
  "witness-shortest": "Proof routes are shortest",
  "unique-ids": "Entity ids are unique",
  "member-types": "Members have the right types",
  "whole-numbers": "Sizes and coordinates are integers",
  "tiles-in-order": "Tiles are in order",
  "walkable-by-kind": "Walls and water are not walkable",
  "wall-density": "Wall density is within its limit",
  "tiles-complete": "Every cell has one tile",
  "ends-in-place": "Entrance and exit are in place",
  solvable: "Exit is reachable",
  connected: "Walkable tiles are connected",
  "min-path-length": "Path has the minimum length",
  "path-witness": "Stored path is shortest",
  budgets: "Budgets are met exactly",
  reachable: "Every object is reachable",
  "no-stacking": "One object per tile",
  "config-agrees": "Floor has the configured size",
  "enemy-distance": "Enemies keep away from the entrance",
  "chest-beside-path": "Chests are next to the path",
  "trap-off-path": "Traps are off the path",
  "door-at-chokepoint": "Doors are at choke points",
  "door-guards": "Doors guard at least three tiles",
  "safe-route": "A path without enemies exists",
  "safe-chests": "Chests are reachable without enemies",
  "water-off-path": "Water is off the path",
  "template-matches": "Template is unchanged",
  "pins-match": "Pinned cells are unchanged",
  "tower-height": "Number of floors matches",
  "tower-chain": "Floors start at the exit below",
  "tower-seeds": "Floors have the right seeds",
};

/**
 * Creates the list of rules.
 * @param {ValidationResponse} response
 * @param {import("./pane.js").Pane} pane
 * @param {any} map The validated map.
 * @returns {HTMLElement}
 */
export function reportList(response, pane, map) {
  const { valid, report } = response;
  const { rules, violations, truncated } = report;
  const violated = new Set(violations.map((violation) => violation.rule)).size;
  const summary = valid
    ? `Valid: all ${rules.length} checks passed`
    : `Invalid: ${violated} of ${rules.length} checks failed`;
  const list = h("ul", { class: "rules" });
  for (const rule of rules) {
    const found = violations.filter((violation) => violation.rule === rule);
    const good = found.length === 0;
    const item = h(
      "li",
      { class: good ? "rule good" : "rule bad", "data-rule": rule },
      icon(good ? "check" : "cross"),
      h("span", { class: "words" }, RULE_LABELS[rule] ?? labelOf(rule)),
    );
    item.append(h("span", { class: "hidden" }, good ? ": passed" : ": failed"));
    if (!good) item.append(violationList(found, truncated.includes(rule), pane, map));
    list.append(item);
  }
  return h(
    "div",
    { class: valid ? "report good" : "report bad", "data-valid": String(valid) },
    h("p", { class: "summary" }, icon(valid ? "check" : "cross"), summary),
    list,
  );
}

/**
 * @param {import("./types.js").Violation[]} found @param {boolean} more @param
 * {import("./pane.js").Pane} pane @param {any} map
 */
function violationList(found, more, pane, map) {
  const list = h("ul", { class: "violations" });
  for (const violation of found.slice(0, MAX_LISTED)) {
    const show = () => {
      if (!pane.scene) return;
      pane.extra = placeMarks(pane.scene, violation.place, map);
      pane.draw();
    };
    const hide = () => {
      pane.extra = [];
      pane.draw();
    };
    const button = h(
      "button",
      { type: "button", onpointerenter: show, onfocus: show, onpointerleave: hide, onblur: hide },
      h("b", {}, placeText(violation.place)),
      ` ${violation.why}`,
    );
    list.append(h("li", {}, button));
  }
  if (found.length > MAX_LISTED || more)
    list.append(h("li", {}, `and ${more ? "many" : formatNumber(found.length - MAX_LISTED)} more`));
  return list;
}
