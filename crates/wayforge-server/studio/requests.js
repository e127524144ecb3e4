// Requests for maps: only the latest result is shown, and recent maps are cached.

import { ServiceError, postJson, requestBody } from "./api.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").MapScene} MapScene */

/** Recently generated maps, for undo and comparison. @type {Map<string, MapScene>} */
const sceneCache = new Map();
const MAX_CACHED = 40;

/**
 * Request body for a scene.
 * @param {State} state
 * @param {number} index Which of the two maps.
 * @param {string} theme
 * @param {boolean} isPlayable Whether maps of the family can be played.
 */
export function sceneBody(state, index, theme, isPlayable) {
  /** @type {any} */
  const body = { ...requestBody(state.maps[index]), theme };
  if (state.family === "level") body.witness = state.witness;
  if (state.family === "act" && state.labels) body.labels = true;
  if (state.play && isPlayable && index === state.active) {
    body.play = { moves: state.moves };
    if (state.family === "act" && state.fog !== null) body.play.fog = state.fog;
  }
  return body;
}

/** Runs one task at a time: starting a task aborts the previous one. */
export class LatestRequest {
  constructor() {
    this.generation = 0;
    /** @type {AbortController | null} */
    this.running = null;
  }

  /** Aborts the running task and drops its result. */
  stop() {
    this.running?.abort();
    this.generation += 1;
  }

  /**
   * @template T
   * @param {(signal: AbortSignal, isCurrent: () => boolean) => Promise<T>} work
   * @returns {Promise<T | undefined>} Undefined if a later task has started.
   */
  async run(work) {
    this.running?.abort();
    const controller = new AbortController();
    this.running = controller;
    this.generation += 1;
    const generation = this.generation;
    try {
      const result = await work(controller.signal, () => generation === this.generation);
      return generation === this.generation ? result : undefined;
    } catch (error) {
      if (
        generation !== this.generation ||
        (error instanceof DOMException && error.name === "AbortError")
      )
        return undefined;
      throw error;
    }
  }
}

/**
 * Requests a map, or returns it from the cache.
 * @param {import("./types.js").Family} family
 * @param {any} body
 * @param {AbortSignal} signal
 * @returns {Promise<MapScene>}
 */
export async function fetchScene(family, body, signal) {
  const key = JSON.stringify([family, body]);
  const cached = sceneCache.get(key);
  if (cached) return cached;
  const scene = await postJson(`/v1/scene/${family}`, body, signal);
  sceneCache.set(key, scene);
  for (const old of sceneCache.keys()) {
    if (sceneCache.size <= MAX_CACHED) break;
    sceneCache.delete(old);
  }
  return scene;
}

/**
 * Short titles for the most common problems, by the end of their type. @type {[string, string][]}
 */
const TITLES = [
  ["problem-invalid-config", "These settings don't work"],
  ["problem-generation-failed", "No map found for this seed"],
  ["problem-limit-exceeded", "Too large"],
];

/** Title of a problem. @param {import("./types.js").Problem} problem */
export function problemTitle(problem) {
  const known = TITLES.find(([type]) => problem.type.endsWith(type));
  return known ? known[1] : problem.title || "No map";
}

/** @param {unknown} error @returns {import("./types.js").Problem} */
export function toProblem(error) {
  if (error instanceof ServiceError) return error.problem;
  return { type: "", title: "", status: 0, detail: String(error) };
}
