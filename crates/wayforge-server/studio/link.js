// State in the URL fragment: `#/act?seed=42&rows=20`. Names that start with `@` are not
// configuration fields.

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").MapSettings} MapSettings */

/** @type {import("./types.js").Family[]} */
export const FAMILIES = ["act", "level", "floor", "tower", "path"];

/** @param {import("./types.js").Family} family @returns {State} */
export function defaultState(family) {
  const config = family === "path" ? { width: 320, height: 200, scale: 90 } : {};
  return {
    family,
    maps: [{ seed: "42", config }],
    active: 0,
    witness: "none",
    labels: false,
    play: false,
    moves: [],
    fog: null,
    sources: [],
    targets: [],
    method: "components",
    connectivity: "eight",
    corridor: {},
  };
}

/** Writes a value. Text is quoted only if it would parse as JSON. @param {any} value */
function write(value) {
  if (typeof value !== "string") return JSON.stringify(value);
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}

/** @param {string} text */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Escapes text, except characters that are legal in a fragment. @param {string} text */
function escape(text) {
  return encodeURIComponent(text).replace(/%(2C|3A|7B|7D|5B|5D|40|2F|3B|24)/g, decodeURIComponent);
}

/** @param {MapSettings} settings */
function pairs(settings) {
  const list = [["seed", settings.seed]];
  for (const [name, value] of Object.entries(settings.config)) list.push([name, write(value)]);
  if (settings.searchPins?.length) list.push(["@pins", JSON.stringify(settings.searchPins)]);
  return list.map(([name, value]) => `${escape(name)}=${escape(value)}`).join("&");
}

/** @param {URLSearchParams} query @returns {MapSettings} */
function readSettings(query) {
  /** @type {import("./types.js").Config} */
  const config = {};
  for (const [name, value] of query)
    if (name !== "seed" && !name.startsWith("@")) config[name] = read(value);
  const pins = read(query.get("@pins") ?? "[]");
  const settings = { seed: query.get("seed") ?? "42", config };
  return Array.isArray(pins) && pins.length
    ? {
        ...settings,
        searchPins: pins.filter((pin) => pin && typeof pin === "object").slice(0, 256),
      }
    : settings;
}

/** @param {[number, number][]} ends */
const writeTiles = (ends) => ends.map((end) => end.join(",")).join(";");

/** @param {string | null} text @returns {[number, number][]} */
function readTiles(text) {
  const list = (text ?? "")
    .split(";")
    .filter(Boolean)
    .map((end) => end.split(",").map(Number));
  return /** @type {[number, number][]} */ (
    list.filter((end) => end.length === 2 && end.every(Number.isInteger)).slice(0, 64)
  );
}

/** Writes the state as a URL fragment. @param {State} state @returns {string} */
export function toHash(state) {
  let text = `#/${state.family}?${pairs(state.maps[0])}`;
  /** @param {string} name @param {string} value */
  const add = (name, value) => (text += `&@${name}=${escape(value)}`);
  if (state.maps[1]) add("b", pairs(state.maps[1]));
  if (state.active) add("active", "b");
  if (state.witness !== "none") add("witness", state.witness);
  if (state.labels) add("labels", "true");
  if (state.play) add("play", state.moves.join(";"));
  if (state.fog !== null) add("fog", String(state.fog));
  if (state.sources.length) add("from", writeTiles(state.sources));
  if (state.targets.length) add("to", writeTiles(state.targets));
  if (state.method !== "components") add("method", state.method);
  if (state.connectivity !== "eight") add("connectivity", state.connectivity);
  if (Object.keys(state.corridor).length) add("corridor", JSON.stringify(state.corridor));
  return text;
}

/** Parses a URL fragment; missing values are defaults. @param {string} hash @returns {State} */
export function fromHash(hash) {
  const [path, ...rest] = hash.replace(/^#?\/?/, "").split("?");
  const family = FAMILIES.find((family) => family === path) ?? "act";
  const state = defaultState(family);
  if (rest.length === 0) return state;
  const query = new URLSearchParams(rest.join("?").replaceAll("+", "%2B"));
  state.maps = [readSettings(query)];
  const other = query.get("@b");
  if (other) state.maps.push(readSettings(new URLSearchParams(other.replaceAll("+", "%2B"))));
  if (other && query.get("@active") === "b") state.active = 1;
  const witness = query.get("@witness") ?? "none";
  if (["none", "all", "car", "person"].includes(witness)) state.witness = witness;
  state.labels = query.get("@labels") === "true";
  const moves = query.get("@play");
  state.play = moves !== null;
  state.moves = (moves ?? "").split(";").filter(Boolean);
  const fog = Number(query.get("@fog") ?? NaN);
  state.fog = Number.isInteger(fog) && fog >= 0 && fog <= 65535 ? fog : null;
  state.sources = readTiles(query.get("@from"));
  state.targets = readTiles(query.get("@to"));
  state.method = query.get("@method") ?? state.method;
  state.connectivity = query.get("@connectivity") === "four" ? "four" : "eight";
  const corridor = read(query.get("@corridor") ?? "{}");
  if (corridor && typeof corridor === "object" && !Array.isArray(corridor))
    state.corridor = corridor;
  return state;
}
