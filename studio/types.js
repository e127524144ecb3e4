// What the modules speak about. Types only: nothing here runs.

/** @typedef {"act" | "level" | "floor" | "tower" | "water"} Family */
/** @typedef {{ [field: string]: any }} Config */
/** @typedef {{ row: number, col: number, kind?: string } | { floor: number, x: number, y: number, symbol: string }} Keep */
/**
 * @typedef {object} Choice One map: its seed, and what differs from the defaults.
 * @property {string} seed
 * @property {Config} config
 * @property {Keep[]} [keep] What rolls keep, where a configuration has no pins.
 */

/**
 * @typedef {object} State All that a link holds.
 * @property {Family} family
 * @property {Choice[]} choices One, or two that are compared.
 * @property {number} active Which of them the controls change.
 * @property {string} witness Which routes of a level are shown.
 * @property {boolean} labels Whether the column and row of every node of an act map are drawn.
 * @property {boolean} play Whether clicks are moves.
 * @property {string[]} moves The moves so far.
 * @property {number | null} fog How many rows ahead are seen.
 * @property {[number, number][]} sources Where a way over water may begin.
 * @property {[number, number][]} targets Where it may end.
 * @property {string} method How it is searched for.
 * @property {string} steps `four` or `eight`.
 * @property {Config} corridor Corridor options that differ from the method's defaults.
 */

/** @typedef {{ row: number, col: number, boss: boolean, kind: string | null, x: number, y: number, radius: number }} NodePlace */
/** @typedef {{ from: number, to: number, curve: number[] }} EdgePlace */
/** @typedef {{ x: number, y: number, tile: number, width: number, height: number }} GridPlace */
/** @typedef {{ moves: string[], finished: boolean, at: [number, number, number] | null, progress: string }} Party */
/** @typedef {{ name: string, metric: string, thing: string | null, unit: string, about: string, value: number }} Reading A metric as it was read off a map. */
/** @typedef {{ format: string, algorithm: string, seed: string, config: Config, map: any, digest: string }} MapDocument */

/**
 * @typedef {object} MapScene A map with its picture and its places.
 * @property {MapDocument} document
 * @property {string} svg
 * @property {number} width
 * @property {number} height
 * @property {NodePlace[]} nodes
 * @property {EdgePlace[]} edges
 * @property {GridPlace[]} grids
 * @property {Reading[]} metrics
 * @property {Party | null} party
 */

/** @typedef {{ rule: string, place: any, why: string }} Violation */
/** @typedef {{ algorithm: string, seed: string, digest: string, valid: boolean, report: { rules: string[], violations: Violation[], cut: string[] } }} Verdict */
/** @typedef {{ type: string, title: string, status: number, detail: string, field?: string, value?: string, allowed?: string }} Problem */

/**
 * @typedef {object} Shape What a control is made from.
 * @property {"flag" | "integer" | "number" | "choice" | "text" | "amount" | "list" | "flags" | "lines" | "pair" | "group" | "table" | "either" | "json"} kind
 * @property {string} about
 * @property {boolean} empty True if nothing (null) is a value.
 * @property {any} [fallback] The default.
 * @property {string} [told] The default in words, if the schema names none.
 * @property {number} [least]
 * @property {number} [most]
 * @property {{ value: any, about: string }[]} [options]
 * @property {string} [pattern]
 * @property {Shape} [items]
 * @property {Field[]} [fields]
 * @property {Shape[]} [either]
 * @property {number} [mostItems]
 */
/** @typedef {{ name: string, shape: Shape, required: boolean }} Field */

/**
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {(value: any) => void} set Shows a value that came from elsewhere.
 * @property {(path: string[], why: string) => boolean} [blame] Marks the part that a refusal names.
 */

export {};
