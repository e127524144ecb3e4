// Wayforge's API over its WebAssembly: seeds as string or bigint, configurations and answers as plain objects, errors as exceptions that keep
// field, value and remedy.

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

function seedText(seed) {
    if (typeof seed === "string") return seed;
    if (typeof seed === "bigint" && seed >= 0n && seed < 1n << 64n) return seed.toString();
    const wrong = typeof seed === "bigint" ? seed.toString() : String(seed);
    const remedy = "use a string, or a bigint from 0n to 18446744073709551615n";
    const message = `seed = ${wrong}: ${typeof seed === "bigint" ? "out of range" : "no seed"}; ${remedy}`;
    throw new WayforgeError({ kind: "config", message, field: "seed", value: wrong, remedy, rules: [] });
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
    const text = seedText(start);
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
    const text = seedText(start);
    return guard(() => raw.find_seeds(family, where, count, configText(config), text, limit));
}

/** The seeds whose maps come closest to an aim, and their distances. */
export function closest(family, aim, { count = 1, where, config, start = 0n, limit = 1_000_000 } = {}) {
    const text = seedText(start);
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
    let state = Number(raw.seed_number(seedText(seed)) & 0xffff_ffffn) | 0;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

/** What floors were made from, so that they can be judged against it. */
const made = new WeakMap();

/** A floor; `seed` and `config` give the same one everywhere. */
export function generateFloor(seed, config) {
    const map = floor(seed, config);
    try {
        return remember(map.map, map.config);
    } finally {
        map.free();
    }
}

function remember(map, config) {
    made.set(map, config);
    return map;
}

/** Judges a floor against the configuration it was made from, or the one given. */
export function validateFloor(floor, config) {
    return JSON.parse(guard(() => raw.judge_floor(envelope(floor, config))));
}

/** One line of JSON whose `map` is the floor. */
export function serializeFloor(floor, config) {
    return guard(() => raw.seal_floor(envelope(floor, config)));
}

/** Reads what `serializeFloor` wrote, strictly. */
export function deserializeFloor(json) {
    const map = load(json);
    try {
        return remember(map.map, map.config);
    } finally {
        map.free();
    }
}

function envelope(floor, config) {
    const known = config ?? made.get(floor) ?? asItIs(floor);
    const digest = `sha256:${"0".repeat(64)}`;
    return JSON.stringify({ format: "wayforge/1", algorithm: "floor.module/1", seed: floor.seed, config: known, map: floor, digest });
}

/** A configuration that asks for what a floor has: of a floor of unknown origin only the structure can be judged. */
function asItIs(floor) {
    const count = (list, kind) => list.filter((thing) => thing.kind === kind).length;
    const of = { width: floor.width, height: floor.height, minPathLength: 1 };
    for (const kind of ["door", "trap", "chest", "water"]) of[`${kind}Budget`] = count(floor.tiles, kind);
    for (const kind of ["enemy", "item", "relic", "npc"]) of[`${kind}Budget`] = count(floor.entities, kind);
    return of;
}

/** The index of a cell in `tiles`. */
export const indexFromPos = (pos, width) => pos.y * width + pos.x;
/** The cell of an index in `tiles`. */
export const posFromIndex = (index, width) => ({ x: index % width, y: Math.floor(index / width) });
