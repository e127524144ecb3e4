// A map for every change: the last one asked for is the one that is shown.

import { Refused, ask, wanted } from "./api.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").MapScene} MapScene */

/** Maps that were made just now, for undo and for comparing. @type {Map<string, MapScene>} */
const kept = new Map();
const MAX = 40;

/**
 * @param {State} state
 * @param {number} at Which of the two maps.
 * @param {string} theme
 */
export function sceneBody(state, at, theme) {
  /** @type {any} */
  const body = { ...wanted(state.choices[at]), theme };
  if (state.family === "level") body.witness = state.witness;
  if (state.family === "act" && state.labels) body.labels = true;
  if (state.play && state.family !== "level" && at === state.active) {
    body.play = { moves: state.moves };
    if (state.family === "act" && state.fog !== null) body.play.fog = state.fog;
  }
  return body;
}

/** One line of requests: a new one ends the one before. */
export class Line {
  constructor() {
    this.turn = 0;
    /** @type {AbortController | null} */
    this.running = null;
  }

  /** Ends what runs; nothing comes of it. */
  stop() {
    this.running?.abort();
    this.turn += 1;
  }

  /**
   * @template T
   * @param {(signal: AbortSignal, current: () => boolean) => Promise<T>} work
   * @returns {Promise<T | undefined>} Nothing if another one came first.
   */
  async run(work) {
    this.running?.abort();
    const control = new AbortController();
    this.running = control;
    this.turn += 1;
    const mine = this.turn;
    try {
      const done = await work(control.signal, () => mine === this.turn);
      return mine === this.turn ? done : undefined;
    } catch (error) {
      if (mine !== this.turn || (error instanceof DOMException && error.name === "AbortError")) return undefined;
      throw error;
    }
  }
}

/**
 * @param {import("./types.js").Family} family
 * @param {any} body
 * @param {AbortSignal} signal
 * @returns {Promise<MapScene>}
 */
export async function makeScene(family, body, signal) {
  const key = JSON.stringify([family, body]);
  const known = kept.get(key);
  if (known) return known;
  const scene = await ask(`/v1/scene/${family}`, body, signal);
  kept.set(key, scene);
  for (const old of kept.keys()) {
    if (kept.size <= MAX) break;
    kept.delete(old);
  }
  return scene;
}

/** @param {unknown} error @returns {import("./types.js").Problem} */
export function problemOf(error) {
  if (error instanceof Refused) return error.problem;
  return { type: "", title: "", status: 0, detail: String(error) };
}
