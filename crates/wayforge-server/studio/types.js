// Shared type definitions; no code.

/** @typedef {"act" | "level" | "floor" | "tower" | "path"} Family */
/** @typedef {{ [field: string]: any }} Config */
/**
 * @typedef {{ row: number, col: number, kind?: string } | { floor: number, x: number, y: number,
 * symbol: string }} SearchPin
 */
/**
 * @typedef {object} MapSettings Seed of a map, and the fields that differ from the defaults.
 * @property {string} seed
 * @property {Config} config
 * @property {SearchPin[]} [searchPins] Pins for the seed search, for families whose configuration
 *   has no pins.
 */

/**
 * @typedef {object} State State of the page, as stored in its link.
 * @property {Family} family
 * @property {MapSettings[]} maps Settings of one map, or of two to compare.
 * @property {number} active Index of the map that the controls edit.
 * @property {string} witness Proof routes of a level to show.
 * @property {boolean} labels True to draw column and row of every node of an act map.
 * @property {boolean} play True if clicks are moves.
 * @property {string[]} moves Moves so far.
 * @property {number | null} fog Number of visible rows ahead.
 * @property {[number, number][]} sources Tiles where the path may start.
 * @property {[number, number][]} targets Tiles where the path may end.
 * @property {string} method Search method.
 * @property {string} connectivity `four` or `eight`.
 * @property {Config} corridor Corridor options that differ from the method's defaults.
 */

/**
 * @typedef {{ row: number, col: number, boss: boolean, kind: string | null, x: number, y: number,
 * radius: number }} NodeLayout
 */
/** @typedef {{ from: number, to: number, curve: number[] }} EdgeLayout */
/** @typedef {{ x: number, y: number, tile: number, width: number, height: number }} GridLayout */
/**
 * @typedef {{ moves: string[], finished: boolean, position: [number, number, number] | null,
 * progress: object }} Party
 */
/**
 * @typedef {{ name: string, metric: string, argument: string | null, unit: string, description:
 * string, value: number }} MetricValue Value of a metric on a map.
 */
/**
 * @typedef {{ format: string, algorithm: string, seed: string, config: Config, map: any, digest:
 * string }} MapDocument
 */

/**
 * @typedef {object} MapScene Map with its image and the positions of its parts.
 * @property {MapDocument} document
 * @property {string} svg
 * @property {number} width
 * @property {number} height
 * @property {NodeLayout[]} nodes
 * @property {EdgeLayout[]} edges
 * @property {GridLayout[]} grids
 * @property {MetricValue[]} metrics
 * @property {Party | null} party
 */

/** @typedef {{ rule: string, place: any, why: string }} Violation */
/**
 * @typedef {{ algorithm: string, seed: string, digest: string, valid: boolean, report: { rules:
 * string[], violations: Violation[], truncated: string[] } }} ValidationResponse
 */
/**
 * @typedef {{ type: string, title: string, status: number, detail: string, field?: string, value?:
 * string, allowed?: string }} Problem
 */

/**
 * @typedef {object} Shape Description of a control.
 * @property {"flag" | "integer" | "number" | "choice" | "text" | "amount" | "list" | "flags" |
 *   "lines" | "pair" | "group" | "table" | "either" | "json"} kind
 * @property {string} description
 * @property {boolean} nullable True if null is allowed.
 * @property {any} [defaultValue]
 * @property {string} [defaultText] Default as documented, if the schema has no default value.
 * @property {number} [min]
 * @property {number} [max]
 * @property {{ value: any, description: string }[]} [options]
 * @property {string} [pattern]
 * @property {Shape} [items]
 * @property {Field[]} [fields]
 * @property {Shape[]} [either]
 * @property {number} [maxItems]
 */
/** @typedef {{ name: string, shape: Shape, required: boolean }} Field */

/**
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {(value: any) => void} set Shows a value.
 * @property {(path: string[], message: string) => boolean} [showError] Shows an error at the field
 *   with this path; returns false if there is none.
 */

export {};
