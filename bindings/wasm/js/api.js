// JavaScript API of Wayforge on top of its WebAssembly exports. Seeds are strings, numbers or
// bigints; configurations and results are plain objects; errors are exceptions with field, value
// and remedy.

import * as raw from "./pkg/wayforge.js";

/** Error of Wayforge: invalid input, or a seed without a map. */
export class WayforgeError extends Error {
  /**
   * @param {{kind: string, message: string, field: string|null, value: string|null, remedy:
   * string|null, rules: string[]}} details
   */
  constructor(details) {
    super(details.message);
    this.name = "WayforgeError";
    this.kind = details.kind;
    this.field = details.field;
    this.value = details.value;
    this.remedy = details.remedy;
    this.rules = details.rules;
  }
}

/** Calls WebAssembly and rethrows its errors as `WayforgeError`. */
function guard(call) {
  try {
    return call();
  } catch (thrown) {
    if (typeof thrown !== "string") throw thrown;
    throw new WayforgeError(JSON.parse(thrown));
  }
}

/** Creates a `WayforgeError` about one argument or member. */
function fieldError(kind, field, value, problem, remedy) {
  const message = `${field} = ${value}: ${problem}; ${remedy}`;
  return new WayforgeError({ kind, message, field, value, remedy, rules: [] });
}

/** Formats a value for an error message. */
function describe(value) {
  if (typeof value === "object" && value !== null)
    return Array.isArray(value) ? "a list" : "an object";
  if (typeof value === "function") return "a function";
  return typeof value === "bigint" ? `${value}n` : String(value);
}

/** Converts a seed to text; `name` is the argument in error messages. */
function seedText(seed, name = "seed") {
  if (typeof seed === "string") return seed;
  // A negative integer is text, as on the command line.
  if (Number.isSafeInteger(seed)) return String(seed);
  if (typeof seed === "bigint" && seed >= -(1n << 63n) && seed < 1n << 64n) return seed.toString();
  const problem =
    typeof seed === "number" || typeof seed === "bigint" ? "out of range" : "not a seed";
  const remedy =
    "use a string, an integer from -9007199254740991 to 9007199254740991, " +
    "or a bigint from -9223372036854775808n to 18446744073709551615n";
  throw fieldError("input", name, describe(seed), problem, remedy);
}

function configText(config) {
  if (config === undefined || config === null) return "{}";
  return typeof config === "string" ? config : JSON.stringify(config);
}

/** Map of any family, with its document. */
export class WayforgeMap {
  #raw;

  constructor(map) {
    this.#raw = map;
  }

