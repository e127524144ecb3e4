// Play mode: legal moves as spots, and the toolbar of a run.

import { h, iconButton } from "./dom.js";

/** @typedef {import("./types.js").MapScene} MapScene */
/** @typedef {import("./spots.js").Spot} Spot */

/** @type {{ [direction: string]: [number, number] }} */
const DIRECTIONS = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] };

/**
 * Returns the target spot of a move, or null if the scene does not contain it.
 * @param {MapScene} scene
 * @param {string} move
 * @returns {Spot | null}
 */
function spotOf(scene, move) {
  const { party } = scene;
  if (party?.position) {
    const [dx, dy] = DIRECTIONS[move] ?? [0, 0];
    const grid = Math.min(party.position[0], scene.grids.length - 1);
    return { grid, x: party.position[1] + dx, y: party.position[2] + dy };
  }
  const index =
    move === "boss"
      ? scene.nodes.findIndex((node) => node.boss)
      : scene.nodes.findIndex((node) => !node.boss && `${node.col},${node.row}` === move);
  return index < 0 ? null : { node: index };
}

/** @param {MapScene} scene @returns {Spot[]} */
export function legalSpots(scene) {
  return (scene.party?.moves ?? []).flatMap((move) => spotOf(scene, move) ?? []);
}

/**
 * Returns the legal move to a spot. @param {MapScene} scene @param {Spot} spot @returns {string |
 * undefined}
 */
export function moveTo(scene, spot) {
  return scene.party?.moves.find(
    (move) => JSON.stringify(spotOf(scene, move)) === JSON.stringify(spot),
  );
}

/**
 * Creates the toolbar that switches between pinning and playing.
 * @param {import("./store.js").Store} store
 * @param {import("./types.js").Family} family
 * @param {boolean} isPlayable Whether maps of the family can be played.
 */
export function playBar(store, family, isPlayable) {
  const mode = (/** @type {string} */ value, /** @type {string} */ text) => {
    const input = h("input", { type: "radio", name: "mode", value, id: `mode-${value}` });
    input.addEventListener("change", () =>
      store.change((draft) => {
        draft.play = value === "play";
        draft.moves = [];
      }),
    );
    return { input, label: h("label", { class: "tab" }, input, h("span", {}, text)) };
  };
  const [pin, play] = [mode("pin", "Pin"), mode("play", "Play")];
  const fog = h("input", {
    type: "number",
    min: 0,
    max: 99,
    id: "fog",
    placeholder: "off",
    inputmode: "numeric",
  });
  fog.addEventListener("input", () =>
    store.change(
      (draft) =>
        void (draft.fog =
          fog.value === "" ? null : Math.max(0, Math.min(65535, Math.trunc(Number(fog.value))))),
      "fog",
    ),
  );
  const undo = iconButton("back", "Undo move (Backspace)", () =>
    store.change((draft) => void draft.moves.pop()),
  );
  const restart = iconButton("reset", "Restart", () =>
    store.change((draft) => void (draft.moves = [])),
  );
  const status = h("span", { class: "status", id: "run" });
  const run = h(
    "div",
    { class: "inline run" },
    family === "act" ? h("label", { for: "fog" }, "Fog") : null,
    family === "act" ? fog : null,
    undo,
    restart,
    status,
  );
  const element = h(
    "div",
    { class: "inline" },
    h(
      "fieldset",
      { class: "tabs" },
      h("legend", { class: "hidden" }, "Clicks"),
      pin.label,
      play.label,
    ),
    run,
  );
  element.hidden = !isPlayable;
  return {
    element,
    /** @param {import("./types.js").State} state */
    set(state) {
      pin.input.checked = !state.play;
      play.input.checked = state.play;
      run.hidden = !state.play;
      if (document.activeElement !== fog) fog.value = state.fog === null ? "" : String(state.fog);
      undo.disabled = restart.disabled = state.moves.length === 0;
    },
    /** @param {import("./types.js").Party | null} party */
    showStatus(party) {
      status.textContent = !party
        ? ""
        : party.finished
          ? "Goal reached"
          : `${party.moves.length} legal ${party.moves.length === 1 ? "move" : "moves"}`;
      status.classList.toggle("done", party?.finished ?? false);
    },
  };
}
