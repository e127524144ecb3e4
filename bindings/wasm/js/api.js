// Wayforge's API over its WebAssembly: seeds as string, number or bigint, configurations and results as plain objects, errors as exceptions
// that keep field, value and remedy.

import * as raw from "./pkg/wayforge.js";

/** What Wayforge refuses. */
export class WayforgeError extends Error {
    /** @param {{kind: string, message: string, field: string|null, value: string|null, remedy: string|null, rules: string[]}} fault */
    constructor(fault) {
        super(fault.message);
        this.name = "WayforgeError";
        this.kind = fault.kind;
        this.field = fault.field;
        this.value = fault.value;
        this.remedy = fault.remedy;
        this.rules = fault.rules;
    }
}

/** Calls into WebAssembly; a fault becomes an exception. */
function guard(call) {
    try {
        return call();
    } catch (thrown) {
        if (typeof thrown !== "string") throw thrown;
        throw new WayforgeError(JSON.parse(thrown));
    }
}

/** A WayforgeError about one argument or member. */
function wrong(kind, field, value, problem, remedy) {
    const message = `${field} = ${value}: ${problem}; ${remedy}`;
    return new WayforgeError({ kind, message, field, value, remedy, rules: [] });
}

/** A value as a message shows it. */
function shown(value) {
    if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
    if (typeof value === "function") return "a function";
    return typeof value === "bigint" ? `${value}n` : String(value);
}

/** The text of a seed; `name` is the argument that holds it. */
function seedText(seed, name = "seed") {
    if (typeof seed === "string") return seed;
    // A negative integer is text, as on the command line.
    if (Number.isSafeInteger(seed)) return String(seed);
    if (typeof seed === "bigint" && seed >= -(1n << 63n) && seed < 1n << 64n) return seed.toString();
    const problem = typeof seed === "number" || typeof seed === "bigint" ? "out of range" : "not a seed";
    const remedy = "use a string, an integer from -9007199254740991 to 9007199254740991, or a bigint from -9223372036854775808n to 18446744073709551615n";
    throw wrong("input", name, shown(seed), problem, remedy);
}

function configText(config) {
    if (config === undefined || config === null) return "{}";
    return typeof config === "string" ? config : JSON.stringify(config);
}

/** A map of any family, with its document. */
export class WayforgeMap {
    #raw;

    constructor(made) {
        this.#raw = made;
    }