  get family() {
    return this.#raw.family();
  }
  get algorithm() {
    return this.#raw.algorithm();
  }
  get seed() {
    return this.#raw.seed();
  }
  get digest() {
    return this.#raw.digest();
  }
  get config() {
    return JSON.parse(this.#raw.config());
  }
  get map() {
    return JSON.parse(this.#raw.map());
  }
  toText() {
    return this.#raw.text();
  }
  toJSON() {
    return JSON.parse(this.#raw.text());
  }
  toString() {
    return this.#raw.ascii();
  }
  ascii() {
    return this.#raw.ascii();
  }

  validate(reproduce = false) {
    return parseReport(guard(() => this.#raw.validate(reproduce)));
  }

  routes(start) {
    return JSON.parse(
      guard(() => this.#raw.routes(start === undefined ? undefined : Float64Array.from(start))),
    );
  }

  metrics() {
    return Object.fromEntries(JSON.parse(guard(() => this.#raw.metrics())));
  }

  svg({ theme = "parchment", witness = false, labels = false } = {}) {
    return guard(() => this.#raw.svg(theme, witness, labels));
  }

  play({ fog } = {}) {
    return new Play(guard(() => this.#raw.play(fog)));
  }

  free() {
    this.#raw.free();
  }
}

/** Immutable state of a run on a map: every move returns a new `Play`. */
export class Play {
  #raw;

  constructor(run) {
    this.#raw = run;
  }

  get moves() {
    return this.#raw.moves();
  }
  get finished() {
    return this.#raw.finished();
  }
  get progress() {
    return this.#raw.progress();
  }
  get digest() {
    return this.#raw.digest();
  }
  advance(move) {
    return new Play(guard(() => this.#raw.advance(move)));
  }
  restart() {
    return new Play(this.#raw.restart());
  }
  resume(progress) {
    return new Play(guard(() => this.#raw.resume(progress)));
  }

  undo() {
    const previous = this.#raw.undo();
    return previous === undefined ? null : new Play(previous);
  }

  free() {
    this.#raw.free();
  }
}

function parseReport(text) {
  const report = JSON.parse(text);
  return { valid: report.violations.length === 0, ...report };
}

/** Generates a map from a seed and a configuration. */
export function generate(family, seed, config) {
  const text = seedText(seed);
  return new WayforgeMap(guard(() => raw.RawMap.generate(family, text, configText(config))));
}

export const act = (seed, config) => generate("act", seed, config);
export const level = (seed, config) => generate("level", seed, config);
export const floor = (seed, config) => generate("floor", seed, config);
export const tower = (seed, config) => generate("tower", seed, config);

/** Decodes a document. Its structure, configuration, canonical form and digest must be valid. */
export function load(document) {
  return new WayforgeMap(guard(() => raw.RawMap.decode(document)));
}

/** Validates a document. */
export function validate(document, reproduce = false) {
  return parseReport(guard(() => raw.validate_document(document, reproduce)));
}

/** Lists the metrics of a family: name, unit and description. */
export function metrics(family, config) {
  const list = JSON.parse(guard(() => raw.list_metrics(family, configText(config))));
  return list.map(([name, unit, description]) => ({ name, unit, description }));
}

/** Computes the metrics of many maps, one column per metric. */
export function batch(family, start, count, { config, columns } = {}) {
  const text = seedText(start, "start");
  const table = guard(() => raw.RawTable.measure(family, text, count, configText(config), columns));
  try {
    const entries = table.names().map((name, index) => [name, table.column(index)]);
    return {
      seed: table.seeds(),
      generated: table.generated(),
      columns: Object.fromEntries(entries),
    };
  } finally {
    table.free();
  }
}

/** Returns the first seeds whose maps satisfy a condition. */
export function find(family, where, { count = 1, config, start = 0n, limit = 1_000_000 } = {}) {
  const text = seedText(start, "start");
  return guard(() => raw.find_seeds(family, where, count, configText(config), text, limit));
}

/** Returns the seeds whose maps are closest to target values, with their distances. */
export function closest(
  family,
  targets,
  { count = 1, where, config, start = 0n, limit = 1_000_000 } = {},
) {
  const text = seedText(start, "start");
  const result = guard(() =>
    raw.closest_seeds(family, targets, where, count, configText(config), text, limit),
  );
  return { seeds: result.slice(0, result.length / 2), distances: result.slice(result.length / 2) };
}

/** Flattens one tile or a list of tiles to an array x0, y0, x1, y1, ... */
function flatten(tiles) {
  if (tiles.length === 2 && typeof tiles[0] === "number") return Float64Array.from(tiles);
  const pairs = new Float64Array(tiles.length * 2);
  tiles.forEach(([x, y], index) => pairs.set([x, y], index * 2));
  return pairs;
}

/** Navigation grid of open and blocked tiles. */
export class NavGrid {
  /** @internal */
  raw;

  constructor(width, height, open) {
    this.raw =
      width instanceof raw.RawNavGrid
        ? width
        : guard(() => raw.RawNavGrid.from_bytes(width, height, Uint8Array.from(open)));
  }

  static fromText(text) {
    return new NavGrid(guard(() => raw.RawNavGrid.from_text(text)));
  }

  static archipelago(seed, config) {
    const text = seedText(seed);
    return new NavGrid(guard(() => raw.RawNavGrid.archipelago(text, configText(config))));
  }

  static archipelagoDigest(seed, config) {
    const text = seedText(seed);
    return guard(() => raw.archipelago_digest(text, configText(config)));
  }

  get width() {
    return this.raw.width();
  }
  get height() {
    return this.raw.height();
  }
  get tiles() {
    return this.raw.tiles();
  }
  open() {
    return this.raw.open();
  }
  magnitudes() {
    return this.raw.magnitudes();
  }

  free() {
    this.raw.free();
  }
}

/** Shortest-path queries on a grid. Tiles are pairs of x and y. */
export class Navigator {
  #raw;

  constructor(
    grid,
    {
      preprocessing = "none",
      connectivity = 8,
      metric = "steps",
      factor,
      radius,
      maxExpansions,
      coarseRule,
    } = {},
  ) {
    this.#raw = guard(() =>
      raw.RawNavigator.with_options(
        grid.raw,
        preprocessing,
        connectivity,
        metric,
        factor,
        radius,
        maxExpansions,
        coarseRule,
      ),
    );
  }

  find(
    sources,
    targets,
    { connectivity = 8, metric = "steps", method = "auto", depths = [], smooth = false } = {},
  ) {
    const path = guard(() =>
      this.#raw.find(
        flatten(sources),
        flatten(targets),
        connectivity,
        metric,
        method,
        Uint8Array.from(depths),
        smooth,
      ),
    );
    if (path === undefined) return null;
    try {
      return { tiles: path.tiles(), ...JSON.parse(path.details()) };
    } finally {
      path.free();
    }
  }

  edit(tiles, open) {
    return guard(() => this.#raw.edit(flatten(tiles), open));
  }
  distanceField(sources, { connectivity = 8 } = {}) {
    return guard(() => this.#raw.distance_field(flatten(sources), connectivity));
  }
  get grid() {
    return new NavGrid(this.#raw.grid());
  }

  free() {
    this.#raw.free();
  }
}

// Functions of the floor specification, under its names.

/** Mulberry32: returns a function that generates numbers in [0, 1). */
export function createRng(seed) {
  const text = seedText(seed);
  let state = Number(guard(() => raw.seed_number(text)) & 0xffff_ffffn) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Generates a floor. Equal seeds and configurations give equal floors on every platform. */
export function generateFloor(seed, config) {
  return toMapFloor(floor(seed, config));
}

/** Converts a map to a `MapFloor` and frees it. */
function toMapFloor(map) {
  try {
    return { ...map.map, config: map.config };
  } finally {
    map.free();
  }
}

/**
 * Validates any value as a floor against `config`, or against the floor's own `config`. Never
 * throws.
 */
export function validateFloor(floor, config) {
  try {
    return JSON.parse(raw.validate_map_floor(...floorArguments(floor, config)));
  } catch (error) {
    // Getters and proxies can throw.
    const violation = {
      rule: "member-types",
      place: "map",
      why: `the floor cannot be read: ${error?.message ?? describe(error)}`,
    };
    const report = {
      valid: false,
      rules: [violation.rule],
      violations: [violation],
      truncated: [],
    };
    return { ...report, shortestPath: null, walkable: 0, reachable: 0, objects: [] };
  }
}

/**
 * Serialises a `MapFloor` as one line of JSON, which every implementation of the floor
 * specification reads.
 */
export function serializeFloor(floor) {
  guard(() => raw.check_map_floor(...floorArguments(floor)));
  checkJson(floor, "", []);
  return JSON.stringify(floor);
}

/** Parses a `MapFloor`, or the document of a floor. */
export function deserializeFloor(json) {
  let floor;
  try {
    floor = JSON.parse(json);
  } catch (error) {
    throw fieldError(
      "decode",
      "document",
      describe(json).slice(0, 40),
      `not JSON (${error.message})`,
      "use the output of serializeFloor",
    );
  }
  if (isObject(floor) && "format" in floor) {
    const map = load(json);
    if (map.family === "floor") return toMapFloor(map);
    const algorithm = map.algorithm;
    map.free();
    throw fieldError(
      "decode",
      "algorithm",
      algorithm,
      "not a single floor",
      "use load for other documents",
    );
  }
  guard(() => raw.check_map_floor(...floorArguments(floor)));
  return floor;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Maximum number of list items to copy; no valid floor has more. */
const MAX_LIST = 100_000;

/** Returns a value without its members. Values that JSON cannot represent become text. */
function shallow(value) {
  switch (typeof value) {
    case "string":
      // Unpaired surrogates cannot be encoded as UTF-8.
      return value.replace(
        /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
        (half) => `\ufffd${half.charCodeAt(0).toString(16)}`,
      );
    case "object":
      return value === null ? null : Array.isArray(value) ? [] : {};
    case "number":
    case "boolean":
    case "undefined":
      return value;
    default:
      return describe(value);
  }
}

/** Creates a reader that copies the named members of an object and drops all others. */
const members = (readers) => (value) => {
  if (!isObject(value)) return shallow(value);
  const copy = {};
  for (const [name, reader] of Object.entries(readers)) {
    const member = value[name];
    if (member !== undefined) copy[name] = reader(member);
  }
  return copy;
};

const list = (reader) => (value) =>
  Array.isArray(value)
    ? Array.from(value.slice(0, MAX_LIST), (item) => reader(item) ?? null)
    : shallow(value);

/** Returns a deep copy of a value, as far as JSON can represent it. */
function deepCopy(value) {
  try {
    const text = (part) =>
      typeof part === "number" && !Number.isFinite(part) ? String(part) : shallow(part);
    return JSON.parse(
      JSON.stringify(value, (_, part) => (typeof part === "object" ? part : text(part))),
    );
  } catch {
    return shallow(value);
  }
}

const vec2 = members({ x: shallow, y: shallow });
// `meta` and `data` belong to the game and may contain values that JSON cannot represent; only
// their type is checked.
const plainFloor = members({
  width: shallow,
  height: shallow,
  seed: shallow,
  tiles: list(
    members({ pos: vec2, kind: shallow, walkable: shallow, blocksVision: shallow, meta: shallow }),
  ),
  entities: list(members({ id: shallow, kind: shallow, pos: vec2, data: shallow })),
  entrance: vec2,
  exit: vec2,
  generatedAt: shallow,
  version: shallow,
  path: list(vec2),
  origin: deepCopy,
  config: deepCopy,
});

/**
 * Returns the validated members of a floor as JSON, and the list of numbers that JSON cannot
 * represent.
 */
function floorArguments(floor, config) {
  const plain = plainFloor(floor);
  if (config !== undefined && isObject(plain))
    plain.config = typeof config === "string" ? JSON.parse(config) : deepCopy(config);
  return [JSON.stringify(plain) ?? "null", nonFinite(plain, "", [])];
}

/** Returns the path of a member or an item. */
function pathTo(value, path, name) {
  if (Array.isArray(value)) return `${path}[${name}]`;
  return path === "" ? name : `${path}.${name}`;
}

/** Appends path and text of every number that JSON cannot represent. */
function nonFinite(value, path, found) {
  if (typeof value === "number" && !Number.isFinite(value)) found.push(path, String(value));
  if (typeof value === "object" && value !== null) {
    for (const name of Object.keys(value)) nonFinite(value[name], pathTo(value, path, name), found);
  }
  return found;
}

/**
 * Throws if JSON would lose or change a value. For a value with `toJSON`, the result of `toJSON` is
 * checked.
 */
function checkJson(input, path, ancestors) {
  const converts = isObject(input) || typeof input === "bigint" || typeof input === "function";
  const value = converts && typeof input.toJSON === "function" ? input.toJSON() : input;
  const reject = (problem) =>
    fieldError("config", path, describe(value), problem, "use values that JSON can represent");
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value)))
    throw reject("not a JSON number");
  if (typeof value === "function" || typeof value === "symbol") throw reject("JSON omits it");
  if (typeof value !== "object" || value === null) return;
  if (ancestors.includes(value)) throw reject("contains itself");
  // Maps, sets and typed arrays have content beyond their members.
  const tag = Object.prototype.toString.call(value);
  if (!Array.isArray(value) && tag !== "[object Object]")
    throw reject(`JSON cannot represent ${tag.slice("[object ".length, -1)}`);
  const inside = [...ancestors, value];
  if (!Array.isArray(value)) {
    for (const name of Object.keys(value))
      checkJson(value[name], pathTo(value, path, name), inside);
    return;
  }
  for (let index = 0; index < value.length; index += 1) {
    const item = pathTo(value, path, index);
    if (value[index] === undefined)
      throw fieldError(
        "config",
        item,
        "undefined",
        "JSON writes null",
        "use values that JSON can represent",
      );
    checkJson(value[index], item, inside);
  }
}

/** Returns the index of a cell in `tiles`. */
export const indexFromPos = (pos, width) => pos.y * width + pos.x;
/** Returns the cell at an index in `tiles`. */
export const posFromIndex = (index, width) => ({ x: index % width, y: Math.floor(index / width) });