    get family() { return this.#raw.family(); }
    get algorithm() { return this.#raw.algorithm(); }
    get seed() { return this.#raw.seed(); }
    get digest() { return this.#raw.digest(); }
    get config() { return JSON.parse(this.#raw.config()); }
    get map() { return JSON.parse(this.#raw.map()); }
    toText() { return this.#raw.text(); }
    toJSON() { return JSON.parse(this.#raw.text()); }
    toString() { return this.#raw.ascii(); }
    ascii() { return this.#raw.ascii(); }

    validate(reproduce = false) {
        return reportOf(guard(() => this.#raw.validate(reproduce)));
    }

    routes(start) {
        return JSON.parse(guard(() => this.#raw.routes(start === undefined ? undefined : Float64Array.from(start))));
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

/** A map being played. A value: a move gives a new one and leaves the old one alone. */
export class Play {
    #raw;

    constructor(run) {
        this.#raw = run;
    }

    get moves() { return this.#raw.moves(); }
    get finished() { return this.#raw.finished(); }
    get progress() { return this.#raw.progress(); }
    get digest() { return this.#raw.digest(); }
    advance(move) { return new Play(guard(() => this.#raw.advance(move))); }
    restart() { return new Play(this.#raw.restart()); }
    resume(progress) { return new Play(guard(() => this.#raw.resume(progress))); }

    undo() {
        const former = this.#raw.undo();
        return former === undefined ? null : new Play(former);
    }

    free() {
        this.#raw.free();
    }
}

function reportOf(text) {
    const report = JSON.parse(text);
    return { valid: report.violations.length === 0, ...report };
}

/** The map of a seed under a configuration. */
export function generate(family, seed, config) {
    const text = seedText(seed);
    return new WayforgeMap(guard(() => raw.RawMap.make(family, text, configText(config))));
}

export const act = (seed, config) => generate("act", seed, config);
export const level = (seed, config) => generate("level", seed, config);
export const floor = (seed, config) => generate("floor", seed, config);
export const tower = (seed, config) => generate("tower", seed, config);

/** Reads a document strictly. */
export function load(document) {
    return new WayforgeMap(guard(() => raw.RawMap.read(document)));
}

/** Judges a document. */
export function validate(document, reproduce = false) {
    return reportOf(guard(() => raw.judge(document, reproduce)));
}

/** The metrics of a family: name, unit and meaning. */
export function metrics(family, config) {
    const list = JSON.parse(guard(() => raw.list_metrics(family, configText(config))));
    return list.map(([name, unit, about]) => ({ name, unit, about }));
}

/** The metrics of many maps in columns. */
export function batch(family, start, count, { config, columns } = {}) {
    const text = seedText(start, "start");
    const table = guard(() => raw.RawTable.make(family, text, count, configText(config), columns));
    try {
        const named = table.names().map((name, at) => [name, table.column(at)]);
        return { seed: table.seeds(), made: table.made(), columns: Object.fromEntries(named) };
    } finally {
        table.free();
    }
}

/** The first seeds whose maps meet a condition. */
export function find(family, where, { count = 1, config, start = 0n, limit = 1_000_000 } = {}) {
    const text = seedText(start, "start");
    return guard(() => raw.find_seeds(family, where, count, configText(config), text, limit));
}

/** The seeds whose maps come closest to an aim, and their distances. */
export function closest(family, aim, { count = 1, where, config, start = 0n, limit = 1_000_000 } = {}) {
    const text = seedText(start, "start");
    const both = guard(() => raw.closest_seeds(family, aim, where, count, configText(config), text, limit));
    return { seeds: both.slice(0, both.length / 2), distances: both.slice(both.length / 2) };
}

function flat(tiles) {
    if (tiles.length === 2 && typeof tiles[0] === "number") return Float64Array.from(tiles);
    const pairs = new Float64Array(tiles.length * 2);
    tiles.forEach(([x, y], at) => pairs.set([x, y], at * 2));
    return pairs;
}

/** A grid of water and land. */
export class Water {
    /** @internal */
    raw;

    constructor(width, height, open) {
        this.raw = width instanceof raw.RawWater ? width : guard(() => raw.RawWater.of(width, height, Uint8Array.from(open)));
    }

    static fromText(text) { return new Water(guard(() => raw.RawWater.from_text(text))); }

    static archipelago(seed, config) {
        const text = seedText(seed);
        return new Water(guard(() => raw.RawWater.archipelago(text, configText(config))));
    }

    static archipelagoDigest(seed, config) {
        const text = seedText(seed);
        return guard(() => raw.archipelago_digest(text, configText(config)));
    }

    get width() { return this.raw.width(); }
    get height() { return this.raw.height(); }
    get tiles() { return this.raw.tiles(); }
    open() { return this.raw.open(); }
    magnitudes() { return this.raw.magnitudes(); }

    free() {
        this.raw.free();
    }
}

/** Finds ways over water. Tiles are pairs of x and y. */
export class Navigator {
    #raw;

    constructor(water, { prepare = "none", moves = 8, metric = "steps", factor, radius, maxExpansions, coarseRule } = {}) {
        this.#raw = guard(() => raw.RawNavigator.of(water.raw, prepare, moves, metric, factor, radius, maxExpansions, coarseRule));
    }

    find(sources, targets, { moves = 8, metric = "steps", method = "auto", depths = [], smooth = false } = {}) {
        const way = guard(() => this.#raw.find(flat(sources), flat(targets), moves, metric, method, Uint8Array.from(depths), smooth));
        if (way === undefined) return null;
        try {
            return { tiles: way.tiles(), ...JSON.parse(way.told()) };
        } finally {
            way.free();
        }
    }

    edit(tiles, open) { return guard(() => this.#raw.edit(flat(tiles), open)); }
    distanceField(sources, { moves = 8 } = {}) { return guard(() => this.#raw.distance_field(flat(sources), moves)); }
    get water() { return new Water(this.#raw.water()); }

    free() {
        this.#raw.free();
    }
}

// The document of floors, under its own names.

/** Mulberry32: a function that gives numbers in [0, 1). */
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

/** Generates a floor; equal seeds and configurations give equal floors everywhere. */
export function generateFloor(seed, config) {
    return takeFloor(floor(seed, config));
}

function takeFloor(map) {
    try {
        return { ...map.map, config: map.config };
    } finally {
        map.free();
    }
}

/** Validates any value as a floor, against `config` or the configuration that the floor carries. Never throws. */
export function validateFloor(floor, config) {
    try {
        return JSON.parse(raw.validate_map_floor(...floorText(floor, config)));
    } catch (error) {
        // Members can be getters or proxies that throw.
        const violation = { rule: "member-types", place: "map", why: `the floor cannot be read: ${error?.message ?? shown(error)}` };
        const report = { valid: false, rules: [violation.rule], violations: [violation], cut: [] };
        return { ...report, shortest: null, walkable: 0, reached: 0, things: [] };
    }
}

/** Writes a floor as one line of JSON: the `MapFloor` itself, which every implementation of the document reads. */
export function serializeFloor(floor) {
    guard(() => raw.check_map_floor(...floorText(floor)));
    checkJson(floor, "", []);
    return JSON.stringify(floor);
}

/** Reads a `MapFloor`, or the document of a floor with its envelope. */
export function deserializeFloor(json) {
    let floor;
    try {
        floor = JSON.parse(json);
    } catch (error) {
        throw wrong("decode", "document", shown(json).slice(0, 40), `not JSON (${error.message})`, "use what serializeFloor wrote");
    }
    if (isObject(floor) && "format" in floor) {
        const map = load(json);
        if (map.family === "floor") return takeFloor(map);
        const algorithm = map.algorithm;
        map.free();
        throw wrong("decode", "algorithm", algorithm, "not a single floor", "use load for other documents");
    }
    guard(() => raw.check_map_floor(...floorText(floor)));
    return floor;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** More tiles than any floor has. */
const MAX_LIST = 100_000;

/** A value without its parts; text says what JSON cannot hold. */
function leaf(value) {
    switch (typeof value) {
        case "string":
            // Half a surrogate pair is not UTF-8.
            return value.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
                (half) => `\ufffd${half.charCodeAt(0).toString(16)}`);
        case "object": return value === null ? null : Array.isArray(value) ? [] : {};
        case "number": case "boolean": case "undefined": return value;
        default: return shown(value);
    }
}

/** Reads the named members of an object; others are left out. */
const members = (readers) => (value) => {
    if (!isObject(value)) return leaf(value);
    const read = {};
    for (const [name, reader] of Object.entries(readers)) {
        const member = value[name];
        if (member !== undefined) read[name] = reader(member);
    }
    return read;
};

const list = (reader) => (value) =>
    Array.isArray(value) ? Array.from(value.slice(0, MAX_LIST), (item) => reader(item) ?? null) : leaf(value);

/** A value with its parts, as far as JSON can hold it. */
function whole(value) {
    try {
        const text = (part) => (typeof part === "number" && !Number.isFinite(part) ? String(part) : leaf(part));
        return JSON.parse(JSON.stringify(value, (_, part) => (typeof part === "object" ? part : text(part))));
    } catch {
        return leaf(value);
    }
}

const vec2 = members({ x: leaf, y: leaf });
// `meta` and `data` hold whatever the game likes, also what JSON cannot hold: only their type matters.
const plainFloor = members({
    width: leaf, height: leaf, seed: leaf,
    tiles: list(members({ pos: vec2, kind: leaf, walkable: leaf, blocksVision: leaf, meta: leaf })),
    entities: list(members({ id: leaf, kind: leaf, pos: vec2, data: leaf })),
    entrance: vec2, exit: vec2, generatedAt: leaf, version: leaf, path: list(vec2), origin: whole, config: whole,
});

/** The members of a floor that are validated, as JSON, and the numbers that JSON cannot hold. */
function floorText(floor, config) {
    const plain = plainFloor(floor);
    if (config !== undefined && isObject(plain)) plain.config = typeof config === "string" ? JSON.parse(config) : whole(config);
    return [JSON.stringify(plain) ?? "null", nonFinite(plain, "", [])];
}

/** The path of a member or an item. */
function pathTo(value, path, name) {
    if (Array.isArray(value)) return `${path}[${name}]`;
    return path === "" ? name : `${path}.${name}`;
}

/** Appends the path and the text of every number that JSON cannot hold. */
function nonFinite(value, path, found) {
    if (typeof value === "number" && !Number.isFinite(value)) found.push(path, String(value));
    if (typeof value === "object" && value !== null) {
        for (const name of Object.keys(value)) nonFinite(value[name], pathTo(value, path, name), found);
    }
    return found;
}

/** Throws if JSON would lose or change a value. A value with `toJSON` is checked as it will be written. */
function checkJson(given, path, above) {
    const converts = isObject(given) || typeof given === "bigint" || typeof given === "function";
    const value = converts && typeof given.toJSON === "function" ? given.toJSON() : given;
    const reject = (problem) => wrong("config", path, shown(value), problem, "use values that JSON can hold");
    if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) throw reject("not a number of JSON");
    if (typeof value === "function" || typeof value === "symbol") throw reject("JSON leaves it out");
    if (typeof value !== "object" || value === null) return;
    if (above.includes(value)) throw reject("it contains itself");
    // Maps, sets, typed arrays and the like hold more than their members.
    const tag = Object.prototype.toString.call(value);
    if (!Array.isArray(value) && tag !== "[object Object]") throw reject(`JSON does not keep ${tag.slice("[object ".length, -1)}`);
    const inside = [...above, value];
    if (!Array.isArray(value)) {
        for (const name of Object.keys(value)) checkJson(value[name], pathTo(value, path, name), inside);
        return;
    }
    for (let at = 0; at < value.length; at += 1) {
        const item = pathTo(value, path, at);
        if (value[at] === undefined) throw wrong("config", item, "undefined", "JSON writes null", "use values that JSON can hold");
        checkJson(value[at], item, inside);
    }
}

/** The index of a cell in `tiles`. */
export const indexFromPos = (pos, width) => pos.y * width + pos.x;
/** The cell of an index in `tiles`. */
export const posFromIndex = (index, width) => ({ x: index % width, y: Math.floor(index / width) });
